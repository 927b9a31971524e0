/* base/clock.h: the monotonic clock.
 * Thread: any. Never in a search's hot path. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_now_us(void);
/* CPU time of the calling thread. */
int64_t clock_thread_cpu_us(void);

#endif
