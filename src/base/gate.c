#include "base/gate.h"

#include <errno.h>
#include <time.h>

#include "base/check.h"

enum { US_PER_S = 1000000, NS_PER_US = 1000 };

static enum rk_status status_of(int error)
{
    if (error == 0)
        return RK_OK;
    return error == ENOMEM ? RK_NO_MEMORY : RK_SYSTEM;
}

enum rk_status gate_init(struct gate *out_gate)
{
    return status_of(pthread_mutex_init(&out_gate->mutex, NULL));
}

void gate_clear(struct gate *gate) { REQUIRE(pthread_mutex_destroy(&gate->mutex) == 0); }

enum rk_status bell_init(struct bell *out_bell)
{
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);
    if (error != 0)
        return status_of(error);
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (error == 0)
        error = pthread_cond_init(&out_bell->condition, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    return status_of(error);
}

void bell_clear(struct bell *bell) { REQUIRE(pthread_cond_destroy(&bell->condition) == 0); }

/* These fail only for a gate that is not one, or a thread that holds it already. */
void gate_lock(struct gate *gate) { REQUIRE(pthread_mutex_lock(&gate->mutex) == 0); }
void gate_unlock(struct gate *gate) { REQUIRE(pthread_mutex_unlock(&gate->mutex) == 0); }

void gate_park(struct gate *gate, struct bell *bell)
{
    REQUIRE(pthread_cond_wait(&bell->condition, &gate->mutex) == 0);
}

bool gate_park_until(struct gate *gate, struct bell *bell, int64_t deadline_us)
{
    if (deadline_us < 0)
        deadline_us = 0;
    const struct timespec until = {.tv_sec = (time_t)(deadline_us / US_PER_S),
                                   .tv_nsec = (long)(deadline_us % US_PER_S) * NS_PER_US};
    const int error = pthread_cond_timedwait(&bell->condition, &gate->mutex, &until);
    REQUIRE(error == 0 || error == ETIMEDOUT);
    return error == 0;
}

void gate_ring(struct bell *bell) { REQUIRE(pthread_cond_signal(&bell->condition) == 0); }
