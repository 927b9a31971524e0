/* engine/prune.h: margins, reductions and move counts: pure arithmetic on a node's facts.
 * Depths are plies, scores evaluation units, reductions 1024ths of a ply.
 * Sources: docs/search.md, "From the root down". Thread: any. */
#ifndef ENGINE_PRUNE_H
#define ENGINE_PRUNE_H

#include <stdlib.h>

#include "engine/score.h"
#include "engine/tune.h"

enum { PLY_ONE = 1024 }; /* A ply, in units of reductions. */

/* 256 ln n, rounded; n is held at 63. */
static inline int prune_log(int n)
{
    static const uint16_t LOG[64] = {
        0,    0,    177,  281,  355,  412,  459,  498,  532,  562,  589,  614,  636,
        657,  676,  693,  710,  725,  740,  754,  767,  779,  791,  803,  814,  824,
        834,  844,  853,  862,  871,  879,  887,  895,  903,  910,  917,  924,  931,
        938,  944,  951,  957,  963,  969,  975,  980,  986,  991,  996,  1001, 1007,
        1012, 1016, 1021, 1026, 1030, 1035, 1039, 1044, 1048, 1052, 1057, 1061};
    return LOG[n > 63 ? 63 : n];
}

/* base + ln depth · ln count / divisor, both at least 1. */
static inline int reduction_quiet(depth_t depth, int count)
{
    return TUNE_REDUCTION_QUIET_BASE +
           prune_log(depth) * prune_log(count) / 64 * 100 / TUNE_REDUCTION_QUIET_DIVISOR;
}
static inline int reduction_noisy(depth_t depth, int count)
{
    return TUNE_REDUCTION_NOISY_BASE +
           prune_log(depth) * prune_log(count) / 64 * 100 / TUNE_REDUCTION_NOISY_DIVISOR;
}

static inline int razor_margin(depth_t depth) { return TUNE_RAZOR_BASE + TUNE_RAZOR_SLOPE * depth; }
static inline int static_null_margin(depth_t depth, bool is_improving, bool is_opponent_worse)
{
    return TUNE_STATIC_NULL_SLOPE * depth - (is_improving ? TUNE_STATIC_NULL_IMPROVING : 0) -
           (is_opponent_worse ? TUNE_STATIC_NULL_WORSENING : 0);
}
/* The static evaluation may lie below beta by more, the deeper the node. */
static inline int null_static_margin(depth_t depth)
{
    return TUNE_NULL_STATIC_BASE - TUNE_NULL_STATIC_SLOPE * depth;
}
/* `surplus`: by how much the node's estimate exceeds beta, not negative. */
static inline depth_t null_reduction(depth_t depth, int surplus)
{
    const int by_eval = surplus / TUNE_NULL_EVAL_DIVISOR;
    return TUNE_NULL_BASE + depth / TUNE_NULL_DEPTH_DIVISOR +
           (by_eval < TUNE_NULL_EVAL_MAX ? by_eval : TUNE_NULL_EVAL_MAX);
}
/* So many moves are tried before the rest of the quiet ones is dropped. */
static inline int late_move_count(depth_t depth, bool is_improving)
{
    return (TUNE_LATE_MOVE_BASE + depth * depth) * (is_improving ? 16 : TUNE_LATE_MOVE_WORSENING) /
           16;
}
static inline int futility_margin(depth_t depth, int history)
{
    return TUNE_FUTILITY_BASE + TUNE_FUTILITY_SLOPE * depth +
           history / TUNE_FUTILITY_HISTORY_DIVISOR;
}
/* For a capture, what it takes left out. */
static inline int futility_noisy_margin(depth_t depth, int history)
{
    return TUNE_FUTILITY_NOISY_BASE + TUNE_FUTILITY_NOISY_SLOPE * depth +
           history / TUNE_FUTILITY_NOISY_HISTORY_DIVISOR;
}
static inline int history_prune_limit(depth_t depth) { return -TUNE_HISTORY_PRUNE_SLOPE * depth; }
/* Least outcome of the exchange that a move must have to be tried. */
static inline int see_quiet_limit(depth_t depth) { return -TUNE_SEE_QUIET_SLOPE * depth * depth; }
static inline int see_noisy_limit(depth_t depth) { return -TUNE_SEE_NOISY_SLOPE * depth; }

static inline bool score_is_decided(score_t score) { return abs(score) >= SCORE_TB_BOUND; }

#endif
