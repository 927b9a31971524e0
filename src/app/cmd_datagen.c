/* Games for training into a file, for as long as it takes: Ctrl-C or SIGTERM ends it with all that
 * was played in the file, and the same words again go on. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "app/arguments.h"
#include "app/command.h"
#include "app/games.h"
#include "app/progress.h"
#include "lab/datagen.h"
#include "rookery/engine.h"

enum { NICE = 10, NICE_MAX = 19, KIB = 1024, TEXT_BYTES = 160, US_PER_S = 1000000 };

static const char HELP[] =
    "rookery datagen FILE: games of the engine against itself, for training, added to FILE.\n"
    "\n"
    "  --games N         that the file shall hold; without it and --positions: until Ctrl-C\n"
    "  --positions N     the same in positions, in whole games\n"
    "  --nodes N         a move (1500), about: only whole iterations are searched\n"
    "  --chess960 P      percent of the games begin from an array of Chess960 (10)\n"
    "  --seed N          the same words with the same seed make the same file, in one run or in\n"
    "                    many (drawn by the kernel, told at the start)\n"
    "  --threads N       games at once (all cores)\n"
    "  --hash MIB        of each thread (4)\n"
    "  --nice N          0 to 19: how far others have precedence (10)\n"
    "  --block KIB       so much is gathered before it is written: what `kill -9` may cost (64)\n"
    "\n"
    "Ctrl-C or SIGTERM end it with all that was played in the file. A block torn by `kill -9` is "
    "cut\n"
    "off at the next start. What is in the file: `rookery data`; its form: docs/network.md.\n";

struct words {
    uint64_t games, positions, nodes, chess960, threads, hash_mib, nice, block_kib;
    const char *seed;
    bool wants_help;
};

/* What is shown while games are played. */
struct show {
    struct progress progress;
    const struct datagen *datagen;
    struct gamefile_summary before; /* What the file held at the start. */
    int64_t start_us;
    bool was_interrupted;
};

/* Of what is to be added; less than 0 when there is no end. */
static double share_done(const struct show *show, const struct gamefile_summary *written)
{
    const struct datagen *datagen = show->datagen;
    double share = -1.0;
    if (datagen->games_max > show->before.games)
        share = (double)(written->games - show->before.games) /
                (double)(datagen->games_max - show->before.games);
    if (datagen->positions_max > show->before.positions) {
        const double positions = (double)(written->positions - show->before.positions) /
                                 (double)(datagen->positions_max - show->before.positions);
        share = positions > share ? positions : share;
    }
    return share;
}

static double positions_a_second(const struct show *show, const struct gamefile_summary *written)
{
    const int64_t elapsed_us = rk_now_us() - show->start_us;
    return (double)(written->positions - show->before.positions) * US_PER_S /
           (double)(elapsed_us > 0 ? elapsed_us : 1);
}

static bool on_tick(void *context, const struct gamefile_summary *written)
{
    struct show *show = context;
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "%" PRIu64 " games, %" PRIu64 " positions, %.0f positions a second",
             written->games, written->positions, positions_a_second(show, written));
    progress_show(&show->progress, share_done(show, written), text);
    show->was_interrupted |= games_is_interrupted();
    return !show->was_interrupted;
}

static int complain(const char *path, enum gamefile_fault fault)
{
    fprintf(stderr, "rookery datagen: %s: %s\n", path,
            fault == GAMEFILE_SYSTEM ? strerror(errno) : gamefile_fault_text(fault));
    return EXIT_FAILED;
}

static int play(const struct datagen *datagen_given, const char *path, uint32_t block_bytes)
{
    struct datagen datagen = *datagen_given;
    struct gamefile_writer *writer;
    uint64_t cut_bytes = 0, nodes = 0;
    enum gamefile_fault fault = gamefile_append(path, block_bytes, &writer, &cut_bytes);
    if (fault != GAMEFILE_FINE)
        return complain(path, fault);
    if (cut_bytes > 0)
        fprintf(stderr, "rookery datagen: %s: %" PRIu64 " bytes of a torn block were cut off\n",
                path, cut_bytes);
    struct show show = {
        .datagen = &datagen, .before = *gamefile_written(writer), .start_us = rk_now_us()};
    fprintf(stderr,
            "rookery datagen: %s holds %" PRIu64 " games, %" PRIu64 " positions; seed %" PRIu64
            ", %u threads\n",
            path, show.before.games, show.before.positions, datagen.seed, datagen.threads);
    datagen.tick = on_tick;
    datagen.context = &show;
    progress_begin(&show.progress);
    games_hold_interrupts(true);
    const enum rk_status status = datagen_run(&datagen, writer, &nodes, &fault);
    games_hold_interrupts(false);
    progress_hide(&show.progress);
    const struct gamefile_summary written = *gamefile_written(writer);
    const double speed = positions_a_second(&show, &written);
    if (status != RK_OK && fault == GAMEFILE_FINE) {
        fprintf(stderr, "rookery datagen: %s\n", rk_status_text(status));
        gamefile_abandon(writer);
        return EXIT_FAILED;
    }
    if (fault == GAMEFILE_FINE)
        fault = gamefile_finish(writer);
    else
        gamefile_abandon(writer);
    if (fault != GAMEFILE_FINE)
        return complain(path, fault);
    const uint64_t added = written.positions - show.before.positions;
    printf("games %" PRIu64 "\npositions %" PRIu64 "\nbytes %" PRIu64 "\n", written.games,
           written.positions, written.bytes);
    printf("nodes_a_move %" PRIu64 "\npositions_a_second %.0f\n", added == 0 ? 0 : nodes / added,
           speed);
    return fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

/* False after saying why. */
static bool seed_read(const char *text, uint64_t *out_seed)
{
    if (text == NULL && getrandom(out_seed, sizeof *out_seed, 0) == (ssize_t)sizeof *out_seed)
        return true;
    if (text != NULL && arguments_number(text, 0, UINT64_MAX, out_seed))
        return true;
    fprintf(stderr, "rookery datagen: --seed needs a whole number, not '%s'\n",
            text == NULL ? "" : text);
    return false;
}

int command_datagen(int count, char **words)
{
    struct datagen datagen;
    datagen_default(&datagen);
    struct words given = {.nodes = datagen.rules.nodes,
                          .chess960 = datagen.rules.chess960_percent,
                          .hash_mib = datagen.rules.hash_mib,
                          .threads = games_threads(),
                          .nice = NICE,
                          .block_kib = GAMEFILE_BLOCK_BYTES / KIB};
    const struct argument arguments[] = {
        {.name = "--games", .min = 1, .max = UINT64_MAX, .value = &given.games},
        {.name = "--positions", .min = 1, .max = UINT64_MAX, .value = &given.positions},
        {.name = "--nodes", .min = 1, .max = DATAGAME_NODES_MAX, .value = &given.nodes},
        {.name = "--chess960", .max = 100, .value = &given.chess960},
        {.name = "--seed", .text = &given.seed},
        {.name = "--threads", .min = 1, .max = DATAGEN_THREADS_MAX, .value = &given.threads},
        {.name = "--hash", .min = 1, .max = PLAYER_HASH_MIB_MAX, .value = &given.hash_mib},
        {.name = "--nice", .max = NICE_MAX, .value = &given.nice},
        {.name = "--block",
         .min = 1,
         .max = GAMEFILE_BLOCK_BYTES_MAX / KIB,
         .value = &given.block_kib},
        {.name = "--help", .flag = &given.wants_help},
    };
    const int rest =
        arguments_parse("datagen", arguments, sizeof arguments / sizeof *arguments, count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (given.wants_help)
        return fputs(HELP, stdout) < 0 ? EXIT_FAILED : 0;
    if (rest != 1) {
        fprintf(stderr, "rookery datagen: one file is needed; `rookery datagen --help` tells\n");
        return EXIT_USAGE;
    }
    if (!seed_read(given.seed, &datagen.seed))
        return EXIT_USAGE;
    datagen.rules.nodes = (uint32_t)given.nodes;
    datagen.rules.chess960_percent = (unsigned)given.chess960;
    datagen.rules.hash_mib = (uint32_t)given.hash_mib;
    datagen.games_max = given.games;
    datagen.positions_max = given.positions;
    datagen.threads = (unsigned)given.threads;
    (void)setpriority(PRIO_PROCESS, 0, (int)given.nice); /* Threads inherit it. */
    return play(&datagen, words[0], (uint32_t)given.block_kib * KIB);
}
