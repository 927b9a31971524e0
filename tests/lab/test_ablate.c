#include "lab/ablate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "lab/ablate_table.h"
#include "lab/player.h"
#include "lab/suites.h"

enum { DEPTH = 7, DEPTH_PLAIN = 5, TABLE_MIB = 4 };

static const char POSITIONS[] =
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n"
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1\n";

static const uint32_t ALL = ((uint32_t)1 << SWITCH_COUNT) - 1;

static struct ablation *ablation;
static struct book *book;
static struct ablate_table table;

static void setup(void)
{
    struct book_faults faults;
    ck_assert_int_eq(ablation_create(TABLE_MIB, &ablation), RK_OK);
    ck_assert_int_eq(book_parse(slice_of(POSITIONS), BOOK_POSITIONS, 0, &book, &faults), RK_OK);
}

static void teardown(void)
{
    ablation_destroy(ablation);
    book_destroy(book);
}

static struct ablate_result run(uint32_t switches_off, bool is_plain)
{
    const struct ablate_way way = {.depth = is_plain ? DEPTH_PLAIN : DEPTH,
                                   .switches_off = switches_off,
                                   .is_plain = is_plain};
    struct ablate_result result = {.nodes = 0};
    for (size_t i = 0; i < book_count(book); i++)
        ck_assert_int_eq(ablate_position(ablation, book, i, &way, &result), RK_OK);
    return result;
}

/* Nothing of a run is left for the next. */
START_TEST(a_run_is_repeatable_to_the_node)
{
    const bool is_plain = _i;
    const struct ablate_result first = run(0, is_plain);
    (void)run(ablate_bit(SWITCH_HISTORY) | ablate_bit(SWITCH_KILLERS), is_plain);
    const struct ablate_result second = run(0, is_plain);
    ck_assert_uint_eq(first.nodes, second.nodes);
    ck_assert_uint_eq(first.cutoffs, second.cutoffs);
    ck_assert_uint_eq(first.first_cutoffs, second.first_cutoffs);
    ck_assert_uint_gt(first.nodes, first.cutoffs);
    ck_assert_uint_gt(first.cutoffs, first.first_cutoffs);
    ck_assert_uint_gt(first.first_cutoffs, first.cutoffs / 2);
}
END_TEST

START_TEST(each_switch_changes_the_tree)
{
    const bool is_plain = _i;
    const uint64_t all_on = run(0, is_plain).nodes;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        const enum ordering_switch technique = (enum ordering_switch)i;
        ck_assert_msg(run(ablate_bit(technique), is_plain).nodes != all_on, "%s off: the same tree",
                      switch_name(technique));
    }
}
END_TEST

START_TEST(without_any_order_the_tree_is_far_larger)
{
    ck_assert_uint_gt(run(ALL, false).nodes, run(0, false).nodes * 3 / 2);
    ck_assert_uint_gt(run(ALL, true).nodes, run(0, true).nodes * 3 / 2);
}
END_TEST

/* Ordering changes what a plain search costs, never what it finds. */
START_TEST(a_plain_search_finds_the_same_score_whatever_is_off)
{
    struct player *player;
    struct player_settings settings = {.hash_mib = TABLE_MIB};
    ck_assert_int_eq(player_create(TABLE_MIB, NULL, &player), RK_OK);
    for (size_t i = 0; i < book_count(book); i++) {
        struct opening opening;
        struct player_answer ordered, unordered;
        book_opening(book, i, &opening);
        settings.switches_off = 0;
        ck_assert_int_eq(player_begin(player, &settings, 0), RK_OK);
        player_think_plain(player, &opening.start, 3, &ordered);
        settings.switches_off = ALL;
        ck_assert_int_eq(player_begin(player, &settings, 0), RK_OK);
        player_think_plain(player, &opening.start, 3, &unordered);
        ck_assert_int_eq(ordered.score, unordered.score);
        ck_assert_uint_eq(ordered.depth, 3);
    }
    player_destroy(player);
}
END_TEST

static void table_run(int64_t least_us)
{
    const struct ablate_plan plan = {
        .book = book, .depth = 3, .table_mib = TABLE_MIB, .is_plain = true, .least_us = least_us};
    ck_assert_int_eq(ablate_table_run(&table, &plan), RK_OK);
}

static const struct ablate_row *row_of(const char *name, enum ablate_mode mode)
{
    for (unsigned i = 0; i < table.count; i++)
        if (strcmp(table.rows[i].name, name) == 0 && table.rows[i].mode == mode)
            return &table.rows[i];
    ck_abort_msg("no row %s", name);
    return NULL;
}

/* What a row of that table must count. */
static uint64_t run_of_table(uint32_t switches_off)
{
    const struct ablate_way way = {.depth = 3, .switches_off = switches_off, .is_plain = true};
    struct ablate_result result = {.nodes = 0};
    for (size_t i = 0; i < book_count(book); i++)
        ck_assert_int_eq(ablate_position(ablation, book, i, &way, &result), RK_OK);
    return result.nodes;
}

START_TEST(a_table_compares_each_mode_with_its_first_row)
{
    ablate_table_init(&table);
    table_run(0);
    ck_assert_uint_eq(table.count, 2 * (1 + SWITCH_COUNT + 3));
    const struct ablate_row *nothing = row_of("nothing", ABLATE_OFF);
    const struct ablate_row *base = row_of("base", ABLATE_ONLY);
    ck_assert_uint_eq(nothing->result.nodes, run_of_table(0));
    ck_assert_uint_eq(base->result.nodes, run_of_table(ALL & ~ablate_bit(SWITCH_MVV_LVA)));
    ck_assert_uint_lt(nothing->result.nodes, base->result.nodes);
    ck_assert_uint_eq(row_of("mvv-lva", ABLATE_ONLY)->result.nodes, base->result.nodes);
    const struct ablate_row *joined = row_of("killers+countermoves+history", ABLATE_ONLY);
    ck_assert_uint_lt(joined->result.nodes, base->result.nodes);
    const double change = 100.0 * ((double)joined->result.nodes / (double)base->result.nodes - 1.0);
    ck_assert_double_eq_tol(joined->nodes_change_pct, change, 1e-6);
    ck_assert_double_gt(row_of("mvv-lva", ABLATE_OFF)->nodes_change_pct, 0.0);
}
END_TEST

START_TEST(rows_can_be_chosen)
{
    const char *const names[] = {"history+killers"}, *const broken[] = {"history+kilers"};
    ck_assert_int_eq(ablate_table_init_rows(&table, names, 1), RK_OK);
    ck_assert_uint_eq(table.count, 4);
    ck_assert_str_eq(table.rows[3].name, "history+killers");
    ck_assert_uint_eq(table.rows[3].techniques,
                      ablate_bit(SWITCH_HISTORY) | ablate_bit(SWITCH_KILLERS));
    ck_assert_int_eq(ablate_table_init_rows(&table, broken, 1), RK_BAD_ARGUMENT);
    const char *many[ABLATE_ROWS_MAX];
    for (unsigned i = 0; i < ABLATE_ROWS_MAX; i++)
        many[i] = "history";
    ck_assert_int_eq(ablate_table_init_rows(&table, many, ABLATE_ROWS_MAX), RK_BAD_ARGUMENT);
}
END_TEST

START_TEST(tables_are_printed)
{
    const char *const names[] = {"killers+history"};
    char *printed = NULL;
    size_t length = 0;
    ck_assert_int_eq(ablate_table_init_rows(&table, names, 1), RK_OK);
    table_run(0);
    FILE *file = open_memstream(&printed, &length);
    ablate_print_csv_head(file);
    for (unsigned i = 0; i < table.count; i++)
        ablate_print_csv_row(file, &table.rows[i]);
    ablate_print_svg(file, &table, "A title");
    fclose(file);
    char wanted[128];
    snprintf(wanted, sizeof wanted, "\nkillers+history,only,%llu,-",
             (unsigned long long)table.rows[3].result.nodes);
    ck_assert_ptr_eq(strstr(printed, "technique,mode,nodes,nodes_change_pct,time_ms,"
                                     "time_change_pct,first_move_cutoff_pct\nnothing,off,"),
                     printed);
    ck_assert_ptr_nonnull(strstr(printed, wanted));
    ck_assert_ptr_nonnull(strstr(printed, "<svg xmlns="));
    ck_assert_ptr_nonnull(strstr(printed, ">killers+history</text>"));
    ck_assert_str_eq(printed + length - 7, "</svg>\n");
    free(printed);
}
END_TEST

START_TEST(a_table_is_printed_for_documents)
{
    char *printed = NULL;
    size_t length = 0;
    const struct ablate_row first = {.name = "base",
                                     .mode = ABLATE_ONLY,
                                     .result = {.nodes = 1234567, .time_us = 999500},
                                     .first_move_cutoff_pct = 70.44};
    const struct ablate_row row = {.name = "history",
                                   .mode = ABLATE_ONLY,
                                   .techniques = ablate_bit(SWITCH_HISTORY),
                                   .result = {.nodes = 987, .time_us = 499},
                                   .nodes_change_pct = -46.91,
                                   .time_change_pct = 0.04,
                                   .first_move_cutoff_pct = 100.0};
    FILE *file = open_memstream(&printed, &length);
    ablate_print_markdown_head(file);
    ablate_print_markdown_row(file, &first);
    ablate_print_markdown_row(file, &row);
    fclose(file);
    ck_assert_str_eq(
        printed, "| technique | mode | nodes | change | time, ms | change | first-move cut-offs |\n"
                 "|---|---|---|---|---|---|---|\n"
                 "| base | only | 1,234,567 |  | 1,000 |  | 70.4 % |\n"
                 "| history | only | 987 | -46.9 % | 0 | +0.0 % | 100.0 % |\n");
    free(printed);
}
END_TEST

START_TEST(a_row_is_run_until_its_time_counts)
{
    const char *const names[] = {"history"};
    ck_assert_int_eq(ablate_table_init_rows(&table, names, 1), RK_OK);
    table_run(0);
    const uint64_t nodes = table.rows[1].result.nodes;
    table_run(50000);
    ck_assert_uint_eq(table.rows[1].result.nodes, nodes);
}
END_TEST

START_TEST(a_time_is_the_median_of_turns)
{
    static const int64_t TIMES[] = {50, 10, 900, 20, 30};
    ck_assert_int_eq(ablate_median(TIMES, 0), 0);
    ck_assert_int_eq(ablate_median(TIMES, 1), 50);
    ck_assert_int_eq(ablate_median(TIMES, 2), 30);
    ck_assert_int_eq(ablate_median(TIMES, 4), 35);
    ck_assert_int_eq(ablate_median(TIMES, 5), 30);
}
END_TEST

enum { TOLD_MAX = 100000 };

/* What a run told: the row of each turn, and how much was done when. */
static struct {
    unsigned rows[TOLD_MAX], row_count;
    double shares[TOLD_MAX];
    int64_t moments_us[TOLD_MAX];
    unsigned share_count;
} told;

static void on_position(void *context, const struct ablate_table *rows, unsigned row, size_t index,
                        double share)
{
    (void)context;
    (void)rows;
    (void)index;
    ck_assert_uint_lt(told.share_count, TOLD_MAX);
    if (told.row_count == 0 || told.rows[told.row_count - 1] != row)
        told.rows[told.row_count++] = row;
    told.moments_us[told.share_count] = clock_now_us();
    told.shares[told.share_count++] = share;
}

/* How long it took. */
static int64_t table_run_told(uint32_t table_mib, uint32_t depth, int64_t least_us)
{
    const char *const names[] = {"history"};
    const struct ablate_plan plan = {.book = book,
                                     .depth = depth,
                                     .table_mib = table_mib,
                                     .is_plain = true,
                                     .least_us = least_us,
                                     .position = on_position};
    memset(&told, 0, sizeof told);
    ck_assert_int_eq(ablate_table_init_rows(&table, names, 1), RK_OK);
    const int64_t start_us = clock_now_us();
    ck_assert_int_eq(ablate_table_run(&table, &plan), RK_OK);
    return clock_now_us() - start_us;
}

START_TEST(rows_take_turns)
{
    static const unsigned ORDER[] = {0, 2, 1, 3}; /* The first of each mode, then the others. */
    (void)table_run_told(1, 3, 300000);
    ck_assert_uint_ge(told.row_count, 8);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(told.rows[i], ORDER[i % 4]);
    (void)table_run_told(1, 3, 0);
    ck_assert_uint_eq(told.row_count, 4);
    ck_assert_uint_eq(told.share_count, 4 * book_count(book));
}
END_TEST

/* To clear the table takes a hundred times what the search does. */
START_TEST(a_row_is_not_run_for_hours) { ck_assert_int_lt(table_run_told(64, 1, 27500), 7000000); }
END_TEST

START_TEST(what_is_left_is_known_early)
{
    const int64_t took_us = table_run_told(1, 4, 500000), start_us = told.moments_us[0];
    ck_assert_double_eq(told.shares[0], 0.0);
    for (unsigned i = 0; i < told.share_count; i++) {
        const double passed = (double)(told.moments_us[i] - start_us) / (double)took_us;
        ck_assert(told.shares[i] >= 0.0 && told.shares[i] <= 1.0);
        if (passed > 0.15)
            ck_assert_double_eq_tol(told.shares[i], passed, 0.3);
    }
    ck_assert_double_gt(told.shares[told.share_count - 1], 0.9);
}
END_TEST

START_TEST(the_default_positions_are_six)
{
    struct book *six;
    struct book_faults faults;
    ck_assert_int_eq(book_parse(slice_of(ablate_positions()), BOOK_POSITIONS, 0, &six, &faults),
                     RK_OK);
    ck_assert_uint_eq(book_count(six), 6);
    ck_assert_uint_eq(faults.count, 0);
    book_destroy(six);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
    const struct ablate_way ways[] = {{.depth = 0},
                                      {.depth = PLY_MAX},
                                      {.depth = 1, .switches_off = (uint32_t)1 << SWITCH_COUNT}};
    struct ablate_result result = {.nodes = 7};
    struct ablation *none = NULL;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++)
        ck_assert_int_eq(ablate_position(ablation, book, 0, &ways[i], &result), RK_BAD_ARGUMENT);
    const struct ablate_way good = {.depth = 1};
    ck_assert_int_eq(ablate_position(ablation, book, 3, &good, &result), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(result.nodes, 7);
    ck_assert_int_eq(ablation_create(0, &none), RK_BAD_ARGUMENT);
    ck_assert_int_eq(ablation_create(UINT32_MAX, &none), RK_NO_MEMORY);
    ck_assert_ptr_null(none);
    ablation_destroy(NULL);
}
END_TEST

Suite *suite_ablate(void)
{
    Suite *suite = suite_create("ablate");
    TCase *tcase = tcase_create("ablate");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, a_run_is_repeatable_to_the_node, 0, 2);
    tcase_add_loop_test(tcase, each_switch_changes_the_tree, 0, 2);
    tcase_add_test(tcase, without_any_order_the_tree_is_far_larger);
    tcase_add_test(tcase, a_plain_search_finds_the_same_score_whatever_is_off);
    tcase_add_test(tcase, a_table_compares_each_mode_with_its_first_row);
    tcase_add_test(tcase, rows_can_be_chosen);
    tcase_add_test(tcase, tables_are_printed);
    tcase_add_test(tcase, a_table_is_printed_for_documents);
    tcase_add_test(tcase, a_row_is_run_until_its_time_counts);
    tcase_add_test(tcase, a_time_is_the_median_of_turns);
    tcase_add_test(tcase, rows_take_turns);
    tcase_add_test(tcase, a_row_is_not_run_for_hours);
    tcase_add_test(tcase, what_is_left_is_known_early);
    tcase_add_test(tcase, the_default_positions_are_six);
    tcase_add_test(tcase, what_makes_no_sense_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
