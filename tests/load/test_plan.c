#include "load/plan.h"

#include <getopt.h>
#include <stdio.h>

#include "load/suites.h"

enum { WORDS_MAX = 8 };

/* Reads what stands after the program's own name, NULL after the last. */
static bool read_words(struct plan *plan, char *const words[WORDS_MAX])
{
    char name[] = "load";
    char *all[WORDS_MAX + 1] = {name};
    int count = 1;
    while (words[count - 1] != NULL) {
        all[count] = words[count - 1];
        count++;
    }
    optind = 0; /* getopt begins anew. */
    return plan_read(count, all, plan);
}

START_TEST(clients_are_shared_out_among_all_kinds)
{
    for (uint32_t wanted = 1; wanted < 200; wanted++) {
        struct plan plan;
        char option[] = "--clients";
        char number[16];
        char program[] = "rookeryd";
        (void)snprintf(number, sizeof(number), "%u", wanted);
        ck_assert(read_words(&plan, (char *[WORDS_MAX]){option, number, program}));
        ck_assert_uint_eq(plan.clients, wanted);
        uint32_t sum = 0;
        for (int id = 0; id < BEHAVIOUR_COUNT; id++) {
            ck_assert(wanted < BEHAVIOUR_COUNT || plan.mix[id] > 0);
            sum += plan.mix[id];
        }
        ck_assert_uint_eq(sum, wanted);
    }
}
END_TEST

START_TEST(a_mix_is_taken_as_it_is)
{
    struct plan plan;
    char mix[] = "--mix=bots=3,strangers=2";
    char clock[] = "--clock=500+7";
    char key[] = "--set=hash=8";
    char overhead[] = "--overhead-ms=300";
    char address[] = "--connect=127.0.0.1:1";
    ck_assert(read_words(&plan, (char *[WORDS_MAX]){mix, clock, key, overhead, address}));
    ck_assert_uint_eq(plan.mix[BOTS], 3);
    ck_assert_uint_eq(plan.mix[STRANGERS], 2);
    ck_assert_uint_eq(plan.clients, 5);
    ck_assert_uint_eq(plan.clock_ms, 500);
    ck_assert_uint_eq(plan.inc_ms, 7);
    ck_assert_uint_eq(plan.overhead_ms, 300);
    ck_assert_uint_eq(plan.key_count, 1);
    ck_assert_str_eq(plan.keys[0], "hash=8");
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
    static const char *const BAD[] = {
        "--mix=bats=3",  "--mix=bots", "--mix=bots=x",  "--seconds=0", "--clients=0",
        "--clock=10000", "--set=hash", "--grace-ms=-1", "--unknown",   "one-program-too-many",
    };
    for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
        struct plan plan;
        char bad[32];
        char program[] = "rookeryd";
        (void)snprintf(bad, sizeof(bad), "%s", BAD[i]);
        ck_assert_msg(!read_words(&plan, (char *[WORDS_MAX]){bad, program}), "%s", BAD[i]);
    }
}
END_TEST

Suite *suite_plan(void)
{
    Suite *suite = suite_create("plan");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, clients_are_shared_out_among_all_kinds);
    tcase_add_test(tcase, a_mix_is_taken_as_it_is);
    tcase_add_test(tcase, what_makes_no_sense_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
