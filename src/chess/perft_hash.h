/* chess/perft_hash.h: leaves already counted below a position, shared by all threads of one count.
 * Two relaxed words an entry: the count with its depth, and the key XORed with that word, so that a
 * torn entry is a miss. Source: R. Hyatt and T. Mann, "A lock-less transposition table
 * implementation", 2002. Thread: any. */
#ifndef CHESS_PERFT_HASH_H
#define CHESS_PERFT_HASH_H

#include <stdatomic.h>
#include <stddef.h>

#include "chess/types.h"

struct perft_entry {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;  /* nodes << 8 | depth; depth 0 is an empty entry. */
};

struct perft_hash {
    struct perft_entry *entries; /* NULL: no hash. */
    size_t mask;                 /* Entries, a power of two, less one. */
    size_t bytes;
};

/* mib at least 1; the largest power of two within it. False when there is no memory. */
bool perft_hash_create(struct perft_hash *hash, unsigned mib);
void perft_hash_destroy(struct perft_hash *hash);

enum { PERFT_HASH_DEPTH_BITS = 8 };

static inline struct perft_entry *perft_hash_entry(const struct perft_hash *hash, zkey_t key,
                                                   unsigned depth)
{
    /* Each depth of a position has its own entry. */
    return &hash->entries[(key ^ depth * UINT64_C(0x9e3779b97f4a7c15)) & hash->mask];
}

static inline bool perft_hash_probe(const struct perft_hash *hash, zkey_t key, unsigned depth,
                                    uint64_t *out_nodes)
{
    struct perft_entry *entry = perft_hash_entry(hash, key, depth);
    const uint64_t data = atomic_load_explicit(&entry->data, memory_order_relaxed);
    const uint64_t check = atomic_load_explicit(&entry->check, memory_order_relaxed);
    if ((check ^ data) != key || (data & 0xff) != depth)
        return false;
    *out_nodes = data >> PERFT_HASH_DEPTH_BITS;
    return true;
}

static inline void perft_hash_store(const struct perft_hash *hash, zkey_t key, unsigned depth,
                                    uint64_t nodes)
{
    if (depth > 0xff || nodes >> (64 - PERFT_HASH_DEPTH_BITS) != 0)
        return; /* Does not fit. */
    struct perft_entry *entry = perft_hash_entry(hash, key, depth);
    const uint64_t data = nodes << PERFT_HASH_DEPTH_BITS | depth;
    atomic_store_explicit(&entry->data, data, memory_order_relaxed);
    atomic_store_explicit(&entry->check, key ^ data, memory_order_relaxed);
}

#endif
