/* A round: the caller tells the work behind the gate, rings all bells and takes pieces itself. Who
 * finds none left leaves the round; the last one rings the caller. */
#include "lab/gang.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/gate.h"
#include "base/memory.h"

struct gang_hand {
    struct gang *gang;
    unsigned number; /* The caller's is 0. */
    struct bell bell;
    pthread_t thread;
    bool has_bell, has_thread;
};

struct gang {
    struct gate gate;
    bool has_gate;
    unsigned threads;
    struct gang_hand hands[GANG_THREADS_MAX];
    /* Behind the gate. */
    uint64_t round;
    unsigned busy; /* Hands that have not left the round, without the caller. */
    bool ends;
    /* Set before a round begins. */
    unsigned pieces;
    void (*work)(void *context, unsigned piece, unsigned hand);
    void *context;
    atomic_uint next;
};

static void pieces_take(struct gang *gang, unsigned hand)
{
    for (;;) {
        const unsigned piece = atomic_fetch_add_explicit(&gang->next, 1, memory_order_relaxed);
        if (piece >= gang->pieces)
            return;
        gang->work(gang->context, piece, hand);
    }
}

static void *hand_run(void *context)
{
    struct gang_hand *hand = context;
    struct gang *gang = hand->gang;
    uint64_t round = 0;
    gate_lock(&gang->gate);
    for (;;) {
        while (gang->round == round && !gang->ends)
            gate_park(&gang->gate, &hand->bell);
        if (gang->ends)
            break;
        round = gang->round;
        gate_unlock(&gang->gate);
        pieces_take(gang, hand->number);
        gate_lock(&gang->gate);
        if (--gang->busy == 0)
            gate_ring(&gang->hands[0].bell);
    }
    gate_unlock(&gang->gate);
    return NULL;
}

static enum rk_status hand_start(struct gang *gang, unsigned number)
{
    struct gang_hand *hand = &gang->hands[number];
    hand->gang = gang;
    hand->number = number;
    const enum rk_status status = bell_init(&hand->bell);
    if (status != RK_OK)
        return status;
    hand->has_bell = true;
    if (number == 0)
        return RK_OK;
    hand->has_thread = pthread_create(&hand->thread, NULL, hand_run, hand) == 0;
    return hand->has_thread ? RK_OK : RK_SYSTEM;
}

enum rk_status gang_create(unsigned threads, struct gang **out_gang)
{
    REQUIRE(threads >= 1 && threads <= GANG_THREADS_MAX);
    struct gang *gang = memory_allocate(sizeof *gang);
    if (gang == NULL)
        return RK_NO_MEMORY;
    enum rk_status status = gate_init(&gang->gate);
    gang->has_gate = status == RK_OK;
    for (unsigned i = 0; i < threads && status == RK_OK; i++) {
        gang->threads = i + 1;
        status = hand_start(gang, i);
    }
    if (status != RK_OK)
        gang_destroy(gang);
    else
        *out_gang = gang;
    return status;
}

void gang_destroy(struct gang *gang)
{
    if (gang == NULL)
        return;
    if (gang->has_gate) {
        gate_lock(&gang->gate);
        gang->ends = true;
        for (unsigned i = 0; i < gang->threads; i++)
            if (gang->hands[i].has_bell)
                gate_ring(&gang->hands[i].bell);
        gate_unlock(&gang->gate);
    }
    for (unsigned i = 0; i < gang->threads; i++) {
        if (gang->hands[i].has_thread)
            REQUIRE(pthread_join(gang->hands[i].thread, NULL) == 0);
        if (gang->hands[i].has_bell)
            bell_clear(&gang->hands[i].bell);
    }
    if (gang->has_gate)
        gate_clear(&gang->gate);
    memory_free(gang);
}

unsigned gang_threads(const struct gang *gang) { return gang->threads; }

void gang_run(struct gang *gang, unsigned pieces,
              void (*work)(void *context, unsigned piece, unsigned hand), void *context)
{
    gate_lock(&gang->gate);
    gang->pieces = pieces;
    gang->work = work;
    gang->context = context;
    atomic_store_explicit(&gang->next, 0, memory_order_relaxed);
    gang->busy = gang->threads - 1;
    gang->round++;
    for (unsigned i = 1; i < gang->threads; i++)
        gate_ring(&gang->hands[i].bell);
    gate_unlock(&gang->gate);
    pieces_take(gang, 0);
    gate_lock(&gang->gate);
    while (gang->busy > 0)
        gate_park(&gang->gate, &gang->hands[0].bell);
    gate_unlock(&gang->gate);
}
