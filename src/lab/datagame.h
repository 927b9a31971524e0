/* lab/datagame.h: one game of an engine against itself, played for its positions.
 * Random moves from the start or a Chess960 array, kept when the first search finds the position
 * about even; then its own best moves, until the laws or these rules end the game. A game depends
 * on rules and seed alone. Thread: one at a time for each player. */
#ifndef LAB_DATAGAME_H
#define LAB_DATAGAME_H

#include "lab/gamefile.h"
#include "lab/player.h"
#include "lab/referee.h"

/* Scores are centipawns. */
struct datagame_rules {
    uint32_t nodes; /* A move, about: of whole iterations, unless one takes too long. */
    uint32_t hash_mib;
    unsigned chess960_percent; /* Of games, from an array drawn at random. */
    int opening_score;         /* The first search may see nobody ahead by more. */
    struct game_rules ends;    /* plies_max, 1 to GAMEFILE_PLIES_MAX, without the opening. */
};

enum {
    DATAGAME_NODES = 1500,
    DATAGAME_NODES_MAX = 10000000,
    DATAGAME_CHESS960_PERCENT = 10,
    /* An iteration that takes the search beyond so many times its nodes is given up. */
    DATAGAME_HARD_FACTOR = 8
};

void datagame_rules_default(struct datagame_rules *out_rules);

struct datagame {
    struct gamefile_game game; /* No plies: no opening was found, or the player was stopped. */
    uint64_t nodes;            /* Searched for its moves. */
    struct gamefile_ply plies[GAMEFILE_PLIES_MAX];
};

/* What player_begin() says. */
enum rk_status datagame_play(struct player *player, const struct datagame_rules *rules,
                             uint64_t seed, const atomic_bool *stop, struct datagame *out_game);

#endif
