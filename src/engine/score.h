/* engine/score.h: scores, mates, bounds, and their form in the table.
 * Internal units are those of the evaluation; a mate in n plies is SCORE_MATE - n.
 * Thread: any. */
#ifndef ENGINE_SCORE_H
#define ENGINE_SCORE_H

#include "base/limits.h"
#include "chess/types.h"

typedef int score_t; /* Within ±SCORE_INFINITE; fits int16_t. */
typedef int depth_t; /* Plies. */

enum {
    SCORE_DRAW = 0,
    SCORE_MATE = 32000,
    SCORE_INFINITE = 32001,
    SCORE_NONE = 32002,                      /* No evaluation (in check, or not known). */
    SCORE_MATE_BOUND = SCORE_MATE - PLY_MAX, /* At least this: a forced mate. */
    SCORE_TB_WIN = SCORE_MATE_BOUND - 1,     /* Won by tablebase, at ply 0. */
    SCORE_TB_BOUND = SCORE_TB_WIN - PLY_MAX, /* Evaluations stay below. */
    SCORE_EVAL_MAX = SCORE_TB_BOUND - 1
};

enum { BOUND_NONE, BOUND_UPPER, BOUND_LOWER, BOUND_EXACT }; /* bits: 1 upper, 2 lower */
typedef uint8_t bound_t;

enum { FIFTY_PLIES = 100 }; /* Without a capture or a pawn move: a draw. */

static inline score_t score_mate_in(int ply) { return SCORE_MATE - ply; }
static inline score_t score_mated_in(int ply) { return ply - SCORE_MATE; }

/* So many 16ths of one, the rest of the other. */
static inline score_t score_mix(score_t one, score_t other, int sixteenths)
{
    return (one * sixteenths + other * (16 - sixteenths)) / 16;
}

/* Wins and losses are counted from the root in the search and from the node in the table. */
static inline score_t score_to_table(score_t score, int ply)
{
    if (score >= SCORE_TB_BOUND)
        return score + ply;
    return score <= -SCORE_TB_BOUND ? score - ply : score;
}
/* The table parts counters of the fifty-move rule coarsely: a mate that comes too late for the
 * `fifty` plies that have been used here was found with fewer, and is a win of unknown length. Past
 * the rule nobody claims it. Source: as published with Stockfish. */
static inline score_t score_from_table(score_t score, int ply, int fifty)
{
    if (score == SCORE_NONE)
        return SCORE_NONE;
    const int plies_left = fifty < FIFTY_PLIES ? FIFTY_PLIES - fifty : PLY_MAX;
    if (score >= SCORE_MATE_BOUND && SCORE_MATE - score > plies_left)
        return SCORE_EVAL_MAX;
    if (score <= -SCORE_MATE_BOUND && SCORE_MATE + score > plies_left)
        return -SCORE_EVAL_MAX;
    if (score >= SCORE_TB_BOUND)
        return score - ply;
    return score <= -SCORE_TB_BOUND ? score + ply : score;
}

#endif
