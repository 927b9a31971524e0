/* load/tally.h: what a run has seen: counts, latencies, faults.
 * Thread: one. */
#ifndef TESTS_LOAD_TALLY_H
#define TESTS_LOAD_TALLY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "load/plan.h"
#include "load/spread.h"
#include "rookery/status.h"

enum { TALLY_FAULTS_SHOWN_MAX = 20, TALLY_FAULT_BYTES_MAX = 512 };

enum latency {
    LATENCY_UCIOK,   /* From connect. */
    LATENCY_READYOK, /* From isready. */
    LATENCY_STOP,    /* From stop to bestmove. */
    LATENCY_LATE,    /* A bestmove after its movetime. */
    LATENCY_COUNT
};

struct behaviour_tally {
    uint64_t conversations;
    uint64_t goes;
    uint64_t answers;
    uint64_t ended; /* Conversations that the server ended, as it may. */
    uint64_t faults;
};

/* What one client's searches got. */
struct share {
    uint64_t nodes;
    uint64_t ms;
};

struct tally {
    struct behaviour_tally kinds[BEHAVIOUR_COUNT];
    struct spread latencies[LATENCY_COUNT];
    struct share *shares; /* One a client; of analysts and movers. */
    uint64_t games, time_losses, queued, refused, overloaded, lines;
    int64_t clock_least_ms; /* What a bot's clock had left at worst. */
    uint64_t faults;
};

enum rk_status tally_create(struct tally *tally, uint32_t clients); /* RK_NO_MEMORY */
void tally_destroy(struct tally *tally);

/* How equal the shares of a kind are: (sum x)^2 / (n sum x^2) of nodes a second, 1 when all are
 * the same, 1/n when one has all. `first` is the index of its first client. 0: nothing to tell.
 * Source: Jain, Chiu, Hawe, "A Quantitative Measure of Fairness", 1984. */
double tally_fairness(const struct tally *tally, uint32_t first, uint32_t count);

void tally_print(const struct tally *tally, const struct plan *plan, FILE *file);

#endif
