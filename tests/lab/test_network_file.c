/* The file in whole numbers against the network in floats that it was made from, on 10,000
 * positions, by a reader that knows nothing but docs/network.md. */
#include "lab/network_file.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "lab/lesson.h"
#include "lab/optimizer.h"
#include "lab/suites.h"

enum { POSITIONS = 10000, BATCH = 500, STEPS = 60, SCALE = 100, QA = 255, QB = 64 };

/* How far the two may be apart, in units of which SCALE are an output of 1. Most of it is the
 * rounding of output weights, 1/64 apart, and nearly the same in all positions. */
static const double FAR_MAX = 12.0, MEAN_MAX = 5.0;

static const char DESCRIPTION[] = "a network that was made for a test of its own bytes";
static struct network_layout layout;
static uint8_t *bytes;
static size_t length;

/* Offsets, by the description. */
static size_t map_at(void) { return 64 + (bytes_get32(bytes + 12) + 63) / 64 * 64; }
static size_t weights_at(void) { return map_at() + 64; }

static int feature(size_t index) { return (int16_t)bytes_get16(bytes + weights_at() + 2 * index); }

/* A whole evaluation, with whole numbers. */
static int32_t told_by_file(const struct position *p)
{
    const size_t areas = bytes_get32(bytes + 16), hidden = bytes_get32(bytes + 20);
    const size_t buckets = bytes_get32(bytes + 24);
    const unsigned men = bits_count(position_all(p));
    const size_t bucket = (men - 2) * buckets / 31;
    const size_t outputs = weights_at() + 2 * (areas * 768 + 1) * hidden;
    int32_t sum = 0;
    bool is_in_range = true;
    for (unsigned view = 0; view < 2; view++) {
        const color_t c = (color_t)(p->side ^ view);
        unsigned flip = c == BLACK ? 56 : 0;
        if ((position_king(p, c) & 7) >= 4)
            flip ^= 7;
        const size_t area = bytes[map_at() + (position_king(p, c) ^ (flip & 56))];
        for (size_t h = 0; h < hidden; h++) {
            int total = feature(areas * 768 * hidden + h);
            for (square_t square = 0; square < SQUARE_COUNT; square++) {
                if (p->board[square] == PIECE_NONE)
                    continue;
                const size_t own = piece_color(p->board[square]) == c ? 0 : 384;
                total += feature(
                    (area * 768 + own + piece_kind(p->board[square]) * 64u + (square ^ flip)) *
                        hidden +
                    h);
            }
            is_in_range &= total >= INT16_MIN && total <= INT16_MAX;
            const int32_t a = total < 0 ? 0 : total > QA ? QA : total;
            sum += a * a * (int8_t)bytes[outputs + (bucket * 2 + view) * hidden + h];
        }
    }
    ck_assert(is_in_range);
    const size_t biases = outputs + (buckets * 2 * hidden + 3) / 4 * 4;
    const int32_t bias = (int32_t)bytes_get32(bytes + biases + 4 * bucket);
    return (int32_t)((int64_t)(sum / QA + bias) * SCALE / (QA * QB));
}

/* Some steps on positions whose worth is their material. */
static void network_train(struct optimizer *optimizer, struct gang *gang, struct sample *samples,
                          uint32_t *order)
{
    for (unsigned i = 0; i < BATCH; i++)
        order[i] = i;
    for (unsigned step = 0; step < STEPS; step++) {
        lesson_samples(step * BATCH, BATCH, samples);
        (void)kernels_best()->learn(&layout, optimizer->values, samples, order, BATCH,
                                    optimizer->gradients[0]);
        optimizer_step(optimizer, kernels_best(), gang, 0.01, BATCH);
    }
}

/* Made from the optimizer's values. */
static void file_make(const float *values)
{
    const struct network_file file = {
        .layout = &layout, .values = values, .scale = SCALE, .description = DESCRIPTION};
    length = network_file_size(&file);
    bytes = memory_allocate(length);
    network_file_fill(&file, bytes);
}

START_TEST(quantised_agrees_with_floats)
{
    static const struct network_shape SHAPES[] = {{1, 64, 1}, {4, 32, 4}};
    const struct optimizer_settings settings = {
        .beta1 = 0.9, .beta2 = 0.999, .epsilon = 1e-8, .decay = 0.01};
    struct optimizer optimizer;
    struct gang *gang;
    ck_assert(network_layout_init(&layout, &SHAPES[_i]));
    ck_assert_int_eq(optimizer_init(&optimizer, &layout, &settings, 1), RK_OK);
    ck_assert_int_eq(gang_create(1, &gang), RK_OK);
    struct position *positions = memory_allocate(POSITIONS * sizeof *positions);
    struct sample *samples = memory_allocate(POSITIONS * sizeof *samples);
    uint32_t *order = memory_allocate(POSITIONS * sizeof *order);
    float *logits = memory_allocate(POSITIONS * sizeof *logits);
    network_float_draw(&layout, 1, optimizer.values);
    network_train(&optimizer, gang, samples, order);
    file_make(optimizer.values);
    lesson_positions(1000000, POSITIONS, positions);
    for (unsigned i = 0; i < POSITIONS; i++) {
        sample_write(&samples[i], &positions[i], 0.0F);
        order[i] = i;
    }
    kernels_best()->tell(&layout, optimizer.values, samples, order, POSITIONS, logits);
    double farthest = 0.0, sum = 0.0, spread = 0.0;
    for (unsigned i = 0; i < POSITIONS; i++) {
        const double wanted = (double)logits[i] * SCALE;
        const double apart = fabs(wanted - told_by_file(&positions[i]));
        farthest = fmax(farthest, apart);
        sum += apart;
        spread += fabs(wanted);
    }
    ck_assert_double_lt(farthest, FAR_MAX);
    ck_assert_double_lt(sum / POSITIONS, MEAN_MAX);
    ck_assert_double_gt(spread / POSITIONS, 10.0); /* It says something. */
    memory_free(positions);
    memory_free(samples);
    memory_free(order);
    memory_free(logits);
    memory_free(bytes);
    gang_destroy(gang);
    optimizer_clear(&optimizer);
}
END_TEST

START_TEST(bytes_are_as_described)
{
    const struct network_shape shape = {2, 48, 3};
    ck_assert(network_layout_init(&layout, &shape));
    float *values = memory_allocate(layout.count * sizeof *values);
    values[0] = 1.0F;
    values[layout.feature_biases - 1] = -1.5F;
    values[layout.output_weights] = 5.0F; /* Held to 127. */
    values[layout.output_biases + 2] = -2.0F;
    file_make(values);
    const size_t payload = 2 * (2 * 768 + 1) * 48 + 3 * 2 * 48 + 3 * 4;
    ck_assert_mem_eq(bytes, "RookNet\0\1\0\0\0", 12);
    ck_assert_uint_eq(bytes_get32(bytes + 16), 2);
    ck_assert_uint_eq(bytes_get32(bytes + 20), 48);
    ck_assert_uint_eq(bytes_get32(bytes + 24), 3);
    ck_assert_uint_eq(bytes_get32(bytes + 28), 1);
    ck_assert_uint_eq(bytes_get32(bytes + 32), QA);
    ck_assert_uint_eq(bytes_get32(bytes + 36), QB);
    ck_assert_uint_eq(bytes_get32(bytes + 40), SCALE);
    ck_assert_uint_eq(bytes_get64(bytes + 48), payload);
    ck_assert_uint_eq(bytes_get64(bytes + 56), 0);
    ck_assert_uint_eq(length, weights_at() + payload);
    ck_assert_uint_eq(bytes_get32(bytes + 12), sizeof DESCRIPTION - 1);
    ck_assert_str_eq((const char *)bytes + 64, DESCRIPTION);
    for (unsigned square = 0; square < 64; square++)
        ck_assert_uint_eq(bytes[map_at() + square], square >= 8);
    ck_assert_int_eq(feature(0), QA);
    ck_assert_int_eq(feature(2 * 768 * 48 - 1), -382); /* -382.5, to even. */
    ck_assert_uint_eq(bytes[weights_at() + 2 * (2 * 768 + 1) * 48], 127);
    ck_assert_int_eq((int32_t)bytes_get32(bytes + length - 4), -2 * QA * QB);
    memory_free(bytes);
    memory_free(values);
}
END_TEST

Suite *suite_network_file(void)
{
    Suite *suite = suite_create("network_file");
    TCase *tcase = tcase_create("network_file");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, quantised_agrees_with_floats, 0, 2);
    tcase_add_test(tcase, bytes_are_as_described);
    suite_add_tcase(suite, tcase);
    return suite;
}
