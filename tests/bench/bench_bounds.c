/* What clients at their worst cost: bench_bounds ROOKERYD [NAME [ROUNDS]]
 *
 *   slow      one who reads a kilobyte a second while an analysis of five lines runs for a minute
 *   idle10k   ten thousand who have said hello and are silent
 *   leak      ROUNDS who begin an endless search and vanish; ends with failure when anything stays
 *
 * Each measurement starts a server of its own and prints lines "name value unit (reach ...)". */
#include <arpa/inet.h>
#include <dirent.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "app/bench_positions.h"
#include "base/clock.h"
#include "base/machine.h"
#include "bench/wire_house.h"
#include "support/client.h"

enum {
    KIB = 1024,
    MS_PER_S = 1000,
    US_PER_S = 1000000,
    SLOW_S = 60,
    SLOW_SHORT = 12,
    SLOW_BUFFER_BYTES = 4096,
    SLOW_PIECES_PER_S = 8, /* A kilobyte a second, in so many pieces. */
    IDLE_CLIENTS = 10000,
    IDLE_S = 10,
    FILES_RESERVED = 64,
    SETTLE_S = 6,
    LEAK_ROUNDS = 10000,
    LEAK_WARM_ROUNDS = 600, /* More than there are memories, and each slot's first touch. */
    LEAK_KIB_MAX = 512,
    LEAK_CPU_PERCENT_MAX = 50, /* One search that nobody ends takes a core, or most of it. */
    LEAK_PATIENCE_S = 30
};

static const char POSITION[] =
    "position fen r1bq1r1k/b1p1npp1/p2p3p/1p6/3PP3/1B2NN2/PP3PPP/R2Q1RK1 w - - 1 16\n";

struct plan {
    const char *rookeryd;
    unsigned rounds; /* 0: as many as the measurement has. */
};

/* -- Helpers ---------------------------------------------------------------------------------- */

static void pause_ms(long ms)
{
    const struct timespec time = {.tv_sec = ms / MS_PER_S, .tv_nsec = ms % MS_PER_S * 1000000};
    (void)nanosleep(&time, NULL);
}

/* CPU time of the server's process. */
static double cpu_s(const struct wire_house *house)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(house->process, &clock) != 0 || clock_gettime(clock, &time) != 0)
        bench_fail("the server's CPU time cannot be read");
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* How many entries a folder of the server's in /proc has: "fd" or "task". */
static unsigned count_entries(const struct wire_house *house, const char *folder)
{
    char path[64];
    unsigned count = 0;
    (void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)house->process, folder);
    DIR *directory = opendir(path);
    if (directory == NULL)
        bench_fail("the server's descriptors cannot be read");
    while (readdir(directory) != NULL)
        count++;
    (void)closedir(directory);
    return count;
}

static uint16_t port_of(const struct wire_house *house)
{
    return (uint16_t)strtoul(strrchr(house->address, ':') + 1, NULL, 10);
}

/* -- A slow reader ---------------------------------------------------------------------------- */

/* As client_connect, but its kernel takes little from the start. */
static void connect_small(const struct wire_house *house, struct client *client)
{
    const int bytes = SLOW_BUFFER_BYTES;
    const struct sockaddr_in name = {.sin_family = AF_INET,
                                     .sin_port = htons(port_of(house)),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *client = (struct client){.file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (client->file < 0 ||
        setsockopt(client->file, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) != 0 ||
        connect(client->file, (const struct sockaddr *)&name, sizeof(name)) != 0)
        bench_fail("the server does not accept");
}

/* Bytes that the kernel holds for the one client there is, by its table of sockets. */
static unsigned kernel_bytes(const struct wire_house *house)
{
    char line[256];
    unsigned found = 0;
    FILE *file = fopen("/proc/net/tcp", "re");
    if (file == NULL)
        bench_fail("the kernel's sockets cannot be read");
    while (fgets(line, sizeof(line), file) != NULL) {
        unsigned port = 0;
        unsigned state = 0;
        unsigned bytes = 0;
        if (sscanf(line, " %*d: %*x:%x %*x:%*x %x %x:", &port, &state, &bytes) == 3 &&
            port == port_of(house) && state == 1)
            found = bytes;
    }
    (void)fclose(file);
    return found;
}

/* One kilobyte, in a second. Whether the bestmove was in it, and how many bytes up to its end. */
static bool read_kilobyte(struct client *client, size_t *inout_bytes)
{
    static const char WORD[] = "bestmove";
    for (int i = 0; i < SLOW_PIECES_PER_S; i++) {
        char *end = client->bytes + client->end;
        const ssize_t count = recv(client->file, end, KIB / SLOW_PIECES_PER_S, MSG_DONTWAIT);
        if (count == 0)
            bench_fail("the server has closed the slow reader's connection");
        if (count > 0) {
            *inout_bytes += (size_t)count;
            client->end += (size_t)count;
            client->bytes[client->end] = '\0';
            const char *found = strstr(client->bytes, WORD);
            if (found != NULL && strchr(found, '\n') != NULL)
                return true;
            /* What could be the beginning of the word is kept. */
            const size_t kept = client->end < KIB ? client->end : KIB;
            memmove(client->bytes, client->bytes + client->end - kept, kept);
            client->end = kept;
        }
        pause_ms(MS_PER_S / SLOW_PIECES_PER_S);
    }
    return false;
}

/* Searches for so long, then stops. Bytes from the stop to the end of the bestmove. */
static size_t search_slowly(const struct wire_house *house, struct client *client,
                            const char *position, unsigned seconds, unsigned *inout_kernel_max)
{
    size_t bytes = 0;
    client->end = 0; /* No word of the search before. */
    if (!client_send(client, position) || !client_send(client, "go infinite\n"))
        bench_fail("the server does not read");
    for (unsigned i = 0; i < seconds; i++) {
        if (read_kilobyte(client, &bytes))
            bench_fail("a bestmove came before the stop");
        const unsigned held = kernel_bytes(house);
        *inout_kernel_max = held > *inout_kernel_max ? held : *inout_kernel_max;
    }
    bytes = 0;
    if (!client_send(client, "stop\n"))
        bench_fail("the server does not read");
    while (!read_kilobyte(client, &bytes))
        continue;
    return bytes;
}

/* After a minute lines are rare and the reader may have caught up; so many short searches as well,
 * which are stopped while it is far behind. */
static void measure_slow(const struct plan *plan)
{
    struct wire_house house;
    struct client client;
    unsigned kernel_max = 0;
    wire_house_open(&house, plan->rookeryd, (const char *const[4]){NULL});
    connect_small(&house, &client);
    if (!client_send(&client, "setoption name MultiPV value 5\n"))
        bench_fail("the server does not read");
    const size_t minute = search_slowly(&house, &client, POSITION,
                                        plan->rounds > 0 ? plan->rounds : SLOW_S, &kernel_max);
    size_t worst = 0;
    for (int i = 0; i < SLOW_SHORT; i++) {
        char position[256];
        (void)snprintf(position, sizeof(position), "position fen %s\n", BENCH_POSITIONS[i]);
        const size_t bytes =
            search_slowly(&house, &client, position, 1 + (unsigned)i % 3, &kernel_max);
        worst = bytes > worst ? bytes : worst;
    }
    (void)printf("slow %.1f KiB (reach <= 16; from stop to bestmove after a minute at 1 KB/s)\n",
                 (double)minute / KIB);
    (void)printf("slow_worst %.1f KiB (reach <= 16; the most of %d searches of 1 to 3 s)\n",
                 (double)worst / KIB, SLOW_SHORT);
    (void)printf("slow_kernel %.1f KiB (reach <= 16; the most that the server's kernel held for "
                 "it; the server's own queue has 64 KiB)\n",
                 (double)kernel_max / KIB);
    client_close(&client);
    wire_house_close(&house);
}

/* -- Ten thousand ----------------------------------------------------------------------------- */

static double kib_each(const struct wire_house *house, uint64_t alone)
{
    return ((double)wire_house_resident(house) - (double)alone) / KIB / IDLE_CLIENTS;
}

static void measure_idle(const struct plan *plan)
{
    static int files[IDLE_CLIENTS];
    static struct client client;
    struct wire_house house;
    if (machine_raise_files(IDLE_CLIENTS + FILES_RESERVED) < IDLE_CLIENTS + FILES_RESERVED)
        bench_fail("RLIMIT_NOFILE does not allow 10,000 connections here");
    wire_house_open(&house, plan->rookeryd,
                    (const char *const[4]){"--clients-max", "1", "--hash", "16"});
    const uint64_t alone = wire_house_resident(&house);
    wire_house_close(&house);
    wire_house_open(&house, plan->rookeryd,
                    (const char *const[4]){"--clients-max", "10000", "--hash", "16"});
    for (int i = 0; i < IDLE_CLIENTS; i++) {
        wire_house_connect(&house, &client);
        (void)wire_house_ask(&client, "uci\n", "uciok");
        if (!client_send(&client, POSITION))
            bench_fail("the server does not read");
        (void)wire_house_ask(&client, "isready\n", "readyok");
        files[i] = client.file;
    }
    (void)printf("idle10k_now %.1f KiB (reach <= 16; resident memory of a connection, the moment "
                 "it falls silent)\n",
                 kib_each(&house, alone));
    pause_ms(SETTLE_S * MS_PER_S);
    (void)printf("idle10k %.1f KiB (reach <= 16; the same, some seconds later)\n",
                 kib_each(&house, alone));
    const double cpu_before_s = cpu_s(&house);
    pause_ms(IDLE_S * MS_PER_S);
    (void)printf("idle10k_cpu %.2f %% (reach <= 2; of a core, for all of them)\n",
                 100 * (cpu_s(&house) - cpu_before_s) / IDLE_S);
    for (int i = 0; i < IDLE_CLIENTS; i += IDLE_CLIENTS / 10) { /* They are still served. */
        client.file = files[i];
        (void)wire_house_ask(&client, "isready\n", "readyok");
    }
    for (int i = 0; i < IDLE_CLIENTS; i++)
        (void)close(files[i]);
    wire_house_close(&house);
}

/* -- Vanishers -------------------------------------------------------------------------------- */

struct held {
    unsigned files;
    unsigned threads;
    double memory_kib;
};

static struct held look_at(const struct wire_house *house)
{
    return (struct held){.files = count_entries(house, "fd"),
                         .threads = count_entries(house, "task"),
                         .memory_kib = (double)wire_house_resident(house) / KIB};
}

/* One comes, searches and goes: by close, by reset, half closed and then closed; some before they
 * have heard anything, some with more lines behind. */
static void vanish(const struct wire_house *house, unsigned round)
{
    struct client client;
    wire_house_connect(house, &client);
    (void)client_send(&client, POSITION);
    (void)client_send(&client, "go infinite\n");
    if (round % 2 == 0 && client_wait(&client, "info") == NULL)
        bench_fail("the server does not answer");
    if (round % 5 == 0)
        (void)client_send(&client, "go infinite\ngo infinite\nisready\npos");
    if (round % 3 == 0) {
        client_reset(&client);
    } else {
        if (round % 3 == 1)
            client_half_close(&client);
        if (round % 6 == 1)
            (void)client_is_ended(&client); /* It stays for its bestmove. */
        client_close(&client);
    }
}

/* Sanitizers keep memory that was given back, so there only a build for use can tell. */
static bool has_grown(const struct held *before, const struct held *after)
{
#ifdef ROOKERY_DEBUG
    (void)before;
    (void)after;
    return false;
#else
    return after->memory_kib - before->memory_kib > LEAK_KIB_MAX;
#endif
}

/* Until all have left. False: somebody stays. */
static bool is_empty_again(const struct wire_house *house, unsigned files)
{
    for (int i = 0; i < LEAK_PATIENCE_S * 10; i++) {
        if (count_entries(house, "fd") <= files)
            return true;
        pause_ms(100);
    }
    return false;
}

static void measure_leak(const struct plan *plan)
{
    struct wire_house house;
    const unsigned rounds = plan->rounds > 0 ? plan->rounds : LEAK_ROUNDS;
    wire_house_open(&house, plan->rookeryd,
                    (const char *const[4]){"--hash", "16", "--threads", "2"});
    vanish(&house, 0); /* The loop opens what it needs for its first client. */
    pause_ms(2 * MS_PER_S);
    const unsigned files = count_entries(&house, "fd");
    for (unsigned i = 0; i < LEAK_WARM_ROUNDS; i++)
        vanish(&house, i);
    if (!is_empty_again(&house, files))
        bench_fail("clients that vanished stay");
    pause_ms(MS_PER_S); /* The last searches end. */
    const struct held before = look_at(&house);
    const int64_t start_us = clock_now_us();
    for (unsigned i = 0; i < rounds; i++)
        vanish(&house, i);
    const double seconds = (double)(clock_now_us() - start_us) / US_PER_S;
    if (!is_empty_again(&house, files))
        bench_fail("clients that vanished stay");
    pause_ms(MS_PER_S);
    const struct held after = look_at(&house);
    const double cpu_before_s = cpu_s(&house);
    pause_ms(MS_PER_S);
    const double cpu_after_s = cpu_s(&house);
    (void)printf(
        "leak_files %d files (reach 0; more open than before %u clients went, in %.0f s)\n",
        (int)(after.files - before.files), rounds, seconds);
    (void)printf("leak_threads %d threads (reach 0)\n", (int)(after.threads - before.threads));
    (void)printf("leak %.0f KiB (reach <= %d; more resident memory)\n",
                 after.memory_kib - before.memory_kib, LEAK_KIB_MAX);
    (void)printf("leak_cpu %.1f %% (reach <= 2; of a core, for searches that nobody wants)\n",
                 100 * (cpu_after_s - cpu_before_s));
    wire_house_close(&house);
    if (after.files != before.files || after.threads != before.threads ||
        has_grown(&before, &after))
        bench_fail("vanished clients leave something");
    if (100 * (cpu_after_s - cpu_before_s) > LEAK_CPU_PERCENT_MAX)
        bench_fail("a search of a client that vanished goes on");
}

static const struct {
    const char *name;
    void (*measure)(const struct plan *plan);
} MEASUREMENTS[] = {{"slow", measure_slow}, {"idle10k", measure_idle}, {"leak", measure_leak}};
enum { MEASUREMENT_COUNT = sizeof(MEASUREMENTS) / sizeof(MEASUREMENTS[0]) };

int main(int count, char **words)
{
    if (count < 2)
        bench_fail("usage: bench_bounds ROOKERYD [NAME [ROUNDS]]");
    struct plan plan = {.rookeryd = words[1]};
    if (count > 3)
        plan.rounds = (unsigned)strtoul(words[3], NULL, 10);
    for (int i = 0; i < MEASUREMENT_COUNT; i++) {
        if (count > 2 && strcmp(words[2], MEASUREMENTS[i].name) != 0)
            continue;
        MEASUREMENTS[i].measure(&plan);
        (void)fflush(stdout);
    }
    return EXIT_SUCCESS;
}
