/* A curve is found again from what it foretells, and files are counted from the mover's side. */
#include "lab/oddsfit.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/crop.h"
#include "lab/suites.h"

enum { GAMES = 40, PLIES = 60, CROWD = 2000 };

static struct oddsfit_counts *counts;
static char path[CROP_PATH_BYTES];

static void setup(void)
{
    counts = memory_allocate(sizeof *counts);
    ck_assert_ptr_nonnull(counts);
    crop_path(path);
}

static void teardown(void)
{
    memory_free(counts);
    unlink(path);
}

/* Every cell has as many results of each kind as the curve says. */
static void fill(const struct oddsfit_curve *curve)
{
    for (int phase = 0; phase <= EVAL_PHASE_MAX; phase++)
        for (int bin = 0; bin < ODDSFIT_BINS; bin++) {
            double chances[3];
            oddsfit_chances(curve, bin * ODDSFIT_BIN_UNITS - ODDSFIT_SCORE_MAX, phase, chances);
            for (unsigned points = 0; points < 3; points++) {
                const uint64_t count = (uint64_t)lround(chances[points] * CROWD);
                counts->cells[phase][bin][points] = count;
                counts->positions += count;
            }
        }
}

START_TEST(chances_are_whole_and_even)
{
    const struct oddsfit_curve curve = {.half = {80, 120}, .spread = {60, 40}};
    double here[3], there[3];
    for (int score = -400; score <= 400; score += 50) {
        oddsfit_chances(&curve, score, 10, here);
        oddsfit_chances(&curve, -score, 10, there);
        ck_assert_double_eq_tol(here[0] + here[1] + here[2], 1.0, 1e-12);
        ck_assert_double_eq_tol(here[0], there[2], 1e-12);
        ck_assert_double_ge(here[1], 0.0);
    }
    oddsfit_chances(&curve, 80, EVAL_PHASE_MAX, here);
    ck_assert_double_eq_tol(here[2], 0.5, 1e-12);
    oddsfit_chances(&curve, 120, 0, here);
    ck_assert_double_eq_tol(here[2], 0.5, 1e-12);
}
END_TEST

START_TEST(a_curve_is_found_again)
{
    const struct oddsfit_curve curve = {.half = {66, 131}, .spread = {71, 45}};
    struct oddsfit fit;
    fill(&curve);
    ck_assert(oddsfit_solve(counts, &fit));
    for (unsigned end = 0; end < 2; end++) {
        ck_assert_double_eq_tol(fit.curve.half[end], curve.half[end], 1.0);
        ck_assert_double_eq_tol(fit.curve.spread[end], curve.spread[end], 1.0);
    }
    ck_assert_double_gt(fit.pawn, curve.half[0]);
    ck_assert_double_lt(fit.pawn, curve.half[1]);
    ck_assert_double_gt(fit.loss, 0.0);
}
END_TEST

/* The same results at scores `apart` from 0 on both sides, in halves of points: of the lower, of
 * the higher one. */
static void results_add(int apart, unsigned low, unsigned high)
{
    for (int phase = 0; phase <= EVAL_PHASE_MAX; phase++) {
        oddsfit_add(counts, -apart, phase, low);
        oddsfit_add(counts, apart, phase, high);
    }
}

/* Each lets half or spread run away: by draws alone, by none, by results that no score tells; or
 * half may be anywhere in a gap of the scores. */
START_TEST(what_no_game_tells_is_not_found)
{
    struct oddsfit fit;
    for (int apart = _i == 4 ? 900 : 0; apart <= ODDSFIT_SCORE_MAX; apart += 20) {
        if (_i == 0)
            results_add(apart, 1, 1);
        else
            results_add(apart, 0, 2);
        if (_i == 2 || _i == 3)
            results_add(apart, 2, 0);
        if (_i == 3)
            results_add(apart, 1, 1);
    }
    ck_assert(!oddsfit_solve(counts, &fit));
}
END_TEST

START_TEST(scores_have_their_bins)
{
    oddsfit_add(counts, ODDSFIT_SCORE_MAX + 1, 3, 2);
    oddsfit_add(counts, -ODDSFIT_SCORE_MAX - 1, 3, 0);
    ck_assert_uint_eq(counts->positions, 0);
    oddsfit_add(counts, ODDSFIT_SCORE_MAX, 3, 2);
    oddsfit_add(counts, -ODDSFIT_SCORE_MAX, 3, 0);
    oddsfit_add(counts, 0, 3, 1);
    oddsfit_add(counts, 1, 3, 1);
    oddsfit_add(counts, -2, 3, 1);
    ck_assert_uint_eq(counts->positions, 5);
    ck_assert_uint_eq(counts->cells[3][ODDSFIT_BINS - 1][2], 1);
    ck_assert_uint_eq(counts->cells[3][0][0], 1);
    ck_assert_uint_eq(counts->cells[3][ODDSFIT_BINS / 2][1], 3);
}
END_TEST

/* What a second reader of the file counts: the same positions, the same points for the mover. */
START_TEST(files_are_counted_from_the_mover_s_side)
{
    const char *paths[] = {path};
    struct gamepile *pile;
    struct gamepile_place place;
    struct gamefile_cursor *cursor;
    uint64_t points_seen[3] = {0}, points[3] = {0};
    crop_write(path, 0, GAMES, PLIES, GAMEFILE_BLOCK_BYTES);
    ck_assert_int_eq(gamepile_open(paths, 1, &pile, &place), GAMEFILE_FINE);
    ck_assert_int_eq(oddsfit_count(pile, counts, &place), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_cursor_create(&cursor), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_load(gamepile_file(pile, 0), 0, cursor), GAMEFILE_FINE);
    while (gamefile_next_game(cursor)) {
        while (gamefile_next_ply(cursor)) {
            const unsigned white = cursor->game.white_points;
            const bool is_white = cursor->position->side == WHITE;
            if (cursor->position->checkers == 0 && abs(cursor->score) <= ODDSFIT_SCORE_MAX)
                points_seen[is_white ? white : 2 - white]++;
        }
    }
    for (int phase = 0; phase <= EVAL_PHASE_MAX; phase++)
        for (int bin = 0; bin < ODDSFIT_BINS; bin++)
            for (unsigned i = 0; i < 3; i++)
                points[i] += counts->cells[phase][bin][i];
    ck_assert_uint_gt(counts->positions, 0);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(points[i], points_seen[i]);
    gamefile_cursor_destroy(cursor);
    gamepile_close(pile);
}
END_TEST

Suite *suite_oddsfit(void)
{
    Suite *suite = suite_create("oddsfit");
    TCase *tcase = tcase_create("oddsfit");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, chances_are_whole_and_even);
    tcase_add_test(tcase, a_curve_is_found_again);
    tcase_add_loop_test(tcase, what_no_game_tells_is_not_found, 0, 5);
    tcase_add_test(tcase, scores_have_their_bins);
    tcase_add_test(tcase, files_are_counted_from_the_mover_s_side);
    suite_add_tcase(suite, tcase);
    return suite;
}
