#include "server/line.h"

#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "server/stub_engine.h"
#include "server/suites.h"

enum { CLIENTS = 64, ADDRESSES = 6, STEPS = 20000 };

struct fixture {
    struct line line;
    struct rk_game *game;
};

static void open_fixture(struct fixture *fixture)
{
    ck_assert(rk_game_create(&fixture->game) == RK_OK);
    ck_assert(line_create(&fixture->line, CLIENTS) == RK_OK);
}

static void close_fixture(struct fixture *fixture)
{
    line_destroy(&fixture->line);
    rk_game_destroy(fixture->game);
}

static void enter(struct fixture *fixture, uint32_t client, uint32_t address,
                  struct rk_limits limits)
{
    const struct rk_request request = {.size = sizeof(request),
                                       .game = fixture->game,
                                       .limits = limits,
                                       .arrived_us = clock_now_us()};
    line_enter(&fixture->line, client, address, &request);
}

static struct rk_limits open_limits(void) { return (struct rk_limits){.infinite = true}; }
static struct rk_limits clock_limits(void)
{
    return (struct rk_limits){.has_clock = {true, true}, .time_ms = {60000, 60000}};
}

/* Serves all; `order` names the clients in turn, a letter each. */
static void expect_order(struct fixture *fixture, const char *order)
{
    static const uint32_t none[CLIENTS];
    for (; *order != '\0'; order++) {
        struct waiting *next = line_next(&fixture->line, none, 0);
        ck_assert_ptr_nonnull(next);
        ck_assert_int_eq('a' + (int)next->client, *order);
        line_leave(&fixture->line, next, true);
    }
    ck_assert_uint_eq(line_count(&fixture->line), 0);
    ck_assert_ptr_null(line_next(&fixture->line, none, 0));
}

START_TEST(addresses_take_turns)
{
    struct fixture fixture;
    open_fixture(&fixture);
    for (uint32_t client = 0; client < 4; client++)
        enter(&fixture, client, 0, open_limits());
    enter(&fixture, 4, 1, open_limits());
    enter(&fixture, 5, 1, open_limits());
    enter(&fixture, 6, 2, open_limits());
    ck_assert_uint_eq(line_place(&fixture.line, line_of(&fixture.line, 6)), 3);
    for (uint32_t place = 1; place <= 7; place++)
        ck_assert_uint_eq(line_place(&fixture.line, line_at(&fixture.line, place)), place);
    expect_order(&fixture, "aegbfcd");
    close_fixture(&fixture);
}
END_TEST

START_TEST(who_goes_makes_room_for_its_own)
{
    struct fixture fixture;
    open_fixture(&fixture);
    for (uint32_t client = 0; client < 4; client++)
        enter(&fixture, client, 0, open_limits());
    enter(&fixture, 4, 1, open_limits());
    enter(&fixture, 5, 1, open_limits());
    line_leave(&fixture.line, line_of(&fixture.line, 0), false);
    line_leave(&fixture.line, line_of(&fixture.line, 2), false);
    enter(&fixture, 6, 0, open_limits());
    expect_order(&fixture, "ebfdg");
    close_fixture(&fixture);
}
END_TEST

START_TEST(clocks_go_first_but_not_always)
{
    struct fixture fixture;
    open_fixture(&fixture);
    enter(&fixture, 0, 0, open_limits());
    enter(&fixture, 1, 1, open_limits());
    for (uint32_t client = 2; client < 8; client++)
        enter(&fixture, client, client, clock_limits());
    ck_assert_uint_eq(line_place(&fixture.line, line_of(&fixture.line, 2)), 1);
    ck_assert_uint_eq(line_place(&fixture.line, line_of(&fixture.line, 0)), 7);
    expect_order(&fixture, "cdeafghb");
    close_fixture(&fixture);
}
END_TEST

START_TEST(a_ponderhit_changes_the_lane)
{
    struct fixture fixture;
    const struct rk_limits ponder = {
        .ponder = true, .has_clock = {true, true}, .time_ms = {1000, 1000}};
    open_fixture(&fixture);
    enter(&fixture, 0, 0, open_limits());
    enter(&fixture, 1, 1, ponder);
    ck_assert(line_due_us(&fixture.line) == INT64_MAX);
    line_ponderhit(&fixture.line, line_of(&fixture.line, 1), clock_now_us());
    ck_assert(line_due_us(&fixture.line) < INT64_MAX);
    expect_order(&fixture, "ba");
    close_fixture(&fixture);
}
END_TEST

/* All clients but two are of one address and wait: the others' first ones stand in the first round,
 * and each client has its place. */
START_TEST(one_address_cannot_fill_it)
{
    struct fixture fixture;
    open_fixture(&fixture);
    for (uint32_t client = 0; client < CLIENTS - 2; client++)
        enter(&fixture, client, 0, client % 3 == 0 ? clock_limits() : open_limits());
    const uint32_t clocks = fixture.line.lanes[LANE_CLOCK].count;
    enter(&fixture, CLIENTS - 2, 1, open_limits());
    ck_assert_uint_eq(line_place(&fixture.line, line_of(&fixture.line, CLIENTS - 2)), clocks + 2);
    enter(&fixture, CLIENTS - 1, 2, clock_limits());
    ck_assert_uint_eq(line_place(&fixture.line, line_of(&fixture.line, CLIENTS - 1)), 2);
    ck_assert_uint_eq(line_count(&fixture.line), CLIENTS);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct waiting *waiting = line_of(&fixture.line, client);
        ck_assert_ptr_nonnull(waiting);
        line_leave(&fixture.line, waiting, client % 2 == 0);
        ck_assert_ptr_null(line_of(&fixture.line, client));
    }
    ck_assert_uint_eq(line_count(&fixture.line), 0);
    close_fixture(&fixture);
}
END_TEST

/* Of thirty in three positions, some on a clock, some stopped, some of one address. */
START_TEST(who_wants_the_same_is_found_in_turn)
{
    enum { WAITING = 30, POSITIONS = 3 };
    struct fixture fixture;
    uint32_t found = 0;
    uint32_t place = 1;
    open_fixture(&fixture);
    for (uint32_t client = 0; client < WAITING; client++) {
        stub_game_set(fixture.game, client % POSITIONS);
        enter(&fixture, client, client % 4, client % 5 == 0 ? clock_limits() : open_limits());
    }
    line_stop(&fixture.line, line_of(&fixture.line, 4));
    stub_game_set(fixture.game, 1);
    const struct rk_request wanted = {
        .size = sizeof(wanted), .game = fixture.game, .limits = open_limits()};
    while ((place = line_find_same(&fixture.line, &wanted, place)) > 0) {
        const uint32_t client = line_at(&fixture.line, place)->client;
        ck_assert(client % POSITIONS == 1 && client % 5 != 0 && client != 4);
        line_leave(&fixture.line, line_of(&fixture.line, client), false);
        found++;
    }
    ck_assert_uint_eq(found, 7); /* 1, 7, 13, 16, 19, 22 and 28. */
    ck_assert_uint_eq(line_find_same(&fixture.line, &wanted, 1), 0);
    const struct rk_request timed = {
        .size = sizeof(timed), .game = fixture.game, .limits = clock_limits()};
    ck_assert_uint_eq(line_find_same(&fixture.line, &timed, 1), 0);
    ck_assert_uint_eq(line_count(&fixture.line), WAITING - 7);
    close_fixture(&fixture);
}
END_TEST

START_TEST(an_address_over_its_limit_is_passed_over)
{
    struct fixture fixture;
    uint32_t counts[CLIENTS] = {2, 1};
    open_fixture(&fixture);
    enter(&fixture, 0, 0, open_limits());
    ck_assert_ptr_null(line_next(&fixture.line, counts, 2));
    ck_assert_ptr_nonnull(line_next(&fixture.line, counts, 3));
    enter(&fixture, 1, 1, open_limits());
    ck_assert_uint_eq(line_next(&fixture.line, counts, 2)->client, 1);
    close_fixture(&fixture);
}
END_TEST

/* At random: places are those of the order; no address is served a third time while another that
 * waits has not been served once. */
START_TEST(nobody_is_passed_over_at_random)
{
    static const uint32_t none[CLIENTS];
    struct fixture fixture;
    uint64_t random = 3;
    unsigned served[ADDRESSES][ADDRESSES] = {{0}}; /* [a][b]: a, while b waited. */
    unsigned waiting[ADDRESSES] = {0};
    open_fixture(&fixture);
    for (int step = 0; step < STEPS; step++) {
        const uint32_t client = (uint32_t)random_below(&random, CLIENTS);
        /* The first address has most of the clients. */
        const uint32_t address = client < CLIENTS / 2 ? 0 : client % ADDRESSES;
        struct waiting *own = line_of(&fixture.line, client);
        struct waiting *next = line_next(&fixture.line, none, 0);
        const uint64_t what = random_below(&random, 8);
        if (what < 4 && own == NULL) {
            enter(&fixture, client, address, open_limits());
            waiting[address]++;
        } else if (what == 4 && own != NULL) {
            line_leave(&fixture.line, own, false);
            waiting[address]--;
        } else if (what > 4 && next != NULL) {
            const uint32_t whose = next->address;
            line_leave(&fixture.line, next, true);
            waiting[whose]--;
            for (uint32_t i = 0; i < ADDRESSES; i++) {
                served[i][whose] = 0;
                served[whose][i]++;
            }
        }
        unsigned total = 0;
        for (uint32_t i = 0; i < ADDRESSES; i++) {
            total += waiting[i];
            for (uint32_t a = 0; a < ADDRESSES; a++) {
                if (waiting[i] == 0)
                    served[a][i] = 0;
                if (served[a][i] > 2)
                    ck_abort_msg("%u was passed over by %u", i, a);
            }
        }
        ck_assert_uint_eq(line_count(&fixture.line), total);
        for (uint32_t place = 1; place <= total; place++)
            if (line_place(&fixture.line, line_at(&fixture.line, place)) != place)
                ck_abort_msg("place %u is not where it is", place);
    }
    close_fixture(&fixture);
}
END_TEST

Suite *suite_line(void)
{
    Suite *suite = suite_create("line");
    TCase *tests = tcase_create("line");
    tcase_add_test(tests, addresses_take_turns);
    tcase_add_test(tests, who_goes_makes_room_for_its_own);
    tcase_add_test(tests, clocks_go_first_but_not_always);
    tcase_add_test(tests, a_ponderhit_changes_the_lane);
    tcase_add_test(tests, one_address_cannot_fill_it);
    tcase_add_test(tests, who_wants_the_same_is_found_in_turn);
    tcase_add_test(tests, an_address_over_its_limit_is_passed_over);
    tcase_add_test(tests, nobody_is_passed_over_at_random);
    suite_add_tcase(suite, tests);
    return suite;
}
