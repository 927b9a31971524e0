/* app/command.h: the tool's commands.
 * Each takes what follows its name on the command line and returns the program's exit status.
 * Thread: the main thread. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct command {
    const char *name;
    int (*run)(int count, char **words);
    const char *arguments; /* As help prints them. */
    const char *purpose;   /* One line, as help prints it. */
    bool has_help;         /* Answers --help itself, with more than these two. */
};

int command_ablate(int count, char **words);
int command_analyse(int count, char **words);
int command_bench(int count, char **words);
int command_connect(int count, char **words);
int command_data(int count, char **words);
int command_datagen(int count, char **words);
int command_odds(int count, char **words);
int command_perft(int count, char **words);
int command_selfplay(int count, char **words);
int command_train(int count, char **words);
int command_tune(int count, char **words);
int command_uci(int count, char **words);

/* stdout takes no more, for that errno: exit status, and what is wrong told if something is. Who
 * has gone is no failure, a full disk is. */
int words_lost(const char *command, int error);

/* The bench that `rookery bench` and the word `bench` in a session run: 0 takes the default. */
struct bench_settings {
    uint64_t threads;
    uint64_t depth;
    uint64_t hash_mib;
    const char *syzygy;    /* NULL: as it is. */
    const char *eval_file; /* NULL: what is built in evaluates. */
};
int bench_run(const struct bench_settings *settings, FILE *out);

#endif
