#include "lab/tune.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

static_assert((int)ROW_COUNT <= (int)SPSA_ROWS_MAX, "all rows at once");

static const double STEPS_IN_RANGE = 20.0;
static const double STEP_MIN = 0.5; /* Whole numbers that differ by one. */

void tune_default(struct tune *out_tune)
{
    *out_tune = (struct tune){
        .spsa = {.seed = 1, .iterations = TUNE_ITERATIONS, .rate = TUNE_RATE},
        .pairs = TUNE_PAIRS,
        .nodes = PLAYER_NODES,
        .opening_plies = SELFPLAY_OPENING_PLIES,
    };
}

void tune_row_default(unsigned row, struct spsa_row *out_row)
{
    const struct row *known = row_at(row);
    *out_row = (struct spsa_row){.start = known->value, .low = known->low, .high = known->high};
}

/* Comparisons that a number which is none fails. */
static bool is_good_row(const struct row *known, const struct spsa_row *wanted)
{
    return wanted->low >= known->low && wanted->high <= known->high && wanted->low < wanted->high &&
           wanted->start >= wanted->low && wanted->start <= wanted->high &&
           floor(wanted->low) >= wanted->low && ceil(wanted->high) <= wanted->high &&
           wanted->step > 0.0 && wanted->step <= wanted->high - wanted->low;
}

enum rk_status tune_add_row(struct tune *tune, unsigned row, const struct spsa_row *wanted)
{
    for (unsigned i = 0; i < tune->spsa.count; i++)
        if (tune->rows[i] == row)
            return RK_BAD_ARGUMENT;
    struct spsa_row added = *wanted;
    if (added.step == 0.0)
        added.step = fmax((added.high - added.low) / STEPS_IN_RANGE, STEP_MIN);
    if (!is_good_row(row_at(row), &added))
        return RK_BAD_ARGUMENT;
    tune->rows[tune->spsa.count] = row;
    spsa_add(&tune->spsa, &added);
    return RK_OK;
}

enum rk_status tune_iterate(struct tune *tune, const struct selfplay *selfplay,
                            struct selfplay_state *out_state)
{
    struct spsa_probe probe;
    struct selfplay games = *selfplay;
    games.players[1] = games.players[0];
    games.seed = tune->spsa.seed;
    games.first_pair = tune->spsa.done * tune->pairs;
    games.pairs_max = tune->pairs;
    games.has_sprt = false;
    spsa_probe(&tune->spsa, &probe);
    for (unsigned i = 0; i < tune->spsa.count; i++)
        REQUIRE(rows_set(&games.players[0].rows, tune->rows[i], probe.plus[i]) &&
                rows_set(&games.players[1].rows, tune->rows[i], probe.minus[i]));
    const enum rk_status status = selfplay_run(&games, out_state);
    if (status == RK_OK && out_state->pairs == tune->pairs)
        spsa_learn(&tune->spsa, &probe, (double)out_state->wins - (double)out_state->losses);
    return status;
}

static bool is_same_row(const struct spsa_row *a, const struct spsa_row *b)
{
    return a->start == b->start && a->low == b->low && a->high == b->high && a->step == b->step;
}

bool tune_is_same_run(const struct tune *a, const struct tune *b)
{
    for (unsigned i = 0; i < a->spsa.count && i < b->spsa.count; i++)
        if (a->rows[i] != b->rows[i] || !is_same_row(&a->spsa.rows[i], &b->spsa.rows[i]))
            return false;
    return a->spsa.count == b->spsa.count && a->spsa.iterations == b->spsa.iterations &&
           a->spsa.seed == b->spsa.seed && a->spsa.rate == b->spsa.rate && a->pairs == b->pairs &&
           a->nodes == b->nodes && a->opening_plies == b->opening_plies &&
           a->openings_count == b->openings_count && a->openings_checksum == b->openings_checksum &&
           strcmp(a->openings, b->openings) == 0 && strcmp(a->options, b->options) == 0;
}

int tune_value(const struct tune *tune, unsigned index)
{
    return (int)lround(tune->spsa.values[index]);
}
