#include "base/processor.h"

#include "base/gate.h"
#include "base/suites.h"

struct sleeper {
    struct gate gate;
    struct bell bell;
    struct processors processors;
    bool is_ready, is_rung;
    int woke_at;            /* The processor. */
    int allowed_afterwards; /* How many processors. */
};

static void *sleep_and_wake(void *context)
{
    struct sleeper *sleeper = context;
    gate_lock(&sleeper->gate);
    processors_read(&sleeper->processors);
    sleeper->is_ready = true;
    while (!sleeper->is_rung)
        gate_park(&sleeper->gate, &sleeper->bell);
    sleeper->woke_at = sched_getcpu();
    processors_restore(&sleeper->processors);
    struct processors afterwards;
    processors_read(&afterwards);
    sleeper->allowed_afterwards = CPU_COUNT(&afterwards.set);
    gate_unlock(&sleeper->gate);
    return NULL;
}

/* For each processor this thread may run on: a sleeper wakes there, and is free again. */
START_TEST(who_is_handed_a_processor_wakes_there)
{
    struct processors all;
    processors_read(&all);
    ck_assert(all.is_known);
    for (size_t processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &all.set))
            continue;
        struct sleeper sleeper = {.woke_at = -1};
        pthread_t thread;
        ck_assert_int_eq(gate_init(&sleeper.gate), RK_OK);
        ck_assert_int_eq(bell_init(&sleeper.bell), RK_OK);
        ck_assert_int_eq(pthread_create(&thread, NULL, sleep_and_wake, &sleeper), 0);
        bool is_ready = false;
        while (!is_ready) {
            gate_lock(&sleeper.gate);
            is_ready = sleeper.is_ready;
            gate_unlock(&sleeper.gate);
        }
        cpu_set_t here;
        CPU_ZERO(&here);
        CPU_SET(processor, &here);
        ck_assert_int_eq(pthread_setaffinity_np(pthread_self(), sizeof here, &here), 0);
        gate_lock(&sleeper.gate);
        ck_assert(processor_hand_over(thread, &sleeper.processors));
        sleeper.is_rung = true;
        gate_ring(&sleeper.bell);
        gate_unlock(&sleeper.gate);
        processors_restore(&all);
        ck_assert_int_eq(pthread_join(thread, NULL), 0);
        ck_assert_int_eq(sleeper.woke_at, (int)processor);
        ck_assert_int_eq(sleeper.allowed_afterwards, CPU_COUNT(&all.set));
        bell_clear(&sleeper.bell);
        gate_clear(&sleeper.gate);
    }
}
END_TEST

START_TEST(where_one_may_not_run_one_is_not_sent)
{
    const struct processors unknown = {.is_known = false};
    struct processors none = {.is_known = true};
    CPU_ZERO(&none.set);
    ck_assert(!processor_hand_over(pthread_self(), &unknown));
    ck_assert(!processor_hand_over(pthread_self(), &none));
}
END_TEST

Suite *suite_processor(void)
{
    Suite *suite = suite_create("processor");
    TCase *tests = tcase_create("processor");
    tcase_add_test(tests, who_is_handed_a_processor_wakes_there);
    tcase_add_test(tests, where_one_may_not_run_one_is_not_sent);
    suite_add_tcase(suite, tests);
    return suite;
}
