/* lab/hall.h: numbered pieces of work on all cores, taken in the order of their numbers.
 * Each thread works on pieces of its own; who waits takes them in order. So when a piece depends on
 * its number alone, all that is taken is the same on one core and on many.
 * Thread: one caller, who waits inside hall_run() and is called back there; `work` is called on
 * threads of the hall. */
#ifndef LAB_HALL_H
#define LAB_HALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rookery/status.h"

enum { HALL_THREADS_MAX = 256 };

struct hall_plan {
    unsigned threads;    /* 1 to HALL_THREADS_MAX */
    uint64_t first, end; /* Numbers of the work: from first up, below end. */
    size_t record_bytes; /* What a piece of work leaves. */

    /* What a thread works with. `stop` turns true when no more is wanted. */
    enum rk_status (*open)(void *context, const atomic_bool *stop, void **out_hand);
    void (*close)(void *hand);
    /* One piece; what is left when `stop` turns true is not taken. */
    enum rk_status (*work)(void *context, void *hand, uint64_t number, void *out_record);
    /* False: enough. */
    bool (*take)(void *context, uint64_t number, const void *record);
    bool (*tick)(void *context); /* Several times a second. False: enough. */
    void *context;
};

/* Until the end or a callback's word. RK_NO_MEMORY, RK_SYSTEM, or what a callback said. */
enum rk_status hall_run(const struct hall_plan *plan);

#endif
