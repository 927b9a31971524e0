/* lab/arena.h: pairs of games between two players: one opening, both colours.
 * A pair depends on the settings, the rules, the opening and the seed alone (with limits in nodes
 * or depth), so pairs may be played in any order, on any number of threads.
 * Thread: one at a time for each arena. */
#ifndef LAB_ARENA_H
#define LAB_ARENA_H

#include "lab/book.h"
#include "lab/player.h"
#include "lab/referee.h"

enum { GAME_PLIES_MAX = 1024, GAMES_PER_PAIR = 2 };

/* Rules that rarely change a result. */
void arena_rules_default(struct game_rules *out_rules);

struct game_move {
    move_t move;
    int16_t score;  /* From who moves: centipawns; from GAME_SCORE_MATE on down: a mate in so many.
                     */
    uint16_t depth; /* 0: a move of the opening. */
    uint32_t nodes;
    uint32_t time_us;
};
enum { GAME_SCORE_MAX = 30000, GAME_SCORE_MATE = 32000 }; /* 32000 - n: mate in n. */

struct game_record {
    struct opening opening;
    bool is_first_white; /* The first player had White. */
    enum game_end end;
    unsigned white_points; /* In halves: 0, 1, 2. */
    unsigned count;        /* The opening's moves among them. */
    struct game_move moves[GAME_PLIES_MAX];
};

struct arena;

/* RK_NO_MEMORY. When `stop` is true, games end unfinished. May be NULL. */
enum rk_status arena_create(const atomic_bool *stop, struct arena **out_arena);
void arena_destroy(struct arena *arena); /* NULL is fine. */

/* A random opening from the start position: `plies` moves drawn by `seed`, such that a short search
 * sees nobody ahead by more than arena_opening's bound. */
void arena_opening(struct arena *arena, unsigned plies, uint64_t seed, struct opening *out_opening);

/* Plays both games; the first player has White in the first. *out_points are its halves of points,
 * 0 to 4. RK_NO_MEMORY: a table could not be had. Records of games that `stop` ended have end
 * GAME_STOPPED. */
enum rk_status arena_play_pair(struct arena *arena, const struct player_settings settings[2],
                               const struct game_rules *rules, const struct opening *opening,
                               uint64_t seed, struct game_record out_records[GAMES_PER_PAIR],
                               unsigned *out_points);

#endif
