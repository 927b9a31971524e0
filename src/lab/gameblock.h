/* lab/gameblock.h: the bytes of a block of games, for those behind lab/gamefile.h.
 * A block: a header of 40 bytes, then its games, each a header of 40 bytes and 4 bytes a ply. The
 * layout is told in docs/network.md. Thread: any. */
#ifndef LAB_GAMEBLOCK_H
#define LAB_GAMEBLOCK_H

#include "base/bytes.h"
#include "base/check.h"
#include "lab/gamefile.h"

enum { BLOCK_HEADER_BYTES = 40, GAME_HEADER_BYTES = 40, PLY_BYTES = 4, BLOCK_MAGIC_BYTES = 4 };
static_assert(GAMEFILE_GAME_BYTES_MAX == GAME_HEADER_BYTES + PLY_BYTES * GAMEFILE_PLIES_MAX,
              "the door says what is so");

/* How every block begins. */
const uint8_t *block_magic(void);
/* The same from its end to its beginning: who wrote it puts the highest byte of a number first. */
bool block_is_swapped(const uint8_t *header);

uint64_t block_checksum(const uint8_t *payload, size_t length);

/* For the payload that stands behind it in memory. */
void block_header_write(uint8_t *header, const struct gamefile_block *block);
/* FINE, BYTE_ORDER, OTHER_VERSION, or HEADER: no header. `offset` of the block is untouched. */
enum gamefile_fault block_header_read(const uint8_t header[BLOCK_HEADER_BYTES],
                                      struct gamefile_block *out_block);
/* Whether the payload is the one that was written with that header. */
bool block_is_whole(const uint8_t header[BLOCK_HEADER_BYTES], const uint8_t *payload,
                    uint32_t length);

void game_header_write(uint8_t out_bytes[GAME_HEADER_BYTES], const struct gamefile_game *game);
/* Plies alone; more than GAMEFILE_PLIES_MAX are possible. */
unsigned game_header_plies(const uint8_t bytes[GAME_HEADER_BYTES]);
/* False: it is none. */
bool game_header_read(const uint8_t bytes[GAME_HEADER_BYTES], struct gamefile_game *out_game);

static inline void ply_write(uint8_t *out_bytes, const struct gamefile_ply *ply)
{
    bytes_put16(out_bytes, ply->move);
    bytes_put16(out_bytes + 2, (uint16_t)ply->score);
}
static inline struct gamefile_ply ply_read(const uint8_t *bytes)
{
    return (struct gamefile_ply){.move = bytes_get16(bytes),
                                 .score = (int16_t)bytes_get16(bytes + 2)};
}

#endif
