/* engine/kernels.h: the network's inner loops, over rows of `width` 16-bit numbers.
 * Rows are padded with zeros to NETWORK_TILE, so no loop has a rest, and stand on
 * NETWORK_ALIGNMENT. Thread: any. */
#ifndef ENGINE_KERNELS_H
#define ENGINE_KERNELS_H

#include "base/check.h"
#include "engine/network.h"
#include "engine/vector.h"

enum { TILE_VECTORS = NETWORK_TILE / VECTOR_LANES }; /* Held in registers at a time. */

/* In kernel_dot four lanes at least share a row. */
static_assert(NETWORK_UNITS_MAX / 4 * (int64_t)NETWORK_QA * NETWORK_QA * 128 <= INT32_MAX,
              "a lane's sum of squares times weights fits 32 bits");

struct row_changes {
    const int16_t *added[NETWORK_MEN_MAX];
    const int16_t *taken[NETWORK_MEN_MAX];
    unsigned added_count, taken_count;
};

/* out = from + rows added - rows taken, by counts that the compiler knows. */
static inline __attribute__((always_inline)) void
kernel_change_by(int16_t *out, const int16_t *from, const struct row_changes *changes,
                 unsigned added_count, unsigned taken_count, unsigned width)
{
    for (size_t at = 0; at < width; at += NETWORK_TILE) {
        vector_t tile[TILE_VECTORS];
        for (size_t i = 0; i < TILE_VECTORS; i++)
            tile[i] = vector_load(from + at + i * VECTOR_LANES);
        for (unsigned row = 0; row < added_count; row++)
            for (size_t i = 0; i < TILE_VECTORS; i++)
                tile[i] =
                    vector_add(tile[i], vector_load(changes->added[row] + at + i * VECTOR_LANES));
        for (unsigned row = 0; row < taken_count; row++)
            for (size_t i = 0; i < TILE_VECTORS; i++)
                tile[i] = vector_subtract(tile[i],
                                          vector_load(changes->taken[row] + at + i * VECTOR_LANES));
        for (size_t i = 0; i < TILE_VECTORS; i++)
            vector_store(out + at + i * VECTOR_LANES, tile[i]);
    }
}

/* out = from + rows added - rows taken. `out` may be `from`. Most changes are a move's or a
 * capture's. */
static inline void kernel_change(int16_t *out, const int16_t *from,
                                 const struct row_changes *changes, unsigned width)
{
    if (changes->added_count == 1 && changes->taken_count == 1)
        kernel_change_by(out, from, changes, 1, 1, width);
    else if (changes->added_count == 1 && changes->taken_count == 2)
        kernel_change_by(out, from, changes, 1, 2, width);
    else
        kernel_change_by(out, from, changes, changes->added_count, changes->taken_count, width);
}

/* The sum of squares of `values`, each first clamped to 0 … NETWORK_QA, times `weights`, which are
 * within ±128: so value times weight fits 16 bits. */
static inline int64_t kernel_dot(const int16_t *values, const int16_t *weights, unsigned width)
{
    sums_t sums = sums_zero();
    for (size_t at = 0; at < width; at += NETWORK_TILE)
        for (size_t i = 0; i < TILE_VECTORS; i++) {
            const vector_t value =
                vector_clamp(vector_load(values + at + i * VECTOR_LANES), NETWORK_QA);
            const vector_t weight = vector_load(weights + at + i * VECTOR_LANES);
            sums = sums_add_products(sums, vector_multiply(value, weight), value);
        }
    return sums_total(sums);
}

#endif
