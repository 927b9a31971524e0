/* Many on one position, with real searches: each gets a legal move of its own for each `go`, and a
 * score before it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/random.h"
#include "rookery/game.h"
#include "server/wire.h"
#include "support/client.h"
#include "support/house.h"
#include "support/referee.h"

enum { CROWD = 24, ROUNDS = 300, GOES = 6 };

/* Castling both ways, so that UCI_Chess960 is seen in what is printed. */
static const char FEN[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

struct guest {
    struct client client;
    bool is_searching; /* Until it says stop. */
};

static void arrive(const struct house *house, struct guest *guest, uint64_t *random)
{
    char text[256];
    house_connect(house, &guest->client);
    (void)snprintf(text, sizeof(text), "setoption name UCI_Chess960 value %s\nposition fen %s\n",
                   random_below(random, 2) == 0 ? "true" : "false", FEN);
    ck_assert(client_send(&guest->client, text));
    guest->is_searching = false;
}

static void expect_bestmove(struct guest *guest)
{
    unsigned scored = 0;
    for (;;) {
        const char *line = client_line(&guest->client, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        if (strncmp(line, "bestmove ", 9) == 0)
            break;
        scored += strstr(line, " score ") != NULL && strstr(line, "bound") == NULL ? 1 : 0;
    }
    ck_assert_uint_gt(scored, 0);
    ck_assert_msg(referee_allows_at(FEN, guest->client.line), "%s", guest->client.line);
    guest->is_searching = false;
}

static void act(const struct house *house, struct guest *guest, uint64_t *random)
{
    static const char *const ENDLESS[] = {"go infinite\n", "go\n",
                                          "setoption name MultiPV value 3\ngo infinite\n"};
    static const char *const BOUNDED[] = {"setoption name MultiPV value 1\ngo depth 6\n",
                                          "go nodes 2000\n", "go movetime 5\n"};
    const uint64_t what = random_below(random, 8);
    if (what == 0) {
        if (random_below(random, 2) == 0)
            client_reset(&guest->client);
        else
            client_close(&guest->client);
        arrive(house, guest, random);
    } else if (guest->is_searching) {
        ck_assert(client_send(&guest->client, "stop\n"));
        expect_bestmove(guest);
    } else if (what < 5) {
        ck_assert(client_send(&guest->client, ENDLESS[random_below(random, 3)]));
        guest->is_searching = true;
    } else {
        ck_assert(client_send(&guest->client, BOUNDED[random_below(random, 3)]));
        expect_bestmove(guest);
    }
}

START_TEST(joiners_and_leavers_at_random)
{
    static struct guest guests[CROWD];
    struct house house;
    uint64_t random = (uint64_t)_i + 17;
    struct server_options options = house_options();
    options.clients_max = 8 * CROWD;
    options.searches_max = 3; /* Of some six kinds: the others wait. */
    house_open(&house, &options);
    for (int i = 0; i < CROWD; i++)
        arrive(&house, &guests[i], &random);
    for (int i = 0; i < ROUNDS; i++)
        act(&house, &guests[random_below(&random, CROWD)], &random);
    for (int i = 0; i < CROWD; i++) {
        if (guests[i].is_searching) {
            ck_assert(client_send(&guests[i].client, "stop\n"));
            expect_bestmove(&guests[i]);
        }
        client_expect_served(&guests[i].client);
        client_close(&guests[i].client);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* All who wait for one depth get one answer, from one search. */
START_TEST(one_depth_gives_one_answer)
{
    static struct guest guests[CROWD];
    struct house house;
    struct client holder;
    uint64_t random = 5;
    char answer[64] = "";
    struct server_options options = house_options();
    options.clients_max = CROWD + 1;
    options.searches_max = 1;
    house_open(&house, &options);
    house_connect(&house, &holder);
    ck_assert_ptr_nonnull(client_ask(&holder, "go infinite\n", "info depth"));
    for (int i = 0; i < CROWD; i++) {
        arrive(&house, &guests[i], &random);
        ck_assert_ptr_nonnull(client_ask(&guests[i].client,
                                         "setoption name UCI_Chess960 value false\ngo depth 9\n",
                                         "info string queued "));
    }
    ck_assert_ptr_nonnull(client_ask(&holder, "stop\n", "bestmove"));
    for (int i = 0; i < CROWD; i++) {
        expect_bestmove(&guests[i]);
        if (i == 0)
            (void)snprintf(answer, sizeof(answer), "%.60s", guests[i].client.line);
        ck_assert_str_eq(guests[i].client.line, answer);
        client_close(&guests[i].client);
    }
    client_close(&holder);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* -- Each in its own way ----------------------------------------------------------------------- */

struct manner {
    bool is_chess960;
    bool shows_wdl;
    bool is_slow; /* It takes little, and reads nothing until the others have read much. */
};

/* Both castlings of one position, and nothing else, so that each line tells how moves are written.
 */
static void begin_as(const struct house *house, struct client *client, struct manner manner)
{
    const int small = 2048;
    char text[512];
    (void)snprintf(text, sizeof(text),
                   "setoption name UCI_Chess960 value %s\nsetoption name UCI_ShowWDL value %s\n"
                   "setoption name MultiPV value 2\nposition fen %s\n"
                   "go infinite searchmoves %s\n",
                   manner.is_chess960 ? "true" : "false", manner.shows_wdl ? "true" : "false", FEN,
                   manner.is_chess960 ? "e1h1 e1a1" : "e1g1 e1c1");
    house_connect(house, client);
    if (manner.is_slow)
        ck_assert_int_eq(setsockopt(client->file, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    ck_assert(client_send(client, text));
}

/* The moves from `at` on are legal one after the other, and written as this client wants them. */
static void expect_moves(const char *at, const char *end, bool is_chess960, const char *line)
{
    struct rk_game *game = NULL;
    ck_assert(rk_game_create(&game) == RK_OK);
    ck_assert(rk_game_set_fen(game, FEN, strlen(FEN)) == RK_OK);
    while (at < end) {
        const size_t length = strcspn(at, " ");
        char text[RK_MOVE_BYTES_MAX];
        rk_move_t move = RK_MOVE_NONE;
        ck_assert_msg(rk_game_parse_move(game, at, length, &move) == RK_OK, "%s", line);
        ck_assert_msg(rk_move_text(move, is_chess960, text) == length &&
                          memcmp(text, at, length) == 0,
                      "%s in: %s", text, line);
        ck_assert(rk_game_play(game, at, length) == RK_OK);
        at += length + 1;
    }
    rk_game_destroy(game);
}

/* The next line, which is one of the search, of the variation `number`, as this client wants it; or
 * its bestmove, which is the first move of the newest first variation (the last may stand alone).
 * Its depth; 0: bestmove. */
static unsigned expect_own_line(struct client *client, struct manner manner, unsigned *number,
                                char first[8])
{
    unsigned depth = 0;
    const char *line = client_line(client, CLIENT_PATIENCE_MS);
    ck_assert_ptr_nonnull(line);
    if (strncmp(line, "bestmove ", 9) == 0) {
        const char *ponder = strstr(line, " ponder ");
        ck_assert_msg(strncmp(line + 9, first, 4) == 0, "%s, not %s", line, first);
        expect_moves(line + 9, ponder == NULL ? line + strlen(line) : ponder, manner.is_chess960,
                     line);
        return 0;
    }
    ck_assert_msg(sscanf(line, "info depth %u", &depth) == 1 && depth > 0, "%s", line);
    const char *lines = strstr(line, " multipv ");
    const char *moves = strstr(line, " pv ");
    ck_assert_msg(lines != NULL && moves != NULL, "%s", line);
    ck_assert_msg(strtoul(lines + 9, NULL, 10) == *number, "not %u: %s", *number, line);
    ck_assert_msg((strstr(line, " wdl ") != NULL) == manner.shows_wdl, "%s", line);
    expect_moves(moves + 4, line + strlen(line), manner.is_chess960, line);
    if (*number == 1)
        (void)snprintf(first, 8, "%.4s", moves + 4);
    *number = 3 - *number;
    return depth;
}

START_TEST(each_watches_in_its_own_way)
{
    enum { WATCHERS = 5, DEPTH = 8 };
    static const struct manner MANNERS[WATCHERS] = {
        {false, false, false}, {true, false, false}, {false, true, false},
        {true, true, false},   {true, true, true},
    };
    static struct client clients[WATCHERS];
    unsigned numbers[WATCHERS];
    char firsts[WATCHERS][8] = {0};
    struct house house;
    struct server_options options = house_options();
    options.searches_max = 1; /* One search is all there is: who does not join it waits. */
    house_open(&house, &options);
    for (unsigned i = 0; i < WATCHERS; i++)
        begin_as(&house, &clients[i], MANNERS[i]);
    for (unsigned i = 0; i < WATCHERS; i++) {
        numbers[i] = 1;
        while (!MANNERS[i].is_slow &&
               expect_own_line(&clients[i], MANNERS[i], &numbers[i], firsts[i]) < DEPTH)
            continue;
    }
    for (unsigned i = 0; i < WATCHERS; i++) {
        ck_assert(client_send(&clients[i], "stop\n"));
        while (expect_own_line(&clients[i], MANNERS[i], &numbers[i], firsts[i]) > 0)
            continue;
        client_expect_served(&clients[i]);
        client_close(&clients[i]);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* -- Full houses ------------------------------------------------------------------------------- */

/* The holder has the one search there is. */
static void house_open_full(struct house *house, struct client *holder)
{
    struct server_options options = house_options();
    options.searches_max = 1;
    house_open(house, &options);
    house_connect(house, holder);
    ck_assert_ptr_nonnull(client_ask(holder, "go infinite\n", "info depth"));
}

/* Who has nothing more to say while its request waits in line: an open one ends at once, one with
 * an end of its own is searched in its turn, one on a clock comes in time. Then the connection
 * ends. */
START_TEST(half_closed_in_line_all_get_their_answers)
{
    static struct guest guests[3];
    static const char *const REQUESTS[] = {"go infinite\n", "go depth 4\n", "go movetime 300\n"};
    struct house house;
    struct client holder;
    uint64_t random = 9;
    house_open_full(&house, &holder);
    for (int i = 0; i < 3; i++) {
        arrive(&house, &guests[i], &random);
        ck_assert_ptr_nonnull(client_ask(&guests[i].client, REQUESTS[i], "info string queued "));
        client_half_close(&guests[i].client);
    }
    static const int ORDER[] = {0, 2, 1};
    for (int i = 0; i < 3; i++) {
        struct guest *guest = &guests[ORDER[i]];
        if (ORDER[i] == 1) /* Nothing ends the one before it but its client. */
            ck_assert_ptr_nonnull(client_ask(&holder, "stop\n", "bestmove"));
        expect_bestmove(guest);
        ck_assert_ptr_null(client_line(&guest->client, CLIENT_PATIENCE_MS));
        ck_assert(client_is_ended(&guest->client));
        client_close(&guest->client);
    }
    client_expect_served(&holder);
    client_close(&holder);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* A clock that comes to a full house is answered all the same. */
START_TEST(a_clock_in_a_full_house_is_rescued)
{
    static struct guest guests[GOES];
    struct house house;
    struct client holder;
    uint64_t random = 6;
    house_open_full(&house, &holder);
    for (int i = 0; i < GOES; i++)
        arrive(&house, &guests[i], &random);
    for (int i = 0; i < GOES; i++)
        ck_assert(client_send(&guests[i].client, "go wtime 500 btime 500\n"));
    for (int i = 0; i < GOES; i++) {
        ck_assert_ptr_nonnull(client_wait(&guests[i].client, "info string queued "));
        ck_assert_ptr_nonnull(client_wait(&guests[i].client, "info string overloaded"));
        expect_bestmove(&guests[i]);
        client_close(&guests[i].client);
    }
    ck_assert_ptr_nonnull(client_ask(&holder, "stop\n", "bestmove"));
    client_close(&holder);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* Many requests of one address do not block the first of another. */
START_TEST(addresses_wait_in_turn)
{
    enum { MANY = 8 };
    struct house house;
    struct client holder;
    struct client many[MANY];
    struct client one;
    struct server_options options = house_options();
    options.searches_max = 1;
    ck_assert(address_parse("[::1]:0", &options.listen[1]) == RK_OK);
    options.listen_count = 2;
    house_open(&house, &options);
    char *second = strstr(house.address, ", ");
    ck_assert_ptr_nonnull(second);
    *second = '\0';
    house_connect(&house, &holder);
    ck_assert_ptr_nonnull(client_ask(&holder, "go infinite\n", "info depth"));
    for (int i = 0; i < MANY; i++) {
        char place[32];
        char go[64]; /* Each of its own kind, so that none joins another. */
        (void)snprintf(place, sizeof(place), "info string queued %d", i + 1);
        (void)snprintf(go, sizeof(go), "go infinite depth %d\n", 100 + i);
        house_connect(&house, &many[i]);
        ck_assert_str_eq(client_ask(&many[i], go, "info string queued "), place);
    }
    ck_assert(client_connect(&one, second + 2));
    ck_assert_str_eq(client_ask(&one, "go depth 3\n", "info string queued "),
                     "info string queued 2");
    ck_assert_str_eq(client_wait(&many[MANY - 1], "info string queued "),
                     "info string queued 9"); /* Told of the change. */
    ck_assert_ptr_nonnull(client_ask(&holder, "stop\n", "bestmove"));
    ck_assert_ptr_nonnull(client_ask(&many[0], "stop\n", "bestmove"));
    ck_assert_ptr_nonnull(client_wait(&one, "bestmove"));
    ck_assert_ptr_nonnull(client_ask(&many[5], "stop\n", "bestmove")); /* While it waits. */
    ck_assert_ptr_nonnull(client_ask(&many[6], "isready\nquit\n", "readyok"));
    ck_assert(client_is_ended(&many[6]));
    for (int i = 0; i < MANY; i++)
        client_close(&many[i]);
    client_close(&one);
    client_close(&holder);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(limits_are_told_before_they_are_felt)
{
    struct house house;
    struct client client;
    struct server_options options = house_options();
    options.caps = (struct caps){.movetime_max_ms = 20, .depth_max = 4, .infinite_max_s = 1};
    house_open(&house, &options);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "go movetime 100000\n"));
    ck_assert_str_eq(client_line(&client, CLIENT_PATIENCE_MS),
                     "info string limits of this server: movetime 20 ms");
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert(client_send(&client, "go wtime 1000000000000 btime 1000000000000\n"));
    ck_assert_str_eq(client_line(&client, CLIENT_PATIENCE_MS),
                     "info string limits of this server: movetime 20 ms");
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert(client_send(&client, "go infinite\n"));
    ck_assert_str_eq(client_line(&client, CLIENT_PATIENCE_MS),
                     "info string limits of this server: without a clock 1 s, then bestmove");
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
    options.caps = (struct caps){.depth_max = 4, .nodes_max = 500, .infinite_max_s = 3600};
    house_open(&house, &options);
    house_connect(&house, &client);
    ck_assert(client_send(&client, "go depth 40\n"));
    ck_assert_ptr_nonnull(client_wait(&client, "info string limits of this server: depth 4"));
    ck_assert_ptr_nonnull(client_wait(&client, "info depth 4 "));
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    ck_assert(client_send(&client, "go nodes 4000000000\n")); /* Uncapped it lasts an hour. */
    ck_assert_ptr_nonnull(client_wait(&client, "info string limits of this server: nodes 500"));
    ck_assert_ptr_nonnull(client_wait(&client, "bestmove"));
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* A second `go` ends an open search, waits behind any other, and is told so; none is lost. */
START_TEST(a_client_may_be_held_to_one_search)
{
    static struct guest guest;
    struct house house;
    uint64_t random = 11;
    struct server_options options = house_options();
    options.searches_per_client = 1;
    house_open(&house, &options);
    arrive(&house, &guest, &random);
    ck_assert_ptr_nonnull(client_ask(&guest.client, "go infinite\n", "info depth"));
    ck_assert_ptr_nonnull(
        client_ask(&guest.client, "go depth 3\ngo depth 2\n", "info string one search a client"));
    ck_assert_ptr_nonnull(client_wait(&guest.client, "bestmove"));
    expect_bestmove(&guest);
    expect_bestmove(&guest);
    client_expect_served(&guest.client);
    ck_assert(client_is_silent(&guest.client, 0));
    client_close(&guest.client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* However they leave, an address has its places again. */
START_TEST(places_of_an_address_come_back)
{
    enum { PLACES = 3, STORM = 60, STRANGERS = 2, WAYS = 4 };
    struct house house;
    struct client stayer;
    struct server_options options = house_options();
    options.clients_per_address = PLACES;
    options.searches_per_address = 1;
    options.hello_s = 1;
    house_open(&house, &options);
    house_connect_served(&house, &stayer);
    for (int i = 0; i < STORM; i++) {
        struct client client;
        house_connect_served(&house, &client); /* The one before has left its place. */
        ck_assert(client_send(&client, i % 2 == 0 ? "go infinite\n" : "go depth 4\n"));
        if (i % 4 < 2)
            ck_assert_ptr_nonnull(client_wait(&client, "info depth"));
        if (i % WAYS == 0) {
            client_reset(&client);
            continue;
        }
        if (i % WAYS == 1)
            ck_assert(client_send(&client, "quit\n"));
        else if (i % WAYS == 2)
            client_half_close(&client);
        if (i % WAYS < 3)
            ck_assert(client_is_ended(&client));
        client_close(&client);
    }
    for (int i = 0; i < STRANGERS; i++) { /* Turned away, and sent away for its silence. */
        struct client client;
        const char *answer = NULL;
        while (answer == NULL) { /* Once it finds a place. */
            house_connect(&house, &client);
            answer = i % 2 == 0 ? client_ask(&client, "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400")
                                : client_wait(&client, "info string nothing was said");
            ck_assert(client_is_ended(&client));
            client_close(&client);
        }
    }
    /* Nothing of theirs runs any more, or this one would wait. */
    ck_assert_ptr_nonnull(client_ask(&stayer, "go depth 5\n", "bestmove"));
    struct client places[PLACES];
    for (int i = 1; i < PLACES; i++)
        house_connect_served(&house, &places[i]);
    house_connect(&house, &places[0]);
    ck_assert_ptr_nonnull(client_wait(&places[0], "info string too many connections"));
    for (int i = 0; i < PLACES; i++)
        client_close(&places[i]);
    client_close(&stayer);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

Suite *suite_broadcast(void)
{
    Suite *suite = suite_create("broadcast");
    TCase *tests = tcase_create("broadcast");
    tcase_set_timeout(tests, 240);
    tcase_add_loop_test(tests, joiners_and_leavers_at_random, 0, 3);
    tcase_add_test(tests, one_depth_gives_one_answer);
    tcase_add_test(tests, each_watches_in_its_own_way);
    tcase_add_test(tests, half_closed_in_line_all_get_their_answers);
    tcase_add_test(tests, a_clock_in_a_full_house_is_rescued);
    tcase_add_test(tests, addresses_wait_in_turn);
    tcase_add_test(tests, limits_are_told_before_they_are_felt);
    tcase_add_test(tests, a_client_may_be_held_to_one_search);
    tcase_add_test(tests, places_of_an_address_come_back);
    suite_add_tcase(suite, tests);
    return suite;
}
