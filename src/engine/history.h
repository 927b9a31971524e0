/* engine/history.h: what ordering remembers: killers, countermoves, histories. One struct, one
 * clear. A leader is lent its session's memory, a helper has one of its own; only one thread ever
 * writes it. Sources: docs/search.md, "Ordering". Thread: the worker that holds it. */
#ifndef ENGINE_HISTORY_H
#define ENGINE_HISTORY_H

#include "base/limits.h"
#include "chess/position.h"
#include "engine/correction.h"
#include "engine/score.h"

enum {
    HISTORY_MAX = 16384,
    HISTORY_SUM_MAX = 4 * HISTORY_MAX, /* The plain one and three continuations. */
    QUIETS_TRIED_MAX = 64,
    CAPTURES_TRIED_MAX = 32,
    CONTINUATIONS = 3 /* A quiet move is ordered by what was played 1, 2 and 4 plies back. */
};

/* Scores of what followed one move: [piece][to]. The move before: [piece][to]. */
typedef int16_t continuation_t[PIECE_COUNT][SQUARE_COUNT];

struct memory {
    /* By ply. Cleared at the start of each search; a node clears those two plies below it, which
     * belong to another branch. */
    move_t killers[PLY_MAX + 2][2];
    move_t countermoves[PIECE_COUNT][SQUARE_COUNT]; /* By the piece that moved and where it went. */
    /* By side, whether `from` is attacked, whether `to` is, from, to. */
    int16_t quiets[COLOR_COUNT][2][2][SQUARE_COUNT][SQUARE_COUNT];
    int16_t captures[PIECE_COUNT][SQUARE_COUNT][KIND_COUNT]; /* By piece, to, kind taken. */
    continuation_t continuations[PIECE_COUNT][SQUARE_COUNT];
    struct corrections corrections;
#ifdef ROOKERY_LAB
    uint32_t switches_off; /* Bit n: technique n of switches.h. */
    uint64_t cutoffs, first_cutoffs;
#endif
};

/* What ordering knows of a node besides its position. */
struct history_context {
    struct memory *memory;
    int ply;
    bitboard_t attacked;    /* By the opponent; 0 where that shall not count. */
    move_t previous;        /* The opponent's last move, or MOVE_NONE. */
    piece_t previous_piece; /* Who made it. */
    /* What followed the moves 1, 2 and 4 plies back; NULL: there was none (null move, root). */
    continuation_t *continuation[CONTINUATIONS];
};

void memory_clear(struct memory *memory);
/* Between searches of one game: histories fade, killers are cleared. */
void memory_age(struct memory *memory);

/* score moves toward ±HISTORY_MAX by `change` with gravity: score += change - score * |change| /
 * HISTORY_MAX. */
void history_apply(int16_t *score, int change);

/* The sum that orders a quiet move, and that prunes and reduces it; within ±HISTORY_SUM_MAX. */
int history_quiet(const struct history_context *context, const struct position *position,
                  move_t move);
/* The same for many moves at once. */
void history_quiets(const struct history_context *context, const struct position *position,
                    const move_t *moves, unsigned count, int32_t *out_scores);
/* Capture history alone. */
int history_capture(struct memory *memory, const struct position *position, move_t move);

/* What a success at `depth` is worth: depth² up to a cap. */
int history_bonus(depth_t depth);

/* Moves the scores of a quiet move that `piece` made where `context` looks from, and nothing else:
 * no killer, no countermove. |change| at most HISTORY_MAX. */
void history_quiet_change(const struct history_context *context, piece_t piece, move_t move,
                          int change);
/* The same for the plain history alone, of a move made where the opponent attacked `attacked`. */
void history_plain_change(struct memory *memory, bitboard_t attacked, piece_t piece, move_t move,
                          int change);
/* The score of a noisy move. */
void history_capture_change(struct memory *memory, const struct position *position, move_t move,
                            int change);

/* After a cutoff by `best` at `depth`: best rises; quiets tried before it fall if best is quiet;
 * captures tried fall always. Sets killer and countermove when best is quiet. The lists do not hold
 * `best`. */
void history_cutoff(const struct history_context *context, const struct position *position,
                    depth_t depth, move_t best, const move_t *quiets, unsigned quiet_count,
                    const move_t *captures, unsigned capture_count);

/* After a score within the window, by `best` at `depth`: if it is quiet it rises, and the quiets
 * that did not raise alpha fall. It refutes nothing: killers and countermove stay. */
void history_exact(const struct history_context *context, const struct position *position,
                   depth_t depth, move_t best, const move_t *quiets, unsigned quiet_count);

#endif
