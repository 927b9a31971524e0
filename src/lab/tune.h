/* lab/tune.h: rows of the search, climbed by SPSA over games of the engine against itself.
 * Each iteration is a few pairs between two players that differ in the rows alone. Their openings
 * are counted on from iteration to iteration, so with limits in nodes or depth a run is what its
 * fields and the template say, on any number of threads and however often it was broken off.
 * Thread: one caller, who waits inside tune_iterate(). */
#ifndef LAB_TUNE_H
#define LAB_TUNE_H

#include "lab/selfplay.h"
#include "lab/spsa.h"

enum {
    TUNE_TEXT_BYTES = 1024,
    TUNE_ITERATIONS = 1000,
    TUNE_ITERATIONS_MAX = 10000000,
    TUNE_PAIRS = 8,
    TUNE_PAIRS_MAX = 100000
};
#define TUNE_RATE     0.002
#define TUNE_RATE_MAX 10.0

struct tune {
    struct spsa spsa;
    unsigned rows[SPSA_ROWS_MAX]; /* What each of spsa's stands for, in engine/rows.h. */
    uint64_t pairs;               /* In an iteration. */
    /* What the template was made of, for who goes on with the run later. */
    uint64_t nodes;
    uint64_t opening_plies;
    uint64_t openings_count;        /* In the file; 0: random openings. */
    uint64_t openings_checksum;     /* book_checksum(). */
    char openings[TUNE_TEXT_BYTES]; /* The file. */
    char options[TUNE_TEXT_BYTES];  /* Of both players, lab/player_options.h. */
};

/* All as above, no row yet. */
void tune_default(struct tune *out_tune);

/* A row as it is built and ranges, without a step. */
void tune_row_default(unsigned row, struct spsa_row *out_row);
/* A step of 0 stands for a twentieth of the range, but not below half. RK_BAD_ARGUMENT: the row is
 * there already, or not low <= start <= high within its own range, or the step is below 0 or above
 * the range. */
enum rk_status tune_add_row(struct tune *tune, unsigned row, const struct spsa_row *wanted);

/* The next iteration: games as in `selfplay`, whose first player's settings are those of both.
 * Nothing is learnt when a hook ended it early: out_state->pairs are then fewer than tune->pairs.
 * As selfplay_run(). */
enum rk_status tune_iterate(struct tune *tune, const struct selfplay *selfplay,
                            struct selfplay_state *out_state);

/* Whether the two differ in nothing but how far they have come. */
bool tune_is_same_run(const struct tune *a, const struct tune *b);

/* A row's value as an engine takes it. */
int tune_value(const struct tune *tune, unsigned index);

#endif
