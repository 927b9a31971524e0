#include "lab/player.h"

#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "engine/iterate.h"
#include "engine/network.h"
#include "lab/plain.h"

struct player {
    struct worker *worker;
    struct memory *memory;
    struct table *table;
    const atomic_bool *stop;
    struct rows rows;
    struct rk_network *built_in;
    const struct rk_network *network; /* The worker's evaluator has it. */
    bool is_fresh;                    /* Nothing has been searched in this game. */
    bool keeps_history;
    uint64_t soft_nodes;   /* 0: none. */
    uint64_t nodes_before; /* Searched when the last iteration ended. */
};

void player_settings_default(struct player_settings *out_settings)
{
    *out_settings =
        (struct player_settings){.limits = {.nodes = PLAYER_NODES}, .hash_mib = PLAYER_HASH_MIB};
}

static void on_check(struct worker *worker)
{
    const struct player *player = worker->hooks.context;
    if ((player->stop != NULL && atomic_load_explicit(player->stop, memory_order_relaxed)) ||
        (worker->timing.has_deadline && timing_is_over(&worker->timing, clock_now_us())))
        worker->stopped = true;
}

/* An iteration seldom costs less than the one before it: what would go past the limit even so is
 * not begun, and a move costs about the limit in the mean instead of nearly twice. */
static bool is_spent(struct player *player, uint64_t nodes)
{
    const uint64_t iteration_nodes = nodes - player->nodes_before;
    player->nodes_before = nodes;
    return player->soft_nodes != 0 && nodes + iteration_nodes > player->soft_nodes;
}

static bool on_iteration(struct worker *worker)
{
    struct player *player = worker->hooks.context;
    if (is_spent(player, worker_nodes(worker)))
        return true;
    return worker->timing.has_deadline &&
           timing_is_enough(&worker->timing, &worker->facts, clock_now_us());
}

enum rk_status player_create(uint32_t hash_mib, const atomic_bool *stop, struct player **out_player)
{
    chess_init();
    struct player *player = memory_allocate(sizeof *player);
    if (player == NULL)
        return RK_NO_MEMORY;
    player->stop = stop;
    player->worker = memory_allocate(sizeof *player->worker);
    player->memory = memory_allocate(sizeof *player->memory);
    enum rk_status status = network_built_in(&player->built_in);
    if (player->worker == NULL || player->memory == NULL)
        status = RK_NO_MEMORY;
    if (status == RK_OK)
        status = table_create(hash_mib, 1, &player->table);
    if (status != RK_OK)
        player_destroy(player);
    else
        *out_player = player;
    return status;
}

void player_destroy(struct player *player)
{
    if (player == NULL)
        return;
    table_destroy(player->table);
    memory_free(player->memory);
    if (player->worker != NULL)
        evaluator_clear(&player->worker->evaluator);
    memory_free(player->worker);
    network_destroy(player->built_in);
    memory_free(player);
}

enum rk_status player_begin(struct player *player, const struct player_settings *settings,
                            uint64_t seed)
{
    struct worker *worker = player->worker;
    enum rk_status status = table_mib(player->table) == settings->hash_mib
                                ? table_clear(player->table, 1)
                                : table_resize(player->table, settings->hash_mib, 1);
    const struct rk_network *network =
        settings->network == NULL ? player->built_in : settings->network;
    if (status == RK_OK && player->network != network) {
        status = evaluator_set(&worker->evaluator, network);
        player->network = status == RK_OK ? network : NULL;
    }
    if (status != RK_OK)
        return status;
    memory_clear(player->memory);
    player->memory->switches_off = settings->switches_off;
    player->rows = settings->rows;
    player->is_fresh = true;
    player->keeps_history = settings->keeps_history;
    player->soft_nodes = settings->limits.soft_nodes;
    worker->hooks =
        (struct worker_hooks){.check = on_check, .iteration = on_iteration, .context = player};
    worker->table = player->table;
    worker->memory = player->memory;
    worker->multipv = 1;
    worker->elo = settings->elo;
    worker->seed = seed;
    return RK_OK;
}

/* What is said of the score is what a client would be told. */
static void answer_fill(struct player *player, int64_t start_us, int64_t start_cpu_us,
                        struct player_answer *out_answer)
{
    struct worker *worker = player->worker;
    *out_answer = (struct player_answer){
        .move = worker->outcome.best,
        .depth = (uint32_t)worker->outcome.depth,
        .nodes = worker_nodes(worker),
        .time_us = clock_now_us() - start_us,
        .cpu_us = clock_thread_cpu_us() - start_cpu_us,
        .cutoffs = player->memory->cutoffs,
        .first_cutoffs = player->memory->first_cutoffs,
    };
    if (worker->root_count == 0)
        return;
    struct rk_report report;
    iterate_line(worker, 0, &report);
    out_answer->is_mate = report.is_mate;
    out_answer->score = report.score;
    out_answer->value = worker->outcome.score;
}

/* Sets up worker, memory and counters for one search. */
static void think_prepare(struct player *player, const struct rk_game *game,
                          const struct rk_limits *limits, int64_t start_us)
{
    struct worker *worker = player->worker;
    const struct rk_request request = {.size = sizeof request, .limits = *limits};
    const struct position *position = &game->position;
    const unsigned ply = (position->move_number - 1u) * 2u + position->side;
    rows_use(&player->rows);
    if (player->keeps_history)
        memset(player->memory->killers, 0, sizeof player->memory->killers);
    else if (!player->is_fresh)
        memory_age(player->memory);
    player->is_fresh = false;
    player->nodes_before = 0;
    player->memory->cutoffs = player->memory->first_cutoffs = 0;
    worker->game = *game;
    worker->limits = *limits;
    timing_init(&worker->timing, limits, position->side, ply, start_us);
    iterate_prepare(worker, &request);
}

void player_think(struct player *player, const struct rk_game *game, const struct rk_limits *limits,
                  struct player_answer *out_answer)
{
    const int64_t start_us = clock_now_us();
    const int64_t start_cpu_us = clock_thread_cpu_us();
    think_prepare(player, game, limits, start_us);
    iterate_run(player->worker);
    answer_fill(player, start_us, start_cpu_us, out_answer);
}

void player_think_plain(struct player *player, const struct rk_game *game, uint32_t depth,
                        struct player_answer *out_answer)
{
    const struct rk_limits limits = {.depth = depth};
    const int64_t start_us = clock_now_us();
    const int64_t start_cpu_us = clock_thread_cpu_us();
    think_prepare(player, game, &limits, start_us);
    plain_run(player->worker, (depth_t)depth);
    answer_fill(player, start_us, start_cpu_us, out_answer);
}

int32_t player_evaluate(const struct player *player, const struct rk_game *game)
{
    return rk_evaluate(game, player->network);
}
