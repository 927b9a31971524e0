#include <inttypes.h>
#include <stdio.h>

#include "app/arguments.h"
#include "app/command.h"
#include "rookery/engine.h"

enum { PERFT_DEPTH_MAX = 20, PERFT_HASH_MIB_MAX = 1024 * 1024 };

struct perft_settings {
    uint64_t depth;
    uint64_t threads;
    uint64_t hash_mib;
    bool chess960;
};

static int perft_print(const struct rk_game *game, const struct perft_settings *settings)
{
    const struct rk_perft_options options = {
        .size = sizeof options,
        .threads = (unsigned)settings->threads,
        .hash_mib = (unsigned)settings->hash_mib,
    };
    struct rk_perft_move moves[RK_MOVES_MAX];
    size_t count = 0;
    uint64_t nodes = 0;
    const int64_t start_us = rk_now_us();
    const enum rk_status status =
        rk_game_perft(game, (unsigned)settings->depth, &options, moves, &count, &nodes);
    const int64_t time_us = rk_now_us() - start_us;
    if (status != RK_OK) {
        fprintf(stderr, "rookery perft: %s\n", rk_status_text(status));
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < count; i++) {
        char text[RK_MOVE_BYTES_MAX];
        rk_move_text(moves[i].move, settings->chess960, text);
        printf("%s: %" PRIu64 "\n", text, moves[i].nodes);
    }
    printf("time_ms %" PRId64 "\nnodes %" PRIu64 "\n", time_us / 1000, nodes);
    return fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

int command_perft(int count, char **words)
{
    struct perft_settings settings = {.threads = 1};
    const struct argument arguments[] = {
        {.name = "--chess960", .flag = &settings.chess960},
        {.name = "--threads", .min = 1, .max = RK_THREADS_MAX, .value = &settings.threads},
        {.name = "--hash", .min = 0, .max = PERFT_HASH_MIB_MAX, .value = &settings.hash_mib},
    };
    const int rest =
        arguments_parse("perft", arguments, sizeof arguments / sizeof arguments[0], count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (rest < 1 || !arguments_number(words[0], 0, PERFT_DEPTH_MAX, &settings.depth)) {
        fprintf(stderr,
                "rookery perft: the first word must be a depth from 0 to %d, as in "
                "`rookery perft 6`\n",
                PERFT_DEPTH_MAX);
        return EXIT_USAGE;
    }
    struct rk_game *game;
    int exit_status = arguments_game("perft", rest - 1, words + 1, &game);
    if (exit_status != 0)
        return exit_status;
    exit_status = perft_print(game, &settings);
    rk_game_destroy(game);
    return exit_status;
}
