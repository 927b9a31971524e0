/* lab/player.h: an engine of one thread with a table and memory of its own, and what sets it apart.
 * Two players in one process know nothing of each other; what one answers depends on its settings
 * and on what it was asked since player_begin(), and with limits in nodes or depth on nothing else.
 * Thread: one at a time for each player; `stop` any. */
#ifndef LAB_PLAYER_H
#define LAB_PLAYER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/rows.h"
#include "engine/score.h"
#include "engine/switches.h"
#include "rookery/engine.h"

struct player;

/* What a move may cost; 0: no limit of that kind. At least one is set. */
struct player_limits {
    uint64_t nodes;
    uint64_t soft_nodes; /* No iteration begins that would end past so many if it cost as much as
                          * the one before it; the one under way is finished. */
    uint32_t depth;
    int64_t movetime_ms;
    int64_t time_ms; /* A clock for the whole game, and what each move adds to it. */
    int64_t increment_ms;
};

enum { PLAYER_PATH_BYTES_MAX = 1024 };

struct player_settings {
    struct player_limits limits;
    uint32_t hash_mib;
    uint32_t elo;          /* 0: full strength. */
    bool keeps_history;    /* From move to move as it is, not halved: that costs a tenth of a search
                              of a thousand nodes. */
    uint32_t switches_off; /* Techniques of ordering, a bit each (engine/switches.h). */
    struct rows rows;      /* In a build for tuning; elsewhere they are constants. */
    char eval_file[PLAYER_PATH_BYTES_MAX]; /* A network's; "": the one that is built in. */
    const struct rk_network *network; /* What was read from it, or NULL. It outlives the player. */
};

enum { PLAYER_HASH_MIB = 8, PLAYER_HASH_MIB_MAX = 4096, PLAYER_NODES = 8000 };

/* The limits above, in nodes; all of them on, the table PLAYER_HASH_MIB. */
void player_settings_default(struct player_settings *out_settings);

/* RK_NO_MEMORY, RK_BAD_ARGUMENT. `stop`, when not NULL, ends a search early once it is true. */
enum rk_status player_create(uint32_t hash_mib, const atomic_bool *stop,
                             struct player **out_player);
void player_destroy(struct player *player); /* NULL is fine. */

/* A new game: table and memory are empty. `seed` is for the choices of a weak player.
 * RK_NO_MEMORY: the table, or what its network needs, could not be had. */
enum rk_status player_begin(struct player *player, const struct player_settings *settings,
                            uint64_t seed);

struct player_answer {
    rk_move_t move; /* RK_MOVE_NONE: there is none. */
    bool is_mate;   /* score is in moves, as a report has it. */
    int32_t score;  /* Centipawns, from the side to move. */
    score_t value;  /* The same as the search has it. */
    uint32_t depth;
    uint64_t nodes;
    int64_t time_us;                 /* By the clock. */
    int64_t cpu_us;                  /* Of this thread. */
    uint64_t cutoffs, first_cutoffs; /* Nodes that a move refuted; by the first one tried. */
};

/* Searches one position of the game that was begun. */
void player_think(struct player *player, const struct rk_game *game, const struct rk_limits *limits,
                  struct player_answer *out_answer);

/* The same by a plain alpha-beta (lab/plain.h), which knows no limit but depth. */
void player_think_plain(struct player *player, const struct rk_game *game, uint32_t depth,
                        struct player_answer *out_answer);

/* The static evaluation of any position, in centipawns, after player_begin(). */
int32_t player_evaluate(const struct player *player, const struct rk_game *game);

#endif
