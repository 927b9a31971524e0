/* uci/options.h: what a client may set, one row an option in options.c.
 * Values are numbers: a check is 0 or 1. The text of string options is not kept. Thread: any, one
 * at a time for each struct. */
#ifndef UCI_OPTIONS_H
#define UCI_OPTIONS_H

#include "base/text.h"

enum option_id {
    OPTION_HASH,
    OPTION_CLEAR_HASH,
    OPTION_THREADS,
    OPTION_PONDER,
    OPTION_MULTIPV,
    OPTION_MOVE_OVERHEAD,
    OPTION_CHESS960,
    OPTION_ANALYSE_MODE,
    OPTION_LIMIT_STRENGTH,
    OPTION_ELO,
    OPTION_SHOW_WDL,
    OPTION_OPPONENT,
    OPTION_SYZYGY_PATH,
    OPTION_SYZYGY_DEPTH,
    OPTION_SYZYGY_LIMIT,
    OPTION_SYZYGY_FIFTY,
    OPTION_COUNT
};

enum option_type { OPTION_CHECK, OPTION_SPIN, OPTION_BUTTON, OPTION_STRING };

/* Where a value goes. */
enum option_use {
    OPTION_TO_HOUSE,   /* The engine's size: the client's own, or the house's. */
    OPTION_TO_REQUEST, /* Into the next `go`. */
    OPTION_TO_OUTPUT,  /* How the answers to the next `go` are printed. */
    OPTION_TO_NOBODY   /* Accepted because clients insist on sending it. */
};

struct option_row {
    const char *name;
    enum option_type type;
    enum option_use use;
    int32_t initial, min, max; /* initial of Hash and Threads: what the house has. */
};

struct options {
    int32_t values[OPTION_COUNT];
    int32_t house_hash_mib; /* The defaults that depend on the house. */
    int32_t house_threads;
};

enum option_answer {
    OPTION_ACCEPTED,
    OPTION_CLAMPED, /* Out of range: the nearest bound is in force. */
    OPTION_UNKNOWN, /* No such option. The rest: nothing has changed. */
    OPTION_REFUSED  /* Not a value of the option's type. */
};

const struct option_row *option_row(enum option_id id);

void options_init(struct options *options, uint32_t hash_mib, uint32_t threads);

/* Names without regard to case and to how many blanks part their words. out_id is written unless
 * the option is unknown. */
enum option_answer options_set(struct options *options, struct slice name, struct slice value,
                               enum option_id *out_id);

/* Adds the line that announces the option, with its LF. */
void options_print(const struct options *options, enum option_id id, struct text *text);

#endif
