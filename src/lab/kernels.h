/* lab/kernels.h: the inner loops of learning, compiled for each level of the architecture.
 * All levels give the same bits: sums are formed in the same order whatever the width of a vector,
 * and no product is fused with a sum.
 * Thread: any; what is written belongs to the caller. */
#ifndef LAB_KERNELS_H
#define LAB_KERNELS_H

#include "lab/network_float.h"
#include "lab/sample.h"

/* One step of Adam with decoupled decay. */
struct kernels_step {
    float rate;
    float decay;                   /* Of a weight in this step: rate times the setting. */
    float beta1, beta2;            /* What the running means keep of themselves. */
    float mean_scale, power_scale; /* Their correction for having begun at 0. */
    float epsilon;
    float gradient_scale; /* One over the positions. */
    float bound;          /* No weight is further from 0 afterwards. */
};

/* What a step works on, each `count` of the layout. */
struct kernels_rows {
    float *values, *means, *powers;
    float *const *gradients; /* One a slice; zero afterwards. */
    unsigned slices;
};

struct kernels {
    const char *level;
    /* What the network says of samples[order[0]], …: logits of the expected points. */
    void (*tell)(const struct network_layout *layout, const float *values,
                 const struct sample *samples, const uint32_t *order, size_t count,
                 float *out_logits);
    /* Adds the gradient of the squared error of the expected points, of each; returns the sum of
     * these errors. */
    double (*learn)(const struct network_layout *layout, const float *values,
                    const struct sample *samples, const uint32_t *order, size_t count,
                    float *gradient);
    /* On floats first to end - 1, both multiples of NETWORK_HIDDEN_STEP. */
    void (*step)(const struct kernels_step *step, const struct kernels_rows *rows, size_t first,
                 size_t end);
};

enum { KERNELS_LEVELS_MAX = 3 };

/* The fastest for this processor. */
const struct kernels *kernels_best(void);
/* All that it can run, the slowest first; how many. */
unsigned kernels_all(const struct kernels *out_kernels[KERNELS_LEVELS_MAX]);

#endif
