/* A seat's thread sleeps at the gate until its crew has something to search (a leader) or until it
 * is lent (a helper). The search runs outside the gate and calls out through the hooks here. */
#include "engine/seat.h"

#include <signal.h>
#include <stdio.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/movegen.h"
#include "engine/iterate.h"
#include "engine/leaves.h"
#include "engine/tablebase.h"

enum {
    /* Frames of 240 plies and quiescence; sanitizers make them several times as large. */
    STACK_BYTES = 8 * 1024 * 1024,
    THREAD_NAME_BYTES = 16, /* The kernel's bound. */
    PERMILLE = 1000
};

static uint64_t crew_nodes(const struct seat *leader)
{
    return worker_nodes(&leader->worker) +
           atomic_load_explicit(&leader->crew->helper_nodes, memory_order_relaxed);
}

static bool is_told_to_leave(const struct seat *seat)
{
    return atomic_load_explicit(&seat->core, memory_order_relaxed) == CORE_LEAVE;
}

static void leader_check(struct worker *worker)
{
    struct seat *seat = worker->hooks.context;
    int64_t now_us = clock_now_us();
    const bool had_clock = worker->timing.has_deadline;
    const uint32_t word = atomic_load_explicit(&seat->core, memory_order_relaxed);
    if (word == CORE_GATE || now_us >= seat->slice_end_us) {
        crew_visit_gate(seat, now_us);
        now_us = clock_now_us();
    }
    /* At a ponderhit the iteration under way may be a long one, and not needed. */
    const bool is_enough = !had_clock && timing_is_enough(&worker->timing, &worker->facts, now_us);
    const uint64_t limit = worker->limits.nodes;
    if (is_told_to_leave(seat) || is_enough || timing_is_over(&worker->timing, now_us) ||
        (limit != 0 && crew_nodes(seat) >= limit))
        worker->stopped = true;
}

/* What is common to all that a crew reports. */
static void sign(const struct seat *leader, struct rk_report *report)
{
    report->ticket = leader->crew->ticket;
    report->nodes = crew_nodes(leader);
    report->tb_hits =
        leader->worker.tablebase_hits +
        atomic_load_explicit(&leader->crew->helper_tablebase_hits, memory_order_relaxed);
    report->time_us = (uint64_t)(clock_now_us() - leader->request.arrived_us);
}

static void leader_line(struct worker *worker, struct rk_report *line)
{
    const struct seat *seat = worker->hooks.context;
    sign(seat, line);
    outbox_push_line(seat->crew->outbox, line);
    if (line->block_end)
        crew_announce(seat->crew, seat->engine);
}

static bool leader_iteration(struct worker *worker)
{
    return worker->timing.has_deadline &&
           timing_is_enough(&worker->timing, &worker->facts, clock_now_us());
}

/* Adds what the helper has searched since it last did to its crew's counts. */
static void tell_counts(struct seat *helper, struct crew *crew)
{
    const uint64_t nodes = worker_nodes(&helper->worker);
    const uint64_t hits = helper->worker.tablebase_hits;
    atomic_fetch_add_explicit(&crew->helper_nodes, nodes - helper->nodes_told,
                              memory_order_relaxed);
    helper->nodes_told = nodes;
    if (hits == helper->tablebase_hits_told)
        return;
    atomic_fetch_add_explicit(&crew->helper_tablebase_hits, hits - helper->tablebase_hits_told,
                              memory_order_relaxed);
    helper->tablebase_hits_told = hits;
}

static void helper_check(struct worker *worker)
{
    struct seat *seat = worker->hooks.context;
    tell_counts(seat, seat->crew);
    if (is_told_to_leave(seat))
        worker->stopped = true;
}

static bool helper_iteration(struct worker *worker)
{
    struct seat *seat = worker->hooks.context;
    const struct outcome *outcome = &worker->outcome;
    const struct root_move *line = &worker->root_moves[0];
    for (unsigned i = 0; i < line->pv_count; i++)
        atomic_store_explicit(&seat->pv[i], line->pv[i], memory_order_relaxed);
    atomic_store_explicit(&seat->pv_count, line->pv_count, memory_order_relaxed);
    const struct vote vote = {outcome->best, outcome->score, outcome->depth};
    atomic_store_explicit(&seat->result, vote_pack(&vote), memory_order_release);
    return false;
}

/* Strength-limited searches keep to entries of their own, and so do those for which the fifty-move
 * rule does not spoil a win. */
static zkey_t salt_of(const struct rk_request *request)
{
    const uint64_t kind =
        request->elo + (request->tablebase_ignores_fifty ? (uint64_t)RK_ELO_MAX + 1 : 0);
    uint64_t state = request->salt + kind;
    return kind == 0 ? request->salt : random_next(&state);
}

static void prepare(struct seat *seat, const struct worker_hooks *hooks, struct memory *memory,
                    bool is_fresh)
{
    struct worker *worker = &seat->worker;
    const struct rk_request *request = &seat->request;
    worker->hooks = *hooks;
    worker->hooks.context = seat;
    worker->table = seat->engine->table;
    worker->memory = memory;
    worker->salt = salt_of(request);
    worker->multipv = request->multipv == 0 ? 1 : request->multipv;
    /* Leaves are counted to the end, whoever asks: a weak player's nodes are few. */
    worker->elo = request->perft_depth == 0 ? request->elo : 0;
    if (is_fresh)
        memory_clear(memory);
    else
        memory_age(memory);
    tablebase_enter(); /* Whoever prepares a search leaves when it has ended. */
    iterate_prepare(worker, request);
}

/* Mate, stalemate, or nothing that was allowed: one line, and no move. */
static void tell_no_move(struct seat *seat)
{
    const struct position *position = &seat->worker.game.position;
    struct rk_report line = {.kind = RK_REPORT_LINE, .block_end = true, .multipv = 1};
    line.hashfull = (uint16_t)table_hashfull(seat->engine->table);
    line.is_mate = position->checkers != 0 && !movegen_has_any(position);
    line.wdl[line.is_mate ? 2 : 1] = PERMILLE;
    leader_line(&seat->worker, &line);
}

static void tell_verdict(const struct seat *seat, struct rk_report *verdict)
{
    sign(seat, verdict);
    outbox_push_verdict(seat->crew->outbox, verdict);
    crew_announce(seat->crew, seat->engine); /* From here on the crew may be searching again. */
}

static void count_leaves(struct seat *seat)
{
    struct worker *worker = &seat->worker;
    struct rk_report total = {.kind = RK_REPORT_PERFT_TOTAL};
    uint64_t leaves = 0;
    worker->outcome.depth = 1; /* A stop need not wait for a line. */
    for (int i = 0; i < worker->root_count && !worker->stopped; i++) {
        struct rk_report count = {.kind = RK_REPORT_PERFT_MOVE};
        count.best_move = worker->root_moves[i].move;
        const uint64_t below = leaves_below(worker, count.best_move, seat->request.perft_depth);
        if (worker->stopped)
            break;
        leaves += below;
        sign(seat, &count);
        count.nodes = below;
        outbox_push_count(seat->crew->outbox, &count);
        crew_announce(seat->crew, seat->engine);
    }
    tablebase_leave();
    struct root_move none;
    gate_lock(seat->engine->gate);
    (void)crew_end(seat, &none);
    gate_unlock(seat->engine->gate);
    sign(seat, &total);
    total.nodes = leaves;
    outbox_push_verdict(seat->crew->outbox, &total);
    crew_announce(seat->crew, seat->engine);
}

/* Keeps of a line what is legal: its words may be of two iterations. */
static void check_line(const struct position *root, struct root_move *line)
{
    struct position positions[2];
    unsigned legal = 0;
    positions[0] = *root;
    const unsigned count = line->pv[0] == line->move && line->pv_count > 0 ? line->pv_count : 1;
    line->pv[0] = line->move;
    while (legal < count) {
        const struct position *position = &positions[legal % 2];
        const move_t move = line->pv[legal];
        if (!position_is_pseudo_legal(position, move) || !position_is_legal(position, move))
            break;
        position_after(&positions[(legal + 1) % 2], position, move);
        legal++;
    }
    ASSERT(legal > 0);
    line->pv_count = (uint16_t)legal;
}

/* A helper's move has won: the last line told is of it. False when it is not a root move. */
static bool tell_voted(struct seat *seat, struct root_move *line)
{
    struct worker *worker = &seat->worker;
    int index = 0;
    while (index < worker->root_count && worker->root_moves[index].move != line->move)
        index++;
    if (index == worker->root_count)
        return false;
    check_line(&worker->game.position, line);
    line->bound = BOUND_EXACT;
    line->selective = worker->root_moves[0].selective;
    line->rank = worker->root_moves[index].rank;
    line->known = worker->root_moves[index].known;
    worker->root_moves[index] = *line;
    struct rk_report report;
    iterate_line(worker, index, &report);
    report.multipv = 1;
    report.block_end = true;
    leader_line(worker, &report);
    return true;
}

static void search(struct seat *seat)
{
    struct worker *worker = &seat->worker;
    if (worker->root_count == 0)
        tell_no_move(seat);
    else
        iterate_run(worker);
    tablebase_leave();

    struct root_move voted;
    gate_lock(seat->engine->gate);
    const bool is_voted = crew_end(seat, &voted);
    gate_unlock(seat->engine->gate);
    struct rk_report verdict = {.kind = RK_REPORT_VERDICT,
                                .best_move = worker->outcome.best,
                                .ponder_move = worker->outcome.ponder};
    if (is_voted && tell_voted(seat, &voted)) {
        verdict.best_move = voted.move;
        verdict.ponder_move = voted.pv_count > 1 ? voted.pv[1] : MOVE_NONE;
    }
    tell_verdict(seat, &verdict);
}

/* Gate locked, before a search. */
static void use_rows(const struct rk_engine *engine)
{
#ifdef ROOKERY_TUNE
    rows_use(&engine->rows);
#else
    (void)engine; /* They are constants. */
#endif
}

static void lead(struct seat *seat)
{
    static const struct worker_hooks hooks = {
        .check = leader_check, .line = leader_line, .iteration = leader_iteration};
    struct crew *crew = seat->crew;
    seat->request = crew->request;
    seat->worker.game = crew->game;
    seat->worker.seed = crew->ticket;
    struct memory *memory = crew->memory != NULL ? crew->memory : seat->scratch;
    const bool is_fresh = crew->memory == NULL || crew->is_memory_fresh;
    use_rows(seat->engine);
    gate_unlock(seat->engine->gate);
    outbox_open(crew->outbox);
    seat->worker.limits = seat->request.limits;
    prepare(seat, &hooks, memory, is_fresh);
    if (seat->request.perft_depth != 0)
        count_leaves(seat);
    else
        search(seat);
    gate_lock(seat->engine->gate);
}

static void *live_as_leader(void *context)
{
    struct seat *seat = context;
    gate_lock(seat->engine->gate);
    processors_read(&seat->processors);
    for (;;) {
        while (seat->crew->phase != CREW_SEARCHING && !seat->is_retired)
            gate_park(seat->engine->gate, &seat->bell);
        if (seat->crew->phase != CREW_SEARCHING)
            break; /* One that was dealt a core first gives it back. */
        crew_await_core(seat);
        lead(seat);
        crew_rest(seat);
    }
    gate_unlock(seat->engine->gate);
    return NULL;
}

/* A helper knows no limit: it searches until it is told to leave. */
static void help(struct seat *seat)
{
    static const struct worker_hooks hooks = {.check = helper_check, .iteration = helper_iteration};
    seat->nodes_told = 0;
    seat->tablebase_hits_told = 0;
    seat->worker.limits = (struct rk_limits){.infinite = true};
    prepare(seat, &hooks, seat->scratch, seat->is_scratch_fresh);
    iterate_run(&seat->worker);
    tablebase_leave();
    tell_counts(seat, seat->crew);
}

static void *live_as_helper(void *context)
{
    struct seat *seat = context;
    gate_lock(seat->engine->gate);
    for (;;) {
        while (seat->state == SEAT_IDLE && !seat->is_retired)
            gate_park(seat->engine->gate, &seat->bell);
        if (seat->state == SEAT_IDLE)
            break;
        use_rows(seat->engine);
        gate_unlock(seat->engine->gate);
        help(seat);
        gate_lock(seat->engine->gate);
        crew_part(seat);
    }
    gate_unlock(seat->engine->gate);
    return NULL;
}

/* Signals are the owner's: workers take none. */
static enum rk_status start_thread(struct seat *seat, unsigned number)
{
    const bool is_leader = seat->crew != NULL;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return RK_SYSTEM;
    sigset_t all, before;
    (void)sigfillset(&all);
    int error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (error == 0)
        error = pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error == 0) {
        error = pthread_create(&seat->thread, &attributes,
                               is_leader ? live_as_leader : live_as_helper, seat);
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    (void)pthread_attr_destroy(&attributes);
    if (error != 0)
        return RK_SYSTEM;
    char name[THREAD_NAME_BYTES];
    (void)snprintf(name, sizeof name, is_leader ? "leader-%u" : "helper-%u", number);
    (void)pthread_setname_np(seat->thread, name);
    return RK_OK;
}

enum rk_status seat_create(struct rk_engine *engine, struct crew *crew, unsigned number,
                           struct seat **out_seat)
{
    struct seat *seat = memory_allocate(sizeof *seat);
    if (seat == NULL)
        return RK_NO_MEMORY;
    seat->engine = engine;
    seat->crew = crew;
    seat->scratch = memory_allocate(sizeof *seat->scratch);
    enum rk_status status = evaluator_set(&seat->worker.evaluator, engine->network);
    if (status == RK_OK)
        status = seat->scratch == NULL ? RK_NO_MEMORY : bell_init(&seat->bell);
    if (status == RK_OK) {
        status = start_thread(seat, number);
        if (status != RK_OK)
            bell_clear(&seat->bell);
    }
    if (status != RK_OK) {
        evaluator_clear(&seat->worker.evaluator);
        memory_free(seat->scratch);
        memory_free(seat);
        return status;
    }
    *out_seat = seat;
    return RK_OK;
}

void seat_destroy(struct seat *seat)
{
    if (seat == NULL)
        return;
    gate_lock(seat->engine->gate);
    seat->is_retired = true;
    gate_ring(&seat->bell);
    gate_unlock(seat->engine->gate);
    REQUIRE(pthread_join(seat->thread, NULL) == 0);
    bell_clear(&seat->bell);
    evaluator_clear(&seat->worker.evaluator);
    memory_free(seat->scratch);
    memory_free(seat);
}
