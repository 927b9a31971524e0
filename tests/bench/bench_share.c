/* How evenly cores are dealt, beside what the kernel's own scheduler makes of the same load: many
 * open searches at once, the same with one on a clock beside them, and how long a stop takes among
 * them. For the kernel every search has a core in the dealer's eyes, so nobody waits at the gate.
 * Prints Jain's index of the leaders' CPU time ((Σx)² / n Σx², 1: all equal), the least and the
 * most, the part of a core that the clock got, and the time from stop to verdict. CPU time is the
 * kernel's own account. No search is lent helpers.
 *
 *     bench_share [SEARCHES] [THREADS] [SECONDS]
 */
#include <dirent.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/random.h"
#include "rookery/engine.h"

enum {
    SEARCHES_DEFAULT = 32,
    THREADS_DEFAULT = 2,
    SECONDS_DEFAULT = 10,
    TABLE_MIB = 64,
    STOPS = 200,
    STOP_PAUSE_US = 20000, /* Between stops, half as much again at most. */
    US_A_MS = 1000
};
static const double NS_A_S = 1e9;

/* An engine and what it searches: the start position, over and over. */
struct load {
    struct rk_engine *engine;
    struct rk_game *game;
    sem_t woken;
    unsigned count;
    rk_ticket_t tickets[RK_SEARCHES_MAX];
};

static void wake(void *context) { (void)sem_post(context); }

static rk_ticket_t go(const struct load *load, const struct rk_limits *limits)
{
    const struct rk_request request = {
        .size = sizeof request, .game = load->game, .threads = 1, .limits = *limits};
    rk_ticket_t ticket;
    REQUIRE(rk_engine_start(load->engine, &request, &ticket) == RK_OK);
    return ticket;
}

static void load_begin(struct load *load, unsigned searches, unsigned searches_max,
                       unsigned threads)
{
    REQUIRE(sem_init(&load->woken, 0, 0) == 0);
    const struct rk_engine_options options = {.size = sizeof options,
                                              .searches_max = searches_max,
                                              .threads = threads,
                                              .table_mib = TABLE_MIB,
                                              .wake = wake,
                                              .wake_context = &load->woken};
    REQUIRE(rk_engine_create(&options, &load->engine) == RK_OK);
    REQUIRE(rk_game_create(&load->game) == RK_OK);
    for (load->count = 0; load->count < searches; load->count++)
        load->tickets[load->count] = go(load, &(struct rk_limits){.infinite = true});
}

static bool read_line(const char *task, const char *name, char *line, size_t size)
{
    char path[300];
    (void)snprintf(path, sizeof path, "/proc/self/task/%.32s/%s", task, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool is_read = fgets(line, (int)size, file) != NULL;
    (void)fclose(file);
    return is_read;
}

/* Nanoseconds on a CPU, by leader. */
static void read_cpu(double *cpu_ns, unsigned leaders)
{
    DIR *tasks = opendir("/proc/self/task");
    REQUIRE(tasks != NULL);
    for (const struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) {
        char line[128];
        unsigned number = 0;
        if (!read_line(task->d_name, "comm", line, sizeof line) ||
            sscanf(line, "leader-%u", &number) != 1 || number >= leaders ||
            !read_line(task->d_name, "schedstat", line, sizeof line))
            continue;
        cpu_ns[number] = strtod(line, NULL);
    }
    (void)closedir(tasks);
}

static void await_verdicts(struct load *load, unsigned verdicts)
{
    struct rk_report report;
    while (verdicts > 0) {
        (void)sem_wait(&load->woken);
        while (rk_engine_poll(load->engine, &report))
            verdicts -= report.kind == RK_REPORT_VERDICT;
    }
}

static void load_end(struct load *load)
{
    for (unsigned i = 0; i < load->count; i++)
        rk_engine_stop(load->engine, load->tickets[i]);
    await_verdicts(load, load->count);
    rk_game_destroy(load->game);
    rk_engine_destroy(load->engine);
    (void)sem_destroy(&load->woken);
}

static void sleep_reading(struct rk_engine *engine, int64_t us)
{
    static const struct timespec moment = {.tv_nsec = 5 * 1000 * 1000};
    const int64_t end_us = rk_now_us() + us;
    struct rk_report report;
    while (rk_now_us() < end_us) {
        (void)nanosleep(&moment, NULL);
        while (rk_engine_poll(engine, &report))
            REQUIRE(report.kind == RK_REPORT_LINE);
    }
}

static void print_share(const double *cpu_ns, unsigned searches)
{
    double sum = 0, squares = 0, least = cpu_ns[0], most = cpu_ns[0];
    for (unsigned i = 0; i < searches; i++) {
        sum += cpu_ns[i];
        squares += cpu_ns[i] * cpu_ns[i];
        least = cpu_ns[i] < least ? cpu_ns[i] : least;
        most = cpu_ns[i] > most ? cpu_ns[i] : most;
    }
    printf("%u open searches: Jain %.4f, least %.3f s, most %.3f s", searches,
           sum * sum / (searches * squares), least / NS_A_S, most / NS_A_S);
}

/* Open searches for so long, beside them one whose clock is longer when has_clock. */
static void measure_shares(unsigned searches, unsigned threads, unsigned seconds, bool has_clock)
{
    struct load load;
    load_begin(&load, searches, searches + has_clock, threads);
    if (has_clock)
        load.tickets[load.count++] =
            go(&load, &(struct rk_limits){.has_movetime = true, .movetime_ms = seconds * 2000});
    double cpu_ns[RK_SEARCHES_MAX] = {0}, before_ns[RK_SEARCHES_MAX] = {0};
    read_cpu(before_ns, load.count);
    const int64_t start_us = rk_now_us();
    sleep_reading(load.engine, (int64_t)seconds * 1000000);
    read_cpu(cpu_ns, load.count);
    const double passed_us = (double)(rk_now_us() - start_us);
    for (unsigned i = 0; i < load.count; i++)
        cpu_ns[i] -= before_ns[i];
    load_end(&load);
    print_share(cpu_ns, searches);
    if (has_clock)
        printf("; beside them a clock: %.3f of a core", cpu_ns[searches] / passed_us / 1000);
    printf("\n");
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* One at a time is stopped and begins again. */
static void measure_stops(unsigned searches, unsigned threads)
{
    struct load load;
    double ms[STOPS];
    uint64_t random = 1;
    load_begin(&load, searches, searches, threads);
    for (unsigned i = 0; i < STOPS; i++) {
        rk_ticket_t *ticket = &load.tickets[random_below(&random, searches)];
        sleep_reading(load.engine, STOP_PAUSE_US + (int64_t)random_below(&random, STOP_PAUSE_US));
        const int64_t start_us = rk_now_us();
        rk_engine_stop(load.engine, *ticket);
        await_verdicts(&load, 1);
        ms[i] = (double)(rk_now_us() - start_us) / US_A_MS;
        *ticket = go(&load, &(struct rk_limits){.infinite = true});
    }
    load_end(&load);
    qsort(ms, STOPS, sizeof *ms, compare);
    printf("stop to verdict among %u: median %.2f ms, 99th percentile %.2f ms\n", searches,
           ms[STOPS / 2], ms[STOPS * 99 / 100]);
}

static void measure(unsigned searches, unsigned threads, unsigned seconds)
{
    measure_shares(searches, threads, seconds, false);
    (void)fflush(stdout);
    measure_shares(searches, threads, seconds, true);
    (void)fflush(stdout);
    measure_stops(searches, threads);
    (void)fflush(stdout);
}

int main(int count, char **arguments)
{
    const unsigned long searches = count > 1 ? strtoul(arguments[1], NULL, 10) : SEARCHES_DEFAULT;
    const unsigned long threads = count > 2 ? strtoul(arguments[2], NULL, 10) : THREADS_DEFAULT;
    const unsigned long seconds = count > 3 ? strtoul(arguments[3], NULL, 10) : SECONDS_DEFAULT;
    if (searches == 0 || searches >= RK_SEARCHES_MAX || threads == 0 || threads > RK_THREADS_MAX ||
        seconds == 0 || seconds > 3600) {
        (void)fprintf(stderr, "bench_share [SEARCHES] [THREADS] [SECONDS]\n");
        return EXIT_FAILURE;
    }
    printf("%lu cores, dealt:\n", threads);
    measure((unsigned)searches, (unsigned)threads, (unsigned)seconds);
    printf("the kernel's own scheduler:\n");
    measure((unsigned)searches, (unsigned)searches + 1, (unsigned)seconds);
    return EXIT_SUCCESS;
}
