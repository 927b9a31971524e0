/* engine/table.h: the transposition table, one for all crews, lock-free.
 * 16-byte entries, four a 64-byte bucket. An entry is two relaxed 64-bit atomics, `data` and `check
 * = key ^ data`; a torn pair fails the check and is a miss, so no writer waits for anybody. Thread:
 * probe and store any; the rest the engine's owner, while no search runs. */
#ifndef ENGINE_TABLE_H
#define ENGINE_TABLE_H

#include <stddef.h>

#include "chess/move.h"
#include "engine/score.h"
#include "rookery/status.h"

struct table;

/* What an entry says, by value. score is as stored: use score_from_table(). */
struct table_hit {
    move_t move;
    score_t score;
    score_t eval; /* Raw, or SCORE_NONE. */
    depth_t depth;
    bound_t bound;
    bool is_pv;
};

enum rk_status table_create(uint32_t mib, unsigned clear_threads, struct table **out_table);
void table_destroy(struct table *table);
/* RK_NO_MEMORY keeps the old one. Empties it. */
enum rk_status table_resize(struct table *table, uint32_t mib, unsigned clear_threads);
/* Empties it, with so many threads. */
enum rk_status table_clear(struct table *table, unsigned clear_threads);

bool table_probe(struct table *table, zkey_t key, struct table_hit *out_hit);
/* A move of MOVE_NONE keeps the one known. depth within -1 … PLY_MAX. */
void table_store(struct table *table, zkey_t key, const struct table_hit *hit);
void table_prefetch(const struct table *table, zkey_t key);

/* Entries of the present ages in use, parts of 1000, from a sample. Any thread. */
unsigned table_hashfull(const struct table *table);
uint32_t table_mib(const struct table *table);

#endif
