#include "lab/ablate.h"

#include <string.h>

#include "lab/suites.h"

enum { DEPTH = 7, TABLE_MIB = 4 };

static const char *const FENS[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
};
enum { FEN_COUNT = sizeof FENS / sizeof *FENS };

static struct ablation *ablation;

static void setup(void) { ck_assert_int_eq(ablation_create(TABLE_MIB, &ablation), RK_OK); }

static void teardown(void) { ablation_destroy(ablation); }

static struct ablate_result run(uint32_t switches_off)
{
    struct ablate_result result;
    ck_assert_int_eq(ablate_run(ablation, FENS, FEN_COUNT, DEPTH, switches_off, &result), RK_OK);
    return result;
}

/* Nothing of a run is left for the next. */
START_TEST(a_run_is_repeatable_to_the_node)
{
    const struct ablate_result first = run(0);
    (void)run(ablate_bit(SWITCH_HISTORY) | ablate_bit(SWITCH_KILLERS));
    const struct ablate_result second = run(0);
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
    const uint64_t all_on = run(0).nodes;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        const enum ordering_switch technique = (enum ordering_switch)i;
        ck_assert_msg(run(ablate_bit(technique)).nodes != all_on, "%s off: the same tree",
                      switch_name(technique));
    }
}
END_TEST

START_TEST(without_any_order_the_tree_is_far_larger)
{
    ck_assert_uint_gt(run(((uint32_t)1 << SWITCH_COUNT) - 1).nodes, run(0).nodes * 3 / 2);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
    static const char *const broken[] = {"8/8/8/8/8/8/8/8 w - - 0 1"};
    struct ablate_result result = {.nodes = 7};
    struct ablation *none = NULL;
    ck_assert_int_eq(ablate_run(ablation, FENS, 1, 0, 0, &result), RK_BAD_ARGUMENT);
    ck_assert_int_eq(ablate_run(ablation, FENS, 1, PLY_MAX + 1, 0, &result), RK_BAD_ARGUMENT);
    ck_assert_int_eq(ablate_run(ablation, FENS, 1, 1, (uint32_t)1 << SWITCH_COUNT, &result),
                     RK_BAD_ARGUMENT);
    ck_assert_int_eq(ablate_run(ablation, broken, 1, 1, 0, &result), RK_FEN_KINGS);
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
    tcase_add_test(tcase, a_run_is_repeatable_to_the_node);
    tcase_add_test(tcase, each_switch_changes_the_tree);
    tcase_add_test(tcase, without_any_order_the_tree_is_far_larger);
    tcase_add_test(tcase, what_makes_no_sense_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
