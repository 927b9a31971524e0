/* In iteration k, from 0, of N all values x are probed at once, each at a distance c to one side or
 * the other, drawn by lot (s = 1 or -1). The result y, points of x + c s less points of x - c s,
 * tells of the slope along s; what it says of each single value is noise but for its own part,
 * which adds up over iterations:
 *
 *     c = step · (N / (k + 1))^0.101
 *     g = rate · step² / c · ((A + N) / (A + k + 1))^0.602,   A = N / 10
 *     x moves by g · s · y, and stays in its range
 *
 * so that at the end c is `step` and g is `rate` steps a point. Engines take whole numbers: x + c s
 * and x - c s are rounded by one lot for both, up as often as their fractions say, so that also a
 * small c is seen on average.
 *
 * Sources: James C. Spall, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
 * Gradient Approximation", 1992, and "Implementation of the Simultaneous Perturbation Algorithm",
 * 1998, whose exponents and A these are; Chess Programming Wiki, "SPSA"; `step` and `rate` are told
 * of the last iteration as fishtest does. */
#include "lab/spsa.h"

#include <math.h>

#include "base/check.h"
#include "base/random.h"

static const double ALPHA = 0.602;
static const double GAMMA = 0.101;
static const double STABILITY = 0.1; /* A, as a share of the iterations. */

static double clamp(double value, const struct spsa_row *row)
{
    return value < row->low ? row->low : value > row->high ? row->high : value;
}

void spsa_add(struct spsa *spsa, const struct spsa_row *row)
{
    REQUIRE(spsa->count < SPSA_ROWS_MAX);
    spsa->rows[spsa->count] = *row;
    spsa->values[spsa->count++] = row->start;
}

double spsa_distance(const struct spsa *spsa, unsigned index)
{
    const double left = (double)spsa->iterations / ((double)spsa->done + 1.0);
    return spsa->rows[index].step * pow(left, GAMMA);
}

double spsa_gain(const struct spsa *spsa, unsigned index)
{
    const double all = (double)spsa->iterations, settling = STABILITY * all;
    const double left = (settling + all) / (settling + (double)spsa->done + 1.0);
    const double step = spsa->rows[index].step;
    return spsa->rate * step * step / spsa_distance(spsa, index) * pow(left, ALPHA);
}

void spsa_probe(const struct spsa *spsa, struct spsa_probe *out_probe)
{
    uint64_t state = spsa->seed;
    state = random_next(&state) ^ spsa->done;
    for (unsigned i = 0; i < spsa->count; i++) {
        const struct spsa_row *row = &spsa->rows[i];
        const int sign = random_next(&state) >> 63 != 0 ? 1 : -1;
        const double lot = (double)(random_next(&state) >> 11) * 0x1p-53;
        const double away = spsa_distance(spsa, i) * sign;
        out_probe->signs[i] = sign;
        out_probe->plus[i] = (int)clamp(floor(spsa->values[i] + away + lot), row);
        out_probe->minus[i] = (int)clamp(floor(spsa->values[i] - away + lot), row);
    }
}

void spsa_learn(struct spsa *spsa, const struct spsa_probe *probe, double result)
{
    for (unsigned i = 0; i < spsa->count; i++) {
        const double move = spsa_gain(spsa, i) * probe->signs[i] * result;
        spsa->values[i] = clamp(spsa->values[i] + move, &spsa->rows[i]);
    }
    spsa->done++;
}
