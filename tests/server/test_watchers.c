/* Many clients on one search: a scheduler over the stub engine, then the same over sockets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "server/scheduler.h"
#include "server/stub_engine.h"
#include "server/suites.h"
#include "support/client.h"
#include "support/house.h"

enum { CLIENTS = 64, SEARCHES = 2, US_PER_S = 1000000, CROWD = 500, TURNS = 400 };

struct fixture {
    struct rk_engine *engine;
    struct rk_game *game;
    struct scheduler scheduler;
    unsigned lines[CLIENTS]; /* Told to each since it asked. */
    unsigned verdicts[CLIENTS];
    rk_move_t best[CLIENTS]; /* Of the last verdict. */
};

static void open_fixture(struct fixture *fixture, struct scheduler_options house)
{
    *fixture = (struct fixture){0};
    house.clients_max = CLIENTS;
    house.searches_max = SEARCHES;
    const struct rk_engine_options options = {.size = sizeof(options),
                                              .searches_max = SEARCHES + 1};
    ck_assert(rk_engine_create(&options, &fixture->engine) == RK_OK);
    ck_assert(rk_game_create(&fixture->game) == RK_OK);
    ck_assert(scheduler_create(&fixture->scheduler, fixture->engine, &house) == RK_OK);
}

static void close_fixture(struct fixture *fixture)
{
    ck_assert_uint_eq(fixture->scheduler.crew_count, 0);
    ck_assert_ptr_null(fixture->scheduler.rescue);
    ck_assert_uint_eq(fixture->scheduler.searches.free_count, SEARCHES + 1);
    for (uint32_t i = 0; i < CLIENTS; i++)
        ck_assert_uint_eq(fixture->scheduler.searches.paid[i], 0);
    scheduler_destroy(&fixture->scheduler);
    rk_game_destroy(fixture->game);
    rk_engine_destroy(fixture->engine);
}

static struct rk_request request_at(struct fixture *fixture, uint64_t position)
{
    stub_game_set(fixture->game, position);
    return (struct rk_request){.size = sizeof(struct rk_request),
                               .game = fixture->game,
                               .limits.infinite = true,
                               .arrived_us = clock_now_us()};
}

static uint32_t submit(struct fixture *fixture, uint32_t client, const struct rk_request *request)
{
    uint32_t place = 99;
    fixture->lines[client] = 0;
    ck_assert(scheduler_submit(&fixture->scheduler, client, client, request, &place) == RK_OK);
    return place;
}

static void poll_all(struct fixture *fixture)
{
    struct notice notice;
    while (scheduler_poll(&fixture->scheduler, clock_now_us(), &notice)) {
        if (notice.kind != NOTICE_REPORT)
            continue;
        fixture->lines[notice.client] += notice.report.kind == RK_REPORT_LINE ? 1 : 0;
        if (notice.report.kind != RK_REPORT_VERDICT)
            continue;
        fixture->verdicts[notice.client]++;
        fixture->best[notice.client] = notice.report.best_move;
    }
}

static uint32_t started(const struct fixture *fixture)
{
    return stub_engine_counts(fixture->engine).started;
}

START_TEST(the_same_is_searched_once)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){0});
    const struct rk_request request = request_at(&fixture, 7);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        ck_assert_uint_eq(submit(&fixture, client, &request), 0);
        poll_all(&fixture);
        ck_assert_uint_eq(fixture.lines[client], 1); /* Who joins is told what is known. */
    }
    ck_assert_uint_eq(started(&fixture), 1);
    ck_assert_uint_eq(fixture.scheduler.searches.paid[0], 1);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        ck_assert_uint_eq(stub_engine_counts(fixture.engine).running, 1);
        scheduler_stop(&fixture.scheduler, client);
        poll_all(&fixture);
        for (uint32_t other = 0; other < CLIENTS; other++)
            ck_assert_uint_eq(fixture.verdicts[other], other <= client ? 1 : 0);
        ck_assert_uint_eq(fixture.best[client], stub_move(7));
    }
    ck_assert_uint_eq(stub_engine_counts(fixture.engine).running, 0);
    close_fixture(&fixture);
}
END_TEST

START_TEST(who_pays_is_who_watches_longest)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){.searches_per_address = 1});
    const struct rk_request request = request_at(&fixture, 7);
    for (uint32_t client = 0; client < 3; client++)
        (void)submit(&fixture, client, &request);
    scheduler_leave(&fixture.scheduler, 1);
    ck_assert_uint_eq(fixture.scheduler.searches.paid[0], 1);
    scheduler_leave(&fixture.scheduler, 0);
    ck_assert_uint_eq(fixture.scheduler.searches.paid[0], 0);
    ck_assert_uint_eq(fixture.scheduler.searches.paid[2], 1);
    scheduler_leave(&fixture.scheduler, 2);
    ck_assert_uint_eq(fixture.scheduler.searches.paid[2], 0);
    poll_all(&fixture);
    ck_assert_uint_eq(fixture.verdicts[0] + fixture.verdicts[1] + fixture.verdicts[2], 0);
    close_fixture(&fixture);
}
END_TEST

/* Whose address pays for as many as it may is passed over, unless all are such. */
START_TEST(who_has_room_inherits)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){.searches_per_address = 1});
    const uint32_t *paid = fixture.scheduler.searches.paid;
    struct rk_request request = request_at(&fixture, 7);
    for (uint32_t client = 0; client < 5; client++)
        ck_assert(scheduler_submit(&fixture.scheduler, client, client == 3 ? 1 : client, &request,
                                   &(uint32_t){0}) == RK_OK);
    request = request_at(&fixture, 8);
    ck_assert(scheduler_submit(&fixture.scheduler, 5, 1, &request, &(uint32_t){0}) == RK_OK);
    ck_assert_uint_eq(paid[1], 1);
    scheduler_leave(&fixture.scheduler, 0);
    ck_assert_uint_eq(paid[1], 1); /* The next one's address has its own. */
    ck_assert_uint_eq(paid[2], 1);
    scheduler_leave(&fixture.scheduler, 2);
    ck_assert_uint_eq(paid[4], 1);
    scheduler_leave(&fixture.scheduler, 4);
    ck_assert_uint_eq(paid[1], 2); /* None has room: what others watch is not ended for that, */
    ck_assert(scheduler_is_at_limit(&fixture.scheduler, 1)); /* but no other begins. */
    scheduler_leave(&fixture.scheduler, 5);
    ck_assert(scheduler_is_at_limit(&fixture.scheduler, 1));
    poll_all(&fixture);
    for (uint32_t client = 1; client <= 3; client += 2) {
        scheduler_stop(&fixture.scheduler, client);
        poll_all(&fixture);
        ck_assert_uint_eq(fixture.verdicts[client], 1);
    }
    close_fixture(&fixture);
}
END_TEST

START_TEST(what_differs_is_searched_apart)
{
    static const struct rk_limits OTHERS[] = {{.depth = 5},
                                              {.infinite = true, .depth = 5},
                                              {.ponder = true},
                                              {.has_movetime = true, .movetime_ms = 50000},
                                              {.infinite = true, .mate = 2},
                                              {.infinite = true, .nodes = 9}};
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){0});
    struct rk_request request = request_at(&fixture, 7);
    const struct searches *searches = &fixture.scheduler.searches;
    (void)submit(&fixture, 0, &request);
    for (size_t i = 0; i < sizeof(OTHERS) / sizeof(OTHERS[0]); i++) {
        struct rk_request other = request;
        other.limits = OTHERS[i];
        ck_assert_ptr_null(searches_find(searches, &other));
    }
    struct rk_request other = request;
    ck_assert_ptr_nonnull(searches_find(searches, &other));
    other.session = 9; /* These do not matter. */
    other.arrived_us = 1;
    other.multipv = 1;
    other.limits.overhead_ms = 1000;
    ck_assert_ptr_nonnull(searches_find(searches, &other));
    other.multipv = 2;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.multipv = 0;
    other.threads = 1;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.threads = 0;
    other.elo = 1500;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.elo = 0;
    other.salt = 1;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.salt = 0;
    other.tablebase_men_max = 5;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.tablebase_men_max = 0;
    other.tablebase_depth = 5;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.tablebase_depth = 0;
    other.tablebase_ignores_fifty = true;
    ck_assert_ptr_null(searches_find(searches, &other));
    other.tablebase_ignores_fifty = false;
    other.has_searchmoves = true;
    ck_assert_ptr_null(searches_find(searches, &other));
    other = request_at(&fixture, 8);
    ck_assert_ptr_null(searches_find(searches, &other));
    scheduler_stop(&fixture.scheduler, 0); /* Too late to join. */
    other = request_at(&fixture, 7);
    ck_assert_ptr_null(searches_find(searches, &other));
    poll_all(&fixture);
    close_fixture(&fixture);
}
END_TEST

START_TEST(players_of_limited_strength_are_alone)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){0});
    struct rk_request request = request_at(&fixture, 7);
    request.elo = 1500;
    (void)submit(&fixture, 0, &request);
    (void)submit(&fixture, 1, &request);
    ck_assert_uint_eq(started(&fixture), 2);
    scheduler_stop_all(&fixture.scheduler);
    poll_all(&fixture);
    close_fixture(&fixture);
}
END_TEST

START_TEST(a_limit_ends_it_for_all_alike)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){0});
    struct rk_request request = request_at(&fixture, 7);
    request.limits = (struct rk_limits){.nodes = 3};
    for (uint32_t client = 0; client < 5; client++)
        (void)submit(&fixture, client, &request);
    scheduler_leave(&fixture.scheduler, 3);
    poll_all(&fixture);
    ck_assert_uint_eq(started(&fixture), 1);
    ck_assert_uint_eq(fixture.lines[0], 3 * 5); /* The first is told every block. */
    for (uint32_t client = 0; client < 5; client++) {
        ck_assert_uint_eq(fixture.verdicts[client], client == 3 ? 0 : 1);
        ck_assert_uint_eq(fixture.lines[client] % 5, 0);
    }
    close_fixture(&fixture);
}
END_TEST

/* Who stops before there is a line gets one from the rescue crew, which is soon. */
START_TEST(no_verdict_without_a_line)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){0});
    const struct rk_request request = request_at(&fixture, 7);
    for (uint32_t client = 0; client < 3; client++)
        (void)submit(&fixture, client, &request);
    scheduler_stop(&fixture.scheduler, 1);
    scheduler_stop(&fixture.scheduler, 1);
    ck_assert_uint_eq(fixture.verdicts[1], 0);
    ck_assert_ptr_nonnull(line_of(&fixture.scheduler.line, 1));
    poll_all(&fixture);
    ck_assert_uint_eq(started(&fixture), 2);
    ck_assert_uint_eq(fixture.lines[1], 1);
    ck_assert_uint_eq(fixture.verdicts[1], 1);
    scheduler_stop(&fixture.scheduler, 0);
    scheduler_stop(&fixture.scheduler, 2); /* All stop: the search itself answers. */
    poll_all(&fixture);
    ck_assert_uint_eq(fixture.verdicts[0], 1);
    ck_assert_uint_eq(fixture.verdicts[2], 1);
    close_fixture(&fixture);
}
END_TEST

/* Those who wait for the same come along with the first of them. */
START_TEST(the_line_joins_what_starts)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){0});
    for (uint32_t client = 0; client < SEARCHES; client++) {
        const struct rk_request request = request_at(&fixture, client);
        (void)submit(&fixture, client, &request);
    }
    const struct rk_request request = request_at(&fixture, 50);
    for (uint32_t client = 10; client < 20; client++)
        ck_assert_uint_gt(submit(&fixture, client, &request), 0);
    poll_all(&fixture);
    scheduler_stop(&fixture.scheduler, 0);
    poll_all(&fixture);
    ck_assert_uint_eq(line_count(&fixture.scheduler.line), 0);
    ck_assert_uint_eq(started(&fixture), SEARCHES + 1);
    scheduler_stop_all(&fixture.scheduler);
    poll_all(&fixture);
    for (uint32_t client = 10; client < 20; client++)
        ck_assert_uint_eq(fixture.verdicts[client], 1);
    close_fixture(&fixture);
}
END_TEST

START_TEST(an_open_search_ends_after_its_time)
{
    struct fixture fixture;
    open_fixture(&fixture, (struct scheduler_options){.infinite_max_s = 60});
    const struct rk_request request = request_at(&fixture, 7);
    (void)submit(&fixture, 0, &request);
    (void)submit(&fixture, 1, &request);
    fixture.scheduler.searches.watchers[1].end_us += US_PER_S; /* As if it had come later. */
    const int64_t end_us = fixture.scheduler.searches.watchers[0].end_us;
    ck_assert_int_gt(end_us, clock_now_us() + 50 * (int64_t)US_PER_S);
    scheduler_tick(&fixture.scheduler, end_us - 1);
    poll_all(&fixture);
    ck_assert_uint_eq(fixture.verdicts[0], 0);
    scheduler_tick(&fixture.scheduler, end_us);
    poll_all(&fixture);
    ck_assert_uint_eq(fixture.verdicts[0], 1);
    ck_assert_uint_eq(fixture.verdicts[1], 0);
    scheduler_tick(&fixture.scheduler, fixture.scheduler.searches.watchers[1].end_us);
    poll_all(&fixture);
    ck_assert_uint_eq(fixture.verdicts[1], 1);
    close_fixture(&fixture);
}
END_TEST

/* -- Over sockets ----------------------------------------------------------------------------- */

/* Lines of one block come together: 1 to 5. */
static void expect_bestmove(struct client *client)
{
    unsigned lines = 0;
    for (;;) {
        const char *line = client_line(client, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        if (strncmp(line, "bestmove", 8) == 0)
            break;
        lines++;
    }
    ck_assert_uint_ge(lines, 1);
}

START_TEST(a_broadcast_costs_one_search)
{
    struct house house;
    struct server_options options = house_options();
    struct client *clients = calloc(CROWD, sizeof(*clients));
    uint64_t random = 11;
    bool is_watching[CROWD] = {false};
    ck_assert_ptr_nonnull(clients);
    options.clients_max = CROWD + TURNS; /* Room for those who are just leaving. */
    options.searches_max = 1;
    options.searches_per_address = 1;
    house_open(&house, &options);
    for (int i = 0; i < CROWD; i++) {
        house_connect(&house, &clients[i]);
        ck_assert(client_send(&clients[i], "position 5\n"));
    }
    for (int i = 0; i < TURNS; i++) {
        struct client *client = &clients[random_below(&random, CROWD)];
        bool *is_one = &is_watching[client - clients];
        if (!*is_one) {
            ck_assert(client_send(client, "go infinite\n"));
        } else if (random_below(&random, 4) != 0) {
            ck_assert(client_send(client, "stop\n"));
            expect_bestmove(client);
        } else { /* Gone without a word. */
            client_reset(client);
            house_connect(&house, client);
            ck_assert(client_send(client, "position 5\n"));
        }
        *is_one = !*is_one;
    }
    for (int i = 0; i < CROWD; i++) {
        ck_assert(client_send(&clients[i], is_watching[i] ? "isready\n" : "go infinite\n"));
        ck_assert_ptr_nonnull(client_wait(&clients[i], is_watching[i] ? "readyok" : "info nodes"));
    }
    for (int i = 0; i < CROWD; i++)
        ck_assert(client_send(&clients[i], "stop\n"));
    for (int i = 0; i < CROWD; i++) {
        ck_assert_ptr_nonnull(client_wait(&clients[i], "bestmove"));
        client_close(&clients[i]);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
    free(clients);
}
END_TEST

Suite *suite_watchers(void)
{
    Suite *suite = suite_create("watchers");
    TCase *tests = tcase_create("watchers");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_same_is_searched_once);
    tcase_add_test(tests, who_pays_is_who_watches_longest);
    tcase_add_test(tests, who_has_room_inherits);
    tcase_add_test(tests, what_differs_is_searched_apart);
    tcase_add_test(tests, players_of_limited_strength_are_alone);
    tcase_add_test(tests, a_limit_ends_it_for_all_alike);
    tcase_add_test(tests, no_verdict_without_a_line);
    tcase_add_test(tests, the_line_joins_what_starts);
    tcase_add_test(tests, an_open_search_ends_after_its_time);
    tcase_add_test(tests, a_broadcast_costs_one_search);
    suite_add_tcase(suite, tests);
    return suite;
}
