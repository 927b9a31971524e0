/* engine/candidate.h: a move of a node before it is searched: whether it is worth it, and how much
 * less deeply. Sources: docs/search.md, "From the root down". Thread: the worker's own. */
#ifndef ENGINE_CANDIDATE_H
#define ENGINE_CANDIDATE_H

#include "chess/see.h"
#include "engine/node.h"

struct candidate {
    move_t move;
    bool is_quiet;
    bool gives_check;
    enum picker_stage stage; /* Where it came from. */
    int history;
    depth_t extension;
};

/* Late and hopeless moves, by count, margin, history and exchange. */
static inline bool move_prune(struct node *node, struct picker *picker,
                              const struct candidate *move)
{
    const int reduction = move->is_quiet ? reduction_quiet(node->depth, node->move_count)
                                         : reduction_noisy(node->depth, node->move_count);
    depth_t depth = node->depth - reduction / PLY_ONE; /* What it would be searched to. */
    if (depth < 1)
        depth = 1;
    if (!move->is_quiet && !move->gives_check && !node->in_check &&
        depth <= TUNE_FUTILITY_NOISY_DEPTH && !move_is_promotion(move->move) &&
        node->frame->eval + futility_noisy_margin(depth, move->history) +
                see_value(piece_kind(position_captured(node->position, move->move))) <=
            node->alpha)
        return true;
    if (!move->is_quiet)
        return move->stage != PICKER_NOISY && node->depth <= TUNE_SEE_PRUNE_DEPTH &&
               !see_at_least(node->position, move->move, see_noisy_limit(node->depth));
    if (node->move_count >= late_move_count(node->depth, node->is_improving))
        picker->skip_quiets = true;
    if (move->gives_check)
        return node->depth <= TUNE_SEE_PRUNE_DEPTH &&
               !see_at_least(node->position, move->move, see_quiet_limit(depth));
    if (depth <= TUNE_HISTORY_PRUNE_DEPTH && move->history < history_prune_limit(depth))
        return true;
    if (!node->in_check && depth <= TUNE_FUTILITY_DEPTH &&
        node->frame->eval + futility_margin(depth, move->history) <= node->alpha)
        return true;
    return depth <= TUNE_SEE_PRUNE_DEPTH &&
           !see_at_least(node->position, move->move, see_quiet_limit(depth));
}

/* How many 1024ths of a ply a late move is searched less deeply. */
static inline int move_reduction(const struct node *node, const struct candidate *move)
{
    int reduction = move->is_quiet ? reduction_quiet(node->depth, node->move_count)
                                   : reduction_noisy(node->depth, node->move_count);
    if (node->is_cut)
        reduction += TUNE_REDUCTION_CUT;
    if (node->was_pv)
        reduction -= TUNE_REDUCTION_PV;
    if (!node->is_improving)
        reduction += TUNE_REDUCTION_WORSENING;
    if (move->gives_check)
        reduction -= TUNE_REDUCTION_CHECK;
    if (node->frame[1].cutoffs > TUNE_CUTOFFS_FEW)
        reduction += TUNE_REDUCTION_CUTOFFS;
    if (!move->is_quiet)
        return reduction - move->history / TUNE_REDUCTION_NOISY_HISTORY_DIVISOR;
    if (move_is_noisy(node->hit.move))
        reduction += TUNE_REDUCTION_TABLE_NOISY;
    return reduction - move->history / TUNE_REDUCTION_HISTORY_DIVISOR;
}

#endif
