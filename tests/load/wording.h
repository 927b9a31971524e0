/* load/wording.h: what a line of the server says, if it has a shape that docs/uci.md gives it.
 * Thread: any. */
#ifndef TESTS_LOAD_WORDING_H
#define TESTS_LOAD_WORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum wording_kind {
    WORDING_WRONG, /* Of no known shape. */
    WORDING_INFO,
    WORDING_STRING, /* info string */
    WORDING_BESTMOVE,
    WORDING_READYOK,
    WORDING_UCIOK,
    WORDING_ABOUT /* id, option */
};

struct wording {
    enum wording_kind kind;
    /* WORDING_INFO */
    int64_t depth, lines_number, score, nodes, time_ms;
    bool is_mate, has_wdl, is_bound;
    struct slice pv; /* Moves; empty at depth 0. */
    /* WORDING_BESTMOVE: "(none)" and an empty ponder move are possible. */
    struct slice move, ponder;
    struct slice string; /* WORDING_STRING */
};

/* `line` is without its LF, and must live as long as the result. */
struct wording wording_read(struct slice line);

#endif
