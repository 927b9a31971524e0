/* With p the shares of the five outcomes and x = 0, 1/4, 1/2, 3/4, 1 their scores, the mean is sum
 * p x and its variance sum p (x - mean)^2 / pairs.
 *
 * Few pairs, or pairs that all end alike, show less variance than there is. So the estimate's
 * interval is that of the sample with half a pair more of each outcome, around that sample's mean.
 * It leans towards an even score; the score told is the sample's own, and lies within.
 *
 * For the ratio test an outcome that never came is a thousandth of a pair, so that its share can
 * grow. The test does not know the shares, only the mean that an Elo difference stands for. Under
 * each hypothesis it takes the shares that explain the sample best among those with that mean s:
 *
 *     q = p / (1 + t (x - s)),   with t such that  sum p (x - s) / (1 + t (x - s)) = 0
 *
 * That sum falls as t grows, so t is found by halving the interval in which all q are positive. The
 * ratio's logarithm is pairs * sum p log(q1 / q0). */
#include "lab/elo.h"

#include <math.h>

static const double HALF_PAIR = 0.5;
static const double NOTHING = 1e-3; /* What an outcome that never came counts as in the test. */
static const double Z_95 = 1.959964;

enum { HALVINGS = 80 };

struct sample {
    double pairs;
    double shares[PAIR_OUTCOMES];
    double mean, variance; /* Of one pair. */
};

static double outcome_score(unsigned outcome) { return outcome / (PAIR_OUTCOMES - 1.0); }

static bool is_empty(const struct pentanomial *pairs)
{
    for (unsigned i = 0; i < PAIR_OUTCOMES; i++)
        if (pairs->counts[i] > 0)
            return false;
    return true;
}

/* Of counts that have each grown by `more`, and are `least` at least. */
static struct sample sample_of(const struct pentanomial *pairs, double more, double least)
{
    struct sample sample = {.pairs = 0};
    for (unsigned i = 0; i < PAIR_OUTCOMES; i++) {
        sample.shares[i] = fmax((double)pairs->counts[i] + more, least);
        sample.pairs += sample.shares[i];
    }
    for (unsigned i = 0; i < PAIR_OUTCOMES; i++) {
        sample.shares[i] /= sample.pairs;
        sample.mean += sample.shares[i] * outcome_score(i);
    }
    for (unsigned i = 0; i < PAIR_OUTCOMES; i++) {
        const double off = outcome_score(i) - sample.mean;
        sample.variance += sample.shares[i] * off * off;
    }
    return sample;
}

double elo_of_score(double score)
{
    static const double EDGE = 1e-6;
    if (score < EDGE)
        score = EDGE;
    else if (score > 1.0 - EDGE)
        score = 1.0 - EDGE;
    return 400.0 * log10(score / (1.0 - score)); /* No -0 at a half. */
}

double elo_to_score(double elo) { return 1.0 / (1.0 + pow(10.0, -elo / 400.0)); }

static double elo_or_infinite(double score)
{
    if (score <= 0.0)
        return -INFINITY;
    return score >= 1.0 ? INFINITY : elo_of_score(score);
}

bool elo_estimate(const struct pentanomial *pairs, struct elo_estimate *out_estimate)
{
    *out_estimate = (struct elo_estimate){.score = 0};
    if (is_empty(pairs))
        return false;
    const double score = sample_of(pairs, 0.0, 0.0).mean;
    const struct sample sample = sample_of(pairs, HALF_PAIR, 0.0);
    const double deviation = sqrt(sample.variance / sample.pairs);
    const double low = sample.mean - Z_95 * deviation, high = sample.mean + Z_95 * deviation;
    out_estimate->score = score;
    out_estimate->score_low = fmax(low, 0.0);
    out_estimate->score_high = fmin(high, 1.0);
    out_estimate->elo = elo_or_infinite(score);
    out_estimate->low = elo_or_infinite(low);
    out_estimate->high = elo_or_infinite(high);
    out_estimate->error = (out_estimate->high - out_estimate->low) / 2.0;
    out_estimate->superiority = 0.5 * (1.0 + erf((sample.mean - 0.5) / deviation / sqrt(2.0)));
    return true;
}

/* The t of the opening comment for the mean `score`. */
static double tilt_of(const struct sample *sample, double score)
{
    double low = -1.0 / (1.0 - score), high = 1.0 / score;
    for (unsigned i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2.0;
        double sum = 0.0;
        for (unsigned k = 0; k < PAIR_OUTCOMES; k++) {
            const double off = outcome_score(k) - score;
            sum += sample->shares[k] * off / (1.0 + middle * off);
        }
        if (sum > 0.0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2.0;
}

double elo_llr(const struct pentanomial *pairs, double elo0, double elo1)
{
    if (is_empty(pairs))
        return 0.0;
    const struct sample sample = sample_of(pairs, 0.0, NOTHING);
    const double score0 = elo_to_score(elo0), score1 = elo_to_score(elo1);
    const double tilt0 = tilt_of(&sample, score0), tilt1 = tilt_of(&sample, score1);
    double sum = 0.0;
    for (unsigned i = 0; i < PAIR_OUTCOMES; i++) {
        const double x = outcome_score(i);
        sum += sample.shares[i] * (log1p(tilt0 * (x - score0)) - log1p(tilt1 * (x - score1)));
    }
    return sample.pairs * sum;
}

double sprt_low(const struct sprt *sprt) { return log(sprt->beta / (1.0 - sprt->alpha)); }
double sprt_high(const struct sprt *sprt) { return log((1.0 - sprt->beta) / sprt->alpha); }

enum sprt_verdict sprt_verdict(const struct sprt *sprt, double llr)
{
    if (llr >= sprt_high(sprt))
        return SPRT_TAKES_ELO1;
    return llr <= sprt_low(sprt) ? SPRT_TAKES_ELO0 : SPRT_OPEN;
}
