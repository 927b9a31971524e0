/* engine/eval.h: the one door to evaluation: a network (nnue), what is known of few men (ending),
 * and what scores are worth in games (odds).
 * Thread: any, one at a time for each struct evaluator. */
#ifndef ENGINE_EVAL_H
#define ENGINE_EVAL_H

#include "chess/position.h"
#include "engine/score.h"
#include "rookery/engine.h"

/* What a worker keeps from one evaluation to the next. All zero is one without a network. */
struct accumulators;
struct evaluator {
    struct accumulators *accumulators;
};

/* A network in the place of the one the evaluator had. RK_NO_MEMORY: it has none now. The network
 * stays its owner's. */
enum rk_status evaluator_set(struct evaluator *evaluator, const struct rk_network *network);
/* Takes its network from it: nothing is held. */
void evaluator_clear(struct evaluator *evaluator);

/* Score from the side to move, within ±SCORE_EVAL_MAX, of a position `ply` plies into the line that
 * is searched, where line[i] is the key of the position i plies in. The side to move should not be
 * in check (the value is defined, not wise). Depends on the position and the network alone. The
 * evaluator has a network. */
score_t eval_in_line(const struct position *position, struct evaluator *evaluator,
                     const zkey_t *line, int ply);

/* The same from nothing. */
score_t eval_alone(const struct position *position, const struct rk_network *network);

/* The officers on the board: 24 with all of them, 0 with pawns alone. */
enum { EVAL_PHASE_MAX = 24 };
int eval_phase(const struct position *position);

/* What a win by tablebase is told as, less the plies until it is reached. */
enum { CENTIPAWNS_WON = 20000 };

/* Evaluation units to centipawns, such that +100 is about a 50 % chance to win, always below what
 * is won by tablebase; and to win, draw, loss in thousandths that add up to 1000. Scores of mates
 * and tablebases are allowed. */
int eval_centipawns(score_t score);
void eval_wdl(score_t score, const struct position *position, uint16_t out_wdl[3]);

#endif
