/* engine/teach.h: what a node teaches besides its cutoff: the quiet move that led to it, the
 * table's move that ends it, and the corrections of the static evaluation. Sources: docs/search.md,
 * "Ordering". Thread: the worker's own. */
#ifndef ENGINE_TEACH_H
#define ENGINE_TEACH_H

#include "engine/node.h"

/* Where the score says more than the static evaluation did, and no capture explains it. */
static inline void node_teach_corrections(const struct node *node, bound_t bound)
{
    const score_t eval = node->frame->eval;
    if (node->in_check || move_is_noisy(node->best_move) ||
        (bound == BOUND_LOWER && node->best_score <= eval) ||
        (bound == BOUND_UPPER && node->best_score >= eval))
        return;
    correction_teach(&node->corrections, node->best_score - eval, node->depth);
}

#endif
