/* What a client can do to a server, whatever it serves: over real sockets, with a stub engine and a
 * stub session. */
#include "server/connection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/limits.h"
#include "base/random.h"
#include "server/suites.h"
#include "support/client.h"
#include "support/house.h"

enum { STORM = 1000, SLOW_ROUNDS = 50 };

/* -- Bytes ------------------------------------------------------------------------------------ */

START_TEST(nothing_is_said_unasked)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    ck_assert(client_is_silent(&client, 100));
    ck_assert(client_send(&client, "\n\n  \nunknown words\n\r\n"));
    ck_assert(client_is_silent(&client, 100));
    client_expect_served(&client);
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(any_segments_are_the_same_conversation)
{
    static const char TALK[] =
        "uci\nisready\nlength one two three\ngo nodes 9\ngo nodes 3\nlength x\nisready\n";
    struct house house;
    uint64_t random = 6;
    house_open_small(&house);
    for (int round = 0; round < 20; round++) {
        struct client client;
        house_connect(&house, &client);
        ck_assert(round == 0 ? client_send(&client, TALK)
                             : client_send_split(&client, TALK, &random));
        /* Each answer once; only the moment of a bestmove is the search's. */
        static const char *const ANSWERS[] = {"uciok",   "readyok",  "info string length 20",
                                              "readyok", "bestmove", "info string length 8",
                                              "bestmove"};
        enum { ANSWER_COUNT = sizeof(ANSWERS) / sizeof(ANSWERS[0]) };
        bool has_come[ANSWER_COUNT] = {false};
        for (int count = 0; count < ANSWER_COUNT;) {
            const char *line = client_line(&client, CLIENT_PATIENCE_MS);
            ck_assert_ptr_nonnull(line);
            for (int i = 0; i < ANSWER_COUNT; i++) {
                if (has_come[i] || strncmp(line, ANSWERS[i], strlen(ANSWERS[i])) != 0)
                    continue;
                has_come[i] = true;
                count++;
                break;
            }
        }
        client_close(&client);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

static void send_long(struct client *client, size_t length, size_t piece)
{
    char *text = malloc(length + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'm', length);
    memcpy(text, "length ", 7);
    text[length] = '\n';
    for (size_t at = 0; at < length + 1; at += piece) {
        const size_t left = length + 1 - at;
        ck_assert(client_send_bytes(client, text + at, left < piece ? left : piece));
    }
    free(text);
}

START_TEST(lines_up_to_the_limit_are_taken_longer_ones_dropped)
{
    static const size_t LENGTHS[] = {4095, 4096, 4097, 20000, LINE_BYTES_MAX - 1};
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    for (size_t i = 0; i < sizeof(LENGTHS) / sizeof(LENGTHS[0]); i++) {
        char expected[64];
        (void)snprintf(expected, sizeof(expected), "info string length %zu", LENGTHS[i]);
        send_long(&client, LENGTHS[i], 1000 + 3000 * i);
        ck_assert_str_eq(client_line(&client, CLIENT_PATIENCE_MS), expected);
    }
    send_long(&client, LINE_BYTES_MAX, 5000);
    ck_assert_ptr_nonnull(client_ask(&client, "isready\n", "info string a line over the limit"));
    ck_assert_str_eq(client_line(&client, CLIENT_PATIENCE_MS), "readyok");
    send_long(&client, 10 * LINE_BYTES_MAX, 100000);
    ck_assert_ptr_nonnull(client_wait(&client, "info string a line over the limit"));
    client_expect_served(&client);
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(long_lines_of_all_at_once_take_turns)
{
    enum { CLIENTS = 20 };
    struct house house;
    static struct client clients[CLIENTS];
    struct server_options options = house_options();
    char half[LINE_BYTES_INLINE + 100];
    memset(half, 'h', sizeof(half));
    options.clients_max = CLIENTS;
    house_open(&house, &options);
    for (int i = 0; i < CLIENTS; i++) {
        house_connect(&house, &clients[i]);
        client_expect_served(&clients[i]);
        ck_assert(client_send(&clients[i], "length "));
        ck_assert(client_send_bytes(&clients[i], half, sizeof(half)));
    }
    for (int i = 0; i < CLIENTS; i++) {
        ck_assert_str_eq(client_ask(&clients[i], "\n", "info string"), "info string length 4203");
        client_expect_served(&clients[i]);
        client_close(&clients[i]);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(garbage_disturbs_nobody)
{
    struct house house;
    struct client quiet;
    uint64_t random = 7;
    house_open_small(&house);
    house_connect(&house, &quiet);
    for (int round = 0; round < 30; round++) {
        struct client client;
        uint64_t bytes[1000];
        house_connect(&house, &client);
        for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
            bytes[i] = random_next(&random);
        (void)client_send_bytes(&client, bytes, sizeof(bytes));
        if (round % 3 == 0)
            client_reset(&client);
        else
            client_close(&client);
        client_expect_served(&quiet);
    }
    client_close(&quiet);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* What is sent first, and how what comes back must begin; NULL: nothing but the end. */
static void expect_turned_away(const struct house *house, const void *bytes, size_t length,
                               const char *answer)
{
    struct client stranger;
    house_connect(house, &stranger);
    ck_assert(client_send_bytes(&stranger, bytes, length));
    if (answer != NULL)
        ck_assert_ptr_nonnull(client_wait(&stranger, answer));
    ck_assert(client_is_ended(&stranger));
    client_close(&stranger);
}

START_TEST(who_speaks_another_language_is_turned_away)
{
    static const char HELLO[] = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 and so on\nuci\n";
    static const char *const REQUESTS[] = {"GET / HTTP/1.1\r\nHost: here\r\n\r\n",
                                           "POST / HTTP/1.1\r\n\r\ngo infinite\nuci\n",
                                           "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET /"};
    struct house house;
    struct client slow;
    house_open_small(&house);
    expect_turned_away(&house, HELLO, sizeof(HELLO) - 1, NULL);
    for (size_t i = 0; i < sizeof(REQUESTS) / sizeof(REQUESTS[0]); i++)
        expect_turned_away(&house, REQUESTS[i], strlen(REQUESTS[i]), "HTTP/1.1 400 Bad Request\r");
    house_connect(&house, &slow); /* One byte at a time. */
    for (const char *at = REQUESTS[0]; at < REQUESTS[0] + 5; at++)
        ck_assert(client_send_bytes(&slow, at, 1));
    ck_assert_ptr_nonnull(client_wait(&slow, "This port speaks UCI"));
    ck_assert(client_is_ended(&slow));
    client_close(&slow);
    house_connect(&house, &slow); /* Later in a conversation it is a line as any other. */
    client_expect_served(&slow);
    ck_assert(client_send(&slow, REQUESTS[0]));
    client_expect_served(&slow);
    client_close(&slow);
    house_connect(&house, &slow); /* Unclear to its end. */
    ck_assert(client_send(&slow, "GE"));
    client_half_close(&slow);
    ck_assert(client_is_ended(&slow));
    client_close(&slow);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* -- Comings and goings ----------------------------------------------------------------------- */

START_TEST(a_storm_of_connects_leaves_nothing)
{
    struct house house;
    house_open_small(&house); /* 16 slots: a slot that leaks would be missed soon. */
    for (int i = 0; i < STORM; i++) {
        struct client client;
        house_connect(&house, &client);
        if (i % 4 == 0)
            client_expect_served(&client);
        else if (i % 4 == 1)
            (void)client_send(&client, "go infinite\n");
        else if (i % 4 == 2)
            (void)client_send(&client, "length 1\nuc");
        if (i % 3 == 0)
            client_reset(&client);
        else
            client_close(&client);
    }
    for (int i = 0; i < 3; i++) {
        struct client client;
        house_connect_served(&house, &client); /* The storm has left its slots. */
        ck_assert_ptr_nonnull(client_ask(&client, "go movetime 1\n", "bestmove"));
        client_close(&client);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_client_that_vanishes_frees_its_search)
{
    struct house house;
    struct server_options options = house_options();
    options.searches_max = 1;
    house_open(&house, &options);
    for (int round = 0; round < 12; round++) {
        struct client gone;
        house_connect(&house, &gone);
        /* Half of them send so much behind that the input is full and nobody reads on. */
        ck_assert_ptr_nonnull(client_ask(&gone, "go infinite\n", "info nodes"));
        ck_assert(client_send(&gone, "go infinite\n"));
        for (int i = 0; round % 2 == 1 && i < 2000; i++)
            ck_assert(client_send(&gone, "isready\n"));
        if (round % 4 < 2)
            client_close(&gone);
        else
            client_reset(&gone);
        struct client next;
        house_connect(&house, &next);
        /* In line or not: the one search there is becomes free. */
        ck_assert_ptr_nonnull(client_ask(&next, "go nodes 1\n", "bestmove"));
        client_close(&next);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(half_closed_clients_get_their_answers)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "go movetime 300\nisready\nincomplete"));
    client_half_close(&client);
    ck_assert_ptr_nonnull(client_wait(&client, "readyok"));
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "go infinite\n"));
    client_half_close(&client);
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    house_connect(&house, &client); /* The second go can only be taken when the first has ended. */
    ck_assert(client_send(&client, "go infinite\ngo movetime 1\n"));
    client_half_close(&client);
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(quit_flushes_and_closes)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "pour 300\nquit\nisready\nisready\n"));
    for (int i = 0; i < 300; i++)
        ck_assert_ptr_nonnull(client_line(&client, CLIENT_PATIENCE_MS));
    ck_assert_ptr_null(client_line(&client, CLIENT_PATIENCE_MS));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    house_connect(&house, &client);
    ck_assert_ptr_nonnull(client_ask(&client, "go infinite\n", "info nodes"));
    ck_assert(client_send(&client, "quit\n"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    house_expect_guest(&house);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* -- Pressure --------------------------------------------------------------------------------- */

/* A `go` that must wait holds up neither stop nor isready nor quit. */
START_TEST(what_is_urgent_overtakes_a_go_that_waits)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "go movetime 3600000\ngo movetime 3600000\nlength 1\nisready\n"
                                   "go movetime 3600000\nisready\n"));
    ck_assert_ptr_nonnull(client_wait(&client, "readyok"));
    ck_assert_ptr_nonnull(client_wait(&client, "readyok"));
    ck_assert(client_send(&client, "st"));
    ck_assert(client_send(&client, "op\nlength 2\n"));
    unsigned bestmoves = 0;
    unsigned lengths = 0;
    while (bestmoves < 3 || lengths < 2) { /* Each answer once. */
        const char *line = client_line(&client, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        ck_assert_str_ne(line, "readyok");
        bestmoves += strcmp(line, "bestmove e2e4") == 0 ? 1 : 0;
        lengths += strcmp(line, "info string length 8") == 0 ? 1 : 0;
        ck_assert_uint_le(lengths, bestmoves); /* What stands behind a go waits with it. */
    }
    client_expect_served(&client);
    ck_assert(client_send(&client, "go movetime 3600000\ngo movetime 1\nquit\nisready\n"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_pipeliner_gets_every_answer_and_holds_up_nobody)
{
    enum { COMMANDS = 20000 };
    struct house house;
    struct client busy;
    struct client other;
    house_open_small(&house);
    house_connect(&house, &busy);
    house_connect(&house, &other);
    unsigned answered = 0;
    for (int i = 0; i < COMMANDS; i++) {
        ck_assert(client_send(&busy, "isready\n"));
        if (i % 2000 == 0)
            client_expect_served(&other);
        while (busy.start < busy.end || !client_is_silent(&busy, 0)) {
            ck_assert_ptr_nonnull(client_line(&busy, CLIENT_PATIENCE_MS));
            answered++;
        }
    }
    while (answered < COMMANDS) {
        ck_assert_ptr_nonnull(client_line(&busy, CLIENT_PATIENCE_MS));
        answered++;
    }
    client_close(&busy);
    client_close(&other);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* A reader with small buffers that reads nothing while blocks pour in, then everything. */
START_TEST(a_slow_reader_loses_progress_but_no_promise)
{
    struct house house;
    struct client slow;
    struct client other;
    house_open_small(&house);
    house_connect(&house, &slow);
    house_connect(&house, &other);
    const int small = 4096;
    ck_assert_int_eq(setsockopt(slow.file, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    for (int i = 0; i < SLOW_ROUNDS; i++)
        ck_assert(client_send(&slow, "go nodes 1000\n")); /* 5000 lines of 224 bytes each. */
    client_expect_served(&other);
    unsigned lines = 0;
    unsigned bestmoves = 0;
    while (bestmoves < SLOW_ROUNDS) {
        const char *line = client_line(&slow, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        lines++;
        bestmoves += strncmp(line, "bestmove", 8) == 0 ? 1 : 0;
    }
    ck_assert_uint_lt(lines, SLOW_ROUNDS * 5000);
    client_expect_served(&slow);
    client_close(&slow);
    client_close(&other);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(promises_that_do_not_fit_end_the_connection)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "pour 100000\n"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    house_expect_guest(&house);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(more_searches_than_crews_wait_in_line)
{
    enum { CLIENTS = 6 };
    struct house house;
    struct client clients[CLIENTS];
    house_open_small(&house);
    for (int i = 0; i < CLIENTS; i++) {
        house_connect(&house, &clients[i]);
        ck_assert(client_send(&clients[i], "go infinite\n"));
        if (i < 2) {
            ck_assert_ptr_nonnull(client_wait(&clients[i], "info nodes"));
            continue;
        }
        char queued[32];
        (void)snprintf(queued, sizeof(queued), "info string queued %d", i - 1);
        ck_assert_str_eq(client_line(&clients[i], CLIENT_PATIENCE_MS), queued);
    }
    ck_assert_ptr_nonnull(client_ask(&clients[5], "stop\n", "bestmove"));
    client_close(&clients[2]); /* Leaves the line. */
    client_close(&clients[0]); /* Leaves a crew: the next in line gets it. */
    ck_assert_ptr_nonnull(client_wait(&clients[3], "info nodes"));
    for (int i = 1; i < CLIENTS; i++) {
        if (i == 2)
            continue;
        if (i != 5)
            ck_assert_ptr_nonnull(client_ask(&clients[i], "stop\n", "bestmove"));
        client_close(&clients[i]);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

Suite *suite_connection(void)
{
    Suite *suite = suite_create("connection");
    TCase *tests = tcase_create("connection");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, nothing_is_said_unasked);
    tcase_add_test(tests, any_segments_are_the_same_conversation);
    tcase_add_test(tests, lines_up_to_the_limit_are_taken_longer_ones_dropped);
    tcase_add_test(tests, long_lines_of_all_at_once_take_turns);
    tcase_add_test(tests, garbage_disturbs_nobody);
    tcase_add_test(tests, who_speaks_another_language_is_turned_away);
    tcase_add_test(tests, a_storm_of_connects_leaves_nothing);
    tcase_add_test(tests, a_client_that_vanishes_frees_its_search);
    tcase_add_test(tests, half_closed_clients_get_their_answers);
    tcase_add_test(tests, quit_flushes_and_closes);
    tcase_add_test(tests, what_is_urgent_overtakes_a_go_that_waits);
    tcase_add_test(tests, a_pipeliner_gets_every_answer_and_holds_up_nobody);
    tcase_add_test(tests, a_slow_reader_loses_progress_but_no_promise);
    tcase_add_test(tests, promises_that_do_not_fit_end_the_connection);
    tcase_add_test(tests, more_searches_than_crews_wait_in_line);
    suite_add_tcase(suite, tests);
    return suite;
}
