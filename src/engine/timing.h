/* engine/timing.h: limits in, soft and hard deadline out. Pure arithmetic: no clock is read here.
 * Thread: any. */
#ifndef ENGINE_TIMING_H
#define ENGINE_TIMING_H

#include "chess/types.h"
#include "rookery/engine.h"

struct timing {
    bool has_deadline;
    bool is_fixed;      /* Movetime: all of it is used. */
    int64_t start_us;   /* When the line (or the ponderhit) arrived. */
    int64_t optimum_us; /* Soft, after start: scaled by stability, score drop, node share at each
                           iteration's end. */
    int64_t maximum_us; /* Hard, after start. Never above the clock less the overhead. */
};

/* side: to move at the root. `ply` of the game, from 0. */
void timing_init(struct timing *out_timing, const struct rk_limits *limits, color_t side,
                 unsigned ply, int64_t arrived_us);

/* Facts of the iteration that ended. */
struct timing_facts {
    unsigned stable_iterations; /* The best move has not changed for so many. */
    int score_drop; /* Centipawns below the average of earlier iterations; negative: risen. */
    unsigned best_effort_permille; /* Share of the nodes spent on the best move. */
    bool single_reply;
    bool is_mate; /* A forced mate has been proved with depth to spare. */
};

/* Whether another iteration should not be started at `now_us`. */
bool timing_is_enough(const struct timing *timing, const struct timing_facts *facts,
                      int64_t now_us);

/* The hard deadline has come. */
static inline bool timing_is_over(const struct timing *timing, int64_t now_us)
{
    return timing->has_deadline && now_us - timing->start_us >= timing->maximum_us;
}

#endif
