#include "uci/answer.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "uci/suites.h"

enum { LINES_MAX = 4096, LINE_SHOWN = 192 };

/* What was sent, in order. */
static struct {
    unsigned count;
    struct {
        enum rk_weight weight;
        char text[LINE_SHOWN];
    } lines[LINES_MAX];
} sent;

static struct answer answer;
static struct rk_host host;
static rk_move_t moves[RK_MOVES_MAX];

static void host_send(void *context, const char *line, size_t length, enum rk_weight weight)
{
    (void)context;
    ck_assert_uint_lt(sent.count, LINES_MAX);
    (void)snprintf(sent.lines[sent.count].text, LINE_SHOWN, "%.*s", (int)length, line);
    sent.lines[sent.count++].weight = weight;
}

static void begin(uint32_t lines, uint32_t depth_last)
{
    const struct print_style style = {.bytes_max = OUTPUT_LINE_BYTES_MAX};
    sent.count = 0;
    answer_init(&answer, style, lines, depth_last);
}

static void setup(void)
{
    struct rk_game *game;
    host = (struct rk_host){.send = host_send};
    ck_assert(rk_game_create(&game) == RK_OK);
    (void)rk_game_moves(game, moves);
    rk_game_destroy(game);
    begin(1, PLY_MAX);
}

static void line(uint16_t depth, uint16_t multipv, bool block_end, enum rk_bound bound,
                 uint64_t time_us)
{
    const struct rk_report report = {.kind = RK_REPORT_LINE,
                                     .depth = depth,
                                     .multipv = multipv,
                                     .block_end = block_end,
                                     .bound = bound,
                                     .time_us = time_us,
                                     .pv_count = 1,
                                     .pv = {moves[multipv]}};
    answer_line(&answer, &report, &host);
}

static void exact(uint16_t depth, uint64_t time_us)
{
    line(depth, 1, true, RK_BOUND_EXACT, time_us);
}

static void verdict(void)
{
    const struct rk_report report = {.kind = RK_REPORT_VERDICT, .best_move = moves[1]};
    answer_verdict(&answer, &report, &host);
}

static unsigned depth_sent(unsigned i)
{
    unsigned depth = 0;
    ck_assert_msg(sscanf(sent.lines[i].text, "info depth %u", &depth) == 1, "%s",
                  sent.lines[i].text);
    return depth;
}

START_TEST(an_ordinary_search_shows_each_depth_once)
{
    for (uint16_t depth = 1; depth <= 20; depth++)
        exact(depth, depth * 50u);
    verdict();
    ck_assert_uint_eq(sent.count, 21);
    for (unsigned i = 0; i < 20; i++) {
        ck_assert_uint_eq(depth_sent(i), i + 1);
        ck_assert(sent.lines[i].weight == RK_PROGRESS_END);
    }
    ck_assert_ptr_eq(strstr(sent.lines[20].text, "bestmove "), sent.lines[20].text);
    ck_assert(sent.lines[20].weight == RK_ANSWER);
}
END_TEST

START_TEST(a_burst_is_thinned_and_its_last_line_is_kept)
{
    for (uint16_t depth = 1; depth < 200; depth++)
        exact(depth, depth * 10u); /* Two milliseconds in all. */
    ck_assert_uint_le(sent.count, 40);
    verdict();
    ck_assert_uint_le(sent.count, 42);
    ck_assert_uint_eq(depth_sent(sent.count - 2), 199);
    ck_assert(sent.lines[sent.count - 2].weight == RK_PROMISE);
}
END_TEST

START_TEST(a_long_burst_still_shows_progress)
{
    for (uint16_t depth = 1; depth < 200; depth++)
        exact(depth, depth * 1000u); /* A fifth of a second. */
    ck_assert_uint_ge(sent.count, 45);
    ck_assert_uint_le(sent.count, 60);
}
END_TEST

START_TEST(the_last_depth_is_shown_at_once)
{
    begin(1, 100);
    for (uint16_t depth = 1; depth <= 100; depth++)
        exact(depth, depth);
    ck_assert_uint_eq(depth_sent(sent.count - 1), 100);
    verdict(); /* Nothing is said twice. */
    ck_assert_uint_eq(depth_sent(sent.count - 2), 100);
    ck_assert_uint_ne(depth_sent(sent.count - 3), 100);
}
END_TEST

START_TEST(bounds_are_told_late_and_made_good)
{
    exact(1, 100);
    line(2, 1, true, RK_BOUND_LOWER, 200);
    line(2, 1, true, RK_BOUND_UPPER, 2999999);
    ck_assert_uint_eq(sent.count, 1);
    line(2, 1, true, RK_BOUND_LOWER, 3000000);
    ck_assert_uint_eq(sent.count, 2);
    line(2, 1, true, RK_BOUND_LOWER, 3000001); /* Too soon after. */
    ck_assert_uint_eq(sent.count, 2);
    verdict();
    ck_assert_uint_eq(sent.count, 4);
    ck_assert_uint_eq(depth_sent(2), 1);
    ck_assert_ptr_null(strstr(sent.lines[2].text, "bound"));
    ck_assert(sent.lines[2].weight == RK_PROMISE);
}
END_TEST

START_TEST(bounds_of_several_lines_are_not_told)
{
    begin(3, PLY_MAX);
    line(1, 1, true, RK_BOUND_LOWER, 5000000);
    ck_assert_uint_eq(sent.count, 0);
}
END_TEST

START_TEST(only_bounds_before_the_verdict)
{
    line(1, 1, true, RK_BOUND_LOWER, 10);
    verdict();
    ck_assert_uint_eq(sent.count, 2);
    ck_assert_ptr_nonnull(strstr(sent.lines[0].text, "info depth 1 "));
    ck_assert_ptr_null(strstr(sent.lines[0].text, "bound"));
    ck_assert_ptr_nonnull(strstr(sent.lines[0].text, " pv "));
}
END_TEST

START_TEST(nothing_before_a_verdict_without_a_move)
{
    const struct rk_report report = {.kind = RK_REPORT_VERDICT};
    answer_verdict(&answer, &report, &host);
    ck_assert_uint_eq(sent.count, 2);
    ck_assert_str_eq(sent.lines[0].text, "info depth 0 score cp 0\n");
    ck_assert_str_eq(sent.lines[1].text, "bestmove (none)\n");
}
END_TEST

START_TEST(blocks_are_sent_whole_or_not_at_all)
{
    begin(3, PLY_MAX);
    for (uint16_t depth = 1; depth < 200; depth++)
        for (uint16_t multipv = 1; multipv <= 3; multipv++)
            line(depth, multipv, multipv == 3, RK_BOUND_EXACT, depth * 10u);
    verdict();
    ck_assert_uint_eq((sent.count - 1) % 3, 0);
    ck_assert_uint_le(sent.count, 3 * 40 + 1);
    for (unsigned i = 0; i + 1 < sent.count; i++) {
        char wanted[32];
        (void)snprintf(wanted, sizeof wanted, " multipv %u ", i % 3 + 1);
        ck_assert_ptr_nonnull(strstr(sent.lines[i].text, wanted));
        ck_assert_uint_eq(depth_sent(i), depth_sent(i - i % 3));
        ck_assert(sent.lines[i].weight == (i % 3 == 2 ? RK_PROGRESS_END : RK_PROGRESS));
    }
}
END_TEST

START_TEST(a_block_broken_off_is_made_good)
{
    begin(3, PLY_MAX);
    line(1, 1, false, RK_BOUND_EXACT, 10);
    line(1, 2, false, RK_BOUND_EXACT, 10);
    verdict();
    ck_assert_uint_eq(sent.count, 4);
    ck_assert_ptr_nonnull(strstr(sent.lines[2].text, " multipv 1 "));
    ck_assert(sent.lines[2].weight == RK_PROMISE);
}
END_TEST

static void exact_of(uint16_t depth, bool block_end, rk_move_t move)
{
    const struct rk_report report = {.kind = RK_REPORT_LINE,
                                     .depth = depth,
                                     .multipv = 1,
                                     .block_end = block_end,
                                     .pv_count = 1,
                                     .pv = {move}};
    answer_line(&answer, &report, &host);
}

/* Of a block that found no room on its way here only the first line is left. */
START_TEST(a_part_of_a_block_is_shown_for_another_move_only)
{
    for (unsigned other = 0; other < 2; other++) {
        begin(2, PLY_MAX);
        exact_of(1, false, moves[1]);
        line(1, 2, true, RK_BOUND_EXACT, 0);
        exact_of(2, true, moves[1]);
        exact_of(3, true, moves[1 + other]);
        ck_assert_uint_eq(sent.count, 2);
        verdict();
        ck_assert_uint_eq(sent.count, 3 + other);
        if (other == 1)
            ck_assert_uint_eq(depth_sent(2), 3);
    }
    begin(2, PLY_MAX); /* Nothing else was ever shown. */
    exact_of(1, true, moves[1]);
    verdict();
    ck_assert_uint_eq(sent.count, 2);
    ck_assert(sent.lines[0].weight == RK_PROMISE);
}
END_TEST

Suite *suite_answer(void)
{
    Suite *suite = suite_create("answer");
    TCase *pace = tcase_create("pace");
    tcase_add_checked_fixture(pace, setup, NULL);
    tcase_add_test(pace, an_ordinary_search_shows_each_depth_once);
    tcase_add_test(pace, a_burst_is_thinned_and_its_last_line_is_kept);
    tcase_add_test(pace, a_long_burst_still_shows_progress);
    tcase_add_test(pace, the_last_depth_is_shown_at_once);
    tcase_add_test(pace, bounds_are_told_late_and_made_good);
    tcase_add_test(pace, bounds_of_several_lines_are_not_told);
    tcase_add_test(pace, only_bounds_before_the_verdict);
    tcase_add_test(pace, nothing_before_a_verdict_without_a_move);
    tcase_add_test(pace, blocks_are_sent_whole_or_not_at_all);
    tcase_add_test(pace, a_block_broken_off_is_made_good);
    tcase_add_test(pace, a_part_of_a_block_is_shown_for_another_move_only);
    suite_add_tcase(suite, pace);
    return suite;
}
