/* engine/accumulator.h: the network's first layer, kept from one evaluation to the next.
 * An accumulator is the sum of one row for each man, as one side sees them. It belongs to a board,
 * not to a path: what is kept stands beside the board it was made from, and the next one is made
 * from the nearest board known, by the men that differ. So nothing is done when a move is made, and
 * nothing that is kept can be wrong.
 * Thread: one for each struct accumulators; the network is shared. */
#ifndef ENGINE_ACCUMULATOR_H
#define ENGINE_ACCUMULATOR_H

#include "chess/position.h"
#include "engine/network.h"

struct accumulators;

/* For plies 0 to PLY_MAX. NULL: no memory. */
struct accumulators *accumulators_create(const struct rk_network *network);
void accumulators_destroy(struct accumulators *accumulators); /* NULL is fine. */
const struct rk_network *accumulators_network(const struct accumulators *accumulators);

/* A side's accumulators, network->width numbers each: by color. */
struct accumulator_pair {
    const int16_t *of[COLOR_COUNT];
};

/* Those of `position`, `ply` plies into the line that is searched; line[0 … ply - 1] are the keys
 * of the positions before it there. The keys only say where to look first. Valid until the next
 * call for the same ply. */
struct accumulator_pair accumulators_at(struct accumulators *accumulators,
                                        const struct position *position, const zkey_t *line,
                                        int ply);

/* The same from nothing, into out_values[color]; each stands on NETWORK_ALIGNMENT. */
void accumulators_sum(const struct rk_network *network, const struct position *position,
                      int16_t out_values[COLOR_COUNT][NETWORK_UNITS_MAX]);

#endif
