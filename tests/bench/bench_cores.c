/* How fast cores change hands: a first search has both cores, a second one comes and goes again.
 * Measured is CPU time of the engine's threads, which the kernel counts to the nanosecond: the
 * first has given a core up when the helper that was lent to it runs no more, and has it back when
 * a helper runs again. Prints lines "name value unit (reach ...)".
 *
 *     bench_cores [ROUNDS] */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/thread.h"
#include "rookery/engine.h"

enum {
    CORES = 2,
    SEARCHES = 2,
    WORKERS_MAX = 16,
    ROUNDS_DEFAULT = 40,
    ROUNDS_MAX = 1000,
    TABLE_MIB = 64,
    PHASE_US = 250000,
    SETTLED_US = 50000, /* Of a phase, before what each uses is counted. */
    LOOK_NS = 250000,
    RUNNING_NS = 50000, /* Between two looks: less is a thread that goes to sleep. */
    US_A_MS = 1000,
    NS_A_US = 1000
};

struct worker {
    clockid_t clock;
    bool is_leader;
    int64_t run_ns;
};

struct house {
    struct rk_engine *engine;
    struct rk_game *game;
    struct worker workers[WORKERS_MAX];
    unsigned worker_count;
};

/* What a phase showed. */
struct phase {
    int64_t helpers_first_us;  /* Since its beginning, when a helper was first seen to run, */
    int64_t helpers_last_us;   /* and when last; -1: never. */
    double cores[WORKERS_MAX]; /* That each worker used once all had settled. */
};

static int64_t read_run_ns(const struct worker *worker)
{
    struct timespec time;
    REQUIRE(clock_gettime(worker->clock, &time) == 0);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The kernel's number for the CPU clock of a thread of this process. */
static clockid_t clock_of(unsigned long thread)
{
    enum { PER_THREAD_SCHEDULER_TIME = 6, KIND_BITS = 3 };
    return (clockid_t)((~(unsigned)thread << KIND_BITS) | PER_THREAD_SCHEDULER_TIME);
}

static void find_workers(struct house *house)
{
    DIR *tasks = opendir("/proc/self/task");
    REQUIRE(tasks != NULL);
    for (const struct dirent *task = readdir(tasks); task != NULL; task = readdir(tasks)) {
        char path[300];
        char name[32] = "";
        (void)snprintf(path, sizeof path, "/proc/self/task/%.32s/comm", task->d_name);
        FILE *file = fopen(path, "re");
        if (file == NULL)
            continue;
        const bool is_read = fgets(name, sizeof name, file) != NULL;
        (void)fclose(file);
        const bool is_leader = strncmp(name, "leader-", 7) == 0;
        if (!is_read || (!is_leader && strncmp(name, "helper-", 7) != 0))
            continue;
        REQUIRE(house->worker_count < WORKERS_MAX);
        house->workers[house->worker_count++] = (struct worker){
            .clock = clock_of(strtoul(task->d_name, NULL, 10)), .is_leader = is_leader};
    }
    (void)closedir(tasks);
}

static void open_house(struct house *house)
{
    const struct rk_engine_options options = {
        .size = sizeof options, .searches_max = SEARCHES, .threads = CORES, .table_mib = TABLE_MIB};
    *house = (struct house){0};
    REQUIRE(rk_engine_create(&options, &house->engine) == RK_OK);
    REQUIRE(rk_game_create(&house->game) == RK_OK);
    find_workers(house);
    REQUIRE(house->worker_count > SEARCHES);
}

static rk_ticket_t go(const struct house *house)
{
    const struct rk_request request = {
        .size = sizeof request, .game = house->game, .limits.infinite = true};
    rk_ticket_t ticket;
    REQUIRE(rk_engine_start(house->engine, &request, &ticket) == RK_OK);
    return ticket;
}

static void watch(struct house *house, struct phase *out_phase)
{
    static const struct timespec LOOK = {.tv_nsec = LOOK_NS};
    const int64_t start_us = rk_now_us();
    int64_t settled_ns[WORKERS_MAX] = {0};
    int64_t settled_us = 0;
    int64_t now_us = start_us;
    *out_phase = (struct phase){.helpers_first_us = -1, .helpers_last_us = -1};
    for (unsigned i = 0; i < house->worker_count; i++)
        house->workers[i].run_ns = read_run_ns(&house->workers[i]);
    while (now_us - start_us < PHASE_US) {
        struct rk_report report;
        (void)nanosleep(&LOOK, NULL);
        while (rk_engine_poll(house->engine, &report))
            continue;
        now_us = rk_now_us();
        int64_t helpers_ns = 0;
        for (unsigned i = 0; i < house->worker_count; i++) {
            struct worker *worker = &house->workers[i];
            const int64_t run_ns = read_run_ns(worker);
            helpers_ns += worker->is_leader ? 0 : run_ns - worker->run_ns;
            worker->run_ns = run_ns;
        }
        if (helpers_ns > RUNNING_NS) {
            out_phase->helpers_last_us = now_us - start_us;
            if (out_phase->helpers_first_us < 0)
                out_phase->helpers_first_us = now_us - start_us;
        }
        if (settled_us != 0 || now_us - start_us < SETTLED_US)
            continue;
        settled_us = now_us;
        for (unsigned i = 0; i < house->worker_count; i++)
            settled_ns[i] = house->workers[i].run_ns;
    }
    for (unsigned i = 0; i < house->worker_count; i++)
        out_phase->cores[i] = (double)(house->workers[i].run_ns - settled_ns[i]) /
                              (double)((now_us - settled_us) * NS_A_US);
}

static int compare(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* All that run in this phase, without the leader that slept in the phase before. */
static double cores_of_first(const struct house *house, const struct phase *phase,
                             const struct phase *alone)
{
    double sum = 0;
    unsigned sleeper = WORKERS_MAX;
    for (unsigned i = 0; i < house->worker_count; i++) {
        sum += phase->cores[i];
        if (house->workers[i].is_leader &&
            (sleeper == WORKERS_MAX || alone->cores[i] < alone->cores[sleeper]))
            sleeper = i;
    }
    return sum - phase->cores[sleeper];
}

static void print_times(const char *name, double *ms, unsigned rounds, const char *what)
{
    qsort(ms, rounds, sizeof *ms, compare);
    (void)printf("%s %.2f ms (reach <= 20; the most of %u times until %s, median %.2f)\n", name,
                 ms[rounds - 1], rounds, what, ms[rounds / 2]);
}

int main(int count, char **words)
{
    static double give_ms[ROUNDS_MAX];
    static double back_ms[ROUNDS_MAX];
    struct house house;
    struct phase alone, beside;
    double one = 0, two = 0;
    const unsigned long wanted = count > 1 ? strtoul(words[1], NULL, 10) : 0;
    const unsigned rounds = wanted > 0 && wanted <= ROUNDS_MAX ? (unsigned)wanted : ROUNDS_DEFAULT;
    open_house(&house);
    (void)thread_hurry(); /* As the daemon does; workers must not inherit it. */
    (void)go(&house);
    watch(&house, &alone); /* Until it runs. */
    watch(&house, &alone);
    for (unsigned i = 0; i < rounds; i++) {
        const rk_ticket_t second = go(&house);
        watch(&house, &beside);
        give_ms[i] = beside.helpers_last_us < 0 ? 0 : (double)beside.helpers_last_us / US_A_MS;
        one += cores_of_first(&house, &beside, &alone) / rounds;
        rk_engine_stop(house.engine, second);
        watch(&house, &alone);
        back_ms[i] = alone.helpers_first_us < 0 ? (double)PHASE_US / US_A_MS
                                                : (double)alone.helpers_first_us / US_A_MS;
        for (unsigned j = 0; j < house.worker_count; j++)
            two += alone.cores[j] / rounds;
    }
    print_times("cores_give", give_ms, rounds, "the first has given up a core to a second");
    print_times("cores_back", back_ms, rounds, "it has that core again when the second stops");
    (void)printf("cores_alone %.2f cores (reach >= 1.9; used by the first while alone)\n", two);
    (void)printf("cores_beside %.2f cores (reach 0.95 to 1.05; while there are two)\n", one);
    rk_engine_destroy(house.engine);
    rk_game_destroy(house.game);
    return EXIT_SUCCESS;
}
