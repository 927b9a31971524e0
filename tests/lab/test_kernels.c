/* The inner loops against a network written down once more, in doubles and straight from the
 * positions; and every level of the architecture against the plain one, bit for bit. */
#include "lab/kernels.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "chess/chess.h"
#include "lab/lesson.h"
#include "lab/suites.h"

enum { SAMPLES = 64, HIDDEN_MAX = 1024 };

static struct network_layout layout;
static struct position positions[SAMPLES];
static struct sample samples[SAMPLES];
static uint32_t order[SAMPLES];
static float *values, *gradient;

static void begin(unsigned areas, unsigned hidden, unsigned buckets)
{
    const struct network_shape shape = {.areas = areas, .hidden = hidden, .buckets = buckets};
    chess_init();
    ck_assert(network_layout_init(&layout, &shape));
    values = memory_allocate(layout.count * sizeof *values);
    gradient = memory_allocate(layout.count * sizeof *gradient);
    network_float_draw(&layout, 3, values);
    uint64_t random = 9;
    for (size_t i = layout.feature_biases; i < layout.output_weights; i++)
        values[i] += (float)random_below(&random, 100) / 200.0F - 0.25F;
    for (unsigned i = 0; i < buckets; i++)
        values[layout.output_biases + i] = 0.1F * (float)(i + 1);
    lesson_positions(100, SAMPLES, positions);
    for (unsigned i = 0; i < SAMPLES; i++) {
        sample_write(&samples[i], &positions[i], (float)random_below(&random, 1000) / 1000.0F);
        order[i] = SAMPLES - 1 - i;
    }
}

static void end(void)
{
    memory_free(values);
    memory_free(gradient);
}

/* By docs/network.md: a man as perspective `c` sees it. */
static size_t input_of(const struct position *p, color_t c, square_t square)
{
    unsigned king = position_king(p, c), s = square;
    if (c == BLACK) {
        king ^= 56;
        s ^= 56;
    }
    if (king % 8 >= 4) {
        king ^= 7;
        s ^= 7;
    }
    const piece_t piece = p->board[square];
    return layout.areas_by_king[king] * 768u + (piece_color(piece) == c ? 0u : 384u) +
           piece_kind(piece) * 64u + s;
}

/* The squared error of one position with weight `moved` moved by `by`. */
static double error_of(unsigned index, size_t moved, double by)
{
    const struct position *p = &positions[index];
    const size_t hidden = layout.shape.hidden;
    const unsigned men = bits_count(position_all(p));
    const size_t bucket = (men - 2) * layout.shape.buckets / 31;
#define VALUE(i) ((double)values[i] + ((i) == moved ? by : 0.0))
    double output = VALUE(layout.output_biases + bucket);
    for (unsigned view = 0; view < 2; view++) {
        const color_t c = (color_t)(p->side ^ view);
        for (size_t h = 0; h < hidden; h++) {
            double sum = VALUE(layout.feature_biases + h);
            for (square_t square = 0; square < SQUARE_COUNT; square++)
                if (p->board[square] != PIECE_NONE)
                    sum += VALUE(input_of(p, c, square) * hidden + h);
            const double a = fmin(fmax(sum, 0.0), 1.0);
            output += a * a * VALUE(layout.output_weights + (bucket * 2 + view) * hidden + h);
        }
    }
#undef VALUE
    const double points = 1.0 / (1.0 + exp(-output)),
                 error = points - (double)samples[index].target;
    return error * error;
}

static double errors_of(size_t moved, double by)
{
    double errors = 0.0;
    for (unsigned i = 0; i < SAMPLES; i++)
        errors += error_of(i, moved, by);
    return errors;
}

START_TEST(inputs_are_those_of_the_format)
{
    begin(8, 16, 1);
    for (unsigned i = 0; i < SAMPLES; i++) {
        const struct position *p = &positions[i];
        struct sample_inputs inputs;
        sample_read(&layout, &samples[i], &inputs);
        ck_assert_uint_eq(inputs.count, bits_count(position_all(p)));
        ck_assert_uint_eq(samples[i].count, inputs.count);
        bool own[8 * 768] = {false}, other[8 * 768] = {false};
        for (unsigned n = 0; n < inputs.count; n++)
            own[inputs.own[n]] = other[inputs.other[n]] = true;
        for (square_t square = 0; square < SQUARE_COUNT; square++)
            if (p->board[square] != PIECE_NONE) {
                ck_assert(own[input_of(p, p->side, square)]);
                ck_assert(other[input_of(p, p->side ^ 1u, square)]);
            }
    }
    end();
}
END_TEST

/* A weight of each part that is in use, and its slope by central differences. */
START_TEST(gradient_is_that_of_finite_differences)
{
    static const double STEP = 1e-5;
    enum { CHECKS = 60 };
    begin(4, 48, 4);
    const double errors = kernels_best()->learn(&layout, values, samples, order, SAMPLES, gradient);
    ck_assert_double_eq_tol(errors, errors_of(SIZE_MAX, 0.0), 1e-5);
    const size_t starts[] = {0, layout.feature_biases, layout.output_weights, layout.output_biases,
                             layout.output_biases + layout.shape.buckets};
    uint64_t random = 4;
    for (unsigned part = 0; part < 4; part++) {
        unsigned used = 0;
        for (unsigned tries = 0; tries < 4000 && used < CHECKS; tries++) {
            const size_t length = starts[part + 1] - starts[part];
            const size_t i = starts[part] + random_below(&random, length);
            if (part == 0 && fabsf(gradient[i]) < 1e-4F)
                continue; /* Most inputs are off in all of them. */
            const double slope = (errors_of(i, STEP) - errors_of(i, -STEP)) / (2.0 * STEP);
            ck_assert_double_eq_tol((double)gradient[i], slope, 1e-4 + 1e-3 * fabs(slope));
            used++;
        }
        ck_assert_uint_eq(used, CHECKS);
    }
    end();
}
END_TEST

/* An input that is on nowhere has no slope. */
START_TEST(what_is_off_does_not_move)
{
    begin(2, 32, 1);
    bool is_on[2 * 768] = {false};
    for (unsigned i = 0; i < SAMPLES; i++)
        for (square_t square = 0; square < SQUARE_COUNT; square++)
            for (color_t c = 0; c < COLOR_COUNT; c++)
                if (positions[i].board[square] != PIECE_NONE)
                    is_on[input_of(&positions[i], c, square)] = true;
    (void)kernels_best()->learn(&layout, values, samples, order, SAMPLES, gradient);
    unsigned moves[2] = {0, 0};
    for (size_t i = 0; i < layout.feature_biases; i++)
        moves[is_on[i / 32]] += gradient[i] < 0.0F || gradient[i] > 0.0F;
    ck_assert_uint_eq(moves[false], 0);
    ck_assert_uint_gt(moves[true], 1000);
    end();
}
END_TEST

static bool is_zero(const float *row)
{
    bool is_so = true;
    for (size_t i = 0; i < layout.count; i++)
        is_so &= row[i] >= 0.0F && row[i] <= 0.0F;
    return is_so;
}

/* A few steps with one level: the weights. */
static void steps_take(const struct kernels *kernels, float *out_values, float *out_logits)
{
    const size_t bytes = layout.count * sizeof(float);
    float *rows[4], *slices[2];
    for (unsigned i = 0; i < 4; i++)
        rows[i] = memory_allocate(bytes);
    slices[0] = rows[2];
    slices[1] = rows[3];
    memcpy(out_values, values, bytes);
    const struct kernels_rows all = {.values = out_values,
                                     .means = rows[0],
                                     .powers = rows[1],
                                     .gradients = slices,
                                     .slices = 2};
    const struct kernels_step step = {.rate = 0.01F,
                                      .decay = 0.001F,
                                      .beta1 = 0.9F,
                                      .beta2 = 0.99F,
                                      .mean_scale = 2.0F,
                                      .power_scale = 3.0F,
                                      .epsilon = 1e-8F,
                                      .gradient_scale = 1.0F / SAMPLES,
                                      .bound = 1.98F};
    for (unsigned i = 0; i < 3; i++) {
        kernels->learn(&layout, out_values, samples, order, SAMPLES / 2, slices[0]);
        kernels->learn(&layout, out_values, samples, order + SAMPLES / 2, SAMPLES / 2, slices[1]);
        kernels->step(&step, &all, 0, layout.count);
        ck_assert(is_zero(slices[0]) && is_zero(slices[1]));
    }
    kernels->tell(&layout, out_values, samples, order, SAMPLES, out_logits);
    for (unsigned i = 0; i < 4; i++)
        memory_free(rows[i]);
}

START_TEST(levels_give_the_same_bits)
{
    static const unsigned HIDDENS[] = {16, 32, 80, 128, 272};
    const struct kernels *all[KERNELS_LEVELS_MAX];
    const unsigned count = kernels_all(all);
    for (unsigned i = 0; i < sizeof HIDDENS / sizeof *HIDDENS; i++) {
        float wanted_logits[SAMPLES], logits[SAMPLES];
        begin(2, HIDDENS[i], 3);
        const size_t bytes = layout.count * sizeof(float);
        float *wanted = memory_allocate(bytes), *got = memory_allocate(bytes);
        steps_take(all[0], wanted, wanted_logits);
        ck_assert_mem_ne(wanted, values, bytes);
        for (unsigned level = 1; level < count; level++) {
            steps_take(all[level], got, logits);
            ck_assert_mem_eq(got, wanted, bytes);
            ck_assert_mem_eq(logits, wanted_logits, sizeof logits);
        }
        memory_free(wanted);
        memory_free(got);
        end();
    }
}
END_TEST

START_TEST(shapes_that_cannot_be_are_refused)
{
    static const struct network_shape BAD[] = {{3, 128, 1},  {0, 128, 1}, {1, 0, 1},  {1, 8, 1},
                                               {1, 1040, 1}, {1, 128, 0}, {1, 128, 9}};
    for (unsigned i = 0; i < sizeof BAD / sizeof *BAD; i++)
        ck_assert(!network_layout_init(&layout, &BAD[i]));
    const struct network_shape greatest = {8, NETWORK_HIDDEN_MAX, 8};
    ck_assert(network_layout_init(&layout, &greatest));
    ck_assert_uint_eq(network_bucket(&layout, 2), 0);
    ck_assert_uint_eq(network_bucket(&layout, 32), 7);
}
END_TEST

Suite *suite_kernels(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("kernels");
    tcase_add_test(tests, inputs_are_those_of_the_format);
    tcase_add_test(tests, gradient_is_that_of_finite_differences);
    tcase_add_test(tests, what_is_off_does_not_move);
    tcase_add_test(tests, levels_give_the_same_bits);
    tcase_add_test(tests, shapes_that_cannot_be_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
