#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/ablate.h"
#include "app/arguments.h"
#include "app/command.h"
#include "app/games.h"
#include "app/outputs.h"
#include "app/progress.h"
#include "base/check.h"
#include "base/file.h"
#include "base/machine.h"
#include "rookery/engine.h"
#include "rookery/version.h"

enum {
    ABLATE_DEPTH = 12,
    ABLATE_DEPTH_PLAIN = 7,
    ABLATE_HASH_MIB = 64,
    ABLATE_REPEAT_MS = 2000,
    US_PER_MS = 1000,
    TEXT_BYTES_MAX = ABLATE_NAME_BYTES + 64
};

static const char HELP[] =
    "rookery ablate [TECHNIQUE[+TECHNIQUE]…] …: what techniques of ordering are worth. Each is\n"
    "switched off alone, and on alone above captures by MVV-LVA; without names, every one.\n"
    "\n"
    "  --csv FILE|-      the table as data\n"
    "\n"
    "  --depth D         of the searches (12; 7 with --plain)\n"
    "  --plain           alpha-beta without reductions and forward pruning, as in publications\n"
    "  --fens FILE       positions to search (six that are built in)\n"
    "  --hash MIB        (64)\n"
    "  --repeat-ms MS    for a fair time the rows are searched in turns, each until its searches "
    "have\n"
    "                    taken so long (2000), or 16 times that has passed; a row whose one run\n"
    "                    takes longer is run once. 0: all once, when nodes are all that is wanted\n"
    "  --svg FILE, --markdown\n"
    "                    the table as bars, for a document\n"
    "\n"
    "  --games N         instead: N games of the whole engine against each row switched off, two "
    "an\n"
    "                    opening: odd ones are one more. Won, lost and Elo are the whole "
    "engine's:\n"
    "                    above 0, it is the stronger for what the row lacks\n"
    "  --nodes N         a move (8000)\n"
    "  --openings FILE   EPD or PGN (random moves)\n"
    "  --sprt ELO0,ELO1  stop a row when one of the two is established at 5 % error\n"
    "  --seed N          of openings and their order (1)\n"
    "  --threads N       games at once (all cores)\n"
    "\n"
    "Techniques:";

static int help_print(void)
{
    fputs(HELP, stdout);
    for (int i = 0; i < SWITCH_COUNT; i++)
        printf("%s %s", i % 6 == 0 ? "\n " : "", switch_name((enum ordering_switch)i));
    putchar('\n');
    return 0;
}

struct run {
    const struct ablate_words *words;
    struct ablate_table table;
    struct progress progress;
    struct ablate_files files;
    size_t positions;
};

static void on_position(void *context, const struct ablate_table *table, unsigned row, size_t index,
                        double share)
{
    struct run *run = context;
    char text[TEXT_BYTES_MAX];
    snprintf(text, sizeof text, "%s %s, position %zu of %zu",
             table->rows[row].mode == ABLATE_OFF ? "off" : "only", table->rows[row].name, index + 1,
             run->positions);
    progress_show(&run->progress, share, text);
}

static bool on_row(void *context, const struct ablate_row *row)
{
    struct run *run = context;
    const struct ablate_files *files = &run->files;
    progress_hide(&run->progress);
    if (files->text != NULL && run->words->is_markdown)
        ablate_print_markdown_row(files->text, row);
    else if (files->text != NULL)
        ablate_print_text_row(files->text, row);
    if (files->csv != NULL)
        ablate_print_csv_row(files->csv, row);
    return ablate_files_flush(run->words, &run->files);
}

static bool complain(const char *what, const char *word)
{
    fprintf(stderr, "rookery ablate: %s: '%s'\n", what, word);
    return false;
}

static bool positions_open(const char *path, struct book **out_book)
{
    struct book_faults faults = {0};
    const enum rk_status status =
        path == NULL
            ? book_parse(slice_of(ablate_positions()), BOOK_POSITIONS, 0, out_book, &faults)
            : book_read(path, BOOK_POSITIONS, 0, out_book, &faults);
    games_book_faults("ablate", path, &faults);
    if (status == RK_SYSTEM)
        return complain(file_error_text(errno), path);
    if (status == RK_NO_MEMORY)
        return complain(rk_status_text(status), path == NULL ? "positions" : path);
    return status == RK_OK || complain("no position in the file", path);
}

static void svg_write(const struct ablate_words *words, const struct run *run)
{
    char title[TEXT_BYTES_MAX];
    snprintf(title, sizeof title, "Ordering: %s search to depth %u, %zu positions",
             words->is_plain ? "plain" : "full", (unsigned)words->depth, run->positions);
    ablate_print_svg(run->files.svg, &run->table, title);
}

/* What a table in a document must tell of its making. */
static void markdown_print_head(FILE *file, const struct ablate_words *words, size_t positions)
{
    const time_t now = time(NULL);
    struct tm today;
    char date[32];
    struct machine machine;
    machine_read(&machine);
    REQUIRE(localtime_r(&now, &today) != NULL);
    (void)strftime(date, sizeof date, "%d %B %Y", &today);
    fprintf(file, "%s search, depth %u, %zu positions; %s, by rookery %s on %u cores.\n\n",
            words->is_plain ? "Plain" : "Full", (unsigned)words->depth, positions, date,
            rk_build_text(), machine.cores);
    ablate_print_markdown_head(file);
}

static bool heads_print(const struct ablate_words *words, struct run *run)
{
    const struct ablate_files *files = &run->files;
    if (files->text != NULL && words->is_markdown)
        markdown_print_head(files->text, words, run->positions);
    else if (files->text != NULL)
        ablate_print_text_head(files->text);
    if (files->csv != NULL)
        ablate_print_csv_head(files->csv);
    return ablate_files_flush(words, &run->files);
}

static bool run_all(const struct ablate_words *words, const struct book *book, struct run *run)
{
    const struct ablate_plan plan = {.book = book,
                                     .depth = (uint32_t)words->depth,
                                     .table_mib = (uint32_t)words->hash_mib,
                                     .is_plain = words->is_plain,
                                     .least_us = (int64_t)words->repeat_ms * US_PER_MS,
                                     .position = on_position,
                                     .row = on_row,
                                     .context = run};
    run->positions = book_count(book);
    if (!heads_print(words, run))
        return false;
    progress_begin(&run->progress);
    const enum rk_status status = ablate_table_run(&run->table, &plan);
    progress_hide(&run->progress);
    if (status != RK_OK)
        fprintf(stderr, "rookery ablate: %s\n", rk_status_text(status));
    if (run->files.svg != NULL && status == RK_OK && !run->files.has_failed)
        svg_write(words, run);
    return status == RK_OK;
}

static int positions_run(const struct ablate_words *words, struct run *run)
{
    struct book *book;
    if (!positions_open(words->fens, &book))
        return EXIT_FAILED;
    bool is_good = ablate_files_open(words, &run->files);
    if (is_good) {
        is_good = run_all(words, book, run);
        is_good = ablate_files_close(words, &run->files) && is_good;
    }
    book_destroy(book);
    return is_good ? 0 : EXIT_FAILED;
}

static bool files_are_apart(const struct ablate_words *words)
{
    struct outputs outputs = {.count = 0};
    if (words->csv != NULL && strcmp(words->csv, "-") != 0)
        outputs_add_beside(&outputs, words->csv, "");
    outputs_add_beside(&outputs, words->svg, "");
    const char *const inputs[] = {words->fens, words->openings};
    return outputs_are_apart(&outputs, "ablate", inputs, sizeof inputs / sizeof *inputs);
}

/* A word that its way of measuring would not read is refused. */
static bool words_fit(const struct ablate_words *words, const char *of_positions,
                      const char *of_games)
{
    if (words->games > 0 && of_positions != NULL)
        fprintf(stderr,
                "rookery ablate: %s belongs to the search of positions; with --games there are "
                "none\n",
                of_positions);
    else if (words->games == 0 && of_games != NULL)
        fprintf(stderr, "rookery ablate: %s belongs to --games, which is not given\n", of_games);
    else
        return true;
    return false;
}

int command_ablate(int count, char **words)
{
    struct ablate_words given = {.hash_mib = ABLATE_HASH_MIB,
                                 .repeat_ms = ABLATE_REPEAT_MS,
                                 .nodes = PLAYER_NODES,
                                 .seed = 1,
                                 .threads = games_threads()};
    const char *of_positions = NULL, *of_games = NULL;
    const struct argument arguments[] = {
        {.name = "--plain", .flag = &given.is_plain, .given = &of_positions},
        {.name = "--markdown", .flag = &given.is_markdown, .given = &of_positions},
        {.name = "--depth",
         .min = 1,
         .max = PLY_MAX - 1,
         .value = &given.depth,
         .given = &of_positions},
        {.name = "--fens", .text = &given.fens, .given = &of_positions},
        {.name = "--csv", .text = &given.csv},
        {.name = "--svg", .text = &given.svg, .given = &of_positions},
        {.name = "--hash",
         .min = 1,
         .max = RK_TABLE_MIB_MAX,
         .value = &given.hash_mib,
         .given = &of_positions},
        {.name = "--games", .min = 2, .max = SELFPLAY_PAIRS_MAX, .value = &given.games},
        {.name = "--nodes", .min = 1, .max = INT32_MAX, .value = &given.nodes, .given = &of_games},
        {.name = "--openings", .text = &given.openings, .given = &of_games},
        {.name = "--sprt", .text = &given.sprt, .given = &of_games},
        {.name = "--seed", .max = UINT64_MAX, .value = &given.seed, .given = &of_games},
        {.name = "--threads",
         .min = 1,
         .max = SELFPLAY_THREADS_MAX,
         .value = &given.threads,
         .given = &of_games},
        {.name = "--repeat-ms", .max = 3600000, .value = &given.repeat_ms, .given = &of_positions},
        {.name = "--help", .flag = &given.wants_help},
    };
    const int rest =
        arguments_parse("ablate", arguments, sizeof arguments / sizeof arguments[0], count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (given.wants_help)
        return help_print();
    if (!words_fit(&given, of_positions, of_games))
        return EXIT_USAGE;
    struct run run = {.words = &given};
    if (given.depth == 0)
        given.depth = given.is_plain ? ABLATE_DEPTH_PLAIN : ABLATE_DEPTH;
    ablate_table_init(&run.table);
    if (rest > 0 &&
        ablate_table_init_rows(&run.table, (const char *const *)words, (unsigned)rest) != RK_OK) {
        fprintf(stderr, "rookery ablate: not techniques joined by '+':");
        for (int i = 0; i < rest; i++)
            fprintf(stderr, " '%s'", words[i]);
        fputs("; they are", stderr);
        for (int i = 0; i < SWITCH_COUNT; i++)
            fprintf(stderr, " %s", switch_name((enum ordering_switch)i));
        fputc('\n', stderr);
        return EXIT_USAGE;
    }
    if (!files_are_apart(&given))
        return EXIT_USAGE;
    return given.games > 0 ? ablate_games(&given, &run.table) : positions_run(&given, &run);
}
