/* engine/table.h: the transposition table, one for all crews, lock-free.
 * 16-byte entries, four a 64-byte bucket. An entry is two relaxed 64-bit atomics, `data` and `check
 * = key ^ data`; a torn pair fails the check and is a miss, so no writer waits for anybody. Thread:
 * probe, store, prefetch, hashfull any; the rest the engine's owner, while no search runs. */
#ifndef ENGINE_TABLE_H
#define ENGINE_TABLE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/bits.h"
#include "chess/move.h"
#include "engine/score.h"
#include "rookery/status.h"

enum { TABLE_ENTRIES_PER_BUCKET = 4, TABLE_BUCKET_BYTES = 64 };

struct table_entry {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;  /* 0: empty. Its fields are told in table.c. */
};

struct table_bucket {
    alignas(TABLE_BUCKET_BYTES) struct table_entry entries[TABLE_ENTRIES_PER_BUCKET];
};
static_assert(sizeof(struct table_bucket) == TABLE_BUCKET_BYTES, "a bucket is one cache line");

struct table {
    /* The owner's, while no search runs. */
    struct table_bucket *buckets;
    uint64_t bucket_count;
    uint32_t mib;
    uint32_t samples_per_age; /* Sampled arrivals after which the generation advances. */
    /* Any thread, relaxed; read by every probe, written once a quarter of the table. */
    alignas(TABLE_BUCKET_BYTES) _Atomic uint32_t generation;
    /* Any thread, relaxed; written once in 1024 arrivals, so on a line of its own. */
    alignas(TABLE_BUCKET_BYTES) _Atomic uint32_t samples;
};

/* What an entry says, by value. score is as stored: use score_from_table(). */
struct table_hit {
    move_t move; /* Not checked against the board: keys collide. */
    score_t score;
    score_t eval; /* Raw, or SCORE_NONE. */
    depth_t depth;
    bound_t bound;
    bool is_pv;
};

/* Sizes from 1 MiB. RK_NO_MEMORY also when the machine or a control group has less than that. */
enum rk_status table_create(uint32_t mib, unsigned clear_threads, struct table **out_table);
void table_destroy(struct table *table);
/* RK_NO_MEMORY keeps the old one, with what is in it. RK_OK: another size, empty. */
enum rk_status table_resize(struct table *table, uint32_t mib, unsigned clear_threads);
/* Empties it, with so many threads, or as many as the kernel gives. */
enum rk_status table_clear(struct table *table, unsigned clear_threads);

/* A hit makes its entry young again. */
bool table_probe(struct table *table, zkey_t key, struct table_hit *out_hit);
/* A move of MOVE_NONE keeps the one known. depth within -1 … PLY_MAX. */
void table_store(struct table *table, zkey_t key, const struct table_hit *hit);

static inline struct table_bucket *table_bucket_of(const struct table *table, zkey_t key)
{
    return &table->buckets[bits_multiply_high(key, table->bucket_count)];
}
static inline void table_prefetch(const struct table *table, zkey_t key)
{
    bits_prefetch(table_bucket_of(table, key));
}

/* Entries of the present ages in use, parts of 1000, from a sample. */
unsigned table_hashfull(const struct table *table);
uint32_t table_mib(const struct table *table);

#endif
