/* engine/rank.h: what tablebases say of the root's moves, so that a won ending is won.
 * A search finds its way among moves of equal rank and looks at no others before it has to.
 * Thread: the worker's own. */
#ifndef ENGINE_RANK_H
#define ENGINE_RANK_H

#include "engine/worker.h"

/* Sets the worker's fields for tablebases, ranks the root moves that have been found and puts the
 * best rank first. Between tablebase_enter() and tablebase_leave(). */
void rank_root_moves(struct worker *worker, const struct rk_request *request);

#endif
