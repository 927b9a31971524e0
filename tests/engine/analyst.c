#include "engine/analyst.h"

#include <check.h>
#include <string.h>

#include "base/memory.h"
#include "chess/chess.h"
#include "engine/network.h"

static void on_check(struct worker *worker)
{
    struct analyst *analyst = worker->hooks.context;
    analyst->checks++;
    if (analyst->stop_at_nodes == 0)
        return;
    if (worker_nodes(worker) >= analyst->stop_at_nodes)
        worker->stopped = true;
    else if (analyst->stop_at_nodes < worker->check_at)
        worker->check_at = analyst->stop_at_nodes;
}

static void on_line(struct worker *worker, struct rk_report *report)
{
    struct analyst *analyst = worker->hooks.context;
    ck_assert_uint_lt(analyst->line_count, ANALYST_LINES_MAX);
    analyst->lines[analyst->line_count++] = *report;
}

static bool on_iteration(struct worker *worker)
{
    struct analyst *analyst = worker->hooks.context;
    analyst->iterations++;
    return analyst->enough_depth != 0 && worker->completed_depth >= analyst->enough_depth;
}

struct analyst *analyst_create(void)
{
    chess_init();
    struct analyst *analyst = memory_allocate(sizeof *analyst);
    ck_assert_ptr_nonnull(analyst);
    analyst->worker = memory_allocate(sizeof *analyst->worker);
    analyst->memory = memory_allocate(sizeof *analyst->memory);
    ck_assert(analyst->worker != NULL && analyst->memory != NULL);
    ck_assert_int_eq(network_built_in(&analyst->network), RK_OK);
    ck_assert_int_eq(evaluator_set(&analyst->worker->evaluator, analyst->network), RK_OK);
    ck_assert_int_eq(table_create(1, 1, &analyst->table), RK_OK);
    rk_game_set_start(&analyst->game);
    analyst->request = (struct rk_request){.size = sizeof analyst->request};
    return analyst;
}

void analyst_destroy(struct analyst *analyst)
{
    table_destroy(analyst->table);
    evaluator_clear(&analyst->worker->evaluator);
    network_destroy(analyst->network);
    memory_free(analyst->memory);
    memory_free(analyst->worker);
    memory_free(analyst);
}

void analyst_clear(struct analyst *analyst)
{
    ck_assert_int_eq(table_clear(analyst->table, 1), RK_OK);
    memory_clear(analyst->memory);
    analyst->request = (struct rk_request){.size = sizeof analyst->request};
    analyst->stop_at_nodes = 0;
    analyst->enough_depth = 0;
}

void analyst_set(struct analyst *analyst, const char *fen, const char *moves)
{
    ck_assert_msg(rk_game_set_fen(&analyst->game, fen, strlen(fen)) == RK_OK, "FEN %s", fen);
    while (*moves != '\0') {
        const size_t length = strcspn(moves, " ");
        ck_assert_msg(rk_game_play(&analyst->game, moves, length) == RK_OK, "move %s", moves);
        moves += length;
        moves += strspn(moves, " ");
    }
}

void analyst_search(struct analyst *analyst)
{
    struct worker *worker = analyst->worker;
    worker->hooks = (struct worker_hooks){
        .check = on_check, .line = on_line, .iteration = on_iteration, .context = analyst};
    worker->table = analyst->table;
    worker->memory = analyst->memory;
    worker->game = analyst->game;
    worker->limits = analyst->request.limits;
    worker->salt = analyst->request.salt;
    worker->multipv = analyst->request.multipv;
    worker->elo = analyst->request.elo;
    analyst->checks = analyst->iterations = analyst->line_count = 0;
    memory_age(analyst->memory);
    iterate_prepare(worker, &analyst->request);
    if (analyst->stop_at_nodes != 0 && analyst->stop_at_nodes < worker->check_at)
        worker->check_at = analyst->stop_at_nodes;
    iterate_run(worker);
}

void analyst_search_depth(struct analyst *analyst, uint32_t depth)
{
    analyst->request.limits = (struct rk_limits){.depth = depth};
    analyst_search(analyst);
}

const struct rk_report *analyst_last(const struct analyst *analyst)
{
    ck_assert_uint_gt(analyst->line_count, 0);
    return &analyst->lines[analyst->line_count - 1];
}

move_t analyst_move(const struct analyst *analyst, const char *text)
{
    move_t move = MOVE_NONE;
    ck_assert_int_eq(rk_game_parse_move(&analyst->game, text, strlen(text), &move), RK_OK);
    return move;
}

static bool is_legal(const struct position *position, move_t wanted)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move < end; move++)
        if (*move == wanted)
            return true;
    return false;
}

void analyst_check_line(const struct analyst *analyst, const struct rk_report *line)
{
    struct position position = analyst->game.position;
    ck_assert_uint_ge(line->pv_count, 1);
    ck_assert_uint_le(line->pv_count, RK_PV_MAX);
    for (unsigned i = 0; i < line->pv_count; i++) {
        ck_assert(is_legal(&position, line->pv[i]));
        const struct position before = position;
        position_after(&position, &before, line->pv[i]);
    }
    ck_assert_int_eq(line->kind, RK_REPORT_LINE);
    ck_assert_uint_ge(line->depth, 1);
    ck_assert_uint_ge(line->depth_selective, line->depth);
    ck_assert_int_eq(line->wdl[0] + line->wdl[1] + line->wdl[2], 1000);
    ck_assert_uint_le(line->hashfull, 1000);
}
