/* How evenly cores are dealt: many open searches at once, then the same with one on a clock beside
 * them. Prints Jain's index of the leaders' CPU time ((Σx)² / n Σx², 1: all equal), the least and
 * the most, and the part of a core that the clock got. CPU time is the kernel's own account.
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
#include "rookery/engine.h"

enum { SEARCHES_DEFAULT = 32, THREADS_DEFAULT = 2, SECONDS_DEFAULT = 10, TABLE_MIB = 64 };
static const double NS_A_S = 1e9;

static void wake(void *context) { (void)sem_post(context); }

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

static void await_verdicts(struct rk_engine *engine, sem_t *woken, unsigned verdicts)
{
    struct rk_report report;
    while (verdicts > 0) {
        (void)sem_wait(woken);
        while (rk_engine_poll(engine, &report))
            verdicts -= report.kind == RK_REPORT_VERDICT;
    }
}

static void sleep_reading(struct rk_engine *engine, unsigned seconds)
{
    static const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    const int64_t end_us = rk_now_us() + (int64_t)seconds * 1000000;
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
static void measure(unsigned searches, unsigned threads, unsigned seconds, bool has_clock)
{
    sem_t woken;
    REQUIRE(sem_init(&woken, 0, 0) == 0);
    const unsigned all = searches + has_clock;
    const struct rk_engine_options options = {.size = sizeof options,
                                              .searches_max = all,
                                              .threads = threads,
                                              .table_mib = TABLE_MIB,
                                              .wake = wake,
                                              .wake_context = &woken};
    struct rk_engine *engine;
    struct rk_game *game;
    REQUIRE(rk_engine_create(&options, &engine) == RK_OK && rk_game_create(&game) == RK_OK);
    struct rk_request request = {.size = sizeof request, .game = game};
    rk_ticket_t tickets[RK_SEARCHES_MAX];
    for (unsigned i = 0; i < all; i++) {
        const bool is_clock = i == searches;
        request.limits = (struct rk_limits){.infinite = !is_clock,
                                            .has_movetime = is_clock,
                                            .movetime_ms = (int64_t)seconds * 2000};
        REQUIRE(rk_engine_start(engine, &request, &tickets[i]) == RK_OK);
    }
    double cpu_ns[RK_SEARCHES_MAX] = {0}, before_ns[RK_SEARCHES_MAX] = {0};
    read_cpu(before_ns, all);
    const int64_t start_us = rk_now_us();
    sleep_reading(engine, seconds);
    read_cpu(cpu_ns, all);
    const double passed_us = (double)(rk_now_us() - start_us);
    for (unsigned i = 0; i < all; i++) {
        cpu_ns[i] -= before_ns[i];
        rk_engine_stop(engine, tickets[i]);
    }
    await_verdicts(engine, &woken, all);
    print_share(cpu_ns, searches);
    if (has_clock)
        printf("; beside them a clock: %.3f of a core", cpu_ns[searches] / passed_us / 1000);
    printf("\n");
    rk_game_destroy(game);
    rk_engine_destroy(engine);
    (void)sem_destroy(&woken);
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
    measure((unsigned)searches, (unsigned)threads, (unsigned)seconds, false);
    measure((unsigned)searches, (unsigned)threads, (unsigned)seconds, true);
    return EXIT_SUCCESS;
}
