#include "server/scheduler.h"

#include "base/check.h"
#include "base/clock.h"
#include "server/demand.h"

enum { US_PER_S = 1000000, TELLS_PER_REPORT = 4 };

enum rk_status scheduler_create(struct scheduler *scheduler, struct rk_engine *engine,
                                const struct scheduler_options *options)
{
    ASSERT(options->searches_max >= 1 && options->clients_max >= 1);
    *scheduler = (struct scheduler){
        .engine = engine, .options = *options, .due_us = INT64_MAX, .stuck_changes = UINT64_MAX};
    enum rk_status status =
        searches_create(&scheduler->searches, options->searches_max + 1, options->clients_max);
    scheduler->searches.per_address = options->searches_per_address;
    if (status == RK_OK)
        status = line_create(&scheduler->line, options->clients_max);
    if (status != RK_OK)
        scheduler_destroy(scheduler);
    return status;
}

void scheduler_destroy(struct scheduler *scheduler)
{
    searches_destroy(&scheduler->searches);
    line_destroy(&scheduler->line);
    *scheduler = (struct scheduler){0};
}

/* -- Starting --------------------------------------------------------------------------------- */

/* For a client that is served now. */
static int64_t find_end_us(const struct scheduler *scheduler, const struct rk_request *request,
                           int64_t now_us)
{
    const bool is_timed = demand_due_us(request) != INT64_MAX;
    if (scheduler->options.infinite_max_s == 0 || is_timed)
        return INT64_MAX;
    return now_us + (int64_t)scheduler->options.infinite_max_s * US_PER_S;
}

static void join(struct scheduler *scheduler, struct search *search, uint32_t client,
                 uint32_t address, int64_t now_us)
{
    searches_join(&scheduler->searches, search, client, address,
                  find_end_us(scheduler, &search->request, now_us));
}

/* Those in line who want just this come along. */
static void gather(struct scheduler *scheduler, struct search *search, int64_t now_us)
{
    uint32_t place = 1;
    while ((place = line_find_same(&scheduler->line, &search->request, place)) > 0) {
        struct waiting *waiting = line_at(&scheduler->line, place);
        line_leave(&scheduler->line, waiting, false);
        join(scheduler, search, waiting->client, waiting->address, now_us);
    }
}

static bool has_crew(const struct scheduler *scheduler)
{
    return scheduler->crew_count < scheduler->options.searches_max &&
           scheduler->searches.free_count > (scheduler->rescue == NULL ? 1 : 0);
}

static enum rk_status start(struct scheduler *scheduler, uint32_t client, uint32_t address,
                            const struct rk_request *request, int64_t now_us)
{
    rk_ticket_t ticket = 0;
    struct rk_request begun = *request;
    begun.limits.clock_max_ms = demand_clock_max_ms(request, now_us);
    const enum rk_status status = rk_engine_start(scheduler->engine, &begun, &ticket);
    if (status != RK_OK)
        return status;
    struct search *search = searches_begin(&scheduler->searches, ticket, request, false);
    join(scheduler, search, client, address, now_us);
    scheduler->crew_count++;
    return RK_OK;
}

/* For all who watch it. */
static void stop_search(struct scheduler *scheduler, struct search *search)
{
    if (search->phase != SEARCH_RUNNING || search->is_stopping)
        return;
    search->is_stopping = true;
    rk_engine_stop(scheduler->engine, search->ticket);
}

/* A watcher among others, of a search that has no line yet and may have to wait for a core: it is
 * answered by the rescue crew, as if it had been stopped in line. False: it is none. */
static bool hurry(struct scheduler *scheduler, uint32_t client)
{
    const struct search *search = searches_of(&scheduler->searches, client);
    const struct watcher *watcher = &scheduler->searches.watchers[client];
    if (search == NULL || search->phase != SEARCH_RUNNING || search->is_stopping ||
        search->block_news > 0 || watcher->is_leaving || search->stayer_count < 2)
        return false;
    struct rk_request request = search->request;
    request.session = 0; /* The histories are with the search. */
    line_enter(&scheduler->line, client, watcher->address, &request);
    (void)searches_leave(&scheduler->searches, client); /* Others stay. */
    line_stop(&scheduler->line, line_of(&scheduler->line, client));
    return true;
}

static void stop(struct scheduler *scheduler, uint32_t client)
{
    if (hurry(scheduler, client))
        return;
    const struct search *search = searches_of(&scheduler->searches, client);
    if (searches_stop(&scheduler->searches, client))
        rk_engine_stop(scheduler->engine, search->ticket);
}

/* -- From the line ---------------------------------------------------------------------------- */

/* Both are asked far more often than the line changes. */
static struct waiting *find_next(struct scheduler *scheduler)
{
    const uint64_t changes = scheduler->line.changes + scheduler->searches.paid_changes;
    if (scheduler->stuck_changes == changes)
        return NULL;
    struct waiting *next = line_next(&scheduler->line, scheduler->searches.paid,
                                     scheduler->options.searches_per_address);
    if (next == NULL)
        scheduler->stuck_changes = changes;
    return next;
}

static int64_t find_due_us(struct scheduler *scheduler)
{
    if (scheduler->due_changes != scheduler->line.changes) {
        scheduler->due_changes = scheduler->line.changes;
        scheduler->due_us = line_due_us(&scheduler->line);
    }
    return scheduler->due_us;
}

/* A stopped request starts as it is and is stopped at once: the engine owes it a line and a move.
 * So does one of several whose clocks are due. A single one gets RESCUE_MS, or what is left. */
static enum rk_status rescue(struct scheduler *scheduler, struct waiting *waiting, int64_t now_us,
                             bool is_alone)
{
    struct rk_request request = *waiting->request;
    const bool is_short = !waiting->is_stopped && is_alone;
    if (is_short) {
        const int64_t left_ms = demand_left_ms(waiting->request, now_us);
        const struct rk_limits limits = {.has_movetime = true,
                                         .movetime_ms = left_ms < RESCUE_MS ? left_ms : RESCUE_MS,
                                         .overhead_ms = waiting->request->limits.overhead_ms};
        request.limits = limits;
        request.arrived_us = now_us;
    }
    rk_ticket_t ticket = 0;
    const enum rk_status status = rk_engine_start(scheduler->engine, &request, &ticket);
    if (status != RK_OK)
        return status;
    struct search *search = searches_begin(&scheduler->searches, ticket, &request, true);
    searches_join(&scheduler->searches, search, waiting->client, waiting->address, INT64_MAX);
    scheduler->rescue = search;
    if (!is_short)
        stop(scheduler, waiting->client);
    return RK_OK;
}

static struct notice make_failure(uint32_t client)
{
    return (struct notice){
        .kind = NOTICE_REPORT, .client = client, .report.kind = RK_REPORT_VERDICT};
}

enum step { STEP_NONE, STEP_TAKEN, STEP_NOTICE };

/* What must be answered now. */
static enum step rescue_next(struct scheduler *scheduler, int64_t now_us, struct notice *out_notice)
{
    if (find_due_us(scheduler) > now_us)
        return STEP_NONE;
    if (scheduler->rescue != NULL) { /* The next one cannot wait for it. */
        const bool is_news = !scheduler->rescue->is_stopping;
        stop_search(scheduler, scheduler->rescue);
        return is_news ? STEP_TAKEN : STEP_NONE;
    }
    if (scheduler->searches.free_count == 0) /* One has ended, but not all have been told. */
        return STEP_NONE;
    uint32_t due_count = 0;
    struct waiting *waiting = line_due(&scheduler->line, now_us, &due_count);
    const enum rk_status status = rescue(scheduler, waiting, now_us, due_count == 1);
    if (status == RK_BUSY)
        return STEP_NONE;
    line_leave(&scheduler->line, waiting, false);
    if (status != RK_OK)
        *out_notice = make_failure(waiting->client); /* Taken once, so a verdict is owed. */
    else if (waiting->is_stopped)
        return STEP_TAKEN;
    else
        *out_notice = (struct notice){.kind = NOTICE_OVERLOADED, .client = waiting->client};
    return STEP_NOTICE;
}

/* Whose turn it is. */
static enum step start_next(struct scheduler *scheduler, int64_t now_us, struct notice *out_notice)
{
    struct waiting *waiting = has_crew(scheduler) ? find_next(scheduler) : NULL;
    if (waiting == NULL)
        return STEP_NONE;
    const enum rk_status status =
        start(scheduler, waiting->client, waiting->address, waiting->request, now_us);
    if (status == RK_BUSY)
        return STEP_NONE;
    const bool is_stopped = waiting->is_stopped;
    line_leave(&scheduler->line, waiting, true);
    if (status != RK_OK) {
        *out_notice = make_failure(waiting->client);
        return STEP_NOTICE;
    }
    if (is_stopped)
        stop(scheduler, waiting->client);
    else
        gather(scheduler, searches_of(&scheduler->searches, waiting->client), now_us);
    return STEP_TAKEN;
}

/* -- The doors ------------------------------------------------------------------------------- */

enum rk_status scheduler_submit(struct scheduler *scheduler, uint32_t client, uint32_t address,
                                const struct rk_request *request, uint32_t *out_place)
{
    const int64_t now_us = clock_now_us();
    ASSERT(searches_of(&scheduler->searches, client) == NULL &&
           line_of(&scheduler->line, client) == NULL);
    struct search *search = searches_find(&scheduler->searches, request);
    if (search != NULL) {
        join(scheduler, search, client, address, now_us);
        *out_place = 0;
        return RK_OK;
    }
    enum rk_status status = RK_BUSY;
    if (!scheduler_is_at_limit(scheduler, address) && has_crew(scheduler) &&
        find_next(scheduler) == NULL)
        status = start(scheduler, client, address, request, now_us);
    if (status == RK_OK) {
        gather(scheduler, searches_of(&scheduler->searches, client), now_us);
        *out_place = 0;
    }
    if (status != RK_BUSY)
        return status;
    line_enter(&scheduler->line, client, address, request);
    struct waiting *waiting = line_of(&scheduler->line, client);
    waiting->told_place = *out_place = line_place(&scheduler->line, waiting);
    waiting->told_us = now_us;
    return RK_OK;
}

bool scheduler_is_at_limit(const struct scheduler *scheduler, uint32_t address)
{
    const uint32_t most = scheduler->options.searches_per_address;
    return most > 0 && scheduler->searches.paid[address] >= most;
}

void scheduler_stop(struct scheduler *scheduler, uint32_t client)
{
    struct waiting *waiting = line_of(&scheduler->line, client);
    if (waiting != NULL)
        line_stop(&scheduler->line, waiting);
    else
        stop(scheduler, client);
}

void scheduler_leave(struct scheduler *scheduler, uint32_t client)
{
    struct waiting *waiting = line_of(&scheduler->line, client);
    const struct search *search = searches_of(&scheduler->searches, client);
    if (waiting != NULL)
        line_leave(&scheduler->line, waiting, false);
    else if (searches_leave(&scheduler->searches, client))
        rk_engine_stop(scheduler->engine, search->ticket);
}

void scheduler_ponderhit(struct scheduler *scheduler, uint32_t client, int64_t arrived_us)
{
    struct waiting *waiting = line_of(&scheduler->line, client);
    struct search *search = searches_of(&scheduler->searches, client);
    if (waiting != NULL) {
        line_ponderhit(&scheduler->line, waiting, arrived_us);
    } else if (search != NULL && search->phase == SEARCH_RUNNING) {
        search->request.limits.ponder = false;
        scheduler->searches.watchers[client].end_us =
            find_end_us(scheduler, &search->request, arrived_us);
        rk_engine_ponderhit(scheduler->engine, search->ticket, arrived_us);
    }
}

void scheduler_stop_all(struct scheduler *scheduler)
{
    for (uint32_t i = 0; i < scheduler->searches.max; i++)
        stop_search(scheduler, &scheduler->searches.all[i]);
    for (uint32_t place = line_count(&scheduler->line); place >= 1; place--)
        line_stop(&scheduler->line, line_at(&scheduler->line, place));
}

bool scheduler_is_open(const struct scheduler *scheduler, uint32_t client)
{
    const struct waiting *waiting = line_of(&scheduler->line, client);
    const struct search *search = searches_of(&scheduler->searches, client);
    if (waiting != NULL)
        return demand_is_endless(waiting->request);
    return search != NULL && demand_is_endless(&search->request);
}

/* -- Notices ---------------------------------------------------------------------------------- */

static void free_crew(struct scheduler *scheduler, const struct search *search)
{
    if (search->is_rescue)
        scheduler->rescue = NULL;
    else
        scheduler->crew_count--;
}

/* Takes one report of the engine. A count of leaves is its one client's at once: none may be
 * dropped. */
static enum step take_report(struct scheduler *scheduler, struct notice *out_notice)
{
    struct rk_report *report = &out_notice->report;
    if (!rk_engine_poll(scheduler->engine, report))
        return STEP_NONE;
    struct search *search = searches_of_ticket(&scheduler->searches, report->ticket);
    if (search == NULL)
        return STEP_TAKEN;
    const bool is_last = report->kind == RK_REPORT_VERDICT || report->kind == RK_REPORT_PERFT_TOTAL;
    if (is_last)
        free_crew(scheduler, search);
    if (report->kind != RK_REPORT_PERFT_MOVE)
        searches_report(&scheduler->searches, search, report);
    else if (search->first != NOBODY) {
        out_notice->kind = NOTICE_REPORT;
        out_notice->client = search->first;
        return STEP_NOTICE;
    }
    return STEP_TAKEN;
}

static bool tell(struct scheduler *scheduler, struct notice *out_notice)
{
    out_notice->kind = NOTICE_REPORT;
    return searches_tell(&scheduler->searches, &out_notice->client, &out_notice->report);
}

/* The next in line whose place is news. */
static bool tell_place(struct scheduler *scheduler, struct notice *out_notice)
{
    while (scheduler->place_next > 0) {
        if (scheduler->place_next > line_count(&scheduler->line)) {
            scheduler->place_next = 0;
            return false;
        }
        const uint32_t place = scheduler->place_next++;
        struct waiting *waiting = line_at(&scheduler->line, place);
        if (waiting->is_stopped || waiting->told_place == place ||
            scheduler->place_us - waiting->told_us < PLACE_US)
            continue;
        waiting->told_place = place;
        waiting->told_us = scheduler->place_us;
        *out_notice =
            (struct notice){.kind = NOTICE_QUEUED, .client = waiting->client, .place = place};
        return true;
    }
    return false;
}

/* Between two reports of the engine a few watchers are told, so that neither holds up the other. */
bool scheduler_poll(struct scheduler *scheduler, int64_t now_us, struct notice *out_notice)
{
    for (;;) {
        if (scheduler->tells_left > 0 || searches_is_telling(&scheduler->searches)) {
            if (tell(scheduler, out_notice)) {
                if (!searches_is_telling(&scheduler->searches) && scheduler->tells_left > 0)
                    scheduler->tells_left--;
                return true;
            }
            scheduler->tells_left = 0;
        }
        enum step step = take_report(scheduler, out_notice);
        if (step == STEP_TAKEN)
            scheduler->tells_left = TELLS_PER_REPORT;
        if (step == STEP_NONE)
            step = rescue_next(scheduler, now_us, out_notice);
        if (step == STEP_NONE)
            step = start_next(scheduler, now_us, out_notice);
        if (step == STEP_NOTICE)
            return true;
        if (step == STEP_NONE)
            return tell(scheduler, out_notice) || tell_place(scheduler, out_notice);
    }
}

int64_t scheduler_due_us(struct scheduler *scheduler)
{
    if (scheduler->rescue != NULL && scheduler->rescue->is_stopping)
        return INT64_MAX; /* Its verdict will wake the loop. */
    return find_due_us(scheduler);
}

void scheduler_tick(struct scheduler *scheduler, int64_t now_us)
{
    const struct searches *searches = &scheduler->searches;
    for (uint32_t i = 0; scheduler->options.infinite_max_s > 0 && i < searches->max; i++) {
        if (searches->all[i].phase != SEARCH_RUNNING)
            continue;
        uint32_t next = searches->all[i].first;
        while (next != NOBODY) {
            const uint32_t client = next;
            /* It may be gone after its stop. Who inherits becomes the first: it may be passed over
             * in this tick, and ends in the next. */
            next = searches->watchers[client].after;
            if (searches->watchers[client].end_us <= now_us)
                stop(scheduler, client);
        }
    }
    if (scheduler->place_next == 0) {
        scheduler->place_next = 1;
        scheduler->place_us = now_us;
    }
}
