#include "lab/network_float.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

/* Where the own king stands, on files a to d, from the own first rank up. More areas tell more of
 * them apart near home, where it mostly is. */
static const uint8_t AREAS_1[NETWORK_KINGS / 2] = {0};
static const uint8_t AREAS_2[NETWORK_KINGS / 2] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                   1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint8_t AREAS_4[NETWORK_KINGS / 2] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
                                                   3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
static const uint8_t AREAS_8[NETWORK_KINGS / 2] = {0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6,
                                                   7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7};

static const uint8_t *areas_for(unsigned count)
{
    switch (count) {
    case 1: return AREAS_1;
    case 2: return AREAS_2;
    case 4: return AREAS_4;
    case 8: return AREAS_8;
    default: return NULL;
    }
}

bool network_layout_init(struct network_layout *out_layout, const struct network_shape *shape)
{
    const uint8_t *areas = areas_for(shape->areas);
    const size_t hidden = shape->hidden;
    if (areas == NULL || hidden == 0 || hidden > NETWORK_HIDDEN_MAX ||
        hidden % NETWORK_HIDDEN_STEP != 0 || shape->buckets == 0 ||
        shape->buckets > NETWORK_BUCKETS_MAX)
        return false;
    struct network_layout layout = {.shape = *shape};
    for (unsigned square = 0; square < NETWORK_KINGS; square++) {
        const unsigned file = square % 8;
        layout.areas_by_king[square] = areas[square / 8 * 4 + (file < 4 ? file : 7 - file)];
    }
    layout.feature_biases = (size_t)shape->areas * NETWORK_INPUTS_PER_AREA * hidden;
    layout.output_weights = layout.feature_biases + hidden;
    layout.output_biases = layout.output_weights + shape->buckets * 2 * hidden;
    layout.count = layout.output_biases + NETWORK_HIDDEN_STEP; /* A whole vector for 1 to 8. */
    *out_layout = layout;
    return true;
}

/* -1 to 1. */
static float draw(uint64_t *random)
{
    return (float)((int64_t)(random_next(random) >> 40) - (1 << 23)) / (float)(1 << 23);
}

void network_float_draw(const struct network_layout *layout, uint64_t seed, float *out_values)
{
    /* Some 24 inputs are on: accumulators spread by a half about a quarter, so that most are where
       the activation has a slope. */
    static const float FEATURES = 0.18F, BIAS = 0.25F;
    const float outputs = 1.0F / sqrtf(2.0F * (float)layout->shape.hidden);
    uint64_t random = seed;
    memset(out_values, 0, layout->count * sizeof *out_values);
    for (size_t i = 0; i < layout->feature_biases; i++)
        out_values[i] = FEATURES * draw(&random);
    for (size_t i = layout->feature_biases; i < layout->output_weights; i++)
        out_values[i] = BIAS;
    for (size_t i = layout->output_weights; i < layout->output_biases; i++)
        out_values[i] = outputs * draw(&random);
}
