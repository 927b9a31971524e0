/* lab/pgn.h: games written down.
 * Source: the Portable Game Notation standard, 1994. Thread: one at a time for each file. */
#ifndef LAB_PGN_H
#define LAB_PGN_H

#include <stdio.h>

#include "lab/arena.h"

/* Appends a game; behind each move that was thought about stand score and depth: {+0.31/9}. `round`
 * from 1, `names` of the first player and the second. False: it could not be written. */
bool pgn_write(FILE *file, const struct game_record *record, const char *const names[2],
               uint64_t round);

#endif
