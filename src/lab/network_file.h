/* lab/network_file.h: a network of floats as the file that the engine reads: whole numbers of 16
 * and 8 bits. The bytes are told in docs/network.md; the engine's side is engine/nnue.
 * Thread: any. */
#ifndef LAB_NETWORK_FILE_H
#define LAB_NETWORK_FILE_H

#include "lab/network_float.h"

enum {
    NETWORK_FILE_VERSION = 1,
    NETWORK_QA = 255, /* Units of an accumulator that are 1.0. */
    NETWORK_QB = 64,  /* Units of an output weight. */
    NETWORK_OUTPUT_WEIGHT_MAX = 127,
    NETWORK_ACTIVATION = 1, /* Squared clipped ReLU. */
    NETWORK_HEADER_BYTES = 64,
    NETWORK_DESCRIPTION_BYTES_MAX = 4095
};

#define NETWORK_FILE_MAGIC "RookNet" /* With its final zero. */

struct network_file {
    const struct network_layout *layout;
    const float *values;
    unsigned scale;          /* Units of the evaluation that an output of 1.0 is. */
    const char *description; /* Cut where it is too long. */
};

size_t network_file_size(const struct network_file *file);
/* So many bytes, which were zero. */
void network_file_fill(const struct network_file *file, uint8_t *out_bytes);

#endif
