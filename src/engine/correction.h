/* engine/correction.h: what the static evaluation gets wrong, by features of the position.
 * When a search has finished a node, the difference between its score and the static evaluation is
 * kept under the pawns, the minor pieces, each side's officers and the last two moves; positions
 * that share a feature are corrected by it. Cells are running means with the gravity of
 * history_apply(), so they stay within ±CORRECTION_MAX; several are added and scaled to evaluation
 * units.
 * Source: Chess Programming Wiki, "Static Evaluation Correction History".
 * Thread: the worker that holds the memory. */
#ifndef ENGINE_CORRECTION_H
#define ENGINE_CORRECTION_H

#include "chess/position.h"
#include "engine/score.h"

enum { CORRECTION_MAX = 1024, CORRECTION_CELLS = 16384 };

typedef int16_t correction_t[COLOR_COUNT][CORRECTION_CELLS]; /* By the side to move. */

struct corrections {
    correction_t pawns;
    correction_t minors;                /* Knights, bishops and kings. */
    correction_t officers[COLOR_COUNT]; /* Of White, of Black: all but pawns. */
    correction_t moves;                 /* The last two, by piece and square. */
};

/* The cells that a node reads and teaches. */
struct correction_cells {
    int16_t *pawns, *minors, *officers[COLOR_COUNT];
    int16_t *moves; /* NULL when fewer than two moves led here. */
};

/* `last_moves`: a number that tells the last two moves from others, 0 when there are none. */
void correction_find(struct corrections *corrections, const struct position *position,
                     uint64_t last_moves, struct correction_cells *out_cells);

/* What the evaluation is to be changed by, in evaluation units. */
int correction_read(const struct correction_cells *cells);

/* `miss`: the search's score less the corrected evaluation, at `depth`. */
void correction_teach(const struct correction_cells *cells, int miss, depth_t depth);

#endif
