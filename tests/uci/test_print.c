#include "uci/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "uci/suites.h"

static const struct print_style PLAIN = {.bytes_max = OUTPUT_LINE_BYTES_MAX};

static rk_move_t move_of(const char *fen, const char *text)
{
    struct rk_game *game;
    rk_move_t move;
    ck_assert(rk_game_create(&game) == RK_OK);
    if (fen != NULL)
        ck_assert(rk_game_set_fen(game, fen, strlen(fen)) == RK_OK);
    ck_assert(rk_game_parse_move(game, text, strlen(text), &move) == RK_OK);
    rk_game_destroy(game);
    return move;
}

static struct rk_report report_of_depth(uint16_t depth)
{
    return (struct rk_report){.kind = RK_REPORT_LINE,
                              .depth = depth,
                              .depth_selective = 9,
                              .multipv = 1,
                              .block_end = true,
                              .score = -31,
                              .wdl = {250, 500, 250},
                              .hashfull = 12,
                              .nodes = 2000000,
                              .tb_hits = 4,
                              .time_us = 1000000,
                              .pv_count = 2,
                              .pv = {move_of(NULL, "e2e4"), move_of(NULL, "g1f3")}};
}

static void expect_line(const struct rk_report *report, struct print_style style, const char *line)
{
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    print_line(&text, report, style);
    ck_assert_str_eq(buffer, line);
}

START_TEST(a_line_has_its_fields_in_order)
{
    const struct rk_report report = report_of_depth(7);
    expect_line(&report, PLAIN,
                "info depth 7 seldepth 9 multipv 1 score cp -31 nodes 2000000 nps 2000000 hashfull "
                "12 tbhits 4 time 1000 pv e2e4 g1f3\n");
}
END_TEST

START_TEST(bounds_and_chances_follow_the_score)
{
    struct rk_report report = report_of_depth(7);
    report.bound = RK_BOUND_LOWER;
    report.is_mate = true;
    report.score = -3;
    struct print_style style = PLAIN;
    style.wdl = true;
    expect_line(&report, style,
                "info depth 7 seldepth 9 multipv 1 score mate -3 lowerbound wdl 250 500 250 nodes "
                "2000000 nps 2000000 hashfull 12 tbhits 4 time 1000 pv e2e4 g1f3\n");
    report.bound = RK_BOUND_UPPER;
    expect_line(&report, PLAIN,
                "info depth 7 seldepth 9 multipv 1 score mate -3 upperbound nodes 2000000 nps "
                "2000000 hashfull 12 tbhits 4 time 1000 pv e2e4 g1f3\n");
}
END_TEST

START_TEST(a_game_that_is_over_has_a_score_and_no_more)
{
    struct rk_report report = {.kind = RK_REPORT_LINE, .is_mate = true, .multipv = 1};
    expect_line(&report, PLAIN, "info depth 0 score mate 0\n");
    report.is_mate = false;
    expect_line(&report, PLAIN, "info depth 0 score cp 0\n");
}
END_TEST

START_TEST(time_and_speed_fit_32_bits)
{
    struct rk_report report = report_of_depth(1);
    report.pv_count = 1;
    report.nodes = UINT64_MAX;
    report.time_us = 0;
    expect_line(&report, PLAIN,
                "info depth 1 seldepth 9 multipv 1 score cp -31 nodes 18446744073709551615 nps "
                "2147483647 hashfull 12 tbhits 4 time 0 pv e2e4\n");
    report.nodes = 0;
    report.time_us = UINT64_MAX;
    expect_line(&report, PLAIN,
                "info depth 1 seldepth 9 multipv 1 score cp -31 nodes 0 nps 0 hashfull 12 tbhits 4 "
                "time 2147483647 pv e2e4\n");
}
END_TEST

/* The longest line there can be, at each width a block of lines may leave it. */
START_TEST(the_variation_is_cut_to_the_width)
{
    struct rk_report report = report_of_depth(UINT16_MAX);
    const rk_move_t promotion = move_of("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q");
    report.depth_selective = report.multipv = report.hashfull = UINT16_MAX;
    report.wdl[0] = report.wdl[1] = report.wdl[2] = UINT16_MAX;
    report.score = INT32_MIN;
    report.is_mate = true;
    report.bound = RK_BOUND_LOWER;
    report.nodes = report.tb_hits = UINT64_MAX;
    report.time_us = UINT64_MAX - 1;
    report.pv_count = RK_PV_MAX;
    for (unsigned i = 0; i < RK_PV_MAX; i++)
        report.pv[i] = promotion;
    struct print_style style = {.wdl = true};
    for (size_t width = PRINT_LINE_BYTES_MIN; width <= OUTPUT_LINE_BYTES_MAX; width++) {
        char *buffer = malloc(width);
        struct text text;
        style.bytes_max = width;
        text_init(&text, buffer, width);
        print_line(&text, &report, style);
        ck_assert_uint_le(text.length + 1, width);
        ck_assert(buffer[text.length - 1] == '\n');
        ck_assert_ptr_nonnull(strstr(buffer, " time 2147483647 pv"));
        /* No move is cut in two. */
        const char *last = strrchr(buffer, ' ');
        ck_assert_msg(strcmp(last, " a7a8q\n") == 0 || strcmp(last, " pv\n") == 0, "%s", buffer);
        free(buffer);
    }
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    style.bytes_max = sizeof buffer;
    text_init(&text, buffer, sizeof buffer);
    print_line(&text, &report, style);
    unsigned moves = 0;
    for (const char *at = buffer; (at = strstr(at, " a7a8q")) != NULL; at++)
        moves++;
    ck_assert_uint_eq(moves, RK_PV_MAX); /* The widest line has room for all of it. */
}
END_TEST

static void expect_bestmove(const struct rk_report *report, bool chess960, const char *line)
{
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    struct print_style style = PLAIN;
    style.chess960 = chess960;
    text_init(&text, buffer, sizeof buffer);
    print_bestmove(&text, report, style);
    ck_assert_str_eq(buffer, line);
}

START_TEST(verdicts)
{
    struct rk_report report = {.kind = RK_REPORT_VERDICT};
    expect_bestmove(&report, false, "bestmove (none)\n");
    report.best_move = move_of(NULL, "e2e4");
    expect_bestmove(&report, false, "bestmove e2e4\n");
    report.ponder_move = move_of(NULL, "g1f3");
    expect_bestmove(&report, false, "bestmove e2e4 ponder g1f3\n");
    report.ponder_move = RK_MOVE_NONE;
    report.best_move = move_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
    expect_bestmove(&report, false, "bestmove e1g1\n");
    expect_bestmove(&report, true, "bestmove e1h1\n");
}
END_TEST

START_TEST(leaves)
{
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    const struct rk_report report = {.best_move = move_of(NULL, "e2e4"), .nodes = 20};
    text_init(&text, buffer, sizeof buffer);
    print_perft_move(&text, &report, PLAIN);
    print_perft_total(&text, &report);
    ck_assert_str_eq(buffer, "e2e4: 20\nNodes searched: 20\n");
}
END_TEST

Suite *suite_print(void)
{
    Suite *suite = suite_create("print");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, a_line_has_its_fields_in_order);
    tcase_add_test(lines, bounds_and_chances_follow_the_score);
    tcase_add_test(lines, a_game_that_is_over_has_a_score_and_no_more);
    tcase_add_test(lines, time_and_speed_fit_32_bits);
    tcase_add_test(lines, the_variation_is_cut_to_the_width);
    tcase_add_test(lines, verdicts);
    tcase_add_test(lines, leaves);
    suite_add_tcase(suite, lines);
    return suite;
}
