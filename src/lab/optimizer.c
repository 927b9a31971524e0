#include "lab/optimizer.h"

#include <math.h>

#include "base/memory.h"
#include "lab/network_file.h"

/* So that 16 bits hold an accumulator: 64 + 32 men times 1.98 is less than 32768 / 255. */
static const float FEATURE_MAX = 1.98F, FEATURE_BIAS_MAX = 64.0F;
static const float OUTPUT_MAX = (float)NETWORK_OUTPUT_WEIGHT_MAX / NETWORK_QB;
static const float OUTPUT_BIAS_MAX = 1000.0F;

double optimizer_rate(const struct optimizer_settings *settings, uint64_t step, double epoch,
                      double epochs)
{
    double rate = settings->rate;
    if (settings->schedule == SCHEDULE_COSINE)
        rate = settings->rate_end +
               (settings->rate - settings->rate_end) * (1.0 + cos(M_PI * epoch / epochs)) / 2.0;
    else if (settings->drop_epochs > 0)
        rate *= pow(settings->drop, floor(epoch / (double)settings->drop_epochs));
    return step < settings->warmup_steps ? rate * (double)step / (double)settings->warmup_steps
                                         : rate;
}

enum rk_status optimizer_init(struct optimizer *out_optimizer, const struct network_layout *layout,
                              const struct optimizer_settings *settings, unsigned slices)
{
    REQUIRE(slices >= 1 && slices <= OPTIMIZER_SLICES_MAX);
    struct optimizer *made = out_optimizer;
    const size_t bytes = layout->count * sizeof(float);
    *made = (struct optimizer){.layout = *layout, .settings = *settings, .slices = slices};
    made->values = memory_allocate(bytes);
    made->means = memory_allocate(bytes);
    made->powers = memory_allocate(bytes);
    bool is_whole = made->values != NULL && made->means != NULL && made->powers != NULL;
    for (unsigned i = 0; i < slices && is_whole; i++) {
        made->gradients[i] = memory_allocate(bytes);
        is_whole = made->gradients[i] != NULL;
    }
    if (!is_whole)
        optimizer_clear(made);
    return is_whole ? RK_OK : RK_NO_MEMORY;
}

void optimizer_clear(struct optimizer *optimizer)
{
    memory_free(optimizer->values);
    memory_free(optimizer->means);
    memory_free(optimizer->powers);
    for (unsigned i = 0; i < optimizer->slices; i++)
        memory_free(optimizer->gradients[i]);
    *optimizer = (struct optimizer){.slices = 0};
}

/* A step, cut into pieces of the layout that all have the same rules. */
struct stride {
    const struct kernels *kernels;
    struct kernels_rows rows;
    struct {
        struct kernels_step step;
        size_t first, end;
    } parts[4];
    size_t count; /* Floats in all. */
    unsigned pieces;
};

static void stride_piece(void *context, unsigned piece, unsigned hand)
{
    const struct stride *stride = context;
    const size_t vectors = stride->count / NETWORK_HIDDEN_STEP;
    const size_t first = vectors * piece / stride->pieces * NETWORK_HIDDEN_STEP;
    const size_t end = vectors * (piece + 1) / stride->pieces * NETWORK_HIDDEN_STEP;
    (void)hand;
    for (unsigned i = 0; i < sizeof stride->parts / sizeof *stride->parts; i++) {
        const size_t from = stride->parts[i].first > first ? stride->parts[i].first : first;
        const size_t to = stride->parts[i].end < end ? stride->parts[i].end : end;
        if (from < to)
            stride->kernels->step(&stride->parts[i].step, &stride->rows, from, to);
    }
}

void optimizer_step(struct optimizer *optimizer, const struct kernels *kernels, struct gang *gang,
                    double rate, uint64_t positions)
{
    const struct network_layout *layout = &optimizer->layout;
    const struct optimizer_settings *settings = &optimizer->settings;
    const double steps = (double)++optimizer->steps;
    struct kernels_step weights = {
        .rate = (float)rate,
        .decay = (float)(rate * settings->decay),
        .beta1 = (float)settings->beta1,
        .beta2 = (float)settings->beta2,
        .mean_scale = (float)(1.0 / (1.0 - pow(settings->beta1, steps))),
        .power_scale = (float)(1.0 / (1.0 - pow(settings->beta2, steps))),
        .epsilon = (float)settings->epsilon,
        .gradient_scale = (float)(1.0 / (double)positions),
        .bound = FEATURE_MAX,
    };
    struct kernels_step outputs = weights, biases = weights, output_biases = weights;
    outputs.bound = OUTPUT_MAX;
    biases.bound = FEATURE_BIAS_MAX;
    output_biases.bound = OUTPUT_BIAS_MAX;
    biases.decay = output_biases.decay = 0.0F;
    struct stride stride = {
        .kernels = kernels,
        .rows = {.values = optimizer->values,
                 .means = optimizer->means,
                 .powers = optimizer->powers,
                 .gradients = optimizer->gradients,
                 .slices = optimizer->slices},
        .parts = {{weights, 0, layout->feature_biases},
                  {biases, layout->feature_biases, layout->output_weights},
                  {outputs, layout->output_weights, layout->output_biases},
                  {output_biases, layout->output_biases, layout->count}},
        .count = layout->count,
        .pieces = gang_threads(gang),
    };
    gang_run(gang, stride.pieces, stride_piece, &stride);
}
