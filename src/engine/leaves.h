/* engine/leaves.h: perft as a search: counted by a worker, so that it can be stopped and waits for
 * its core like any other. Thread: the worker's own. */
#ifndef ENGINE_LEAVES_H
#define ENGINE_LEAVES_H

#include "engine/worker.h"

/* Leaves `depth` plies (at least 1) below the worker's game after `move`; what was counted when
 * worker->stopped. */
uint64_t leaves_below(struct worker *worker, move_t move, unsigned depth);

#endif
