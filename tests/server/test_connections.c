#include "server/connections.h"

#include <sys/socket.h>

#include "base/clock.h"
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
    const char *why = NULL;
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    ck_assert(connections_admit(&hall.connections, ends[0], true, &why) == RK_OK);
    other = (struct client){.file = ends[1]};
    hall_turn(&hall);
    for (int i = 0; i < 2 * LINES; i++)
        ck_assert(client_send(&hall.client, "work 1000\n"));
    hall_read(&hall);
    ck_assert_uint_eq(hall.connections.noted_count, 1);
    ck_assert(client_send(&other, "isready\ngo infinite\n"));
    hall_read(&hall);
    ck_assert_uint_eq(hall.connections.noted_count, 2);
    ck_assert(connections_work(&hall.connections));
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 0);
    ck_assert_uint_eq(hall.connections.noted_count, 2);
    (void)connections_work(&hall.connections);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 1);
    hall_work(&hall);
    ck_assert_uint_eq(hall.connections.noted_count, 0);
    client_close(&other);
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
    suite_add_tcase(suite, tests);
    return suite;
}
