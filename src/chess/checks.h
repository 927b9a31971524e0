/* chess/checks.h: which moves of one position give check, when many are asked about.
 * Thread: any. */
#ifndef CHESS_CHECKS_H
#define CHESS_CHECKS_H

#include "chess/attacks.h"
#include "chess/position.h"

struct checks {
    bitboard_t squares[KIND_COUNT]; /* Where a man of this kind gives check. */
    bitboard_t shields; /* Men of the side to move between the king and one slider of their own. */
    square_t king;      /* The one that is attacked. */
};

/* By the side to move. */
void checks_find(const struct position *position, struct checks *out_checks);

/* Whether a legal move gives check, as position_gives_check() says. */
static inline bool checks_by(const struct checks *checks, const struct position *position,
                             move_t move)
{
    const square_t from = move_from(move), to = move_to(move);
    /* Where more than one man moves or goes, or another comes out. */
    if (move_is_castle(move) || move_is_promotion(move) || move_kind(move) == MOVE_EN_PASSANT)
        return position_gives_check(position, move);
    if ((checks->squares[piece_kind(position->board[from])] & square_bit(to)) != 0)
        return true;
    return (checks->shields & square_bit(from)) != 0 &&
           (attacks_line(checks->king, from) & square_bit(to)) == 0;
}

#endif
