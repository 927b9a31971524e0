#include "engine/crew.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/random.h"
#include "engine/owner.h"
#include "engine/suites.h"

enum { HOSTILE_SEARCHES = 8, HOSTILE_ROUNDS = 6, VANDALS = 2, SHARED_LINES_MAX = 64 };

/* The crew behind a ticket: as many workers as it has cores. */
static unsigned workers_of(const struct rk_engine *engine, rk_ticket_t ticket)
{
    const struct crew *crew = engine->crews[ticket % SEARCHES_MAX];
    gate_lock(engine->gate);
    const bool is_running = crew->ticket == ticket && crew->leader->state == SEAT_RUNNING;
    const unsigned workers = is_running ? 1 + crew->staying : 0;
    gate_unlock(engine->gate);
    return workers;
}

static void check_cores(const struct rk_engine *engine)
{
    struct rk_engine_state state;
    rk_engine_state(engine, &state);
    ck_assert_uint_le(state.runners, state.threads);
}

/* A wait that never ends is a failure: the runner's clock tells. */
static void await_workers(struct owner *owner, rk_ticket_t ticket, unsigned workers)
{
    while (workers_of(owner->engine, ticket) != workers) {
        check_cores(owner->engine);
        owner_read(owner);
        owner_nap();
    }
}

START_TEST(the_second_client_gets_a_core_and_gives_it_back)
{
    struct owner owner;
    owner_init(&owner, 4, 2, 1);
    struct rk_request request = owner_request();
    const rk_ticket_t first = owner_go(&owner, &request, NULL);
    for (unsigned i = 0; i < 20; i++) {
        await_workers(&owner, first, 2);
        const rk_ticket_t second = owner_go(&owner, &request, NULL);
        await_workers(&owner, second, 1);
        await_workers(&owner, first, 1);
        owner_stop(&owner, second);
        owner_await(&owner, 1);
    }
    await_workers(&owner, first, 2);
    owner_stop(&owner, first);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

START_TEST(nobody_gets_more_than_it_asked_for)
{
    struct owner owner;
    owner_init(&owner, 4, 4, 1);
    struct rk_request request = owner_request();
    request.threads = 3;
    const rk_ticket_t three = owner_go(&owner, &request, NULL);
    await_workers(&owner, three, 3);
    request.threads = 1;
    const rk_ticket_t one = owner_go(&owner, &request, NULL);
    await_workers(&owner, one, 1);
    await_workers(&owner, three, 3);
    request.threads = 0;
    request.elo = 1500; /* A weak player is never helped, and soon done. */
    owner_stop(&owner, three);
    owner_await(&owner, 1);
    const rk_ticket_t weak = owner_go(&owner, &request, NULL);
    for (unsigned turn = 0; turn < 200; turn++) {
        ck_assert_uint_le(workers_of(owner.engine, weak), 1);
        ck_assert_uint_le(workers_of(owner.engine, one), 1);
        owner_read(&owner);
    }
    owner_stop(&owner, one);
    owner_stop(&owner, weak);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

/* Five open searches on two cores: each is served again and again. */
START_TEST(all_are_served_when_cores_are_scarce)
{
    enum { OPEN = 5 };
    struct owner owner;
    owner_init(&owner, OPEN, 2, 1);
    struct rk_request request = owner_request();
    for (unsigned i = 0; i < OPEN; i++)
        owner_go(&owner, &request, NULL);
    uint64_t before[OPEN] = {0};
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < OPEN; i++) {
            const struct worker *worker = &owner.engine->crews[i]->leader->worker;
            while (worker_nodes(worker) <= before[i]) {
                check_cores(owner.engine);
                owner_read(&owner);
                owner_nap();
            }
            before[i] = worker_nodes(worker);
        }
    }
    for (unsigned i = 0; i < OPEN; i++)
        owner_stop(&owner, owner.asked[i].ticket);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

/* Virtual time has come far, and the only search left cannot use a core yet: who begins now begins
 * there, not at 0, and nobody's account is ahead for hours. */
START_TEST(time_stands_still_while_nobody_can_use_a_core)
{
    struct owner owner;
    owner_init(&owner, 3, 1, 1);
    const uint64_t far = share_cost(SHARE_WEIGHT_OPEN, 10 * (uint64_t)SHARE_DEBT_US);
    struct rk_request open = owner_request();
    const rk_ticket_t first = owner_go(&owner, &open, NULL);
    struct crew *crew = owner.engine->crews[first % SEARCHES_MAX];
    gate_lock(owner.engine->gate);
    crew->served = far;
    gate_unlock(owner.engine->gate);
    const rk_ticket_t second = owner_go(&owner, &open, NULL);
    owner_stop(&owner, second);
    owner_await(&owner, 1);
    gate_lock(owner.engine->gate);
    crew->is_held_up = true; /* As if a helper had still to leave. */
    gate_unlock(owner.engine->gate);
    const rk_ticket_t third = owner_go(&owner, &open, NULL);
    gate_lock(owner.engine->gate);
    ck_assert_uint_ge(owner.engine->crews[third % SEARCHES_MAX]->served, far);
    ck_assert_uint_ge(crew->served, far);
    crew->is_held_up = false;
    gate_unlock(owner.engine->gate);
    owner_clear(&owner);
}
END_TEST

static bool is_running_overdue(const struct rk_engine *engine, const struct crew *crew)
{
    gate_lock(engine->gate);
    const bool is_so = crew->is_overdue && crew->leader->state == SEAT_RUNNING;
    gate_unlock(engine->gate);
    return is_so;
}

/* Short clocks, asked for again and again, hold the only core: an open search has its slice all the
 * same, and then they go on. */
START_TEST(short_clocks_starve_no_open_search)
{
    enum { BOTS = 16, TURNS = 2 };
    struct owner owner;
    owner_init(&owner, BOTS + 1, 1, 1);
    struct rk_request open = owner_request(), timed = owner_movetime(10);
    for (unsigned i = 0; i < BOTS; i++)
        owner_go(&owner, &timed, NULL);
    const rk_ticket_t ticket = owner_go(&owner, &open, NULL);
    const struct crew *crew = owner.engine->crews[ticket % SEARCHES_MAX];
    for (unsigned turn = 0; turn < 2 * TURNS; turn++)
        for (; is_running_overdue(owner.engine, crew) != (turn % 2 == 0); owner_nap()) {
            owner_read(&owner);
            while (owner.running < BOTS + 1)
                owner_go(&owner, &timed, NULL);
        }
    for (unsigned i = 0; i < OWNER_SEARCHES_MAX; i++)
        owner_stop(&owner, owner.asked[i].ticket);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

/* Whether the newest deal keeps the rule, and one that is fresh, `crew`, was too deep in debt. */
static bool is_kept_calm(const struct rk_engine *engine, const struct crew *crew)
{
    bool is_calm = false;
    gate_lock(engine->gate);
    const uint64_t soon_max = share_soon_max(engine->claims, engine->active_count);
    for (unsigned i = 0; i < engine->active_count; i++) {
        const struct share_claim *claim = &engine->claims[i];
        if (claim->urgency == SHARE_SOON)
            ck_assert_uint_le(claim->served, soon_max);
        is_calm = is_calm || (engine->active[i] == crew && crew->is_fresh &&
                              claim->urgency == SHARE_CALM && claim->served > soon_max);
    }
    gate_unlock(engine->gate);
    return is_calm;
}

/* A short clock whose session has had more than the long one beside it takes no core from it before
 * it is due. */
START_TEST(a_clock_in_debt_is_not_urgent)
{
    enum { LONG_MS = 3600 * 1000, AHEAD_US = 64 * SLICE_US };
    struct owner owner;
    owner_init(&owner, 2, 1, 1);
    struct rk_request long_one = owner_movetime(LONG_MS), short_one = owner_movetime(20);
    const rk_ticket_t ticket = owner_go(&owner, &long_one, NULL);
    struct rk_engine *engine = owner.engine;
    const struct crew *crew = engine->crews[ticket % SEARCHES_MAX];
    bool is_seen = false;
    for (short_one.session = 1; !is_seen; short_one.session++) {
        gate_lock(engine->gate);
        share_note(engine->accounts, engine->account_count, short_one.session,
                   crew->served + AHEAD_US);
        gate_unlock(engine->gate);
        const rk_ticket_t other = owner_go(&owner, &short_one, NULL);
        is_seen = is_kept_calm(engine, engine->crews[other % SEARCHES_MAX]);
        owner_await(&owner, 1);
    }
    owner_clear(&owner);
}
END_TEST

static uint64_t noted(const struct rk_engine *engine, uint64_t session)
{
    uint64_t served = 0;
    for (unsigned i = 0; i < engine->account_count; i++)
        if (engine->accounts[i].session == session)
            served = engine->accounts[i].served;
    return served;
}

/* A session that begins another search pays for the one before until then, and no longer. */
START_TEST(a_search_that_was_left_is_charged_to_nobody)
{
    enum { AHEAD_US = SHARE_DEBT_US };
    struct owner owner;
    owner_init(&owner, 3, 1, 1);
    struct rk_request open = owner_request(), mine = owner_request();
    mine.session = 2;
    owner_go(&owner, &open, NULL);
    const rk_ticket_t older = owner_go(&owner, &mine, NULL);
    struct rk_engine *engine = owner.engine;
    struct crew *crew = engine->crews[older % SEARCHES_MAX];
    gate_lock(engine->gate);
    const uint64_t ahead = crew->served += AHEAD_US;
    gate_unlock(engine->gate);
    owner_go(&owner, &mine, NULL);
    gate_lock(engine->gate);
    const uint64_t before = noted(engine, mine.session);
    ck_assert_uint_ge(before, ahead);
    crew->served += AHEAD_US;
    gate_unlock(engine->gate);
    owner_stop(&owner, older);
    owner_await(&owner, 2);
    gate_lock(engine->gate);
    ck_assert_uint_eq(noted(engine, mine.session), before);
    gate_unlock(engine->gate);
    owner_clear(&owner);
}
END_TEST

/* A search that waits at its gate when its line is due answers all the same. */
START_TEST(a_deadline_is_met_by_one_that_waits)
{
    struct owner owner;
    owner_init(&owner, 12, 1, 1);
    struct rk_request open = owner_request(), timed = owner_movetime(20);
    for (unsigned i = 0; i < 6; i++)
        owner_go(&owner, &open, NULL);
    for (unsigned round = 0; round < 5; round++) {
        for (unsigned i = 0; i < 6; i++)
            owner_go(&owner, &timed, NULL);
        owner_await(&owner, 6);
    }
    for (unsigned i = 0; i < OWNER_SEARCHES_MAX; i++)
        owner_stop(&owner, owner.asked[i].ticket);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

/* A session keeps what it learnt; two of its searches at once do not share it; forgotten, it is
 * empty. */
START_TEST(memories_follow_their_session)
{
    struct owner owner;
    owner_init(&owner, 2, 1, 1);
    struct rk_request request = owner_request();
    request.session = 5;
    const rk_ticket_t first = owner_go(&owner, &request, NULL);
    const rk_ticket_t second = owner_go(&owner, &request, NULL);
    struct crew *const *crews = owner.engine->crews;
    gate_lock(owner.engine->gate);
    ck_assert_ptr_nonnull(crews[first % SEARCHES_MAX]->memory);
    ck_assert_ptr_null(crews[second % SEARCHES_MAX]->memory);
    const struct memory *memory = crews[first % SEARCHES_MAX]->memory;
    gate_unlock(owner.engine->gate);
    owner_stop(&owner, first);
    owner_stop(&owner, second);
    owner_await(&owner, 0);
    for (unsigned forgotten = 0; forgotten < 2; forgotten++) {
        if (forgotten)
            rk_engine_forget(owner.engine, 5);
        const rk_ticket_t again = owner_go(&owner, &request, NULL);
        gate_lock(owner.engine->gate);
        ck_assert_ptr_eq(crews[again % SEARCHES_MAX]->memory, memory);
        ck_assert_int_eq(crews[again % SEARCHES_MAX]->is_memory_fresh, forgotten);
        gate_unlock(owner.engine->gate);
        owner_stop(&owner, again);
        owner_await(&owner, 0);
    }
    owner_clear(&owner);
}
END_TEST

/* More sessions than memories: those that searched last find what they learnt, whichever leader
 * searches for them, the others start afresh, and there are never more. Against a plain list. */
START_TEST(more_sessions_than_memories)
{
    enum { MEMORIES = 3, SESSIONS = 7, ROUNDS = 300 };
    struct owner owner;
    owner_init(&owner, MEMORIES, 1, 1);
    uint64_t list[MEMORIES] = {0}, random = 3;
    const struct memory *seen[MEMORIES] = {NULL};
    unsigned known = 0, leaders = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rk_request request = owner_request();
        request.session = 1 + random_below(&random, SESSIONS);
        unsigned at = 0;
        while (at < MEMORIES && list[at] != request.session)
            at++;
        const bool is_fresh = at == MEMORIES;
        for (at = is_fresh ? MEMORIES - 1 : at; at > 0; at--)
            list[at] = list[at - 1];
        list[0] = request.session;

        const rk_ticket_t ticket = owner_go(&owner, &request, NULL);
        const struct crew *crew = owner.engine->crews[ticket % SEARCHES_MAX];
        gate_lock(owner.engine->gate);
        const struct memory *memory = crew->memory;
        ck_assert_int_eq(crew->is_memory_fresh, is_fresh);
        gate_unlock(owner.engine->gate);
        ck_assert_ptr_nonnull(memory);
        for (at = 0; at < known && seen[at] != memory; at++)
            continue;
        ck_assert_uint_lt(at, MEMORIES);
        seen[at] = memory;
        known = at == known ? known + 1 : known;
        leaders |= 1u << crew->index;
        /* Somebody without a memory keeps this leader, so that the next search has another. */
        struct rk_request nobody = owner_request();
        const rk_ticket_t other = owner_go(&owner, &nobody, NULL);
        owner_stop(&owner, ticket);
        owner_await(&owner, 1);
        owner_stop(&owner, other);
        owner_await(&owner, 0);
    }
    ck_assert_uint_eq(known, MEMORIES);
    ck_assert_uint_ne(leaders & (leaders - 1), 0); /* More than one. */
    owner_clear(&owner);
}
END_TEST

/* Writes what no search would into entries that searches will read: true keys, false contents. */
struct vandal {
    struct table *table;
    const struct rk_game *games; /* HOSTILE_SEARCHES */
    uint64_t random;
    _Atomic bool is_over;
    pthread_t thread;
};

static void spoil(struct vandal *vandal, const struct position *root)
{
    struct position positions[2] = {*root};
    for (unsigned ply = 0; ply < 8; ply++) {
        const struct position *position = &positions[ply % 2];
        const struct table_hit hit = {
            .move = (move_t)random_next(&vandal->random),
            .score = (score_t)random_below(&vandal->random, 2 * SCORE_INFINITE) - SCORE_INFINITE,
            .eval = (score_t)random_below(&vandal->random, 2 * SCORE_EVAL_MAX) - SCORE_EVAL_MAX,
            .depth = (depth_t)random_below(&vandal->random, PLY_MAX),
            .bound = (bound_t)(1 + random_below(&vandal->random, 3)),
            .is_pv = random_below(&vandal->random, 2) == 0};
        table_store(vandal->table, position->key, &hit);
        move_t moves[MOVES_MAX];
        const size_t count = (size_t)(movegen_all(position, moves) - moves);
        if (count == 0)
            return;
        position_after(&positions[(ply + 1) % 2], position,
                       moves[random_below(&vandal->random, count)]);
    }
}

static void *vandalise(void *context)
{
    struct vandal *vandal = context;
    while (!atomic_load(&vandal->is_over))
        for (unsigned i = 0; i < HOSTILE_SEARCHES; i++)
            spoil(vandal, &vandal->games[i].position);
    return NULL;
}

START_TEST(garbage_in_the_table_makes_no_illegal_move)
{
    struct owner owner;
    owner_init(&owner, HOSTILE_SEARCHES, 2, 1);
    struct rk_game games[HOSTILE_SEARCHES];
    uint64_t random = 21;
    struct rk_game *game = NULL;
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    for (unsigned i = 0; i < HOSTILE_SEARCHES; i++) {
        owner_random_game(game, &random, 40);
        games[i] = *game;
    }
    rk_game_destroy(game);
    struct vandal vandals[VANDALS];
    for (unsigned i = 0; i < VANDALS; i++) {
        vandals[i] = (struct vandal){.table = owner.engine->table, .games = games, .random = i};
        ck_assert_int_eq(pthread_create(&vandals[i].thread, NULL, vandalise, &vandals[i]), 0);
    }
    struct rk_request request = owner_movetime(60);
    request.multipv = 2;
    for (unsigned round = 0; round < HOSTILE_ROUNDS; round++) {
        for (unsigned i = 0; i < HOSTILE_SEARCHES; i++) {
            request.game = &games[i];
            owner_go(&owner, &request, NULL);
        }
        owner_await(&owner, 0);
    }
    for (unsigned i = 0; i < VANDALS; i++) {
        atomic_store(&vandals[i].is_over, true);
        ck_assert_int_eq(pthread_join(vandals[i].thread, NULL), 0);
    }
    ck_assert_uint_eq(owner.ended, HOSTILE_ROUNDS * HOSTILE_SEARCHES);
    owner_clear(&owner);
}
END_TEST

static int compare_lines(const void *a, const void *b)
{
    const uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
    return (left > right) - (left < right);
}

/* Two that are written by different threads never make each other wait for a cache line. */
START_TEST(what_threads_share_stands_on_lines_of_its_own)
{
    enum { CREWS = 3, WORKERS = 4, WORDS_A_SEAT = 5 };
    struct owner owner;
    uintptr_t lines[SHARED_LINES_MAX];
    size_t count = 0;
    owner_init(&owner, CREWS, WORKERS, 1);
    const struct rk_engine *engine = owner.engine;
    lines[count++] = (uintptr_t)&engine->ready;
    lines[count++] = (uintptr_t)&engine->poll_next;
    lines[count++] = (uintptr_t)&engine->table->generation;
    lines[count++] = (uintptr_t)&engine->table->samples;
    ck_assert_uint_gt(engine->helper_count, 1);
    for (unsigned i = 0; i < engine->helper_count + engine->crew_count; i++) {
        const unsigned helpers = engine->helper_count;
        const struct crew *crew = i < helpers ? NULL : engine->crews[i - helpers];
        const struct seat *seat = crew == NULL ? engine->helpers[i] : crew->leader;
        if (crew != NULL) {
            lines[count++] = (uintptr_t)&crew->helper_nodes;
            lines[count++] = (uintptr_t)&crew->helper_tablebase_hits;
        }
        lines[count++] = (uintptr_t)&seat->core;
        lines[count++] = (uintptr_t)&seat->result;
        lines[count++] = (uintptr_t)&seat->worker.nodes;
        ck_assert_uint_lt(count, SHARED_LINES_MAX - WORDS_A_SEAT);
    }
    for (size_t i = 0; i < count; i++)
        lines[i] /= CREW_CACHE_LINE;
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t i = 1; i < count; i++)
        ck_assert_uint_ne(lines[i], lines[i - 1]);
    owner_clear(&owner);
}
END_TEST

Suite *suite_crew(void)
{
    Suite *suite = suite_create("crew");
    TCase *tcase = tcase_create("crew");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, the_second_client_gets_a_core_and_gives_it_back);
    tcase_add_test(tcase, nobody_gets_more_than_it_asked_for);
    tcase_add_test(tcase, all_are_served_when_cores_are_scarce);
    tcase_add_test(tcase, time_stands_still_while_nobody_can_use_a_core);
    tcase_add_test(tcase, short_clocks_starve_no_open_search);
    tcase_add_test(tcase, a_clock_in_debt_is_not_urgent);
    tcase_add_test(tcase, a_search_that_was_left_is_charged_to_nobody);
    tcase_add_test(tcase, a_deadline_is_met_by_one_that_waits);
    tcase_add_test(tcase, memories_follow_their_session);
    tcase_add_test(tcase, more_sessions_than_memories);
    tcase_add_test(tcase, garbage_in_the_table_makes_no_illegal_move);
    tcase_add_test(tcase, what_threads_share_stands_on_lines_of_its_own);
    suite_add_tcase(suite, tcase);
    return suite;
}
