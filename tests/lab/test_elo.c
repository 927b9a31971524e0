#include "lab/elo.h"

#include <math.h>

#include "lab/suites.h"

/* What is said of it was reckoned with another program. */
static const struct pentanomial SAMPLE = {{12, 102, 260, 134, 22}};

START_TEST(elo_and_score_are_each_others_inverse)
{
    ck_assert_double_eq_tol(elo_of_score(0.5), 0.0, 1e-9);
    ck_assert_double_eq_tol(elo_of_score(0.64), 99.95, 0.01);
    for (double elo = -600.0; elo <= 600.0; elo += 75.0)
        ck_assert_double_eq_tol(elo_of_score(elo_to_score(elo)), elo, 1e-6);
    ck_assert(isfinite(elo_of_score(0.0)) && isfinite(elo_of_score(1.0)));
}
END_TEST

START_TEST(an_estimate_has_the_error_of_its_pairs)
{
    struct elo_estimate estimate;
    elo_estimate(&SAMPLE, &estimate);
    ck_assert_double_eq_tol(estimate.score, 0.524528, 1e-5);
    ck_assert_double_eq_tol(estimate.score_low, 0.506667, 1e-5);
    ck_assert_double_eq_tol(estimate.score_high, 0.542159, 1e-5);
    ck_assert_double_eq_tol(estimate.elo, 17.058, 0.001);
    ck_assert_double_eq_tol(estimate.low, 4.633, 0.001);
    ck_assert_double_eq_tol(estimate.high, 29.365, 0.001);
    ck_assert_double_eq_tol(estimate.error, (estimate.high - estimate.low) / 2.0, 1e-9);
    ck_assert_double_gt(estimate.superiority, 0.99);
}
END_TEST

START_TEST(pairs_that_agree_make_less_error_than_games_that_do_not)
{
    const struct pentanomial drawn_pairs = {{0, 0, 100, 0, 0}}, wild = {{50, 0, 0, 0, 50}};
    struct elo_estimate calm, stormy;
    elo_estimate(&drawn_pairs, &calm);
    elo_estimate(&wild, &stormy);
    ck_assert_double_eq_tol(calm.elo, 0.0, 1e-6);
    ck_assert_double_eq_tol(stormy.elo, 0.0, 1e-6);
    ck_assert_double_lt(calm.error, stormy.error / 8.0);
}
END_TEST

/* The least and the greatest score by tests/match/match.py. */
START_TEST(few_pairs_and_pairs_that_end_alike_are_not_certain)
{
    static const struct {
        struct pentanomial pairs;
        double score, low, high;
    } ROWS[] = {{{{0, 0, 0, 0, 1}}, 1.0, 0.250436, 1.0},
                {{{0, 0, 0, 0, 10}}, 1.0, 0.758665, 1.0},
                {{{0, 0, 0, 0, 100}}, 1.0, 0.969442, 1.0},
                {{{3, 0, 0, 0, 0}}, 0.0, 0.0, 0.515329},
                {{{0, 0, 1, 0, 0}}, 0.5, 0.186956, 0.813044},
                {{{0, 0, 100, 0, 0}}, 0.5, 0.489311, 0.510689}};
    for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct elo_estimate estimate;
        ck_assert(elo_estimate(&ROWS[i].pairs, &estimate));
        ck_assert_double_eq(estimate.score, ROWS[i].score);
        ck_assert_double_eq_tol(estimate.score_low, ROWS[i].low, 1e-6);
        ck_assert_double_eq_tol(estimate.score_high, ROWS[i].high, 1e-6);
        ck_assert((isinf(estimate.elo) != 0) == (ROWS[i].score != 0.5));
        ck_assert((isinf(estimate.high) != 0) == (ROWS[i].high == 1.0));
        ck_assert((isinf(estimate.low) != 0) == (ROWS[i].low == 0.0));
        ck_assert(estimate.low <= estimate.elo && estimate.elo <= estimate.high);
    }
}
END_TEST

/* Half pairs are the interval's alone: what the test says of few pairs was reckoned before them. */
START_TEST(the_test_knows_no_half_pairs)
{
    const struct pentanomial few = {{0, 1, 4, 5, 2}}, won = {{0, 0, 0, 0, 1}};
    ck_assert_double_eq_tol(elo_llr(&few, 0.0, 5.0), 0.17135792, 1e-6);
    ck_assert_double_eq_tol(elo_llr(&won, 0.0, 5.0), 0.01431585, 1e-6);
}
END_TEST

START_TEST(nothing_played_is_nothing_known)
{
    const struct pentanomial none = {{0}};
    struct elo_estimate estimate = {.score = 7.0};
    ck_assert(!elo_estimate(&none, &estimate));
    ck_assert_double_eq(estimate.score, 0.0);
    ck_assert_double_eq(estimate.error, 0.0);
    ck_assert_double_eq(elo_llr(&none, 0.0, 5.0), 0.0);
}
END_TEST

/* Near the sample's mean the ratio is pairs * (s1 - s0) * (2 mean - s0 - s1) / (2 variance). */
START_TEST(the_ratio_is_that_of_the_normal_law_for_many_pairs)
{
    struct elo_estimate estimate;
    elo_estimate(&SAMPLE, &estimate);
    const double deviation = (estimate.score_high - estimate.score_low) / 2.0 / 1.959964;
    for (double elo = 2.0; elo <= 10.0; elo += 2.0) {
        const double s0 = elo_to_score(0.0), s1 = elo_to_score(elo);
        const double normal =
            (s1 - s0) * (2.0 * estimate.score - s0 - s1) / (2.0 * deviation * deviation);
        ck_assert_double_eq_tol(elo_llr(&SAMPLE, 0.0, elo), normal, 0.03 * fabs(normal));
    }
}
END_TEST

START_TEST(the_ratio_changes_its_sign_with_the_hypotheses_and_the_players)
{
    struct pentanomial turned;
    for (unsigned i = 0; i < PAIR_OUTCOMES; i++)
        turned.counts[i] = SAMPLE.counts[PAIR_OUTCOMES - 1 - i];
    const double ratio = elo_llr(&SAMPLE, 0.0, 5.0);
    ck_assert_double_gt(ratio, 0.0);
    ck_assert_double_eq_tol(elo_llr(&SAMPLE, 5.0, 0.0), -ratio, 1e-9);
    ck_assert_double_eq_tol(elo_llr(&turned, 0.0, -5.0), ratio, 1e-6);
    ck_assert_double_lt(elo_llr(&turned, 0.0, 5.0), 0.0);
}
END_TEST

START_TEST(a_test_ends_at_its_bounds)
{
    const struct sprt sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05};
    ck_assert_double_eq_tol(sprt_high(&sprt), 2.944439, 1e-5);
    ck_assert_double_eq_tol(sprt_low(&sprt), -2.944439, 1e-5);
    ck_assert_int_eq(sprt_verdict(&sprt, 2.94), SPRT_OPEN);
    ck_assert_int_eq(sprt_verdict(&sprt, -2.94), SPRT_OPEN);
    ck_assert_int_eq(sprt_verdict(&sprt, 2.95), SPRT_TAKES_ELO1);
    ck_assert_int_eq(sprt_verdict(&sprt, -2.95), SPRT_TAKES_ELO0);
    const struct pentanomial won = {{0, 0, 0, 0, 400}};
    ck_assert_int_eq(sprt_verdict(&sprt, elo_llr(&won, 0, 5)), SPRT_TAKES_ELO1);
}
END_TEST

Suite *suite_elo(void)
{
    Suite *suite = suite_create("elo");
    TCase *tcase = tcase_create("elo");
    tcase_add_test(tcase, elo_and_score_are_each_others_inverse);
    tcase_add_test(tcase, an_estimate_has_the_error_of_its_pairs);
    tcase_add_test(tcase, pairs_that_agree_make_less_error_than_games_that_do_not);
    tcase_add_test(tcase, few_pairs_and_pairs_that_end_alike_are_not_certain);
    tcase_add_test(tcase, the_test_knows_no_half_pairs);
    tcase_add_test(tcase, nothing_played_is_nothing_known);
    tcase_add_test(tcase, the_ratio_is_that_of_the_normal_law_for_many_pairs);
    tcase_add_test(tcase, the_ratio_changes_its_sign_with_the_hypotheses_and_the_players);
    tcase_add_test(tcase, a_test_ends_at_its_bounds);
    suite_add_tcase(suite, tcase);
    return suite;
}
