/* app/arguments.h: command lines: options by a table, the rest is left to the caller.
 * What is wrong is said on stderr, with what would be right.
 * Thread: any. */
#ifndef APP_ARGUMENTS_H
#define APP_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rookery/game.h"

/* Words that an option was given with, in order; `max` of them have room. */
struct argument_list {
    const char **words;
    unsigned count, max;
};

/* "--name VALUE" or "--name=VALUE" with a whole number in [min, max], or, with `text`, with any
 * words; or, with `list`, the same as often as wanted; or, with `flag`, "--name" alone. */
struct argument {
    const char *name; /* With its dashes. */
    uint64_t min;
    uint64_t max;
    uint64_t *value;
    bool *flag;
    const char **text;
    struct argument_list *list;
    const char **given; /* When the option is given, its name is put there; may be NULL. */
};

/* Takes the options out of `words` and moves the rest to its front. The number of those, or -1. */
int arguments_parse(const char *command, const struct argument *arguments, size_t argument_count,
                    int count, char **words);

/* A whole number of digits alone, in [min, max]. */
bool arguments_number(const char *text, uint64_t min, uint64_t max, uint64_t *out_number);

/* The game that the words of a FEN set up, or the start position when there are none. 0, or the
 * exit status after saying why. The game is the caller's to destroy. */
int arguments_game(const char *command, int count, char **words, struct rk_game **out_game);

#endif
