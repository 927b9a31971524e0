#include "server/scheduler.h"

#include "base/clock.h"
#include "server/stub_engine.h"
#include "server/suites.h"

enum {
    SEARCHES = 2,
    WAITING = 3,
    CLIENTS = 16,
    FLOOD = 3000,
    US_PER_MS = 1000,
    US_PER_S = 1000000
};

struct fixture {
    struct rk_engine *engine;
    struct rk_game *game;
    struct scheduler scheduler;
};

static void open_large(struct fixture *fixture, uint32_t clients_max)
{
    const struct rk_engine_options options = {.size = sizeof(options),
                                              .searches_max = SEARCHES + 1};
    ck_assert(rk_engine_create(&options, &fixture->engine) == RK_OK);
    ck_assert(rk_game_create(&fixture->game) == RK_OK);
    const struct scheduler_options house = {.clients_max = clients_max, .searches_max = SEARCHES};
    ck_assert(scheduler_create(&fixture->scheduler, fixture->engine, &house) == RK_OK);
}

static void open_fixture(struct fixture *fixture) { open_large(fixture, CLIENTS); }

static void close_fixture(struct fixture *fixture)
{
    ck_assert_uint_eq(fixture->scheduler.crew_count, 0);
    ck_assert_ptr_null(fixture->scheduler.rescue);
    ck_assert_uint_eq(line_count(&fixture->scheduler.line), 0);
    ck_assert_uint_eq(fixture->scheduler.searches.free_count, SEARCHES + 1);
    ck_assert_uint_eq(stub_engine_counts(fixture->engine).running, 0);
    scheduler_destroy(&fixture->scheduler);
    rk_game_destroy(fixture->game);
    rk_engine_destroy(fixture->engine);
}

static struct rk_limits open_limits(void) { return (struct rk_limits){.infinite = true}; }

/* The place it got; -1: refused. */
static int submit(struct fixture *fixture, uint32_t client, struct rk_limits limits)
{
    const struct rk_request request = {.size = sizeof(request),
                                       .game = fixture->game,
                                       .limits = limits,
                                       .arrived_us = clock_now_us()};
    uint32_t place = 99;
    stub_game_set(fixture->game, client);
    const enum rk_status status =
        scheduler_submit(&fixture->scheduler, client, client, &request, &place);
    ck_assert(status == RK_OK || place == 99);
    return status == RK_OK ? (int)place : -1;
}

/* Polls until there is no more; the clients that got a verdict, as bits. */
static unsigned verdicts(struct fixture *fixture, int64_t now_us)
{
    struct notice notice;
    unsigned bits = 0;
    while (scheduler_poll(&fixture->scheduler, now_us, &notice)) {
        if (notice.kind != NOTICE_REPORT || notice.report.kind != RK_REPORT_VERDICT)
            continue;
        ck_assert_uint_eq(bits & (1u << notice.client), 0);
        bits |= 1u << notice.client;
    }
    return bits;
}

START_TEST(two_run_the_others_wait_in_order)
{
    struct fixture fixture;
    open_fixture(&fixture);
    ck_assert_int_eq(submit(&fixture, 0, open_limits()), 0);
    ck_assert_int_eq(submit(&fixture, 1, open_limits()), 0);
    for (uint32_t client = 2; client < 2 + WAITING; client++)
        ck_assert_int_eq(submit(&fixture, client, open_limits()), (int)client - 1);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 0);
    scheduler_stop(&fixture.scheduler, 1);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 1);
    ck_assert_uint_eq(line_count(&fixture.scheduler.line), WAITING - 1);
    scheduler_stop(&fixture.scheduler, 2); /* It runs now. */
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 2);
    ck_assert_int_eq(submit(&fixture, 1, open_limits()), WAITING - 1);
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 0x1b);
    close_fixture(&fixture);
}
END_TEST

START_TEST(who_is_stopped_in_line_is_answered_at_once)
{
    struct fixture fixture;
    open_fixture(&fixture);
    for (uint32_t client = 0; client < SEARCHES + 3; client++)
        (void)submit(&fixture, client, open_limits());
    ck_assert(scheduler_due_us(&fixture.scheduler) == INT64_MAX);
    scheduler_stop(&fixture.scheduler, 4);
    scheduler_stop(&fixture.scheduler, 3);
    ck_assert(scheduler_due_us(&fixture.scheduler) <= clock_now_us());
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 3 | 1u << 4);
    ck_assert_uint_eq(line_count(&fixture.scheduler.line), 1);
    ck_assert_uint_eq(fixture.scheduler.crew_count, SEARCHES);
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 7);
    close_fixture(&fixture);
}
END_TEST

START_TEST(who_is_gone_is_owed_nothing)
{
    struct fixture fixture;
    open_fixture(&fixture);
    for (uint32_t client = 0; client < SEARCHES + 2; client++)
        (void)submit(&fixture, client, open_limits());
    scheduler_leave(&fixture.scheduler, 0);
    scheduler_leave(&fixture.scheduler, 2);
    scheduler_leave(&fixture.scheduler, 9);
    ck_assert_uint_eq(stub_engine_counts(fixture.engine).started, SEARCHES);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 0); /* 3 runs in the place of 0. */
    ck_assert_uint_eq(stub_engine_counts(fixture.engine).started, SEARCHES + 1);
    ck_assert_int_eq(submit(&fixture, 0, open_limits()), 1);
    scheduler_leave(&fixture.scheduler, 3);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 0);
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 0 | 1u << 1);
    close_fixture(&fixture);
}
END_TEST

START_TEST(a_clock_that_runs_out_in_line_is_rescued)
{
    struct fixture fixture;
    open_fixture(&fixture);
    (void)submit(&fixture, 0, open_limits());
    (void)submit(&fixture, 1, open_limits());
    const int64_t now_us = clock_now_us();
    const struct rk_limits clock = {.has_clock = {true, true}, .time_ms = {80000, 1}};
    ck_assert_int_eq(submit(&fixture, 2, clock), 1);
    const int64_t due_us = scheduler_due_us(&fixture.scheduler);
    ck_assert_int_gt(due_us, now_us + US_PER_S);
    ck_assert_int_lt(due_us, now_us + 40 * US_PER_S);
    ck_assert_uint_eq(verdicts(&fixture, due_us - 1), 0);
    ck_assert_ptr_null(fixture.scheduler.rescue);
    (void)verdicts(&fixture, due_us);
    ck_assert_ptr_nonnull(fixture.scheduler.rescue);
    const struct rk_limits given = stub_engine_counts(fixture.engine).last_limits;
    ck_assert(given.has_movetime && given.movetime_ms > 0 && given.movetime_ms <= 100);
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, due_us), 7);
    close_fixture(&fixture);
}
END_TEST

/* A rescue never outlasts what it rescues. */
START_TEST(a_rescue_takes_no_more_than_is_left)
{
    static const struct {
        struct rk_limits limits;
        int64_t due_ms_max, given_ms_max;
    } ROWS[] = {
        {{.has_movetime = true, .movetime_ms = 1}, 0, 0},
        {{.has_clock = {true, true}, .time_ms = {40, 1}, .overhead_ms = 30}, 2, 4},
        {{.has_movetime = true, .movetime_ms = 20, .has_clock = {true}, .time_ms = {9000}}, 0, 20},
        {{.has_movetime = true, .movetime_ms = 100000, .has_clock = {true}, .time_ms = {80}},
         10,
         35},
    };
    struct fixture fixture;
    open_fixture(&fixture);
    (void)submit(&fixture, 0, open_limits());
    (void)submit(&fixture, 1, open_limits());
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        (void)submit(&fixture, 2, ROWS[i].limits);
        const int64_t due_us = scheduler_due_us(&fixture.scheduler);
        const int64_t arrived_us = line_of(&fixture.scheduler.line, 2)->request->arrived_us;
        ck_assert_int_le(due_us, arrived_us + ROWS[i].due_ms_max * US_PER_MS);
        (void)verdicts(&fixture, due_us > arrived_us ? due_us : arrived_us + 1);
        ck_assert_int_le(stub_engine_counts(fixture.engine).last_limits.movetime_ms,
                         ROWS[i].given_ms_max);
        scheduler_leave(&fixture.scheduler, 2);
        (void)verdicts(&fixture, due_us);
    }
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 3);
    close_fixture(&fixture);
}
END_TEST

START_TEST(hopeless_clocks_are_due_at_once)
{
    static const int64_t CLOCKS_MS[] = {0, -1, 1, INT64_MIN, -50};
    struct fixture fixture;
    open_fixture(&fixture);
    (void)submit(&fixture, 0, open_limits());
    (void)submit(&fixture, 1, open_limits());
    for (size_t i = 0; i < sizeof(CLOCKS_MS) / sizeof(CLOCKS_MS[0]); i++) {
        const struct rk_limits clock = {.has_clock = {true, false}, .time_ms = {CLOCKS_MS[i], 0}};
        const struct rk_limits movetime = {.has_movetime = true, .movetime_ms = CLOCKS_MS[i]};
        (void)submit(&fixture, 2, clock);
        (void)submit(&fixture, 3, movetime);
        ck_assert_int_le(scheduler_due_us(&fixture.scheduler), clock_now_us() + 1000);
        unsigned answered = 0;
        while (answered != 0xc)
            answered |= verdicts(&fixture, clock_now_us() + 1000);
        const struct rk_limits given = stub_engine_counts(fixture.engine).last_limits;
        ck_assert(given.has_movetime && given.movetime_ms == 0); /* Of the one that was alone. */
    }
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 3);
    close_fixture(&fixture);
}
END_TEST

START_TEST(ponderhit_starts_the_clock_wherever_it_stands)
{
    struct fixture fixture;
    const struct rk_limits ponder = {
        .ponder = true, .has_clock = {true, true}, .time_ms = {1000, 1000}};
    open_fixture(&fixture);
    ck_assert_int_eq(submit(&fixture, 0, ponder), 0);
    ck_assert_int_eq(submit(&fixture, 1, open_limits()), 0);
    ck_assert_int_eq(submit(&fixture, 2, ponder), 1);
    ck_assert(scheduler_is_open(&fixture.scheduler, 0));
    ck_assert(scheduler_is_open(&fixture.scheduler, 2));
    ck_assert(scheduler_due_us(&fixture.scheduler) == INT64_MAX);
    scheduler_ponderhit(&fixture.scheduler, 2, clock_now_us());
    ck_assert(!scheduler_is_open(&fixture.scheduler, 2));
    ck_assert(scheduler_due_us(&fixture.scheduler) < INT64_MAX);
    scheduler_ponderhit(&fixture.scheduler, 0, clock_now_us());
    ck_assert(!scheduler_is_open(&fixture.scheduler, 0));
    ck_assert(scheduler_is_open(&fixture.scheduler, 1));
    ck_assert(!scheduler_is_open(&fixture.scheduler, 7));
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 7);
    close_fixture(&fixture);
}
END_TEST

START_TEST(a_refusal_of_the_engine_reaches_its_client)
{
    struct fixture fixture;
    open_fixture(&fixture);
    stub_engine_fail_next(fixture.engine, RK_BAD_ARGUMENT);
    ck_assert_int_eq(submit(&fixture, 0, open_limits()), -1);
    (void)submit(&fixture, 0, open_limits());
    (void)submit(&fixture, 1, open_limits());
    (void)submit(&fixture, 2, open_limits());
    scheduler_stop(&fixture.scheduler, 0);
    stub_engine_fail_next(fixture.engine, RK_SYSTEM);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 0 | 1u << 2);
    scheduler_stop(&fixture.scheduler, 1);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 1);
    close_fixture(&fixture);
}
END_TEST

/* Clients 0 and 1 come from one address, 9 from another. */
START_TEST(an_address_waits_for_its_own)
{
    static const uint32_t WHO[] = {0, 1, 9};
    struct fixture fixture;
    struct notice notice;
    open_fixture(&fixture);
    fixture.scheduler.options.searches_per_address = 1;
    for (size_t i = 0; i < sizeof(WHO) / sizeof(WHO[0]); i++) {
        const struct rk_request request = {
            .size = sizeof(request), .game = fixture.game, .limits.infinite = true};
        uint32_t place = 99;
        stub_game_set(fixture.game, WHO[i]);
        ck_assert(scheduler_submit(&fixture.scheduler, WHO[i], WHO[i] == 9 ? 1 : 0, &request,
                                   &place) == RK_OK);
        ck_assert_uint_eq(place, WHO[i] == 1 ? 1 : 0);
    }
    ck_assert_uint_eq(fixture.scheduler.crew_count, SEARCHES);
    scheduler_stop(&fixture.scheduler, 9);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 9);
    ck_assert_uint_eq(fixture.scheduler.crew_count, 1); /* A crew is free, but not for 1. */
    scheduler_stop(&fixture.scheduler, 0);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 0);
    ck_assert_ptr_nonnull(searches_of(&fixture.scheduler.searches, 1));
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 1u << 1);
    ck_assert(!scheduler_poll(&fixture.scheduler, clock_now_us(), &notice));
    close_fixture(&fixture);
}
END_TEST

START_TEST(a_new_place_is_told_once_and_not_too_often)
{
    struct fixture fixture;
    struct notice notice;
    const int64_t now_us = clock_now_us();
    open_fixture(&fixture);
    for (uint32_t client = 0; client < 5; client++)
        (void)submit(&fixture, client, open_limits());
    (void)verdicts(&fixture, now_us);
    for (uint32_t client = SEARCHES; client < 5; client++) /* However long that took. */
        line_of(&fixture.scheduler.line, client)->told_us = now_us;
    scheduler_leave(&fixture.scheduler, 2);
    scheduler_tick(&fixture.scheduler, now_us + PLACE_US / 2);
    ck_assert(!scheduler_poll(&fixture.scheduler, now_us, &notice));
    scheduler_tick(&fixture.scheduler, now_us + 2 * PLACE_US);
    for (uint32_t client = 3; client < 5; client++) {
        ck_assert(scheduler_poll(&fixture.scheduler, now_us, &notice));
        ck_assert_int_eq(notice.kind, NOTICE_QUEUED);
        ck_assert_uint_eq(notice.client, client);
        ck_assert_uint_eq(notice.place, client - 2);
    }
    scheduler_tick(&fixture.scheduler, now_us + 9 * PLACE_US);
    ck_assert(!scheduler_poll(&fixture.scheduler, now_us, &notice));
    scheduler_stop_all(&fixture.scheduler);
    ck_assert_uint_eq(verdicts(&fixture, now_us), 0x1b);
    close_fixture(&fixture);
}
END_TEST

/* Thousands of one address wait; the first requests of another, open and on a clock, are next, and
 * each of them all gets its one verdict. */
START_TEST(a_flood_of_one_address_keeps_nobody_out)
{
    struct fixture fixture;
    struct notice notice;
    static unsigned verdict_counts[FLOOD + 2];
    uint32_t place = 0;
    open_large(&fixture, FLOOD + 2);
    struct rk_request request = {
        .size = sizeof(request), .game = fixture.game, .limits.infinite = true};
    for (uint32_t client = 0; client < FLOOD; client++) {
        stub_game_set(fixture.game, client * 2);
        ck_assert(scheduler_submit(&fixture.scheduler, client, 0, &request, &place) == RK_OK);
        ck_assert_uint_eq(place, client < SEARCHES ? 0 : client - SEARCHES + 1);
    }
    stub_game_set(fixture.game, 1);
    ck_assert(scheduler_submit(&fixture.scheduler, FLOOD, 1, &request, &place) == RK_OK);
    ck_assert_uint_eq(place, 2);
    request.limits = (struct rk_limits){.has_movetime = true, .movetime_ms = 1000000};
    request.arrived_us = clock_now_us();
    ck_assert(scheduler_submit(&fixture.scheduler, FLOOD + 1, 2, &request, &place) == RK_OK);
    ck_assert_uint_eq(place, 1);
    scheduler_stop_all(&fixture.scheduler);
    while (scheduler_poll(&fixture.scheduler, clock_now_us(), &notice))
        if (notice.kind == NOTICE_REPORT && notice.report.kind == RK_REPORT_VERDICT)
            verdict_counts[notice.client]++;
    for (uint32_t client = 0; client < FLOOD + 2; client++)
        ck_assert_uint_eq(verdict_counts[client], 1);
    close_fixture(&fixture);
}
END_TEST

START_TEST(strangers_are_nobody)
{
    struct fixture fixture;
    open_fixture(&fixture);
    scheduler_stop(&fixture.scheduler, 5);
    scheduler_ponderhit(&fixture.scheduler, 5, clock_now_us());
    /* A search that the scheduler did not start: its reports find nobody. */
    const struct rk_request request = {.size = sizeof(request), .game = fixture.game};
    rk_ticket_t ticket = 0;
    ck_assert(rk_engine_start(fixture.engine, &request, &ticket) == RK_OK);
    rk_engine_stop(fixture.engine, ticket);
    ck_assert_uint_eq(verdicts(&fixture, clock_now_us()), 0);
    close_fixture(&fixture);
}
END_TEST

Suite *suite_scheduler(void)
{
    Suite *suite = suite_create("scheduler");
    TCase *tests = tcase_create("scheduler");
    tcase_add_test(tests, two_run_the_others_wait_in_order);
    tcase_add_test(tests, who_is_stopped_in_line_is_answered_at_once);
    tcase_add_test(tests, who_is_gone_is_owed_nothing);
    tcase_add_test(tests, a_clock_that_runs_out_in_line_is_rescued);
    tcase_add_test(tests, a_rescue_takes_no_more_than_is_left);
    tcase_add_test(tests, hopeless_clocks_are_due_at_once);
    tcase_add_test(tests, ponderhit_starts_the_clock_wherever_it_stands);
    tcase_add_test(tests, a_refusal_of_the_engine_reaches_its_client);
    tcase_add_test(tests, an_address_waits_for_its_own);
    tcase_add_test(tests, a_new_place_is_told_once_and_not_too_often);
    tcase_add_test(tests, a_flood_of_one_address_keeps_nobody_out);
    tcase_add_test(tests, strangers_are_nobody);
    suite_add_tcase(suite, tests);
    return suite;
}
