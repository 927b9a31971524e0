#include "base/check.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/suites.h"

START_TEST(what_holds_passes)
{
    int evaluated = 0;
    REQUIRE(++evaluated == 1);
    ck_assert_int_eq(evaluated, 1);
}
END_TEST

START_TEST(what_does_not_hold_aborts) { REQUIRE(1 + 1 == 3); }
END_TEST

START_TEST(assert_is_for_debug_builds_alone)
{
    int evaluated = 0;
    ASSERT(++evaluated == 1);
#ifdef ROOKERY_DEBUG
    ck_assert_int_eq(evaluated, 1);
#else
    ck_assert_int_eq(evaluated, 0);
#endif
}
END_TEST

Suite *suite_check(void)
{
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("check");
    tcase_add_test(tcase, what_holds_passes);
    tcase_add_test(tcase, assert_is_for_debug_builds_alone);
    /* Without a process of its own the abort would be the runner's. */
    const char *fork = getenv("CK_FORK");
    if (fork == NULL || strcmp(fork, "no") != 0)
        tcase_add_test_raise_signal(tcase, what_does_not_hold_aborts, SIGABRT);
    suite_add_tcase(suite, tcase);
    return suite;
}
