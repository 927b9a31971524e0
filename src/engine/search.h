/* engine/search.h: alpha-beta: the root's moves, an inner node, captures until quiet.
 * All are fail-soft and count scores from the side to move. When worker->stopped is set a score
 * means nothing and must not be used. Thread: the worker's own. */
#ifndef ENGINE_SEARCH_H
#define ENGINE_SEARCH_H

#include "engine/worker.h"

/* Searches root_moves[pv_index …]; writes their scores, lines and efforts. depth at least 1. */
score_t search_root(struct worker *worker, score_t alpha, score_t beta, depth_t depth);

/* A window wider than one is a principal variation node. `is_cut`: a cutoff is expected. */
score_t search_node(struct worker *worker, const struct position *position, score_t alpha,
                    score_t beta, depth_t depth, int ply, bool is_cut);

/* Noisy moves alone, or all evasions. */
score_t quiesce(struct worker *worker, const struct position *position, score_t alpha, score_t beta,
                int ply);

#endif
