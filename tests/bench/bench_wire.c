/* What a client of rookeryd feels, over loopback: bench_wire ROOKERYD ROOKERY [NAME]...
 * Each measurement starts a server of its own and prints lines "name value unit (reach ...)". */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench_positions.h"
#include "base/clock.h"
#include "base/machine.h"
#include "base/random.h"
#include "bench/wire_house.h"
#include "rookery/game.h"
#include "support/client.h"

enum {
    CONNECTS = 200,
    READIES = 10000,
    STOPS = 500,
    NEW_GAMES = 1000,
    CROWD = 32,
    CROWD_MS = 1000,
    IDLE_CLIENTS = 1000,
    ANALYSIS_US = 30000000,
    PAIRS = 11,
    SETTLE_MS = 500, /* For a thousand to have left. */
    US_PER_MS = 1000,
    US_PER_S = 1000000
};

#define SESSION_HASH  "64"
#define SESSION_DEPTH "13" /* As `rookery bench`. */

struct programs {
    const char *rookeryd;
    const char *rookery;
};

static const char OPEN_POSITION[] =
    "r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16";

/* -- Helpers ---------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a;
    const double second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The value below which `percent` of them lie; sorts them. */
static double percentile(double *values, int count, int percent)
{
    qsort(values, (size_t)count, sizeof(*values), compare);
    return values[(count - 1) * percent / 100];
}

static void set_position(struct client *client, const char *fen)
{
    char text[256];
    (void)snprintf(text, sizeof(text), "position fen %s\n", fen);
    if (!client_send(client, text))
        bench_fail("the server does not read");
}

static void begin_open_search(const struct wire_house *house, struct client *client,
                              const char *fen)
{
    wire_house_connect(house, client);
    set_position(client, fen);
    (void)wire_house_ask(client, "go infinite\n", "info depth");
}

/* Reads what neighbours say, so that they are no slow readers. */
static void listen_to(struct client *client)
{
    while (client_line(client, 0) != NULL)
        continue;
}

static uint64_t number_after(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    return at == NULL ? 0 : strtoull(at + strlen(word), NULL, 10);
}

/* -- Measurements ----------------------------------------------------------------------------- */

/* Connect to uciok, while two searches run. */
static void measure_connect(const struct programs *programs)
{
    struct wire_house house;
    struct client busy[2];
    double ms[CONNECTS];
    wire_house_open(&house, programs->rookeryd, (const char *const[4]){NULL});
    begin_open_search(&house, &busy[0], BENCH_POSITIONS[1]);
    begin_open_search(&house, &busy[1], BENCH_POSITIONS[2]);
    for (int i = 0; i < CONNECTS; i++) {
        struct client client;
        const int64_t start_us = clock_now_us();
        wire_house_connect(&house, &client);
        (void)wire_house_ask(&client, "uci\n", "uciok");
        ms[i] = (double)(clock_now_us() - start_us) / US_PER_MS;
        (void)client_send(&client, "quit\n");
        client_close(&client);
        listen_to(&busy[0]);
        listen_to(&busy[1]);
    }
    (void)printf("connect %.2f ms (reach <= 2; connect to uciok, median of %d, two searches run)\n",
                 percentile(ms, CONNECTS, 50), CONNECTS);
    client_close(&busy[0]);
    client_close(&busy[1]);
    wire_house_close(&house);
}

/* isready to readyok, while every core searches. */
static void measure_ready(const struct programs *programs)
{
    static double ms[READIES];
    struct wire_house house;
    struct client busy;
    struct client client;
    wire_house_open(&house, programs->rookeryd, (const char *const[4]){NULL});
    begin_open_search(&house, &busy, BENCH_POSITIONS[1]);
    begin_open_search(&house, &client, BENCH_POSITIONS[2]);
    for (int i = 0; i < READIES; i++) {
        const int64_t start_us = clock_now_us();
        (void)wire_house_ask(&client, "isready\n", "readyok");
        ms[i] = (double)(clock_now_us() - start_us) / US_PER_MS;
        listen_to(&busy);
    }
    (void)printf("ready %.3f ms (reach <= 5; isready to readyok, 99th percentile of %d, every core "
                 "searches)\n",
                 percentile(ms, READIES, 99), READIES);
    client_close(&client);
    client_close(&busy);
    wire_house_close(&house);
}

/* stop to bestmove, while two others search. */
static void measure_stop(const struct programs *programs)
{
    struct wire_house house;
    struct client busy[2];
    struct client client;
    double ms[STOPS];
    uint64_t random = 1;
    wire_house_open(&house, programs->rookeryd, (const char *const[4]){NULL});
    begin_open_search(&house, &busy[0], BENCH_POSITIONS[1]);
    begin_open_search(&house, &busy[1], BENCH_POSITIONS[2]);
    wire_house_connect(&house, &client);
    for (int i = 0; i < STOPS; i++) {
        set_position(&client, BENCH_POSITIONS[i % BENCH_POSITION_COUNT]);
        (void)wire_house_ask(&client, "go infinite\n", "info depth");
        const int64_t until_us = clock_now_us() + 5000 + (int64_t)random_below(&random, 30000);
        while (clock_now_us() < until_us)
            (void)client_line(&client, 1);
        const int64_t start_us = clock_now_us();
        (void)wire_house_ask(&client, "stop\n", "bestmove");
        ms[i] = (double)(clock_now_us() - start_us) / US_PER_MS;
        listen_to(&busy[0]);
        listen_to(&busy[1]);
    }
    (void)printf("stop %.2f ms (reach <= 10; stop to bestmove, 99th percentile of %d, two other "
                 "searches run)\n",
                 percentile(ms, STOPS, 99), STOPS);
    client_close(&client);
    client_close(&busy[0]);
    client_close(&busy[1]);
    wire_house_close(&house);
}

static bool is_legal(const char *fen, const char *bestmove)
{
    struct rk_game *game = NULL;
    rk_move_t move = RK_MOVE_NONE;
    const char *text = bestmove + strlen("bestmove ");
    if (rk_game_create(&game) != RK_OK)
        bench_fail("no memory");
    const bool is_good = rk_game_set_fen(game, fen, strlen(fen)) == RK_OK &&
                         rk_game_parse_move(game, text, strcspn(text, " "), &move) == RK_OK;
    rk_game_destroy(game);
    return is_good;
}

static void measure_crowd(const struct programs *programs)
{
    static struct client clients[CROWD];
    struct wire_house house;
    struct pollfd questions[CROWD];
    int64_t start_us[CROWD];
    double seconds[CROWD];
    int left = CROWD;
    int legal = 0;
    char go[32];
    wire_house_open(&house, programs->rookeryd, (const char *const[4]){NULL});
    for (int i = 0; i < CROWD; i++) {
        wire_house_connect(&house, &clients[i]);
        set_position(&clients[i], BENCH_POSITIONS[i % BENCH_POSITION_COUNT]);
        (void)wire_house_ask(&clients[i], "isready\n", "readyok");
        questions[i] = (struct pollfd){.fd = clients[i].file, .events = POLLIN};
    }
    (void)snprintf(go, sizeof(go), "go movetime %d\n", CROWD_MS);
    for (int i = 0; i < CROWD; i++) {
        start_us[i] = clock_now_us();
        (void)client_send(&clients[i], go);
    }
    while (left > 0) {
        if (poll(questions, CROWD, CLIENT_PATIENCE_MS) <= 0)
            bench_fail("the server is silent");
        for (int i = 0; i < CROWD; i++) {
            const char *line = NULL;
            while (questions[i].fd >= 0 && (line = client_line(&clients[i], 0)) != NULL) {
                if (strncmp(line, "bestmove ", 9) != 0)
                    continue;
                seconds[i] = (double)(clock_now_us() - start_us[i]) / US_PER_S;
                legal += is_legal(BENCH_POSITIONS[i % BENCH_POSITION_COUNT], line) ? 1 : 0;
                questions[i].fd = -1; /* poll passes over it. */
                left--;
            }
        }
    }
    (void)printf("crowd_legal %d moves (reach %d; so many clients go movetime %d at once)\n", legal,
                 CROWD, CROWD_MS);
    (void)printf("crowd_first %.3f s (reach >= 0.95; the first bestmove of them)\n",
                 percentile(seconds, CROWD, 0));
    (void)printf("crowd_last %.3f s (reach <= 1.1; the last bestmove of them)\n",
                 percentile(seconds, CROWD, 100));
    for (int i = 0; i < CROWD; i++)
        client_close(&clients[i]);
    wire_house_close(&house);
}

/* Resident memory that a client costs who has said hello and is silent, the slot kept ready for it
 * included: against a server that has one slot. */
static void measure_idle(const struct programs *programs)
{
    static struct client clients[IDLE_CLIENTS];
    struct wire_house house;
    (void)machine_raise_files(IDLE_CLIENTS + 64);
    wire_house_open(&house, programs->rookeryd,
                    (const char *const[4]){"--clients-max", "1", "--hash", "16"});
    const uint64_t alone = wire_house_resident(&house);
    wire_house_close(&house);
    wire_house_open(&house, programs->rookeryd,
                    (const char *const[4]){"--clients-max", "1000", "--hash", "16"});
    for (int i = 0; i < IDLE_CLIENTS; i++) {
        wire_house_connect(&house, &clients[i]);
        (void)wire_house_ask(&clients[i], "uci\n", "uciok");
        set_position(&clients[i], OPEN_POSITION);
        (void)wire_house_ask(&clients[i], "isready\n", "readyok");
    }
    const uint64_t full = wire_house_resident(&house);
    (void)printf("idle %.1f KiB (reach <= 64; resident memory of an idle connection, from %d)\n",
                 (double)(full - alone) / 1024 / IDLE_CLIENTS, IDLE_CLIENTS);
    for (int i = 0; i < IDLE_CLIENTS; i++)
        client_close(&clients[i]);
    wire_house_close(&house);
}

/* Nodes a second of one client that plays the bench's positions. */
static double positions_nps(struct client *client)
{
    uint64_t nodes = 0;
    int64_t time_us = 0;
    for (int i = 0; i < BENCH_POSITION_COUNT; i++) {
        uint64_t last = 0;
        const char *line = NULL;
        if (!client_send(client, "ucinewgame\n"))
            bench_fail("the server does not read");
        set_position(client, BENCH_POSITIONS[i]);
        (void)wire_house_ask(client, "isready\n", "readyok");
        const int64_t start_us = clock_now_us();
        if (!client_send(client, "go depth " SESSION_DEPTH "\n"))
            bench_fail("the server does not read");
        do {
            line = client_line(client, CLIENT_PATIENCE_MS);
            if (line == NULL)
                bench_fail("the server does not answer");
            const uint64_t said = number_after(line, " nodes ");
            last = said > last ? said : last;
        } while (strncmp(line, "bestmove", 8) != 0);
        time_us += clock_now_us() - start_us;
        nodes += last;
    }
    return (double)nodes * US_PER_S / (double)time_us;
}

/* The same over TCP on a fresh server. */
static double session_nps(const struct programs *programs)
{
    struct wire_house house;
    struct client client;
    wire_house_open(&house, programs->rookeryd,
                    (const char *const[4]){"--threads", "1", "--hash", SESSION_HASH});
    wire_house_connect(&house, &client);
    const double nps = positions_nps(&client);
    client_close(&client);
    wire_house_close(&house);
    return nps;
}

static double bench_nps(const struct programs *programs)
{
    char command[512];
    char line[256];
    double nps = 0;
    (void)snprintf(command, sizeof(command),
                   "'%s' bench --threads 1 --hash " SESSION_HASH " --depth " SESSION_DEPTH,
                   programs->rookery);
    FILE *output = popen(command, "re");
    while (output != NULL && fgets(line, sizeof(line), output) != NULL)
        if (strncmp(line, "nps ", 4) == 0)
            nps = strtod(line + 4, NULL);
    if (output == NULL || pclose(output) != 0 || nps <= 0)
        bench_fail("rookery bench does not work");
    return nps;
}

static void measure_session(const struct programs *programs)
{
    double ratios[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const double direct = bench_nps(programs);
        ratios[i] = session_nps(programs) / direct;
    }
    const double median = percentile(ratios, PAIRS, 50); /* They are sorted now. */
    (void)printf("session %.3f ratio (reach >= 0.98; [%.3f, %.3f]; nodes a second over TCP to "
                 "`rookery bench`, one thread, median of %d pairs)\n",
                 median, ratios[1], ratios[PAIRS - 2], PAIRS);
}

/* What sessions that have searched and are silent cost a search that wants every core. */
static void measure_idle_sessions(const struct programs *programs)
{
    static struct client idle[IDLE_CLIENTS];
    struct wire_house house;
    struct client client;
    double ratios[PAIRS];
    (void)machine_raise_files(IDLE_CLIENTS + 64);
    wire_house_open(&house, programs->rookeryd,
                    (const char *const[4]){"--clients-max", "1024", "--hash", SESSION_HASH});
    wire_house_connect(&house, &client);
    if (!client_send(&client, "setoption name Threads value 2\n"))
        bench_fail("the server does not read");
    for (int i = 0; i < PAIRS; i++) {
        const double alone = positions_nps(&client);
        for (int j = 0; j < IDLE_CLIENTS; j++) {
            wire_house_connect(&house, &idle[j]);
            set_position(&idle[j], OPEN_POSITION);
            (void)wire_house_ask(&idle[j], "go nodes 1000\n", "bestmove");
        }
        ratios[i] = positions_nps(&client) / alone;
        for (int j = 0; j < IDLE_CLIENTS; j++)
            client_close(&idle[j]);
        (void)poll(NULL, 0, SETTLE_MS);
    }
    const double median = percentile(ratios, PAIRS, 50); /* They are sorted now. */
    (void)printf("idlesessions %.3f ratio (reach >= 0.98; [%.3f, %.3f]; nodes a second on two "
                 "threads, %d idle sessions to none, median of %d pairs)\n",
                 median, ratios[1], ratios[PAIRS - 2], IDLE_CLIENTS, PAIRS);
    client_close(&client);
    wire_house_close(&house);
}

/* How long a second client waits for what a 30-second analysis of the first has found. */
static void measure_reopen(const struct programs *programs)
{
    struct wire_house house;
    struct client first;
    struct client second;
    struct client between;
    uint64_t depth = 0;
    wire_house_open(&house, programs->rookeryd, (const char *const[4]){NULL});
    begin_open_search(&house, &first, OPEN_POSITION);
    const int64_t end_us = clock_now_us() + ANALYSIS_US;
    while (clock_now_us() < end_us) {
        const char *line = client_line(&first, 10);
        if (line != NULL && strstr(line, "bound") == NULL && strstr(line, " pv ") != NULL)
            depth = number_after(line, "info depth ");
    }
    (void)wire_house_ask(&first, "stop\n", "bestmove");
    wire_house_connect(&house, &between);
    (void)wire_house_ask(&between, "ucinewgame\nisready\n", "readyok");
    wire_house_connect(&house, &second);
    (void)wire_house_ask(&second, "ucinewgame\nisready\n", "readyok");
    set_position(&second, OPEN_POSITION);
    const int64_t start_us = clock_now_us();
    const char *line = wire_house_ask(&second, "go infinite\n", "info depth");
    while (strstr(line, "bound") != NULL || number_after(line, "info depth ") + 2 < depth) {
        line = client_wait(&second, "info depth");
        if (line == NULL)
            bench_fail("the server does not answer");
    }
    const int64_t took_us = clock_now_us() - start_us;
    (void)printf("reopen %.2f %% (reach <= 5; %.3f s to depth %" PRIu64 " of 30 s to depth %" PRIu64
                 ", another client)\n",
                 100.0 * (double)took_us / ANALYSIS_US, (double)took_us / US_PER_S, depth - 2,
                 depth);
    client_close(&first);
    client_close(&second);
    client_close(&between);
    wire_house_close(&house);
}

/* ucinewgame and Clear Hash to readyok, on a table of `hash` MiB. */
static void measure_new_games(const struct programs *programs, const char *name, const char *hash)
{
    static double ms[NEW_GAMES];
    struct wire_house house;
    struct client client;
    wire_house_open(&house, programs->rookeryd, (const char *const[4]){"--hash", hash});
    wire_house_connect(&house, &client);
    for (int i = 0; i < NEW_GAMES; i++) {
        (void)wire_house_ask(&client, "go nodes 1000\n", "bestmove");
        const int64_t start_us = clock_now_us();
        (void)wire_house_ask(&client, "ucinewgame\nsetoption name Clear Hash\nisready\n",
                             "readyok");
        ms[i] = (double)(clock_now_us() - start_us) / US_PER_MS;
    }
    (void)printf("%s %.3f ms (reach <= 1; ucinewgame and Clear Hash to readyok, table of %s MiB, "
                 "99th percentile of %d)\n",
                 name, percentile(ms, NEW_GAMES, 99), hash, NEW_GAMES);
    client_close(&client);
    wire_house_close(&house);
}

static void measure_newgame(const struct programs *programs)
{
    measure_new_games(programs, "newgame_small", "16");
    measure_new_games(programs, "newgame_large", "1024");
}

static const struct {
    const char *name;
    void (*measure)(const struct programs *programs);
} MEASUREMENTS[] = {
    {"connect", measure_connect},
    {"ready", measure_ready},
    {"stop", measure_stop},
    {"crowd", measure_crowd},
    {"idle", measure_idle},
    {"reopen", measure_reopen},
    {"session", measure_session},
    {"newgame", measure_newgame},
    {"idlesessions", measure_idle_sessions},
};
enum { MEASUREMENT_COUNT = sizeof(MEASUREMENTS) / sizeof(MEASUREMENTS[0]) };

int main(int count, char **words)
{
    if (count < 3)
        bench_fail("usage: bench_wire ROOKERYD ROOKERY [NAME]...");
    const struct programs programs = {.rookeryd = words[1], .rookery = words[2]};
    for (int i = 0; i < MEASUREMENT_COUNT; i++) {
        bool is_wanted = count == 3;
        for (int j = 3; j < count; j++)
            is_wanted = is_wanted || strcmp(words[j], MEASUREMENTS[i].name) == 0;
        if (!is_wanted)
            continue;
        MEASUREMENTS[i].measure(&programs);
        (void)fflush(stdout);
    }
    return EXIT_SUCCESS;
}
