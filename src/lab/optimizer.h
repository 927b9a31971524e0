/* lab/optimizer.h: weights and how they move: Adam with decoupled decay, a rate that warms up and
 * falls, and bounds within which quantising loses nothing but digits.
 * Sources: Kingma and Ba, "Adam", 2015; Loshchilov and Hutter, "Decoupled Weight Decay
 * Regularization" and "SGDR" (cosine), 2017-2019. Thread: one at a time; a step uses the gang. */
#ifndef LAB_OPTIMIZER_H
#define LAB_OPTIMIZER_H

#include "lab/gang.h"
#include "lab/kernels.h"

enum { OPTIMIZER_SLICES_MAX = 64 };

enum optimizer_schedule { SCHEDULE_COSINE, SCHEDULE_STEP, SCHEDULE_COUNT };

struct optimizer_settings {
    double rate, rate_end; /* Cosine: from the one to the other. */
    double decay;          /* Of weights, not biases, times the rate, a step. */
    double beta1, beta2, epsilon;
    uint64_t warmup_steps; /* The rate grows to its value in so many. */
    enum optimizer_schedule schedule;
    double drop;          /* Step: the rate is multiplied by it */
    uint64_t drop_epochs; /* every so many epochs. */
};

/* The rate of step `step` (from 1), when `epoch` epochs and parts of one of `epochs` are over. */
double optimizer_rate(const struct optimizer_settings *settings, uint64_t step, double epoch,
                      double epochs);

struct optimizer {
    struct network_layout layout;
    struct optimizer_settings settings;
    unsigned slices;
    uint64_t steps; /* Taken. */
    float *values, *means, *powers;
    /* The gradient is summed up in slices, whatever the threads, so that it is always the same
     * sum. */
    float *gradients[OPTIMIZER_SLICES_MAX];
};

/* Weights are zero. RK_NO_MEMORY. */
enum rk_status optimizer_init(struct optimizer *out_optimizer, const struct network_layout *layout,
                              const struct optimizer_settings *settings, unsigned slices);
void optimizer_clear(struct optimizer *optimizer);

/* By what the slices hold of `positions` positions; they are zero afterwards. */
void optimizer_step(struct optimizer *optimizer, const struct kernels *kernels, struct gang *gang,
                    double rate, uint64_t positions);

#endif
