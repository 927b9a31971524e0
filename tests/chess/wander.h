/* tests/chess/wander.h: many different positions: random games from the perft suites' positions.
 * The same ones in every run. Thread: any. */
#ifndef TESTS_CHESS_WANDER_H
#define TESTS_CHESS_WANDER_H

#include <stdint.h>

#include "chess/position.h"

/* Visits each position of a random game of at most `plies` from every `stride`-th line of each
 * suite.
 */
void wander(unsigned stride, unsigned plies, void (*visit)(const struct position *position));

/* A position from a FEN known to be good. */
struct position wander_parse(const char *fen);

#endif
