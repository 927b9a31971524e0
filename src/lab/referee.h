/* lab/referee.h: when a game of the lab is over, and how: by the laws of chess, or called so when
 * both sides have seen the same for long. Thread: one at a time for each referee. */
#ifndef LAB_REFEREE_H
#define LAB_REFEREE_H

#include "chess/game.h"

/* When a game that is not over is called so. Scores are centipawns. */
struct game_rules {
    unsigned plies_max;    /* A draw by then; 1 or more. */
    int resign_score;      /* Lost: both sides have seen at least this, above 0, */
    unsigned resign_plies; /* for so many plies on end; 0: never. */
    int draw_score;        /* Drawn: neither side has seen more than this, */
    unsigned draw_plies;   /* for so many plies on end, 0: never, */
    unsigned draw_from;    /* the last of them at this ply of the game or later. */
};

enum game_end {
    GAME_CHECKMATE,
    GAME_STALEMATE,
    GAME_REPETITION,
    GAME_FIFTY,
    GAME_MATERIAL, /* Neither side could mate. */
    GAME_RESIGNED, /* By the rules above. */
    GAME_AGREED,   /* The same for a draw. */
    GAME_TOO_LONG,
    GAME_TIME, /* The side to move overstepped its clock: not for a referee to see. */
    GAME_STOPPED
};

/* Plies on end, up to the last, in which both sides have seen the same. */
struct referee {
    const struct game_rules *rules;
    unsigned winning[COLOR_COUNT];
    unsigned even;
};

/* `rules` must last. */
void referee_begin(struct referee *out_referee, const struct game_rules *rules);
/* What `mover` saw, of its own side, before a move that it thought about; a mate is a high score.
 */
void referee_note(struct referee *referee, color_t mover, int centipawns);
/* Whether the game is over as it stands. `played` plies count for rules.plies_max, `ply` is how far
 * from the start of the game it is. *out_white_points are halves: 0, 1, 2. */
bool referee_ends(const struct referee *referee, const struct rk_game *game, unsigned played,
                  unsigned ply, enum game_end *out_end, unsigned *out_white_points);

#endif
