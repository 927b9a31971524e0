/* lab/network_float.h: a network while it learns: all its numbers are floats in one row.
 * 768 inputs a king area and view, `hidden` accumulators for each side, squared clipped ReLU, one
 * output; its shape is told by every file of one (docs/network.md). Weights, their gradient and an
 * optimizer's memory of them share this layout:
 *     feature weights [inputs][hidden], feature biases [hidden],
 *     output weights [buckets][own hidden, other's hidden], output biases [buckets], zeros.
 * Thread: any, for reading. */
#ifndef LAB_NETWORK_FLOAT_H
#define LAB_NETWORK_FLOAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NETWORK_INPUTS_PER_AREA = 768, /* Own and the other's, six kinds, 64 squares. */
    NETWORK_AREAS_MAX = 32,
    NETWORK_HIDDEN_STEP = 16, /* Floats in the widest vector. */
    NETWORK_HIDDEN_MAX = 1024,
    NETWORK_BUCKETS_MAX = 8,
    NETWORK_KINGS = 64
};

struct network_shape {
    unsigned areas;   /* Of the own king: 1, 2, 4 or 8. */
    unsigned hidden;  /* A multiple of NETWORK_HIDDEN_STEP. */
    unsigned buckets; /* Of outputs, by men on the board. */
};

struct network_layout {
    struct network_shape shape;
    uint8_t areas_by_king[NETWORK_KINGS]; /* Square as the own side sees it. */
    /* Where each part begins, in floats; the first at 0. */
    size_t feature_biases, output_weights, output_biases;
    size_t count; /* Floats in all, a multiple of NETWORK_HIDDEN_STEP. */
};

/* False: there is no such network. */
bool network_layout_init(struct network_layout *out_layout, const struct network_shape *shape);

/* Which output answers for so many men, 2 to 32. */
static inline unsigned network_bucket(const struct network_layout *layout, unsigned men)
{
    return (men - 2) * layout->shape.buckets / 31;
}

/* Weights to begin with, by `seed`. */
void network_float_draw(const struct network_layout *layout, uint64_t seed, float *out_values);

#endif
