#include "engine/timing.h"

#include "engine/suites.h"

enum { MS = 1000, ARRIVED = 5000000 };

static struct timing timing_of(const struct rk_limits *limits, unsigned ply)
{
    struct timing timing;
    timing_init(&timing, limits, WHITE, ply, ARRIVED);
    return timing;
}

static struct rk_limits clock_of(int64_t time_ms, int64_t inc_ms, uint32_t moves_to_go)
{
    return (struct rk_limits){.has_clock = {true, true},
                              .time_ms = {time_ms, 60000},
                              .inc_ms = {inc_ms, 0},
                              .moves_to_go = moves_to_go,
                              .overhead_ms = 10};
}

START_TEST(without_clock_there_is_no_deadline)
{
    const struct rk_limits limits = {.depth = 7, .nodes = 1000, .overhead_ms = 10};
    const struct timing timing = timing_of(&limits, 0);
    const struct timing_facts facts = {.single_reply = true, .is_mate = true};
    ck_assert(!timing.has_deadline);
    ck_assert(!timing_is_enough(&timing, &facts, INT64_MAX));
    ck_assert(!timing_is_over(&timing, INT64_MAX));
}
END_TEST

START_TEST(only_the_clock_of_the_side_to_move_counts)
{
    struct rk_limits limits = clock_of(60000, 0, 0);
    limits.has_clock[WHITE] = false;
    ck_assert(!timing_of(&limits, 0).has_deadline);
    limits = clock_of(60000, 0, 0);
    limits.time_ms[BLACK] = 1;
    ck_assert_int_gt(timing_of(&limits, 0).optimum_us, 100 * MS);
}
END_TEST

START_TEST(empty_and_negative_clocks_answer_at_once)
{
    static const int64_t times[] = {0, -1, -50, 1, 9, 10, INT64_MIN};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const struct rk_limits limits = clock_of(times[i], 0, 0);
        const struct timing timing = timing_of(&limits, 20);
        ck_assert(timing.has_deadline);
        ck_assert_int_eq(timing.maximum_us, 0);
        ck_assert(timing_is_over(&timing, ARRIVED));
    }
    for (int64_t movetime = -1; movetime <= 0; movetime++) {
        const struct rk_limits limits = {.has_movetime = true, .movetime_ms = movetime};
        ck_assert_int_eq(timing_of(&limits, 0).maximum_us, 0);
    }
}
END_TEST

START_TEST(hard_limit_keeps_the_overhead)
{
    static const int64_t times[] = {11, 20, 100, 1000, 60000, 7200000, INT64_MAX / 4096};
    static const int64_t incs[] = {-5, 0, 20, 1000, 60000, INT64_MAX / 4096};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t j = 0; j < sizeof incs / sizeof *incs; j++)
            for (uint32_t moves = 0; moves <= 60; moves += moves < 3 ? 1 : 19)
                for (unsigned ply = 0; ply < 600; ply += 150) {
                    const struct rk_limits limits = clock_of(times[i], incs[j], moves);
                    const struct timing timing = timing_of(&limits, ply);
                    ck_assert_int_le(timing.maximum_us, (times[i] - 10) * MS);
                    ck_assert_int_le(timing.optimum_us, timing.maximum_us);
                    ck_assert_int_ge(timing.optimum_us, 0);
                }
}
END_TEST

START_TEST(movetime_is_used_whole)
{
    const struct rk_limits limits = {.has_movetime = true, .movetime_ms = 1000, .overhead_ms = 10};
    const struct timing timing = timing_of(&limits, 0);
    const struct timing_facts facts = {.stable_iterations = 30,
                                       .score_drop = -50,
                                       .best_effort_permille = 999,
                                       .single_reply = true};
    ck_assert(!timing_is_enough(&timing, &facts, ARRIVED + 949 * MS));
    ck_assert(timing_is_enough(&timing, &facts, ARRIVED + 1000 * MS));
    ck_assert(timing_is_over(&timing, ARRIVED + 1000 * MS));
}
END_TEST

START_TEST(the_shorter_of_clock_and_movetime_binds)
{
    struct rk_limits limits = clock_of(100000, 0, 0);
    limits.has_movetime = true;
    limits.movetime_ms = 50;
    ck_assert_int_eq(timing_of(&limits, 0).maximum_us, 50 * MS);
    limits.time_ms[WHITE] = 30;
    ck_assert_int_le(timing_of(&limits, 0).maximum_us, 20 * MS);
}
END_TEST

/* A limit of the house cuts what a move may take, and makes no other move longer. */
START_TEST(no_move_takes_more_of_a_clock_than_is_allowed)
{
    struct rk_limits limits = clock_of(INT64_MAX, INT64_MAX, 0);
    limits.clock_max_ms = 5000;
    struct timing timing = timing_of(&limits, 0);
    ck_assert_int_eq(timing.maximum_us, 5000 * MS);
    ck_assert_int_eq(timing.optimum_us, 5000 * MS);
    ck_assert(!timing.is_fixed);
    limits = clock_of(60000, 0, 0);
    const struct timing uncut = timing_of(&limits, 0);
    limits.clock_max_ms = (uint32_t)(uncut.maximum_us / MS - 1);
    timing = timing_of(&limits, 0);
    ck_assert_int_eq(timing.optimum_us, uncut.optimum_us);
    ck_assert_int_lt(timing.maximum_us, uncut.maximum_us);
    limits.clock_max_ms = UINT32_MAX;
    timing = timing_of(&limits, 0);
    ck_assert_int_eq(timing.maximum_us, uncut.maximum_us);
}
END_TEST

START_TEST(the_last_move_before_the_control_may_use_the_clock)
{
    struct rk_limits limits = clock_of(10000, 0, 1);
    ck_assert_int_ge(timing_of(&limits, 0).optimum_us, 9000 * MS);
    limits.moves_to_go = 40;
    const struct timing timing = timing_of(&limits, 0);
    ck_assert_int_le(timing.optimum_us, 300 * MS);
    ck_assert_int_ge(timing.optimum_us, 150 * MS);
}
END_TEST

/* Each thought at its hard limit, game after game: the clock is never overdrawn. */
START_TEST(a_game_of_hard_limits_keeps_the_flag_up)
{
    int64_t left_ms = 2000;
    for (unsigned ply = 0; ply < 400; ply += 2) {
        const struct rk_limits limits = clock_of(left_ms, 20, 0);
        const struct timing timing = timing_of(&limits, ply);
        left_ms -= timing.maximum_us / MS + 10;
        ck_assert_int_ge(left_ms, 0);
        left_ms += 20;
    }
}
END_TEST

/* Of 2 s + 0.02 s with a lag of a millisecond a move: the overhead of 30 is no reason to keep the
 * clock. */
START_TEST(a_small_increment_is_spent)
{
    int64_t left_us = 2000 * MS;
    for (unsigned ply = 0; ply < 120; ply += 2) {
        struct rk_limits limits = clock_of(left_us / MS, 20, 0);
        limits.overhead_ms = 30;
        left_us -= timing_of(&limits, ply).optimum_us + MS;
        ck_assert_int_gt(left_us, 30 * MS);
        left_us += 20 * MS;
    }
    ck_assert_int_lt(left_us, 700 * MS);
}
END_TEST

START_TEST(facts_stretch_and_shrink_the_optimum)
{
    const struct rk_limits limits = clock_of(60000, 0, 0);
    const struct timing timing = timing_of(&limits, 0);
    const struct timing_facts calm = {.stable_iterations = 9, .best_effort_permille = 900};
    const struct timing_facts torn = {.score_drop = 60, .best_effort_permille = 200};
    const struct timing_facts forced = {.single_reply = true};
    const struct timing_facts mated = {.is_mate = true};
    const int64_t now_us = ARRIVED + timing.optimum_us;
    ck_assert(timing_is_enough(&timing, &calm, now_us));
    ck_assert(!timing_is_enough(&timing, &torn, now_us));
    ck_assert(timing_is_enough(&timing, &torn, ARRIVED + timing.maximum_us));
    ck_assert(timing_is_enough(&timing, &forced, ARRIVED));
    ck_assert(timing_is_enough(&timing, &mated, ARRIVED));
    ck_assert(!timing_is_enough(&timing, &calm, ARRIVED));
}
END_TEST

Suite *suite_timing(void)
{
    Suite *suite = suite_create("timing");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, without_clock_there_is_no_deadline);
    tcase_add_test(tcase, only_the_clock_of_the_side_to_move_counts);
    tcase_add_test(tcase, empty_and_negative_clocks_answer_at_once);
    tcase_add_test(tcase, hard_limit_keeps_the_overhead);
    tcase_add_test(tcase, movetime_is_used_whole);
    tcase_add_test(tcase, the_shorter_of_clock_and_movetime_binds);
    tcase_add_test(tcase, no_move_takes_more_of_a_clock_than_is_allowed);
    tcase_add_test(tcase, the_last_move_before_the_control_may_use_the_clock);
    tcase_add_test(tcase, a_game_of_hard_limits_keeps_the_flag_up);
    tcase_add_test(tcase, a_small_increment_is_spent);
    tcase_add_test(tcase, facts_stretch_and_shrink_the_optimum);
    suite_add_tcase(suite, tcase);
    return suite;
}
