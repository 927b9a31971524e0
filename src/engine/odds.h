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

/* Of 120 games of this engine against itself at 16,000 nodes a move, with the hand-made evaluation.
 */
static const struct odds ODDS = {.units_a_pawn = 85,
                                 .half_opening = 65,
                                 .half_ending = 125,
                                 .spread_opening = 65,
                                 .spread_ending = 50};

#endif
