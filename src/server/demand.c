#include "server/demand.h"

#include <string.h>

#include "base/limits.h"

enum {
    CLOCK_SHARE = 8, /* One part of so many of a clock may be spent in line. */
    US_PER_MS = 1000,
    OVERDUE_MS = -1000000 /* Keeps sums of what clients send far from overflow. */
};
static const int64_t CLOCK_MS_MAX = (int64_t)1 << 40;

static bool is_timed(const struct rk_limits *limits)
{
    return limits->has_clock[0] || limits->has_clock[1] || limits->has_movetime;
}

bool demand_is_limited(const struct rk_request *request)
{
    const struct rk_limits *limits = &request->limits;
    return is_timed(limits) || limits->depth > 0 || limits->nodes > 0 || limits->mate > 0 ||
           request->perft_depth > 0;
}

bool demand_is_endless(const struct rk_request *request)
{
    return request->limits.infinite || request->limits.ponder || !demand_is_limited(request);
}

static int64_t clamp_ms(int64_t ms)
{
    if (ms < OVERDUE_MS)
        return OVERDUE_MS;
    return ms > CLOCK_MS_MAX ? CLOCK_MS_MAX : ms;
}

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

/* Both are INT64_MAX where there is none; either may be long gone. */
struct ends {
    int64_t movetime_ms;
    int64_t clock_ms; /* Less the overhead. */
};

static struct ends find_ends(const struct rk_request *request)
{
    const struct rk_limits *limits = &request->limits;
    const int side = rk_game_white_to_move(request->game) ? 0 : 1;
    struct ends ends = {INT64_MAX, INT64_MAX};
    if (limits->infinite || limits->ponder)
        return ends;
    if (limits->has_movetime)
        ends.movetime_ms = clamp_ms(limits->movetime_ms);
    if (limits->has_clock[side])
        ends.clock_ms = clamp_ms(limits->time_ms[side]) - (int64_t)limits->overhead_ms;
    return ends;
}

uint32_t demand_clock_max_ms(const struct rk_request *request, int64_t now_us)
{
    const int64_t waited_ms = (now_us - request->arrived_us) / US_PER_MS;
    if (request->limits.clock_max_ms == 0 || request->limits.ponder || waited_ms <= 0)
        return request->limits.clock_max_ms;
    return (uint32_t)lesser(request->limits.clock_max_ms + waited_ms, UINT32_MAX);
}

int64_t demand_due_us(const struct rk_request *request)
{
    const struct ends ends = find_ends(request);
    int64_t patience_ms = INT64_MAX;
    if (ends.movetime_ms != INT64_MAX)
        patience_ms = ends.movetime_ms - RESCUE_MS;
    if (ends.clock_ms != INT64_MAX)
        patience_ms = lesser(patience_ms, ends.clock_ms / CLOCK_SHARE);
    return patience_ms == INT64_MAX ? INT64_MAX : request->arrived_us + patience_ms * US_PER_MS;
}

int64_t demand_left_ms(const struct rk_request *request, int64_t now_us)
{
    const struct ends ends = find_ends(request);
    const int64_t waited_ms = (now_us - request->arrived_us + US_PER_MS - 1) / US_PER_MS;
    int64_t left_ms = INT64_MAX;
    if (ends.movetime_ms != INT64_MAX)
        left_ms = ends.movetime_ms - waited_ms;
    if (ends.clock_ms != INT64_MAX)
        left_ms = lesser(left_ms, (ends.clock_ms - waited_ms) / 2);
    return left_ms > 0 ? left_ms : 0;
}

static bool is_shared(const struct rk_request *request)
{
    return !is_timed(&request->limits) && !request->limits.ponder && request->elo == 0 &&
           request->perft_depth == 0;
}

uint64_t demand_key(const struct rk_request *request)
{
    return is_shared(request) ? rk_game_key(request->game) | 1 : 0;
}

static uint32_t lines(const struct rk_request *request)
{
    return request->multipv > 1 ? request->multipv : 1;
}

bool demand_is_same(const struct rk_request *a, const struct rk_request *b)
{
    const struct rk_limits *p = &a->limits;
    const struct rk_limits *q = &b->limits;
    return p->depth == q->depth && p->nodes == q->nodes && p->mate == q->mate &&
           demand_is_endless(a) == demand_is_endless(b) && lines(a) == lines(b) &&
           a->threads == b->threads && a->salt == b->salt &&
           a->tablebase_men_max == b->tablebase_men_max &&
           a->tablebase_depth == b->tablebase_depth &&
           a->tablebase_ignores_fifty == b->tablebase_ignores_fifty &&
           a->has_searchmoves == b->has_searchmoves && a->searchmove_count == b->searchmove_count &&
           memcmp(a->searchmoves, b->searchmoves,
                  a->searchmove_count * sizeof(a->searchmoves[0])) == 0 &&
           rk_game_equal(a->game, b->game);
}
