/* What eight clients cost who want the same, or a crowd of five hundred, against one alone:
 * bench_eight ROOKERYD [NAME]...
 * Counted is CPU time of the daemon's process, the kernel's account. Every client searches to a
 * depth; requests that are to be told apart differ in a limit of nodes that none of them reaches,
 * so that they share nothing but the table. Each measurement prints "name ratio (reach ...)". */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/bench_positions.h"
#include "bench/wire_house.h"
#include "support/client.h"

enum {
    CLIENTS = 8,
    CROWD = 500,
    GAME_POSITIONS = 8,
    GAME_ROUNDS = 5,
    POSITION_ROUNDS = 7,
    NS_A_S = 1000000000,
    PATIENCE_MS = 600000
};

/* A game of strong players' moves; searched after each of the last eight. */
static const char GAME[] = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 "
                           "c2c3 e8g8 h2h3 c6a5 b3c2 c7c5 d2d4 d8c7 b1d2 c5d4 c3d4 a5c6";
enum { GAME_WORDS_BEFORE = 11 };

/* Every fourth of rookery bench's: of the opening, the middle game and the ending. */
enum {
    POSITION_STEP = 4,
    POSITION_COUNT = (BENCH_POSITION_COUNT + POSITION_STEP - 1) / POSITION_STEP
};

static double cpu_s(const struct wire_house *house)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(house->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        bench_fail("the server's CPU time cannot be read");
    return (double)time.tv_sec + (double)time.tv_nsec / NS_A_S;
}

/* All ask at once, and have their answers. */
static void search(struct client *clients, unsigned count, const char *position, unsigned depth,
                   bool are_equal)
{
    static struct pollfd questions[CROWD];
    unsigned left = count;
    for (unsigned i = 0; i < count; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "position %.511s\ngo depth %u nodes %" PRIu64 "\n",
                       position, depth, UINT64_C(1000000000000) + (are_equal ? 0 : i));
        if (!client_send(&clients[i], text))
            bench_fail("the server does not read");
        questions[i] = (struct pollfd){.fd = clients[i].file, .events = POLLIN};
    }
    while (left > 0) {
        if (poll(questions, count, PATIENCE_MS) <= 0)
            bench_fail("the server is silent");
        for (unsigned i = 0; i < count; i++) {
            const char *line = NULL;
            while (questions[i].fd >= 0 && (line = client_line(&clients[i], 0)) != NULL) {
                if (strncmp(line, "info string queued ", 19) == 0)
                    bench_fail("one waits in line");
                if (strncmp(line, "bestmove ", 9) != 0)
                    continue;
                questions[i].fd = -1; /* poll passes over it. */
                left--;
            }
        }
    }
}

/* CPU time that `count` clients of a fresh server cost, one position after the other. Equals find
 * a server that searches for one at a time: who does not watch that search would have to wait. */
static double cost_s(const char *rookeryd, unsigned count, char positions[][512],
                     unsigned position_count, unsigned depth, bool are_equal)
{
    struct wire_house house;
    static struct client clients[CROWD];
    wire_house_open(
        &house, rookeryd,
        (const char *const[4]){"--hash", "256", are_equal ? "--searches-max" : NULL, "1"});
    for (unsigned i = 0; i < count; i++)
        if (!client_connect(&clients[i], house.address) ||
            client_ask(&clients[i], "isready\n", "readyok") == NULL)
            bench_fail("the server does not answer");
    const double before_s = cpu_s(&house);
    for (unsigned i = 0; i < position_count; i++)
        search(clients, count, positions[i], depth, are_equal);
    const double after_s = cpu_s(&house);
    for (unsigned i = 0; i < count; i++)
        client_close(&clients[i]);
    wire_house_close(&house);
    return after_s - before_s;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What two threads need for a depth differs from time to time by a quarter: the median of rounds in
 * each of which one and all take turns at every position. */
static void measure_position(const char *rookeryd, const char *name, unsigned count, bool are_equal,
                             double reach)
{
    double ratios[POSITION_ROUNDS];
    for (int round = 0; round < POSITION_ROUNDS; round++) {
        double one_s = 0, all_s = 0;
        for (int i = 0; i < POSITION_COUNT; i++) {
            char position[1][512];
            (void)snprintf(position[0], sizeof position[0], "fen %s",
                           BENCH_POSITIONS[i * POSITION_STEP]);
            one_s += cost_s(rookeryd, 1, position, 1, 18, are_equal);
            all_s += cost_s(rookeryd, count, position, 1, 18, are_equal);
        }
        ratios[round] = all_s / one_s;
    }
    qsort(ratios, POSITION_ROUNDS, sizeof *ratios, compare);
    (void)printf("%s %.2f (reach <= %.1f; CPU time of %u clients on one position to depth 18 over "
                 "one's, %d positions, median of %d rounds from %.2f to %.2f)\n",
                 name, ratios[POSITION_ROUNDS / 2], reach, count, POSITION_COUNT, POSITION_ROUNDS,
                 ratios[0], ratios[POSITION_ROUNDS - 1]);
}

static void measure_one(const char *rookeryd)
{
    measure_position(rookeryd, "eight_one", CLIENTS, false, 2.5);
}

static void measure_watchers(const char *rookeryd)
{
    measure_position(rookeryd, "eight_watchers", CLIENTS, true, 1.2);
}

static void measure_crowd(const char *rookeryd)
{
    measure_position(rookeryd, "watchers500", CROWD, true, 1.2);
}

static void measure_game(const char *rookeryd)
{
    char positions[GAME_POSITIONS][512];
    const char *end = GAME;
    for (int word = 0; word < GAME_WORDS_BEFORE; word++)
        end += strcspn(end, " ") + 1;
    for (int i = 0; i < GAME_POSITIONS; i++) {
        end += strcspn(end, " ");
        (void)snprintf(positions[i], sizeof positions[i], "startpos moves %.*s", (int)(end - GAME),
                       GAME);
        end += *end == ' ';
    }
    double one_s = 0, eight_s = 0;
    for (int i = 0; i < GAME_ROUNDS; i++) {
        one_s += cost_s(rookeryd, 1, positions, GAME_POSITIONS, 16, false);
        eight_s += cost_s(rookeryd, CLIENTS, positions, GAME_POSITIONS, 16, false);
    }
    (void)printf("eight_game %.2f (reach <= 2.0; %.2f s of CPU for eight clients on %d successive "
                 "positions to depth 16, %.2f s for one, %d rounds)\n",
                 eight_s / one_s, eight_s, GAME_POSITIONS, one_s, GAME_ROUNDS);
}

static const struct {
    const char *name;
    void (*measure)(const char *rookeryd);
} MEASUREMENTS[] = {{"eight_watchers", measure_watchers},
                    {"watchers500", measure_crowd},
                    {"eight_one", measure_one},
                    {"eight_game", measure_game}};
enum { MEASUREMENT_COUNT = sizeof MEASUREMENTS / sizeof *MEASUREMENTS };

int main(int count, char **words)
{
    if (count < 2)
        bench_fail("usage: bench_eight ROOKERYD [NAME]...");
    for (int i = 0; i < MEASUREMENT_COUNT; i++) {
        bool is_wanted = count == 2;
        for (int j = 2; j < count; j++)
            is_wanted = is_wanted || strcmp(words[j], MEASUREMENTS[i].name) == 0;
        if (!is_wanted)
            continue;
        MEASUREMENTS[i].measure(words[1]);
        (void)fflush(stdout);
    }
    return EXIT_SUCCESS;
}
