/* The likelihood is that of some ten thousand cells, not of millions of positions, so the plainest
 * search for its best place is quick enough: one number up or down at a time, by steps that are
 * halved when none helps. Where few games let a number run away, it is held at a limit. */
#include "lab/oddsfit.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"

enum { NUMBERS = 4, ROUNDS_MAX = 1000 };
static const double STEP_FIRST = 32.0, STEP_LAST = 0.05;
static const double HALF_MIN = 0.0, SPREAD_MIN = 1.0; /* A draw is never less than impossible. */
static const double NUMBER_MAX = ODDSFIT_SCORE_MAX;   /* Further off, nothing was counted. */
static const double CHANCE_MIN = 1e-9;
static const double GAIN_MIN = 1e-9; /* Less is rounding. */
static const double PAWN_MIN = 1.0;
static const double LOSS_MIN = 1e-3; /* All told for certain: half may be anywhere in a gap. */

static double mixed(const double ends[2], int phase)
{
    return (ends[0] * phase + ends[1] * (EVAL_PHASE_MAX - phase)) / EVAL_PHASE_MAX;
}

void oddsfit_chances(const struct oddsfit_curve *curve, double score, int phase, double out[3])
{
    const double half = mixed(curve->half, phase), spread = mixed(curve->spread, phase);
    out[2] = 1.0 / (1.0 + exp((half - score) / spread));
    out[0] = 1.0 / (1.0 + exp((half + score) / spread));
    out[1] = 1.0 - out[0] - out[2];
}

void oddsfit_add(struct oddsfit_counts *counts, int score, int phase, unsigned points)
{
    REQUIRE(phase >= 0 && phase <= EVAL_PHASE_MAX && points <= 2);
    if (abs(score) > ODDSFIT_SCORE_MAX)
        return;
    /* To the nearest bin: the middle one is that of 0. */
    const int bin = (score + ODDSFIT_SCORE_MAX + ODDSFIT_BIN_UNITS / 2) / ODDSFIT_BIN_UNITS;
    counts->cells[phase][bin][points]++;
    counts->positions++;
}

static void game_add(struct oddsfit_counts *counts, struct gamefile_cursor *cursor)
{
    const unsigned white_points = cursor->game.white_points;
    while (gamefile_next_ply(cursor)) {
        const struct position *position = cursor->position;
        if (position->checkers == 0)
            oddsfit_add(counts, cursor->score, eval_phase(position),
                        position->side == WHITE ? white_points : 2 - white_points);
    }
}

static enum gamefile_fault file_add(const struct gamefile *file, struct gamefile_cursor *cursor,
                                    struct oddsfit_counts *counts, struct gamepile_place *place)
{
    const struct gamefile_summary *summary = gamefile_summary(file);
    place->offset = summary->first_gap;
    if (summary->gaps > 0)
        return GAMEFILE_HEADER;
    place->offset = summary->bytes;
    if (summary->is_tail_broken)
        return GAMEFILE_HEADER;
    for (place->block = 0; place->block < summary->blocks; place->block++) {
        place->offset = gamefile_block(file, place->block)->offset;
        enum gamefile_fault fault = gamefile_load(file, place->block, cursor);
        while (fault == GAMEFILE_FINE && gamefile_next_game(cursor))
            game_add(counts, cursor);
        if (fault == GAMEFILE_FINE)
            fault = gamefile_cursor_fault(cursor);
        if (fault != GAMEFILE_FINE)
            return fault;
    }
    return GAMEFILE_FINE;
}

enum gamefile_fault oddsfit_count(const struct gamepile *pile, struct oddsfit_counts *counts,
                                  struct gamepile_place *out_place)
{
    struct gamefile_cursor *cursor;
    enum gamefile_fault fault = gamefile_cursor_create(&cursor);
    if (fault != GAMEFILE_FINE)
        return fault;
    for (unsigned i = 0; i < gamepile_count(pile) && fault == GAMEFILE_FINE; i++) {
        *out_place = (struct gamepile_place){.file = i};
        fault = file_add(gamepile_file(pile, i), cursor, counts, out_place);
    }
    gamefile_cursor_destroy(cursor);
    return fault;
}

/* Mean of -ln of the chance that each position's result was given. */
static double loss_of(const struct oddsfit_counts *counts, const struct oddsfit_curve *curve)
{
    double sum = 0.0;
    for (int phase = 0; phase <= EVAL_PHASE_MAX; phase++)
        for (int bin = 0; bin < ODDSFIT_BINS; bin++) {
            const uint64_t *cell = counts->cells[phase][bin];
            if (cell[0] + cell[1] + cell[2] == 0)
                continue;
            double chances[3];
            oddsfit_chances(curve, bin * ODDSFIT_BIN_UNITS - ODDSFIT_SCORE_MAX, phase, chances);
            for (unsigned points = 0; points < 3; points++)
                sum -= (double)cell[points] * log(fmax(chances[points], CHANCE_MIN));
        }
    return counts->positions == 0 ? 0.0 : sum / (double)counts->positions;
}

/* Half and spread move as they will, or for a full board and for pawns alone as one. */
static struct oddsfit_curve climb(const struct oddsfit_counts *counts, bool is_one,
                                  double *out_loss)
{
    struct oddsfit_curve curve = {.half = {100.0, 100.0}, .spread = {50.0, 50.0}};
    double loss = loss_of(counts, &curve), step = STEP_FIRST;
    for (unsigned round = 0; round < ROUNDS_MAX && step >= STEP_LAST; round++) {
        bool has_helped = false;
        for (unsigned i = 0; i < 2 * NUMBERS; i++) {
            struct oddsfit_curve next = curve;
            const unsigned number = i / 2, end = number % 2;
            double *ends = number < 2 ? next.half : next.spread;
            const double least = number < 2 ? HALF_MIN : SPREAD_MIN;
            ends[end] = fmin(fmax(ends[end] + (i % 2 == 0 ? step : -step), least), NUMBER_MAX);
            if (is_one)
                ends[1 - end] = ends[end];
            const double next_loss = loss_of(counts, &next);
            if (next_loss < loss - GAIN_MIN) {
                loss = next_loss;
                curve = next;
                has_helped = true;
            }
        }
        if (!has_helped)
            step /= 2;
    }
    *out_loss = loss;
    return curve;
}

bool oddsfit_solve(const struct oddsfit_counts *counts, struct oddsfit *out_fit)
{
    double loss;
    const struct oddsfit_curve one = climb(counts, true, &loss);
    const double half = one.half[0], spread = one.spread[0];
    if (loss < LOSS_MIN || half < PAWN_MIN || half >= NUMBER_MAX || spread <= SPREAD_MIN ||
        spread >= NUMBER_MAX)
        return false;
    out_fit->pawn = half;
    out_fit->curve = climb(counts, false, &out_fit->loss);
    return true;
}
