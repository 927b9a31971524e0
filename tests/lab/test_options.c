/* Players set in words. */
#include "lab/player_options.h"

#include "lab/ablate.h"
#include "lab/suites.h"

static struct player_settings settings;
static struct player_options_fault fault;

static void setup(void) { player_settings_default(&settings); }

static bool set(const char *words)
{
    return player_settings_parse(&settings, slice_of(words), &fault);
}

START_TEST(words_set_what_they_name)
{
    ck_assert(set("Hash=32, off = killers+history ,UCI_Elo=1500"));
    ck_assert_uint_eq(settings.hash_mib, 32);
    ck_assert_uint_eq(settings.elo, 1500);
    ck_assert_uint_eq(settings.switches_off,
                      ablate_bit(SWITCH_KILLERS) | ablate_bit(SWITCH_HISTORY));
    ck_assert_uint_eq(settings.limits.nodes, PLAYER_NODES);
    ck_assert_str_eq(settings.eval_file, "");
    ck_assert(set("EvalFile=/some/where/a.network,Hash=16"));
    ck_assert_str_eq(settings.eval_file, "/some/where/a.network");
    ck_assert(set("Only=mvv-lva"));
    ck_assert_uint_eq(settings.switches_off,
                      (ablate_bit(SWITCH_COUNT) - 1) & ~ablate_bit(SWITCH_MVV_LVA));
}
END_TEST

START_TEST(a_limit_takes_the_place_of_others)
{
    ck_assert(set("Depth=5"));
    ck_assert_uint_eq(settings.limits.nodes, 0);
    ck_assert_uint_eq(settings.limits.depth, 5);
    ck_assert(set("Nodes=100,Depth=7"));
    ck_assert_uint_eq(settings.limits.nodes, 100);
    ck_assert_uint_eq(settings.limits.depth, 7);
    ck_assert(set("Time=2000,Increment=20"));
    ck_assert_uint_eq(settings.limits.nodes, 0);
    ck_assert_int_eq(settings.limits.time_ms, 2000);
    ck_assert_int_eq(settings.limits.increment_ms, 20);
}
END_TEST

START_TEST(files_have_lines)
{
    ck_assert(set("# a comment, with = and ,\nHash=3\n\nNodes=77\n"));
    ck_assert_uint_eq(settings.hash_mib, 3);
    ck_assert_uint_eq(settings.limits.nodes, 77);
}
END_TEST

START_TEST(what_is_wrong_changes_nothing)
{
    static const char *const words[] = {
        "Hash=3,Hash=0",  "Hash=3,EvalFile=",  "Hash=3,Nodes",      "Hash=3,Nodes=",    "Hash=3,=4",
        "Hash=3,Speed=1", "Hash=3,Off=kilers", "Hash=3,Depth=9999", "Hash=3,UCI_Elo=5", "Hash"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        ck_assert_msg(!set(words[i]), "'%s'", words[i]);
        ck_assert_uint_eq(settings.hash_mib, PLAYER_HASH_MIB);
        ck_assert_uint_eq(settings.limits.nodes, PLAYER_NODES);
    }
    ck_assert(!set("Hash=3,Speed=1,Depth=2"));
    ck_assert(slice_equal(fault.word, "Speed=1"));
    ck_assert_ptr_nonnull(fault.why);
}
END_TEST

/* Each once in a text; the next text may name it again. */
START_TEST(nothing_is_named_twice)
{
    static const char *const words[][2] = {{"Hash=3,Hash=4", "Hash=4"},
                                           {"Nodes=5,Depth=2,nodes=5", "nodes=5"},
                                           {"Increment=1\nTime=9\nIncrement=1\n", "Increment=1"},
                                           {"UCI_Elo=1500,uci_elo=1600", "uci_elo=1600"},
                                           {"EvalFile=a,Hash=3,EvalFile=a", "EvalFile=a"},
                                           {"Off=killers,Off=history", "Off=history"},
                                           {"Only=killers,Only=killers", "Only=killers"},
                                           {"Off=killers,Only=history", "Only=history"}};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        ck_assert_msg(!set(words[i][0]), "'%s'", words[i][0]);
        ck_assert_msg(slice_equal(fault.word, words[i][1]), "'%s'", words[i][0]);
        ck_assert_uint_eq(settings.hash_mib, PLAYER_HASH_MIB);
        ck_assert_uint_eq(settings.switches_off, 0);
    }
    ck_assert_int_eq(set("RAZOR_BASE=77,Hash=1"), ROWS_ARE_FREE);
    ck_assert(!set("RAZOR_BASE=77,razor_base=78"));
    ck_assert(set("Off=killers,Hash=1") && set("Off=history,Hash=2"));
    ck_assert_uint_eq(settings.switches_off, ablate_bit(SWITCH_HISTORY));
}
END_TEST

START_TEST(an_increment_needs_a_clock)
{
    ck_assert(player_increment_is_of_use(&settings));
    ck_assert(set("Increment=20"));
    ck_assert(!player_increment_is_of_use(&settings));
    ck_assert(set("Time=100"));
    ck_assert(player_increment_is_of_use(&settings));
}
END_TEST

Suite *suite_options(void)
{
    Suite *suite = suite_create("options");
    TCase *tcase = tcase_create("options");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, words_set_what_they_name);
    tcase_add_test(tcase, a_limit_takes_the_place_of_others);
    tcase_add_test(tcase, files_have_lines);
    tcase_add_test(tcase, what_is_wrong_changes_nothing);
    tcase_add_test(tcase, nothing_is_named_twice);
    tcase_add_test(tcase, an_increment_needs_a_clock);
    suite_add_tcase(suite, tcase);
    return suite;
}
