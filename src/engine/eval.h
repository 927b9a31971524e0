/* engine/eval.h: the one door to evaluation.
 * Behind it stands a hand-made evaluation (weights, pawns, terms, ending) until a network replaces
 * it.
 * Thread: any, one at a time for each struct eval_cache. */
#ifndef ENGINE_EVAL_H
#define ENGINE_EVAL_H

#include "chess/position.h"
#include "engine/score.h"

/* A worker's private memory of pawn structures. All zero is empty. */
enum { EVAL_PAWN_ENTRIES = 8192 };
struct eval_pawn_entry {
    zkey_t key;
    bitboard_t passed;            /* Passed pawns, both colors. */
    int32_t score;                /* A pair (weights.h), for White. */
    int16_t shelter[COLOR_COUNT]; /* Each king's, its middlegame half. */
};
struct eval_cache {
    struct eval_pawn_entry pawns[EVAL_PAWN_ENTRIES];
};

/* Score from the side to move, within ±SCORE_EVAL_MAX. The side to move should not be in check (the
 * value is defined, not wise). `cache` may not be NULL. Deterministic: depends on the position
 * alone. */
score_t eval_position(const struct position *position, struct eval_cache *cache);

/* Evaluation units to centipawns, such that +100 is about a 50 % chance to win, and to win, draw,
 * loss in thousandths that add up to 1000. Scores of mates and tablebases are allowed. */
int eval_centipawns(score_t score);
void eval_wdl(score_t score, const struct position *position, uint16_t out_wdl[3]);

#endif
