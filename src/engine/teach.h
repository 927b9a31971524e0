/* engine/teach.h: what a node teaches besides its cutoff: the quiet move that led to it, the
 * table's move that ends it, and the corrections of the static evaluation. Sources: docs/search.md,
 * "Ordering". Thread: the worker's own. */
#ifndef ENGINE_TEACH_H
#define ENGINE_TEACH_H

#include "engine/node.h"

/* Whether a quiet move led here. */
static inline bool node_follows_quiet(const struct node *node)
{
    const move_t before = node->frame[-1].move;
    return before != MOVE_NONE && !move_is_noisy(before);
}

/* The table knows a quiet move that refutes: ordering shall know it too. */
static inline void node_teach_hit(const struct node *node)
{
    const move_t move = node->hit.move;
    if (node->hit.score < node->beta || move == MOVE_NONE || move_is_noisy(move) ||
        !position_is_pseudo_legal(node->position, move))
        return;
    struct history_context context;
    struct threats threats;
    node_find_threats(node->worker, node->position, node->ply, &threats);
    node_context(&context, node->worker, node->ply);
    history_quiet_change(&context, node->position->board[move_from(move)], move,
                         history_bonus(node->depth));
}

/* The quiet move that led here is known by what it did to the static evaluation, before anything
 * is searched. Source: as published with Stockfish. */
static inline void node_teach_eval(const struct node *node)
{
    const struct frame *before = node->frame - 1;
    if (!node_follows_quiet(node) || before->eval == SCORE_NONE)
        return;
    int gain = TUNE_EVAL_GAIN_SHIFT - node->frame->eval - before->eval;
    if (gain > TUNE_EVAL_GAIN_MAX)
        gain = TUNE_EVAL_GAIN_MAX;
    if (gain < -TUNE_EVAL_GAIN_MAX)
        gain = -TUNE_EVAL_GAIN_MAX;
    history_plain_change(node->worker->memory, before->attacked, before->piece, before->move,
                         gain * TUNE_EVAL_GAIN_FACTOR);
}

/* Nothing answers the quiet move that led here: it is a good one. */
static inline void node_teach_refuted(const struct node *node)
{
    if (!node_follows_quiet(node))
        return;
    const struct frame *before = node->frame - 1;
    struct history_context context;
    node_context(&context, node->worker, node->ply - 1);
    history_quiet_change(&context, before->piece, before->move, history_bonus(node->depth));
}

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
