/* chess/game.h: what stands behind struct rk_game: a position and its past, a plain value.
 * Thread: any, one at a time for each game. */
#ifndef CHESS_GAME_H
#define CHESS_GAME_H

#include "base/limits.h"
#include "chess/position.h"
#include "rookery/game.h"

struct rk_game {
    struct position position;
    uint16_t key_count;        /* Keys below, the present position not among them. */
    bool is_castling_chess960; /* A king or rook with rights stands where standard chess has it not.
                                */
    zkey_t keys[KEYS_MAX]; /* Positions since the last irreversible move, oldest first; when full
                              the oldest goes. */
};

/* Plays a legal move. */
void game_play(struct rk_game *game, move_t move);

/* How often the present position stood before, within the keys kept. */
unsigned game_repetitions(const struct rk_game *game);

#endif
