/* base/random.h: splitmix64, for keys and tests; not for secrets.
 * Source: Sebastiano Vigna, "splitmix64" (public domain description), after Steele, Lea and Flood,
 * 2014. Thread: any, one at a time for each state. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* 0 to bound - 1; bound at least 1. The bias is below 2^-32 for small bounds. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
    return (random_next(state) >> 32) * bound >> 32;
}

#endif
