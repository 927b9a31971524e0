/* chess/move.h: a move in 16 bits.
 * from 0-5, to 6-11, kind of move 12-15; what it captures and promotes to is read off the kind,
 * without a board. Castling is king takes own rook, in standard chess too. 0 is no move (a1a1 is
 * never legal). Thread: any. */
#ifndef CHESS_MOVE_H
#define CHESS_MOVE_H

#include "chess/types.h"
#include "rookery/game.h"

typedef rk_move_t move_t;

/* Bit 2 set: captures. Bit 3 set: promotes, to KNIGHT + (low two bits). */
enum {
    MOVE_QUIET = 0,
    MOVE_DOUBLE = 1, /* A pawn's two steps. */
    MOVE_CASTLE = 2,
    MOVE_CAPTURE = 4,
    MOVE_EN_PASSANT = 5,
    MOVE_PROMOTE = 8,         /* 8 … 11: knight, bishop, rook, queen */
    MOVE_PROMOTE_CAPTURE = 12 /* 12 … 15: the same */
};
#define MOVE_NONE ((move_t)0)

static inline move_t move_make(square_t from, square_t to, unsigned kind)
{
    return (move_t)(from | (unsigned)to << 6 | kind << 12);
}
static inline square_t move_from(move_t move) { return move & 63u; }
static inline square_t move_to(move_t move) { return (move >> 6) & 63u; }
static inline unsigned move_kind(move_t move) { return move >> 12; }
static inline bool move_is_capture(move_t move) { return (move >> 14) & 1u; }
static inline bool move_is_promotion(move_t move) { return (move >> 15) & 1u; }
/* Captures and all promotions; the rest is quiet (castling is). */
static inline bool move_is_noisy(move_t move) { return move >> 14 != 0; }
static inline bool move_is_castle(move_t move) { return move >> 12 == MOVE_CASTLE; }
/* Only for a promotion. */
static inline kind_t move_promoted(move_t move) { return (kind_t)(KNIGHT + ((move >> 12) & 3u)); }

#endif
