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
    WIN_SCORE = 1200,
    WIN_PLIES = 5,
    DRAW_SCORE = 6,
    DRAW_PLIES = 10,
    DRAW_FROM = 80,
    PLIES_MAX = 400,
    PAWN_CENTIPAWNS = 100
};

void datagame_rules_default(struct datagame_rules *out_rules)
{
    *out_rules = (struct datagame_rules){.nodes = DATAGAME_NODES,
                                         .hash_mib = HASH_MIB,
                                         .chess960_percent = DATAGAME_CHESS960_PERCENT,
                                         .opening_score = OPENING_SCORE,
                                         .win_score = WIN_SCORE,
                                         .win_plies = WIN_PLIES,
                                         .draw_score = DRAW_SCORE,
                                         .draw_plies = DRAW_PLIES,
                                         .draw_from = DRAW_FROM,
                                         .plies_max = PLIES_MAX};
}

/* A game under way. */
struct table_side {
    struct player *player;
    const struct datagame_rules *rules;
    const atomic_bool *stop;
    struct rk_game now;
    struct datagame *into;
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

/* Plies on end, back from the last, in which both sides saw White (sign 1) or Black (-1) win, or
 * neither (0). */
static unsigned run_of(const struct datagame *into, int limit, int sign, color_t last_side)
{
    unsigned run = 0;
    color_t mover = last_side;
    for (unsigned i = into->game.plies; i-- > 0; mover ^= 1u, run++) {
        const int score = eval_centipawns(into->plies[i].score);
        const int white_score = mover == WHITE ? score : -score;
        if (sign == 0 ? abs(white_score) > limit : white_score * sign < limit)
            break;
    }
    return run;
}

static bool is_ended(struct gamefile_game *game, enum gamefile_end end, unsigned white_points)
{
    game->end = end;
    game->white_points = white_points;
    return true;
}

static bool is_over(struct gamefile_game *game, const struct rk_game *now)
{
    static const enum gamefile_end DRAWS[] = {[RK_GAME_STALEMATE] = GAMEFILE_STALEMATE,
                                              [RK_GAME_REPETITION] = GAMEFILE_REPETITION,
                                              [RK_GAME_FIFTY] = GAMEFILE_FIFTY,
                                              [RK_GAME_MATERIAL] = GAMEFILE_MATERIAL};
    const enum rk_outcome outcome = rk_game_outcome(now);
    if (outcome == RK_GAME_CHECKMATE)
        return is_ended(game, GAMEFILE_CHECKMATE, now->position.side == WHITE ? 0 : 2);
    return outcome != RK_GAME_OPEN && is_ended(game, DRAWS[outcome], 1);
}

static bool is_called(const struct table_side *side)
{
    const struct datagame_rules *rules = side->rules;
    struct datagame *into = side->into;
    struct gamefile_game *game = &into->game;
    const color_t last = side->now.position.side ^ 1u;
    const unsigned ply = (side->now.position.move_number - 1u) * 2 + side->now.position.side;
    for (int sign = -1; sign <= 1 && rules->win_plies > 0; sign += 2)
        if (run_of(into, rules->win_score, sign, last) >= rules->win_plies)
            return is_ended(game, GAMEFILE_RESIGNED, (unsigned)(1 + sign));
    if (rules->draw_plies > 0 && ply >= rules->draw_from &&
        run_of(into, rules->draw_score, 0, last) >= rules->draw_plies)
        return is_ended(game, GAMEFILE_AGREED, 1);
    return game->plies >= rules->plies_max && is_ended(game, GAMEFILE_TOO_LONG, 1);
}

static void play_out(struct table_side *side, struct player_answer answer)
{
    struct gamefile_game *game = &side->into->game;
    for (;;) {
        ASSERT(answer.move != MOVE_NONE);
        side->into->plies[game->plies++] =
            (struct gamefile_ply){.move = answer.move, .score = score_pack(answer.value)};
        side->into->nodes += answer.nodes;
        game_play(&side->now, answer.move);
        if (is_over(game, &side->now) || is_called(side))
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
    play_out(&side, answer);
    return RK_OK;
}
