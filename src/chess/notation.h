/* chess/notation.h: moves as coordinate text, read with a position at hand.
 * Thread: any. */
#ifndef CHESS_NOTATION_H
#define CHESS_NOTATION_H

#include <stddef.h>

#include "chess/position.h"

/* The legal move that `text` names (see rk_game_play), or MOVE_NONE. */
move_t notation_parse(const struct position *position, const char *text, size_t length);

#endif
