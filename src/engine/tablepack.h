/* engine/tablepack.h: whether what Syzygy tablebases pack their values with can be followed.
 * Who unpacks a value trusts all of it: a symbol made of itself would never end, a code without a
 * symbol or a block number that is too great would lead out of the file.
 * Thread: any. */
#ifndef ENGINE_TABLEPACK_H
#define ENGINE_TABLEPACK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TABLEPACK_SYMBOLS_MAX = 4095,
    TABLEPACK_SYMBOL_BYTES = 3,
    TABLEPACK_CODE_BITS_MAX = 32,
    TABLEPACK_INDEX_BYTES = 6, /* Of an entry: a block's number, and a place in it. */
    TABLEPACK_INDEX_BITS_MAX = 31
};

/* One part of a file: the positions of one table with one side to move. */
struct tablepack {
    const uint8_t *codes;       /* The first symbol of each length, two bytes each. */
    uint32_t shortest, longest; /* Bits of a code; 1 to TABLEPACK_CODE_BITS_MAX. */
    const uint8_t *symbols;
    uint32_t symbol_count; /* Up to TABLEPACK_SYMBOLS_MAX. */
    uint32_t value_max;    /* Greater ones cannot be. */
    const uint8_t *index;
    uint32_t index_bits; /* An entry is for 2 ^ index_bits positions; at least 1. */
    uint64_t positions;
    const uint8_t *sizes;          /* Positions in a block, less one; two bytes each. */
    uint64_t blocks, spare_blocks; /* Spare ones have a size, but no bytes. */
};

/* All that it points at must be there. */
bool tablepack_is_sound(const struct tablepack *pack);

#endif
