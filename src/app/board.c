#include "app/board.h"

void board_line(const struct rk_game *game, int line, char out_text[BOARD_LINE_BYTES])
{
    char *end = out_text;
    const int rank = 7 - line;
    *end++ = rank >= 0 ? (char)('1' + rank) : ' ';
    *end++ = ' ';
    for (int file = 0; file < 8; file++) {
        *end++ = ' ';
        *end++ = rank >= 0 ? rk_game_square(game, (unsigned)(rank * 8 + file)) : (char)('a' + file);
    }
    *end = '\0';
}

void board_print(const struct rk_game *game, FILE *out)
{
    char text[BOARD_LINE_BYTES];
    for (int line = 0; line < BOARD_LINES; line++) {
        board_line(game, line, text);
        fprintf(out, "%s\n", text);
    }
}
