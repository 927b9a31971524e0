/* A position costs 2 * hidden floats for each of its men, forth and back: some 12 KiB of weights to
 * read, then as much of the gradient to read and write, for 128 accumulators and 24 men. Nothing
 * else counts. So:
 *   - a row's part stays in a handful of vectors while the inputs pass by, forth and back;
 *   - a position goes forth and back at once, while its accumulators are in the nearest cache;
 *   - weights and one gradient together fit the second cache, for sizes in use.
 * Sums over a row are formed in SUM_FLOATS lanes whatever a vector holds, then folded in one order;
 * with -ffp-contract=off all levels give the same bits. */
#include <math.h>

#include "lab/kernels.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)     TEXT_(a)

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

typedef float vector_t __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int32_t mask_t __attribute__((vector_size(VECTOR_BYTES), may_alias));

enum {
    VECTOR_FLOATS = VECTOR_BYTES / sizeof(float),
    SUM_FLOATS = NETWORK_HIDDEN_STEP,
    SUM_VECTORS = SUM_FLOATS / VECTOR_FLOATS,
    TILE_VECTORS = 8, /* Held while rows pass by: half the registers there are at least. */
    TILE_FLOATS = TILE_VECTORS * VECTOR_FLOATS,
    AHEAD = 8 /* Samples asked for before their turn: they lie anywhere in memory. */
};

static inline vector_t *at(float *floats, size_t index)
{
    return (vector_t *)(void *)(floats + index);
}
static inline vector_t get(const float *floats, size_t index)
{
    return *(const vector_t *)(const void *)(floats + index);
}
static inline vector_t spread(float number) { return number - (vector_t){0}; }
static inline vector_t where(mask_t mask, vector_t vector)
{
    return (vector_t)(mask & (mask_t)vector);
}
/* Clipped to 0 … 1. */
static inline vector_t clip(vector_t x)
{
    const mask_t is_low = (mask_t)(x < spread(1.0F));
    x = where(is_low, x) + where(~is_low, spread(1.0F));
    return where((mask_t)(x > spread(0.0F)), x);
}

/* out = bias + the rows of these inputs. */
static inline void rows_sum(const float *rows, size_t hidden, const float *bias,
                            const uint32_t *inputs, unsigned count, float *out)
{
    size_t from = 0;
    for (; from + TILE_FLOATS <= hidden; from += TILE_FLOATS) {
        vector_t sums[TILE_VECTORS];
#pragma GCC unroll 8
        for (unsigned i = 0; i < TILE_VECTORS; i++)
            sums[i] = get(bias, from + i * VECTOR_FLOATS);
        for (unsigned n = 0; n < count; n++) {
            const float *row = rows + inputs[n] * hidden + from;
#pragma GCC unroll 8
            for (unsigned i = 0; i < TILE_VECTORS; i++)
                sums[i] += get(row, i * VECTOR_FLOATS);
        }
#pragma GCC unroll 8
        for (unsigned i = 0; i < TILE_VECTORS; i++)
            *at(out, from + i * VECTOR_FLOATS) = sums[i];
    }
    for (; from < hidden; from += VECTOR_FLOATS) {
        vector_t sum = get(bias, from);
        for (unsigned n = 0; n < count; n++)
            sum += get(rows, inputs[n] * hidden + from);
        *at(out, from) = sum;
    }
}

/* Adds delta to the rows of these inputs. */
static inline void rows_add(float *rows, size_t hidden, const float *delta, const uint32_t *inputs,
                            unsigned count)
{
    size_t from = 0;
    for (; from + TILE_FLOATS <= hidden; from += TILE_FLOATS) {
        vector_t deltas[TILE_VECTORS];
#pragma GCC unroll 8
        for (unsigned i = 0; i < TILE_VECTORS; i++)
            deltas[i] = get(delta, from + i * VECTOR_FLOATS);
        for (unsigned n = 0; n < count; n++) {
            float *row = rows + inputs[n] * hidden + from;
#pragma GCC unroll 8
            for (unsigned i = 0; i < TILE_VECTORS; i++)
                *at(row, i * VECTOR_FLOATS) += deltas[i];
        }
    }
    for (; from < hidden; from += VECTOR_FLOATS)
        for (unsigned n = 0; n < count; n++)
            *at(rows, inputs[n] * hidden + from) += get(delta, from);
}

/* One position on its way. */
struct passage {
    _Alignas(64) float sums[VIEW_COUNT][NETWORK_HIDDEN_MAX]; /* Accumulators, then their deltas. */
    struct sample_inputs inputs;
    unsigned bucket;
};

/* The output for sums, by the weights of a bucket. */
static inline float output_of(const float *own, const float *other, const float *weights,
                              size_t hidden)
{
    vector_t parts[SUM_VECTORS] = {{0}};
    for (size_t from = 0; from < hidden; from += SUM_FLOATS) {
#pragma GCC unroll 4
        for (unsigned i = 0; i < SUM_VECTORS; i++) {
            const size_t index = from + i * VECTOR_FLOATS;
            const vector_t a = clip(get(own, index)), b = clip(get(other, index));
            parts[i] += a * a * get(weights, index);
            parts[i] += b * b * get(weights, hidden + index);
        }
    }
    float lanes[SUM_FLOATS];
    for (unsigned i = 0; i < SUM_FLOATS; i++)
        lanes[i] = parts[i / VECTOR_FLOATS][i % VECTOR_FLOATS];
    for (unsigned half = SUM_FLOATS / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; i++)
            lanes[i] += lanes[i + half];
    return lanes[0];
}

static inline float forth(const struct network_layout *layout, const float *values,
                          const struct sample *sample, struct passage *out_passage)
{
    const size_t hidden = layout->shape.hidden;
    struct sample_inputs *inputs = &out_passage->inputs;
    sample_read(layout, sample, inputs);
    const float *bias = values + layout->feature_biases;
    rows_sum(values, hidden, bias, inputs->own, inputs->count, out_passage->sums[VIEW_OWN]);
    rows_sum(values, hidden, bias, inputs->other, inputs->count, out_passage->sums[VIEW_OTHER]);
    out_passage->bucket = network_bucket(layout, inputs->count);
    return output_of(out_passage->sums[VIEW_OWN], out_passage->sums[VIEW_OTHER],
                     values + layout->output_weights + out_passage->bucket * 2 * hidden, hidden) +
           values[layout->output_biases + out_passage->bucket];
}

/* Sums become deltas: how the error changes with each. */
static inline void deltas_set(float *sums, const float *weights, float *weights_gradient,
                              float *bias_gradient, size_t hidden, float slope)
{
    for (size_t i = 0; i < hidden; i += VECTOR_FLOATS) {
        const vector_t x = get(sums, i), a = clip(x);
        const vector_t through = where((mask_t)(x < spread(1.0F)), a);
        const vector_t delta = spread(2.0F * slope) * through * get(weights, i);
        *at(weights_gradient, i) += spread(slope) * a * a;
        *at(bias_gradient, i) += delta;
        *at(sums, i) = delta;
    }
}

static inline void back(const struct network_layout *layout, const float *values,
                        struct passage *passage, float slope, float *gradient)
{
    const size_t hidden = layout->shape.hidden;
    const struct sample_inputs *inputs = &passage->inputs;
    for (unsigned view = 0; view < VIEW_COUNT; view++) {
        const size_t weights = layout->output_weights + (passage->bucket * 2 + view) * hidden;
        deltas_set(passage->sums[view], values + weights, gradient + weights,
                   gradient + layout->feature_biases, hidden, slope);
    }
    gradient[layout->output_biases + passage->bucket] += slope;
    rows_add(gradient, hidden, passage->sums[VIEW_OWN], inputs->own, inputs->count);
    rows_add(gradient, hidden, passage->sums[VIEW_OTHER], inputs->other, inputs->count);
}

static void tell(const struct network_layout *layout, const float *values,
                 const struct sample *samples, const uint32_t *order, size_t count,
                 float *out_logits)
{
    struct passage passage;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            bits_prefetch(&samples[order[i + AHEAD]]);
        out_logits[i] = forth(layout, values, &samples[order[i]], &passage);
    }
}

static double learn(const struct network_layout *layout, const float *values,
                    const struct sample *samples, const uint32_t *order, size_t count,
                    float *gradient)
{
    struct passage passage;
    double errors = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            bits_prefetch(&samples[order[i + AHEAD]]);
        const struct sample *sample = &samples[order[i]];
        const float logit = forth(layout, values, sample, &passage);
        const float points = 1.0F / (1.0F + expf(-logit));
        const float error = points - sample->target;
        back(layout, values, &passage, 2.0F * error * points * (1.0F - points), gradient);
        errors += (double)(error * error);
    }
    return errors;
}

/* The sum of a piece of all slices, which are then zero. */
static inline void gradient_take(const struct kernels_rows *rows, size_t first, size_t count,
                                 float scale, float *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = 0.0F;
    for (unsigned slice = 0; slice < rows->slices; slice++) {
        float *restrict gradient = rows->gradients[slice] + first;
        for (size_t i = 0; i < count; i++) {
            out[i] += gradient[i];
            gradient[i] = 0.0F;
        }
    }
    for (size_t i = 0; i < count; i++)
        out[i] *= scale;
}

static inline void piece_step(const struct kernels_step *step, const float *restrict gradient,
                              float *restrict values, float *restrict means, float *restrict powers,
                              size_t count)
{
    const struct kernels_step s = *step;
    for (size_t i = 0; i < count; i++) {
        const float g = gradient[i];
        const float mean = s.beta1 * means[i] + (1.0F - s.beta1) * g;
        const float power = s.beta2 * powers[i] + (1.0F - s.beta2) * g * g;
        means[i] = mean;
        powers[i] = power;
        const float move =
            s.rate * (mean * s.mean_scale) / (sqrtf(power * s.power_scale) + s.epsilon);
        float value = values[i] - s.decay * values[i] - move;
        value = value > s.bound ? s.bound : value;
        values[i] = value < -s.bound ? -s.bound : value;
    }
}

static void step(const struct kernels_step *step, const struct kernels_rows *rows, size_t first,
                 size_t end)
{
    enum { PIECE_FLOATS = 512 };
    float gradient[PIECE_FLOATS];
    while (first < end) {
        const size_t count = end - first < PIECE_FLOATS ? end - first : PIECE_FLOATS;
        gradient_take(rows, first, count, step->gradient_scale, gradient);
        piece_step(step, gradient, rows->values + first, rows->means + first, rows->powers + first,
                   count);
        first += count;
    }
}

const struct kernels *JOIN(kernels_, ROOKERY_KERNEL_LEVEL)(void);
const struct kernels *JOIN(kernels_, ROOKERY_KERNEL_LEVEL)(void)
{
    static const struct kernels KERNELS = {
        .level = TEXT(ROOKERY_KERNEL_LEVEL), .tell = tell, .learn = learn, .step = step};
    return &KERNELS;
}
