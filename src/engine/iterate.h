/* engine/iterate.h: a search from its root: deepening, aspiration, MultiPV, when to report.
 * Thread: the worker's own. */
#ifndef ENGINE_ITERATE_H
#define ENGINE_ITERATE_H

#include "engine/worker.h"

/* Root moves (all legal ones, or those of `searchmoves`), keys, frames, counters. The fields above
 * "The search's own" have been set. */
void iterate_prepare(struct worker *worker, const struct rk_request *request);

/* Searches until a limit, `stopped`, or nothing is left to search; `outcome` is the result and
 * root_moves[0] its line. With at least one root move at least one exact line has been reported,
 * however small the limits: `stopped` is not obeyed before. Without a root move it does nothing. */
void iterate_run(struct worker *worker);

/* The line of root_moves[index] as a report: kind, bound, score, depths, multipv, hashfull, wdl,
 * pv; the rest is zero. Also for another worker's line, when that worker is at rest. */
void iterate_line(struct worker *worker, int index, struct rk_report *out_report);

#endif
