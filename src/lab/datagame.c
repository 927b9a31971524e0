/* The search that weighs an opening is the one that chooses the first move, so an opening that is
 * taken costs nothing; one that loses a piece is thrown away before, by its static evaluation. The
 * file knows nothing of the opening's moves: the game begins after them, without a past. */
#include "lab/datagame.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "engine/eval.h"
#include "lab/book.h"

enum {
    HASH_MIB = 4,
    OPENING_PLIES = 8, /* Or one more, so that either side is the first to think. */
    OPENING_TRIES = 1000,
    OPENING_SCORE = 120,
    STATIC_SCORE = 250, /* What a search of an opening may set right. */
    RESIGN_SCORE = 1200,
    RESIGN_PLIES = 5,
    DRAW_SCORE = 6,
    DRAW_PLIES = 10,
    DRAW_FROM = 80,
    PLIES_MAX = 400,
    PAWN_CENTIPAWNS = 100
};

static_assert((int)GAMEFILE_CHECKMATE == GAME_CHECKMATE && (int)GAMEFILE_FIFTY == GAME_FIFTY &&
                  (int)GAMEFILE_STALEMATE == GAME_STALEMATE &&
                  (int)GAMEFILE_REPETITION == GAME_REPETITION &&
                  (int)GAMEFILE_MATERIAL == GAME_MATERIAL &&
                  (int)GAMEFILE_RESIGNED == GAME_RESIGNED && (int)GAMEFILE_AGREED == GAME_AGREED &&
                  (int)GAMEFILE_TOO_LONG == GAME_TOO_LONG,
              "files say as referees do how a game ended");

void datagame_rules_default(struct datagame_rules *out_rules)
{
    *out_rules = (struct datagame_rules){.nodes = DATAGAME_NODES,
                                         .hash_mib = HASH_MIB,
                                         .chess960_percent = DATAGAME_CHESS960_PERCENT,
                                         .opening_score = OPENING_SCORE,
                                         .ends = {.resign_score = RESIGN_SCORE,
                                                  .resign_plies = RESIGN_PLIES,
                                                  .draw_score = DRAW_SCORE,
                                                  .draw_plies = DRAW_PLIES,
                                                  .draw_from = DRAW_FROM,
                                                  .plies_max = PLIES_MAX}};
}

/* A game under way. */
struct table_side {
    struct player *player;
    const struct datagame_rules *rules;
    const atomic_bool *stop;
    struct rk_game now;
    struct datagame *into;
    struct referee referee;
};

static bool is_stopped(const struct table_side *side)
{
    return side->stop != NULL && atomic_load_explicit(side->stop, memory_order_relaxed);
}

static void think(struct table_side *side, struct player_answer *out_answer)
{
    const struct rk_limits limits = {.nodes = (uint64_t)side->rules->nodes * DATAGAME_HARD_FACTOR};
    player_think(side->player, &side->now, &limits, out_answer);
}

/* As files have it. */
static int16_t score_pack(score_t value)
{
    if (abs(value) >= SCORE_MATE_BOUND)
        return value > 0 ? GAMEFILE_SCORE_MATE : -GAMEFILE_SCORE_MATE;
    return (int16_t)(value > GAMEFILE_SCORE_MAX    ? GAMEFILE_SCORE_MAX
                     : value < -GAMEFILE_SCORE_MAX ? -GAMEFILE_SCORE_MAX
                                                   : value);
}

/* Units of the evaluation that are a pawn. */
static unsigned pawn_units(void)
{
    unsigned units = 1;
    while (eval_centipawns((score_t)units) < PAWN_CENTIPAWNS)
        units++;
    return units;
}

/* Draws openings until one is about even; its search is the first move's. False: none was, or it is
 * to stop. */
static bool opening_find(struct table_side *side, uint64_t *seed, struct player_answer *out_answer)
{
    const struct datagame_rules *rules = side->rules;
    struct gamefile_game *game = &side->into->game;
    struct opening opening;
    game->is_chess960 = random_below(seed, 100) < rules->chess960_percent;
    if (game->is_chess960)
        opening_array((unsigned)random_below(seed, CHESS960_ARRAYS), &opening.start);
    else
        rk_game_set_start(&opening.start);
    for (unsigned i = 0; i < OPENING_TRIES && !is_stopped(side); i++) {
        struct rk_game end;
        const unsigned plies = OPENING_PLIES + (unsigned)random_below(seed, 2);
        if (!opening_draw(&opening, plies, seed, &end) ||
            abs(player_evaluate(side->player, &end)) > STATIC_SCORE + rules->opening_score)
            continue;
        side->now = end;
        side->now.key_count = 0;
        think(side, out_answer);
        if (!out_answer->is_mate && abs(out_answer->score) <= rules->opening_score)
            return !is_stopped(side);
    }
    return false;
}

static bool is_over(struct table_side *side)
{
    struct gamefile_game *game = &side->into->game;
    const struct position *position = &side->now.position;
    const unsigned ply = (position->move_number - 1u) * 2 + position->side;
    enum game_end end;
    if (!referee_ends(&side->referee, &side->now, game->plies, ply, &end, &game->white_points))
        return false;
    game->end = (enum gamefile_end)end;
    return true;
}

static void play_out(struct table_side *side, struct player_answer answer)
{
    struct gamefile_game *game = &side->into->game;
    for (;;) {
        ASSERT(answer.move != MOVE_NONE);
        const int16_t score = score_pack(answer.value);
        side->into->plies[game->plies++] =
            (struct gamefile_ply){.move = answer.move, .score = score};
        side->into->nodes += answer.nodes;
        referee_note(&side->referee, side->now.position.side, eval_centipawns(score));
        game_play(&side->now, answer.move);
        if (is_over(side))
            return;
        think(side, &answer);
        if (is_stopped(side)) {
            game->plies = 0;
            return;
        }
    }
}

enum rk_status datagame_play(struct player *player, const struct datagame_rules *rules,
                             uint64_t seed, const atomic_bool *stop, struct datagame *out_game)
{
    struct player_settings settings;
    player_settings_default(&settings);
    settings.hash_mib = rules->hash_mib;
    settings.keeps_history = true;
    settings.limits = (struct player_limits){.soft_nodes = rules->nodes};
    struct table_side side = {.player = player, .rules = rules, .stop = stop, .into = out_game};
    struct player_answer answer;
    const enum rk_status status = player_begin(player, &settings, 0);
    if (status != RK_OK)
        return status;
    out_game->game = (struct gamefile_game){.pawn = pawn_units(), .nodes = rules->nodes};
    out_game->nodes = 0;
    if (!opening_find(&side, &seed, &answer))
        return RK_OK;
    out_game->game.start = side.now.position;
    referee_begin(&side.referee, &rules->ends);
    play_out(&side, answer);
    return RK_OK;
}
