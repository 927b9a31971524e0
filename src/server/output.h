/* server/output.h: what waits for a reader. Bounded: progress may be dropped, promises may not.
 * Lines of progress come in blocks (one depth, one line a MultiPV line); a block is sent or dropped
 * whole, and when some must go the oldest go first. The newest block before an answer stays with
 * it.
 * Thread: loop. */
#ifndef SERVER_OUTPUT_H
#define SERVER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "rookery/session.h"

struct output_block {
    uint32_t start; /* Offset of its first byte. */
    uint32_t end;   /* Offset after its last byte. */
};

struct output {
    char *bytes;          /* OUTPUT_BYTES_MAX, the owner's. Pages never touched cost nothing. */
    uint32_t used;        /* Bytes held: sending <= ready <= used. */
    uint32_t sending;     /* The first so many are with the kernel and must not move. */
    uint32_t ready;       /* The first so many are whole; behind them stands an open block. */
    uint32_t begun;       /* To the end of the last block of which something has been sent. */
    bool is_skipping;     /* The rest of the open block is to be dropped as it comes. */
    uint32_t block_count; /* Blocks of which no byte has been sent, oldest first. */
    struct output_block blocks[OUTPUT_BLOCKS_MAX];
    uint32_t used_most;     /* Since output_clear, as is */
    uint32_t dropped_count; /* the count of blocks dropped. */
};

void output_init(struct output *output, char *bytes);
void output_clear(struct output *output);
/* Gives the pages of `bytes` back; false when they are needed. */
bool output_rest(struct output *output);

/* Takes one line with its LF. False: a promise did not fit, however much progress was dropped. */
bool output_push(struct output *output, const char *line, size_t length, enum rk_weight weight);

/* Whether the answers to one more line are sure to fit, since progress may be dropped for them. */
bool output_has_room(const struct output *output);

/* How many bytes at the front may be sent now; 0 while some are with the kernel. */
size_t output_sendable(const struct output *output);
/* The first `count` of them have been sent. */
void output_consume(struct output *output, size_t count);

/* Hands a first part, whole lines, to the kernel: it stays in place until output_end. Returns its
 * length; something must be sendable. */
size_t output_begin(struct output *output);
void output_end(struct output *output);

#endif
