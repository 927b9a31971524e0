/* base/bits.h: compiler builtins; there are no others but in base/processor.c.
 * Thread: any. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline unsigned bits_count(uint64_t bits)
{
#if defined(__POPCNT__) || !defined(__x86_64__)
    return (unsigned)__builtin_popcountll(bits);
#else
    /* Without the instruction the builtin is a call, slower than sums of pairs, nibbles and bytes.
     */
    bits -= (bits >> 1) & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + ((bits >> 2) & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(bits * 0x0101010101010101u >> 56);
#endif
}
/* Index of the lowest set bit; bits must not be 0. */
static inline uint8_t bits_lowest(uint64_t bits) { return (uint8_t)__builtin_ctzll(bits); }
static inline uint8_t bits_highest(uint64_t bits) { return (uint8_t)(63 - __builtin_clzll(bits)); }
static inline uint8_t bits_pop(uint64_t *bits)
{
    const uint8_t lowest = bits_lowest(*bits);
    *bits &= *bits - 1;
    return lowest;
}
static inline bool bits_many(uint64_t bits) { return (bits & (bits - 1)) != 0; }
/* The high half of a product: scales a 64-bit hash to 0 … bound - 1. */
static inline uint64_t bits_multiply_high(uint64_t hash, uint64_t bound)
{
    __extension__ typedef unsigned __int128 wide_t;
    return (uint64_t)((wide_t)hash * bound >> 64);
}
/* Rank 1 for rank 8 and so on. */
static inline uint64_t bits_swap_bytes(uint64_t bits) { return __builtin_bswap64(bits); }
static inline void bits_prefetch(const void *address) { __builtin_prefetch(address); }

#endif
