#include "engine/eval.h"

#include "chess/game.h"
#include "engine/ending.h"
#include "engine/nnue.h"
#include "engine/odds.h"
#include "rookery/engine.h"

enum { PHASE_MINOR = 1, PHASE_ROOK = 2, PHASE_QUEEN = 4 };
enum { PERMILLE = 1000 };

int eval_phase(const struct position *position)
{
    const bitboard_t *kinds = position->kinds;
    const int phase = PHASE_MINOR * (int)bits_count(kinds[KNIGHT] | kinds[BISHOP]) +
                      PHASE_ROOK * (int)bits_count(kinds[ROOK]) +
                      PHASE_QUEEN * (int)bits_count(kinds[QUEEN]);
    return phase < EVAL_PHASE_MAX ? phase : EVAL_PHASE_MAX;
}

static int mix(int opening, int ending, int phase)
{
    return (opening * phase + ending * (EVAL_PHASE_MAX - phase)) / EVAL_PHASE_MAX;
}

static score_t with_endings(const struct position *position, score_t score)
{
    return bits_count(position_all(position)) <= ENDING_MEN_MAX ? ending_score(position, score)
                                                                : score;
}

score_t eval_in_line(const struct position *position, struct evaluator *evaluator,
                     const zkey_t *line, int ply)
{
    return with_endings(position, nnue_at(evaluator->accumulators, position, line, ply));
}

score_t eval_alone(const struct position *position, const struct rk_network *network)
{
    return with_endings(position, nnue_alone(network, position));
}

enum rk_status evaluator_set(struct evaluator *evaluator, const struct rk_network *network)
{
    evaluator_clear(evaluator);
    evaluator->accumulators = accumulators_create(network);
    return evaluator->accumulators == NULL ? RK_NO_MEMORY : RK_OK;
}

void evaluator_clear(struct evaluator *evaluator)
{
    accumulators_destroy(evaluator->accumulators);
    evaluator->accumulators = NULL;
}

int eval_centipawns(score_t score)
{
    const int most = CENTIPAWNS_WON - PLY_MAX - 1;
    const int centipawns = score * 100 / ODDS.units_a_pawn;
    if (centipawns > most)
        return most;
    return centipawns < -most ? -most : centipawns;
}

/* 1000 / (1 + e^-(x / spread)), from its values at each half, in whole numbers so that every
 * machine says the same. */
static int logistic_permille(int x, int spread)
{
    enum { STEPS = 16 };
    static const int16_t halves[STEPS + 1] = {500, 622, 731, 818, 881, 924, 953, 971, 982,
                                              989, 993, 996, 998, 998, 999, 999, 1000};
    const int distance = x < 0 ? -x : x;
    const int step = distance * 2 / spread;
    int value = PERMILLE;
    if (step < STEPS) {
        const int rest = distance * 2 - step * spread;
        value = halves[step] + (halves[step + 1] - halves[step]) * rest / spread;
    }
    return x < 0 ? PERMILLE - value : value;
}

void eval_wdl(score_t score, const struct position *position, uint16_t out_wdl[3])
{
    const int phase = eval_phase(position);
    const int half = mix(ODDS.half_opening, ODDS.half_ending, phase);
    const int spread = mix(ODDS.spread_opening, ODDS.spread_ending, phase);
    const int win = logistic_permille(score - half, spread);
    const int loss = logistic_permille(-score - half, spread);
    out_wdl[0] = (uint16_t)win;
    out_wdl[1] = (uint16_t)(PERMILLE - win - loss);
    out_wdl[2] = (uint16_t)loss;
}

int32_t rk_evaluate(const struct rk_game *game, const struct rk_network *network)
{
    struct rk_network *built_in = NULL;
    score_t score = 0;
    if (network == NULL && network_built_in(&built_in) == RK_OK)
        network = built_in;
    if (network != NULL)
        score = eval_alone(&game->position, network);
    network_destroy(built_in);
    return eval_centipawns(score);
}
