/* One linear buffer. From its front: bytes that are with the kernel, whole lines that may be sent,
 * and the open block, whose last line has not come yet:
 *
 *     0          sending            ready          used        OUTPUT_BYTES_MAX
 *     | kernel's | whole, in order  | open block   | free      |
 *
 * A reader that keeps up empties it at each flush, so the front pages are all that is ever touched;
 * moving bytes down is paid for by slow readers only. */
#include "server/output.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

enum {
    ANSWERS_BYTES = 8 * 1024,                 /* Kept free for the answers to one line. */
    PROMISES_BYTES_MAX = OUTPUT_BYTES_MAX / 2 /* The rest is for the block before a bestmove. */
};

void output_init(struct output *output, char *bytes)
{
    output->bytes = bytes;
    output_clear(output);
}

void output_clear(struct output *output)
{
    output->used = output->sending = output->ready = output->begun = 0;
    output->is_skipping = false;
    output->block_count = 0;
    output->used_most = 0;
    output->dropped_count = 0;
}

bool output_rest(struct output *output)
{
    if (output->used > 0)
        return false;
    memory_rest_sparse(output->bytes, OUTPUT_BYTES_MAX);
    return true;
}

static void forget_oldest(struct output *output)
{
    output->block_count--;
    memmove(&output->blocks[0], &output->blocks[1],
            output->block_count * sizeof(output->blocks[0]));
}

/* Blocks of which something stands in the first `count` bytes can no longer be dropped. */
static void begin_blocks(struct output *output, uint32_t count)
{
    while (output->block_count > 0 && output->blocks[0].start < count) {
        output->begun = output->blocks[0].end;
        forget_oldest(output);
    }
}

/* Removes the bytes [start, end) and moves down what stands behind them. */
static void cut(struct output *output, uint32_t start, uint32_t end)
{
    const uint32_t length = end - start;
    memmove(output->bytes + start, output->bytes + end, output->used - end);
    output->used -= length;
    output->ready -= length;
    if (start < output->begun)
        output->begun -= output->begun < length ? output->begun : length;
    for (uint32_t i = 0; i < output->block_count; i++) {
        output->blocks[i].start -= length;
        output->blocks[i].end -= length;
    }
}

static void drop_oldest(struct output *output)
{
    ASSERT(output->block_count > 0);
    const struct output_block block = output->blocks[0];
    ASSERT(block.start >= output->sending);
    forget_oldest(output);
    cut(output, block.start, block.end);
    output->dropped_count++;
}

static void drop_open(struct output *output)
{
    output->used = output->ready;
    output->is_skipping = true;
    output->dropped_count++;
}

static bool make_room(struct output *output, size_t length, bool is_promise)
{
    while (output->used + length > OUTPUT_BYTES_MAX) {
        if (output->block_count > 0) {
            drop_oldest(output);
        } else if (!is_promise || output->used > output->ready) {
            drop_open(output);
            if (!is_promise)
                return false;
        } else {
            return false;
        }
    }
    return true;
}

static void close_block(struct output *output)
{
    const uint32_t blocks_max = output->sending > 0 ? OUTPUT_BLOCKS_SLOW_MAX : OUTPUT_BLOCKS_MAX;
    while (output->block_count >= blocks_max)
        drop_oldest(output);
    output->blocks[output->block_count++] = (struct output_block){output->ready, output->used};
    output->ready = output->used;
}

static void append(struct output *output, const char *line, size_t length)
{
    memcpy(output->bytes + output->used, line, length);
    output->used += (uint32_t)length;
    if (output->used > output->used_most)
        output->used_most = output->used;
}

bool output_push(struct output *output, const char *line, size_t length, enum rk_weight weight)
{
    ASSERT(length > 0 && line[length - 1] == '\n');
    if (weight == RK_PROMISE || weight == RK_ANSWER) {
        if (!make_room(output, length, true))
            return false;
        if (weight == RK_ANSWER && output->block_count > 0)
            output->block_count--; /* No longer one that may be dropped. */
        append(output, line, length);
        output->ready = output->used; /* An open block before it goes with it. */
        return true;
    }
    if (!output->is_skipping && make_room(output, length, false)) {
        append(output, line, length);
        if (weight == RK_PROGRESS_END)
            close_block(output);
    }
    if (weight == RK_PROGRESS_END)
        output->is_skipping = false;
    return true;
}

/* A block that is begun goes first, so it takes nothing from the promises' part for long. */
bool output_has_room(const struct output *output)
{
    uint32_t kept = output->ready;
    for (uint32_t i = 0; i < output->block_count; i++)
        kept -= output->blocks[i].end - output->blocks[i].start;
    return kept <= OUTPUT_BYTES_MAX - ANSWERS_BYTES && kept - output->begun <= PROMISES_BYTES_MAX;
}

size_t output_sendable(const struct output *output)
{
    return output->sending > 0 ? 0 : output->ready;
}

void output_consume(struct output *output, size_t count)
{
    ASSERT(output->sending == 0 && count <= output->ready);
    begin_blocks(output, (uint32_t)count);
    cut(output, 0, (uint32_t)count);
}

size_t output_begin(struct output *output)
{
    ASSERT(output_sendable(output) > 0);
    uint32_t length = output->ready;
    if (length > OUTPUT_WRITE_BYTES) {
        const char *from = output->bytes + OUTPUT_WRITE_BYTES;
        const char *last = memchr(from, '\n', length - OUTPUT_WRITE_BYTES);
        length = (uint32_t)(last + 1 - output->bytes); /* What is ready ends in LF. */
    }
    begin_blocks(output, length);
    output->sending = length;
    while (output->block_count > OUTPUT_BLOCKS_SLOW_MAX)
        drop_oldest(output);
    return length;
}

void output_end(struct output *output)
{
    const uint32_t length = output->sending;
    ASSERT(length > 0);
    output->sending = 0;
    cut(output, 0, length);
}
