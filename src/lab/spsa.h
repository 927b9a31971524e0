/* lab/spsa.h: simultaneous perturbation stochastic approximation: many numbers are climbed at once
 * by comparing two settings that differ in all of them.
 * Pure: what is probed next depends on the fields below alone, so a copy goes on where it was.
 * Thread: any, one at a time for each struct. */
#ifndef LAB_SPSA_H
#define LAB_SPSA_H

#include <stdint.h>

enum { SPSA_ROWS_MAX = 256 };

/* One whole number that is searched for. */
struct spsa_row {
    double start;
    double low, high; /* Whole; low <= start <= high. */
    double step;      /* How far the last probes lie from the value, to each side; above 0. */
};

struct spsa {
    uint64_t seed;
    uint64_t iterations; /* In all, at least 1. */
    uint64_t done;
    double rate; /* Of the last iterations: steps a point of the result moves a value by. */
    unsigned count;
    struct spsa_row rows[SPSA_ROWS_MAX];
    double values[SPSA_ROWS_MAX];
};

/* Two settings to compare. */
struct spsa_probe {
    int signs[SPSA_ROWS_MAX]; /* 1 or -1: which side of the value `plus` is on. */
    int plus[SPSA_ROWS_MAX], minus[SPSA_ROWS_MAX];
};

/* Adds a row, which begins at its start. There is room for SPSA_ROWS_MAX. */
void spsa_add(struct spsa *spsa, const struct spsa_row *row);

/* How far this iteration probes from the value, and how far a point of its result moves it. */
double spsa_distance(const struct spsa *spsa, unsigned index);
double spsa_gain(const struct spsa *spsa, unsigned index);

void spsa_probe(const struct spsa *spsa, struct spsa_probe *out_probe);

/* `result`: by how many points `plus` was better than `minus`; ends the iteration. */
void spsa_learn(struct spsa *spsa, const struct spsa_probe *probe, double result);

#endif
