/* rookery/tune.h: the numbers that the search was tuned with, in a build for tuning.
 * In every other they are constants and this door is not there; it is not installed.
 * Thread: the engine's owner. */
#ifndef ROOKERY_TUNE_H
#define ROOKERY_TUNE_H

#include "rookery/engine.h"

#ifdef ROOKERY_TUNE
#ifdef __cplusplus
extern "C" {
#endif

struct rk_row {
    const char *name;
    int32_t value; /* In force. */
    int32_t low, high;
};

/* Row `index`, from 0; false: there are no more. */
RK_API bool rk_engine_row(const struct rk_engine *engine, uint32_t index, struct rk_row *out_row);

/* For searches that begin later. RK_BAD_ARGUMENT: no such row, or out of its range. */
RK_API enum rk_status rk_engine_set_row(struct rk_engine *engine, uint32_t index, int32_t value);

#ifdef __cplusplus
}
#endif
#endif
#endif
