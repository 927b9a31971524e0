/* Any bytes as a file of games: read or refused, and what is read are legal games. The checksums
 * are set right first, as no fuzzer finds them; every other input is left as it is. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"
#include "lab/gameblock.h"

enum { FILE_BYTES_MAX = 16 * 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Each header's checksums, from block to block as far as they go. */
static void sign(uint8_t *bytes, size_t length)
{
    size_t at = 0;
    while (length - at >= BLOCK_HEADER_BYTES) {
        uint8_t *header = bytes + at;
        const size_t rest = length - at - BLOCK_HEADER_BYTES;
        const uint32_t claimed = bytes_get32(header + 8);
        const size_t payload = claimed < rest ? claimed : rest;
        bytes_put64(header + 24, block_checksum(header + BLOCK_HEADER_BYTES, payload));
        bytes_put64(header + 32, block_checksum(header, 32));
        at += BLOCK_HEADER_BYTES + payload;
    }
}

static void read_all(const struct gamefile *file, struct gamefile_cursor *cursor)
{
    for (size_t i = 0; i < gamefile_summary(file)->blocks; i++) {
        uint64_t games = 0, positions = 0;
        if (gamefile_load(file, i, cursor) != GAMEFILE_FINE)
            continue;
        for (; gamefile_next_game(cursor); games++)
            for (; gamefile_next_ply(cursor); positions++)
                REQUIRE(position_is_legal(cursor->position, cursor->move));
        const struct gamefile_block *block = gamefile_block(file, i);
        REQUIRE(gamefile_cursor_fault(cursor) == GAMEFILE_CONTENT ||
                (games == block->games && positions == block->positions));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    uint8_t copy[FILE_BYTES_MAX];
    char path[64];
    if (length == 0 || length > sizeof copy)
        return 0;
    memcpy(copy, bytes, length);
    if (bytes[length - 1] % 2 == 0)
        sign(copy, length);
    const int descriptor = memfd_create("games", 0);
    REQUIRE(descriptor >= 0 && write(descriptor, copy, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    struct gamefile *file;
    struct gamefile_cursor *cursor;
    REQUIRE(gamefile_cursor_create(&cursor) == GAMEFILE_FINE);
    if (gamefile_open(path, &file) == GAMEFILE_FINE) {
        const struct gamefile_summary *summary = gamefile_summary(file);
        REQUIRE(summary->bytes + summary->tail_bytes == length);
        read_all(file, cursor);
        gamefile_close(file);
    }
    gamefile_cursor_destroy(cursor);
    close(descriptor);
    return 0;
}
