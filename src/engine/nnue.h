/* engine/nnue.h: what a network says of a position, in evaluation units for the side to move.
 * Both ways give the same number, whatever was asked before and whatever the build targets.
 * Thread: any, one at a time for each struct accumulators. */
#ifndef ENGINE_NNUE_H
#define ENGINE_NNUE_H

#include "engine/accumulator.h"
#include "engine/score.h"

/* `ply` plies into a line, by what was summed for the plies before it (engine/accumulator.h). */
score_t nnue_at(struct accumulators *accumulators, const struct position *position,
                const zkey_t *line, int ply);

/* From nothing. */
score_t nnue_alone(const struct rk_network *network, const struct position *position);

#endif
