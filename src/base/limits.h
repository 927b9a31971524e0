/* base/limits.h: every bound in the program on one page, each with its reason.
 * The conf file chooses within these. Relations are asserted beneath.
 * Thread: any. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include "base/check.h"

enum {
    /* A line of input: 5,899 moves, the longest game under the fifty-move rule, and their words
       fit. */
    LINE_BYTES_MAX = 64 * 1024,
    /* What lives in a connection; a longer line borrows from a bounded pool. */
    LINE_BYTES_INLINE = 4 * 1024,
    /* A line of output: a principal variation of 128 moves and the numbers before it. */
    OUTPUT_LINE_BYTES_MAX = 1024,
    /* Waiting for a slow reader: a block of 218 lines, the most moves a position has, must fit. */
    OUTPUT_BYTES_MAX = 64 * 1024,
    LISTENERS_MAX = 8,
    COMMANDS_PER_READ_MAX = 64, /* So one pipeliner cannot hold the loop. */
    SESSIONS_MAX = 16384,
    WAITING_MAX = 1024,
    SEARCHES_MAX = 1024,
    THREADS_MAX = 1024,
    PLY_MAX = 240,                /* Depth of a search; a depth and a ply fit eight bits. */
    KEYS_MAX = 101,               /* The fifty-move rule: a hundred plies and the first. */
    OUTBOX_REPORTS = 256,         /* A power of two, above 218 lines of one block. */
    NODES_PER_CLOCK_CHECK = 1024, /* About half a millisecond. */
    SLICE_US = 5000,              /* How long a worker keeps a core that others wait for. */
    DRAIN_MS_MAX = 10000
};

static_assert((OUTBOX_REPORTS & (OUTBOX_REPORTS - 1)) == 0, "the ring is indexed by a mask");
static_assert(LINE_BYTES_INLINE <= LINE_BYTES_MAX, "the inline line is the short one");
static_assert(PLY_MAX < 256, "depth and ply are stored in eight bits");

#endif
