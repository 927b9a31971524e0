#include "base/clock.h"

#include <stdint.h>

#include "base/suites.h"

enum { READINGS = 10000 };

START_TEST(time_never_runs_back)
{
    int64_t before = clock_now_us();
    ck_assert_int_gt(before, 0);
    for (int i = 0; i < READINGS; i++) {
        const int64_t now = clock_now_us();
        ck_assert_int_ge(now, before);
        before = now;
    }
}
END_TEST

/* A thread cannot have used more of a core than time has passed, and using it counts. */
START_TEST(thread_time_is_within_time)
{
    const int64_t start = clock_now_us();
    const int64_t cpu_start = clock_thread_cpu_us();
    while (clock_thread_cpu_us() - cpu_start < 1000)
        ;
    const int64_t cpu = clock_thread_cpu_us() - cpu_start;
    ck_assert_int_ge(cpu, 1000);
    ck_assert_int_le(cpu, clock_now_us() - start + 1);
}
END_TEST

Suite *suite_clock(void)
{
    Suite *suite = suite_create("clock");
    TCase *tcase = tcase_create("clock");
    tcase_add_test(tcase, time_never_runs_back);
    tcase_add_test(tcase, thread_time_is_within_time);
    suite_add_tcase(suite, tcase);
    return suite;
}
