/* Games between two settings. What is counted goes to stdout when all is over, and depends on
 * nothing but the words (with limits in nodes or depth); progress goes to stderr. Ctrl-C ends the
 * games and tells what was counted so far. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/arguments.h"
#include "app/command.h"
#include "app/games.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "base/file.h"
#include "lab/pgn.h"
#include "lab/player_options.h"
#include "lab/selfplay.h"

enum { OPTION_FILE_BYTES_MAX = 4096, NAME_BYTES_MAX = 256, NAME_SHOWN_MAX = 120, BOOK_PLIES = 16 };

static const char HELP[] =
    "rookery selfplay: games between two settings, A and B, in pairs: one opening, both colours.\n"
    "\n"
    "  --a OPTIONS, --b OPTIONS   Name=value,…: Hash, Nodes, Depth, MoveTime, Time, Increment,\n"
    "                             UCI_Elo, EvalFile, Off=TECHNIQUE+…, Only=TECHNIQUE+…; each\n"
    "                             once, Off and Only once together\n"
    "  --a-file F, --b-file F     the same from a file, one a line; --a and --b come after it\n"
    "  --nodes N                  a move; 8000 when there is no other limit\n"
    "  --depth D, --movetime MS   a move\n"
    "  --time MS --increment MS   a clock for the game; no increment without one\n"
    "  --games N                  at most (1000), two an opening: odd ones are one more\n"
    "  --sprt ELO0,ELO1           stop when one of the two is established at 5 % error\n"
    "  --openings FILE            EPD, or PGN up to --openings-plies (16); in an order by --seed\n"
    "  --opening-plies N          without a file: so many random moves (8), kept when about even\n"
    "  --resign CP,PLIES          lost when both see it for so long (900,6); off: never\n"
    "  --draw CP,PLIES,FROMPLY    drawn when both see it for so long (8,12,80); off: never\n"
    "  --plies N                  a game of so many plies is drawn (500)\n"
    "  --threads N                games at once (all cores)\n"
    "  --seed N                   of openings and their order (1)\n"
    "  --pgn FILE                 games are written there as they end\n"
    "\n"
    "With --nodes or --depth the same words give the same games on any number of threads.\n";

struct words {
    const char *options[2];
    const char *option_files[2];
    const char *openings, *pgn, *sprt, *resign, *draw;
    uint64_t nodes, depth, movetime_ms, time_ms, increment_ms;
    uint64_t games, threads, seed, opening_plies, openings_plies, plies;
    bool wants_help;
};

struct play {
    struct selfplay selfplay;
    struct progress progress;
    FILE *pgn;
    char names[2][NAME_BYTES_MAX];
    struct rk_network *networks[2];
    bool has_failed;
    bool was_interrupted;
};

static bool complain(const char *what, const char *word)
{
    fprintf(stderr, "rookery selfplay: %s: '%s'; `rookery selfplay --help` tells what is\n", what,
            word);
    return false;
}

static bool rules_parse(const struct words *words, struct game_rules *rules)
{
    double numbers[3];
    rules->plies_max = (unsigned)words->plies;
    if (words->resign != NULL && strcmp(words->resign, "off") == 0) {
        rules->resign_plies = 0;
    } else if (words->resign != NULL) {
        if (games_numbers(words->resign, 2, numbers) != 2 || !(numbers[0] >= 1) ||
            !(numbers[0] <= GAME_SCORE_MAX) || !(numbers[1] >= 1) || !(numbers[1] <= 1000))
            return complain("--resign is no CP,PLIES", words->resign);
        rules->resign_score = (int)numbers[0];
        rules->resign_plies = (unsigned)numbers[1];
    }
    if (words->draw != NULL && strcmp(words->draw, "off") == 0) {
        rules->draw_plies = 0;
    } else if (words->draw != NULL) {
        if (games_numbers(words->draw, 3, numbers) != 3 || !(numbers[0] >= 0) ||
            !(numbers[0] <= GAME_SCORE_MAX) || !(numbers[1] >= 1) || !(numbers[1] <= 1000) ||
            !(numbers[2] >= 0) || !(numbers[2] <= 1000))
            return complain("--draw is no CP,PLIES,FROMPLY", words->draw);
        rules->draw_score = (int)numbers[0];
        rules->draw_plies = (unsigned)numbers[1];
        rules->draw_from = (unsigned)numbers[2];
    }
    return true;
}

/* What a player is told to be: its file, then what changes it. */
static void name_make(char player, const char *file, const char *options,
                      char out_name[NAME_BYTES_MAX])
{
    struct text name;
    text_init(&name, out_name, NAME_BYTES_MAX);
    (void)text_add_char(&name, player);
    (void)text_add(&name, ": ");
    if (file == NULL && options == NULL)
        (void)text_add(&name, "as built");
    if (file != NULL)
        (void)text_add_quoted(&name, slice_of(file), NAME_SHOWN_MAX);
    if (file != NULL && options != NULL)
        (void)text_add_char(&name, ',');
    if (options != NULL)
        (void)text_add_quoted(&name, slice_of(options), NAME_SHOWN_MAX);
}

static bool options_apply(struct player_settings *settings, struct slice text)
{
    struct player_options_fault fault;
    struct text shown;
    char bytes[NAME_BYTES_MAX];
    if (player_settings_parse(settings, text, &fault))
        return true;
    text_init(&shown, bytes, sizeof bytes);
    (void)text_add_quoted(&shown, fault.word, NAME_SHOWN_MAX);
    return complain(fault.why, bytes);
}

static bool options_read(struct player_settings *settings, const char *path)
{
    char text[OPTION_FILE_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return complain(strerror(errno), path);
    const size_t length = fread(text, 1, sizeof text, file);
    const bool is_whole = feof(file) != 0 && ferror(file) == 0;
    fclose(file);
    return is_whole ? options_apply(settings, (struct slice){text, length})
                    : complain("the file of options cannot be read, or is too long", path);
}

static bool players_parse(const struct words *words, struct play *play)
{
    struct player_limits limits = {.nodes = words->nodes,
                                   .depth = (uint32_t)words->depth,
                                   .movetime_ms = (int64_t)words->movetime_ms,
                                   .time_ms = (int64_t)words->time_ms,
                                   .increment_ms = (int64_t)words->increment_ms};
    if (limits.nodes == 0 && limits.depth == 0 && limits.movetime_ms == 0 && limits.time_ms == 0)
        limits.nodes = PLAYER_NODES;
    for (unsigned i = 0; i < 2; i++) {
        struct player_settings *settings = &play->selfplay.players[i];
        settings->limits = limits;
        if (words->option_files[i] != NULL && !options_read(settings, words->option_files[i]))
            return false;
        if (words->options[i] != NULL && !options_apply(settings, slice_of(words->options[i])))
            return false;
        name_make("AB"[i], words -> option_files[i], words -> options[i], play -> names[i]);
    }
    return true;
}

/* --increment is for whoever has a clock; a player that has none may have one from nowhere else. */
static bool increments_apply(const struct words *words, struct selfplay *selfplay)
{
    bool is_of_use = words->increment_ms == 0;
    for (unsigned i = 0; i < 2; i++)
        is_of_use |= selfplay->players[i].limits.time_ms > 0;
    for (unsigned i = 0; i < 2; i++) {
        struct player_limits *limits = &selfplay->players[i].limits;
        if (is_of_use && limits->time_ms == 0 &&
            limits->increment_ms == (int64_t)words->increment_ms)
            limits->increment_ms = 0;
        if (!player_increment_is_of_use(&selfplay->players[i]))
            return complain("an increment needs a clock, --time or Time=, of the player",
                            i == 0 ? "A" : "B");
    }
    return true;
}

static bool networks_load(struct play *play)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    for (unsigned i = 0; i < 2; i++) {
        struct player_settings *settings = &play->selfplay.players[i];
        if (player_settings_load(settings, &play->networks[i], error))
            continue;
        fprintf(stderr, "rookery selfplay: EvalFile '%s': %s\n", settings->eval_file, error);
        return false;
    }
    return true;
}

static bool on_pair(void *context, const struct selfplay_state *state,
                    const struct pair_record *record)
{
    struct play *play = context;
    const char *const names[2] = {play->names[0], play->names[1]};
    (void)state;
    for (unsigned i = 0; i < GAMES_PER_PAIR && play->pgn != NULL; i++)
        play->has_failed |= !pgn_write(play->pgn, &record->games[i], names,
                                       record->number * GAMES_PER_PAIR + i + 1);
    return !play->has_failed;
}

static bool on_tick(void *context, const struct selfplay_state *state)
{
    struct play *play = context;
    char line[GAMES_LINE_BYTES];
    games_state_line(&play->selfplay, state, line);
    progress_show(&play->progress, (double)state->pairs / (double)play->selfplay.pairs_max, line);
    play->was_interrupted |= games_is_interrupted();
    return !play->was_interrupted;
}

static void estimate_print(const struct pentanomial *pairs)
{
    struct elo_estimate estimate;
    if (!elo_estimate(pairs, &estimate)) {
        fputs("score -\nelo -\n", stdout);
        return;
    }
    printf("score %.2f %% [%.2f, %.2f]\n", 100.0 * estimate.score, 100.0 * estimate.score_low,
           100.0 * estimate.score_high);
    printf("elo %+.1f ± %.1f [%+.1f, %+.1f], A is stronger: %.1f %%\n", estimate.elo,
           estimate.error, estimate.low, estimate.high, 100.0 * estimate.superiority);
}

static void result_print(const struct play *play, const struct selfplay_state *state)
{
    const struct sprt *sprt = &play->selfplay.sprt;
    const uint64_t *counts = state->pentanomial.counts;
    printf("%s\n%s\n", play->names[0], play->names[1]);
    printf("games %" PRIu64 ": A won %" PRIu64 ", lost %" PRIu64 ", drew %" PRIu64
           "; by time %" PRIu64 "\n",
           state->pairs * GAMES_PER_PAIR, state->wins, state->losses, state->draws, state->faults);
    printf("pairs of 0, 1/2, 1, 1 1/2, 2 points: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
           " %" PRIu64 "\n",
           counts[0], counts[1], counts[2], counts[3], counts[4]);
    estimate_print(&state->pentanomial);
    if (play->selfplay.has_sprt)
        printf("sprt elo0 %g, elo1 %g: llr %.2f [%.2f, %.2f], %s\n", sprt->elo0, sprt->elo1,
               state->llr, sprt_low(sprt), sprt_high(sprt), games_verdict(state->verdict));
}

static int play_all(struct play *play)
{
    struct selfplay_state state;
    play->selfplay.hooks =
        (struct selfplay_hooks){.pair = on_pair, .tick = on_tick, .context = play};
    progress_begin(&play->progress);
    games_hold_interrupts(true);
    const enum rk_status status = selfplay_run(&play->selfplay, &state);
    games_hold_interrupts(false);
    progress_hide(&play->progress);
    if (status != RK_OK)
        fprintf(stderr, "rookery selfplay: %s\n", rk_status_text(status));
    else if (play->has_failed)
        fprintf(stderr, "rookery selfplay: the PGN file cannot be written: %s\n", strerror(errno));
    if (status == RK_OK)
        result_print(play, &state);
    return status == RK_OK && !play->has_failed && fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

static bool pgn_is_apart(const struct words *words, const struct play *play)
{
    struct outputs outputs = {.count = 0};
    outputs_add_beside(&outputs, words->pgn, "");
    const char *const inputs[] = {words->openings, words->option_files[0], words->option_files[1],
                                  play->selfplay.players[0].eval_file,
                                  play->selfplay.players[1].eval_file};
    return outputs_are_apart(&outputs, "selfplay", inputs, sizeof inputs / sizeof *inputs);
}

static int play_set_up(const struct words *words)
{
    struct play play = {.pgn = NULL};
    struct selfplay *selfplay = &play.selfplay;
    struct book *book = NULL;
    selfplay_default(selfplay);
    selfplay->threads = (unsigned)words->threads;
    selfplay->seed = words->seed;
    selfplay->pairs_max = games_pairs("selfplay", words->games);
    selfplay->opening_plies = (unsigned)words->opening_plies;
    if (!rules_parse(words, &selfplay->rules) || !games_sprt("selfplay", words->sprt, selfplay) ||
        !players_parse(words, &play) || !increments_apply(words, selfplay) ||
        !pgn_is_apart(words, &play) ||
        (words->openings != NULL &&
         !games_book("selfplay", words->openings, (unsigned)words->openings_plies, words->seed,
                     &book)))
        return EXIT_USAGE;
    selfplay->book = book;
    games_bound_pairs("selfplay", selfplay);
    int exit_status = EXIT_FAILED;
    if (!networks_load(&play))
        exit_status = EXIT_USAGE;
    else if (words->pgn != NULL && (play.pgn = fopen(words->pgn, "w")) == NULL)
        complain(strerror(errno), words->pgn);
    else
        exit_status = play_all(&play);
    if (play.pgn != NULL && !file_close(play.pgn))
        exit_status = EXIT_FAILED;
    book_destroy(book);
    for (unsigned i = 0; i < 2; i++)
        player_network_destroy(play.networks[i]);
    return exit_status;
}

int command_selfplay(int count, char **words)
{
    struct words given = {.games = (uint64_t)SELFPLAY_PAIRS * GAMES_PER_PAIR,
                          .threads = games_threads(),
                          .seed = 1,
                          .opening_plies = SELFPLAY_OPENING_PLIES,
                          .openings_plies = BOOK_PLIES};
    struct game_rules rules;
    arena_rules_default(&rules);
    given.plies = rules.plies_max;
    const struct argument arguments[] = {
        {.name = "--a", .text = &given.options[0]},
        {.name = "--b", .text = &given.options[1]},
        {.name = "--a-file", .text = &given.option_files[0]},
        {.name = "--b-file", .text = &given.option_files[1]},
        {.name = "--nodes", .min = 1, .max = INT32_MAX, .value = &given.nodes},
        {.name = "--depth", .min = 1, .max = PLY_MAX - 1, .value = &given.depth},
        {.name = "--movetime", .min = 1, .max = 3600000, .value = &given.movetime_ms},
        {.name = "--time", .min = 1, .max = 86400000, .value = &given.time_ms},
        {.name = "--increment", .min = 0, .max = 3600000, .value = &given.increment_ms},
        {.name = "--games", .min = 2, .max = SELFPLAY_PAIRS_MAX, .value = &given.games},
        {.name = "--sprt", .text = &given.sprt},
        {.name = "--openings", .text = &given.openings},
        {.name = "--openings-plies", .max = OPENING_PLIES_MAX, .value = &given.openings_plies},
        {.name = "--opening-plies", .max = OPENING_PLIES_MAX, .value = &given.opening_plies},
        {.name = "--resign", .text = &given.resign},
        {.name = "--draw", .text = &given.draw},
        {.name = "--plies", .min = 1, .max = GAME_PLIES_MAX, .value = &given.plies},
        {.name = "--threads", .min = 1, .max = SELFPLAY_THREADS_MAX, .value = &given.threads},
        {.name = "--seed", .max = UINT64_MAX, .value = &given.seed},
        {.name = "--pgn", .text = &given.pgn},
        {.name = "--help", .flag = &given.wants_help},
    };
    const int rest =
        arguments_parse("selfplay", arguments, sizeof arguments / sizeof *arguments, count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (rest > 0) {
        (void)complain("not an option", words[0]);
        return EXIT_USAGE;
    }
    if (given.wants_help)
        return fputs(HELP, stdout) < 0 ? EXIT_FAILED : 0;
    return play_set_up(&given);
}
