/* Evaluation is a sum of pairs, middlegame and endgame, mixed by the officers left on the board
 * (Chess Programming Wiki, "Tapered Eval"), then scaled by what endings are known to be worth. */
#include "engine/eval.h"

#include "base/memory.h"
#include "chess/game.h"
#include "engine/ending.h"
#include "engine/pawns.h"
#include "engine/terms.h"
#include "engine/weights.h"
#include "rookery/engine.h"

enum { PHASE_MINOR = 1, PHASE_ROOK = 2, PHASE_QUEEN = 4, PHASE_MAX = 24 };

/* Of 120 games of this engine against itself at 16,000 nodes a move: where a win is as likely as
 * not, and how far that is spread, with a full board and with pawns alone. A pawn of centipawns is
 * what wins half on the average. Provisional until the network. */
enum {
    UNITS_A_PAWN = 85,
    WIN_HALF_OPENING = 65,
    WIN_HALF_ENDING = 125,
    WIN_SPREAD_OPENING = 65,
    WIN_SPREAD_ENDING = 50,
    PERMILLE = 1000
};

static int eval_phase(const struct position *position)
{
    const bitboard_t *kinds = position->kinds;
    const int phase = PHASE_MINOR * (int)bits_count(kinds[KNIGHT] | kinds[BISHOP]) +
                      PHASE_ROOK * (int)bits_count(kinds[ROOK]) +
                      PHASE_QUEEN * (int)bits_count(kinds[QUEEN]);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

static int mix(int opening, int ending, int phase)
{
    return (opening * phase + ending * (PHASE_MAX - phase)) / PHASE_MAX;
}

score_t eval_position(const struct position *position, struct eval_cache *cache)
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

int eval_centipawns(score_t score) { return score * 100 / UNITS_A_PAWN; }

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
    const int half = mix(WIN_HALF_OPENING, WIN_HALF_ENDING, phase);
    const int spread = mix(WIN_SPREAD_OPENING, WIN_SPREAD_ENDING, phase);
    const int win = logistic_permille(score - half, spread);
    const int loss = logistic_permille(-score - half, spread);
    out_wdl[0] = (uint16_t)win;
    out_wdl[1] = (uint16_t)(PERMILLE - win - loss);
    out_wdl[2] = (uint16_t)loss;
}

int32_t rk_evaluate(const struct rk_game *game)
{
    struct eval_cache *cache = memory_allocate(sizeof *cache);
    if (cache == NULL)
        return 0;
    const score_t score = eval_position(&game->position, cache);
    memory_free(cache);
    return eval_centipawns(score);
}
