/* The index: every header is read once, from the end of the last whole block on. Where a block
 * should begin and does not, the next header that is one is looked for byte by byte; what was
 * passed over is a gap when there is one, else the tail. */
#include "lab/gamefile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/file.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "lab/gameblock.h"

enum { BLOCKS_FIRST = 64, SEEK_BYTES = 64 * 1024 };

struct gamefile {
    int descriptor;
    struct gamefile_summary summary;
    struct gamefile_block *blocks;
    size_t capacity;
};

const char *gamefile_fault_text(enum gamefile_fault fault)
{
    static const char *const TEXTS[GAMEFILE_FAULT_COUNT] = {
        [GAMEFILE_FINE] = "fine",
        [GAMEFILE_SYSTEM] = "the system refused",
        [GAMEFILE_NO_MEMORY] = "no memory",
        [GAMEFILE_BUSY] = "another process writes it",
        [GAMEFILE_EXISTS] = "it is there already",
        [GAMEFILE_ALIEN] = "not a file of games",
        [GAMEFILE_BYTE_ORDER] = "written with the other byte order",
        [GAMEFILE_OTHER_VERSION] = "of a version that this build does not know",
        [GAMEFILE_HEADER] = "no block begins where one should",
        [GAMEFILE_CHECKSUM] = "the checksum does not fit the games",
        [GAMEFILE_CONTENT] = "a game that cannot be",
        [GAMEFILE_PART] = "what stands at its name and .part is no file of games; remove it",
        [GAMEFILE_STOPPED] = "told to end",
    };
    return TEXTS[fault];
}

static enum gamefile_fault descriptor_read(int descriptor, uint64_t offset, void *out_bytes,
                                           size_t length)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t got =
            pread(descriptor, (char *)out_bytes + done, length - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; /* It was longer before. */
        if (got <= 0)
            return GAMEFILE_SYSTEM;
        done += (size_t)got;
    }
    return GAMEFILE_FINE;
}

/* The next offset from `from` on at which a header stands; `end` when there is none. */
static enum gamefile_fault header_find(int descriptor, uint64_t from, uint64_t end,
                                       uint64_t *out_offset)
{
    uint8_t bytes[SEEK_BYTES];
    struct gamefile_block block;
    *out_offset = end;
    for (uint64_t at = from; at + BLOCK_HEADER_BYTES <= end;) {
        const size_t length = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
        const enum gamefile_fault fault = descriptor_read(descriptor, at, bytes, length);
        if (fault != GAMEFILE_FINE)
            return fault;
        const size_t last = length - BLOCK_HEADER_BYTES;
        for (size_t i = 0; i <= last; i++)
            if (bytes[i] == block_magic()[0] &&
                block_header_read(bytes + i, &block) == GAMEFILE_FINE) {
                *out_offset = at + i;
                return GAMEFILE_FINE;
            }
        at += last + 1;
    }
    return GAMEFILE_FINE;
}

static enum gamefile_fault block_keep(struct gamefile *file, const struct gamefile_block *block)
{
    struct gamefile_summary *summary = &file->summary;
    if (summary->blocks == file->capacity) {
        const size_t capacity = file->capacity == 0 ? BLOCKS_FIRST : 2 * file->capacity;
        struct gamefile_block *blocks = memory_allocate(capacity * sizeof *blocks);
        if (blocks == NULL)
            return GAMEFILE_NO_MEMORY;
        if (file->capacity > 0)
            memcpy(blocks, file->blocks, file->capacity * sizeof *blocks);
        memory_free(file->blocks);
        file->blocks = blocks;
        file->capacity = capacity;
    }
    if (block->offset != summary->bytes && summary->gaps++ == 0)
        summary->first_gap = summary->bytes;
    file->blocks[summary->blocks++] = *block;
    summary->games += block->games;
    summary->positions += block->positions;
    summary->bytes = block->offset + BLOCK_HEADER_BYTES + block->bytes;
    return GAMEFILE_FINE;
}

/* A file that begins otherwise has been made by somebody else; one that is shorter, by a writer
 * that was killed at once. */
static enum gamefile_fault beginning_check(int descriptor, uint64_t size)
{
    uint8_t bytes[BLOCK_MAGIC_BYTES];
    const size_t length = size < sizeof bytes ? (size_t)size : sizeof bytes;
    const enum gamefile_fault fault = descriptor_read(descriptor, 0, bytes, length);
    if (fault != GAMEFILE_FINE)
        return fault;
    if (length == sizeof bytes && block_is_swapped(bytes))
        return GAMEFILE_BYTE_ORDER;
    return memcmp(bytes, block_magic(), length) == 0 ? GAMEFILE_FINE : GAMEFILE_ALIEN;
}

/* What stands at `at`, where a block should begin: kept when it is a whole one. *out_next is where
 * to go on; `size` when there is nothing more. */
static enum gamefile_fault block_take(struct gamefile *file, uint64_t at, uint64_t size,
                                      uint64_t *out_next)
{
    uint8_t header[BLOCK_HEADER_BYTES];
    struct gamefile_block block = {.offset = at};
    enum gamefile_fault fault = descriptor_read(file->descriptor, at, header, sizeof header);
    if (fault != GAMEFILE_FINE)
        return fault;
    fault = block_header_read(header, &block);
    if (fault == GAMEFILE_HEADER)
        return header_find(file->descriptor, at + 1, size, out_next);
    if (fault != GAMEFILE_FINE)
        return fault;
    *out_next = at + BLOCK_HEADER_BYTES + block.bytes;
    if (*out_next > size) {
        *out_next = size; /* Torn, or being written. */
        return GAMEFILE_FINE;
    }
    return block_keep(file, &block);
}

/* Whether the tail cannot be what a killed writer or a lost page leaves behind: a block's
 * beginning, or zeroes. */
static enum gamefile_fault tail_check(struct gamefile *file)
{
    struct gamefile_summary *summary = &file->summary;
    static const uint8_t zeroes[BLOCK_HEADER_BYTES];
    uint8_t bytes[BLOCK_HEADER_BYTES];
    struct gamefile_block block;
    const size_t length =
        summary->tail_bytes < sizeof bytes ? (size_t)summary->tail_bytes : sizeof bytes;
    const size_t seen = length < BLOCK_MAGIC_BYTES ? length : BLOCK_MAGIC_BYTES;
    const enum gamefile_fault fault =
        descriptor_read(file->descriptor, summary->bytes, bytes, length);
    if (fault != GAMEFILE_FINE)
        return fault;
    const bool is_beginning = length == sizeof bytes
                                  ? block_header_read(bytes, &block) == GAMEFILE_FINE
                                  : memcmp(bytes, block_magic(), seen) == 0;
    summary->is_tail_broken = summary->tail_bytes > BLOCK_HEADER_BYTES + GAMEFILE_BLOCK_BYTES_MAX ||
                              (!is_beginning && memcmp(bytes, zeroes, length) != 0);
    return GAMEFILE_FINE;
}

enum gamefile_fault gamefile_refresh(struct gamefile *file)
{
    struct stat facts;
    if (fstat(file->descriptor, &facts) != 0)
        return GAMEFILE_SYSTEM;
    const uint64_t size = (uint64_t)facts.st_size;
    uint64_t at = file->summary.bytes;
    enum gamefile_fault fault = at == 0 ? beginning_check(file->descriptor, size) : GAMEFILE_FINE;
    while (fault == GAMEFILE_FINE && at + BLOCK_HEADER_BYTES <= size)
        fault = block_take(file, at, size, &at);
    file->summary.tail_bytes = size > file->summary.bytes ? size - file->summary.bytes : 0;
    return fault == GAMEFILE_FINE ? tail_check(file) : fault;
}

enum gamefile_fault gamefile_open(const char *path, struct gamefile **out_file)
{
    chess_init();
    struct gamefile *file = memory_allocate(sizeof *file);
    if (file == NULL)
        return GAMEFILE_NO_MEMORY;
    file->descriptor = file_open(path);
    enum gamefile_fault fault = GAMEFILE_FINE;
    if (file->descriptor < 0)
        fault = errno == ESPIPE ? GAMEFILE_ALIEN : GAMEFILE_SYSTEM;
    else
        fault = gamefile_refresh(file);
    if (fault != GAMEFILE_FINE)
        gamefile_close(file);
    else
        *out_file = file;
    return fault;
}

void gamefile_close(struct gamefile *file)
{
    if (file == NULL)
        return;
    const int error = errno;
    if (file->descriptor >= 0)
        close(file->descriptor);
    errno = error;
    memory_free(file->blocks);
    memory_free(file);
}

const struct gamefile_summary *gamefile_summary(const struct gamefile *file)
{
    return &file->summary;
}

const struct gamefile_block *gamefile_block(const struct gamefile *file, size_t index)
{
    REQUIRE(index < file->summary.blocks);
    return &file->blocks[index];
}

enum gamefile_fault gamefile_bytes_at(const struct gamefile *file, uint64_t offset, uint32_t length,
                                      uint8_t *out_bytes)
{
    return descriptor_read(file->descriptor, offset, out_bytes, length);
}
