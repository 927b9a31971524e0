#include "support/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

enum {
    SEGMENT_BYTES_MAX = 4 * 1024 * 1024,
    SCRIPT_LINE_BYTES_MAX = 4096,
    PATTERNS_MAX = 16,
    PATTERN_BYTES_MAX = 256,
    WITHIN_MS_DEFAULT = 120000, /* A thousand threads under TSan take half a minute to begin. */
    SHOWN_BYTES_MAX = 400,      /* Of a line, in a message. */
    PIECE_BYTES_MAX = 7,        /* Of a segment cut at random. */
    HEX = 16,
    DECIMAL = 10
};

struct patterns {
    unsigned count;
    char text[PATTERNS_MAX][PATTERN_BYTES_MAX];
};

struct play {
    const struct script_peer *peer;
    struct script_failure *failure;
    uint64_t split_state; /* 0: segments are sent whole. */
    int64_t within_ms;
    struct patterns skipped, forbidden;
    size_t segment_length;
    char segment[SEGMENT_BYTES_MAX];
    char line[OUTPUT_LINE_BYTES_MAX + 1];
};

/* ---- patterns ---- */

static size_t number_length(const char *line)
{
    const size_t sign = line[0] == '-' || line[0] == '+' ? 1 : 0;
    const size_t digits = strspn(line + sign, "0123456789");
    return digits == 0 ? 0 : sign + digits;
}

static bool is_square(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

static size_t move_length(const char *line)
{
    if (!is_square(line) || !is_square(line + 2))
        return 0;
    return line[4] != '\0' && strchr("nbrq", line[4]) != NULL ? 5 : 4;
}

bool script_match(const char *pattern, const char *line)
{
    for (;; pattern++) {
        size_t length = 1;
        switch (*pattern) {
        case '\0': return *line == '\0';
        case '*':
            for (;; line++) {
                if (script_match(pattern + 1, line))
                    return true;
                if (*line == '\0')
                    return false;
            }
        case '#': length = number_length(line); break;
        case '@': length = move_length(line); break;
        default:
            if (*pattern != *line)
                return false;
        }
        if (length == 0)
            return false;
        line += length;
    }
}

static bool is_in(const struct patterns *patterns, const char *line)
{
    for (unsigned i = 0; i < patterns->count; i++)
        if (script_match(patterns->text[i], line))
            return true;
    return false;
}

/* A blank line stops some clients from reading: it is forbidden everywhere. */
static bool is_forbidden(const struct play *play)
{
    return play->line[0] == '\0' || is_in(&play->forbidden, play->line);
}

/* `wanted` and `got` may be empty. */
static bool fail(struct play *play, const char *what, const char *wanted, const char *got)
{
    struct text message;
    text_init(&message, play->failure->message, sizeof play->failure->message);
    (void)text_add(&message, what);
    (void)text_add(&message, *wanted != '\0' ? ": " : "");
    (void)text_add_quoted(&message, slice_of(wanted), SHOWN_BYTES_MAX);
    (void)text_add(&message, *got != '\0' ? "\n  got: " : "");
    (void)text_add_quoted(&message, slice_of(got), SHOWN_BYTES_MAX);
    return false;
}

static bool add_pattern(struct play *play, struct patterns *patterns, const char *text)
{
    if (patterns->count == PATTERNS_MAX || strlen(text) >= PATTERN_BYTES_MAX)
        return fail(play, "too many or too long patterns", text, "");
    memcpy(patterns->text[patterns->count++], text, strlen(text) + 1);
    return true;
}

/* ---- sending ---- */

static bool append(struct play *play, const char *bytes, size_t length)
{
    if (length > sizeof play->segment - play->segment_length)
        return fail(play, "the segment is too long", "", "");
    memcpy(play->segment + play->segment_length, bytes, length);
    play->segment_length += length;
    return true;
}

static bool append_text(struct play *play, const char *text)
{
    while (*text != '\0') {
        char byte = *text++;
        if (byte == '\\' && *text != '\0') {
            const char kind = *text++;
            byte = kind == 't' ? '\t' : kind == 'r' ? '\r' : kind == 'n' ? '\n' : kind;
            if (kind == 'x' && text[0] != '\0' && text[1] != '\0') {
                const char digits[] = {text[0], text[1], '\0'};
                byte = (char)strtoul(digits, NULL, HEX);
                text += 2;
            }
        }
        if (!append(play, &byte, 1))
            return false;
    }
    return true;
}

static bool append_repeated(struct play *play, const char *text)
{
    char *rest;
    const unsigned long count = strtoul(text, &rest, DECIMAL);
    for (unsigned long i = 0; i < count; i++)
        if (!append_text(play, rest))
            return false;
    return true;
}

static bool flush(struct play *play)
{
    size_t sent = 0;
    while (sent < play->segment_length) {
        size_t length = play->segment_length - sent;
        if (play->split_state != 0) {
            const size_t piece = 1 + (size_t)random_below(&play->split_state, PIECE_BYTES_MAX);
            length = piece < length ? piece : length;
        }
        if (!play->peer->send(play->peer->context, play->segment + sent, length))
            return fail(play, "could not send", "", "");
        sent += length;
    }
    play->segment_length = 0;
    return true;
}

/* ---- expecting ---- */

static bool expect(struct play *play, const char *pattern)
{
    for (;;) {
        const enum script_got got = play->peer->receive(play->peer->context, play->within_ms,
                                                        play->line, sizeof play->line);
        if (got == SCRIPT_SILENCE)
            return fail(play, "nothing came; expected", pattern, "");
        if (got == SCRIPT_END)
            return fail(play, "the conversation ended; expected", pattern, "");
        if (is_forbidden(play))
            return fail(play, "a line that must not come", "", play->line);
        if (script_match(pattern, play->line)) {
            play->skipped.count = 0;
            return true;
        }
        if (!is_in(&play->skipped, play->line))
            return fail(play, "expected", pattern, play->line);
    }
}

static bool expect_nothing(struct play *play, int64_t wait_ms, enum script_got ending)
{
    for (;;) {
        const enum script_got got =
            play->peer->receive(play->peer->context, wait_ms, play->line, sizeof play->line);
        if (got == ending)
            break;
        if (got == SCRIPT_SILENCE)
            return fail(play, "the conversation did not end", "", "");
        if (got == SCRIPT_END)
            return fail(play, "the conversation ended", "", "");
        if (is_forbidden(play) || !is_in(&play->skipped, play->line))
            return fail(play, "nothing should have come", "", play->line);
    }
    play->skipped.count = 0;
    return true;
}

static bool obey(struct play *play, const char *words)
{
    char verb[16];
    long long number = 0;
    const int count = sscanf(words, "%15s %lld", verb, &number);
    if (count == 2 && strcmp(verb, "within") == 0) {
        play->within_ms = number;
        return true;
    }
    if (!flush(play))
        return false;
    if (count == 2 && strcmp(verb, "wait") == 0)
        play->peer->wait(play->peer->context, number);
    else if (count == 2 && strcmp(verb, "silence") == 0)
        return expect_nothing(play, number, SCRIPT_SILENCE);
    else if (count == 1 && strcmp(verb, "end") == 0)
        return expect_nothing(play, play->within_ms, SCRIPT_END);
    else if (count == 1 && strcmp(verb, "close") == 0)
        play->peer->close_input(play->peer->context);
    else if (count != 1 || strcmp(verb, "flush") != 0)
        return fail(play, "not understood", words, "");
    return true;
}

/* What follows the marker and one blank. */
static const char *after(const char *line, size_t marker)
{
    return line[marker] == ' ' ? line + marker + 1 : line + marker;
}

static bool play_line(struct play *play, const char *line)
{
    if (line[0] == '#' || line[0] == '\0')
        return true;
    if (strncmp(line, ">*", 2) == 0)
        return append_repeated(play, after(line, 2));
    if (strncmp(line, ">>", 2) == 0)
        return append_text(play, after(line, 2));
    if (line[0] == '>')
        return append_text(play, after(line, 1)) && append(play, "\n", 1);
    if (strncmp(line, "<*", 2) == 0)
        return add_pattern(play, &play->skipped, after(line, 2));
    if (strncmp(line, "<!", 2) == 0)
        return add_pattern(play, &play->forbidden, after(line, 2));
    if (line[0] == '<')
        return flush(play) && expect(play, after(line, 1));
    if (line[0] == '!')
        return obey(play, after(line, 1));
    return fail(play, "not understood", line, "");
}

bool script_play(const char *path, const struct script_peer *peer, uint64_t split_seed,
                 struct script_failure *out_failure)
{
    *out_failure = (struct script_failure){.line = 0};
    FILE *file = fopen(path, "r");
    struct play *play = memory_allocate(sizeof *play);
    bool is_fine = file != NULL && play != NULL;
    if (is_fine) {
        play->peer = peer;
        play->failure = out_failure;
        play->split_state = split_seed;
        play->within_ms = WITHIN_MS_DEFAULT;
        char line[SCRIPT_LINE_BYTES_MAX];
        while (is_fine && fgets(line, sizeof line, file) != NULL) {
            out_failure->line++;
            line[strcspn(line, "\n")] = '\0';
            is_fine = play_line(play, line);
        }
        is_fine = is_fine && flush(play);
    } else {
        (void)snprintf(out_failure->message, sizeof out_failure->message, "cannot be read");
    }
    if (file != NULL)
        (void)fclose(file);
    memory_free(play);
    return is_fine;
}
