/* engine/tablebase.h: what Syzygy tablebases know of positions with few men.
 * There is one set for the process, since Fathom, which reads them, keeps its state in globals. So
 * who searches enters and leaves, and another set is opened only while nobody is inside. In a build
 * without Fathom (tablebase_none.c) there is never a set.
 * Thread: any, as each function says. */
#ifndef ENGINE_TABLEBASE_H
#define ENGINE_TABLEBASE_H

#include "chess/position.h"
#include "rookery/engine.h"

/* Opens what rk_tablebases_open says, in the place of what was open. RK_BUSY while a search is
 * inside, RK_BAD_ARGUMENT for a path too long, RK_NO_TABLEBASES. */
enum rk_status tablebase_open(const char *path, struct rk_tablebases *out_tablebases);

/* Around a search: cold, and it may wait while a set is being opened. */
void tablebase_enter(void);
void tablebase_leave(void);

/* Inside. */

/* Positions of so many men may be known; 0: none. */
unsigned tablebase_men(void);

/* Results for the side to move, as stored for a fifty-move counter of nought. */
enum {
    TABLEBASE_LOSS = -2,
    TABLEBASE_LOSS_TOO_LATE = -1, /* A draw by the fifty-move rule. */
    TABLEBASE_DRAW = 0,
    TABLEBASE_WIN_TOO_LATE = 1,
    TABLEBASE_WIN = 2
};
/* The result of a position without castling rights, of at most tablebase_men() men. False: it is
 * not known. Neither locks nor allocates; it may wait for the disk. */
bool tablebase_probe(const struct position *position, int *out_result);

/* How good a root move is: a higher rank is better, and among equal ones any will do. */
enum {
    TABLEBASE_RANK_SURE = 1000, /* Won, or minus that lost, well within the fifty-move rule. */
    TABLEBASE_RANK_BOUND = 900  /* The rank is SURE less the plies that will be on the counter when
                                   the win is safe: past this it comes too late. */
};
struct tablebase_move {
    move_t move;
    int rank;
};
enum tablebase_answer {
    TABLEBASE_UNKNOWN,
    TABLEBASE_RESULTS,  /* Ranks by result alone: SURE, less than BOUND, or a draw's 0. */
    TABLEBASE_DISTANCES /* Ranks by the distance to the next capture or pawn move as well. */
};
/* Ranks all legal moves of a root without castling rights. `has_repeated`: a position has come
 * twice since the last capture or pawn move, so progress must be made. Locks; not for a node. */
enum tablebase_answer tablebase_rank(const struct position *root, bool has_repeated,
                                     bool uses_fifty, struct tablebase_move *moves, int count);

#endif
