/* support/referee.h: whether what a server says are legal moves of the game it was asked about.
 * Thread: any. */
#ifndef TESTS_SUPPORT_REFEREE_H
#define TESTS_SUPPORT_REFEREE_H

#include <stdbool.h>

#include "rookery/game.h"

/* Whether every word of `moves`, of which there is one at least, is legal when played after those
 * before it; "ponder" between them is passed over. The game stays as it is. */
bool referee_allows(const struct rk_game *game, const char *moves);

/* The same for a position and a whole line "bestmove …". */
bool referee_allows_at(const char *fen, const char *line);

#endif
