/* app/board.h: a small board of letters for people.
 * Thread: any. */
#ifndef APP_BOARD_H
#define APP_BOARD_H

#include <stdio.h>

#include "rookery/game.h"

enum { BOARD_LINES = 9, BOARD_LINE_BYTES = 32 };

/* Line 0 is the eighth rank, line 8 names the files. With its final zero, no LF. */
void board_line(const struct rk_game *game, int line, char out_text[BOARD_LINE_BYTES]);

void board_print(const struct rk_game *game, FILE *out);

#endif
