/* How long the house waits, over real sockets, with a stub engine and a stub session. */
#include "server/patience.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "server/suites.h"
#include "support/client.h"
#include "support/hall.h"
#include "support/house.h"

START_TEST(who_never_speaks_is_sent_away)
{
    struct house house;
    struct client silent;
    struct client drip; /* Bytes, but no line. */
    struct client speaker;
    struct server_options options = house_options();
    options.hello_s = 1;
    house_open(&house, &options);
    house_connect_served(&house, &speaker);
    house_connect(&house, &silent);
    house_connect(&house, &drip);
    ck_assert(client_send(&drip, "uc"));
    ck_assert_ptr_nonnull(client_wait(&silent, "info string nothing was said"));
    ck_assert(client_is_ended(&silent));
    ck_assert_ptr_nonnull(client_wait(&drip, "info string nothing was said"));
    ck_assert(client_is_ended(&drip));
    client_expect_served(&speaker); /* The limit is for the first line alone. */
    client_close(&silent);
    client_close(&drip);
    client_close(&speaker);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(the_idle_are_sent_away_when_asked_for)
{
    struct house house;
    struct client idle;
    struct client searching;
    struct server_options options = house_options();
    options.idle_s = 1;
    house_open(&house, &options);
    house_connect(&house, &searching);
    while (client_ask(&searching, "go infinite\n", "info nodes") == NULL) {
        client_close(&searching); /* Sent away: the machine was busy for as long as that. */
        house_connect(&house, &searching);
    }
    house_connect(&house, &idle);
    ck_assert_ptr_nonnull(client_wait(&idle, "info string nothing was asked for"));
    ck_assert(client_is_ended(&idle));
    ck_assert_ptr_nonnull(client_ask(&searching, "stop\n", "bestmove"));
    client_close(&idle);
    client_close(&searching);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* It reads nothing at all while its search pours out lines: it is cut off, its search is free for
 * the next. Who waits in line and reads is none of these. The next is in line before anything can
 * end the search. */
static void cut_off_one_who_reads_nothing(const char *listen)
{
    struct house house;
    struct client deaf;
    struct client next;
    struct server_options options = house_options();
    const int small = 2048;
    ck_assert(address_parse(listen, &options.listen[0]) == RK_OK);
    options.unread_s = 1;
    options.searches_max = 1;
    house_open(&house, &options);
    house_connect(&house, &deaf);
    ck_assert_int_eq(setsockopt(deaf.file, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    ck_assert_ptr_nonnull(client_ask(&deaf, "go infinite\n", "info nodes"));
    house_connect(&house, &next);
    ck_assert_ptr_nonnull(client_ask(&next, "go nodes 1\n", "info string queued"));
    bool is_sent = true;
    for (int i = 0; i < 1000 && is_sent; i++) /* Answers enough for the buffers in between. */
        is_sent = client_send(&deaf, "length 1\n");
    ck_assert_ptr_nonnull(client_wait(&next, "bestmove"));
    ck_assert(client_is_ended(&deaf));
    client_close(&deaf);
    client_close(&next);
    ck_assert_int_eq(house_close(&house), RK_OK);
}

START_TEST(who_reads_nothing_is_cut_off) { cut_off_one_who_reads_nothing("127.0.0.1:0"); }
END_TEST

START_TEST(nor_may_one_on_a_unix_socket)
{
    char listen[SERVER_TEXT_BYTES_MAX];
    (void)snprintf(listen, sizeof(listen), "unix:/tmp/rookery-deaf-%d.socket", (int)getpid());
    cut_off_one_who_reads_nothing(listen);
}
END_TEST

/* Its time to take the last words is over: an operator hears of it as of others who do not read. */
START_TEST(who_does_not_read_to_the_end_is_told_of)
{
    static struct hall hall;
    char text[512] = "";
    int ends[2];
    hall_open(&hall);
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
    log_open(ends[1], LOG_WARNING);
    rk_session_say(hall.connection->session, "unread");
    connection_finish(hall.connection, "done");
    ck_assert(patience_tick(hall.connection, clock_now_us()));
    ck_assert(!patience_tick(hall.connection, clock_now_us() + (FLUSH_MS_MAX + 1) * 1000));
    log_open(STDERR_FILENO, LOG_SILENT);
    ck_assert_int_gt(read(ends[0], text, sizeof(text) - 1), 0);
    ck_assert_ptr_nonnull(strstr(text, "does not read to the end"));
    (void)close(ends[0]);
    (void)close(ends[1]);
    hall_close(&hall);
}
END_TEST

/* Buffers that were given back while a client was quiet serve it again. */
START_TEST(the_quiet_are_served_again)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    client_expect_served(&client);
    ck_assert(client_is_silent(&client, QUIET_MS + 2 * SWEEP_TICKS * TICK_MS));
    ck_assert_str_eq(client_ask(&client, "length\n", "info"), "info string length 6");
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* -- A long line without an end ---------------------------------------------------------------- */

enum { US_PER_MS = 1000, LONG_LINE_US = LONG_LINE_MS_MAX * US_PER_MS };

static void send_part(struct hall *hall)
{
    char part[LINE_BYTES_INLINE];
    memset(part, 'm', sizeof(part));
    ck_assert(client_send_bytes(&hall->client, part, sizeof(part)));
    hall_turn(hall);
}

/* Told why, and its buffer is free: somebody else may have it. */
static void expect_sent_away(struct hall *hall)
{
    const struct line_pool *pool = &hall->connections.long_lines;
    ck_assert_int_eq(hall->connection->phase, CONNECTION_FLUSHING);
    ck_assert_uint_eq(pool->free_count, pool->count);
    hall_turn(hall);
    ck_assert_str_eq(client_line(&hall->client, CLIENT_PATIENCE_MS),
                     "info string a long line took too long");
    ck_assert(client_is_ended(&hall->client));
}

/* The time begins with the first look that finds the buffer lent, and more bytes do not buy more
 * time; the end of the line does. */
START_TEST(a_long_line_must_come_to_its_end)
{
    const struct patience patience = {0};
    static struct hall hall;
    hall_open(&hall);
    const struct line_pool *pool = &hall.connections.long_lines;
    int64_t now_us = clock_now_us();
    ck_assert(client_send(&hall.client, "length "));
    send_part(&hall);
    ck_assert_uint_eq(pool->free_count, pool->count - 1);
    patience_sweep(hall.connection, &patience, now_us);
    patience_sweep(hall.connection, &patience, now_us + LONG_LINE_US);
    ck_assert(client_send(&hall.client, "\nlength ")); /* In time; and the next one begins. */
    hall_turn(&hall);
    ck_assert_str_eq(client_line(&hall.client, CLIENT_PATIENCE_MS), "info string length 4103");
    ck_assert_uint_eq(pool->free_count, pool->count);
    now_us += LONG_LINE_US;
    patience_sweep(hall.connection, &patience, now_us + LONG_LINE_US);
    send_part(&hall);
    patience_sweep(hall.connection, &patience, now_us);
    send_part(&hall);
    patience_sweep(hall.connection, &patience, now_us + LONG_LINE_US);
    ck_assert_int_eq(hall.connection->phase, CONNECTION_OPEN);
    patience_sweep(hall.connection, &patience, now_us + LONG_LINE_US + 1);
    expect_sent_away(&hall);
    hall_close(&hall);
}
END_TEST

/* A long line that waits for searches is whole, and denies its buffer to others all the same. */
START_TEST(nor_may_a_long_line_wait_for_ever)
{
    const struct patience patience = {0};
    static struct hall hall;
    hall_open(&hall);
    const struct line_pool *pool = &hall.connections.long_lines;
    const int64_t now_us = clock_now_us();
    ck_assert(client_send(&hall.client, "go infinite\ngo movetime 1"));
    char blanks[LINE_BYTES_INLINE];
    memset(blanks, ' ', sizeof(blanks));
    ck_assert(client_send_bytes(&hall.client, blanks, sizeof(blanks)));
    ck_assert(client_send(&hall.client, "\nisready\n"));
    hall_turn(&hall);
    ck_assert_str_eq(client_line(&hall.client, CLIENT_PATIENCE_MS), "readyok");
    ck_assert(hall.connection->is_later);
    ck_assert_uint_eq(pool->free_count, pool->count - 1);
    patience_sweep(hall.connection, &patience, now_us);
    patience_sweep(hall.connection, &patience, now_us + LONG_LINE_US);
    ck_assert_int_eq(hall.connection->phase, CONNECTION_OPEN);
    patience_sweep(hall.connection, &patience, now_us + LONG_LINE_US + 1);
    expect_sent_away(&hall);
    hall_close(&hall);
}
END_TEST

Suite *suite_patience(void)
{
    Suite *suite = suite_create("patience");
    TCase *tests = tcase_create("patience");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, who_never_speaks_is_sent_away);
    tcase_add_test(tests, the_idle_are_sent_away_when_asked_for);
    tcase_add_test(tests, who_reads_nothing_is_cut_off);
    tcase_add_test(tests, nor_may_one_on_a_unix_socket);
    tcase_add_test(tests, who_does_not_read_to_the_end_is_told_of);
    tcase_add_test(tests, the_quiet_are_served_again);
    tcase_add_test(tests, a_long_line_must_come_to_its_end);
    tcase_add_test(tests, nor_may_a_long_line_wait_for_ever);
    suite_add_tcase(suite, tests);
    return suite;
}
