/* The words of a tuning run. Those that a run depends on are in its checkpoint, too: `--resume`
 * takes them from there, and takes no others. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/arguments.h"
#include "app/command.h"
#include "app/games.h"
#include "app/outputs.h"
#include "app/tuning.h"
#include "base/file.h"
#include "lab/checkpoint.h"
#include "lab/player_options.h"

enum { BOOK_PLIES = 16, EVERY = 10, NUMBERS_MAX = 4 };

static const uint64_t NOT_GIVEN = UINT64_MAX;
/* Rows that games of one thread without tablebases, with limits in nodes, leave to chance. */
static const char *const UNSEEN[] = {"TIME_", "HELPER_", "VOTE_", "TABLEBASE_"};

static const char HELP[] =
    "rookery tune: rows of src/engine/tune.h, climbed by SPSA over games of the engine against\n"
    "itself. Needs a build in which rows can be set; `./dev tune …` makes it and runs this.\n"
    "\n"
    "  --row NAME[=START[,LOW,HIGH[,STEP]]]\n"
    "                         a row to move, as often as wanted; from where, within what, and how\n"
    "                         far its last probes lie from its value (a 20th of its range)\n"
    "  --all                  every other row as built, but those that such games never show\n"
    "                         (TIME_…, HELPER_…, VOTE_…, TABLEBASE_…)\n"
    "  --iterations N         each a step (1000)\n"
    "  --pairs N              of games in an iteration (8)\n"
    "  --rate R               steps that a point moves a value by in the last iterations (0.002)\n"
    "  --nodes N              a move (8000)\n"
    "  --options OPTIONS      of both players: `rookery selfplay --help`, and rows\n"
    "  --openings FILE        EPD or PGN; in an order by --seed\n"
    "  --opening-plies N      without a file: so many random moves (8), kept when about even\n"
    "  --seed N               of openings and probes (1)\n"
    "  --checkpoint FILE      written at the start and as iterations end, to go on from\n"
    "  --every N              iterations between two checkpoints (10)\n"
    "  --resume FILE          goes on from there as if nothing had happened\n"
    "  --csv FILE             the values after each iteration\n"
    "  --threads N            games at once (all cores)\n"
    "\n"
    "With --nodes the same words give the same values on any number of threads. With --resume "
    "only\n"
    "--checkpoint, --every, --csv and --threads can be told anew.\n";

struct words {
    const char *row_words[SPSA_ROWS_MAX];
    struct argument_list rows;
    bool wants_all, wants_help;
    uint64_t iterations, pairs, nodes, opening_plies, seed;
    const char *rate, *options, *openings;
    uint64_t every, threads;
    const char *checkpoint, *resume, *csv;
};

static bool complain(const char *what, const char *word)
{
    fprintf(stderr, "rookery tune: %s: '%s'; `rookery tune --help` tells what is\n", what, word);
    return false;
}

static bool row_add(struct tune *tune, const char *word)
{
    const size_t length = strcspn(word, "=");
    double numbers[NUMBERS_MAX];
    unsigned row, count = 0;
    struct spsa_row wanted;
    if (!row_find((struct slice){word, length}, &row))
        return complain("no row of src/engine/tune.h", word);
    tune_row_default(row, &wanted);
    if (word[length] == '=') {
        count = games_numbers(word + length + 1, NUMBERS_MAX, numbers);
        if (count == 0 || count == 2)
            return complain("--row is no NAME=START,LOW,HIGH,STEP", word);
    }
    if (count >= 1)
        wanted.start = numbers[0];
    if (count >= 3) {
        wanted.low = numbers[1];
        wanted.high = numbers[2];
    }
    if (count == 4)
        wanted.step = numbers[3];
    return tune_add_row(tune, row, &wanted) == RK_OK ||
           complain("a row twice, or numbers outside its range", word);
}

static bool is_unseen(const struct row *row)
{
    for (unsigned i = 0; i < sizeof UNSEEN / sizeof *UNSEEN; i++)
        if (strncmp(row->name, UNSEEN[i], strlen(UNSEEN[i])) == 0)
            return true;
    return false;
}

static bool rows_add(struct tune *tune, const struct words *words)
{
    for (unsigned i = 0; i < words->rows.count; i++)
        if (!row_add(tune, words->row_words[i]))
            return false;
    for (unsigned row = 0; row < ROW_COUNT && words->wants_all; row++) {
        struct spsa_row wanted;
        if (is_unseen(row_at(row)))
            continue;
        tune_row_default(row, &wanted);
        (void)tune_add_row(tune, row, &wanted); /* One that is there stays as it is. */
    }
    return tune->spsa.count > 0 || complain("what is to move needs a name", "--row");
}

/* Into a line of a checkpoint. */
static bool text_keep(const char *name, const char *text, char out_text[TUNE_TEXT_BYTES])
{
    if (text == NULL)
        return true;
    if (strlen(text) >= TUNE_TEXT_BYTES || strpbrk(text, "\r\n") != NULL)
        return complain("too long, or more than a line", name);
    memcpy(out_text, text, strlen(text) + 1);
    return true;
}

static void number_keep(uint64_t given, uint64_t *number)
{
    if (given != NOT_GIVEN)
        *number = given;
}

static bool tune_make(const struct words *words, struct tune *tune)
{
    tune_default(tune);
    number_keep(words->iterations, &tune->spsa.iterations);
    number_keep(words->seed, &tune->spsa.seed);
    number_keep(words->pairs, &tune->pairs);
    number_keep(words->nodes, &tune->nodes);
    number_keep(words->opening_plies, &tune->opening_plies);
    if (words->rate != NULL && (games_numbers(words->rate, 1, &tune->spsa.rate) != 1 ||
                                !(tune->spsa.rate > 0.0) || !(tune->spsa.rate <= TUNE_RATE_MAX)))
        return complain("--rate is no number above 0 and at most 10", words->rate);
    return text_keep("--options", words->options, tune->options) &&
           text_keep("--openings", words->openings, tune->openings) && rows_add(tune, words);
}

static bool tune_read(const struct words *words, struct tune *tune)
{
    struct checkpoint_fault fault;
    if (words->rows.count > 0 || words->wants_all || words->iterations != NOT_GIVEN ||
        words->pairs != NOT_GIVEN || words->nodes != NOT_GIVEN ||
        words->opening_plies != NOT_GIVEN || words->seed != NOT_GIVEN || words->rate != NULL ||
        words->options != NULL || words->openings != NULL)
        return complain("--resume takes what the run depends on from its file", words->resume);
    switch (checkpoint_read(words->resume, tune, &fault)) {
    case RK_OK: return true;
    case RK_BAD_ARGUMENT:
        fprintf(stderr, "rookery tune: %s:%u: %s\n", words->resume, fault.line, fault.what);
        return false;
    case RK_SYSTEM: return complain(file_error_text(errno), words->resume);
    default: return complain(rk_status_text(RK_NO_MEMORY), words->resume);
    }
}

/* What games are like, by what the run says. */
static bool selfplay_make(const struct words *words, struct tune *tune, struct selfplay *selfplay,
                          struct book **out_book)
{
    struct player_settings *settings = &selfplay->players[0];
    struct player_options_fault fault;
    settings->limits = (struct player_limits){.nodes = tune->nodes};
    selfplay->opening_plies = (unsigned)tune->opening_plies;
    if (!player_settings_parse(settings, slice_of(tune->options), &fault))
        return complain(fault.why, tune->options);
    if (!player_increment_is_of_use(settings))
        return complain("an increment needs a clock, Time=", tune->options);
    if (settings->eval_file[0] != '\0')
        return complain("tune plays with the network that is built in: no EvalFile", tune->options);
    if (tune->openings[0] == '\0')
        return true;
    if (!games_book("tune", tune->openings, BOOK_PLIES, tune->spsa.seed, out_book))
        return false;
    const uint64_t count = book_count(*out_book), checksum = book_checksum(*out_book);
    if (words->resume != NULL &&
        (tune->openings_count != count || tune->openings_checksum != checksum)) {
        fprintf(stderr,
                "rookery tune: %s:%d: the run began with other openings than those of '%s'\n",
                words->resume, CHECKPOINT_BOOK_LINE, tune->openings);
        return false;
    }
    tune->openings_count = count;
    tune->openings_checksum = checksum;
    selfplay->book = *out_book;
    return true;
}

/* Whether nothing that the run reads or writes is written over by its table. */
static bool files_are_apart(const struct words *words, const struct tuning *tuning)
{
    struct outputs outputs = {.count = 0};
    outputs_add(&outputs, tuning->checkpoint);
    outputs_add_beside(&outputs, tuning->csv, "");
    const char *const openings[] = {tuning->tune.openings};
    struct outputs others = {.count = 0}; /* The checkpoint itself may be the one that is read. */
    outputs_add_beside(&others, tuning->csv, "");
    outputs_add_beside(&others, tuning->checkpoint, WHOLEFILE_UNFINISHED);
    return outputs_are_apart(&outputs, "tune", openings, 1) &&
           outputs_are_apart(&others, "tune", &words->resume, 1);
}

/* No other run is written over. One that is gone on with elsewhere may go on there again. */
static bool checkpoint_is_free(const struct words *words, const struct tune *tune)
{
    struct tune found;
    struct checkpoint_fault fault;
    if (words->checkpoint == NULL || access(words->checkpoint, F_OK) != 0)
        return true;
    if (words->resume == NULL)
        return complain("there is a checkpoint already: --resume it, or remove it",
                        words->checkpoint);
    return (checkpoint_read(words->checkpoint, &found, &fault) == RK_OK &&
            tune_is_same_run(tune, &found)) ||
           complain("it is there and is no checkpoint of the run that --resume names: remove it, "
                    "or give another name",
                    words->checkpoint);
}

static int tune_set_up(const struct words *words)
{
    struct tuning tuning = {
        .every = words->every, .csv = words->csv, .is_new = words->resume == NULL};
    struct book *book = NULL;
    int exit_status = EXIT_USAGE;
    tuning.checkpoint = words->checkpoint != NULL ? words->checkpoint : words->resume;
    selfplay_default(&tuning.selfplay);
    tuning.selfplay.threads = (unsigned)words->threads;
    const bool is_made =
        words->resume != NULL ? tune_read(words, &tuning.tune) : tune_make(words, &tuning.tune);
    if (is_made && checkpoint_is_free(words, &tuning.tune) && files_are_apart(words, &tuning) &&
        selfplay_make(words, &tuning.tune, &tuning.selfplay, &book))
        exit_status = tuning_run(&tuning);
    book_destroy(book);
    return exit_status;
}

int command_tune(int count, char **words)
{
    struct words given = {.iterations = NOT_GIVEN,
                          .pairs = NOT_GIVEN,
                          .nodes = NOT_GIVEN,
                          .opening_plies = NOT_GIVEN,
                          .seed = NOT_GIVEN,
                          .every = EVERY,
                          .threads = games_threads()};
    given.rows = (struct argument_list){.words = given.row_words, .max = SPSA_ROWS_MAX};
    const struct argument arguments[] = {
        {.name = "--row", .list = &given.rows},
        {.name = "--all", .flag = &given.wants_all},
        {.name = "--iterations", .min = 1, .max = TUNE_ITERATIONS_MAX, .value = &given.iterations},
        {.name = "--pairs", .min = 1, .max = TUNE_PAIRS_MAX, .value = &given.pairs},
        {.name = "--rate", .text = &given.rate},
        {.name = "--nodes", .min = 1, .max = INT32_MAX, .value = &given.nodes},
        {.name = "--options", .text = &given.options},
        {.name = "--openings", .text = &given.openings},
        {.name = "--opening-plies", .max = OPENING_PLIES_MAX, .value = &given.opening_plies},
        {.name = "--seed", .max = INT64_MAX, .value = &given.seed},
        {.name = "--checkpoint", .text = &given.checkpoint},
        {.name = "--every", .min = 1, .max = TUNE_ITERATIONS_MAX, .value = &given.every},
        {.name = "--resume", .text = &given.resume},
        {.name = "--csv", .text = &given.csv},
        {.name = "--threads", .min = 1, .max = SELFPLAY_THREADS_MAX, .value = &given.threads},
        {.name = "--help", .flag = &given.wants_help},
    };
    const int rest =
        arguments_parse("tune", arguments, sizeof arguments / sizeof *arguments, count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (rest > 0) {
        (void)complain("not an option", words[0]);
        return EXIT_USAGE;
    }
    if (given.wants_help)
        return fputs(HELP, stdout) < 0 ? EXIT_FAILED : 0;
    if (!ROWS_ARE_FREE) {
        fputs(
            "rookery tune: in this build the search's numbers are constants. `./dev tune …` in the "
            "source tree builds one in which they can be set, build/tune/bin/rookery, and runs it "
            "with the same words.\n",
            stderr);
        return EXIT_USAGE;
    }
    return tune_set_up(&given);
}
