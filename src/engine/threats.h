/* engine/threats.h: what a quiet move is worth beyond what histories know.
 * A man that a lesser one attacks wants to leave, and none wants to go where one attacks; a check
 * has few answers. Source: Chess Programming Wiki, "Move Ordering"; as published with Stockfish.
 * Thread: any. */
#ifndef ENGINE_THREATS_H
#define ENGINE_THREATS_H

#include "chess/checks.h"

struct threats {
    bitboard_t by_lesser[KIND_COUNT]; /* Where a lesser man attacks one of this kind. */
    bitboard_t attacked;              /* Where any man attacks. */
    struct checks checks;
};

/* Of the opponent of the side to move. */
void threats_find(const struct position *position, struct threats *out_threats);

/* What ordering adds to the histories of a quiet move. */
int threats_score(const struct threats *threats, const struct position *position, move_t move);

#endif
