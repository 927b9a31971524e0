/* An entry's data, from the lowest bit:
 *
 *     move 16 | score 16 | eval 16 | depth 8 | generation 5 | bound 2 | pv 1
 *
 * depth is stored with DEPTH_OFFSET added, so that no entry in use is 0 and zeroed memory is empty.
 * A key's bucket is the high half of key * buckets: any number of buckets will do, and the low bits
 * of the key stay free for sampling.
 *
 * Ages. The generation advances when as many new positions have arrived as a quarter of the table
 * holds, whoever stored them; storing a position again is no arrival. Arrivals are not counted one
 * by one, which would make every thread write one cache line: those whose key ends in ten zero bits
 * stand for 1024. Keys are random, so the sample is fair, and one position can be sampled again
 * only after it was driven out. A hit or a store stamps its entry with the present generation: what
 * is used stays, whatever its age. 32 generations go round after eight tables of arrivals.
 *
 * Replacement. The same position keeps its entry unless the new one is about as deep, exact, or the
 * old one aged; its move is taken over in any case, and a bare evaluation (BOUND_NONE) never.
 * Otherwise the entry of least worth goes: an empty one, or that with the smallest depth -
 * TUNE_TABLE_AGE_COST * age. */
#include "engine/table.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "base/check.h"
#include "base/limits.h"
#include "base/machine.h"
#include "base/memory.h"
#include "engine/tune.h"

enum {
    SCORE_SHIFT = 16,
    EVAL_SHIFT = 32,
    DEPTH_SHIFT = 48,
    GENERATION_SHIFT = 56,
    BOUND_SHIFT = 61,
    PV_SHIFT = 63,
    GENERATION_MASK = 31,
    BOUND_MASK = 3,
    DEPTH_OFFSET = 2,
    EMPTY_WORTH = -1000,  /* Below any entry in use. */
    SAMPLE_RATE = 1024,   /* Arrivals a sample stands for: a power of two. */
    AGES_PER_TABLE = 4,   /* Generations while a whole table arrives. */
    PRESENT_AGES = 8,     /* Entries of two tables' arrivals count as in use. */
    SAMPLE_BUCKETS = 250, /* For table_hashfull: 1000 entries. */
    MIB_SHIFT = 20,
    /* A share of what can be had stays free for all else this process needs. */
    RESERVE_DIVISOR = 16
};

static_assert(PLY_MAX + DEPTH_OFFSET <= UINT8_MAX, "depth fits eight bits");
static_assert(SCORE_NONE <= INT16_MAX, "scores fit sixteen bits");
static_assert(-1 - GREATEST_TABLE_AGE_COST * GENERATION_MASK > EMPTY_WORTH,
              "an empty entry goes first");
static_assert(PRESENT_AGES <= GENERATION_MASK + 1, "ages are told apart");
static_assert(((1 << MIB_SHIFT) / TABLE_BUCKET_BYTES) * TABLE_ENTRIES_PER_BUCKET / AGES_PER_TABLE >=
                  SAMPLE_RATE,
              "the smallest table has at least one sample an age");

static uint64_t data_pack(const struct table_hit *hit, uint32_t generation)
{
    return (uint64_t)hit->move | (uint64_t)(uint16_t)hit->score << SCORE_SHIFT |
           (uint64_t)(uint16_t)hit->eval << EVAL_SHIFT |
           (uint64_t)(uint8_t)(hit->depth + DEPTH_OFFSET) << DEPTH_SHIFT |
           (uint64_t)generation << GENERATION_SHIFT | (uint64_t)hit->bound << BOUND_SHIFT |
           (uint64_t)hit->is_pv << PV_SHIFT;
}

static depth_t data_depth(uint64_t data) { return (uint8_t)(data >> DEPTH_SHIFT) - DEPTH_OFFSET; }

static uint32_t data_generation(uint64_t data)
{
    return (uint32_t)(data >> GENERATION_SHIFT) & GENERATION_MASK;
}

static uint64_t data_stamped(uint64_t data, uint32_t generation)
{
    return (data & ~((uint64_t)GENERATION_MASK << GENERATION_SHIFT)) | (uint64_t)generation
                                                                           << GENERATION_SHIFT;
}

static int data_age(uint64_t data, uint32_t generation)
{
    return (int)((generation - data_generation(data)) & GENERATION_MASK);
}

static void entry_write(struct table_entry *entry, zkey_t key, uint64_t data)
{
    atomic_store_explicit(&entry->data, data, memory_order_relaxed);
    atomic_store_explicit(&entry->check, key ^ data, memory_order_relaxed);
}

static uint64_t entry_data(const struct table_entry *entry)
{
    return atomic_load_explicit(&entry->data, memory_order_relaxed);
}

/* Key 0 would match an empty entry, hence the second condition. */
static bool entry_holds(const struct table_entry *entry, zkey_t key, uint64_t data)
{
    return (atomic_load_explicit(&entry->check, memory_order_relaxed) ^ data) == key && data != 0;
}

static uint32_t generation_now(const struct table *table)
{
    return atomic_load_explicit(&table->generation, memory_order_relaxed);
}

bool table_probe(struct table *table, zkey_t key, struct table_hit *out_hit)
{
    struct table_entry *entries = table_bucket_of(table, key)->entries;
    for (unsigned i = 0; i < TABLE_ENTRIES_PER_BUCKET; i++) {
        const uint64_t data = entry_data(&entries[i]);
        if (!entry_holds(&entries[i], key, data))
            continue;
        const uint32_t generation = generation_now(table);
        if (data_generation(data) != generation)
            entry_write(&entries[i], key, data_stamped(data, generation));
        *out_hit = (struct table_hit){.move = (move_t)data,
                                      .score = (int16_t)(data >> SCORE_SHIFT),
                                      .eval = (int16_t)(data >> EVAL_SHIFT),
                                      .depth = data_depth(data),
                                      .bound = (bound_t)(data >> BOUND_SHIFT & BOUND_MASK),
                                      .is_pv = data >> PV_SHIFT};
        return true;
    }
    return false;
}

/* A new position has come into the table. */
static void arrival_count(struct table *table, zkey_t key)
{
    if (key % SAMPLE_RATE != 0)
        return;
    const uint32_t samples =
        atomic_fetch_add_explicit(&table->samples, 1, memory_order_relaxed) + 1;
    /* Only one thread draws each number, so a generation advances once. */
    if (samples % table->samples_per_age == 0)
        atomic_store_explicit(&table->generation, (generation_now(table) + 1) & GENERATION_MASK,
                              memory_order_relaxed);
}

static void same_position_store(struct table_entry *entry, zkey_t key, uint64_t old,
                                const struct table_hit *hit, uint32_t generation)
{
    if (hit->bound == BOUND_NONE)
        return; /* A bare evaluation adds nothing to what is there. */
    const int reach = hit->depth + TUNE_TABLE_DEPTH_SLACK + (hit->is_pv ? TUNE_TABLE_PV_SLACK : 0);
    struct table_hit merged = *hit;
    if (merged.move == MOVE_NONE)
        merged.move = (move_t)old;
    if (hit->bound == BOUND_EXACT || reach > data_depth(old) || data_age(old, generation) != 0)
        entry_write(entry, key, data_pack(&merged, generation));
    else
        entry_write(entry, key, (old & ~(uint64_t)UINT16_MAX) | merged.move);
}

/* Worth above index, in one integer: the least is found without a branch, the first among equals.
 */
static int entry_rank(uint64_t data, uint32_t generation, unsigned index)
{
    const int worth = data == 0
                          ? EMPTY_WORTH
                          : data_depth(data) - TUNE_TABLE_AGE_COST * data_age(data, generation);
    return worth * TABLE_ENTRIES_PER_BUCKET + (int)index;
}

void table_store(struct table *table, zkey_t key, const struct table_hit *hit)
{
    ASSERT(hit->depth >= -1 && hit->depth <= PLY_MAX);
    ASSERT(hit->score >= -SCORE_NONE && hit->score <= SCORE_NONE);
    ASSERT(hit->eval >= -SCORE_NONE && hit->eval <= SCORE_NONE);
    struct table_entry *entries = table_bucket_of(table, key)->entries;
    const uint32_t generation = generation_now(table);
    int least_rank = INT_MAX;
    for (unsigned i = 0; i < TABLE_ENTRIES_PER_BUCKET; i++) {
        const uint64_t data = entry_data(&entries[i]);
        if (entry_holds(&entries[i], key, data)) {
            same_position_store(&entries[i], key, data, hit, generation);
            return;
        }
        const int rank = entry_rank(data, generation, i);
        least_rank = rank < least_rank ? rank : least_rank;
    }
    entry_write(&entries[(unsigned)least_rank % TABLE_ENTRIES_PER_BUCKET], key,
                data_pack(hit, generation));
    arrival_count(table, key);
}

unsigned table_hashfull(const struct table *table)
{
    const uint32_t generation = generation_now(table);
    unsigned used = 0;
    for (unsigned i = 0; i < SAMPLE_BUCKETS; i++)
        for (unsigned k = 0; k < TABLE_ENTRIES_PER_BUCKET; k++) {
            const uint64_t data = entry_data(&table->buckets[i].entries[k]);
            used += data != 0 && data_age(data, generation) < PRESENT_AGES;
        }
    return used;
}

uint32_t table_mib(const struct table *table) { return table->mib; }

/* A part of the table for one thread to empty. */
struct slice {
    struct table_bucket *buckets;
    uint64_t count;
};

static void *slice_clear(void *context)
{
    const struct slice *slice = context;
    memset(slice->buckets, 0, slice->count * sizeof *slice->buckets);
    return NULL;
}

enum rk_status table_clear(struct table *table, unsigned clear_threads)
{
    /* No thread for less than a MiB. */
    unsigned parts = clear_threads < table->mib ? clear_threads : table->mib;
    if (parts == 0)
        parts = 1;
    else if (parts > THREADS_MAX)
        parts = THREADS_MAX;
    pthread_t threads[THREADS_MAX];
    struct slice slices[THREADS_MAX];
    bool is_started[THREADS_MAX];
    const uint64_t share = table->bucket_count / parts;
    for (unsigned i = 0; i < parts; i++) {
        const uint64_t first = i * share;
        const uint64_t count = i + 1 == parts ? table->bucket_count - first : share;
        slices[i] = (struct slice){table->buckets + first, count};
        is_started[i] =
            i + 1 < parts && pthread_create(&threads[i], NULL, slice_clear, &slices[i]) == 0;
        if (!is_started[i])
            (void)slice_clear(
                &slices[i]); /* The last part, and any the kernel has no thread for. */
    }
    for (unsigned i = 0; i < parts; i++)
        if (is_started[i])
            REQUIRE(pthread_join(threads[i], NULL) == 0);
    atomic_store_explicit(&table->generation, 0, memory_order_relaxed);
    atomic_store_explicit(&table->samples, 0, memory_order_relaxed);
    return RK_OK;
}

static uint64_t table_bytes(const struct table *table)
{
    return table->bucket_count * sizeof *table->buckets;
}

/* The old buckets go only when the new ones are sure; they count as available. */
enum rk_status table_resize(struct table *table, uint32_t mib, unsigned clear_threads)
{
    if (mib == 0)
        return RK_BAD_ARGUMENT;
    const uint64_t size = (uint64_t)mib << MIB_SHIFT;
    const uint64_t available = machine_memory_available_bytes();
    const uint64_t old_size = table_bytes(table);
    if (size > old_size && size - old_size > available - available / RESERVE_DIVISOR)
        return RK_NO_MEMORY;
    struct table_bucket *buckets = memory_allocate_large(size);
    if (buckets == NULL)
        return RK_NO_MEMORY;
    memory_free_large(table->buckets, old_size);
    table->buckets = buckets;
    table->bucket_count = size / sizeof *buckets;
    table->mib = mib;
    table->samples_per_age =
        (uint32_t)(table->bucket_count * TABLE_ENTRIES_PER_BUCKET / AGES_PER_TABLE / SAMPLE_RATE);
    return table_clear(table, clear_threads);
}

enum rk_status table_create(uint32_t mib, unsigned clear_threads, struct table **out_table)
{
    struct table *table = memory_allocate(sizeof *table);
    if (table == NULL)
        return RK_NO_MEMORY;
    const enum rk_status status = table_resize(table, mib, clear_threads);
    if (status != RK_OK)
        memory_free(table);
    else
        *out_table = table;
    return status;
}

void table_destroy(struct table *table)
{
    if (table == NULL)
        return;
    memory_free_large(table->buckets, table_bytes(table));
    memory_free(table);
}
