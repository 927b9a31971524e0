/* A clock becomes two numbers. The optimum spreads what is left over the moves that are still
 * expected; the maximum bounds one hard thought. What an iteration showed then scales the optimum:
 * a best move that stays, holds its score and takes nearly all nodes needs less time.
 * Source: Chess Programming Wiki, "Time Management". */
#include "engine/timing.h"

#include "engine/tune.h"

enum {
    US_PER_MS = 1000,
    TIME_MS_MAX = 1000 * 1000 * 1000 /* Eleven days: more is cut, so that products fit. */
};

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

static int64_t moves_expected(uint32_t moves_to_go, unsigned ply)
{
    if (moves_to_go != 0)
        return clamp(moves_to_go, 1, TUNE_TIME_MOVES_TO_GO_MAX);
    return clamp(TUNE_TIME_MOVES_MAX - (int64_t)ply / TUNE_TIME_MOVES_PLIES, TUNE_TIME_MOVES_MIN,
                 TUNE_TIME_MOVES_MAX);
}

/* What a later move adds to the clock, less what it loses on its way. The overhead is the most that
 * a move may lose, and most lose little: it is read off the clock when it has happened, and leaves
 * a good part of an increment beforehand. */
static int64_t later_move_ms(int64_t inc_ms, int64_t overhead_ms)
{
    const int64_t left_ms = inc_ms - overhead_ms;
    const int64_t least_ms = inc_ms * TUNE_TIME_INCREMENT_MIN / 100;
    return inc_ms > 0 && left_ms < least_ms ? least_ms : left_ms;
}

static void budget_clock(struct timing *timing, int64_t time_ms, int64_t inc_ms,
                         int64_t overhead_ms, uint32_t moves_to_go, unsigned ply)
{
    const int64_t usable_ms = clamp(clamp(time_ms, 0, TIME_MS_MAX) - overhead_ms, 0, TIME_MS_MAX);
    const int64_t moves = moves_expected(moves_to_go, ply);
    const int64_t later_ms =
        (moves - 1) * later_move_ms(clamp(inc_ms, 0, TIME_MS_MAX), overhead_ms);
    const int64_t pool_ms =
        clamp(usable_ms + later_ms, usable_ms * TUNE_TIME_POOL_MIN / 100, INT64_MAX);
    const int64_t optimum_us = pool_ms * US_PER_MS / moves;
    /* Unless the clock is refilled after this move, a bot that lives on its increment keeps about
     * as much again: what a full house or a slow link may cost it. */
    const int64_t percent = moves_to_go == 1 ? 100 : TUNE_TIME_MAXIMUM_OF_CLOCK;
    const int64_t cap_us = usable_ms * US_PER_MS / 100 * percent;
    timing->maximum_us = clamp(optimum_us * TUNE_TIME_MAXIMUM, 0, cap_us);
    timing->optimum_us = clamp(optimum_us, 0, timing->maximum_us);
}

void timing_init(struct timing *out_timing, const struct rk_limits *limits, color_t side,
                 unsigned ply, int64_t arrived_us)
{
    *out_timing = (struct timing){.start_us = arrived_us};
    if (limits->has_clock[side]) {
        out_timing->has_deadline = true;
        budget_clock(out_timing, limits->time_ms[side], limits->inc_ms[side], limits->overhead_ms,
                     limits->moves_to_go, ply);
        if (limits->clock_max_ms > 0) {
            const int64_t most_us = (int64_t)limits->clock_max_ms * US_PER_MS;
            out_timing->maximum_us = clamp(out_timing->maximum_us, 0, most_us);
            out_timing->optimum_us = clamp(out_timing->optimum_us, 0, out_timing->maximum_us);
        }
    }
    if (limits->has_movetime) {
        const int64_t movetime_us = clamp(limits->movetime_ms, 0, TIME_MS_MAX) * US_PER_MS;
        if (!out_timing->has_deadline || movetime_us <= out_timing->maximum_us) {
            out_timing->has_deadline = true;
            out_timing->is_fixed = true;
            out_timing->optimum_us = movetime_us;
            out_timing->maximum_us = movetime_us;
        }
    }
}

/* By iterations without a change of the best move. */
static int64_t stability_percent(unsigned stable_iterations)
{
    const int percent[] = {TUNE_TIME_STABLE_0, TUNE_TIME_STABLE_1, TUNE_TIME_STABLE_2,
                           TUNE_TIME_STABLE_3, TUNE_TIME_STABLE_4, TUNE_TIME_STABLE_5,
                           TUNE_TIME_STABLE_6};
    enum { LAST = sizeof percent / sizeof *percent - 1 };
    return percent[stable_iterations > LAST ? LAST : stable_iterations];
}

bool timing_is_enough(const struct timing *timing, const struct timing_facts *facts, int64_t now_us)
{
    if (!timing->has_deadline)
        return false;
    const int64_t elapsed_us = now_us - timing->start_us;
    if (elapsed_us >= timing->maximum_us)
        return true;
    if (timing->is_fixed)
        return false;
    if (facts->single_reply || facts->is_mate)
        return true;
    const int64_t drop_percent =
        clamp(TUNE_TIME_DROP_BASE + facts->score_drop, TUNE_TIME_DROP_MIN, TUNE_TIME_DROP_MAX);
    const int64_t effort_percent =
        clamp(TUNE_TIME_EFFORT_BASE - (int64_t)facts->best_effort_permille / 10,
              TUNE_TIME_EFFORT_MIN, TUNE_TIME_EFFORT_MAX);
    const int64_t soft_us = timing->optimum_us / 100 * stability_percent(facts->stable_iterations) /
                            100 * drop_percent / 100 * effort_percent;
    return elapsed_us >= soft_us;
}
