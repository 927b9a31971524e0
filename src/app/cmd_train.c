/* A network from files of games. The same words go on where a run was ended, by Ctrl-C or kill -9,
 * and make the network that one run would have made. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "app/arguments.h"
#include "app/command.h"
#include "app/games.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "lab/train.h"

enum {
    NICE = 10,
    NICE_MAX = 19,
    CHECKPOINT_S = 20,
    CHECKPOINT_S_MAX = 86400,
    US_PER_S = 1000000,
    TEXT_BYTES = 256,
    HELD_BYTES = 64,
    SAMPLE_BYTES = 36, /* And its place in the order. */
    BUFFER_MIB = 320,
    BUFFER_MIB_MAX = 1 << 17
};

static const char HELP[] =
    "rookery train FILE… --to NET: a network from files of games (docs/network.md).\n"
    "\n"
    "  --hidden N        accumulators of a side (128), a multiple of 16\n"
    "  --areas N         of the own king: 1, 2, 4, 8 (1)\n"
    "  --buckets N       outputs, by men on the board: 1 to 8 (1)\n"
    "  --epochs N        (30)\n"
    "  --batch N         positions a step (16384)\n"
    "  --rate R          after --warmup N steps (0.001, 200)\n"
    "  --schedule S      cosine: the rate falls to --rate-end R (0.00001); step: every\n"
    "                    --drop-epochs N (10) it is multiplied by --drop R (0.3)\n"
    "  --decay R         of weights (0.01)\n"
    "  --scale R         units of the scores at which 1 / (1 + 1/e) points are expected (100)\n"
    "  --lambda R        the score's part in what is learnt; the rest is the game's result's "
    "(0.7)\n"
    "  --plies N         the first N positions of a game are left out (0)\n"
    "  --score-max N     so are scores further from 0 (2000), and mates\n"
    "  --checks, --noisy positions in check, or whose move captures or promotes, are not\n"
    "  --held PERMILLE   of the games are held out (20): `rookery data split` takes the same\n"
    "  --seed N          of the first weights, of order and division (1)\n"
    "  --slices N        the gradient is summed up in so many (8): threads of use\n"
    "  --threads N       (all cores)\n"
    "  --buffer MIB      of positions that are mixed (320)\n"
    "  --checkpoint S    seconds between checkpoints, in NET.state, and between networks, which "
    "are\n"
    "                    written behind an epoch (20); 0: each step, each epoch\n"
    "  --csv F, --svg F  both losses, with the network\n"
    "  --nice N          0 to 19: how far others have precedence (10)\n"
    "\n"
    "The same words go on from NET.state, or write all anew when nothing is left to do. Threads "
    "do\n"
    "not change the result. NET may be a network, which is replaced, but no other file.\n";

struct words {
    const char *to, *csv, *svg, *schedule;
    uint64_t hidden, areas, buckets, epochs, batch, warmup, drop_epochs, plies, score_max, held;
    uint64_t seed, slices, threads, buffer_mib, checkpoint_s, nice;
    const char *rate, *rate_end, *drop, *decay, *scale, *lambda;
    bool takes_checks, takes_noisy, wants_help;
};

struct show {
    struct progress progress;
    uint64_t epochs;
    bool was_interrupted;
};

/* A decimal number, when one is given. False after saying why not. */
static bool real_read(const char *name, const char *text, double min, double max,
                      double *out_number)
{
    double number;
    if (text == NULL)
        return true;
    if (games_numbers(text, 1, &number) == 1 && number >= min && number <= max) {
        *out_number = number;
        return true;
    }
    fprintf(stderr, "rookery train: %s needs a number from %g to %g, not '%s'\n", name, min, max,
            text);
    return false;
}

static bool reals_read(const struct words *words, struct train_settings *settings)
{
    struct optimizer_settings *optimizer = &settings->optimizer;
    return real_read("--rate", words->rate, 1e-9, 1.0, &optimizer->rate) &&
           real_read("--rate-end", words->rate_end, 0.0, 1.0, &optimizer->rate_end) &&
           real_read("--drop", words->drop, 1e-6, 1.0, &optimizer->drop) &&
           real_read("--decay", words->decay, 0.0, 1.0, &optimizer->decay) &&
           real_read("--scale", words->scale, 1.0, 10000.0, &settings->rules.scale) &&
           real_read("--lambda", words->lambda, 0.0, 1.0, &settings->rules.lambda);
}

/* False after saying why. */
static bool settings_make(const struct words *words, struct train_settings *settings)
{
    settings->shape = (struct network_shape){.areas = (unsigned)words->areas,
                                             .hidden = (unsigned)words->hidden,
                                             .buckets = (unsigned)words->buckets};
    settings->rules.takes_checks = words->takes_checks;
    settings->rules.takes_noisy = words->takes_noisy;
    settings->rules.plies_min = (unsigned)words->plies;
    settings->rules.score_max = (unsigned)words->score_max;
    settings->rules.held_permille = (unsigned)words->held;
    settings->rules.seed = words->seed;
    settings->optimizer.warmup_steps = words->warmup;
    settings->optimizer.drop_epochs = words->drop_epochs;
    settings->batch = (unsigned)words->batch;
    settings->epochs = (unsigned)words->epochs;
    settings->slices = (unsigned)words->slices;
    settings->buffer = (words->buffer_mib << 20) / SAMPLE_BYTES;
    if (words->schedule != NULL && strcmp(words->schedule, "step") == 0) {
        settings->optimizer.schedule = SCHEDULE_STEP;
    } else if (words->schedule != NULL && strcmp(words->schedule, "cosine") != 0) {
        fprintf(stderr, "rookery train: --schedule is cosine or step, not '%s'\n", words->schedule);
        return false;
    }
    return reals_read(words, settings);
}

static void on_begun(void *context, const struct train_news *news, uint64_t epochs, uint64_t steps)
{
    static const char *const FATES[FATE_COUNT] = {
        [FATE_LEARNT] = "to learn from",      [FATE_HELD] = "held out",
        [FATE_PLY] = "left out: first plies", [FATE_CHECK] = "in check",
        [FATE_NOISY] = "a noisy move",        [FATE_MATE] = "a mate seen",
        [FATE_SCORE] = "scores too far"};
    struct show *show = context;
    fprintf(stderr, "rookery train: %" PRIu64 " games, %" PRIu64 " held out; positions",
            news->data->games, news->data->held_games);
    for (unsigned fate = 0; fate < FATE_COUNT; fate++)
        fprintf(stderr, "%s %" PRIu64 " %s", fate == 0 ? "" : ",", news->data->fates[fate],
                FATES[fate]);
    fputc('\n', stderr);
    if (steps > 0)
        fprintf(stderr, "rookery train: goes on after %" PRIu64 " epochs, %" PRIu64 " steps\n",
                epochs, steps);
    progress_begin(&show->progress);
}

static double positions_a_second(uint64_t positions, int64_t us)
{
    return (double)positions * US_PER_S / (double)(us > 0 ? us : 1);
}

static bool on_reading(void *context)
{
    struct show *show = context;
    show->was_interrupted |= games_is_interrupted();
    return !show->was_interrupted;
}

static bool on_tick(void *context, const struct train_news *news)
{
    struct show *show = context;
    char text[TEXT_BYTES], held[HELD_BYTES] = "";
    if (news->held_loss >= 0.0)
        snprintf(held, sizeof held, ", held out %.6f", news->held_loss);
    snprintf(text, sizeof text,
             "epoch %" PRIu64 " of %" PRIu64 ", loss %.6f%s, %.0f positions a second", news->epoch,
             show->epochs, news->learnt_loss, held,
             positions_a_second(news->positions, news->learning_us));
    progress_show(&show->progress, news->share, text);
    return on_reading(context);
}

static int complain(const char *path, const char *what)
{
    fprintf(stderr, "rookery train: %s%s%s\n", path, *path == '\0' ? "" : ": ", what);
    return EXIT_FAILED;
}

static int complain_of_data(const struct train *train, const struct train_result *result)
{
    char what[TEXT_BYTES];
    if (result->fault == GAMEFILE_SYSTEM)
        return complain(train->paths[result->place.file], strerror(errno));
    snprintf(what, sizeof what, "block %" PRIu64 " at byte %" PRIu64 ": %s", result->place.block,
             result->place.offset, gamefile_fault_text(result->fault));
    return complain(train->paths[result->place.file], what);
}

static int result_print(const struct train *train, const struct train_result *result)
{
    const double rate = positions_a_second(result->positions, result->learning_us);
    printf("network %s\nepochs %" PRIu64 "\nsteps %" PRIu64
           "\nlearnt_loss %.6f\nheld_loss %.6f\npositions %" PRIu64 "\npositions_a_second %.0f\n",
           train->network, result->row.epoch, result->row.steps, result->row.learnt_loss,
           result->row.held_loss, result->positions, rate);
    return fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

static int learn(const struct train *train_given)
{
    struct train train = *train_given;
    struct train_result result;
    struct show show = {.epochs = train.settings.epochs};
    train.tick = on_tick;
    train.reading = on_reading;
    train.begun = on_begun;
    train.context = &show;
    progress_begin(&show.progress);
    games_hold_interrupts(true);
    const enum train_end end = train_run(&train, &result);
    const int fault = errno;
    games_hold_interrupts(false);
    progress_hide(&show.progress);
    errno = fault;
    switch (end) {
    case TRAIN_DONE: return result_print(&train, &result);
    case TRAIN_STOPPED: fputs("rookery train: ended; the same words go on\n", stderr); return 0;
    case TRAIN_NO_MEMORY: return complain("", rk_status_text(RK_NO_MEMORY));
    case TRAIN_THREADS: return complain("", rk_status_text(RK_SYSTEM));
    case TRAIN_SYSTEM: return complain(result.path, strerror(errno));
    case TRAIN_DATA: return complain_of_data(&train, &result);
    case TRAIN_NOTHING: return complain("", "no position is left to learn from");
    case TRAIN_SHAPE:
        (void)complain("", "--areas is 1, 2, 4 or 8, --hidden a multiple of 16");
        return EXIT_USAGE;
    case TRAIN_BUSY: return complain(result.path, "another process writes it");
    case TRAIN_BROKEN: return complain(result.path, "is no checkpoint; remove it to begin anew");
    case TRAIN_OTHER: break;
    }
    (void)complain(result.path, "is of other settings or data; remove it to begin anew");
    return *result.text == '\0' ? EXIT_FAILED : complain("it was", result.text);
}

static struct words words_usual(const struct train_settings *usual)
{
    return (struct words){.hidden = usual->shape.hidden,
                          .areas = usual->shape.areas,
                          .buckets = usual->shape.buckets,
                          .epochs = usual->epochs,
                          .batch = usual->batch,
                          .warmup = usual->optimizer.warmup_steps,
                          .drop_epochs = usual->optimizer.drop_epochs,
                          .score_max = usual->rules.score_max,
                          .held = usual->rules.held_permille,
                          .seed = usual->rules.seed,
                          .slices = usual->slices,
                          .threads = games_threads(),
                          .buffer_mib = BUFFER_MIB,
                          .checkpoint_s = CHECKPOINT_S,
                          .nice = NICE};
}

/* Learns, if nothing that is needed is written over. */
static int learn_apart(const struct train *train)
{
    struct outputs outputs = {.count = 0};
    outputs_add(&outputs, train->network);
    char state[WHOLEFILE_PATH_BYTES];
    (void)snprintf(state, sizeof state, "%s" TRAIN_STATE_SUFFIX, train->network);
    outputs_add(&outputs, state);
    outputs_add_beside(&outputs, train->network, WHOLEFILE_LOCK);
    outputs_add(&outputs, train->csv);
    outputs_add(&outputs, train->svg);
    if (!outputs_are_apart(&outputs, "train", train->paths, train->path_count))
        return EXIT_USAGE;
    return outputs_may_be_network("train", train->network) ? learn(train) : EXIT_FAILED;
}

int command_train(int count, char **words)
{
    struct train train = {.network = NULL};
    train_settings_default(&train.settings);
    struct words given = words_usual(&train.settings);
    const struct argument arguments[] = {
        {.name = "--to", .text = &given.to},
        {.name = "--hidden", .min = 16, .max = NETWORK_HIDDEN_MAX, .value = &given.hidden},
        {.name = "--areas", .min = 1, .max = 8, .value = &given.areas},
        {.name = "--buckets", .min = 1, .max = NETWORK_BUCKETS_MAX, .value = &given.buckets},
        {.name = "--epochs", .min = 1, .max = TRAIN_EPOCHS_MAX, .value = &given.epochs},
        {.name = "--batch", .min = 1, .max = TRAIN_BATCH_MAX, .value = &given.batch},
        {.name = "--warmup", .max = UINT32_MAX, .value = &given.warmup},
        {.name = "--drop-epochs", .min = 1, .max = TRAIN_EPOCHS_MAX, .value = &given.drop_epochs},
        {.name = "--plies", .max = GAMEFILE_PLIES_MAX, .value = &given.plies},
        {.name = "--score-max", .max = GAMEFILE_SCORE_MAX, .value = &given.score_max},
        {.name = "--held", .max = 999, .value = &given.held},
        {.name = "--seed", .max = UINT64_MAX, .value = &given.seed},
        {.name = "--slices", .min = 1, .max = OPTIMIZER_SLICES_MAX, .value = &given.slices},
        {.name = "--threads", .min = 1, .max = GANG_THREADS_MAX, .value = &given.threads},
        {.name = "--buffer", .min = 1, .max = BUFFER_MIB_MAX, .value = &given.buffer_mib},
        {.name = "--checkpoint", .max = CHECKPOINT_S_MAX, .value = &given.checkpoint_s},
        {.name = "--nice", .max = NICE_MAX, .value = &given.nice},
        {.name = "--csv", .text = &given.csv},
        {.name = "--svg", .text = &given.svg},
        {.name = "--schedule", .text = &given.schedule},
        {.name = "--rate", .text = &given.rate},
        {.name = "--rate-end", .text = &given.rate_end},
        {.name = "--drop", .text = &given.drop},
        {.name = "--decay", .text = &given.decay},
        {.name = "--scale", .text = &given.scale},
        {.name = "--lambda", .text = &given.lambda},
        {.name = "--checks", .flag = &given.takes_checks},
        {.name = "--noisy", .flag = &given.takes_noisy},
        {.name = "--help", .flag = &given.wants_help},
    };
    const int rest =
        arguments_parse("train", arguments, sizeof arguments / sizeof *arguments, count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (given.wants_help)
        return fputs(HELP, stdout) < 0 ? EXIT_FAILED : 0;
    if (rest < 1 || rest > TRAIN_FILES_MAX || given.to == NULL) {
        fputs("rookery train: files of games and --to are needed; `rookery train --help` tells\n",
              stderr);
        return EXIT_USAGE;
    }
    if (!settings_make(&given, &train.settings))
        return EXIT_USAGE;
    train.paths = (const char *const *)words;
    train.path_count = (unsigned)rest;
    train.network = given.to;
    train.csv = given.csv;
    train.svg = given.svg;
    train.threads = (unsigned)given.threads;
    train.checkpoint_us = (int64_t)given.checkpoint_s * US_PER_S;
    (void)setpriority(PRIO_PROCESS, 0, (int)given.nice); /* Threads inherit it. */
    return learn_apart(&train);
}
