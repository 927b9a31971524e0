/* An engine of a few lines behind the doors of engine.h and game.h: no chess, no thread. A search
 * posts one line when it is polled first, and its verdict when it is stopped or its end has come;
 * limits.nodes asks for so many blocks of five lines before that. Its moves are made of the
 * position, so that a test can tell whose they are. */
#include "server/stub_engine.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"

enum { BLOCK_LINES = 5, US_PER_MS = 1000 };

struct rk_game {
    uint64_t key; /* All there is of a position. */
};

struct search {
    rk_ticket_t ticket; /* 0: free. */
    struct rk_limits limits;
    uint64_t key;
    int64_t end_us; /* INT64_MAX: only a stop ends it. */
    uint64_t lines_left;
    bool is_stopped;
};

struct rk_engine {
    struct rk_engine_options options;
    struct search *searches;
    rk_ticket_t last_ticket;
    enum rk_status next_failure;
    struct stub_counts counts;
};

/* -- Games ------------------------------------------------------------------------------------ */

enum rk_status rk_game_create(struct rk_game **out_game)
{
    *out_game = memory_allocate(sizeof(**out_game));
    return *out_game == NULL ? RK_NO_MEMORY : RK_OK;
}
void rk_game_destroy(struct rk_game *game) { memory_free(game); }
size_t rk_game_bytes(void) { return sizeof(struct rk_game); }
void rk_game_copy(struct rk_game *to, const struct rk_game *from) { *to = *from; }
bool rk_game_equal(const struct rk_game *a, const struct rk_game *b) { return a->key == b->key; }
uint64_t rk_game_key(const struct rk_game *game) { return game->key; }
rk_move_t stub_move(uint64_t key) { return (rk_move_t)(key + 1); }
void stub_game_set(struct rk_game *game, uint64_t key) { game->key = key; }
bool rk_game_white_to_move(const struct rk_game *game)
{
    (void)game;
    return true;
}

/* -- The engine ------------------------------------------------------------------------------- */

enum rk_status rk_engine_create(const struct rk_engine_options *options,
                                struct rk_engine **out_engine)
{
    struct rk_engine *engine = memory_allocate(sizeof(*engine));
    REQUIRE(engine != NULL);
    engine->options = *options;
    engine->searches = memory_allocate(options->searches_max * sizeof(*engine->searches));
    REQUIRE(engine->searches != NULL);
    *out_engine = engine;
    return RK_OK;
}

void rk_engine_destroy(struct rk_engine *engine)
{
    memory_free(engine->searches);
    memory_free(engine);
}

static void wake(const struct rk_engine *engine)
{
    if (engine->options.wake != NULL)
        engine->options.wake(engine->options.wake_context);
}

static int64_t find_end_us(const struct rk_limits *limits, int64_t arrived_us)
{
    if (limits->infinite || limits->ponder)
        return INT64_MAX;
    if (limits->has_movetime)
        return arrived_us + limits->movetime_ms * US_PER_MS;
    const bool is_bounded = limits->has_clock[0] || limits->has_clock[1] || limits->depth > 0 ||
                            limits->nodes > 0 || limits->mate > 0;
    return is_bounded ? arrived_us : INT64_MAX;
}

enum rk_status rk_engine_start(struct rk_engine *engine, const struct rk_request *request,
                               rk_ticket_t *out_ticket)
{
    const enum rk_status failure = engine->next_failure;
    engine->next_failure = RK_OK;
    if (failure != RK_OK)
        return failure;
    for (uint32_t i = 0; i < engine->options.searches_max; i++) {
        struct search *search = &engine->searches[i];
        if (search->ticket != 0)
            continue;
        *search = (struct search){
            .ticket = ++engine->last_ticket, .limits = request->limits, .key = request->game->key};
        search->lines_left = request->limits.nodes > 0 ? request->limits.nodes * BLOCK_LINES : 1;
        search->end_us = find_end_us(&request->limits, request->arrived_us);
        *out_ticket = search->ticket;
        engine->counts.started++;
        engine->counts.running++;
        engine->counts.last_limits = request->limits;
        engine->counts.last_arrived_us = request->arrived_us;
        wake(engine);
        return RK_OK;
    }
    return RK_BUSY;
}

static struct search *find(const struct rk_engine *engine, rk_ticket_t ticket)
{
    for (uint32_t i = 0; i < engine->options.searches_max; i++)
        if (ticket != 0 && engine->searches[i].ticket == ticket)
            return &engine->searches[i];
    return NULL;
}

void rk_engine_stop(struct rk_engine *engine, rk_ticket_t ticket)
{
    struct search *search = find(engine, ticket);
    if (search == NULL)
        return;
    search->is_stopped = true;
    wake(engine);
}

void rk_engine_ponderhit(struct rk_engine *engine, rk_ticket_t ticket, int64_t arrived_us)
{
    struct search *search = find(engine, ticket);
    if (search == NULL)
        return;
    search->limits.ponder = false;
    search->end_us = find_end_us(&search->limits, arrived_us);
    wake(engine);
}

bool rk_engine_poll(struct rk_engine *engine, struct rk_report *out_report)
{
    for (uint32_t i = 0; i < engine->options.searches_max; i++) {
        struct search *search = &engine->searches[i];
        if (search->ticket == 0)
            continue;
        *out_report = (struct rk_report){.ticket = search->ticket};
        if (search->lines_left > 0) {
            search->lines_left--;
            out_report->kind = RK_REPORT_LINE;
            out_report->block_end = search->lines_left % BLOCK_LINES == 0;
            out_report->multipv = 1;
            if (search->limits.nodes > 0)
                out_report->multipv = (uint16_t)(BLOCK_LINES - search->lines_left % BLOCK_LINES);
            out_report->nodes = search->lines_left;
            out_report->pv_count = 1;
            out_report->pv[0] = stub_move(search->key);
            return true;
        }
        if (search->is_stopped || search->end_us <= clock_now_us()) {
            out_report->kind = RK_REPORT_VERDICT;
            out_report->best_move = stub_move(search->key);
            search->ticket = 0;
            engine->counts.running--;
            return true;
        }
    }
    return false;
}

void rk_engine_forget(struct rk_engine *engine, uint64_t session)
{
    engine->counts.forgotten++;
    engine->counts.last_forgotten = session;
}

void stub_engine_fail_next(struct rk_engine *engine, enum rk_status failure)
{
    engine->next_failure = failure;
}

struct stub_counts stub_engine_counts(const struct rk_engine *engine) { return engine->counts; }
