/* Climbing a hill whose top is known, in the fog of results that are mostly luck. */
#include "lab/spsa.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "lab/suites.h"

enum { ROWS = 3, GAMES = 16, ITERATIONS = 3000 };

static const double TOP[ROWS] = {30.0, 500.0, 7.0};

static struct spsa spsa;
static uint64_t luck;

static void setup(void)
{
    memset(&spsa, 0, sizeof spsa);
    spsa.seed = 5;
    spsa.iterations = ITERATIONS;
    spsa.rate = 0.02;
    spsa_add(&spsa, &(struct spsa_row){.start = 90, .low = 0, .high = 100, .step = 5});
    spsa_add(&spsa, &(struct spsa_row){.start = 100, .low = 0, .high = 1000, .step = 50});
    spsa_add(&spsa, &(struct spsa_row){.start = 1, .low = 1, .high = 10, .step = 0.5});
    luck = 99;
}

static double height(const int *values)
{
    double sum = 0.0;
    for (unsigned i = 0; i < ROWS; i++) {
        const double off = (values[i] - TOP[i]) / (spsa.rows[i].high - spsa.rows[i].low);
        sum -= off * off;
    }
    return sum;
}

/* Points of the higher one in games that it wins a little more often than by chance. */
static double result_of(const struct spsa_probe *probe)
{
    const double share = 0.5 + 0.4 * tanh(2.0 * (height(probe->plus) - height(probe->minus)));
    int points = 0;
    for (unsigned i = 0; i < GAMES; i++)
        points += (double)random_below(&luck, 1000000) < share * 1e6 ? 1 : -1;
    return points;
}

static void run(uint64_t until)
{
    struct spsa_probe probe;
    while (spsa.done < until) {
        spsa_probe(&spsa, &probe);
        spsa_learn(&spsa, &probe, result_of(&probe));
    }
}

START_TEST(it_finds_the_top_of_a_hill_in_fog)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        setup();
        spsa.seed = seed;
        run(ITERATIONS);
        for (unsigned i = 0; i < ROWS; i++) {
            const double range = spsa.rows[i].high - spsa.rows[i].low;
            ck_assert_msg(fabs(spsa.values[i] - TOP[i]) < 0.15 * range, "seed %d, row %u: %f",
                          (int)seed, i, spsa.values[i]);
        }
    }
}
END_TEST

START_TEST(the_same_seed_takes_the_same_way)
{
    struct spsa_probe first, second;
    run(50);
    const struct spsa kept = spsa;
    setup();
    run(50);
    ck_assert_mem_eq(spsa.values, kept.values, sizeof kept.values);
    spsa_probe(&spsa, &first);
    spsa_probe(&kept, &second);
    ck_assert_mem_eq(first.plus, second.plus, ROWS * sizeof *first.plus);
    setup();
    spsa.seed++;
    run(50);
    ck_assert(memcmp(spsa.values, kept.values, sizeof kept.values) != 0);
}
END_TEST

START_TEST(nothing_leaves_its_range)
{
    struct spsa_probe probe;
    for (int sign = -1; sign <= 1; sign += 2) {
        setup();
        for (unsigned k = 0; k < 300; k++) {
            spsa_probe(&spsa, &probe);
            for (unsigned i = 0; i < ROWS; i++) {
                const struct spsa_row *row = &spsa.rows[i];
                ck_assert_int_ge(probe.plus[i], (int)row->low);
                ck_assert_int_le(probe.plus[i], (int)row->high);
                ck_assert_int_ge(probe.minus[i], (int)row->low);
                ck_assert_int_le(probe.minus[i], (int)row->high);
            }
            spsa_learn(&spsa, &probe, sign * probe.signs[1] * 1000.0); /* Row 1 flees. */
            for (unsigned i = 0; i < ROWS; i++) {
                ck_assert_double_ge(spsa.values[i], spsa.rows[i].low);
                ck_assert_double_le(spsa.values[i], spsa.rows[i].high);
            }
        }
        ck_assert_double_eq(spsa.values[1], sign > 0 ? spsa.rows[1].high : spsa.rows[1].low);
    }
}
END_TEST

START_TEST(distance_and_gain_end_at_what_was_asked_for)
{
    const double wide = spsa_distance(&spsa, 0), bold = spsa_gain(&spsa, 0);
    spsa.done = ITERATIONS - 1;
    ck_assert_double_eq_tol(spsa_distance(&spsa, 0), 5.0, 1e-12);
    ck_assert_double_eq_tol(spsa_gain(&spsa, 0), 0.02 * 5.0, 1e-12);
    ck_assert_double_eq_tol(wide, 5.0 * pow(ITERATIONS, 0.101), 1e-9);
    ck_assert_double_gt(bold, 0.02 * 5.0);
}
END_TEST

/* A row whose probes are nearer than whole numbers are is still seen, on average. */
START_TEST(probes_are_rounded_by_lot)
{
    struct spsa_probe probe;
    double sum = 0.0;
    spsa.values[2] = 4.3;
    for (spsa.done = 0; spsa.done < 2000; spsa.done++) {
        spsa_probe(&spsa, &probe);
        ck_assert(probe.signs[2] == 1 ? probe.plus[2] >= probe.minus[2]
                                      : probe.plus[2] <= probe.minus[2]);
        sum += probe.plus[2] + probe.minus[2];
    }
    ck_assert_double_eq_tol(sum / 4000.0, 4.3, 0.05);
}
END_TEST

START_TEST(a_draw_moves_nothing)
{
    struct spsa_probe probe;
    const struct spsa before = spsa;
    spsa_probe(&spsa, &probe);
    spsa_learn(&spsa, &probe, 0.0);
    ck_assert_mem_eq(spsa.values, before.values, sizeof before.values);
    ck_assert_uint_eq(spsa.done, 1);
}
END_TEST

Suite *suite_spsa(void)
{
    Suite *suite = suite_create("spsa");
    TCase *tcase = tcase_create("spsa");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, it_finds_the_top_of_a_hill_in_fog);
    tcase_add_test(tcase, the_same_seed_takes_the_same_way);
    tcase_add_test(tcase, nothing_leaves_its_range);
    tcase_add_test(tcase, distance_and_gain_end_at_what_was_asked_for);
    tcase_add_test(tcase, probes_are_rounded_by_lot);
    tcase_add_test(tcase, a_draw_moves_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
