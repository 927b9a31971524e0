#include "load/spread.h"

static const int64_t US_MAX = (int64_t)1 << 40;

/* Values below SPREAD_STEPS have cells of their own; each octave after them uses the upper half of
 * the next SPREAD_STEPS cells. */
static unsigned cell_of(uint64_t us)
{
    unsigned shift = 0;
    while (us >> shift >= SPREAD_STEPS)
        shift++;
    return shift * SPREAD_STEPS + (unsigned)(us >> shift);
}

static int64_t last_of(unsigned cell)
{
    const unsigned shift = cell / SPREAD_STEPS;
    return (((int64_t)(cell % SPREAD_STEPS) + 1) << shift) - 1;
}

void spread_add(struct spread *spread, int64_t us)
{
    us = us < 0 ? 0 : us;
    us = us < US_MAX ? us : US_MAX - 1;
    spread->cells[cell_of((uint64_t)us)]++;
    spread->count++;
    if (us > spread->most_us)
        spread->most_us = us;
}

int64_t spread_at(const struct spread *spread, unsigned permille)
{
    const uint64_t wanted = (spread->count * permille + 999) / 1000;
    uint64_t seen = 0;
    if (spread->count == 0)
        return 0;
    for (unsigned cell = 0; cell < SPREAD_STEPS * SPREAD_OCTAVES; cell++) {
        seen += spread->cells[cell];
        if (seen >= wanted && seen > 0)
            return last_of(cell) < spread->most_us ? last_of(cell) : spread->most_us;
    }
    return spread->most_us;
}
