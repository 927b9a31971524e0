/* vectors/variant.h: the network's kernels as one target of the compiler makes them.
 * Thread: any. */
#ifndef TESTS_VECTORS_VARIANT_H
#define TESTS_VECTORS_VARIANT_H

#include "engine/network.h"

struct row_changes;

struct variant {
    const char *name; /* What engine/vector.h chose. */
    void (*change)(int16_t *out, const int16_t *from, const struct row_changes *changes,
                   unsigned width);
    int64_t (*dot)(const int16_t *values, const int16_t *weights, unsigned width);
    uint64_t (*changes)(const uint8_t *a, const uint8_t *b);
};

/* One for each object that variant.c is compiled to. */
const struct variant *variant_plain(void);
const struct variant *variant_baseline(void);
const struct variant *variant_avx2(void);
const struct variant *variant_avx512(void);
const struct variant *variant_vnni(void);

#endif
