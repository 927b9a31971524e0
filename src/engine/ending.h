/* engine/ending.h: what is known of few men, and a network does not learn: where every position is
 * won it sees none as nearer to the mate, and men that cannot win are men to it.
 * Thread: any. */
#ifndef ENGINE_ENDING_H
#define ENGINE_ENDING_H

#include "chess/position.h"
#include "engine/score.h"

enum { ENDING_MEN_MAX = 6 };

/* The evaluation of a position with at most ENDING_MEN_MAX men, from the side to move, where
 * `score` is a network's. Against a bare king, with the men to mate: what drives it to where it is
 * mated, above all that a network says. Without the men or the corner to win: 0. Else `score`. */
score_t ending_score(const struct position *position, score_t score);

#endif
