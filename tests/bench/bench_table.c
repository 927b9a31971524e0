/* Nanoseconds a probe and a store take, on a table that fits a cache and on one that does not, with
 * the prefetch a search would have made and without. Not a test: nothing is asserted on time. */
#include <inttypes.h>
#include <stdio.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/table.h"

enum { ROUNDS = 4000000, NS_A_US = 1000, BATCH = 8, THREADS = 2 };

/* Keys follow from one another, so that no access can begin before the key is known. */
static double probe_measure(struct table *table, bool is_prefetched, unsigned *out_hits)
{
    uint64_t seed = 1;
    struct table_hit hit;
    const int64_t start = clock_thread_cpu_us();
    for (int i = 0; i < ROUNDS; i += BATCH) {
        zkey_t keys[BATCH];
        for (int k = 0; k < BATCH; k++) {
            keys[k] = random_next(&seed);
            if (is_prefetched)
                table_prefetch(table, keys[k]);
        }
        for (int k = 0; k < BATCH; k++)
            *out_hits += table_probe(table, keys[k], &hit);
    }
    return (double)(clock_thread_cpu_us() - start) * NS_A_US / ROUNDS;
}

static double store_measure(struct table *table)
{
    uint64_t seed = 1;
    struct table_hit hit = {.move = 1, .bound = BOUND_LOWER};
    const int64_t start = clock_thread_cpu_us();
    for (int i = 0; i < ROUNDS; i++) {
        const zkey_t key = random_next(&seed);
        hit.depth = (depth_t)(key & 15u);
        table_store(table, key, &hit);
    }
    return (double)(clock_thread_cpu_us() - start) * NS_A_US / ROUNDS;
}

int main(void)
{
    static const uint32_t sizes_mib[] = {1, 16, 256};
    for (size_t i = 0; i < sizeof sizes_mib / sizeof *sizes_mib; i++) {
        struct table *table;
        unsigned hits = 0;
        REQUIRE(table_create(sizes_mib[i], THREADS, &table) == RK_OK);
        const double miss_ns = probe_measure(table, false, &hits);
        const double store_ns = store_measure(table);
        hits = 0;
        const double probe_ns = probe_measure(table, false, &hits);
        unsigned hits_again = 0;
        const double prefetched_ns = probe_measure(table, true, &hits_again);
        const int64_t start = clock_now_us(); /* By the wall: other threads do the work. */
        REQUIRE(table_clear(table, THREADS) == RK_OK);
        const int64_t clear_us = clock_now_us() - start;
        printf("%3" PRIu32 " MiB: empty probe %.1f ns, store %.1f ns, probe %.1f ns (%u %% hits), "
               "prefetched %.1f ns, clear %" PRId64 " us\n",
               sizes_mib[i], miss_ns, store_ns, probe_ns, hits / (ROUNDS / 100), prefetched_ns,
               clear_us);
        table_destroy(table);
    }
    return 0;
}
