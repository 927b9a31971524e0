/* The checksum is XXH64 of xxHash: at some ten bytes a nanosecond it costs a reader nothing, any
 * damage is missed once in 2^64, it is described on a page and so can be had in any language, and
 * the library is one header, so that cross builds need no library of their own. */
#define XXH_INLINE_ALL
#include "lab/gameblock.h"

#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "chess/packed.h"

/* Where things stand in the headers. */
enum {
    BLOCK_VERSION_AT = 4,
    BLOCK_BYTES_AT = 8,
    BLOCK_GAMES_AT = 12,
    BLOCK_POSITIONS_AT = 16,
    BLOCK_CHECKSUM_AT = 24, /* Of the payload. */
    BLOCK_HEADER_CHECKSUM_AT = 32,
    GAME_POINTS_AT = 28,
    GAME_END_AT = 29,
    GAME_PLIES_AT = 30,
    GAME_PAWN_AT = 32,
    GAME_FLAGS_AT = 34,
    GAME_NODES_AT = 36,
    GAME_IS_CHESS960 = 1 /* A flag; the others are 0. */
};
static_assert((int)GAME_POINTS_AT == (int)PACKED_BYTES, "the position comes first");

static const uint8_t MAGIC[BLOCK_MAGIC_BYTES] = {'R', 'k', 'G', 'B'};

const uint8_t *block_magic(void) { return MAGIC; }

uint64_t block_checksum(const uint8_t *payload, size_t length) { return XXH64(payload, length, 0); }

void block_header_write(uint8_t *header, const struct gamefile_block *block)
{
    memset(header, 0, BLOCK_HEADER_BYTES);
    memcpy(header, MAGIC, BLOCK_MAGIC_BYTES);
    bytes_put16(header + BLOCK_VERSION_AT, GAMEFILE_VERSION);
    bytes_put32(header + BLOCK_BYTES_AT, block->bytes);
    bytes_put32(header + BLOCK_GAMES_AT, block->games);
    bytes_put32(header + BLOCK_POSITIONS_AT, block->positions);
    bytes_put64(header + BLOCK_CHECKSUM_AT,
                block_checksum(header + BLOCK_HEADER_BYTES, block->bytes));
    bytes_put64(header + BLOCK_HEADER_CHECKSUM_AT,
                block_checksum(header, BLOCK_HEADER_CHECKSUM_AT));
}

bool block_is_swapped(const uint8_t *header)
{
    for (unsigned i = 0; i < BLOCK_MAGIC_BYTES; i++)
        if (header[i] != MAGIC[BLOCK_MAGIC_BYTES - 1 - i])
            return false;
    return true;
}

enum gamefile_fault block_header_read(const uint8_t header[BLOCK_HEADER_BYTES],
                                      struct gamefile_block *out_block)
{
    if (block_is_swapped(header))
        return GAMEFILE_BYTE_ORDER;
    if (memcmp(header, MAGIC, BLOCK_MAGIC_BYTES) != 0 ||
        bytes_get64(header + BLOCK_HEADER_CHECKSUM_AT) !=
            block_checksum(header, BLOCK_HEADER_CHECKSUM_AT))
        return GAMEFILE_HEADER;
    if (bytes_get16(header + BLOCK_VERSION_AT) != GAMEFILE_VERSION)
        return GAMEFILE_OTHER_VERSION;
    const uint32_t bytes = bytes_get32(header + BLOCK_BYTES_AT);
    const uint32_t games = bytes_get32(header + BLOCK_GAMES_AT);
    const uint32_t positions = bytes_get32(header + BLOCK_POSITIONS_AT);
    if (bytes > GAMEFILE_BLOCK_BYTES_MAX ||
        bytes != (uint64_t)games * GAME_HEADER_BYTES + (uint64_t)positions * PLY_BYTES)
        return GAMEFILE_HEADER;
    out_block->bytes = bytes;
    out_block->games = games;
    out_block->positions = positions;
    return GAMEFILE_FINE;
}

bool block_is_whole(const uint8_t header[BLOCK_HEADER_BYTES], const uint8_t *payload,
                    uint32_t length)
{
    return bytes_get64(header + BLOCK_CHECKSUM_AT) == block_checksum(payload, length);
}

void game_header_write(uint8_t out_bytes[GAME_HEADER_BYTES], const struct gamefile_game *game)
{
    packed_write(&game->start, out_bytes);
    out_bytes[GAME_POINTS_AT] = (uint8_t)game->white_points;
    out_bytes[GAME_END_AT] = (uint8_t)game->end;
    bytes_put16(out_bytes + GAME_PLIES_AT, (uint16_t)game->plies);
    bytes_put16(out_bytes + GAME_PAWN_AT, (uint16_t)game->pawn);
    bytes_put16(out_bytes + GAME_FLAGS_AT, game->is_chess960 ? GAME_IS_CHESS960 : 0);
    bytes_put32(out_bytes + GAME_NODES_AT, game->nodes);
}

unsigned game_header_plies(const uint8_t bytes[GAME_HEADER_BYTES])
{
    return bytes_get16(bytes + GAME_PLIES_AT);
}

bool game_header_read(const uint8_t bytes[GAME_HEADER_BYTES], struct gamefile_game *out_game)
{
    const unsigned flags = bytes_get16(bytes + GAME_FLAGS_AT);
    *out_game = (struct gamefile_game){.end = bytes[GAME_END_AT],
                                       .white_points = bytes[GAME_POINTS_AT],
                                       .plies = game_header_plies(bytes),
                                       .pawn = bytes_get16(bytes + GAME_PAWN_AT),
                                       .nodes = bytes_get32(bytes + GAME_NODES_AT),
                                       .is_chess960 = (flags & GAME_IS_CHESS960) != 0};
    return out_game->end < GAMEFILE_END_COUNT && out_game->white_points <= 2 &&
           out_game->plies <= GAMEFILE_PLIES_MAX && out_game->pawn >= 1 &&
           flags <= GAME_IS_CHESS960 && packed_read(bytes, &out_game->start) == RK_OK;
}
