#include "server/connections.h"

#include <string.h>

#include "base/clock.h"
#include "server/host.h"
#include "server/stub_engine.h"
#include "server/suites.h"
#include "support/hall.h"

static struct hall hall;

static void setup(void) { hall_open(&hall); }
static void teardown(void) { hall_close(&hall); }

static int64_t await_later_us(void)
{
    const int64_t start_us = clock_now_us();
    while (clock_now_us() == start_us)
        continue;
    return clock_now_us();
}

/* What a line waits in the house is time spent: it came when its bytes did, not when they were
 * looked at. */
START_TEST(a_line_arrives_with_its_bytes)
{
    const int64_t before_us = clock_now_us();
    ck_assert(client_send(&hall.client, "isready\ngo movetime 5\n"));
    hall_read(&hall);
    const int64_t read_us = await_later_us();
    hall_work(&hall);
    const struct stub_counts counts = stub_engine_counts(hall.engine);
    ck_assert_uint_eq(counts.started, 1);
    ck_assert_int_ge(counts.last_arrived_us, before_us);
    ck_assert_int_lt(counts.last_arrived_us, read_us);
}
END_TEST

/* Behind a line that has not been looked at yet, more bytes do not make it younger. */
START_TEST(bytes_behind_a_line_do_not_make_it_younger)
{
    ck_assert(client_send(&hall.client, "go movetime 5\n"));
    hall_read(&hall);
    const int64_t read_us = await_later_us();
    ck_assert(client_send(&hall.client, "isready\n"));
    hall_read(&hall);
    hall_work(&hall);
    ck_assert_int_lt(stub_engine_counts(hall.engine).last_arrived_us, read_us);
}
END_TEST

/* Lines that cost the loop more than a turn may last: who stands behind them waits for the next
 * turn and is the first in it, and the sockets and the engine have theirs between. */
START_TEST(a_turn_ends_and_the_next_goes_on)
{
    enum { LINES = COMMANDS_PER_READ_MAX };
    struct client other;
    hall_admit(&hall, &other);
    hall_turn(&hall);
    for (int i = 0; i < 2 * LINES; i++)
        ck_assert(client_send(&hall.client, "work 1000\n"));
    hall_read(&hall);
    ck_assert_uint_eq(hall.connections.noted.count, 1);
    ck_assert(client_send(&other, "isready\ngo infinite\n"));
    hall_read(&hall);
    ck_assert_uint_eq(hall.connections.noted.count, 2);
    ck_assert(connections_work(&hall.connections));
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 0);
    ck_assert_uint_eq(hall.connections.noted.count, 1);
    ck_assert_uint_eq(hall.connections.kept.count, 1);
    (void)connections_work(&hall.connections);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 1);
    hall_work(&hall);
    ck_assert(!connections_have_work(&hall.connections));
    client_close(&other);
}
END_TEST

/* However many are asked: what is answered ahead of its turn holds no room, so `stop` is read. */
START_TEST(isready_without_end_keeps_no_stop_out)
{
    ck_assert(client_send(&hall.client, "go infinite\ngo infinite\n"));
    hall_turn(&hall);
    ck_assert(hall.connection->is_later);
    for (size_t sent = 0; sent < 2 * LINE_BYTES_INLINE; sent += strlen("isready\n")) {
        ck_assert(client_send(&hall.client, "isready\n"));
        hall_read(&hall);
        hall_work(&hall);
        ck_assert_str_eq(client_line(&hall.client, CLIENT_PATIENCE_MS), "readyok");
    }
    ck_assert(client_send(&hall.client, "stop\n"));
    hall_turn(&hall);
    struct notice notice;
    while (scheduler_poll(&hall.scheduler, clock_now_us(), &notice))
        connections_tell(&hall.connections, &notice);
    hall_turn(&hall);
    ck_assert_ptr_nonnull(client_wait(&hall.client, "bestmove"));
}
END_TEST

/* -- One among many whose lines cost much ------------------------------------------------------ */

enum { HEAVY = 4, PORTIONS = 6, LONG_BYTES = LINE_BYTES_INLINE + 1000 };

static struct client heavy[HEAVY];

static struct connection *heavy_connection(uint32_t i) { return &hall.connections.all[1 + i]; }

static void admit_heavy(void)
{
    for (uint32_t i = 0; i < HEAVY; i++) {
        hall_admit(&hall, &heavy[i]);
        ck_assert_uint_eq(heavy_connection(i)->phase, CONNECTION_OPEN);
    }
    hall_turn(&hall);
}

static void close_heavy(void)
{
    for (uint32_t i = 0; i < HEAVY; i++)
        client_close(&heavy[i]);
}

static size_t bytes_held(uint32_t i)
{
    const char *bytes = NULL;
    return input_held(&heavy_connection(i)->input, &bytes);
}

/* One turn; how many of the heavy had a portion in it, each of which costs more than a turn may. */
static uint32_t count_served(void)
{
    size_t held[HEAVY];
    uint32_t count = 0;
    for (uint32_t i = 0; i < HEAVY; i++)
        held[i] = bytes_held(i);
    (void)connections_work(&hall.connections);
    for (uint32_t i = 0; i < HEAVY; i++)
        count += bytes_held(i) != held[i] ? 1 : 0;
    return count;
}

/* Each has sent many lines, and a portion of each has been taken. */
static void keep_heavy(void)
{
    static const char LINE[] = "work 100\n";
    enum { LENGTH = sizeof(LINE) - 1, LINES = PORTIONS * COMMANDS_PER_READ_MAX };
    char lines[LINES * LENGTH];
    for (size_t i = 0; i < LINES; i++)
        memcpy(lines + i * LENGTH, LINE, LENGTH);
    admit_heavy();
    for (uint32_t i = 0; i < HEAVY; i++)
        ck_assert(client_send_bytes(&heavy[i], lines, sizeof(lines)));
    hall_read(&hall);
    for (uint32_t i = 0; i < HEAVY; i++)
        (void)connections_work(&hall.connections);
    ck_assert_uint_eq(hall.connections.noted.count, 0);
    ck_assert_uint_eq(hall.connections.kept.count, HEAVY);
}

START_TEST(who_comes_is_served_before_all_who_have_more)
{
    keep_heavy();
    ck_assert(client_send(&hall.client, "go infinite\n"));
    hall_read(&hall);
    ck_assert_uint_eq(count_served(), 1);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 1);
    ck_assert(client_send(&hall.client, "stop\n"));
    hall_read(&hall);
    ck_assert_uint_eq(count_served(), 1);
    struct notice notice;
    while (scheduler_poll(&hall.scheduler, clock_now_us(), &notice))
        connections_tell(&hall.connections, &notice);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).running, 0);
    ck_assert_uint_eq(count_served(), 1);
    ck_assert_ptr_nonnull(client_wait(&hall.client, "bestmove"));
    close_heavy();
}
END_TEST

/* They are as new as the one behind them, and each has its turn after it. */
START_TEST(who_comes_is_served_before_the_long_lines_of_all)
{
    char line[LONG_BYTES];
    memset(line, ' ', sizeof(line));
    memcpy(line, "work 5000", 9);
    line[sizeof(line) - 1] = '\n';
    admit_heavy();
    for (uint32_t i = 0; i < HEAVY; i++) {
        ck_assert(client_send_bytes(&heavy[i], line, sizeof(line)));
        while (bytes_held(i) < sizeof(line))
            hall_read(&hall);
    }
    ck_assert(client_send(&hall.client, "go infinite\n"));
    hall_read(&hall);
    ck_assert_uint_eq(hall.connections.noted.count, HEAVY + 1);
    uint32_t served = 0;
    do /* A turn ends when its time does, wherever it is. */
        served += count_served();
    while (stub_engine_counts(hall.engine).started == 0);
    ck_assert_uint_le(served, 1);
    for (uint32_t i = served; i < HEAVY; i++) {
        ck_assert(client_send(&hall.client, "isready\n")); /* Nor does news keep them from it. */
        hall_read(&hall);
        ck_assert_uint_eq(count_served(), 1);
    }
    ck_assert(!connections_have_work(&hall.connections));
    close_heavy();
}
END_TEST

/* A bestmove for one of many who have more is sent before the portion of another. */
START_TEST(what_is_said_does_not_wait_for_lines)
{
    keep_heavy();
    const struct ring *kept = &hall.connections.kept;
    const uint32_t places = hall.connections.options.clients_max;
    const uint32_t last = kept->indexes[(kept->first + HEAVY - 1) % places] - 1;
    const size_t held = bytes_held(last);
    rk_session_say(heavy_connection(last)->session, "done");
    ck_assert_uint_eq(count_served(), 1);
    ck_assert_uint_eq(bytes_held(last), held);
    ck_assert_str_eq(client_line(&heavy[last], CLIENT_PATIENCE_MS), "info string done");
    close_heavy();
}
END_TEST

START_TEST(who_leaves_leaves_no_place_behind)
{
    keep_heavy();
    connection_close(heavy_connection(HEAVY - 1), "the test wants it");
    client_close(&heavy[HEAVY - 1]);
    (void)connections_work(&hall.connections);
    ck_assert_uint_eq(hall.connections.kept.count, HEAVY - 1);
    hall_read(&hall);
    hall_admit(&hall, &heavy[HEAVY - 1]);
    ck_assert_uint_eq(heavy_connection(HEAVY - 1)->phase, CONNECTION_OPEN);
    ck_assert(client_send(&heavy[HEAVY - 1], "go infinite\n"));
    hall_read(&hall);
    (void)connections_work(&hall.connections);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 1);
    close_heavy();
}
END_TEST

START_TEST(an_end_reaches_all_who_have_more)
{
    keep_heavy();
    connections_drain(&hall.connections);
    ck_assert_uint_eq(hall.connections.noted.count + hall.connections.kept.count, HEAVY + 1);
    hall_work(&hall);
    for (uint32_t i = 0; i < HEAVY; i++) {
        ck_assert_uint_eq(heavy_connection(i)->phase, CONNECTION_LINGERING);
        ck_assert_str_eq(client_line(&heavy[i], CLIENT_PATIENCE_MS),
                         "info string the server is shutting down");
    }
    close_heavy();
}
END_TEST

/* It is cut before its search begins: there is nobody to search for. */
START_TEST(who_cannot_be_told_of_a_limit_is_not_searched_for)
{
    enum { LEFT = 30 }; /* Less than the words take. */
    static const char PROMISE[] = "readyok\n";
    struct connection *connection = hall.connection;
    hall.connections.options.caps.infinite_max_s = 60;
    while (connection->output.used + sizeof(PROMISE) + LEFT < OUTPUT_BYTES_MAX)
        connection_send(connection, PROMISE, sizeof(PROMISE) - 1, RK_PROMISE);
    ck_assert_int_eq(connection->phase, CONNECTION_OPEN);
    struct rk_game *game = NULL;
    ck_assert(rk_game_create(&game) == RK_OK);
    const struct rk_request request = {
        .size = sizeof(request), .game = game, .limits.infinite = true};
    const struct rk_host host = host_of(connection);
    ck_assert_int_eq(host.go(host.context, &request), RK_BUSY);
    ck_assert_int_eq(connection->phase, CONNECTION_CLOSING);
    ck_assert(!connection->has_search);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 0);
    rk_game_destroy(game);
}
END_TEST

Suite *suite_connections(void)
{
    Suite *suite = suite_create("connections");
    TCase *tests = tcase_create("connections");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_line_arrives_with_its_bytes);
    tcase_add_test(tests, bytes_behind_a_line_do_not_make_it_younger);
    tcase_add_test(tests, a_turn_ends_and_the_next_goes_on);
    tcase_add_test(tests, isready_without_end_keeps_no_stop_out);
    tcase_add_test(tests, who_comes_is_served_before_all_who_have_more);
    tcase_add_test(tests, who_comes_is_served_before_the_long_lines_of_all);
    tcase_add_test(tests, what_is_said_does_not_wait_for_lines);
    tcase_add_test(tests, who_leaves_leaves_no_place_behind);
    tcase_add_test(tests, an_end_reaches_all_who_have_more);
    tcase_add_test(tests, who_cannot_be_told_of_a_limit_is_not_searched_for);
    suite_add_tcase(suite, tests);
    return suite;
}
