#include "base/thread.h"

#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/suites.h"

static struct sched_attr thread_attributes(void)
{
    struct sched_attr attributes = {.size = sizeof attributes};
    ck_assert_int_eq(syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0), 0);
    return attributes;
}

/* Kernels before 6.12 tell no slice. */
START_TEST(hurrying_changes_the_slice_alone)
{
    const struct sched_attr before = thread_attributes();
    ck_assert(thread_hurry());
    const struct sched_attr after = thread_attributes();
    ck_assert_uint_eq(after.sched_policy, before.sched_policy);
    ck_assert_int_eq(after.sched_nice, before.sched_nice);
    if (before.sched_runtime != 0)
        ck_assert_uint_lt(after.sched_runtime, before.sched_runtime);
}
END_TEST

Suite *suite_thread(void)
{
    Suite *suite = suite_create("thread");
    TCase *tests = tcase_create("thread");
    tcase_add_test(tests, hurrying_changes_the_slice_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
