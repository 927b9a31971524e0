/* lab/plain.h: alpha-beta as textbooks have it: negamax, quiescence by captures, the table, and the
 * order of moves. No reduction, no extension, no forward pruning: what ordering saves here is
 * what publications tell of such searches.
 * Thread: the worker's own. */
#ifndef LAB_PLAIN_H
#define LAB_PLAIN_H

#include "engine/worker.h"

/* Deepens from 1 to `depth`, after iterate_prepare(); the outcome and root_moves[0] are the result.
 * Counts moves made, and cutoffs outside quiescence. */
void plain_run(struct worker *worker, depth_t depth);

#endif
