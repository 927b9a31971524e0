/* The output layer: squared, clipped units of both sides, the mover's first, times their weights.
 *
 *     sum / QA + bias, times scale, through QA * QB
 *
 * in whole numbers, each division towards zero, so that every machine says the same. */
#include "engine/nnue.h"

#include <stdalign.h>

#include "base/check.h"
#include "engine/kernels.h"

/* With debugging on, one in so many evaluations is made a second time, from nothing. */
enum { CHECK_EVERY = 16 };

static score_t output(const struct rk_network *network, const struct position *position,
                      const int16_t *own, const int16_t *other)
{
    const unsigned width = network->width;
    const unsigned bucket = network_bucket(network, bits_count(position_all(position)));
    const int16_t *weights = network->output_weights + (size_t)bucket * 2 * width;
    const int64_t sum = kernel_dot(own, weights, width) + kernel_dot(other, weights + width, width);
    const int64_t value = (sum / NETWORK_QA + network->output_biases[bucket]) * network->scale /
                          ((int64_t)NETWORK_QA * NETWORK_QB);
    if (value > SCORE_EVAL_MAX)
        return SCORE_EVAL_MAX;
    return value < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : (score_t)value;
}

score_t nnue_at(struct accumulators *accumulators, const struct position *position,
                const zkey_t *line, int ply)
{
    const struct rk_network *network = accumulators_network(accumulators);
    const struct accumulator_pair pair = accumulators_at(accumulators, position, line, ply);
    const score_t score =
        output(network, position, pair.of[position->side], pair.of[position->side ^ 1u]);
    ASSERT(position->key % CHECK_EVERY != 0 || score == nnue_alone(network, position));
    return score;
}

score_t nnue_alone(const struct rk_network *network, const struct position *position)
{
    alignas(NETWORK_ALIGNMENT) int16_t values[COLOR_COUNT][NETWORK_UNITS_MAX];
    accumulators_sum(network, position, values);
    return output(network, position, values[position->side], values[position->side ^ 1u]);
}
