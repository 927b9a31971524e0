#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "base/file.h"
#include "rookery/version.h"

static int command_help(int count, char **words);
static int command_version(int count, char **words);

/* Words that go on under their command. */
#define NEXT_LINE "\n        "

static const struct command COMMANDS[] = {
    {"uci", command_uci, "[--eval-file FILE] [--syzygy PATH]",
     "speak UCI on stdin and stdout; so does `rookery` alone", false},
    {"bench", command_bench,
     "[--threads N] [--depth D] [--hash MIB] [--eval-file FILE] [--syzygy PATH]",
     "search fixed positions; on one thread the count is the same everywhere", false},
    {"perft", command_perft, "DEPTH [FEN] [--chess960] [--threads N] [--hash MIB]",
     "count the positions DEPTH plies on, divided by first move", false},
    {"analyse", command_analyse,
     "[FEN] [--time MS] [--depth D] [--nodes N] [--lines N] [--chess960]" NEXT_LINE
     "[--threads N] [--hash MIB] [--eval-file FILE] [--syzygy PATH]",
     "search a position, for 5 s unless told; show board, score and lines, 3 of them", false},
    {"connect", command_connect, "[HOST[:PORT] | PATH]",
     "be an engine to a GUI, played by the rookeryd at that address", false},
    {"selfplay", command_selfplay,
     "[--a OPTIONS] [--b OPTIONS] [--games N] [--nodes N] [--sprt ELO0,ELO1]" NEXT_LINE
     "[--openings FILE] …",
     "games between two settings on all cores; `rookery selfplay --help` tells more", true},
    {"ablate", command_ablate,
     "[TECHNIQUE[+TECHNIQUE]…] [--plain] [--depth D] [--fens FILE] [--csv FILE|-]" NEXT_LINE
     "[--svg FILE] [--repeat-ms MS] … | [TECHNIQUE…] --games N …",
     "what techniques of ordering are worth: nodes, time, first-move cut-offs; or Elo, in "
     "games;" NEXT_LINE "`rookery ablate --help` tells more",
     true},
    {"tune", command_tune,
     "--row NAME[=START[,LOW,HIGH[,STEP]]] … [--iterations N] [--pairs N]" NEXT_LINE
     "[--nodes N] [--checkpoint FILE] [--csv FILE] … | --resume FILE",
     "find better numbers for the search, by SPSA; needs a build for it: `./dev tune` makes one",
     true},
    {"datagen", command_datagen,
     "FILE [--games N | --positions N] [--nodes N] [--chess960 PERCENT] [--seed N] …",
     "games for training, on all cores, added to a file; `rookery datagen --help` tells more",
     true},
    {"data", command_data, "count|verify|show|merge|shuffle|split FILE… …",
     "look after files of games; `rookery data --help` tells more", true},
    {"train", command_train,
     "FILE… --to NET [--hidden N] [--epochs N] [--seed N] [--csv FILE] [--svg FILE] …",
     "a network from files of games, on all cores; `rookery train --help` tells more", true},
    {"odds", command_odds, "FILE…", "what scores are worth, fitted to files of games", true},
    {"version", command_version, "", "tell which library was loaded", false},
    {"help", command_help, "", "this list", true},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof COMMANDS[0] };

static void print_command(const struct command *command)
{
    printf("rookery %s%s%s\n    %s\n", command->name, *command->arguments == '\0' ? "" : " ",
           command->arguments, command->purpose);
}

static bool is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int refuse_word(const char *command, const char *word)
{
    fprintf(stderr, "rookery %s: takes no arguments, not '%s'\n", command, word);
    return EXIT_USAGE;
}

static int command_help(int count, char **words)
{
    if (count > 0)
        return refuse_word("help", words[0]);
    puts("rookery: a UCI chess engine on a terminal.\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        print_command(&COMMANDS[i]);
    return 0;
}

static int command_version(int count, char **words)
{
    if (count > 0)
        return refuse_word("version", words[0]);
    printf("rookery %s\n", rk_build_text());
    return 0;
}

/* Words that could not be said are a failure, as on a full disk. */
static int words_said(int status)
{
    return file_flush(stdout) || status != 0 ? status : EXIT_FAILED;
}

int words_lost(const char *command, int error)
{
    if (error == EPIPE || error == ECONNRESET)
        return 0;
    fprintf(stderr, "rookery %s: stdout: %s\n", command, strerror(error));
    return EXIT_FAILED;
}

int main(int count, char **words)
{
    signal(SIGPIPE, SIG_IGN); /* A closed stdout is a failed write, dealt with where it happens. */
    if (count < 2)
        return command_uci(0, words);
    char help[] = "--help"; /* -h is the same, for every command. */
    const char *name = words[1];
    if (is_help(name))
        name = "help";
    if (strcmp(name, "--version") == 0)
        name = "version";
    for (int i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = &COMMANDS[i];
        if (strcmp(name, command->name) != 0)
            continue;
        if (count >= 3 && is_help(words[2]))
            words[2] = help;
        if (command->has_help || count < 3 || !is_help(words[2]))
            return words_said(command->run(count - 2, words + 2));
        print_command(command);
        return words_said(0);
    }
    fprintf(stderr, "rookery: no command '%s'; `rookery help` lists them\n", name);
    return EXIT_USAGE;
}
