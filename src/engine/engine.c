/* The door: arguments are checked here, tickets are made and matched here; what they mean to crews
 * and cores is crew.c's. A ticket is a serial number and, in its low bits, the crew. */
#include "rookery/engine.h"

#include "base/bits.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "chess/game.h"
#include "engine/network.h"
#include "engine/seat.h"
#include "engine/tablebase.h"
#include "rookery/tune.h"

static_assert(RK_SEARCHES_MAX == SEARCHES_MAX && RK_THREADS_MAX == THREADS_MAX,
              "the door promises what the house has");

int64_t rk_now_us(void) { return clock_now_us(); }

enum rk_status rk_network_load(const char *path, struct rk_network **out_network,
                               char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    return network_read(path, out_network, out_error);
}

void rk_network_unload(struct rk_network *network) { network_destroy(network); }

const char *rk_network_description(const struct rk_network *network)
{
    return network->description;
}

static bool is_valid_options(const struct rk_engine_options *options)
{
    return options->size == sizeof *options && options->searches_max >= 1 &&
           options->searches_max <= SEARCHES_MAX && options->threads >= 1 &&
           options->threads <= THREADS_MAX && options->table_mib >= 1 &&
           options->table_mib <= RK_TABLE_MIB_MAX && options->memories_max <= SESSIONS_MAX;
}

static void *allocate_pointers(unsigned count) { return memory_allocate(count * sizeof(void *)); }

static enum rk_status create_crew(struct rk_engine *engine, unsigned index)
{
    struct crew *crew = memory_allocate(sizeof *crew);
    if (crew == NULL)
        return RK_NO_MEMORY;
    engine->crews[index] = crew;
    engine->crew_count = index + 1;
    crew->index = index;
    crew->outbox = outbox_create();
    return crew->outbox == NULL ? RK_NO_MEMORY : seat_create(engine, crew, index, &crew->leader);
}

/* Helpers up to threads - 1: each crew has a leader of its own. On failure there are as many as
 * before. */
static enum rk_status set_helpers(struct rk_engine *engine, unsigned count)
{
    const unsigned before = engine->helper_count;
    enum rk_status status = RK_OK;
    while (engine->helper_count < count && status == RK_OK) {
        status = seat_create(engine, NULL, engine->helper_count + 1,
                             &engine->helpers[engine->helper_count]);
        if (status == RK_OK)
            engine->helper_count++;
    }
    const unsigned kept = status == RK_OK ? count : before;
    while (engine->helper_count > kept)
        seat_destroy(engine->helpers[--engine->helper_count]);
    return status;
}

static enum rk_status create_gate(struct rk_engine *engine)
{
    struct gate *gate = memory_allocate(sizeof *gate);
    if (gate == NULL)
        return RK_NO_MEMORY;
    enum rk_status status = gate_init(gate);
    if (status == RK_OK) {
        status = bell_init(&engine->owner_bell);
        if (status != RK_OK)
            gate_clear(gate);
    }
    if (status == RK_OK)
        engine->gate = gate;
    else
        memory_free(gate);
    return status;
}

/* What fails half-way is taken down by rk_engine_destroy. */
static enum rk_status furnish(struct rk_engine *engine, const struct rk_engine_options *options)
{
    const unsigned searches = options->searches_max;
    engine->wake = options->wake;
    engine->wake_context = options->wake_context;
    engine->cores = options->threads;
    engine->crews = allocate_pointers(searches);
    engine->active = allocate_pointers(searches);
    engine->idle = allocate_pointers(searches);
    engine->claims = memory_allocate(searches * sizeof *engine->claims);
    engine->helpers = allocate_pointers(THREADS_MAX);
    engine->account_count = searches * CREW_ACCOUNTS;
    engine->accounts = memory_allocate(engine->account_count * sizeof *engine->accounts);
    if (engine->crews == NULL || engine->active == NULL || engine->idle == NULL ||
        engine->claims == NULL || engine->helpers == NULL || engine->accounts == NULL)
        return RK_NO_MEMORY;
    const unsigned memories = options->memories_max == 0 ? searches : options->memories_max;
    enum rk_status status = memories_create(memories, &engine->memories);
    if (status == RK_OK && options->network == NULL)
        status = network_built_in(&engine->built_in);
    engine->network = options->network == NULL ? engine->built_in : options->network;
    if (status == RK_OK)
        status = table_create(options->table_mib, options->threads, &engine->table);
    for (unsigned i = 0; i < searches && status == RK_OK; i++)
        status = create_crew(engine, i);
    if (status == RK_OK)
        status = set_helpers(engine, options->threads - 1);
    /* The first crew is on top of the stack: one client keeps using it, and its memory alone. */
    for (unsigned i = searches; i-- > 0 && status == RK_OK;)
        engine->idle[engine->idle_count++] = engine->crews[i];
    return status;
}

enum rk_status rk_engine_create(const struct rk_engine_options *options,
                                struct rk_engine **out_engine)
{
    if (options == NULL || out_engine == NULL || !is_valid_options(options))
        return RK_BAD_ARGUMENT;
    struct rk_engine *engine = memory_allocate(sizeof *engine);
    if (engine == NULL)
        return RK_NO_MEMORY;
    enum rk_status status = create_gate(engine);
    if (status != RK_OK) {
        memory_free(engine);
        return status;
    }
    status = furnish(engine, options);
    if (status != RK_OK) {
        rk_engine_destroy(engine);
        return status;
    }
    *out_engine = engine;
    return RK_OK;
}

static void stop_all(struct rk_engine *engine)
{
    gate_lock(engine->gate);
    for (unsigned i = 0; i < engine->crew_count; i++)
        crew_stop(engine->crews[i], engine, clock_now_us());
    gate_unlock(engine->gate);
}

void rk_engine_destroy(struct rk_engine *engine)
{
    if (engine == NULL)
        return;
    stop_all(engine);
    for (unsigned i = 0; i < engine->crew_count; i++)
        seat_destroy(engine->crews[i]->leader);
    while (engine->helper_count > 0)
        seat_destroy(engine->helpers[--engine->helper_count]);
    for (unsigned i = 0; i < engine->crew_count; i++) {
        outbox_destroy(engine->crews[i]->outbox);
        memory_free(engine->crews[i]);
    }
    table_destroy(engine->table);
    memories_destroy(engine->memories);
    network_destroy(engine->built_in);
    memory_free(engine->crews);
    memory_free(engine->active);
    memory_free(engine->idle);
    memory_free(engine->claims);
    memory_free(engine->accounts);
    memory_free(engine->helpers);
    bell_clear(&engine->owner_bell);
    gate_clear(engine->gate);
    memory_free(engine->gate);
    memory_free(engine);
}

static bool is_valid_request(const struct rk_request *request)
{
    return request->size == sizeof *request && request->game != NULL &&
           request->multipv <= RK_MOVES_MAX && request->searchmove_count <= RK_SEARCHMOVES_MAX &&
           request->perft_depth <= PLY_MAX;
}

enum rk_status rk_engine_start(struct rk_engine *engine, const struct rk_request *request,
                               rk_ticket_t *out_ticket)
{
    if (!is_valid_request(request))
        return RK_BAD_ARGUMENT;
    const int64_t now_us = clock_now_us();
    gate_lock(engine->gate);
    if (engine->idle_count == 0) {
        gate_unlock(engine->gate);
        return RK_BUSY;
    }
    struct crew *crew = engine->idle[--engine->idle_count];
    crew->ticket = ++engine->serial * SEARCHES_MAX + crew->index;
    crew->game = *request->game;
    crew->request = *request;
    crew->request.game = NULL; /* The caller's: not to be looked at again. */
    if (request->arrived_us == 0)
        crew->request.arrived_us = now_us;
    *out_ticket = crew->ticket;
    crew_start(crew, engine, now_us);
    gate_unlock(engine->gate);
    return RK_OK;
}

/* NULL for a ticket that is no crew's present one. */
static struct crew *crew_of(const struct rk_engine *engine, rk_ticket_t ticket)
{
    const uint64_t index = ticket % SEARCHES_MAX;
    if (ticket == 0 || index >= engine->crew_count || engine->crews[index]->ticket != ticket)
        return NULL;
    return engine->crews[index];
}

void rk_engine_stop(struct rk_engine *engine, rk_ticket_t ticket)
{
    gate_lock(engine->gate);
    struct crew *crew = crew_of(engine, ticket);
    if (crew != NULL)
        crew_stop(crew, engine, clock_now_us());
    gate_unlock(engine->gate);
}

void rk_engine_ponderhit(struct rk_engine *engine, rk_ticket_t ticket, int64_t arrived_us)
{
    const int64_t now_us = clock_now_us();
    gate_lock(engine->gate);
    struct crew *crew = crew_of(engine, ticket);
    if (crew != NULL)
        crew_ponderhit(crew, engine, arrived_us == 0 ? now_us : arrived_us, now_us);
    gate_unlock(engine->gate);
}

static bool is_last(const struct rk_report *report)
{
    return report->kind == RK_REPORT_VERDICT || report->kind == RK_REPORT_PERFT_TOTAL;
}

/* A crew whose verdict has been read is idle. */
static void set_idle(struct rk_engine *engine, struct crew *crew)
{
    gate_lock(engine->gate);
    crew_read(crew, engine);
    engine->idle[engine->idle_count++] = crew;
    gate_unlock(engine->gate);
}

/* One outbox. Its bit is cleared before the last look, so that a report pushed meanwhile either is
 * seen by that look or sets the bit again. */
static bool poll_crew(struct rk_engine *engine, struct crew *crew, struct rk_report *out_report)
{
    if (!outbox_pop(crew->outbox, out_report)) {
        const uint64_t bit = (uint64_t)1 << crew->index % 64;
        atomic_fetch_and_explicit(&engine->ready[crew->index / 64], ~bit, memory_order_acq_rel);
        if (!outbox_pop(crew->outbox, out_report))
            return false;
        /* There may be more behind it. */
        atomic_fetch_or_explicit(&engine->ready[crew->index / 64], bit, memory_order_relaxed);
    }
    if (is_last(out_report))
        set_idle(engine, crew);
    return true;
}

bool rk_engine_poll(struct rk_engine *engine, struct rk_report *out_report)
{
    const unsigned words = (engine->crew_count + 63) / 64;
    /* From the crew after the one served last, so that none can keep the others waiting. */
    const unsigned first = engine->poll_next % engine->crew_count;
    for (unsigned step = 0; step <= words; step++) {
        const unsigned word = (first / 64 + step) % words;
        uint64_t bits = atomic_load_explicit(&engine->ready[word], memory_order_acquire);
        if (step == 0)
            bits &= ~(uint64_t)0 << first % 64;
        while (bits != 0) {
            const unsigned index = word * 64 + bits_pop(&bits);
            if (poll_crew(engine, engine->crews[index], out_report)) {
                engine->poll_next = index + 1;
                return true;
            }
        }
    }
    return false;
}

void rk_engine_forget(struct rk_engine *engine, uint64_t session)
{
    gate_lock(engine->gate);
    memories_forget(engine->memories, session);
    for (unsigned i = 0; i < engine->helper_count; i++)
        if (engine->helpers[i]->session == session)
            engine->helpers[i]->session = 0;
    /* A search that others watch may run on: who is lent to it from here on helps nobody's. */
    for (unsigned i = 0; i < engine->active_count; i++)
        if (engine->active[i]->request.session == session)
            engine->active[i]->request.session = 0;
    gate_unlock(engine->gate);
}

/* RK_BUSY while a search runs or has a verdict unread. Workers on their way out of one that has
 * ended are waited for: helpers may still read the table. */
static enum rk_status await_rest(struct rk_engine *engine)
{
    enum rk_status status = RK_OK;
    gate_lock(engine->gate);
    if (engine->idle_count < engine->crew_count)
        status = RK_BUSY;
    while (status == RK_OK && engine->cores_held > 0)
        gate_park(engine->gate, &engine->owner_bell);
    gate_unlock(engine->gate);
    return status;
}

enum rk_status rk_engine_clear(struct rk_engine *engine)
{
    const enum rk_status status = await_rest(engine);
    return status == RK_OK ? table_clear(engine->table, engine->cores) : status;
}

enum rk_status rk_engine_resize(struct rk_engine *engine, uint32_t table_mib_wanted,
                                uint32_t threads)
{
    if (table_mib_wanted == 0 || table_mib_wanted > RK_TABLE_MIB_MAX || threads == 0 ||
        threads > THREADS_MAX)
        return RK_BAD_ARGUMENT;
    enum rk_status status = await_rest(engine);
    if (status != RK_OK)
        return status;
    const unsigned helpers_before = engine->helper_count;
    if (threads - 1 > helpers_before)
        status = set_helpers(engine, threads - 1);
    if (status == RK_OK && table_mib_wanted != table_mib(engine->table))
        status = table_resize(engine->table, table_mib_wanted, threads);
    if (status != RK_OK) {
        (void)set_helpers(engine, helpers_before); /* Only ends what was added. */
        return status;
    }
    (void)set_helpers(engine, threads - 1); /* Only ends what is too much. */
    engine->cores = threads;
    return RK_OK;
}

enum rk_status rk_tablebases_open(struct rk_engine *engine, const char *path,
                                  struct rk_tablebases *out_tablebases)
{
    const enum rk_status status = engine == NULL ? RK_OK : await_rest(engine);
    return status == RK_OK ? tablebase_open(path, out_tablebases) : status;
}

void rk_engine_state(const struct rk_engine *engine, struct rk_engine_state *out_state)
{
    gate_lock(engine->gate);
    out_state->searches = engine->crew_count - engine->idle_count;
    out_state->runners = engine->cores_held;
    out_state->threads = engine->cores;
    out_state->table_mib = table_mib(engine->table);
    out_state->nodes = engine->nodes;
    for (unsigned i = 0; i < engine->active_count; i++)
        out_state->nodes += worker_nodes(&engine->active[i]->leader->worker);
    for (unsigned i = 0; i < engine->helper_count; i++)
        if (engine->helpers[i]->state != SEAT_IDLE)
            out_state->nodes += worker_nodes(&engine->helpers[i]->worker);
    gate_unlock(engine->gate);
}

#ifdef ROOKERY_TUNE
bool rk_engine_row(const struct rk_engine *engine, uint32_t index, struct rk_row *out_row)
{
    if (index >= ROW_COUNT)
        return false;
    const struct row *row = row_at(index);
    *out_row = (struct rk_row){row->name, rows_value(&engine->rows, index), row->low, row->high};
    return true;
}

enum rk_status rk_engine_set_row(struct rk_engine *engine, uint32_t index, int32_t value)
{
    if (index >= ROW_COUNT)
        return RK_BAD_ARGUMENT;
    gate_lock(engine->gate);
    const bool is_set = rows_set(&engine->rows, index, value);
    rows_use(&engine->rows); /* The owner's thread turns clocks into deadlines. */
    gate_unlock(engine->gate);
    return is_set ? RK_OK : RK_BAD_ARGUMENT;
}
#endif
