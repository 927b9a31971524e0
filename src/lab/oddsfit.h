/* lab/oddsfit.h: what scores are worth in games: the constants of engine/odds.h, from games.
 * For a score s (units, the mover's) the mover wins with 1 / (1 + e^((half - s) / spread)), loses
 * with the same of -s, and draws else. `half` and `spread` are mixed by the officers on the board
 * (eval_phase()), from a full board to pawns alone. The four numbers are those under which the
 * results of the games are likeliest. Such models are published with Stockfish's win rate model.
 * Thread: any, one at a time for each struct oddsfit_counts. */
#ifndef LAB_ODDSFIT_H
#define LAB_ODDSFIT_H

#include "engine/eval.h"
#include "lab/gamepile.h"

enum {
    ODDSFIT_SCORE_MAX = 1000, /* Beyond it, games are as good as decided: left out. */
    ODDSFIT_BIN_UNITS = 4,
    ODDSFIT_BINS = 2 * ODDSFIT_SCORE_MAX / ODDSFIT_BIN_UNITS + 1
};

/* Positions by phase, score and the mover's halves of points in the end. Some 300 KB; all zero is
 * empty. */
struct oddsfit_counts {
    uint64_t positions;
    uint64_t cells[EVAL_PHASE_MAX + 1][ODDSFIT_BINS][3];
};

struct oddsfit_curve {
    double half[2], spread[2]; /* Of a full board, of pawns alone. */
};

struct oddsfit {
    struct oddsfit_curve curve;
    double pawn; /* Units that win half of all games, whatever is on the board. */
    double loss; /* Of the curve: mean of -ln of what the result was given. */
};

void oddsfit_add(struct oddsfit_counts *counts, int score, int phase, unsigned points);
/* All positions of the pile that are not in check. As gamepile_merge() does, refuses what is not
 * whole. */
enum gamefile_fault oddsfit_count(const struct gamepile *pile, struct oddsfit_counts *counts,
                                  struct gamepile_place *out_place);
/* False: the results do not tell what a pawn is, as draws are missing, or nothing else came, or
 * scores have nothing to do with them. */
bool oddsfit_solve(const struct oddsfit_counts *counts, struct oddsfit *out_fit);

/* The mover's chances of 0, 1 and 2 halves of points. */
void oddsfit_chances(const struct oddsfit_curve *curve, double score, int phase, double out[3]);

#endif
