/* engine/network.h: a trained network: its file, read and checked whole, and its numbers as the
 * kernels want them. What a field means is told in docs/network.md.
 * Nothing is believed: a file that is damaged, cut, too long, or whose numbers could overflow is
 * refused with a reason.
 * Thread: any; a network does not change. */
#ifndef ENGINE_NETWORK_H
#define ENGINE_NETWORK_H

#include <stddef.h>

#include "chess/types.h"
#include "rookery/engine.h"

enum {
    NETWORK_VERSION = 1,
    NETWORK_AREAS_MAX = 32,
    NETWORK_UNITS_STEP = 16, /* Accumulators come in multiples. */
    NETWORK_UNITS_MAX = 1024,
    NETWORK_TILE = 64,      /* Rows in memory are padded to multiples. */
    NETWORK_ALIGNMENT = 64, /* And stand on such addresses. */
    NETWORK_BUCKETS_MAX = 8,
    NETWORK_SCALE_MAX = 10000,
    NETWORK_ACTIVATION_SQUARED = 1,
    NETWORK_QA = 255,     /* 1.0 of an accumulator. */
    NETWORK_QB = 64,      /* 1.0 of an output weight. */
    NETWORK_INPUTS = 768, /* Of each area: two sides, six kinds, 64 squares. */
    NETWORK_MEN_MAX = 32,
    NETWORK_DESCRIPTION_BYTES_MAX = 4095,
    NETWORK_DESCRIPTION_STEP = 64
};

/* Where the header's fields stand. */
enum {
    NETWORK_AT_MAGIC = 0,
    NETWORK_AT_VERSION = 8,
    NETWORK_AT_DESCRIPTION_BYTES = 12,
    NETWORK_AT_AREAS = 16,
    NETWORK_AT_UNITS = 20,
    NETWORK_AT_BUCKETS = 24,
    NETWORK_AT_ACTIVATION = 28,
    NETWORK_AT_QA = 32,
    NETWORK_AT_QB = 36,
    NETWORK_AT_SCALE = 40,
    NETWORK_AT_CRC = 44,
    NETWORK_AT_PAYLOAD_BYTES = 48,
    NETWORK_AT_ZERO = 56,
    NETWORK_HEADER_BYTES = 64
};
#define NETWORK_MAGIC "RookNet" /* With its final zero. */

struct rk_network {
    unsigned areas;
    unsigned units;   /* Of an accumulator, as the file has it. */
    unsigned width;   /* The same in memory, padded with zeros. */
    unsigned buckets; /* Output layers. */
    int scale;        /* Evaluation units of an output of 1.0. */
    uint8_t area_of[SQUARE_COUNT];
    int32_t output_biases[NETWORK_BUCKETS_MAX];
    const int16_t *rows;           /* [areas][NETWORK_INPUTS][width] */
    const int16_t *biases;         /* [width] */
    const int16_t *output_weights; /* [buckets][own side, other side][width] */
    size_t bytes;                  /* Of this block. */
    char description[NETWORK_DESCRIPTION_BYTES_MAX + 1];
};

/* A file's bytes. RK_BAD_ARGUMENT: out_error says what is wrong with them; RK_NO_MEMORY. */
enum rk_status network_parse(const uint8_t *bytes, size_t length, struct rk_network **out_network,
                             char out_error[RK_NETWORK_ERROR_BYTES_MAX]);

/* A file. Also RK_SYSTEM: it cannot be read. */
enum rk_status network_read(const char *path, struct rk_network **out_network,
                            char out_error[RK_NETWORK_ERROR_BYTES_MAX]);

/* The one that the build was given. RK_NO_MEMORY. */
enum rk_status network_built_in(struct rk_network **out_network);

void network_destroy(struct rk_network *network); /* NULL is fine. */

/* Which output layer judges a position of so many men. */
static inline unsigned network_bucket(const struct rk_network *network, unsigned men)
{
    const unsigned bucket = (men - 2) * network->buckets / (NETWORK_MEN_MAX - 1);
    return bucket < network->buckets ? bucket : network->buckets - 1;
}

#endif
