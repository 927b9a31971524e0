#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "app/arguments.h"
#include "app/bench_positions.h"
#include "app/command.h"
#include "app/owner.h"

enum { BENCH_DEPTH = 13, BENCH_DEPTH_MAX = 64 };

struct bench_result {
    uint64_t nodes;
    int64_t time_us;
};

/* False: a position is broken or the engine refused it, which a build that passes its tests never
 * sees. */
static bool bench_search(struct owner *owner, struct rk_game *game, const char *fen, uint64_t depth,
                         struct bench_result *result)
{
    if (rk_game_set_fen(game, fen, strlen(fen)) != RK_OK)
        return false;
    const int64_t start_us = rk_now_us();
    const struct rk_request request = {
        .size = sizeof request,
        .game = game,
        .limits.depth = (uint32_t)depth,
        .arrived_us = start_us,
    };
    rk_ticket_t ticket;
    if (rk_engine_start(owner->engine, &request, &ticket) != RK_OK)
        return false;
    struct rk_report report;
    do {
        owner_wait(owner, &report);
    } while (report.kind != RK_REPORT_VERDICT);
    result->nodes += report.nodes;
    result->time_us += rk_now_us() - start_us;
    return true;
}

static bool bench_all(struct owner *owner, uint64_t depth, struct bench_result *result)
{
    const bool shows_progress = isatty(STDERR_FILENO);
    struct rk_game *game;
    if (rk_game_create(&game) != RK_OK)
        return false;
    bool is_good = true;
    for (int i = 0; i < BENCH_POSITION_COUNT && is_good; i++) {
        if (shows_progress)
            fprintf(stderr, "\rposition %d of %d", i + 1, BENCH_POSITION_COUNT);
        is_good = bench_search(owner, game, BENCH_POSITIONS[i], depth, result);
        if (!is_good)
            fprintf(stderr, "rookery bench: cannot search '%s'\n", BENCH_POSITIONS[i]);
    }
    if (shows_progress)
        fputs("\r\033[K", stderr);
    rk_game_destroy(game);
    return is_good;
}

int bench_run(const struct bench_settings *settings, FILE *out)
{
    struct owner owner;
    if (!owner_open(&owner, settings->threads == 0 ? OWNER_THREADS : settings->threads,
                    settings->hash_mib == 0 ? OWNER_HASH_MIB : settings->hash_mib,
                    settings->eval_file))
        return EXIT_FAILED;
    owner_open_tablebases(&owner, settings->syzygy);
    struct bench_result result = {0};
    const bool is_good =
        bench_all(&owner, settings->depth == 0 ? BENCH_DEPTH : settings->depth, &result);
    owner_close(&owner);
    if (!is_good)
        return EXIT_FAILED;
    const uint64_t time_us = result.time_us > 0 ? (uint64_t)result.time_us : 1;
    fprintf(out, "nodes %" PRIu64 "\ntime_ms %" PRIu64 "\nnps %" PRIu64 "\n", result.nodes,
            time_us / 1000, result.nodes * 1000000 / time_us);
    return fflush(out) == 0 ? 0 : EXIT_FAILED;
}

int command_bench(int count, char **words)
{
    struct bench_settings settings = {0};
    const struct argument arguments[] = {
        {.name = "--threads", .min = 1, .max = RK_THREADS_MAX, .value = &settings.threads},
        {.name = "--depth", .min = 1, .max = BENCH_DEPTH_MAX, .value = &settings.depth},
        {.name = "--hash", .min = 1, .max = RK_TABLE_MIB_MAX, .value = &settings.hash_mib},
        {.name = "--syzygy", .text = &settings.syzygy},
        {.name = "--eval-file", .text = &settings.eval_file},
    };
    const int rest =
        arguments_parse("bench", arguments, sizeof arguments / sizeof arguments[0], count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (rest > 0) {
        fprintf(stderr, "rookery bench: '%s' is not an option; `rookery help` lists them\n",
                words[0]);
        return EXIT_USAGE;
    }
    return bench_run(&settings, stdout);
}
