#include "engine/owner.h"

#include <check.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/random.h"

static void wake(void *context)
{
    struct owner *owner = context;
    (void)sem_post(&owner->woken);
}

void owner_init(struct owner *owner, uint32_t searches_max, uint32_t threads, uint32_t table_mib)
{
    ck_assert_uint_le(searches_max, OWNER_SEARCHES_MAX);
    memset(owner, 0, sizeof *owner);
    ck_assert_int_eq(sem_init(&owner->woken, 0, 0), 0);
    const struct rk_engine_options options = {.size = sizeof options,
                                              .searches_max = searches_max,
                                              .threads = threads,
                                              .table_mib = table_mib,
                                              .wake = wake,
                                              .wake_context = owner};
    ck_assert_int_eq(rk_engine_create(&options, &owner->engine), RK_OK);
    for (unsigned i = 0; i < OWNER_SEARCHES_MAX; i++)
        ck_assert_int_eq(rk_game_create(&owner->asked[i].game), RK_OK);
}

void owner_clear(struct owner *owner)
{
    rk_engine_destroy(owner->engine);
    for (unsigned i = 0; i < OWNER_SEARCHES_MAX; i++)
        rk_game_destroy(owner->asked[i].game);
    ck_assert_int_eq(sem_destroy(&owner->woken), 0);
}

static struct asked *find(struct owner *owner, rk_ticket_t ticket)
{
    for (unsigned i = 0; i < OWNER_SEARCHES_MAX; i++)
        if (owner->asked[i].ticket == ticket)
            return &owner->asked[i];
    return NULL;
}

rk_ticket_t owner_go(struct owner *owner, struct rk_request *request, const char *fen)
{
    struct asked *asked = find(owner, 0);
    ck_assert_ptr_nonnull(asked);
    if (fen != NULL)
        ck_assert_int_eq(rk_game_set_fen(asked->game, fen, strlen(fen)), RK_OK);
    else if (request->game == NULL)
        rk_game_set_start(asked->game);
    else
        rk_game_copy(asked->game, request->game);
    const struct rk_game *given = request->game;
    request->game = asked->game;
    rk_ticket_t ticket = 0;
    ck_assert_int_eq(rk_engine_start(owner->engine, request, &ticket), RK_OK);
    request->game = given;
    ck_assert_uint_ne(ticket, 0);
    ck_assert_ptr_null(find(owner, ticket));
    asked->ticket = ticket;
    asked->is_infinite = request->limits.infinite;
    asked->may_end = !request->limits.infinite && !request->limits.ponder;
    asked->lines = 0;
    asked->has_exact = false;
    asked->last_first = RK_MOVE_NONE;
    asked->nodes = 0;
    owner->running++;
    return ticket;
}

void owner_stop(struct owner *owner, rk_ticket_t ticket)
{
    struct asked *asked = find(owner, ticket);
    if (asked != NULL)
        asked->may_end = true;
    rk_engine_stop(owner->engine, ticket);
}

void owner_ponderhit(struct owner *owner, rk_ticket_t ticket)
{
    struct asked *asked = find(owner, ticket);
    if (asked != NULL && !asked->is_infinite)
        asked->may_end = true;
    rk_engine_ponderhit(owner->engine, ticket, rk_now_us());
}

static bool is_legal(const struct rk_game *game, rk_move_t move)
{
    rk_move_t moves[RK_MOVES_MAX];
    const size_t count = rk_game_moves(game, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

static void play(struct rk_game *game, rk_move_t move)
{
    char text[RK_MOVE_BYTES_MAX];
    const size_t length = rk_move_text(move, true, text);
    ck_assert_int_eq(rk_game_play(game, text, length), RK_OK);
}

static void check_line(const struct asked *asked, const struct rk_report *report)
{
    ck_assert_uint_le(report->pv_count, RK_PV_MAX);
    ck_assert_int_eq(report->wdl[0] + report->wdl[1] + report->wdl[2], 1000);
    ck_assert_uint_le(report->hashfull, 1000);
    ck_assert_uint_ge(report->multipv, 1);
    struct rk_game *game = NULL;
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    rk_game_copy(game, asked->game);
    for (unsigned i = 0; i < report->pv_count; i++) {
        ck_assert(is_legal(game, report->pv[i]));
        play(game, report->pv[i]);
    }
    rk_game_destroy(game);
}

static void check_verdict(const struct asked *asked, const struct rk_report *report)
{
    ck_assert(asked->may_end);
    ck_assert(asked->has_exact);
    ck_assert_uint_eq(report->best_move, asked->last_first);
    if (report->best_move == RK_MOVE_NONE) {
        ck_assert_uint_eq(report->ponder_move, RK_MOVE_NONE);
        return;
    }
    ck_assert(is_legal(asked->game, report->best_move));
    if (report->ponder_move == RK_MOVE_NONE)
        return;
    struct rk_game *game = NULL;
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    rk_game_copy(game, asked->game);
    play(game, report->best_move);
    ck_assert(is_legal(game, report->ponder_move));
    rk_game_destroy(game);
}

static void take(struct owner *owner, const struct rk_report *report)
{
    struct asked *asked = find(owner, report->ticket);
    ck_assert_uint_ne(report->ticket, 0);
    ck_assert_ptr_nonnull(asked);
    if (report->kind == RK_REPORT_PERFT_MOVE) {
        ck_assert(is_legal(asked->game, report->best_move));
        return;
    }
    if (report->kind == RK_REPORT_LINE) {
        asked->lines++;
        owner->last_line = *report;
        check_line(asked, report);
        ck_assert_uint_ge(report->nodes, asked->nodes);
        asked->nodes = report->nodes;
        asked->has_exact = asked->has_exact || report->bound == RK_BOUND_EXACT;
        if (report->multipv == 1)
            asked->last_first = report->pv_count > 0 ? report->pv[0] : RK_MOVE_NONE;
        return;
    }
    if (report->kind == RK_REPORT_VERDICT)
        check_verdict(asked, report);
    asked->ticket = 0;
    owner->last_stale = report->ticket;
    owner->last = *report;
    owner->running--;
    owner->ended++;
}

void owner_read(struct owner *owner)
{
    struct rk_report report;
    while (rk_engine_poll(owner->engine, &report))
        take(owner, &report);
}

void owner_await(struct owner *owner, unsigned running)
{
    owner_read(owner);
    while (owner->running > running) {
        while (sem_wait(&owner->woken) != 0)
            ck_assert_int_eq(errno, EINTR);
        owner_read(owner);
    }
}

void owner_nap(void)
{
    const struct timespec moment = {.tv_nsec = 100 * 1000};
    (void)nanosleep(&moment, NULL);
}

struct rk_request owner_request(void)
{
    return (struct rk_request){.size = sizeof(struct rk_request), .limits = {.infinite = true}};
}

struct rk_request owner_movetime(int64_t movetime_ms)
{
    return (struct rk_request){.size = sizeof(struct rk_request),
                               .limits = {.has_movetime = true, .movetime_ms = movetime_ms}};
}

void owner_random_game(struct rk_game *game, uint64_t *random, unsigned plies_max)
{
    rk_game_set_start(game);
    for (unsigned plies = (unsigned)random_below(random, plies_max + 1); plies > 0; plies--) {
        rk_move_t moves[RK_MOVES_MAX];
        const size_t count = rk_game_moves(game, moves);
        if (count == 0)
            return;
        play(game, moves[random_below(random, count)]);
    }
}
