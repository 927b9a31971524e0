/* Two lists run through the watchers: those of one search, and those who are due, that is, have
 * something to be told. A whole block makes all watchers of its search due. The first of them goes
 * to the front: a client alone with its search is told every block at once, however many others
 * watch something else. Who leaves goes to the front, too; the others are served in turn.
 *
 * A search ends for its engine with the verdict, and here when the last watcher has been told. */
#include "server/searches.h"

#include "base/check.h"
#include "base/memory.h"
#include "server/demand.h"

static size_t lines_bytes(const struct searches *searches)
{
    return (size_t)searches->max * 2 * RK_MOVES_MAX * sizeof(*searches->lines);
}

static bool furnish(struct searches *searches)
{
    const size_t max = searches->max;
    const size_t clients = searches->clients_max;
    searches->free = memory_allocate(max * sizeof(*searches->free));
    searches->all = memory_allocate(max * sizeof(*searches->all));
    searches->tickets = memory_allocate(max * sizeof(*searches->tickets));
    searches->keys = memory_allocate(max * sizeof(*searches->keys));
    searches->lines = memory_allocate_sparse(lines_bytes(searches));
    searches->watchers = memory_allocate(clients * sizeof(*searches->watchers));
    searches->paid = memory_allocate(clients * sizeof(*searches->paid));
    if (searches->free == NULL || searches->all == NULL || searches->tickets == NULL ||
        searches->keys == NULL || searches->lines == NULL || searches->watchers == NULL ||
        searches->paid == NULL)
        return false;
    for (uint32_t i = 0; i < max; i++) {
        struct search *search = &searches->all[i];
        search->blocks[0].lines = searches->lines + (size_t)i * 2 * RK_MOVES_MAX;
        search->blocks[1].lines = search->blocks[0].lines + RK_MOVES_MAX;
        if (rk_game_create(&search->game) != RK_OK)
            return false;
        searches->free[searches->free_count++] = searches->max - 1 - i;
    }
    for (size_t i = 0; i < clients; i++)
        searches->watchers[i].search = NOBODY;
    return true;
}

enum rk_status searches_create(struct searches *searches, uint32_t max, uint32_t clients_max)
{
    *searches = (struct searches){.max = max,
                                  .clients_max = clients_max,
                                  .due_first = NOBODY,
                                  .due_last = NOBODY,
                                  .teller = NOBODY};
    if (furnish(searches))
        return RK_OK;
    searches_destroy(searches);
    return RK_NO_MEMORY;
}

void searches_destroy(struct searches *searches)
{
    for (uint32_t i = 0; searches->all != NULL && i < searches->max; i++)
        if (searches->all[i].game != NULL)
            rk_game_destroy(searches->all[i].game);
    memory_free(searches->paid);
    memory_free(searches->watchers);
    memory_free_sparse(searches->lines, lines_bytes(searches));
    memory_free(searches->keys);
    memory_free(searches->tickets);
    memory_free(searches->all);
    memory_free(searches->free);
    *searches = (struct searches){0};
}

/* -- Who is due ------------------------------------------------------------------------------- */

static void drop_due(struct searches *searches, uint32_t client)
{
    struct watcher *all = searches->watchers;
    struct watcher *watcher = &all[client];
    if (!watcher->is_due)
        return;
    watcher->is_due = false;
    *(watcher->due_before == NOBODY ? &searches->due_first : &all[watcher->due_before].due_after) =
        watcher->due_after;
    *(watcher->due_after == NOBODY ? &searches->due_last : &all[watcher->due_after].due_before) =
        watcher->due_before;
}

static void put_first(struct searches *searches, uint32_t client)
{
    struct watcher *all = searches->watchers;
    drop_due(searches, client);
    all[client].is_due = true;
    all[client].due_before = NOBODY;
    all[client].due_after = searches->due_first;
    *(searches->due_first == NOBODY ? &searches->due_last : &all[searches->due_first].due_before) =
        client;
    searches->due_first = client;
}

static void put_last(struct searches *searches, uint32_t client)
{
    struct watcher *all = searches->watchers;
    if (all[client].is_due)
        return;
    all[client].is_due = true;
    all[client].due_after = NOBODY;
    all[client].due_before = searches->due_last;
    *(searches->due_last == NOBODY ? &searches->due_first : &all[searches->due_last].due_after) =
        client;
    searches->due_last = client;
}

static void put_all(struct searches *searches, const struct search *search)
{
    for (uint32_t client = search->first; client != NOBODY;
         client = searches->watchers[client].after) {
        if (client == search->first || searches->watchers[client].is_leaving)
            put_first(searches, client);
        else
            put_last(searches, client);
    }
}

/* -- Coming and going ------------------------------------------------------------------------- */

static bool is_paid(const struct search *search)
{
    return search->phase == SEARCH_RUNNING && !search->is_rescue && search->first != NOBODY;
}

static void count_payer(struct searches *searches, const struct search *search, uint32_t change)
{
    if (!is_paid(search))
        return;
    searches->paid[searches->watchers[search->first].address] += change;
    searches->paid_changes++;
}

struct search *searches_find(const struct searches *searches, const struct rk_request *request)
{
    const uint64_t key = demand_key(request);
    for (uint32_t i = 0; key != 0 && i < searches->max; i++) {
        struct search *search = &searches->all[i];
        if (searches->keys[i] == key && !search->is_stopping &&
            demand_is_same(&search->request, request))
            return search;
    }
    return NULL;
}

struct search *searches_begin(struct searches *searches, rk_ticket_t ticket,
                              const struct rk_request *request, bool is_rescue)
{
    REQUIRE(searches->free_count > 0);
    const uint32_t index = searches->free[--searches->free_count];
    struct search *search = &searches->all[index];
    rk_game_copy(search->game, request->game);
    search->phase = SEARCH_RUNNING;
    search->ticket = ticket;
    search->request = *request;
    search->request.game = search->game;
    search->is_rescue = is_rescue;
    search->is_stopping = false;
    search->first = search->last = NOBODY;
    search->stayer_count = 0;
    search->news = search->block_news = search->bound_news = 0;
    search->blocks[0].count = search->blocks[1].count = 0;
    searches->tickets[index] = ticket;
    searches->keys[index] = is_rescue ? 0 : demand_key(request);
    return search;
}

void searches_join(struct searches *searches, struct search *search, uint32_t client,
                   uint32_t address, int64_t end_us)
{
    struct watcher *watcher = &searches->watchers[client];
    ASSERT(watcher->search == NOBODY && search->phase == SEARCH_RUNNING);
    *watcher = (struct watcher){.search = (uint32_t)(search - searches->all),
                                .address = address,
                                .before = search->last,
                                .after = NOBODY,
                                .end_us = end_us};
    *(search->last == NOBODY ? &search->first : &searches->watchers[search->last].after) = client;
    search->last = client;
    search->stayer_count++;
    if (search->first == client)
        count_payer(searches, search, 1);
    if (search->news > 0)
        put_last(searches, client);
}

static void release_if_done(struct searches *searches, struct search *search)
{
    if (search->phase != SEARCH_ENDED || search->first != NOBODY)
        return;
    search->phase = SEARCH_FREE;
    searches->free[searches->free_count++] = (uint32_t)(search - searches->all);
}

static void take_out(struct searches *searches, struct search *search,
                     const struct watcher *watcher)
{
    *(watcher->before == NOBODY ? &search->first : &searches->watchers[watcher->before].after) =
        watcher->after;
    *(watcher->after == NOBODY ? &search->last : &searches->watchers[watcher->after].before) =
        watcher->before;
}

/* Who pays has left. The longest watcher whose address has room becomes the first. */
static void find_heir(struct searches *searches, struct search *search)
{
    struct watcher *all = searches->watchers;
    uint32_t heir = search->first;
    while (heir != NOBODY && searches->per_address > 0 &&
           searches->paid[all[heir].address] >= searches->per_address)
        heir = all[heir].after;
    if (heir == NOBODY || heir == search->first)
        return;
    take_out(searches, search, &all[heir]);
    all[heir].before = NOBODY;
    all[heir].after = search->first;
    all[search->first].before = heir;
    search->first = heir;
}

static void detach(struct searches *searches, uint32_t client)
{
    struct watcher *watcher = &searches->watchers[client];
    struct search *search = &searches->all[watcher->search];
    const bool was_payer = search->first == client;
    drop_due(searches, client);
    if (searches->teller == client)
        searches->teller = NOBODY;
    if (was_payer)
        count_payer(searches, search, UINT32_MAX); /* One less. */
    take_out(searches, search, watcher);
    if (was_payer && is_paid(search)) {
        find_heir(searches, search);
        count_payer(searches, search, 1);
    }
    search->stayer_count -= watcher->is_leaving ? 0 : 1;
    watcher->search = NOBODY;
    release_if_done(searches, search);
}

struct search *searches_of(const struct searches *searches, uint32_t client)
{
    const uint32_t index = searches->watchers[client].search;
    return index == NOBODY ? NULL : &searches->all[index];
}

struct search *searches_of_ticket(const struct searches *searches, rk_ticket_t ticket)
{
    for (uint32_t i = 0; ticket != 0 && i < searches->max; i++)
        if (searches->tickets[i] == ticket)
            return &searches->all[i];
    return NULL;
}

static bool wants_stop(struct search *search)
{
    if (search->phase != SEARCH_RUNNING || search->is_stopping || search->stayer_count > 0)
        return false;
    search->is_stopping = true;
    return true;
}

bool searches_stop(struct searches *searches, uint32_t client)
{
    struct watcher *watcher = &searches->watchers[client];
    struct search *search = searches_of(searches, client);
    if (search == NULL || watcher->is_leaving)
        return false;
    watcher->is_leaving = true;
    search->stayer_count--;
    if (search->block_news > 0 && searches->teller != client)
        put_first(searches, client);
    return wants_stop(search);
}

bool searches_leave(struct searches *searches, uint32_t client)
{
    struct search *search = searches_of(searches, client);
    if (search == NULL)
        return false;
    detach(searches, client);
    return wants_stop(search);
}

/* -- News ------------------------------------------------------------------------------------- */

static void take_verdict(struct searches *searches, struct search *search,
                         const struct rk_report *report)
{
    const size_t index = (size_t)(search - searches->all);
    count_payer(searches, search, UINT32_MAX);
    search->phase = SEARCH_ENDED;
    search->verdict = *report;
    searches->tickets[index] = 0;
    searches->keys[index] = 0;
    put_all(searches, search);
    release_if_done(searches, search);
}

void searches_report(struct searches *searches, struct search *search,
                     const struct rk_report *report)
{
    ASSERT(searches->teller == NOBODY && search->phase == SEARCH_RUNNING);
    if (report->kind != RK_REPORT_LINE) {
        take_verdict(searches, search, report);
        return;
    }
    struct block *block = &search->blocks[1 - search->newest];
    if (report->bound != RK_BOUND_EXACT && report->multipv <= 1) {
        search->bound = *report;
        search->bound_news = ++search->news;
        put_all(searches, search);
        return;
    }
    if (report->multipv <= 1)
        block->count = 0;
    if (block->count < RK_MOVES_MAX)
        block->lines[block->count++] = *report;
    if (!report->block_end)
        return;
    search->newest = 1 - search->newest;
    search->block_news = ++search->news;
    search->bound_news = 0;
    put_all(searches, search);
}

/* For one who leaves while others stay: the best move of the newest block. */
static void make_verdict(const struct search *search, struct rk_report *out_report)
{
    const struct rk_report *line = &search->blocks[search->newest].lines[0];
    *out_report = (struct rk_report){.ticket = search->ticket,
                                     .kind = RK_REPORT_VERDICT,
                                     .is_mate = line->is_mate,
                                     .score = line->score,
                                     .depth = line->depth,
                                     .nodes = line->nodes,
                                     .time_us = line->time_us};
    if (line->pv_count > 0)
        out_report->best_move = line->pv[0];
    if (line->pv_count > 1)
        out_report->ponder_move = line->pv[1];
}

/* The next line that this watcher does not know; false: it knows all. */
static bool tell_line(struct searches *searches, uint32_t client, const struct search *search,
                      struct rk_report *out_report)
{
    struct watcher *watcher = &searches->watchers[client];
    const struct block *block = &search->blocks[search->newest];
    if (watcher->told < search->block_news) {
        *out_report = block->lines[watcher->line_count++];
        searches->teller = client;
        if (watcher->line_count == block->count) {
            watcher->line_count = 0;
            watcher->told = search->block_news;
            searches->teller = NOBODY;
        }
        return true;
    }
    if (watcher->told >= search->bound_news)
        return false;
    watcher->told = search->bound_news;
    *out_report = search->bound;
    return true;
}

bool searches_tell(struct searches *searches, uint32_t *out_client, struct rk_report *out_report)
{
    for (;;) {
        const uint32_t client = searches->teller != NOBODY ? searches->teller : searches->due_first;
        if (client == NOBODY)
            return false;
        const struct watcher *watcher = &searches->watchers[client];
        const struct search *search = &searches->all[watcher->search];
        *out_client = client;
        if (tell_line(searches, client, search, out_report))
            return true;
        const bool is_early = watcher->is_leaving && !search->is_stopping && search->block_news > 0;
        if (search->phase == SEARCH_ENDED || is_early) {
            if (search->phase == SEARCH_ENDED)
                *out_report = search->verdict;
            else
                make_verdict(search, out_report);
            detach(searches, client);
            return true;
        }
        drop_due(searches, client);
    }
}

bool searches_is_telling(const struct searches *searches) { return searches->teller != NOBODY; }
