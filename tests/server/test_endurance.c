/* What a client does to the house over a while: options without end in front of a stop, depths that
 * fly past a slow reader, searches nobody ends, and many games in a table that holds none of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/random.h"
#include "rookery/game.h"
#include "server/wire.h"
#include "support/client.h"
#include "support/house.h"
#include "support/referee.h"

enum {
    OPTIONS = 2000,
    PACED_DEPTHS =
        32, /* docs/uci.md, "Pace": all of the first, then one in PACE_MS, and the last. */
    PACE_MS = 10,
    READING_PAUSE_MS = 5,
    LAST_DEPTH = 200,
    OPEN_MS = 1500,
    GAMES = 8,
    OPENING_PLIES = 4,
    GAME_PLIES = 12,
    THREADS = 16
};

/* White mates with a1a8. */
#define MATE "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\n"

static bool starts(const char *line, const char *start)
{
    return strncmp(line, start, strlen(start)) == 0;
}

static void pause_ms(unsigned ms)
{
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    ck_assert_int_eq(nanosleep(&time, NULL), 0);
}

static const char *expect_line(struct client *client)
{
    const char *line = client_line(client, CLIENT_PATIENCE_MS);
    ck_assert_ptr_nonnull(line);
    return line;
}

/* They hold up neither the stop behind them nor what a neighbour says, and the last that was set is
 * in force at the next go. */
START_TEST(a_stop_behind_many_options_is_heard)
{
    static const char *const SET[] = {
        "setoption name MultiPV value 3\n", "setoption name Hash value 32\n",
        "setoption name Threads value 2\n", "setoption name UCI_ShowWDL value true\n",
        "setoption name Clear Hash\n",      "setoption name MultiPV value 1\n"};
    enum { SET_COUNT = sizeof(SET) / sizeof(SET[0]) };
    struct house house;
    struct client client;
    struct client neighbour;
    house_open_small(&house);
    house_connect(&house, &client);
    house_connect(&house, &neighbour);
    ck_assert_ptr_nonnull(client_ask(&client, "go infinite\n", "info depth 2 "));
    for (int i = 0; i < OPTIONS; i++)
        ck_assert(client_send(&client, SET[i % SET_COUNT]));
    client_expect_served(&neighbour);
    ck_assert(client_send(&client, "setoption name MultiPV value 2\nstop\nisready\n"));
    for (unsigned bestmoves = 0, readies = 0; bestmoves + readies < 2;) {
        const char *line = expect_line(&client);
        ck_assert_ptr_null(strstr(line, " multipv 2 ")); /* Not in the search that runs. */
        bestmoves += starts(line, "bestmove ") ? 1 : 0;
        readies += strcmp(line, "readyok") == 0 ? 1 : 0;
        ck_assert_uint_le(bestmoves, 1);
        ck_assert_uint_le(readies, 1);
    }
    ck_assert_ptr_nonnull(client_ask(&client, "go depth 2\n", "info depth 2 seldepth"));
    ck_assert_ptr_nonnull(strstr(client.line, " multipv 1 "));
    ck_assert_ptr_nonnull(strstr(expect_line(&client), " multipv 2 "));
    ck_assert_ptr_nonnull(strstr(client.line, " wdl "));
    ck_assert(starts(expect_line(&client), "bestmove "));
    client_close(&client);
    client_close(&neighbour);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

static uint64_t number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    ck_assert_msg(at != NULL, "no '%s' in '%s'", word, line);
    return strtoull(at + strlen(word), NULL, 10);
}

/* Depths that take no time are not all told: the time they took, by their own account, bounds how
 * many lines there may be. The last is there, whole, and nothing comes after the bestmove. */
START_TEST(a_mate_at_the_root_floods_no_slow_reader)
{
    struct house house;
    struct client slow;
    const int small = 2048;
    char last[CLIENT_LINE_BYTES_MAX] = "";
    house_open_small(&house);
    house_connect(&house, &slow);
    ck_assert_int_eq(setsockopt(slow.file, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)), 0);
    ck_assert(client_send(&slow, MATE));
    ck_assert(client_send(&slow, "go depth 200 searchmoves a1a8\n"));
    uint64_t lines = 0;
    while (!starts(expect_line(&slow), "bestmove ")) {
        ck_assert_msg(starts(slow.line, "info depth "), "%s", slow.line);
        (void)memcpy(last, slow.line, sizeof(last));
        lines++;
        pause_ms(READING_PAUSE_MS);
    }
    ck_assert_str_eq(slow.line, "bestmove a1a8");
    ck_assert_uint_eq(number_after(last, "info depth "), LAST_DEPTH);
    ck_assert_ptr_nonnull(strstr(last, " score mate 1 "));
    ck_assert_ptr_nonnull(strstr(last, " pv a1a8"));
    ck_assert_uint_le(lines, PACED_DEPTHS + number_after(last, " time ") / PACE_MS + 2);
    ck_assert(client_is_silent(&slow, 50));
    client_close(&slow);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* Without caps nothing ends a search but its own limit, a mate neither; a server's caps begin at a
 * second. */
START_TEST(what_nobody_caps_goes_on)
{
    static const char *const LINES[] = {
        "position startpos\ngo infinite\n", "position startpos moves e2e4\ngo depth 60\n",
        (MATE "go infinite\n"), "position startpos moves d2d4\ngo ponder movetime 10\n"};
    enum { COUNT = sizeof(LINES) / sizeof(LINES[0]) };
    struct house house;
    struct client clients[COUNT];
    struct server_options options = house_options();
    options.searches_max = COUNT;
    house_open(&house, &options);
    for (int i = 0; i < COUNT; i++) {
        house_connect(&house, &clients[i]);
        ck_assert(client_send(&clients[i], LINES[i]));
    }
    pause_ms(OPEN_MS);
    for (int i = 0; i < COUNT; i++) {
        ck_assert(client_send(&clients[i], "isready\n"));
        while (strcmp(expect_line(&clients[i]), "readyok") != 0)
            ck_assert_msg(starts(clients[i].line, "info depth "), "%s", clients[i].line);
        ck_assert_ptr_nonnull(client_ask(&clients[i], "stop\n", "bestmove "));
        client_close(&clients[i]);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* -- Games ------------------------------------------------------------------------------------- */

struct board {
    struct client client;
    struct rk_game *game;
    char line[1024]; /* "position startpos moves …", as far as played. */
};

static void play(struct board *board, const char *move, size_t length)
{
    const size_t end = strlen(board->line);
    ck_assert_msg(rk_game_play(board->game, move, length) == RK_OK, "%s: %s", board->line, move);
    (void)snprintf(board->line + end, sizeof(board->line) - end, " %.*s", (int)length, move);
}

/* Each another one. */
static void begin_game(struct board *board, uint64_t *random)
{
    rk_move_t moves[RK_MOVES_MAX];
    char text[RK_MOVE_BYTES_MAX];
    rk_game_set_start(board->game);
    (void)snprintf(board->line, sizeof(board->line), "position startpos moves");
    for (int ply = 0; ply < OPENING_PLIES; ply++) {
        const size_t count = rk_game_moves(board->game, moves);
        const size_t length = rk_move_text(moves[random_below(random, count)], false, text);
        play(board, text, length);
    }
}

static void expect_move(struct board *board)
{
    while (!starts(expect_line(&board->client), "bestmove ")) {
        const char *pv = strstr(board->client.line, " pv ");
        ck_assert_msg(pv != NULL && referee_allows(board->game, pv + 4), "%s: %s", board->line,
                      board->client.line);
    }
    const char *move = board->client.line + strlen("bestmove ");
    ck_assert_msg(referee_allows(board->game, move), "%s: %s", board->line, board->client.line);
    play(board, move, strcspn(move, " "));
}

/* Every entry of the table is overwritten by other games' again and again, by many threads. */
START_TEST(many_games_in_a_tiny_table_stay_legal)
{
    static struct board boards[GAMES];
    struct house house;
    uint64_t random = 42;
    struct server_options options = house_options();
    options.threads = options.threads_per_search = THREADS;
    options.table_mib = 1;
    options.searches_max = options.memories_max = GAMES;
    house_open(&house, &options);
    for (int i = 0; i < GAMES; i++) {
        house_connect(&house, &boards[i].client);
        ck_assert(rk_game_create(&boards[i].game) == RK_OK);
        begin_game(&boards[i], &random);
    }
    for (int ply = 0; ply < GAME_PLIES; ply++) {
        for (int i = 0; i < GAMES; i++) {
            ck_assert(client_send(&boards[i].client, boards[i].line));
            ck_assert(client_send(&boards[i].client, "\ngo nodes 3000\n"));
        }
        for (int i = 0; i < GAMES; i++) {
            expect_move(&boards[i]);
            if (rk_game_outcome(boards[i].game) != RK_GAME_OPEN)
                begin_game(&boards[i], &random);
        }
    }
    for (int i = 0; i < GAMES; i++) {
        rk_game_destroy(boards[i].game);
        client_close(&boards[i].client);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

Suite *suite_endurance(void)
{
    Suite *suite = suite_create("endurance");
    TCase *tests = tcase_create("endurance");
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, a_stop_behind_many_options_is_heard);
    tcase_add_test(tests, a_mate_at_the_root_floods_no_slow_reader);
    tcase_add_test(tests, what_nobody_caps_goes_on);
    tcase_add_test(tests, many_games_in_a_tiny_table_stay_legal);
    suite_add_tcase(suite, tests);
    return suite;
}
