/* load/spread.h: many durations in little room: a histogram whose steps grow with the value, so
 * that each is known to one part in 64.
 * Thread: one. */
#ifndef TESTS_LOAD_SPREAD_H
#define TESTS_LOAD_SPREAD_H

#include <stdint.h>

enum { SPREAD_STEPS = 128, SPREAD_OCTAVES = 34 }; /* Up to 2^40 us. */

struct spread {
    uint64_t count;
    int64_t most_us;
    uint32_t cells[SPREAD_STEPS * SPREAD_OCTAVES];
};

/* A negative duration counts as 0. */
void spread_add(struct spread *spread, int64_t us);
/* The duration that `permille` of them do not exceed, rounded up to its step; 0 when there is
 * none. */
int64_t spread_at(const struct spread *spread, unsigned permille);

#endif
