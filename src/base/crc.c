#include "base/crc.h"

enum { BYTE_VALUES = 256, BYTE_BITS = 8 };
static const uint32_t POLYNOMIAL = 0xedb88320u; /* The lowest bit is the highest power. */

/* What each value of a byte adds, once a call: two thousand steps, which files are long beside. */
static void table_fill(uint32_t table[BYTE_VALUES])
{
    for (uint32_t value = 0; value < BYTE_VALUES; value++) {
        uint32_t rest = value;
        for (int bit = 0; bit < BYTE_BITS; bit++)
            rest = rest >> 1 ^ ((rest & 1u) != 0 ? POLYNOMIAL : 0);
        table[value] = rest;
    }
}

uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t length)
{
    uint32_t table[BYTE_VALUES];
    table_fill(table);
    crc = ~crc;
    for (size_t i = 0; i < length; i++)
        crc = crc >> BYTE_BITS ^ table[(crc ^ bytes[i]) & (BYTE_VALUES - 1u)];
    return ~crc;
}
