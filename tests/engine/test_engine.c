#include "rookery/engine.h"

#include <string.h>

#include "base/random.h"
#include "engine/owner.h"
#include "engine/suites.h"

enum { CORES = 2, MANY = 32, STEPS = 1500 };

static const char MATED[] = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
static const char STALEMATED[] = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
static const char ONE_REPLY[] = "7k/8/8/8/8/8/1r6/7K w - - 0 1";
static const char MATE_IN_ONE[] = "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1";

START_TEST(arguments_out_of_range_are_refused)
{
    const struct rk_engine_options good = {
        .size = sizeof good, .searches_max = 1, .threads = 1, .table_mib = 1};
    struct rk_engine *engine = NULL;
    struct rk_engine_options bad[7] = {good, good, good, good, good, good, good};
    bad[0].size = 1;
    bad[1].searches_max = 0;
    bad[2].searches_max = RK_SEARCHES_MAX + 1;
    bad[3].threads = 0;
    bad[4].threads = RK_THREADS_MAX + 1;
    bad[5].table_mib = 0;
    bad[6].table_mib = RK_TABLE_MIB_MAX + 1;
    for (unsigned i = 0; i < 7; i++)
        ck_assert_int_eq(rk_engine_create(&bad[i], &engine), RK_BAD_ARGUMENT);
    ck_assert_int_eq(rk_engine_create(NULL, &engine), RK_BAD_ARGUMENT);
    ck_assert_ptr_null(engine);
    ck_assert_int_eq(rk_engine_create(&good, &engine), RK_OK);

    struct rk_game *game = NULL;
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    rk_ticket_t ticket = 17;
    struct rk_request request = owner_request();
    ck_assert_int_eq(rk_engine_start(engine, &request, &ticket), RK_BAD_ARGUMENT);
    request.game = game;
    request.size--;
    ck_assert_int_eq(rk_engine_start(engine, &request, &ticket), RK_BAD_ARGUMENT);
    request.size++;
    request.searchmove_count = RK_SEARCHMOVES_MAX + 1;
    ck_assert_int_eq(rk_engine_start(engine, &request, &ticket), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(ticket, 17);
    rk_game_destroy(game);
    rk_engine_destroy(engine);
    rk_engine_destroy(NULL);
}
END_TEST

START_TEST(a_table_that_cannot_be_had_is_no_memory)
{
    const struct rk_engine_options options = {
        .size = sizeof options, .searches_max = 2, .threads = 2, .table_mib = RK_TABLE_MIB_MAX};
    struct rk_engine *engine = NULL;
    ck_assert_int_eq(rk_engine_create(&options, &engine), RK_NO_MEMORY);
    ck_assert_ptr_null(engine);
}
END_TEST

/* However small the limits, a line and a legal move. */
START_TEST(every_limit_ends_a_search)
{
    struct owner owner;
    owner_init(&owner, 4, CORES, 4);
    struct rk_limits limits[] = {{.depth = 1},
                                 {.depth = 5},
                                 {.nodes = 1},
                                 {.nodes = 3000},
                                 {.has_movetime = true, .movetime_ms = 0},
                                 {.has_movetime = true, .movetime_ms = -1},
                                 {.has_movetime = true, .movetime_ms = 30},
                                 {.has_clock = {true, true}, .time_ms = {0, 0}},
                                 {.has_clock = {true, true}, .time_ms = {-50, 1000}},
                                 {.has_clock = {true, true}, .time_ms = {200, 200}},
                                 {.has_clock = {true, false}, .time_ms = {1, 0}, .inc_ms = {1, 0}}};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rk_request request = owner_request();
        request.limits = limits[i];
        owner_go(&owner, &request, NULL);
        owner_await(&owner, 0);
        ck_assert_uint_ne(owner.last.best_move, RK_MOVE_NONE);
    }
    owner_clear(&owner);
}
END_TEST

START_TEST(nodes_are_exact_on_one_thread)
{
    struct owner owner;
    owner_init(&owner, 1, CORES, 4);
    const uint64_t limits[] = {64, 1000, 1023, 1024, 1025, 5000, 12345};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rk_request request = owner_request();
        request.limits = (struct rk_limits){.nodes = limits[i]};
        request.threads = 1;
        owner_go(&owner, &request, NULL);
        owner_await(&owner, 0);
        ck_assert_uint_eq(owner.last.nodes, limits[i]);
    }
    owner_clear(&owner);
}
END_TEST

/* One thread, an empty table, no memory: the same to the node. */
START_TEST(one_thread_repeats_itself)
{
    uint64_t nodes[2];
    rk_move_t moves[2];
    for (unsigned run = 0; run < 2; run++) {
        struct owner owner;
        owner_init(&owner, 2, CORES, 2);
        struct rk_request request = owner_request();
        request.limits = (struct rk_limits){.depth = 7};
        request.threads = 1;
        owner_go(&owner, &request, NULL);
        owner_await(&owner, 0);
        nodes[run] = owner.last.nodes;
        moves[run] = owner.last.best_move;
        owner_clear(&owner);
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
    ck_assert_uint_eq(moves[0], moves[1]);
}
END_TEST

static void search_at_once(unsigned count)
{
    struct owner owner;
    struct rk_game *game = NULL;
    uint64_t random = count;
    owner_init(&owner, count, CORES, 2);
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    struct rk_request request = owner_movetime(150);
    for (unsigned i = 0; i < count; i++) {
        owner_random_game(game, &random, 30);
        request.game = game;
        request.session = i % 5;
        owner_go(&owner, &request, NULL);
    }
    rk_ticket_t ticket = 0;
    request.game = game;
    ck_assert_int_eq(rk_engine_start(owner.engine, &request, &ticket), RK_BUSY);
    ck_assert_uint_eq(ticket, 0);
    owner_await(&owner, 0);
    ck_assert_uint_eq(owner.ended, count);
    rk_game_destroy(game);
    owner_clear(&owner);
}

START_TEST(one_search_has_the_house) { search_at_once(1); }
END_TEST
START_TEST(eight_at_once) { search_at_once(8); }
END_TEST
START_TEST(thirty_two_at_once) { search_at_once(MANY); }
END_TEST

/* All others search without end; each of many is stopped a moment after it began. */
START_TEST(a_stop_is_answered_beside_many)
{
    struct owner owner;
    uint64_t random = 4;
    owner_init(&owner, MANY, CORES, 2);
    struct rk_request request = owner_request();
    rk_ticket_t tickets[MANY - 1];
    for (unsigned i = 0; i < MANY - 1; i++)
        tickets[i] = owner_go(&owner, &request, NULL);
    for (unsigned i = 0; i < 60; i++) {
        const rk_ticket_t ticket = owner_go(&owner, &request, NULL);
        for (uint64_t turn = random_below(&random, 40); turn > 0; turn--) {
            owner_read(&owner);
            owner_nap();
        }
        owner_stop(&owner, ticket);
        owner_stop(&owner, ticket);
        owner_await(&owner, MANY - 1);
        ck_assert_uint_eq(owner.last.ticket, ticket);
    }
    for (unsigned i = 0; i < MANY - 1; i++)
        owner_stop(&owner, tickets[i]);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

/* The verdict that nothing is left to find for waits until it may be told. */
START_TEST(infinite_waits_for_its_stop)
{
    static const char *const positions[] = {MATED, STALEMATED, ONE_REPLY, MATE_IN_ONE};
    struct owner owner;
    owner_init(&owner, 1, CORES, 1);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned pondered = 0; pondered < 3; pondered++) {
            struct rk_request request = owner_request();
            request.limits = (struct rk_limits){.infinite = pondered == 0,
                                                .ponder = pondered > 0,
                                                .has_movetime = pondered > 0,
                                                .movetime_ms = 5};
            const rk_ticket_t ticket = owner_go(&owner, &request, positions[i]);
            while (owner.asked[0].lines == 0)
                owner_read(&owner);
            for (unsigned turn = 0; turn < 20; turn++) {
                owner_read(&owner); /* A verdict now would be refused. */
                owner_nap();
            }
            if (pondered == 1)
                owner_ponderhit(&owner, ticket);
            else
                owner_stop(&owner, ticket);
            owner_await(&owner, 0);
            ck_assert_int_eq(owner.last.best_move == RK_MOVE_NONE, i < 2);
        }
    }
    owner_clear(&owner);
}
END_TEST

START_TEST(a_root_without_moves_is_told_in_one_line)
{
    struct owner owner;
    struct rk_report report;
    owner_init(&owner, 1, CORES, 1);
    for (unsigned i = 0; i < 3; i++) {
        struct rk_request request = owner_movetime(1000);
        request.has_searchmoves = i == 2;
        rk_ticket_t ticket = 0;
        struct rk_game *game = NULL;
        ck_assert_int_eq(rk_game_create(&game), RK_OK);
        const char *fen = i == 0 ? MATED : STALEMATED;
        if (i < 2)
            ck_assert_int_eq(rk_game_set_fen(game, fen, strlen(fen)), RK_OK);
        request.game = game;
        ck_assert_int_eq(rk_engine_start(owner.engine, &request, &ticket), RK_OK);
        while (!rk_engine_poll(owner.engine, &report))
            ;
        ck_assert_int_eq(report.kind, RK_REPORT_LINE);
        ck_assert_uint_eq(report.ticket, ticket);
        ck_assert_uint_eq(report.depth, 0);
        ck_assert_int_eq(report.is_mate, i == 0);
        ck_assert_int_eq(report.score, 0);
        ck_assert_int_eq(report.bound, RK_BOUND_EXACT);
        ck_assert_uint_eq(report.pv_count, 0);
        while (!rk_engine_poll(owner.engine, &report))
            ;
        ck_assert_int_eq(report.kind, RK_REPORT_VERDICT);
        ck_assert_uint_eq(report.best_move, RK_MOVE_NONE);
        rk_game_destroy(game);
    }
    owner_clear(&owner);
}
END_TEST

/* Starts, stops, hits and forgets in any order, on tickets that run and on tickets that ended. */
START_TEST(any_order_of_calls_gives_one_verdict_each)
{
    struct owner owner;
    struct rk_game *game = NULL;
    uint64_t random = (uint64_t)_i + 1, started = 0;
    owner_init(&owner, 8, 1 + (uint32_t)_i % 3, 1);
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    for (unsigned step = 0; step < STEPS; step++) {
        const struct asked *some = &owner.asked[random_below(&random, 8)];
        const rk_ticket_t ticket = random_below(&random, 8) == 0 ? owner.last_stale : some->ticket;
        switch (random_below(&random, 6)) {
        case 0:
        case 1: {
            if (owner.running == 8)
                break;
            struct rk_request request = owner_movetime((int64_t)random_below(&random, 12));
            owner_random_game(game, &random, 60);
            request.game = game;
            request.limits.ponder = random_below(&random, 3) == 0;
            request.limits.infinite = random_below(&random, 3) == 0;
            request.session = random_below(&random, 12);
            request.multipv = (uint32_t)random_below(&random, 4);
            request.threads = (uint32_t)random_below(&random, 3);
            request.elo = random_below(&random, 4) == 0 ? 1600 : 0;
            owner_go(&owner, &request, NULL);
            started++;
            break;
        }
        case 2: owner_stop(&owner, ticket); break;
        case 3: owner_ponderhit(&owner, ticket); break;
        case 4: rk_engine_forget(owner.engine, random_below(&random, 12)); break;
        default: owner_read(&owner); break;
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        owner_ponderhit(&owner, owner.asked[i].ticket);
        owner_stop(&owner, owner.asked[i].ticket);
    }
    owner_await(&owner, 0);
    ck_assert_uint_eq(owner.ended, started);
    struct rk_report report;
    ck_assert(!rk_engine_poll(owner.engine, &report));
    struct rk_engine_state state;
    rk_engine_state(owner.engine, &state);
    ck_assert_uint_eq(state.searches, 0);
    rk_game_destroy(game);
    owner_clear(&owner);
}
END_TEST

/* The clock of a pondered move starts at the hit, and the search that ran on ends by it. */
START_TEST(a_hit_starts_the_clock)
{
    struct owner owner;
    owner_init(&owner, 2, CORES, 1);
    for (unsigned i = 0; i < 20; i++) {
        struct rk_request request = owner_movetime(10);
        request.limits.ponder = true;
        const rk_ticket_t first = owner_go(&owner, &request, NULL);
        const rk_ticket_t second = owner_go(&owner, &request, NULL);
        for (unsigned turn = 0; turn < i; turn++)
            owner_read(&owner);
        owner_ponderhit(&owner, first);
        if (i % 2 == 0)
            owner_stop(&owner, second);
        else
            owner_ponderhit(&owner, second);
        owner_await(&owner, 0);
    }
    owner_clear(&owner);
}
END_TEST

/* That it comes to an end, and that no thread is left to touch what is gone, which the sanitizers
 * see. */
START_TEST(destroying_ends_what_searches)
{
    for (unsigned i = 0; i < 6; i++) {
        struct owner first, second;
        owner_init(&first, 8, CORES, 1);
        owner_init(&second, 2, 1, 1); /* Two engines in one process. */
        struct rk_request request = owner_request();
        for (unsigned search = 0; search < 8; search++)
            owner_go(&first, &request, NULL);
        owner_go(&second, &request, MATED);
        owner_go(&second, &request, NULL);
        for (unsigned turn = 0; turn < i * 100; turn++)
            owner_read(&first);
        owner_clear(&first);
        owner_clear(&second);
    }
}
END_TEST

START_TEST(sizes_change_only_at_rest)
{
    struct owner owner;
    owner_init(&owner, 3, 1, 1);
    struct rk_request request = owner_request();
    for (uint32_t threads = 1; threads <= 4; threads++) {
        const rk_ticket_t ticket = owner_go(&owner, &request, NULL);
        ck_assert_int_eq(rk_engine_resize(owner.engine, 2, 2), RK_BUSY);
        ck_assert_int_eq(rk_engine_clear(owner.engine), RK_BUSY);
        while (owner.asked[0].lines == 0)
            owner_read(&owner);
        owner_stop(&owner, ticket);
        ck_assert_int_eq(rk_engine_resize(owner.engine, 2, 2), RK_BUSY); /* Not read yet. */
        owner_await(&owner, 0);
        ck_assert_int_eq(rk_engine_resize(owner.engine, 1 + threads % 2, 5 - threads), RK_OK);
        ck_assert_int_eq(rk_engine_clear(owner.engine), RK_OK);
        struct rk_engine_state state;
        rk_engine_state(owner.engine, &state);
        ck_assert_uint_eq(state.threads, 5 - threads);
        ck_assert_uint_eq(state.table_mib, 1 + threads % 2);
        ck_assert_int_eq(rk_engine_resize(owner.engine, RK_TABLE_MIB_MAX, 6), RK_NO_MEMORY);
        ck_assert_int_eq(rk_engine_resize(owner.engine, 0, 1), RK_BAD_ARGUMENT);
        rk_engine_state(owner.engine, &state);
        ck_assert_uint_eq(state.threads, 5 - threads);
    }
    owner_clear(&owner);
}
END_TEST

/* The crew that gave its verdict can be asked again at once, though helpers are still leaving. */
START_TEST(go_may_follow_a_verdict_at_once)
{
    struct owner owner;
    owner_init(&owner, 1, 4, 1);
    struct rk_request request = owner_request();
    request.limits = (struct rk_limits){.nodes = 2000};
    for (unsigned i = 0; i < 60; i++) {
        owner_go(&owner, &request, i % 2 == 0 ? NULL : ONE_REPLY);
        owner_await(&owner, 0);
    }
    owner_clear(&owner);
}
END_TEST

START_TEST(leaves_are_counted_and_can_be_stopped)
{
    struct owner owner;
    owner_init(&owner, 1, CORES, 1);
    struct rk_request request = owner_request();
    const uint64_t leaves[] = {20, 400, 8902, 197281};
    for (uint32_t depth = 1; depth <= 4; depth++) {
        request.limits.infinite = false;
        request.perft_depth = depth;
        request.elo = depth % 2 == 0 ? RK_ELO_MIN : 0; /* However weak. */
        owner_go(&owner, &request, NULL);
        owner_await(&owner, 0);
        ck_assert_int_eq(owner.last.kind, RK_REPORT_PERFT_TOTAL);
        ck_assert_uint_eq(owner.last.nodes, leaves[depth - 1]);
    }
    request.perft_depth = 12;
    const rk_ticket_t ticket = owner_go(&owner, &request, NULL);
    owner_read(&owner);
    owner_stop(&owner, ticket);
    owner_await(&owner, 0);
    ck_assert_int_eq(owner.last.kind, RK_REPORT_PERFT_TOTAL);
    owner_clear(&owner);
}
END_TEST

START_TEST(lines_come_in_whole_blocks)
{
    struct owner owner;
    owner_init(&owner, 1, CORES, 1);
    struct rk_game *game = NULL;
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    struct rk_request request = owner_movetime(100);
    request.game = game;
    request.multipv = 7;
    rk_ticket_t ticket = 0;
    ck_assert_int_eq(rk_engine_start(owner.engine, &request, &ticket), RK_OK);
    struct rk_report report = {.kind = RK_REPORT_LINE}, last = {.block_end = true};
    while (report.kind != RK_REPORT_VERDICT) {
        if (!rk_engine_poll(owner.engine, &report))
            continue;
        if (report.kind == RK_REPORT_LINE) {
            ck_assert_uint_eq(report.multipv, last.block_end ? 1u : last.multipv + 1u);
            last = report;
        }
    }
    ck_assert(last.block_end);
    rk_game_destroy(game);
    owner_clear(&owner);
}
END_TEST

START_TEST(nodes_since_creation_are_all_told)
{
    struct owner owner;
    owner_init(&owner, 2, 1, 1);
    uint64_t told = 0;
    struct rk_engine_state state;
    for (unsigned i = 1; i <= 5; i++) {
        struct rk_request request = owner_request();
        request.limits = (struct rk_limits){.nodes = 700 * i};
        owner_go(&owner, &request, NULL);
        rk_engine_state(owner.engine, &state);
        ck_assert_uint_ge(state.nodes, told);
        owner_await(&owner, 0);
        told += owner.last.nodes;
        rk_engine_state(owner.engine, &state);
        ck_assert_uint_eq(state.nodes, told);
        while (state.runners > 0) /* It gives back its core after it has told its verdict. */
            rk_engine_state(owner.engine, &state);
    }
    owner_clear(&owner);
}
END_TEST

Suite *suite_engine(void)
{
    Suite *suite = suite_create("engine");
    TCase *tcase = tcase_create("engine");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, arguments_out_of_range_are_refused);
    tcase_add_test(tcase, a_table_that_cannot_be_had_is_no_memory);
    tcase_add_test(tcase, every_limit_ends_a_search);
    tcase_add_test(tcase, nodes_are_exact_on_one_thread);
    tcase_add_test(tcase, one_thread_repeats_itself);
    tcase_add_test(tcase, one_search_has_the_house);
    tcase_add_test(tcase, eight_at_once);
    tcase_add_test(tcase, thirty_two_at_once);
    tcase_add_test(tcase, a_stop_is_answered_beside_many);
    tcase_add_test(tcase, infinite_waits_for_its_stop);
    tcase_add_test(tcase, a_root_without_moves_is_told_in_one_line);
    tcase_add_loop_test(tcase, any_order_of_calls_gives_one_verdict_each, 0, 6);
    tcase_add_test(tcase, a_hit_starts_the_clock);
    tcase_add_test(tcase, destroying_ends_what_searches);
    tcase_add_test(tcase, sizes_change_only_at_rest);
    tcase_add_test(tcase, go_may_follow_a_verdict_at_once);
    tcase_add_test(tcase, leaves_are_counted_and_can_be_stopped);
    tcase_add_test(tcase, lines_come_in_whole_blocks);
    tcase_add_test(tcase, nodes_since_creation_are_all_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
