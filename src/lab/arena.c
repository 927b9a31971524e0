#include "lab/arena.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/random.h"

enum {
    PLIES_MAX = 500,
    RESIGN_SCORE = 900,
    RESIGN_PLIES = 6,
    DRAW_SCORE = 8,
    DRAW_PLIES = 12,
    DRAW_FROM = 80,
    JUDGE_HASH_MIB = 1,
    JUDGE_NODES = 4000,
    OPENING_SCORE_MAX = 60, /* Centipawns that an opening may favour a side by. */
    OPENING_TRIES = 500,    /* After which the last one will do. */
    US_PER_MS = 1000
};

struct arena {
    struct player *players[2];
    struct player *judge; /* Weighs random openings. */
    const atomic_bool *stop;
    int64_t left_us[2]; /* The clocks. */
};

void arena_rules_default(struct game_rules *out_rules)
{
    *out_rules = (struct game_rules){.plies_max = PLIES_MAX,
                                     .resign_score = RESIGN_SCORE,
                                     .resign_plies = RESIGN_PLIES,
                                     .draw_score = DRAW_SCORE,
                                     .draw_plies = DRAW_PLIES,
                                     .draw_from = DRAW_FROM};
}

enum rk_status arena_create(const atomic_bool *stop, struct arena **out_arena)
{
    struct arena *arena = memory_allocate(sizeof *arena);
    if (arena == NULL)
        return RK_NO_MEMORY;
    arena->stop = stop;
    enum rk_status status = player_create(JUDGE_HASH_MIB, NULL, &arena->judge);
    for (unsigned i = 0; i < 2 && status == RK_OK; i++)
        status = player_create(1, stop, &arena->players[i]); /* Games bring their size. */
    if (status != RK_OK)
        arena_destroy(arena);
    else
        *out_arena = arena;
    return status;
}

void arena_destroy(struct arena *arena)
{
    if (arena == NULL)
        return;
    player_destroy(arena->players[0]);
    player_destroy(arena->players[1]);
    player_destroy(arena->judge);
    memory_free(arena);
}

static bool is_stopped(const struct arena *arena)
{
    return arena->stop != NULL && atomic_load_explicit(arena->stop, memory_order_relaxed);
}

void arena_opening(struct arena *arena, unsigned plies, uint64_t seed, struct opening *out_opening)
{
    REQUIRE(plies <= OPENING_PLIES_MAX);
    const struct player_settings settings = {.hash_mib = JUDGE_HASH_MIB};
    const struct rk_limits limits = {.nodes = JUDGE_NODES};
    struct rk_game game;
    rk_game_set_start(&out_opening->start);
    for (unsigned i = 0; i < OPENING_TRIES; i++) {
        struct player_answer answer;
        if (!opening_draw(out_opening, plies, &seed, &game))
            continue;
        REQUIRE(player_begin(arena->judge, &settings, 0) == RK_OK); /* It has its table. */
        player_think(arena->judge, &game, &limits, &answer);
        if (!answer.is_mate && abs(answer.score) <= OPENING_SCORE_MAX)
            return;
    }
    out_opening->count = 0;
}

/* The limits of the next move, and whether a clock runs. */
static bool limits_make(const struct player_limits *wanted, const int64_t left_us[2], bool is_white,
                        int64_t increment_ms[2], struct rk_limits *out_limits)
{
    const bool has_clock = wanted->time_ms > 0;
    *out_limits = (struct rk_limits){.nodes = wanted->nodes,
                                     .depth = wanted->depth,
                                     .has_movetime = wanted->movetime_ms > 0,
                                     .movetime_ms = wanted->movetime_ms};
    for (unsigned color = 0; color < 2 && has_clock; color++) {
        const unsigned player = is_white ? color : 1 - color; /* 0: who moves, if White does. */
        out_limits->has_clock[color] = true;
        out_limits->time_ms[color] = left_us[player] / US_PER_MS;
        out_limits->inc_ms[color] = increment_ms[player];
    }
    return has_clock;
}

static int16_t score_pack(const struct player_answer *answer)
{
    if (answer->is_mate)
        return (int16_t)(answer->score > 0 ? GAME_SCORE_MATE - answer->score
                                           : -GAME_SCORE_MATE - answer->score);
    const int score = answer->score;
    return (int16_t)(score > GAME_SCORE_MAX    ? GAME_SCORE_MAX
                     : score < -GAME_SCORE_MAX ? -GAME_SCORE_MAX
                                               : score);
}

/* One move by `player`. False: its time was up. */
static bool move_think(struct arena *arena, const struct player_settings settings[2],
                       unsigned player, const struct rk_game *game, struct game_move *out_move)
{
    const struct player_limits *wanted = &settings[player].limits;
    const bool is_white = game->position.side == WHITE;
    int64_t left_us[2] = {arena->left_us[player], arena->left_us[1 - player]};
    int64_t increment_ms[2] = {wanted->increment_ms, settings[1 - player].limits.increment_ms};
    struct rk_limits limits;
    const bool has_clock = limits_make(wanted, left_us, is_white, increment_ms, &limits);
    struct player_answer answer;
    player_think(arena->players[player], game, &limits, &answer);
    ASSERT(answer.move != MOVE_NONE);
    *out_move = (struct game_move){.move = answer.move,
                                   .score = score_pack(&answer),
                                   .depth = (uint16_t)answer.depth,
                                   .nodes = (uint32_t)answer.nodes,
                                   .time_us = (uint32_t)answer.time_us};
    if (!has_clock)
        return true;
    arena->left_us[player] -= answer.time_us;
    const bool is_in_time = arena->left_us[player] >= 0;
    arena->left_us[player] += wanted->increment_ms * US_PER_MS;
    return is_in_time;
}

static void game_play_out(struct arena *arena, const struct player_settings settings[2],
                          const struct game_rules *rules, struct game_record *record)
{
    struct rk_game game = record->opening.start;
    struct referee referee;
    ASSERT(rules->plies_max <= GAME_PLIES_MAX);
    referee_begin(&referee, rules);
    record->count = 0;
    for (unsigned i = 0; i < record->opening.count; i++) {
        record->moves[record->count++] = (struct game_move){.move = record->opening.moves[i]};
        game_play(&game, record->opening.moves[i]);
    }
    for (unsigned i = 0; i < 2; i++)
        arena->left_us[i] = settings[i].limits.time_ms * US_PER_MS;
    while (!referee_ends(&referee, &game, record->count, record->count, &record->end,
                         &record->white_points)) {
        const bool is_white = game.position.side == WHITE;
        const unsigned player = is_white == record->is_first_white ? 0 : 1;
        struct game_move move;
        const bool is_in_time = move_think(arena, settings, player, &game, &move);
        if (is_stopped(arena)) {
            record->end = GAME_STOPPED;
            return;
        }
        if (!is_in_time) {
            record->end = GAME_TIME;
            record->white_points = is_white ? 0 : 2;
            return;
        }
        record->moves[record->count++] = move;
        referee_note(&referee, game.position.side, move.score);
        game_play(&game, move.move);
    }
}

enum rk_status arena_play_pair(struct arena *arena, const struct player_settings settings[2],
                               const struct game_rules *rules, const struct opening *opening,
                               uint64_t seed, struct game_record out_records[GAMES_PER_PAIR],
                               unsigned *out_points)
{
    unsigned points = 0;
    for (unsigned i = 0; i < GAMES_PER_PAIR; i++) {
        struct game_record *record = &out_records[i];
        record->opening = *opening;
        record->is_first_white = i == 0;
        for (unsigned k = 0; k < 2; k++) {
            const enum rk_status status =
                player_begin(arena->players[k], &settings[k], random_next(&seed));
            if (status != RK_OK)
                return status;
        }
        game_play_out(arena, settings, rules, record);
        points += record->is_first_white ? record->white_points : 2 - record->white_points;
    }
    *out_points = points;
    return RK_OK;
}
