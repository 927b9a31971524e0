/* engine/odds.h: what a score is worth in games: constants of a model that is fitted to games, in
 * one struct that a fit can write anew. A win is as likely as not at `half` units, and how fast
 * that changes is the spread of a logistic curve; both are mixed by the officers on the board, from
 * a full board to pawns alone. Thread: any. */
#ifndef ENGINE_ODDS_H
#define ENGINE_ODDS_H

#include <stdint.h>

struct odds {
    int32_t units_a_pawn; /* +1.00: what wins half of all games, on the average. */
    int32_t half_opening, half_ending;
    int32_t spread_opening, spread_ending;
};

/* Of 541 games that `rookery datagen --nodes 6000` played, some 12,000 nodes a move, by
 * `rookery odds`. */
static const struct odds ODDS = {.units_a_pawn = 74,
                                 .half_opening = 37,
                                 .half_ending = 124,
                                 .spread_opening = 46,
                                 .spread_ending = 31};

#endif
