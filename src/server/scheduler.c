#include "server/scheduler.h"

#include "base/check.h"
#include "base/memory.h"

enum {
    RESCUE_MS = 50,  /* Search given to a clock that runs out in line. */
    CLOCK_SHARE = 8, /* One part of so many of a clock may be spent in line. */
    US_PER_MS = 1000,
    OVERDUE_MS = -1000000 /* Keeps sums of what clients send far from overflow. */
};
static const int64_t CLOCK_MS_MAX = (int64_t)1 << 40;

enum rk_status scheduler_create(struct scheduler *scheduler, struct rk_engine *engine,
                                uint32_t searches_max, uint32_t line_max)
{
    ASSERT(searches_max >= 1 && line_max >= 1 && line_max <= WAITING_MAX);
    *scheduler =
        (struct scheduler){.engine = engine, .searches_max = searches_max, .line_max = line_max};
    scheduler->running = memory_allocate(((size_t)searches_max + 1) * sizeof(*scheduler->running));
    scheduler->pool = memory_allocate((size_t)line_max * sizeof(*scheduler->pool));
    if (scheduler->running == NULL || scheduler->pool == NULL) {
        scheduler_destroy(scheduler);
        return RK_NO_MEMORY;
    }
    for (uint32_t i = 0; i < line_max; i++) {
        if (rk_game_create(&scheduler->pool[i].game) != RK_OK) {
            scheduler_destroy(scheduler);
            return RK_NO_MEMORY;
        }
        scheduler->pool_free[scheduler->pool_free_count++] = (uint16_t)(line_max - 1 - i);
    }
    return RK_OK;
}

void scheduler_destroy(struct scheduler *scheduler)
{
    for (uint32_t i = 0; scheduler->pool != NULL && i < scheduler->line_max; i++)
        if (scheduler->pool[i].game != NULL)
            rk_game_destroy(scheduler->pool[i].game);
    memory_free(scheduler->pool);
    memory_free(scheduler->running);
    *scheduler = (struct scheduler){0};
}

/* -- Facts of a request ---------------------------------------------------------------------- */

static bool is_limited(const struct rk_request *request)
{
    const struct rk_limits *limits = &request->limits;
    return limits->has_clock[0] || limits->has_clock[1] || limits->has_movetime ||
           limits->depth > 0 || limits->nodes > 0 || limits->mate > 0 || request->perft_depth > 0;
}

static bool is_open(const struct rk_request *request)
{
    return request->limits.infinite || request->limits.ponder || !is_limited(request);
}

static int64_t clamp_ms(int64_t ms)
{
    if (ms < OVERDUE_MS)
        return OVERDUE_MS;
    return ms > CLOCK_MS_MAX ? CLOCK_MS_MAX : ms;
}

/* How long a request may stand in line before its clock wants an answer. */
static int64_t find_due_us(const struct rk_request *request)
{
    const struct rk_limits *limits = &request->limits;
    const int side = rk_game_white_to_move(request->game) ? 0 : 1;
    int64_t patience_ms = 0;
    if (limits->infinite || limits->ponder)
        return INT64_MAX;
    if (limits->has_movetime)
        patience_ms = clamp_ms(limits->movetime_ms) - RESCUE_MS;
    else if (limits->has_clock[side])
        patience_ms =
            (clamp_ms(limits->time_ms[side]) - (int64_t)limits->overhead_ms) / CLOCK_SHARE;
    else
        return INT64_MAX;
    return request->arrived_us + patience_ms * US_PER_MS;
}

/* -- Running --------------------------------------------------------------------------------- */

static struct running *find_running(const struct scheduler *scheduler, uint32_t client)
{
    for (uint32_t i = 0; i < scheduler->running_count; i++)
        if (scheduler->running[i].client == client)
            return &scheduler->running[i];
    return NULL;
}

static struct running *find_ticket(const struct scheduler *scheduler, rk_ticket_t ticket)
{
    for (uint32_t i = 0; i < scheduler->running_count; i++)
        if (scheduler->running[i].ticket == ticket)
            return &scheduler->running[i];
    return NULL;
}

static bool has_free_crew(const struct scheduler *scheduler)
{
    return scheduler->running_count - scheduler->rescue_count < scheduler->searches_max;
}

static enum rk_status start(struct scheduler *scheduler, uint32_t client,
                            const struct rk_request *request, bool is_rescue)
{
    rk_ticket_t ticket = 0;
    const enum rk_status status = rk_engine_start(scheduler->engine, request, &ticket);
    if (status != RK_OK)
        return status;
    ASSERT(scheduler->running_count <= scheduler->searches_max);
    scheduler->running[scheduler->running_count++] =
        (struct running){.ticket = ticket,
                         .client = client,
                         .is_open = is_open(request),
                         .is_limited = is_limited(request),
                         .is_rescue = is_rescue};
    scheduler->rescue_count += is_rescue ? 1 : 0;
    return RK_OK;
}

static void end(struct scheduler *scheduler, struct running *running)
{
    scheduler->rescue_count -= running->is_rescue ? 1 : 0;
    *running = scheduler->running[--scheduler->running_count];
}

/* -- The line -------------------------------------------------------------------------------- */

static struct waiting *find_waiting(const struct scheduler *scheduler, uint32_t client)
{
    for (uint32_t i = 0; i < scheduler->line_count; i++)
        if (scheduler->pool[scheduler->line[i]].client == client)
            return &scheduler->pool[scheduler->line[i]];
    return NULL;
}

static enum rk_status line_up(struct scheduler *scheduler, uint32_t client,
                              const struct rk_request *request)
{
    if (scheduler->pool_free_count == 0)
        return RK_BUSY;
    const uint16_t index = scheduler->pool_free[--scheduler->pool_free_count];
    struct waiting *waiting = &scheduler->pool[index];
    rk_game_copy(waiting->game, request->game);
    waiting->request = *request;
    waiting->request.game = waiting->game;
    waiting->client = client;
    waiting->is_stopped = false;
    waiting->due_us = find_due_us(request);
    scheduler->line[scheduler->line_count++] = index;
    return RK_OK;
}

static void leave_line(struct scheduler *scheduler, uint32_t place)
{
    scheduler->pool_free[scheduler->pool_free_count++] = scheduler->line[place];
    scheduler->line_count--;
    for (uint32_t i = place; i < scheduler->line_count; i++)
        scheduler->line[i] = scheduler->line[i + 1];
}

/* The first in line that must be answered now; *out_count is how many must. line_count: none. */
static uint32_t find_due(const struct scheduler *scheduler, int64_t now_us, uint32_t *out_count)
{
    uint32_t first = scheduler->line_count;
    uint32_t count = 0;
    for (uint32_t i = scheduler->line_count; i-- > 0;) {
        const struct waiting *waiting = &scheduler->pool[scheduler->line[i]];
        if (waiting->is_stopped || waiting->due_us <= now_us) {
            first = i;
            count++;
        }
    }
    *out_count = count;
    return first;
}

/* A stopped request starts as it is and is stopped at once: the engine owes it a line and a move.
 * So does one of several whose clocks are due. A single one gets RESCUE_MS. */
static enum rk_status rescue(struct scheduler *scheduler, const struct waiting *waiting,
                             int64_t now_us, bool is_alone)
{
    struct rk_request request = waiting->request;
    const bool is_short = !waiting->is_stopped && is_alone;
    if (is_short) {
        const struct rk_limits limits = {.has_movetime = true,
                                         .movetime_ms = RESCUE_MS,
                                         .overhead_ms = waiting->request.limits.overhead_ms};
        request.limits = limits;
        request.arrived_us = now_us;
    }
    const enum rk_status status = start(scheduler, waiting->client, &request, true);
    if (status == RK_OK && !is_short)
        rk_engine_stop(scheduler->engine, scheduler->running[scheduler->running_count - 1].ticket);
    return status;
}

/* Starts one of the line, if one can be. RK_BUSY: none; another failure is told to its client, who
 * has left the line. */
static enum rk_status start_next(struct scheduler *scheduler, int64_t now_us, uint32_t *out_client)
{
    uint32_t due_count = 0;
    if (scheduler->line_count == 0)
        return RK_BUSY;
    uint32_t place = find_due(scheduler, now_us, &due_count);
    enum rk_status status = RK_BUSY;
    if (place < scheduler->line_count && (scheduler->rescue_count == 0)) {
        status =
            rescue(scheduler, &scheduler->pool[scheduler->line[place]], now_us, due_count == 1);
    } else if (has_free_crew(scheduler)) {
        const struct waiting *waiting = &scheduler->pool[scheduler->line[0]];
        place = 0;
        status = start(scheduler, waiting->client, &waiting->request, false);
        if (status == RK_OK && waiting->is_stopped)
            rk_engine_stop(scheduler->engine,
                           scheduler->running[scheduler->running_count - 1].ticket);
    }
    if (status == RK_BUSY)
        return RK_BUSY;
    *out_client = scheduler->pool[scheduler->line[place]].client;
    leave_line(scheduler, place);
    return status;
}

/* -- The doors ------------------------------------------------------------------------------- */

enum rk_status scheduler_submit(struct scheduler *scheduler, uint32_t client,
                                const struct rk_request *request, uint32_t *out_place)
{
    ASSERT(find_running(scheduler, client) == NULL && find_waiting(scheduler, client) == NULL);
    enum rk_status status = RK_BUSY;
    if (scheduler->line_count == 0 && has_free_crew(scheduler))
        status = start(scheduler, client, request, false);
    if (status == RK_OK) {
        *out_place = 0;
        return RK_OK;
    }
    if (status != RK_BUSY)
        return status;
    status = line_up(scheduler, client, request);
    if (status == RK_OK)
        *out_place = scheduler->line_count;
    return status;
}

void scheduler_stop(struct scheduler *scheduler, uint32_t client)
{
    const struct running *running = find_running(scheduler, client);
    if (running != NULL) {
        rk_engine_stop(scheduler->engine, running->ticket);
        return;
    }
    struct waiting *waiting = find_waiting(scheduler, client);
    if (waiting != NULL)
        waiting->is_stopped = true;
}

bool scheduler_leave(struct scheduler *scheduler, uint32_t client)
{
    for (uint32_t place = 0; place < scheduler->line_count; place++) {
        if (scheduler->pool[scheduler->line[place]].client == client) {
            leave_line(scheduler, place);
            return true;
        }
    }
    scheduler_stop(scheduler, client);
    return false;
}

void scheduler_ponderhit(struct scheduler *scheduler, uint32_t client, int64_t arrived_us)
{
    struct running *running = find_running(scheduler, client);
    if (running != NULL) {
        running->is_open = !running->is_limited;
        rk_engine_ponderhit(scheduler->engine, running->ticket, arrived_us);
        return;
    }
    struct waiting *waiting = find_waiting(scheduler, client);
    if (waiting != NULL) {
        waiting->request.limits.ponder = false;
        waiting->request.arrived_us = arrived_us;
        waiting->due_us = find_due_us(&waiting->request);
    }
}

void scheduler_stop_all(struct scheduler *scheduler)
{
    for (uint32_t i = 0; i < scheduler->running_count; i++)
        rk_engine_stop(scheduler->engine, scheduler->running[i].ticket);
    for (uint32_t i = 0; i < scheduler->line_count; i++)
        scheduler->pool[scheduler->line[i]].is_stopped = true;
}

bool scheduler_is_open(const struct scheduler *scheduler, uint32_t client)
{
    const struct running *running = find_running(scheduler, client);
    if (running != NULL)
        return running->is_open;
    const struct waiting *waiting = find_waiting(scheduler, client);
    return waiting != NULL && is_open(&waiting->request);
}

bool scheduler_poll(struct scheduler *scheduler, int64_t now_us, struct rk_report *out_report,
                    uint32_t *out_client)
{
    for (;;) {
        while (rk_engine_poll(scheduler->engine, out_report)) {
            struct running *running = find_ticket(scheduler, out_report->ticket);
            if (running == NULL)
                continue;
            *out_client = running->client;
            if (out_report->kind == RK_REPORT_VERDICT || out_report->kind == RK_REPORT_PERFT_TOTAL)
                end(scheduler, running);
            return true;
        }
        const enum rk_status status = start_next(scheduler, now_us, out_client);
        if (status == RK_BUSY)
            return false;
        if (status != RK_OK) { /* Taken once, so a verdict is owed. */
            *out_report = (struct rk_report){.kind = RK_REPORT_VERDICT};
            return true;
        }
    }
}

int64_t scheduler_due_us(const struct scheduler *scheduler)
{
    int64_t due_us = INT64_MAX;
    if (scheduler->rescue_count > 0)
        return INT64_MAX; /* Its verdict will wake the loop. */
    for (uint32_t i = 0; i < scheduler->line_count; i++) {
        const struct waiting *waiting = &scheduler->pool[scheduler->line[i]];
        const int64_t this_us = waiting->is_stopped ? 0 : waiting->due_us;
        due_us = this_us < due_us ? this_us : due_us;
    }
    return due_us;
}
