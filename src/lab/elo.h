/* lab/elo.h: what pairs of games tell of two players: Elo with its error, and when it is enough.
 * Both games of a pair have one opening, so their results are not independent, but pairs are: the
 * statistics are of pairs, five outcomes each.
 * Sources: Chess Programming Wiki, "Match Statistics", "Sequential Probability Ratio Test"; the
 * mathematics of fishtest as its authors describe it (pentanomial model, generalised ratio test
 * after Van den Bergh); half a count more of each outcome: Jeffreys' prior for shares, and A.
 * Agresti, Y. Min, "Simple improved confidence intervals for comparing matched proportions",
 * Statistics in Medicine 24, 2005. tests/match/match.py reckons the same interval. Thread: any. */
#ifndef LAB_ELO_H
#define LAB_ELO_H

#include <stdbool.h>
#include <stdint.h>

/* Pairs in which the first player made 0, 1/2, 1, 1 1/2, 2 points. */
enum { PAIR_OUTCOMES = 5 };
struct pentanomial {
    uint64_t counts[PAIR_OUTCOMES];
};

struct elo_estimate {
    double score;                 /* Mean points a game, 0 to 1. */
    double score_low, score_high; /* The 95 % interval. */
    double elo;                   /* Infinite, as its bounds, where the score is 0 or 1. */
    double low, high;             /* The 95 % interval. */
    double error;                 /* Half its width. */
    double superiority; /* Likelihood that the first player is the stronger one, 0 to 1. */
};

/* Elo difference at which the first player scores so much, and the other way; 0 < score < 1. */
double elo_of_score(double score);
double elo_to_score(double elo);

/* False, and all zero, without a pair. */
bool elo_estimate(const struct pentanomial *pairs, struct elo_estimate *out_estimate);

/* Logarithm of how much better `elo1` explains the pairs than `elo0`. 0 without a pair. */
double elo_llr(const struct pentanomial *pairs, double elo0, double elo1);

/* A test of elo1 against elo0, each wrongly taken at most so often. */
struct sprt {
    double elo0, elo1;
    double alpha; /* elo1 taken although elo0 is true. */
    double beta;  /* elo0 taken although elo1 is true. */
};
enum sprt_verdict { SPRT_OPEN, SPRT_TAKES_ELO0, SPRT_TAKES_ELO1 };

double sprt_low(const struct sprt *sprt); /* At or below: elo0. */
double sprt_high(const struct sprt *sprt);
enum sprt_verdict sprt_verdict(const struct sprt *sprt, double llr);

#endif
