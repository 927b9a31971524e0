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
    LONG_LINES_MAX = 256,                   /* Borrowed at once: 16 MiB, touched only when used. */
    LONG_LINES_MIN = 16,                    /* However few clients. */
    COMMAND_BYTES_PER_READ_MAX = 16 * 1024, /* As COMMANDS_PER_READ_MAX, for long lines. */
    /* A line of output: a principal variation of 128 moves and the numbers before it. */
    OUTPUT_LINE_BYTES_MAX = 1024,
    /* Waiting for a slow reader: a block of 218 lines, the most moves a position has, must fit. */
    OUTPUT_BYTES_MAX = 64 * 1024,
    /* Blocks of progress between two writes, the newest are kept: room for a burst of the first 32
       depths and the last one there can be, which docs/uci.md promises are all shown. */
    OUTPUT_BLOCKS_MAX = 40,
    OUTPUT_BLOCKS_SLOW_MAX = 1, /* The same while the reader is behind: it gets the news. */
    OUTPUT_WRITE_BYTES = 1024,  /* Handed to the kernel at once when the reader is behind. */
    /* In the kernel, where nothing can be dropped any more: as little as keeps a fast reader
       busy. */
    SEND_BUFFER_BYTES = 16 * 1024,
    UNSENT_BYTES_MAX = 4 * 1024, /* Of these, not yet on their way. */
    LISTENERS_MAX = 8,
    COMMANDS_PER_READ_MAX = 64, /* So one pipeliner cannot hold the loop. */
    SESSIONS_MAX = 16384,       /* Each has its place in the waiting line. */
    SEARCHES_MAX = 1024,
    THREADS_MAX = 1024,
    PLY_MAX = 240,               /* Depth of a search; a depth and a ply fit eight bits. */
    KEYS_MAX = 101,              /* The fifty-move rule: a hundred plies and the first. */
    OUTBOX_REPORTS = 256,        /* A power of two, above 218 lines of one block. */
    NODES_PER_CLOCK_CHECK = 512, /* Some quarter of a millisecond. */
    SLICE_US = 5000,             /* How long a worker keeps a core that others wait for. */
    RESCUE_MS = 50,              /* Search given to a clock that runs out in line. */
    NOTICES_PER_TURN_MAX = 256,  /* Reports handed out before sockets have their turn. */
    PLACE_US = 1000000,          /* A place in line is told at most so often. */
    DRAIN_MS_MAX = 10000,
    FLUSH_MS_MAX = 10000,      /* For the last bytes of a connection that ends. */
    LINGER_MS_MAX = 1000,      /* For the client to close its side, so that no byte is lost. */
    TICK_MS = 250,             /* How often what has no event of its own is looked at. */
    SWEEP_TICKS = 4,           /* In how many ticks every connection is looked at. */
    QUIET_MS = 2000,           /* Who is silent for so long gives the pages of its buffers back. */
    LONG_LINE_MS_MAX = 30000,  /* For the end of a line that holds a borrowed buffer. */
    ARRIVALS_PER_TURN_MAX = 64 /* At one listener; others have their turn. */
};

static_assert((OUTBOX_REPORTS & (OUTBOX_REPORTS - 1)) == 0, "the ring is indexed by a mask");
static_assert(LINE_BYTES_INLINE <= LINE_BYTES_MAX, "the inline line is the short one");
static_assert(PLY_MAX < 256, "depth and ply are stored in eight bits");

#endif
