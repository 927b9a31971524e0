#include <inttypes.h>

#include "lab/train.h"

void train_settings_default(struct train_settings *out_settings)
{
    *out_settings = (struct train_settings){
        .shape = {.areas = 1, .hidden = 128, .buckets = 1},
        .rules = {.score_max = 2000, .held_permille = 20, .scale = 100.0, .lambda = 0.7, .seed = 1},
        .optimizer = {.rate = 0.001,
                      .rate_end = 0.00001,
                      .decay = 0.01,
                      .beta1 = 0.9,
                      .beta2 = 0.999,
                      .epsilon = 1e-8,
                      .warmup_steps = 200,
                      .schedule = SCHEDULE_COSINE,
                      .drop = 0.3,
                      .drop_epochs = 10},
        .batch = 16384,
        .epochs = 30,
        .slices = 8,
        .buffer = 8 << 20,
    };
}

void train_settings_text(const struct train_settings *settings, char out_text[TRAIN_TEXT_BYTES])
{
    const struct samples_rules *rules = &settings->rules;
    const struct optimizer_settings *optimizer = &settings->optimizer;
    (void)snprintf(
        out_text, TRAIN_TEXT_BYTES,
        "areas %u, hidden %u, buckets %u; epochs %u, batch %u, seed %" PRIu64
        ", slices %u, buffer %" PRIu64 "; "
        "from ply %u, scores to %u, checks %s, noisy moves %s, held out %u of 1000; "
        "scale %.9g, lambda %.9g; rate %.9g, warm-up %" PRIu64 ", "
        "%s (to %.9g, or times %.9g every %" PRIu64 "), decay %.9g, beta %.9g %.9g, epsilon %.9g",
        settings->shape.areas, settings->shape.hidden, settings->shape.buckets, settings->epochs,
        settings->batch, rules->seed, settings->slices, settings->buffer, rules->plies_min,
        rules->score_max, rules->takes_checks ? "in" : "out", rules->takes_noisy ? "in" : "out",
        rules->held_permille, rules->scale, rules->lambda, optimizer->rate, optimizer->warmup_steps,
        optimizer->schedule == SCHEDULE_COSINE ? "cosine" : "step", optimizer->rate_end,
        optimizer->drop, optimizer->drop_epochs, optimizer->decay, optimizer->beta1,
        optimizer->beta2, optimizer->epsilon);
}
