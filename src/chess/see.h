/* chess/see.h: static exchange evaluation, the outcome of captures on one square.
 * Values are conventional (pawn 100 …), not those of the evaluation, so that ordering is stable
 * under tuning. Source: Chess Programming Wiki, "Static Exchange Evaluation", the swap algorithm
 * with a threshold. Thread: any. */
#ifndef CHESS_SEE_H
#define CHESS_SEE_H

#include "chess/position.h"

/* Whether the exchange begun by `move` (legal) brings its side at least `threshold` centipawns.
 * Pins are respected where the pinner stays on the board. */
bool see_at_least(const struct position *position, move_t move, int threshold);

/* The value of a kind of man in exchanges, centipawns; KING is 0. */
int see_value(kind_t kind);

#endif
