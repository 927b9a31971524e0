#include "base/clock.h"

#include <time.h>

static int64_t read_us(clockid_t id)
{
    struct timespec now;
    (void)clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_now_us(void) { return read_us(CLOCK_MONOTONIC); }
int64_t clock_thread_cpu_us(void) { return read_us(CLOCK_THREAD_CPUTIME_ID); }
