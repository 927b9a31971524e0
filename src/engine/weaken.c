#include "engine/weaken.h"

#include <stdlib.h>

#include "base/random.h"

enum {
    ELO_STEP = 200,
    STEPS = (WEAKEN_ELO_MAX - WEAKEN_ELO_MIN) / ELO_STEP,
    DICE = 4,
    DIE_SIDES = 2001, /* Four of them are near enough to a bell. */
    DICE_DEVIATION = 1155
};

/* One row a step of ELO_STEP, from WEAKEN_ELO_MIN. Games of neighbours: `./dev figures elo`. */
static const struct weakness STEP[STEPS + 1] = {
    {280, 130, 14}, {650, 96, 12}, {1030, 78, 10}, {1430, 66, 8}, {1850, 59, 6},
    {2350, 50, 5},  {3050, 43, 4}, {5000, 29, 4},  {6300, 25, 3}, {9000, 18, 3},
};

struct weakness weaken_to(unsigned elo)
{
    if (elo <= WEAKEN_ELO_MIN)
        return STEP[0];
    if (elo >= WEAKEN_ELO_MAX)
        return STEP[STEPS];
    const unsigned above = (elo - WEAKEN_ELO_MIN) % ELO_STEP;
    const struct weakness *low = &STEP[(elo - WEAKEN_ELO_MIN) / ELO_STEP];
    const struct weakness *high = low + 1;
    return (struct weakness){
        .nodes = low->nodes + (high->nodes - low->nodes) * above / ELO_STEP,
        .noise = low->noise - (low->noise - high->noise) * (int)above / ELO_STEP,
        .lines = low->lines,
    };
}

static int throw_dice(uint64_t *seed, int deviation)
{
    int64_t sum = -(int64_t)DICE * (DIE_SIDES - 1) / 2;
    for (int i = 0; i < DICE; i++)
        sum += (int64_t)random_below(seed, DIE_SIDES);
    return (int)(sum * deviation / DICE_DEVIATION);
}

void weaken_see(struct worker *worker, int noise)
{
    uint64_t seed = worker->seed ^ worker->root_key;
    for (int i = 0; i < worker->root_count; i++) {
        struct root_move *root = &worker->root_moves[i];
        root->score = root->told == SCORE_NONE ? -SCORE_INFINITE : root->told;
        if (abs(root->score) < SCORE_TB_BOUND) {
            const score_t seen = root->score + throw_dice(&seed, noise);
            root->score = seen > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
                          : seen < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                                   : seen;
        }
    }
}
