/* A piece has a number, and the slot number % window. A thread takes the next number if its slot is
 * free, works outside the gate, and leaves the record in the slot; the caller takes slots in order
 * and frees them. So a slow piece holds up at most a window of others. */
#include "lab/hall.h"

#include <pthread.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/gate.h"
#include "base/memory.h"

enum {
    SLOTS_PER_THREAD = 8,
    TICK_US = 200000,
    STACK_BYTES = 8 * 1024 * 1024 /* Sanitizers make the search's frames large. */
};

struct hall_hand {
    struct hall *hall;
    void *tools; /* What the plan's `open` gave. */
    struct bell bell;
    pthread_t thread;
    bool has_bell, has_tools, has_thread;
};

struct hall {
    const struct hall_plan *plan;
    struct gate gate;
    struct bell bell; /* The caller's: a piece is done, or something failed. */
    atomic_bool stop;
    /* Behind the gate. */
    uint64_t next;  /* To be begun. */
    uint64_t taken; /* By the caller: all below. */
    enum rk_status status;
    /* Set before threads start. A slot that is not done is its thread's. */
    unsigned window;
    char *records;
    bool *is_done;
    struct hall_hand *hands;
};

static bool is_stopped(const struct hall *hall)
{
    return atomic_load_explicit(&hall->stop, memory_order_relaxed);
}

static void *record_of(const struct hall *hall, uint64_t number)
{
    return hall->records + number % hall->window * hall->plan->record_bytes;
}

static void *hand_run(void *context)
{
    struct hall_hand *hand = context;
    struct hall *hall = hand->hall;
    const struct hall_plan *plan = hall->plan;
    gate_lock(&hall->gate);
    while (!is_stopped(hall) && hall->next < plan->end) {
        if (hall->next >= hall->taken + hall->window) {
            gate_park(&hall->gate, &hand->bell);
            continue;
        }
        const uint64_t number = hall->next++;
        gate_unlock(&hall->gate);
        const enum rk_status status =
            plan->work(plan->context, hand->tools, number, record_of(hall, number));
        gate_lock(&hall->gate);
        if (status != RK_OK) {
            hall->status = status;
            atomic_store_explicit(&hall->stop, true, memory_order_relaxed);
        } else if (!is_stopped(hall)) {
            hall->is_done[number % hall->window] = true;
        }
        gate_ring(&hall->bell);
    }
    gate_unlock(&hall->gate);
    return NULL;
}

/* Takes the pieces as they come; returns when it is enough. With the gate locked. */
static void hall_watch(struct hall *hall)
{
    const struct hall_plan *plan = hall->plan;
    int64_t tick_us = clock_now_us() + TICK_US;
    bool goes_on = true;
    while (goes_on && !is_stopped(hall) && hall->taken < plan->end) {
        const bool is_done = hall->is_done[hall->taken % hall->window];
        if (!is_done)
            (void)gate_park_until(&hall->gate, &hall->bell, tick_us);
        gate_unlock(&hall->gate);
        if (is_done)
            goes_on = plan->take(plan->context, hall->taken, record_of(hall, hall->taken));
        if (goes_on && clock_now_us() >= tick_us) { /* Else errno stays what `take` left. */
            goes_on = plan->tick(plan->context);
            tick_us = clock_now_us() + TICK_US;
        }
        gate_lock(&hall->gate);
        if (!is_done)
            continue;
        hall->is_done[hall->taken++ % hall->window] = false;
        for (unsigned i = 0; i < plan->threads; i++)
            gate_ring(&hall->hands[i].bell);
    }
}

static enum rk_status hand_start(struct hall *hall, struct hall_hand *hand)
{
    hand->hall = hall;
    enum rk_status status = bell_init(&hand->bell);
    if (status != RK_OK)
        return status;
    hand->has_bell = true;
    status = hall->plan->open(hall->plan->context, &hall->stop, &hand->tools);
    if (status != RK_OK)
        return status;
    hand->has_tools = true;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return RK_SYSTEM;
    hand->has_thread = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                       pthread_create(&hand->thread, &attributes, hand_run, hand) == 0;
    (void)pthread_attr_destroy(&attributes);
    return hand->has_thread ? RK_OK : RK_SYSTEM;
}

static void hand_end(struct hall *hall, struct hall_hand *hand)
{
    if (hand->has_thread)
        REQUIRE(pthread_join(hand->thread, NULL) == 0);
    if (hand->has_bell)
        bell_clear(&hand->bell);
    if (hand->has_tools)
        hall->plan->close(hand->tools);
}

/* The gate stays locked until every hand has its bell, so that none is rung too early. */
static enum rk_status hall_staff(struct hall *hall)
{
    const unsigned threads = hall->plan->threads;
    gate_lock(&hall->gate);
    enum rk_status status = RK_OK;
    for (unsigned i = 0; i < threads && status == RK_OK; i++)
        status = hand_start(hall, &hall->hands[i]);
    if (status == RK_OK)
        hall_watch(hall);
    else
        hall->status = status;
    atomic_store_explicit(&hall->stop, true, memory_order_relaxed);
    for (unsigned i = 0; i < threads; i++)
        if (hall->hands[i].has_bell)
            gate_ring(&hall->hands[i].bell);
    gate_unlock(&hall->gate);
    for (unsigned i = 0; i < threads; i++)
        hand_end(hall, &hall->hands[i]);
    return hall->status;
}

static enum rk_status hall_open(struct hall *hall)
{
    const struct hall_plan *plan = hall->plan;
    hall->window = SLOTS_PER_THREAD * plan->threads;
    hall->records = memory_allocate(hall->window * plan->record_bytes);
    hall->is_done = memory_allocate(hall->window * sizeof *hall->is_done);
    hall->hands = memory_allocate(plan->threads * sizeof *hall->hands);
    if (hall->records == NULL || hall->is_done == NULL || hall->hands == NULL)
        return RK_NO_MEMORY;
    enum rk_status status = gate_init(&hall->gate);
    if (status != RK_OK)
        return status;
    status = bell_init(&hall->bell);
    if (status == RK_OK) {
        status = hall_staff(hall);
        bell_clear(&hall->bell);
    }
    gate_clear(&hall->gate);
    return status;
}

enum rk_status hall_run(const struct hall_plan *plan)
{
    REQUIRE(plan->threads >= 1 && plan->threads <= HALL_THREADS_MAX && plan->record_bytes > 0);
    struct hall hall = {.plan = plan, .next = plan->first, .taken = plan->first};
    const enum rk_status status = hall_open(&hall);
    memory_free(hall.records);
    memory_free(hall.is_done);
    memory_free(hall.hands);
    return status;
}
