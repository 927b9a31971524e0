/* Everything cold is here, under the engine's one gate: what each crew does, who holds a core, who
 * waits for one. Whatever changes that calls deal(): it draws up a claim for each crew that
 * searches, lets share.c decide, asks back what is too much and gives away what is free. Asking is
 * one relaxed word, seen at the worker's next check; the worker then comes to the gate, gives the
 * core back, and deals again. So no thread ever waits for another to answer.
 *
 *     crew:   IDLE ── start ──► SEARCHING ── nothing left, or stopped ──► ENDED ── read ──► IDLE
 *                                   └── nothing left, withheld ──► PARKED ── stop ──►┘
 *     leader: IDLE ─► WAITING ◄──► RUNNING ─► GIVING ─► WAITING       helper: IDLE ─► RUNNING ─►
 * IDLE
 */
#include "engine/crew.h"

#include <string.h>

#include "base/check.h"
#include "base/clock.h"

enum {
    DEADLINE_NEAR_US = 2 * SLICE_US, /* So near makes a search urgent: twice a slice. */
    VERDICT_US_MAX = 1000            /* How long a core stays free for who reads a verdict. */
};

static void tell(struct seat *seat, enum core_word word)
{
    if (atomic_load_explicit(&seat->core, memory_order_relaxed) != CORE_LEAVE)
        atomic_store_explicit(&seat->core, word, memory_order_relaxed);
}

static bool has_core(const struct seat *seat)
{
    return seat->state == SEAT_RUNNING || seat->state == SEAT_GIVING;
}

static int64_t deadline_us(const struct timing *timing)
{
    return timing->start_us + timing->maximum_us;
}

static unsigned weight(const struct crew *crew)
{
    return crew->timing.has_deadline ? SHARE_WEIGHT_CLOCK : SHARE_WEIGHT_OPEN;
}

static enum share_urgency urgency(const struct crew *crew, uint64_t soon_max, int64_t now_us)
{
    if (crew->is_overdue)
        return SHARE_OVERDUE;
    if (crew->is_stopped || timing_is_over(&crew->timing, now_us))
        return SHARE_NOW;
    if (!crew->timing.has_deadline || crew->served > soon_max)
        return SHARE_CALM;
    const bool is_near = deadline_us(&crew->timing) - now_us <= DEADLINE_NEAR_US;
    return crew->is_fresh || is_near ? SHARE_SOON : SHARE_CALM;
}

/* Only what others waited for is charged. */
static void charge(struct crew *crew, const struct rk_engine *engine, int64_t now_us)
{
    const int64_t elapsed_us = now_us - crew->charged_us;
    if (engine->is_scarce && has_core(crew->leader) && elapsed_us > 0)
        crew->served += share_cost(weight(crew), (uint64_t)elapsed_us);
    crew->charged_us = now_us;
}

/* Draws up the claims. */
static void gather(struct rk_engine *engine, int64_t now_us)
{
    unsigned wanting = 0;
    for (unsigned i = 0; i < engine->active_count; i++) {
        struct crew *crew = engine->active[i];
        const struct seat *leader = crew->leader;
        charge(crew, engine, now_us);
        const bool is_running = leader->state == SEAT_RUNNING;
        engine->claims[i] = (struct share_claim){
            .workers_max = crew->is_held_up ? 0 : crew->workers_max,
            .held = is_running ? 1 + crew->staying : 0,
            .is_slice_over = is_running && now_us - leader->since_us >= SLICE_US,
            .weight = weight(crew),
            .served = crew->served,
            .waiting_us = leader->since_us,
        };
        wanting += engine->claims[i].workers_max > 0;
    }
    engine->virtual_now = share_now(engine->claims, engine->active_count, engine->virtual_now);
    for (unsigned i = 0; i < engine->active_count; i++) {
        engine->active[i]->served = share_bound(engine->active[i]->served, engine->virtual_now);
        engine->claims[i].served = engine->active[i]->served;
    }
    const uint64_t soon_max = share_soon_max(engine->claims, engine->active_count);
    for (unsigned i = 0; i < engine->active_count; i++)
        engine->claims[i].urgency = urgency(engine->active[i], soon_max, now_us);
    engine->is_scarce = wanting > engine->cores;
}

static void raise_overdue(struct rk_engine *engine, int64_t now_us)
{
    const unsigned overdue = share_overdue(engine->cores, engine->claims, engine->active_count,
                                           now_us, engine->overdue_us);
    if (overdue == engine->active_count)
        return;
    engine->active[overdue]->is_overdue = true;
    engine->claims[overdue].urgency = SHARE_OVERDUE;
    engine->overdue_us = now_us;
}

static void dismiss_helpers(struct crew *crew, struct rk_engine *engine, unsigned staying_max)
{
    for (unsigned i = engine->helper_count; i-- > 0 && crew->staying > staying_max;) {
        struct seat *helper = engine->helpers[i];
        if (helper->crew != crew || helper->state != SEAT_RUNNING)
            continue;
        helper->state = SEAT_GIVING;
        tell(helper, CORE_LEAVE);
        crew->staying--;
    }
}

static void take_back(struct crew *crew, struct rk_engine *engine, unsigned dealt)
{
    struct seat *leader = crew->leader;
    if (dealt == 0 && leader->state == SEAT_RUNNING) {
        leader->state = SEAT_GIVING;
        tell(leader, CORE_GATE);
    } else if (dealt > 0 && leader->state == SEAT_GIVING) {
        leader->state = SEAT_RUNNING; /* It has not given it yet, and may keep it. */
    }
    dismiss_helpers(crew, engine, dealt > 0 ? dealt - 1 : 0);
}

/* To the leaders that were dealt a core, as far as there are free ones, best right first. */
static void grant_leaders(struct rk_engine *engine, int64_t now_us)
{
    while (engine->cores_held < engine->cores) {
        const struct share_claim *best = NULL;
        struct seat *leader = NULL;
        for (unsigned i = 0; i < engine->active_count; i++) {
            const struct share_claim *claim = &engine->claims[i];
            if (claim->dealt == 0 || engine->active[i]->leader->state != SEAT_WAITING)
                continue;
            if (best == NULL || share_is_owed_more(claim, best)) {
                best = claim;
                leader = engine->active[i]->leader;
            }
        }
        if (best == NULL)
            return;
        engine->cores_held++;
        leader->state = SEAT_RUNNING;
        leader->since_us = now_us;
        leader->crew->charged_us = now_us;
        if (engine->giver != NULL && engine->giver != leader)
            leader->is_moved = processor_hand_over(leader->thread, &leader->processors);
        engine->giver = NULL;
        gate_ring(&leader->bell);
    }
}

static struct seat *idle_helper(const struct rk_engine *engine)
{
    for (unsigned i = 0; i < engine->helper_count; i++)
        if (engine->helpers[i]->state == SEAT_IDLE)
            return engine->helpers[i];
    return NULL;
}

/* What a helper reads of its crew it reads here: by the time it leaves, the crew may have begun
 * another search. */
static void lend_helper(struct crew *crew, struct rk_engine *engine, struct seat *helper)
{
    engine->cores_held++;
    crew->helpers++;
    crew->staying++;
    helper->state = SEAT_RUNNING;
    helper->crew = crew;
    helper->request = crew->request;
    helper->worker.game = crew->game;
    helper->worker.index = crew->staying;
    helper->is_scratch_fresh = helper->session == 0 || helper->session != crew->request.session;
    helper->session = crew->request.session;
    atomic_store_explicit(&helper->core, CORE_RUN, memory_order_relaxed);
    atomic_store_explicit(&helper->result, 0, memory_order_relaxed);
    atomic_store_explicit(&helper->worker.nodes, 0, memory_order_relaxed);
    gate_ring(&helper->bell);
}

static void lend_helpers(struct rk_engine *engine)
{
    for (unsigned i = 0; i < engine->active_count; i++) {
        struct crew *crew = engine->active[i];
        while (crew->leader->state == SEAT_RUNNING && crew->staying + 1 < engine->claims[i].dealt &&
               engine->cores_held < engine->cores) {
            struct seat *helper = idle_helper(engine);
            if (helper == NULL)
                return; /* On its way out of another crew: it deals again when it has left. */
            lend_helper(crew, engine, helper);
        }
    }
}

static void deal(struct rk_engine *engine, int64_t now_us)
{
    gather(engine, now_us);
    raise_overdue(engine, now_us);
    share_deal(engine->cores, engine->claims, engine->active_count);
    for (unsigned i = 0; i < engine->active_count; i++)
        take_back(engine->active[i], engine, engine->claims[i].dealt);
    grant_leaders(engine, now_us);
    lend_helpers(engine);
    ASSERT(engine->cores_held <= engine->cores);
}

static void reset_counts(struct crew *crew)
{
    atomic_store_explicit(&crew->helper_nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&crew->helper_tablebase_hits, 0, memory_order_relaxed);
}

/* A clock runs only for a verdict that may be told. */
static void set_clock(struct crew *crew, int64_t start_us)
{
    crew->timing = (struct timing){.start_us = start_us};
    if (crew->is_withheld)
        return;
    const struct position *position = &crew->game.position;
    const unsigned ply = (position->move_number - 1u) * 2u + position->side;
    timing_init(&crew->timing, &crew->request.limits, position->side, ply, start_us);
    crew->is_fresh = crew->timing.has_deadline;
}

static unsigned workers_max(const struct rk_request *request, unsigned cores)
{
    if (request->elo != 0 || request->perft_depth != 0)
        return 1; /* A weak player needs no help, and leaves are counted by one. */
    return request->threads == 0 || request->threads > cores ? cores : request->threads;
}

/* A session has one search at a time: an older one of its runs on for others who watch it. */
static void close_account(struct rk_engine *engine, uint64_t session)
{
    for (unsigned i = 0; i < engine->active_count; i++) {
        struct crew *older = engine->active[i];
        if (older->account != session)
            continue;
        share_note(engine->accounts, engine->account_count, session, older->served);
        older->account = 0;
    }
}

/* With the last search the past is forgotten: virtual time begins at 0 again. */
static void begin_account(struct crew *crew, struct rk_engine *engine)
{
    if (engine->active_count == 0) {
        memset(engine->accounts, 0, engine->account_count * sizeof *engine->accounts);
        engine->virtual_now = 0;
    }
    crew->account = crew->request.session;
    close_account(engine, crew->account);
    crew->served =
        share_start(engine->accounts, engine->account_count, crew->account, engine->virtual_now);
}

static void end_account(struct crew *crew, struct rk_engine *engine)
{
    charge(crew, engine, clock_now_us());
    share_note(engine->accounts, engine->account_count, crew->account, crew->served);
}

void crew_start(struct crew *crew, struct rk_engine *engine, int64_t now_us)
{
    ASSERT(crew->phase == CREW_IDLE && crew->staying == 0 && !has_core(crew->leader));
    gather(engine, now_us);
    begin_account(crew, engine);
    crew->charged_us = now_us;
    crew->phase = CREW_SEARCHING;
    crew->is_withheld = crew->request.limits.infinite || crew->request.limits.ponder;
    crew->is_stopped = false;
    crew->is_fresh = false;
    crew->is_overdue = false;
    crew->workers_max = workers_max(&crew->request, engine->cores);
    crew->is_held_up = crew->helpers > 0;
    reset_counts(crew);
    set_clock(crew, crew->request.arrived_us);
    crew->memory = memories_lend(engine->memories, crew->request.session, &crew->is_memory_fresh);

    struct seat *leader = crew->leader;
    leader->state = SEAT_WAITING;
    leader->since_us = now_us;
    atomic_store_explicit(&leader->core, CORE_RUN, memory_order_relaxed);
    atomic_store_explicit(&leader->worker.nodes, 0, memory_order_relaxed);
    engine->active[engine->active_count++] = crew;
    deal(engine, now_us);
    gate_ring(&leader->bell); /* Without a core it waits for its deadline, too. */
}

/* A leader that waits goes first; one that runs sees the word; one that is parked wakes. */
static void call_leader(struct crew *crew, struct rk_engine *engine, enum core_word word,
                        int64_t now_us)
{
    tell(crew->leader, word);
    if (crew->phase == CREW_SEARCHING)
        deal(engine, now_us);
    gate_ring(&crew->leader->bell);
}

void crew_stop(struct crew *crew, struct rk_engine *engine, int64_t now_us)
{
    if (crew->phase != CREW_SEARCHING && crew->phase != CREW_PARKED)
        return;
    crew->is_stopped = true;
    call_leader(crew, engine, CORE_LEAVE, now_us);
}

void crew_ponderhit(struct crew *crew, struct rk_engine *engine, int64_t arrived_us, int64_t now_us)
{
    const bool is_pondering = crew->is_withheld && crew->request.limits.ponder;
    if (!is_pondering || (crew->phase != CREW_SEARCHING && crew->phase != CREW_PARKED))
        return;
    crew->request.limits.ponder = false;
    crew->is_withheld = crew->request.limits.infinite;
    charge(crew, engine, now_us);
    set_clock(crew, arrived_us);
    if (crew->timing.has_deadline)
        crew->served = share_as_clock(crew->served, engine->virtual_now);
    call_leader(crew, engine, CORE_GATE, now_us);
}

static void release_core(struct seat *seat, enum seat_state state)
{
    ASSERT(has_core(seat) && seat->engine->cores_held > 0);
    seat->state = state;
    if (--seat->engine->cores_held == 0)
        gate_ring(&seat->engine->owner_bell);
}

void crew_await_core(struct seat *seat)
{
    struct rk_engine *engine = seat->engine;
    const struct timing *timing = &seat->crew->timing;
    bool is_told = false; /* That the deadline has come. */
    while (seat->state == SEAT_WAITING) {
        if (!timing->has_deadline || is_told) {
            gate_park(engine->gate, &seat->bell);
        } else if (!timing_is_over(timing, clock_now_us())) {
            (void)gate_park_until(engine->gate, &seat->bell, deadline_us(timing));
        } else {
            is_told = true;
            deal(engine, clock_now_us());
        }
    }
    if (seat->is_moved)
        processors_restore(&seat->processors);
    seat->is_moved = false;
    seat->slice_end_us = clock_now_us() + SLICE_US;
    seat->worker.timing = *timing;
}

void crew_visit_gate(struct seat *seat, int64_t now_us)
{
    struct rk_engine *engine = seat->engine;
    struct crew *crew = seat->crew;
    gate_lock(engine->gate);
    if (atomic_load_explicit(&seat->core, memory_order_relaxed) == CORE_GATE)
        atomic_store_explicit(&seat->core, CORE_RUN, memory_order_relaxed);
    const bool is_slice_over = now_us - seat->since_us >= SLICE_US;
    crew->is_fresh = crew->is_fresh && !is_slice_over;
    crew->is_overdue = crew->is_overdue && !is_slice_over;
    if (engine->is_scarce || seat->state == SEAT_GIVING)
        deal(engine, now_us);
    if (seat->state == SEAT_GIVING) {
        release_core(seat, SEAT_WAITING);
        seat->since_us = now_us;
        engine->giver = seat;
        deal(engine, now_us);
        engine->giver = NULL;
    } else if (is_slice_over) {
        seat->since_us = now_us;
    }
    crew_await_core(seat);
    gate_unlock(engine->gate);
}

/* The vote, while no helper can be lent elsewhere, but on a depth, which helpers go beyond: a move
 * is one word, its line is copied as it stands and checked later. */
static bool count_votes(const struct seat *leader, struct root_move *out_line)
{
    const struct rk_engine *engine = leader->engine;
    const struct crew *crew = leader->crew;
    const struct rk_request *request = &crew->request;
    const struct outcome *outcome = &leader->worker.outcome;
    if (crew->staying == 0 || request->multipv > 1 || request->limits.mate != 0 ||
        request->limits.depth != 0 || outcome->best == MOVE_NONE)
        return false;
    struct vote votes[THREADS_MAX];
    struct seat *voters[THREADS_MAX];
    unsigned count = 1;
    votes[0] = (struct vote){outcome->best, outcome->score, outcome->depth};
    for (unsigned i = 0; i < engine->helper_count && count < THREADS_MAX; i++) {
        struct seat *helper = engine->helpers[i];
        if (helper->crew != crew || helper->state != SEAT_RUNNING)
            continue;
        voters[count] = helper;
        votes[count++] = vote_unpack(atomic_load_explicit(&helper->result, memory_order_acquire));
    }
    const unsigned winner = vote_winner(votes, count);
    if (votes[winner].move == outcome->best)
        return false; /* The leader has told a line of it. */
    struct seat *voter = voters[winner];
    *out_line = (struct root_move){
        .move = votes[winner].move, .score = votes[winner].score, .depth = votes[winner].depth};
    out_line->pv_count = atomic_load_explicit(&voter->pv_count, memory_order_relaxed);
    for (unsigned i = 0; i < RK_PV_MAX; i++)
        out_line->pv[i] = atomic_load_explicit(&voter->pv[i], memory_order_relaxed);
    return true;
}

static void remove_active(struct rk_engine *engine, const struct crew *crew)
{
    unsigned at = 0;
    while (engine->active[at] != crew)
        at++;
    for (engine->active_count--; at < engine->active_count; at++)
        engine->active[at] = engine->active[at + 1];
}

bool crew_end(struct seat *seat, struct root_move *out_line)
{
    struct rk_engine *engine = seat->engine;
    struct crew *crew = seat->crew;
    const bool is_helpers = count_votes(seat, out_line);
    dismiss_helpers(crew, engine, 0);
    end_account(crew, engine);
    remove_active(engine, crew);
    engine->nodes += worker_nodes(&seat->worker);
    memories_return(engine->memories, crew->memory);
    if (crew->is_withheld && !crew->is_stopped) {
        crew->phase = CREW_PARKED;
        release_core(seat, SEAT_IDLE);
        deal(engine, clock_now_us());
        while (crew->is_withheld && !crew->is_stopped)
            gate_park(engine->gate, &seat->bell);
    }
    crew->phase = CREW_ENDED;
    return is_helpers;
}

/* The owner needs a processor to read the verdict, and the kernel may let it wait for a tick (4 ms)
 * behind busy workers. So the core stays with the parked leader, its processor idle, until the
 * verdict has been read. */
void crew_rest(struct seat *seat)
{
    struct crew *crew = seat->crew;
    const int64_t until_us = clock_now_us() + VERDICT_US_MAX;
    while (crew->phase == CREW_ENDED &&
           gate_park_until(seat->engine->gate, &seat->bell, until_us)) {
    }
    const bool is_asked_again = crew->phase == CREW_SEARCHING;
    if (!has_core(seat) || (is_asked_again && seat->state == SEAT_RUNNING))
        return;
    release_core(seat, is_asked_again ? SEAT_WAITING : SEAT_IDLE);
    deal(seat->engine, clock_now_us());
}

void crew_read(struct crew *crew, struct rk_engine *engine)
{
    ASSERT(crew->phase == CREW_ENDED);
    crew->phase = CREW_IDLE;
    if (!has_core(crew->leader))
        return;
    release_core(crew->leader, SEAT_IDLE);
    deal(engine, clock_now_us());
}

void crew_part(struct seat *seat)
{
    struct rk_engine *engine = seat->engine;
    struct crew *crew = seat->crew;
    if (seat->state == SEAT_RUNNING) {
        crew->staying--;
        crew->workers_max = 1 + crew->staying; /* It found nothing left to search: nobody will. */
    }
    release_core(seat, SEAT_IDLE);
    seat->crew = NULL;
    engine->nodes += worker_nodes(&seat->worker);
    crew->helpers--;
    if (crew->helpers == 0 && crew->is_held_up) {
        crew->is_held_up = false;
        reset_counts(crew);
    }
    deal(engine, clock_now_us());
}

void crew_announce(const struct crew *crew, struct rk_engine *engine)
{
    const uint64_t bit = (uint64_t)1 << crew->index % 64;
    const uint64_t before =
        atomic_fetch_or_explicit(&engine->ready[crew->index / 64], bit, memory_order_acq_rel);
    if ((before & bit) == 0 && engine->wake != NULL)
        engine->wake(engine->wake_context);
}
