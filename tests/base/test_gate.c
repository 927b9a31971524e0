#include "base/gate.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/suites.h"

enum { THREADS = 4, TURNS = 2000 };

/* Threads that may count only in turn: each parks until `turn` is its own number. */
struct round_table {
    struct gate gate;
    struct bell bells[THREADS];
    unsigned turn;
    unsigned counted[THREADS];
};
struct guest {
    struct round_table *table;
    unsigned number;
};

static void *take_turns(void *context)
{
    const struct guest *guest = context;
    struct round_table *table = guest->table;
    gate_lock(&table->gate);
    for (int i = 0; i < TURNS; i++) {
        while (table->turn != guest->number)
            gate_park(&table->gate, &table->bells[guest->number]);
        table->counted[guest->number]++;
        table->turn = (table->turn + 1) % THREADS;
        gate_ring(&table->bells[table->turn]);
    }
    gate_unlock(&table->gate);
    return NULL;
}

START_TEST(a_ring_wakes_the_thread_it_is_for)
{
    struct round_table table = {.turn = 0};
    ck_assert_int_eq(gate_init(&table.gate), RK_OK);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(bell_init(&table.bells[i]), RK_OK);
    pthread_t threads[THREADS];
    struct guest guests[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        guests[i] = (struct guest){&table, i};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_turns, &guests[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_uint_eq(table.counted[i], TURNS);
        bell_clear(&table.bells[i]);
    }
    gate_clear(&table.gate);
}
END_TEST

START_TEST(parking_ends_at_its_deadline)
{
    struct gate gate;
    struct bell bell;
    ck_assert_int_eq(gate_init(&gate), RK_OK);
    ck_assert_int_eq(bell_init(&bell), RK_OK);
    gate_lock(&gate);
    const int64_t deadline_us = clock_now_us() + 20000;
    while (gate_park_until(&gate, &bell, deadline_us))
        ;
    ck_assert_int_ge(clock_now_us(), deadline_us);
    /* Past, zero and negative ones are over at once. */
    ck_assert(!gate_park_until(&gate, &bell, deadline_us));
    ck_assert(!gate_park_until(&gate, &bell, 0));
    ck_assert(!gate_park_until(&gate, &bell, -5));
    gate_unlock(&gate);
    bell_clear(&bell);
    gate_clear(&gate);
}
END_TEST

static void *ring_once(void *context)
{
    struct round_table *table = context;
    gate_lock(&table->gate);
    table->turn = 1;
    gate_ring(&table->bells[0]);
    gate_unlock(&table->gate);
    return NULL;
}

START_TEST(a_ring_comes_before_a_far_deadline)
{
    struct round_table table = {.turn = 0};
    ck_assert_int_eq(gate_init(&table.gate), RK_OK);
    ck_assert_int_eq(bell_init(&table.bells[0]), RK_OK);
    pthread_t thread;
    gate_lock(&table.gate);
    ck_assert_int_eq(pthread_create(&thread, NULL, ring_once, &table), 0);
    const int64_t in_an_hour_us = clock_now_us() + (int64_t)3600 * 1000000;
    while (table.turn == 0)
        ck_assert(gate_park_until(&table.gate, &table.bells[0], in_an_hour_us));
    gate_unlock(&table.gate);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    bell_clear(&table.bells[0]);
    gate_clear(&table.gate);
}
END_TEST

Suite *suite_gate(void)
{
    Suite *suite = suite_create("gate");
    TCase *tcase = tcase_create("gate");
    tcase_add_test(tcase, a_ring_wakes_the_thread_it_is_for);
    tcase_add_test(tcase, parking_ends_at_its_deadline);
    tcase_add_test(tcase, a_ring_comes_before_a_far_deadline);
    suite_add_tcase(suite, tcase);
    return suite;
}
