/* Compiled once for each target: VARIANT is the function's name. */
#include "vectors/variant.h"

#include "engine/kernels.h"

static void change(int16_t *out, const int16_t *from, const struct row_changes *changes,
                   unsigned width)
{
    kernel_change(out, from, changes, width);
}

static int64_t dot(const int16_t *values, const int16_t *weights, unsigned width)
{
    return kernel_dot(values, weights, width);
}

static uint64_t changes(const uint8_t *a, const uint8_t *b) { return vector_changes(a, b); }

const struct variant *VARIANT(void)
{
    static const struct variant variant = {VECTOR_NAME, change, dot, changes};
    return &variant;
}
