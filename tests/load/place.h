/* load/place.h: a position to ask about, and the `position` command that tells it.
 * Drawn at random, so that hardly two clients ask about the same.
 * Thread: one, one at a time for each place. */
#ifndef TESTS_LOAD_PLACE_H
#define TESTS_LOAD_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "rookery/game.h"

enum { PLACE_BYTES_MAX = 4096, PLACE_PLIES_MAX = 400 };

struct place {
    struct rk_game *game;
    size_t length;
    unsigned plies;             /* Moves in `text`. */
    bool chess960;              /* How moves are written. */
    char text[PLACE_BYTES_MAX]; /* Without its LF. */
};

enum rk_status place_create(struct place *place); /* RK_NO_MEMORY */
void place_destroy(struct place *place);

/* Some random moves from the start of chess, told as moves or as a FEN; the game is not over. */
void place_draw(struct place *place, uint64_t *random);
/* The same from one of the starts of Chess960. */
void place_draw_960(struct place *place, uint64_t *random);

/* Plays on. At most PLACE_PLIES_MAX in all. */
void place_play(struct place *place, rk_move_t move);

#endif
