#include "server/demand.h"

#include "base/limits.h"
#include "server/suites.h"

enum { MS = 1000, ARRIVED = 5000000, OVERHEAD_MS = 30 };

static struct rk_game *game; /* White is to move, always: the stub's. */

static void setup(void) { ck_assert(rk_game_create(&game) == RK_OK); }
static void teardown(void) { rk_game_destroy(game); }

static struct rk_request request_of(struct rk_limits limits)
{
    limits.overhead_ms = OVERHEAD_MS;
    return (struct rk_request){
        .size = sizeof(struct rk_request), .game = game, .limits = limits, .arrived_us = ARRIVED};
}

/* In ms after its arrival. */
static int64_t due_ms(struct rk_limits limits)
{
    const struct rk_request request = request_of(limits);
    return (demand_due_us(&request) - ARRIVED) / MS;
}

static int64_t left_ms(struct rk_limits limits, int64_t waited_ms)
{
    const struct rk_request request = request_of(limits);
    return demand_left_ms(&request, ARRIVED + waited_ms * MS);
}

static struct rk_limits clock_of(int64_t time_ms)
{
    return (struct rk_limits){.has_clock = {true, true}, .time_ms = {time_ms, 1}};
}

static struct rk_limits movetime_of(int64_t movetime_ms)
{
    return (struct rk_limits){.has_movetime = true, .movetime_ms = movetime_ms};
}

static struct rk_limits both_of(int64_t movetime_ms, int64_t time_ms)
{
    struct rk_limits limits = clock_of(time_ms);
    limits.has_movetime = true;
    limits.movetime_ms = movetime_ms;
    return limits;
}

START_TEST(what_is_on_no_clock_is_never_due)
{
    struct rk_limits ponder = both_of(1, 1);
    ponder.ponder = true;
    struct rk_limits infinite = both_of(1, 1);
    infinite.infinite = true;
    const struct rk_limits open[] = {{.depth = 3}, {.nodes = 1}, {.mate = 2}, ponder, infinite};
    for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
        const struct rk_request request = request_of(open[i]);
        ck_assert(demand_due_us(&request) == INT64_MAX);
        ck_assert(demand_left_ms(&request, INT64_MAX / 2) == INT64_MAX);
    }
}
END_TEST

START_TEST(the_earlier_of_clock_and_movetime_is_due)
{
    ck_assert_int_eq(due_ms(movetime_of(1000)), 1000 - RESCUE_MS);
    ck_assert_int_eq(due_ms(clock_of(8000 + OVERHEAD_MS)), 1000);
    ck_assert_int_eq(due_ms(both_of(100000, 8000 + OVERHEAD_MS)), 1000);
    ck_assert_int_eq(due_ms(both_of(100, 800000)), 100 - RESCUE_MS);
    ck_assert_int_le(due_ms(both_of(100000, -50)), 0);
    ck_assert_int_lt(due_ms(both_of(INT64_MIN, INT64_MAX)), 0);
}
END_TEST

START_TEST(a_cap_on_a_clock_bounds_the_search_and_not_the_wait)
{
    struct rk_limits limits = clock_of(3600000 + OVERHEAD_MS);
    limits.clock_max_ms = 5000;
    ck_assert_int_eq(due_ms(limits), 3600000 / 8);
    struct rk_request request = {.limits = limits, .arrived_us = 1000000};
    ck_assert_uint_eq(demand_clock_max_ms(&request, 900000), 5000);
    ck_assert_uint_eq(demand_clock_max_ms(&request, 1000000 + 700 * 1000), 5700);
    request.limits.ponder = true; /* Its clock does not run while it waits. */
    ck_assert_uint_eq(demand_clock_max_ms(&request, 1000000 + 700 * 1000), 5000);
    request.limits.ponder = false;
    request.limits.clock_max_ms = UINT32_MAX;
    ck_assert_uint_eq(demand_clock_max_ms(&request, INT64_MAX / 2), UINT32_MAX);
    request.limits.clock_max_ms = 0; /* None. */
    ck_assert_uint_eq(demand_clock_max_ms(&request, 1000000 + 700 * 1000), 0);
}
END_TEST

START_TEST(a_search_may_take_what_is_left)
{
    ck_assert_int_eq(left_ms(movetime_of(1000), 0), 1000);
    ck_assert_int_eq(left_ms(movetime_of(1000), 950), 50);
    ck_assert_int_eq(left_ms(clock_of(100 + OVERHEAD_MS), 20), 40); /* Half of it. */
    ck_assert_int_eq(left_ms(both_of(1000, 100 + OVERHEAD_MS), 0), 50);
    ck_assert_int_eq(left_ms(both_of(10, 1000000), 3), 7);
    static const int64_t HOPELESS[] = {0, 1, -1, -50, INT64_MIN, OVERHEAD_MS};
    for (size_t i = 0; i < sizeof(HOPELESS) / sizeof(HOPELESS[0]); i++) {
        ck_assert_int_eq(left_ms(clock_of(HOPELESS[i]), 0), 0);
        ck_assert_int_eq(left_ms(movetime_of(HOPELESS[i]), 40), 0);
        ck_assert_int_eq(left_ms(both_of(HOPELESS[i], 1000000), 40), 0);
    }
}
END_TEST

Suite *suite_demand(void)
{
    Suite *suite = suite_create("demand");
    TCase *tests = tcase_create("demand");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_is_on_no_clock_is_never_due);
    tcase_add_test(tests, the_earlier_of_clock_and_movetime_is_due);
    tcase_add_test(tests, a_cap_on_a_clock_bounds_the_search_and_not_the_wait);
    tcase_add_test(tests, a_search_may_take_what_is_left);
    suite_add_tcase(suite, tests);
    return suite;
}
