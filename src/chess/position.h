/* chess/position.h: the board, a plain value without pointers.
 * A move is made by copying: position_after() writes the next position beside the old one; nothing
 * is undone. Thread: any. */
#ifndef CHESS_POSITION_H
#define CHESS_POSITION_H

#include "base/bits.h"
#include "chess/move.h"
#include "chess/types.h"

struct position {
    bitboard_t kinds[KIND_COUNT];   /* Men of each kind, both colors. */
    bitboard_t colors[COLOR_COUNT]; /* Men of each color. */
    piece_t board[SQUARE_COUNT];    /* The same by square; PIECE_NONE where empty. */
    zkey_t key; /* All that makes two positions the same: men, side, rights, a capturable e.p. */
    zkey_t pawn_key;     /* Pawns and kings alone: what corrections by pawns go by. */
    bitboard_t checkers; /* Men that give check to the side to move. */
    bitboard_t pinned;   /* Men of the side to move that shield their king. */
    square_t castle_rook[COLOR_COUNT][2]; /* [color][0: a-side, 1: h-side] where that rook started,
                                             or SQUARE_NONE. */
    square_t
        en_passant; /* Target square, only when an en passant capture is legal; else SQUARE_NONE. */
    color_t side;   /* To move. */
    uint8_t fifty;  /* Plies since a capture or pawn move, held at 255. */
    uint16_t move_number; /* FEN's full-move number, from 1. */
};

static inline bitboard_t position_all(const struct position *p)
{
    return p->colors[WHITE] | p->colors[BLACK];
}
static inline bitboard_t position_men(const struct position *p, color_t color, kind_t kind)
{
    return p->colors[color] & p->kinds[kind];
}
static inline square_t position_king(const struct position *p, color_t color)
{
    return bits_lowest(position_men(p, color, KING));
}

/* Where king and rook stand after castling towards `rook`. */
static inline square_t position_castled_king(square_t king, square_t rook)
{
    return (square_t)((king & 56u) | (rook > king ? 6u : 2u));
}
static inline square_t position_castled_rook(square_t king, square_t rook)
{
    return (square_t)((king & 56u) | (rook > king ? 5u : 3u));
}

/* The start position of chess. */
void position_set_start(struct position *out_position);

/* Makes a legal move. `after` and `before` must not be the same object. */
void position_after(struct position *restrict after, const struct position *restrict before,
                    move_t move);

/* Passes the turn. Not while in check. */
void position_after_null(struct position *restrict after, const struct position *restrict before);

/* The key after a move, good enough to prefetch the table by (castling and rights may be left out).
 */
zkey_t position_key_after(const struct position *position, move_t move);

/* Puts a man on an empty square; keys and checks are the caller's to set afterwards. */
void position_put(struct position *position, square_t square, piece_t piece);

/* Both keys from the men, side, rights and en passant square, for when there is no key to go on
 * from.
 */
void position_set_keys(struct position *position);

/* checkers and pinned from the men and the side. */
void position_set_checks(struct position *position);

/* Drops an en passant square that no pawn of the side to move can legally capture on. Needs
 * checkers. */
void position_trim_en_passant(struct position *position);

/* Whether the en passant capture from `from` leaves its own king safe. */
bool position_is_en_passant_safe(const struct position *position, square_t from);

/* Whether castling towards the rook on `rook`, by a right that stands, is legal now. */
bool position_can_castle(const struct position *position, square_t rook);

/* Whether a man of `color` attacks `square` when the board holds `occupied`. */
bool position_is_attacked(const struct position *position, square_t square, color_t color,
                          bitboard_t occupied);

/* Men of both colors that attack `square` when the board holds `occupied`. */
bitboard_t position_attackers(const struct position *position, square_t square,
                              bitboard_t occupied);

/* Whether a move that comes from elsewhere (table, killer) could be generated here: pseudo-legal,
 * kind included. Any 16 bits may be passed. */
bool position_is_pseudo_legal(const struct position *position, move_t move);

/* Whether a pseudo-legal move leaves its own king safe. */
bool position_is_legal(const struct position *position, move_t move);

/* Whether a legal move gives check. */
bool position_gives_check(const struct position *position, move_t move);

/* Neither side has the men to mate: KK, KNK, KBK, and bishops of one square color. */
bool position_is_material_draw(const struct position *position);

/* Whether either side may still castle some day. */
static inline bool position_has_rights(const struct position *p)
{
    return p->castle_rook[WHITE][0] != SQUARE_NONE || p->castle_rook[WHITE][1] != SQUARE_NONE ||
           p->castle_rook[BLACK][0] != SQUARE_NONE || p->castle_rook[BLACK][1] != SQUARE_NONE;
}

/* Any man but king and pawns (null move is unsafe without). */
static inline bool position_has_officers(const struct position *p, color_t color)
{
    return (p->colors[color] & ~(p->kinds[PAWN] | p->kinds[KING])) != 0;
}

/* The piece a noisy or quiet move takes, or PIECE_NONE. */
static inline piece_t position_captured(const struct position *p, move_t move)
{
    if (!move_is_capture(move))
        return PIECE_NONE;
    return move_kind(move) == MOVE_EN_PASSANT ? piece_make(p->side ^ 1u, PAWN)
                                              : p->board[move_to(move)];
}

#endif
