/* load/plan.h: what a run does, as its command line says it. The same plan and seed make the same
 * clients send the same, as far as the server's answers are the same.
 * Thread: one. */
#ifndef TESTS_LOAD_PLAN_H
#define TESTS_LOAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum behaviour_id {
    BOTS,       /* Games on a clock. */
    MOVERS,     /* movetime. */
    ANALYSTS,   /* infinite, stopped at random moments. */
    WATCHERS,   /* The same, all on one position. */
    PINGERS,    /* isready, one after the other. */
    PIPELINERS, /* Bursts of many commands. */
    TINKERERS,  /* Options, new games, Chess960, pondering. */
    SLOW,       /* Read little, late, or nothing. */
    VANISHERS,  /* Close, reset, half-close. */
    STRANGERS,  /* Do not speak UCI. */
    BEHAVIOUR_COUNT
};

/* The word of the mix. */
const char *behaviour_name(enum behaviour_id id);

enum { PLAN_KEYS_MAX = 32 };

struct plan {
    const char *program; /* The rookeryd to start; NULL: one runs at `address`. */
    const char *address; /* IPV4:PORT */
    uint64_t seed;
    uint32_t seconds;
    uint32_t grace_ms;    /* What a clock may be overdrawn by before it is a fault. */
    uint32_t clock_ms;    /* Of bots, */
    uint32_t inc_ms;      /* and what each move adds. */
    uint32_t overhead_ms; /* The Move Overhead that they set; 0: none. */
    uint32_t move_ms;     /* Of movers, on one thread; 0: from 10 to 500, on all. */
    uint32_t think_ms;    /* Analysts say stop after at most so long. */
    uint32_t pause_ms;    /* Pingers wait at most so long; 0: not at all. */
    bool checks_growth;   /* More memory at the end than at half time is a fault. */
    uint32_t mix[BEHAVIOUR_COUNT];
    uint32_t clients; /* The sum of the mix. */
    uint32_t key_count;
    const char *keys[PLAN_KEYS_MAX]; /* "KEY=VALUE" for the server's configuration. */
};

const char *plan_usage(void);
/* False when the words are not as plan_usage() has them. */
bool plan_read(int count, char **words, struct plan *out_plan);

#endif
