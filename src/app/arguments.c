#include "app/arguments.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"

enum { FEN_BYTES_MAX = 256 };

bool arguments_number(const char *text, uint64_t min, uint64_t max, uint64_t *out_number)
{
    uint64_t number = 0;
    if (*text == '\0')
        return false;
    for (const char *digit = text; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
        const uint64_t units = (uint64_t)(*digit - '0');
        if (number > (UINT64_MAX - units) / 10)
            return false;
        number = number * 10 + units;
    }
    if (number < min || number > max)
        return false;
    *out_number = number;
    return true;
}

/* The words as one text with single blanks between. False when it would not fit. */
static bool words_join(int count, char **words, size_t size, char *out_text)
{
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        const size_t word_length = strlen(words[i]);
        if (length + word_length + 2 > size)
            return false;
        if (i > 0)
            out_text[length++] = ' ';
        memcpy(out_text + length, words[i], word_length);
        length += word_length;
    }
    out_text[length] = '\0';
    return true;
}

int arguments_game(const char *command, int count, char **words, struct rk_game **out_game)
{
    struct rk_game *game;
    if (rk_game_create(&game) != RK_OK) {
        fprintf(stderr, "rookery %s: %s\n", command, rk_status_text(RK_NO_MEMORY));
        return EXIT_FAILED;
    }
    char fen[FEN_BYTES_MAX];
    enum rk_status status = RK_OK;
    if (!words_join(count, words, sizeof fen, fen))
        status = RK_FEN_TRAILING;
    else if (count > 0)
        status = rk_game_set_fen(game, fen, strlen(fen));
    if (status == RK_OK) {
        *out_game = game;
        return 0;
    }
    fprintf(stderr, "rookery %s: the FEN is broken: %s\n", command, rk_status_text(status));
    rk_game_destroy(game);
    return EXIT_USAGE;
}

static const struct argument *argument_named(const struct argument *arguments,
                                             size_t argument_count, const char *word, size_t length)
{
    for (size_t i = 0; i < argument_count; i++) {
        if (strlen(arguments[i].name) == length && memcmp(arguments[i].name, word, length) == 0)
            return &arguments[i];
    }
    return NULL;
}

static bool argument_take_words(const char *command, const struct argument *argument,
                                const char *value)
{
    struct argument_list *list = argument->list;
    if (value == NULL || *value == '\0') {
        fprintf(stderr, "rookery %s: %s needs a value\n", command, argument->name);
        return false;
    }
    if (list == NULL) {
        *argument->text = value;
        return true;
    }
    if (list->count == list->max) {
        fprintf(stderr, "rookery %s: %s may be given %u times\n", command, argument->name,
                list->max);
        return false;
    }
    list->words[list->count++] = value;
    return true;
}

static bool argument_take(const char *command, const struct argument *argument, const char *value)
{
    if (argument->flag != NULL) {
        if (value != NULL) {
            fprintf(stderr, "rookery %s: %s takes no value\n", command, argument->name);
            return false;
        }
        *argument->flag = true;
        return true;
    }
    if (argument->text != NULL || argument->list != NULL)
        return argument_take_words(command, argument, value);
    if (value == NULL || !arguments_number(value, argument->min, argument->max, argument->value)) {
        fprintf(stderr,
                "rookery %s: %s needs a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'\n",
                command, argument->name, argument->min, argument->max, value == NULL ? "" : value);
        return false;
    }
    return true;
}

int arguments_parse(const char *command, const struct argument *arguments, size_t argument_count,
                    int count, char **words)
{
    int rest = 0;
    for (int i = 0; i < count; i++) {
        char *word = words[i];
        if (strncmp(word, "--", 2) != 0) {
            words[rest++] = word;
            continue;
        }
        const size_t length = strcspn(word, "=");
        const struct argument *argument = argument_named(arguments, argument_count, word, length);
        if (argument == NULL) {
            fprintf(stderr, "rookery %s: unknown option %.*s; `rookery %s --help` lists them\n",
                    command, (int)length, word, command);
            return -1;
        }
        const char *value = word[length] == '=' ? word + length + 1 : NULL;
        if (value == NULL && argument->flag == NULL && i + 1 < count)
            value = words[++i];
        if (!argument_take(command, argument, value))
            return -1;
        if (argument->given != NULL)
            *argument->given = argument->name;
    }
    return rest;
}
