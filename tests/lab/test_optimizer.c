/* Adam as its paper has it, in doubles; rates; bounds; and threads that work on pieces. */
#include "lab/optimizer.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "lab/network_file.h"
#include "lab/suites.h"

static const struct optimizer_settings SETTINGS = {.rate = 0.01,
                                                   .rate_end = 0.001,
                                                   .decay = 0.1,
                                                   .beta1 = 0.9,
                                                   .beta2 = 0.999,
                                                   .epsilon = 1e-8,
                                                   .warmup_steps = 10,
                                                   .drop = 0.5,
                                                   .drop_epochs = 4};

START_TEST(rates)
{
    struct optimizer_settings settings = SETTINGS;
    ck_assert_double_eq_tol(optimizer_rate(&settings, 1, 0.0, 20.0), 0.001, 1e-12);
    ck_assert_double_eq_tol(optimizer_rate(&settings, 10, 0.0, 20.0), 0.01, 1e-12);
    ck_assert_double_eq_tol(optimizer_rate(&settings, 99, 10.0, 20.0), 0.0055, 1e-12);
    ck_assert_double_eq_tol(optimizer_rate(&settings, 99, 20.0, 20.0), 0.001, 1e-12);
    settings.schedule = SCHEDULE_STEP;
    ck_assert_double_eq_tol(optimizer_rate(&settings, 99, 3.99, 20.0), 0.01, 1e-12);
    ck_assert_double_eq_tol(optimizer_rate(&settings, 99, 4.0, 20.0), 0.005, 1e-12);
    ck_assert_double_eq_tol(optimizer_rate(&settings, 99, 19.9, 20.0), 0.000625, 1e-12);
}
END_TEST

/* One of each part, over some steps with gradients that differ by slice. */
START_TEST(steps_are_adams)
{
    enum { STEPS = 25, SLICES = 3, POSITIONS = 7 };
    const struct network_shape shape = {.areas = 1, .hidden = 16, .buckets = 2};
    struct network_layout layout;
    struct optimizer optimizer;
    struct gang *gang;
    ck_assert(network_layout_init(&layout, &shape));
    ck_assert_int_eq(optimizer_init(&optimizer, &layout, &SETTINGS, SLICES), RK_OK);
    ck_assert_int_eq(gang_create(2, &gang), RK_OK);
    const size_t places[] = {5, layout.feature_biases + 3, layout.output_weights + 20,
                             layout.output_biases + 1};
    double values[4], means[4] = {0}, powers[4] = {0};
    for (unsigned i = 0; i < 4; i++)
        optimizer.values[places[i]] = (float)(values[i] = 0.3 * i - 0.4);
    for (unsigned step = 1; step <= STEPS; step++) {
        for (unsigned i = 0; i < 4; i++) {
            double g = 0.0;
            for (unsigned slice = 0; slice < SLICES; slice++) {
                const double part = sin(step * 1.3 + i * 0.7 + slice);
                optimizer.gradients[slice][places[i]] = (float)part;
                g += part / POSITIONS;
            }
            means[i] = 0.9 * means[i] + 0.1 * g;
            powers[i] = 0.999 * powers[i] + 0.001 * g * g;
            const double mean = means[i] / (1.0 - pow(0.9, step));
            const double power = powers[i] / (1.0 - pow(0.999, step));
            const double decay = i % 2 == 0 ? 0.01 * 0.1 * values[i] : 0.0;
            values[i] -= decay + 0.01 * mean / (sqrt(power) + 1e-8);
        }
        optimizer_step(&optimizer, kernels_best(), gang, 0.01, POSITIONS);
    }
    for (unsigned i = 0; i < 4; i++)
        ck_assert_double_eq_tol((double)optimizer.values[places[i]], values[i], 1e-4);
    ck_assert_uint_eq(optimizer.steps, STEPS);
    gang_destroy(gang);
    optimizer_clear(&optimizer);
}
END_TEST

/* However long it is pushed, 16 bits hold every sum and 8 every output weight. */
START_TEST(weights_stay_where_quantising_can_follow)
{
    const struct network_shape shape = {.areas = 1, .hidden = 16, .buckets = 1};
    struct optimizer_settings settings = SETTINGS;
    struct network_layout layout;
    struct optimizer optimizer;
    struct gang *gang;
    settings.decay = 0.0;
    ck_assert(network_layout_init(&layout, &shape));
    ck_assert_int_eq(optimizer_init(&optimizer, &layout, &settings, 1), RK_OK);
    ck_assert_int_eq(gang_create(1, &gang), RK_OK);
    for (unsigned step = 0; step < 200; step++) {
        for (size_t i = 0; i < layout.count; i++)
            optimizer.gradients[0][i] = i % 2 == 0 ? 1.0F : -1.0F;
        optimizer_step(&optimizer, kernels_best(), gang, 1.0, 1);
    }
    float feature = 0.0F, bias = 0.0F, output = 0.0F;
    for (size_t i = 0; i < layout.feature_biases; i++)
        feature = fmaxf(feature, fabsf(optimizer.values[i]));
    for (size_t i = layout.feature_biases; i < layout.output_weights; i++)
        bias = fmaxf(bias, fabsf(optimizer.values[i]));
    for (size_t i = layout.output_weights; i < layout.output_biases; i++)
        output = fmaxf(output, fabsf(optimizer.values[i]));
    ck_assert_int_lt(lrintf(bias * NETWORK_QA) + 32 * lrintf(feature * NETWORK_QA), 32768);
    ck_assert_int_gt(lrintf(feature * NETWORK_QA), 500);
    ck_assert_int_eq(lrintf(output * NETWORK_QB), NETWORK_OUTPUT_WEIGHT_MAX);
    gang_destroy(gang);
    optimizer_clear(&optimizer);
}
END_TEST

enum { PIECES_MAX = 40, ROUNDS = 400 };
struct tally {
    atomic_uint counts[PIECES_MAX];
    atomic_bool is_busy[GANG_THREADS_MAX];
    atomic_uint clashes;
};

static void piece_count(void *context, unsigned piece, unsigned hand)
{
    struct tally *tally = context;
    if (atomic_exchange(&tally->is_busy[hand], true))
        atomic_fetch_add(&tally->clashes, 1);
    atomic_fetch_add(&tally->counts[piece], 1);
    atomic_store(&tally->is_busy[hand], false);
}

START_TEST(a_gang_does_each_piece_once)
{
    static const unsigned THREADS[] = {1, 2, 7};
    struct gang *gang;
    ck_assert_int_eq(gang_create(THREADS[_i], &gang), RK_OK);
    ck_assert_uint_eq(gang_threads(gang), THREADS[_i]);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct tally tally;
        memset(&tally, 0, sizeof tally);
        const unsigned pieces = round % (PIECES_MAX + 1);
        gang_run(gang, pieces, piece_count, &tally);
        for (unsigned i = 0; i < PIECES_MAX; i++)
            ck_assert_uint_eq(tally.counts[i], i < pieces);
        ck_assert_uint_eq(tally.clashes, 0);
    }
    gang_destroy(gang);
}
END_TEST

Suite *suite_optimizer(void)
{
    Suite *suite = suite_create("optimizer");
    TCase *tcase = tcase_create("optimizer");
    tcase_add_test(tcase, rates);
    tcase_add_test(tcase, steps_are_adams);
    tcase_add_test(tcase, weights_stay_where_quantising_can_follow);
    tcase_add_loop_test(tcase, a_gang_does_each_piece_once, 0, 3);
    suite_add_tcase(suite, tcase);
    return suite;
}
