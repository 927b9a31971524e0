/* Evaluation is a sum of pairs, middlegame and endgame, mixed by the officers left on the board
 * (Chess Programming Wiki, "Tapered Eval"), then scaled by what endings are known to be worth. */
#include "engine/eval.h"

#include "base/memory.h"
#include "chess/game.h"
#include "engine/ending.h"
#include "engine/nnue.h"
#include "engine/odds.h"
#include "engine/pawns.h"
#include "engine/terms.h"
#include "engine/weights.h"
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

static score_t eval_by_hand(const struct position *position, struct eval_cache *cache)
{
    const struct eval_pawn_entry *pawns = pawns_probe(position, cache);
    const pair_t pair = pawns->score + terms_score(position, pawns);
    score_t score = mix(pair_mg(pair), pair_eg(pair), eval_phase(position));
    score += position->side == WHITE ? WEIGHTS.tempo : -WEIGHTS.tempo;
    score = score * ending_scale(position, score > 0 ? WHITE : BLACK) / ENDING_SCALE_FULL;
    score += ending_drive(position, WHITE) - ending_drive(position, BLACK);
    score = position->side == WHITE ? score : -score;
    if (score > SCORE_EVAL_MAX)
        return SCORE_EVAL_MAX;
    return score < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : score;
}

score_t eval_position(const struct position *position, struct evaluator *evaluator)
{
    if (evaluator->accumulators == NULL)
        return eval_by_hand(position, &evaluator->cache);
    return nnue_alone(accumulators_network(evaluator->accumulators), position);
}

score_t eval_in_line(const struct position *position, struct evaluator *evaluator,
                     const zkey_t *line, int ply)
{
    if (evaluator->accumulators == NULL)
        return eval_by_hand(position, &evaluator->cache);
    return nnue_at(evaluator->accumulators, position, line, ply);
}

enum rk_status evaluator_set(struct evaluator *evaluator, const struct rk_network *network)
{
    evaluator_clear(evaluator);
    if (network == NULL)
        return RK_OK;
    evaluator->accumulators = accumulators_create(network);
    return evaluator->accumulators == NULL ? RK_NO_MEMORY : RK_OK;
}

void evaluator_clear(struct evaluator *evaluator)
{
    accumulators_destroy(evaluator->accumulators);
    evaluator->accumulators = NULL;
}

int eval_centipawns(score_t score) { return score * 100 / ODDS.units_a_pawn; }

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

static score_t eval_built_in(const struct position *position)
{
    score_t score = 0;
    struct rk_network *network = NULL;
    struct eval_cache *cache = memory_allocate(sizeof *cache);
    if (cache != NULL && network_built_in(&network) == RK_OK)
        score = network == NULL ? eval_by_hand(position, cache) : nnue_alone(network, position);
    network_destroy(network);
    memory_free(cache);
    return score;
}

int32_t rk_evaluate(const struct rk_game *game, const struct rk_network *network)
{
    const struct position *position = &game->position;
    return eval_centipawns(network == NULL ? eval_built_in(position)
                                           : nnue_alone(network, position));
}
