/* A symbol is a value, or two symbols one after the other. Codes are canonical: those of a length
 * are numbers in a row, and so are their symbols; a longer code is less than all shorter ones.
 * An entry of the index names the block and the place in it of the position in the middle of its
 * stretch; from there one counts block by block. So an index is sound when it agrees with the sizes
 * of blocks, and these come to all positions. What stands in the blocks is not looked at.
 * Source: as for tablefile.c. */
#include "engine/tablepack.h"

#include <stddef.h>

#include "base/bytes.h"

enum {
    SYMBOL_VALUE = 0xfff,    /* In place of a second symbol. */
    SYMBOL_VALUES_MAX = 256, /* How many a symbol may stand for: one byte counts them. */
    /* More are not counted: that is a file of six men or more, and it would take reading too long
     * when a server starts. */
    BLOCKS_COUNTED_MAX = 1 << 19
};

/* How many values a symbol stands for; 0 as long as its own symbols are not known. */
static unsigned count_values(const struct tablepack *pack, uint32_t symbol, const uint16_t *counts)
{
    const uint8_t *bytes = pack->symbols + (size_t)symbol * TABLEPACK_SYMBOL_BYTES;
    const uint32_t left = bytes[0] | (bytes[1] & 0xfu) << 8;
    const uint32_t right = bytes[1] >> 4 | (uint32_t)bytes[2] << 4;
    const unsigned unsound = SYMBOL_VALUES_MAX + 1;
    if (right == SYMBOL_VALUE)
        return left <= pack->value_max ? 1 : unsound;
    if (left >= pack->symbol_count || right >= pack->symbol_count)
        return unsound;
    return counts[left] > 0 && counts[right] > 0 ? (unsigned)counts[left] + counts[right] : 0;
}

/* Whether every symbol comes down to values. Each round knows those that are made of known ones;
 * as many rounds as a symbol may have values are enough. */
static bool are_symbols_sound(const struct tablepack *pack)
{
    uint16_t counts[TABLEPACK_SYMBOLS_MAX] = {0};
    uint32_t known = 0, known_before;
    do {
        known_before = known;
        for (uint32_t symbol = 0; symbol < pack->symbol_count; symbol++) {
            if (counts[symbol] > 0)
                continue;
            const unsigned count = count_values(pack, symbol, counts);
            if (count > SYMBOL_VALUES_MAX)
                return false;
            counts[symbol] = (uint16_t)count;
            known += count > 0;
        }
    } while (known > known_before);
    return known == pack->symbol_count;
}

static uint32_t first_symbol(const struct tablepack *pack, uint32_t bits)
{
    return bytes_get16(pack->codes + (size_t)(bits - pack->shortest) * 2);
}

/* Whether every code that can be read has a symbol. */
static bool are_codes_sound(const struct tablepack *pack)
{
    uint64_t least[TABLEPACK_CODE_BITS_MAX + 1]; /* Code of each length. */
    least[pack->longest] = 0;
    for (uint32_t bits = pack->longest; bits-- > pack->shortest;) {
        const uint64_t above = least[bits + 1] + first_symbol(pack, bits);
        if (above < first_symbol(pack, bits + 1))
            return false;
        least[bits] = (above - first_symbol(pack, bits + 1)) / 2;
    }
    uint64_t end = (uint64_t)1 << pack->shortest; /* Of the codes of a length. */
    if (least[pack->shortest] >= end)
        return false;
    for (uint32_t bits = pack->shortest; bits <= pack->longest; bits++) {
        if (least[bits] > end ||
            (least[bits] < end &&
             first_symbol(pack, bits) + (end - least[bits]) > pack->symbol_count))
            return false;
        end = 2 * least[bits];
    }
    return true;
}

/* Positions in the blocks from `from` up to `end`. */
static uint64_t count_positions(const struct tablepack *pack, uint64_t from, uint64_t end)
{
    uint64_t positions = 0;
    for (uint64_t block = from; block < end; block++)
        positions += (uint64_t)bytes_get16(pack->sizes + block * 2) + 1;
    return positions;
}

static bool is_index_sound(const struct tablepack *pack)
{
    const uint64_t stretch = (uint64_t)1 << pack->index_bits;
    uint64_t counted = 0, before = 0; /* Blocks, and the positions in them. */
    if (pack->blocks > BLOCKS_COUNTED_MAX)
        return true;
    const uint8_t *entry = pack->index;
    for (uint64_t from = 0; from < pack->positions; from += stretch) {
        const uint32_t block = bytes_get32(entry);
        if (block < counted || block >= pack->blocks + pack->spare_blocks)
            return false;
        before += count_positions(pack, counted, block);
        counted = block;
        if (before + bytes_get16(entry + 4) != from + stretch / 2)
            return false;
        entry += TABLEPACK_INDEX_BYTES;
    }
    return count_positions(pack, 0, pack->blocks) == pack->positions;
}

bool tablepack_is_sound(const struct tablepack *pack)
{
    return are_symbols_sound(pack) && are_codes_sound(pack) && is_index_sound(pack);
}
