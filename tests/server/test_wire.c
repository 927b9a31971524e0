/* Many clients on one house, with real sessions and real searches: what one does must not be seen
 * by another. The conversations of a single client are in tests/scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/random.h"
#include "server/wire.h"
#include "support/client.h"
#include "support/house.h"
#include "support/referee.h"

enum { CROWD = 12, STORM = 200, NEW_GAMES = 100 };

/* Lines that have ended or wedged other engines. A `stop` behind them ends what they began. */
static const struct {
    const char *lines;
    unsigned bestmoves; /* One for each go. */
} HOSTILE[] = {
    {"position fen blah", 0},
    {"position fen startpos", 0},
    {"position fen 4k3/8/8/8/8/8/8/8 w - - 0 1", 0},
    {"position fen 8/8/8/8/8/8/8/8 w - - 0 1", 0},
    {"position fen 2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1\ngo depth 3", 1},
    {"position fen rnbqkbnr/pppppppp/pppp4/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\ngo infinite", 1},
    {"position fen rRrRrRRK/RrRrrRrR/rrRrRrRR/rRrRrRrr/RRrRrRrR/rrRrRrRr/rRrRrRrR/krrRRrRr w - - 0 "
     "1\ngo infinite",
     1},
    {"position fen 2P5/8/8/3p4/4bK2/8/4k1p1/2Q5 w - - 12 81\ngo depth 3", 1},
    {"position startpos moves d2d4 a1f8\ngo depth 2", 1},
    {"position startpos moves", 0},
    {"position", 0},
    {"go infinite searchmoves e2e5", 1},
    {"go searchmoves 0000", 1},
    {"setoption name Hash value 33554432", 0},
    {"setoption name Hash value -1\nsetoption name Hash value abc\nsetoption name Threads value 0",
     0},
    {"setoption name MultiPV value 500\ngo depth 2\nsetoption name MultiPV value 1", 1},
    {"setoption name Clear Hash\ngo depth 2", 1},
    {"setoption\nsetoption name\nsetoption name x value y", 0},
    {"go wtime -50 btime 1000 winc 0 binc 0", 1},
    {"go wtime 0 btime 0", 1},
    {"go movetime -1", 1},
    {"go nodes 1", 1},
    {"go depth 999999999999999999999", 1},
    {"go mate -5", 1},
    {"setoption name SyzygyPath value a;b;", 0},
    {"setoption name Debug Log File value /tmp/x", 0},
    {"position startpos moves e2e4\ngo infinite\nstop\nposition startpos moves d2d4\ngo infinite",
     2},
    {"go infinite\ngo infinite\ngo infinite\ngo infinite\nstop\nstop\nstop", 4},
    {"go ponder\nponderhit\nponderhit", 1},
    {"ponderhit\nstop\nstop", 0},
    {"go infinite\nisready\nisready\nuci", 1},
    {"go infinite\nsetoption name Hash value 32\nsetoption name Threads value 2", 1},
    {"position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\ngo depth 5", 1},
    {"position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite", 1},
    {"position fen 7k/8/5QK1/8/8/8/8/8 w - - 0 1\ngo depth 200", 1},
    {"  go\t depth   3 \r", 1},
    {"\xef\xbb\xbfuci\n\xff\xfe\x01\x02", 0},
    {"ucinewgame\nucinewgame\nposition startpos\ngo depth 1", 1},
    {"go perft 2", 0},
};
enum { HOSTILE_COUNT = sizeof(HOSTILE) / sizeof(HOSTILE[0]) };

static const char *const POSITIONS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
};
enum { POSITION_COUNT = sizeof(POSITIONS) / sizeof(POSITIONS[0]) };

/* -- Helpers ---------------------------------------------------------------------------------- */

/* Reads to the bestmove; at least one line with an exact score must come before it, of which
 * `scored` have been read already. */
static void expect_bestmove_after(struct client *client, const char *fen, unsigned scored)
{
    for (;;) {
        const char *line = client_line(client, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        ck_assert_str_ne(line, "");
        if (strncmp(line, "bestmove ", 9) == 0)
            break;
        scored += strstr(line, " score ") != NULL && strstr(line, "bound") == NULL ? 1 : 0;
    }
    ck_assert_uint_gt(scored, 0);
    ck_assert_msg(referee_allows_at(fen, client->line), "%s: %s", fen, client->line);
}

static void expect_legal_bestmove(struct client *client, const char *fen)
{
    expect_bestmove_after(client, fen, 0);
}

/* Sends a hostile row, then reads until all that it asked for has been answered, no more. */
static void play_row(struct client *client, int row, uint64_t *random)
{
    unsigned left = HOSTILE[row].bestmoves;
    bool is_ready = false;
    ck_assert(random == NULL ? client_send(client, HOSTILE[row].lines)
                             : client_send_split(client, HOSTILE[row].lines, random));
    ck_assert(client_send(client, "\nstop\nisready\n"));
    while (left > 0 || !is_ready) {
        const char *line = client_line(client, CLIENT_PATIENCE_MS);
        ck_assert_msg(line != NULL, "'%s'", HOSTILE[row].lines);
        is_ready = is_ready || strcmp(line, "readyok") == 0;
        if (strncmp(line, "bestmove ", 9) != 0)
            continue;
        ck_assert_msg(left > 0, "'%s': too many bestmoves", HOSTILE[row].lines);
        left--;
    }
}

static void send_position(struct client *client, const char *fen, const char *go)
{
    char text[256];
    (void)snprintf(text, sizeof(text), "position fen %s\n%s\n", fen, go);
    ck_assert(client_send(client, text));
}

/* -- Tests ------------------------------------------------------------------------------------ */

static void play_hostile(uint64_t *random)
{
    struct house house;
    struct client quiet;
    house_open_small(&house);
    house_connect(&house, &quiet);
    send_position(&quiet, POSITIONS[1], "go infinite");
    ck_assert_ptr_nonnull(client_wait(&quiet, "info depth 2 "));
    for (int row = 0; row < HOSTILE_COUNT; row++) {
        struct client hostile;
        house_connect(&house, &hostile);
        play_row(&hostile, row, random);
        client_expect_served(&quiet);
        client_close(&hostile);
    }
    const char *bestmove = client_ask(&quiet, "stop\n", "bestmove ");
    ck_assert(bestmove != NULL && referee_allows_at(POSITIONS[1], bestmove));
    client_close(&quiet);
    ck_assert_int_eq(house_close(&house), RK_OK);
}

START_TEST(hostile_lines_disturb_no_neighbour) { play_hostile(NULL); }
END_TEST

START_TEST(nor_do_they_when_cut_at_random)
{
    uint64_t random = 8;
    play_hostile(&random);
}
END_TEST

/* After each hostile conversation the same client can still play. */
START_TEST(a_session_survives_its_own_errors)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    for (int row = 0; row < HOSTILE_COUNT; row++) {
        const char *fen = POSITIONS[row % POSITION_COUNT];
        play_row(&client, row, NULL);
        send_position(&client, fen, "go depth 2");
        expect_legal_bestmove(&client, fen);
    }
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_crowd_searches_at_once)
{
    static struct client clients[CROWD];
    struct house house;
    struct server_options options = house_options();
    options.searches_max = CROWD / 2; /* The others wait in line. */
    house_open(&house, &options);
    for (int i = 0; i < CROWD; i++)
        house_connect(&house, &clients[i]);
    for (int round = 0; round < 3; round++) {
        static const char *const GOES[] = {"go movetime 100", "go wtime 1000 btime 1000",
                                           "go nodes 3000"};
        for (int i = 0; i < CROWD; i++)
            send_position(&clients[i], POSITIONS[i % POSITION_COUNT], GOES[(i + round) % 3]);
        for (int i = 0; i < CROWD; i++)
            expect_legal_bestmove(&clients[i], POSITIONS[i % POSITION_COUNT]);
    }
    for (int i = 0; i < CROWD; i++)
        send_position(&clients[i], POSITIONS[i % POSITION_COUNT], "go infinite");
    for (int i = 0; i < CROWD; i++) {
        ck_assert(client_send(&clients[i], "stop\n"));
        expect_legal_bestmove(&clients[i], POSITIONS[i % POSITION_COUNT]);
        client_close(&clients[i]);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(who_leaves_leaves_nothing_running)
{
    struct house house;
    struct server_options options = house_options();
    options.searches_max = 1;
    house_open(&house, &options);
    for (int i = 0; i < STORM; i++) {
        static const char *const GOES[] = {"go infinite\n", "go movetime 60000\n", "go depth 100\n",
                                           "go ponder wtime 1000 btime 1000\n"};
        struct client gone;
        if (!client_connect(&gone, house.address))
            continue;
        (void)client_send(&gone, GOES[i % 4]);
        if (i % 8 == 0)
            (void)client_line(&gone, 100);
        if (i % 3 == 0)
            client_reset(&gone);
        else
            client_close(&gone);
    }
    struct client last;
    house_connect_served(&house, &last);
    send_position(&last, POSITIONS[2], "go depth 4"); /* The one crew there is becomes free. */
    expect_legal_bestmove(&last, POSITIONS[2]);
    client_close(&last);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* The lines of a block come as 1 to 5, or not at all. */
START_TEST(a_slow_reader_never_sees_half_a_block)
{
    struct house house;
    struct client slow;
    const int small = 2048;
    house_open_small(&house);
    house_connect(&house, &slow);
    ck_assert_int_eq(setsockopt(slow.file, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    ck_assert(client_send(&slow, "setoption name MultiPV value 5\n"));
    for (int i = 0; i < 40; i++)
        send_position(&slow, POSITIONS[i % POSITION_COUNT], "go depth 8");
    unsigned next = 1;
    for (int bestmoves = 0; bestmoves < 40;) {
        const char *line = client_line(&slow, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        if (strncmp(line, "bestmove ", 9) == 0) {
            bestmoves++;
            ck_assert_uint_eq(next, 1);
            continue;
        }
        const char *at = strstr(line, " multipv ");
        if (at == NULL)
            continue;
        const unsigned number = (unsigned)strtoul(at + 9, NULL, 10);
        /* The newest first line may come once more, alone, before the bestmove. */
        ck_assert_uint_eq(number, next);
        next = number == 5 ? 1 : number + 1;
    }
    client_close(&slow);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* Who asks much and reads late loses depths, but no bestmove comes without its score. */
START_TEST(a_late_reader_sees_a_score_before_each_bestmove)
{
    enum { GOES = 300 };
    struct house house;
    struct client late;
    struct client other;
    const int small = 2048;
    house_open_small(&house);
    house_connect(&house, &late);
    house_connect(&house, &other);
    ck_assert_int_eq(setsockopt(late.file, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    send_position(&late, POSITIONS[0], "");
    for (int i = 0; i < GOES; i++)
        ck_assert(client_send(&late, "go depth 3\n"));
    send_position(&other, POSITIONS[1], "go movetime 700");
    expect_legal_bestmove(&other, POSITIONS[1]);
    for (int i = 0; i < GOES; i++)
        expect_legal_bestmove(&late, POSITIONS[0]);
    client_close(&late);
    client_close(&other);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

static uint64_t nodes_to_depth(struct client *client, const char *fen)
{
    uint64_t nodes = 0;
    send_position(client, fen, "go depth 9");
    for (;;) {
        const char *line = client_line(client, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        if (strncmp(line, "bestmove ", 9) == 0)
            return nodes;
        const char *at = strstr(line, " nodes ");
        nodes = at != NULL ? strtoull(at + 7, NULL, 10) : nodes;
    }
}

/* The same over several positions: one alone may have its luck. */
static uint64_t nodes_to_depths(struct client *client)
{
    uint64_t nodes = 0;
    for (unsigned i = 0; i < POSITION_COUNT; i++)
        nodes += nodes_to_depth(client, POSITIONS[i]);
    return nodes;
}

START_TEST(what_one_finds_serves_the_next)
{
    struct house house;
    struct client first;
    struct client second;
    struct client third;
    struct server_options options = house_options();
    options.threads = options.threads_per_search = 1;
    house_open(&house, &options);
    house_connect(&house, &first);
    house_connect(&house, &second);
    house_connect(&house, &third);
    const uint64_t fresh = nodes_to_depths(&first);
    for (int game = 0; game < NEW_GAMES; game++)
        ck_assert_ptr_nonnull(client_ask(&third,
                                         "ucinewgame\nsetoption name Clear Hash\n"
                                         "setoption name UCI_Chess960 value true\ngo nodes 100\n",
                                         "bestmove"));
    const uint64_t served = nodes_to_depths(&second);
    ck_assert_uint_lt(served, fresh / 2);
    /* Clear Hash is for the one who asks, and only for him. */
    ck_assert_ptr_nonnull(client_ask(&third, "setoption name Clear Hash\nisready\n", "readyok"));
    ck_assert_uint_gt(nodes_to_depths(&third), fresh / 2);
    ck_assert_uint_lt(nodes_to_depths(&first), fresh / 2);
    client_close(&first);
    client_close(&second);
    client_close(&third);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_drain_waits_for_clocks_and_stops_the_rest)
{
    struct house house;
    struct client timed;
    struct client open;
    struct client pondering;
    house_open_small(&house);
    house_connect(&house, &timed);
    house_connect(&house, &open);
    house_connect(&house, &pondering);
    send_position(&timed, POSITIONS[0], "go movetime 700");
    send_position(&open, POSITIONS[1], "go infinite");
    send_position(&pondering, POSITIONS[2], "go ponder wtime 1000 btime 1000");
    ck_assert_ptr_nonnull(client_wait(&timed, "info depth"));
    ck_assert_ptr_nonnull(client_wait(&open, "info depth"));
    server_drain(house.server);
    ck_assert_ptr_nonnull(client_wait(&timed, "info string the server is shutting down"));
    ck_assert(client_send(&timed, "go infinite\n")); /* Refused when its turn comes. */
    expect_bestmove_after(&open, POSITIONS[1], 1);
    expect_legal_bestmove(&pondering, POSITIONS[2]);
    expect_bestmove_after(&timed, POSITIONS[0], 1);
    expect_legal_bestmove(&timed, POSITIONS[0]);
    ck_assert(client_is_ended(&open));
    ck_assert(client_is_ended(&pondering));
    ck_assert(client_is_ended(&timed));
    client_close(&open);
    client_close(&pondering);
    client_close(&timed);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

Suite *suite_wire(void)
{
    Suite *suite = suite_create("wire");
    TCase *tests = tcase_create("wire");
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, hostile_lines_disturb_no_neighbour);
    tcase_add_test(tests, nor_do_they_when_cut_at_random);
    tcase_add_test(tests, a_session_survives_its_own_errors);
    tcase_add_test(tests, a_crowd_searches_at_once);
    tcase_add_test(tests, who_leaves_leaves_nothing_running);
    tcase_add_test(tests, a_slow_reader_never_sees_half_a_block);
    tcase_add_test(tests, a_late_reader_sees_a_score_before_each_bestmove);
    tcase_add_test(tests, what_one_finds_serves_the_next);
    tcase_add_test(tests, a_drain_waits_for_clocks_and_stops_the_rest);
    suite_add_tcase(suite, tests);
    return suite;
}
