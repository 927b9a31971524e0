/* base/gate.h: where threads are parked and woken; the only mutex in the program.
 * A gate guards what its owner says; each thread that may wait at it has a bell of its own, so that
 * waking one wakes nobody else. Thread: any. Cold paths only. */
#ifndef BASE_GATE_H
#define BASE_GATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "rookery/status.h"

struct gate {
    pthread_mutex_t mutex;
};
/* A gate that lives as long as the process and is there before anybody: needs no gate_init. */
#define GATE_OPEN                                                                                  \
    {                                                                                              \
        .mutex = PTHREAD_MUTEX_INITIALIZER                                                         \
    }
struct bell {
    pthread_cond_t condition;
};

/* RK_SYSTEM or RK_NO_MEMORY when the system has none left. */
enum rk_status gate_init(struct gate *out_gate);
void gate_clear(struct gate *gate); /* Nobody may be inside. */
enum rk_status bell_init(struct bell *out_bell);
void bell_clear(struct bell *bell); /* Nobody may be parked. */

void gate_lock(struct gate *gate);
void gate_unlock(struct gate *gate);

/* With the gate locked: opens it, waits for the bell, locks it again. May return without a ring:
 * look again at what you wait for. */
void gate_park(struct gate *gate, struct bell *bell);
/* The same until clock_now_us() reaches deadline_us: false when the time was up first. */
bool gate_park_until(struct gate *gate, struct bell *bell, int64_t deadline_us);

/* With the gate locked, so that a ring is never lost. */
void gate_ring(struct bell *bell);

#endif
