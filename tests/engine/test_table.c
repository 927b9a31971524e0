#include "engine/table.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/random.h"
#include "engine/suites.h"

enum {
    ENTRIES_1_MIB = (1 << 20) / 16,
    SAMPLE_STEP = 1024, /* Keys that end in ten zero bits are counted. */
    SAMPLES_PER_AGE_1_MIB = ENTRIES_1_MIB / 4 / SAMPLE_STEP
};

static struct table *table;

static void setup(void) { ck_assert_int_eq(table_create(1, 2, &table), RK_OK); }

static void teardown(void) { table_destroy(table); }

static struct table_hit hit_make(move_t move, score_t score, depth_t depth, bound_t bound)
{
    return (struct table_hit){
        .move = move, .score = score, .eval = SCORE_NONE, .depth = depth, .bound = bound};
}

static bool hit_equals(const struct table_hit *a, const struct table_hit *b)
{
    return a->move == b->move && a->score == b->score && a->eval == b->eval &&
           a->depth == b->depth && a->bound == b->bound && a->is_pv == b->is_pv;
}

START_TEST(mates_know_the_counter)
{
    const score_t mate = score_mate_in(4 + 19); /* In 19 plies, from ply 4. */
    const score_t stored = score_to_table(mate, 4), lost = score_to_table(-mate, 4);
    ck_assert_int_eq(score_from_table(stored, 4, 81), mate);
    ck_assert_int_eq(score_from_table(lost, 6, 81), -score_mate_in(6 + 19));
    ck_assert_int_eq(score_from_table(stored, 4, 82), SCORE_EVAL_MAX);
    ck_assert_int_eq(score_from_table(lost, 4, 82), -SCORE_EVAL_MAX);
    /* A game that has gone on past the rule is not ended by it. */
    ck_assert_int_eq(score_from_table(stored, 4, 120), mate);
    ck_assert_int_eq(score_from_table(SCORE_NONE, 4, 99), SCORE_NONE);
}
END_TEST

START_TEST(every_field_comes_back_at_its_limits)
{
    static const score_t scores[] = {-SCORE_INFINITE, -SCORE_MATE, -1, 0, 1,
                                     SCORE_MATE,      SCORE_NONE};
    static const depth_t depths[] = {-1, 0, 1, PLY_MAX};
    uint64_t key = 7;
    for (size_t s = 0; s < sizeof scores / sizeof *scores; s++)
        for (size_t d = 0; d < sizeof depths / sizeof *depths; d++)
            for (bound_t bound = BOUND_NONE; bound <= BOUND_EXACT; bound++)
                for (int is_pv = 0; is_pv < 2; is_pv++) {
                    const struct table_hit in = {.move = (move_t)(0xffff - s),
                                                 .score = scores[s],
                                                 .eval = scores[6 - s],
                                                 .depth = depths[d],
                                                 .bound = bound,
                                                 .is_pv = is_pv != 0};
                    const zkey_t place = random_next(&key);
                    struct table_hit out;
                    table_store(table, place, &in);
                    ck_assert(table_probe(table, place, &out));
                    ck_assert(hit_equals(&out, &in));
                }
}
END_TEST

START_TEST(empty_table_misses_every_key)
{
    struct table_hit hit = hit_make(1, 2, 3, BOUND_EXACT);
    uint64_t seed = 3;
    ck_assert(!table_probe(table, 0, &hit));
    ck_assert(!table_probe(table, UINT64_MAX, &hit));
    for (int i = 0; i < 1000; i++)
        ck_assert(!table_probe(table, random_next(&seed), &hit));
    ck_assert_uint_eq(hit.move, 1); /* A miss leaves the out-parameter alone. */
}
END_TEST

/* Bit by bit, a key that differs anywhere is another position. */
START_TEST(only_the_very_key_hits)
{
    const zkey_t key = 0x0123456789abcdefu;
    const struct table_hit in = hit_make(77, 5, 6, BOUND_LOWER);
    struct table_hit out;
    table_store(table, key, &in);
    for (unsigned bit = 0; bit < 64; bit++)
        ck_assert(!table_probe(table, key ^ (zkey_t)1 << bit, &out));
    ck_assert(table_probe(table, key, &out));
    table_store(table, 0, &in);
    ck_assert(table_probe(table, 0, &out));
}
END_TEST

START_TEST(a_store_without_move_keeps_the_known_one)
{
    const zkey_t key = 99;
    struct table_hit in = hit_make(1234, 10, 5, BOUND_LOWER), out;
    table_store(table, key, &in);
    in = hit_make(MOVE_NONE, -10, 7, BOUND_UPPER);
    table_store(table, key, &in);
    ck_assert(table_probe(table, key, &out));
    ck_assert_uint_eq(out.move, 1234);
    ck_assert_int_eq(out.score, -10);
    ck_assert_int_eq(out.depth, 7);
}
END_TEST

START_TEST(a_deep_entry_withstands_shallow_stores)
{
    const zkey_t key = 99;
    const struct table_hit deep = hit_make(1, 10, 20, BOUND_LOWER);
    struct table_hit out;
    table_store(table, key, &deep);
    struct table_hit in = hit_make(2, 30, 5, BOUND_UPPER);
    table_store(table, key, &in);
    ck_assert(table_probe(table, key, &out));
    ck_assert_int_eq(out.depth, 20);
    ck_assert_int_eq(out.score, 10);
    ck_assert_uint_eq(out.move, 2); /* The newer move is taken over. */
    in = hit_make(MOVE_NONE, 0, PLY_MAX, BOUND_NONE);
    table_store(table, key, &in);
    ck_assert(table_probe(table, key, &out));
    ck_assert_int_eq(out.depth, 20);
    in = hit_make(3, 40, 5, BOUND_EXACT);
    table_store(table, key, &in);
    ck_assert(table_probe(table, key, &out));
    ck_assert_int_eq(out.depth, 5);
}
END_TEST

/* The same rules written plainly: no packing, no check word, ages counted one by one. */
struct model_entry {
    bool is_used;
    zkey_t key;
    struct table_hit hit;
    unsigned stamp;
};
struct model {
    unsigned generation, arrivals;
    struct model_entry entries[ENTRIES_1_MIB];
};

static struct model_entry *model_bucket(struct model *model, zkey_t key)
{
    /* 2^14 buckets: the high half of the product is the top fourteen bits. */
    return &model->entries[(key >> 50) * 4];
}

static unsigned model_age(const struct model *model, const struct model_entry *entry)
{
    return (model->generation - entry->stamp) % 32;
}

static struct model_entry *model_find(struct model *model, zkey_t key)
{
    struct model_entry *bucket = model_bucket(model, key);
    for (unsigned i = 0; i < 4; i++)
        if (bucket[i].is_used && bucket[i].key == key)
            return &bucket[i];
    return NULL;
}

static void model_update(const struct model *model, struct model_entry *same,
                         const struct table_hit *hit)
{
    if (hit->bound == BOUND_NONE)
        return;
    const move_t move = hit->move != MOVE_NONE ? hit->move : same->hit.move;
    const bool is_deep = hit->depth + 4 + 2 * hit->is_pv > same->hit.depth;
    if (hit->bound == BOUND_EXACT || is_deep || model_age(model, same) > 0)
        same->hit = *hit;
    same->hit.move = move;
    same->stamp = model->generation;
}

static void model_store(struct model *model, zkey_t key, const struct table_hit *hit)
{
    struct model_entry *same = model_find(model, key);
    if (same != NULL) {
        model_update(model, same, hit);
        return;
    }
    struct model_entry *bucket = model_bucket(model, key), *least = NULL;
    int least_worth = 0;
    for (unsigned i = 0; i < 4; i++) {
        const int worth = bucket[i].is_used
                              ? bucket[i].hit.depth - 4 * (int)model_age(model, &bucket[i])
                              : -10000;
        if (least == NULL || worth < least_worth) {
            least = &bucket[i];
            least_worth = worth;
        }
    }
    *least = (struct model_entry){true, key, *hit, model->generation};
    if (key % SAMPLE_STEP == 0 && ++model->arrivals % SAMPLES_PER_AGE_1_MIB == 0)
        model->generation = (model->generation + 1) % 32;
}

static unsigned model_hashfull(const struct model *model)
{
    unsigned used = 0;
    for (unsigned i = 0; i < 1000; i++)
        used += model->entries[i].is_used && model_age(model, &model->entries[i]) < 8;
    return used;
}

static struct table_hit hit_random(uint64_t *seed)
{
    return (struct table_hit){.move = random_below(seed, 3) ? (move_t)random_next(seed) : MOVE_NONE,
                              .score = (score_t)random_below(seed, 64001) - 32000,
                              .eval = (score_t)random_below(seed, 64001) - 32000,
                              .depth = (depth_t)random_below(seed, 30) - 1,
                              .bound = (bound_t)random_below(seed, 4),
                              .is_pv = random_below(seed, 8) == 0};
}

START_TEST(it_does_what_a_plain_array_does)
{
    enum { STEPS = 150000, BUCKETS_USED = 60, LOWS = 12 };
    uint64_t seed = (uint64_t)_i + 17;
    unsigned lies = 0;
    struct model *model = memory_allocate(sizeof *model);
    ck_assert_ptr_nonnull(model);
    for (int step = 0; step < STEPS; step++) {
        /* Few buckets, more keys than they hold, every other key a sampled one. */
        const zkey_t key =
            random_below(&seed, BUCKETS_USED) << 50 | random_below(&seed, LOWS) * (SAMPLE_STEP / 2);
        struct table_hit found;
        if (random_below(&seed, 2)) {
            const struct table_hit hit = hit_random(&seed);
            table_store(table, key, &hit);
            model_store(model, key, &hit);
            continue;
        }
        struct model_entry *entry = model_find(model, key);
        const bool is_found = table_probe(table, key, &found);
        lies += is_found != (entry != NULL) || (is_found && !hit_equals(&found, &entry->hit));
        if (entry != NULL)
            entry->stamp = model->generation;
    }
    ck_assert_uint_eq(lies, 0);
    ck_assert_uint_gt(model->arrivals, 40 * SAMPLES_PER_AGE_1_MIB); /* Ages have gone round. */
    ck_assert_uint_eq(table_hashfull(table), model_hashfull(model));
    memory_free(model);
}
END_TEST

START_TEST(what_is_used_outlives_what_is_not)
{
    enum { TABLES = 6, PROBES_PER_TABLE = 16 };
    const zkey_t used = 0xfeedfacecafebeefu, forgotten = 0xdeadbeef12345679u;
    const struct table_hit deep = hit_make(5, 50, 12, BOUND_EXACT);
    const struct table_hit shallow = hit_make(6, 60, 1, BOUND_LOWER);
    struct table_hit out;
    uint64_t seed = 11;
    table_store(table, used, &deep);
    table_store(table, forgotten, &deep);
    for (int i = 0; i < TABLES * ENTRIES_1_MIB; i++) {
        table_store(table, random_next(&seed), &shallow);
        if (i % (ENTRIES_1_MIB / PROBES_PER_TABLE) == 0)
            ck_assert(table_probe(table, used, &out));
    }
    ck_assert(table_probe(table, used, &out));
    ck_assert(hit_equals(&out, &deep));
    ck_assert(!table_probe(table, forgotten, &out));
}
END_TEST

/* A position stored over and over is one arrival: it does not age its neighbours. */
START_TEST(the_same_position_again_is_no_arrival)
{
    const struct table_hit hit = hit_make(6, 60, 1, BOUND_LOWER);
    for (int i = 0; i < 2 * ENTRIES_1_MIB; i++)
        table_store(table, 0, &hit);
    ck_assert_uint_eq(atomic_load(&table->generation), 0);
    for (zkey_t i = 1; i < SAMPLES_PER_AGE_1_MIB; i++)
        table_store(table, i << 50, &hit);
    ck_assert_uint_eq(atomic_load(&table->generation), 1);
}
END_TEST

START_TEST(hashfull_goes_from_nothing_to_all)
{
    const struct table_hit hit = hit_make(6, 60, 1, BOUND_LOWER);
    uint64_t seed = 12;
    ck_assert_uint_eq(table_hashfull(table), 0);
    for (int i = 0; i < ENTRIES_1_MIB / 2; i++)
        table_store(table, random_next(&seed), &hit);
    const unsigned half = table_hashfull(table);
    ck_assert_uint_gt(half, 300);
    ck_assert_uint_lt(half, 600);
    for (int i = 0; i < 3 * ENTRIES_1_MIB; i++)
        table_store(table, random_next(&seed), &hit);
    ck_assert_uint_gt(table_hashfull(table), 950); /* The rest has grown old. */
    ck_assert_uint_le(table_hashfull(table), 1000);
}
END_TEST

START_TEST(any_size_fills_from_first_to_last_bucket)
{
    static const uint32_t sizes[] = {1, 2, 3, 5, 7, 16, 33};
    const struct table_hit hit = hit_make(6, 60, 1, BOUND_LOWER);
    struct table_hit out;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ck_assert_int_eq(table_resize(table, sizes[i], 3), RK_OK);
        ck_assert_uint_eq(table_mib(table), sizes[i]);
        ck_assert_uint_eq(table->bucket_count, sizes[i] * ((1u << 20) / 64));
        ck_assert_ptr_eq(table_bucket_of(table, 0), table->buckets);
        ck_assert_ptr_eq(table_bucket_of(table, UINT64_MAX),
                         table->buckets + table->bucket_count - 1);
        ck_assert_uint_eq((uintptr_t)table->buckets % 64, 0);
        table_store(table, UINT64_MAX, &hit);
        ck_assert(table_probe(table, UINT64_MAX, &out));
        table_prefetch(table, UINT64_MAX);
    }
}
END_TEST

START_TEST(clear_leaves_nothing_with_any_number_of_threads)
{
    static const unsigned counts[] = {0, 1, 2, 3, 8, 64, 5000};
    const struct table_hit hit = hit_make(6, 60, 1, BOUND_LOWER);
    ck_assert_int_eq(table_resize(table, 5, 1), RK_OK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (zkey_t key = 0; key < 1000; key++)
            table_store(table, key << 54 | key << 10, &hit);
        ck_assert_int_eq(table_clear(table, counts[i]), RK_OK);
        ck_assert_uint_eq(atomic_load(&table->generation), 0);
        uint64_t left = 0;
        for (uint64_t b = 0; b < table->bucket_count; b++)
            for (unsigned e = 0; e < TABLE_ENTRIES_PER_BUCKET; e++)
                left |= atomic_load(&table->buckets[b].entries[e].data);
        ck_assert(left == 0);
    }
}
END_TEST

START_TEST(what_cannot_be_had_is_refused_and_the_old_kept)
{
    const struct table_hit in = hit_make(6, 60, 1, BOUND_LOWER);
    struct table_hit out;
    table_store(table, 5, &in);
    const uint64_t all_mib = machine_memory_bytes() >> 20;
    ck_assert_int_eq(table_resize(table, UINT32_MAX, 1), RK_NO_MEMORY);
    if (all_mib < UINT32_MAX)
        ck_assert_int_eq(table_resize(table, (uint32_t)all_mib, 1), RK_NO_MEMORY);
    ck_assert_int_eq(table_resize(table, 0, 1), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(table_mib(table), 1);
    ck_assert(table_probe(table, 5, &out));
    struct table *other = NULL;
    ck_assert_int_eq(table_create(UINT32_MAX, 1, &other), RK_NO_MEMORY);
    ck_assert_int_eq(table_create(0, 1, &other), RK_BAD_ARGUMENT);
    ck_assert_ptr_null(other);
    table_destroy(NULL);
}
END_TEST

/* What is stored under a key in the stress test follows from the key, so that any hit can be told
 * true or false by itself. */
static struct table_hit hit_of(zkey_t key)
{
    uint64_t seed = key;
    struct table_hit hit = hit_random(&seed);
    if (hit.move == MOVE_NONE)
        hit.move = 1;
    hit.bound = BOUND_EXACT;
    return hit;
}

enum { STRESS_STEPS = 80000, STRESS_KEYS = 20000, SEARCHERS = 4, VANDALS = 3 };

struct stress_part {
    pthread_t thread;
    uint64_t seed;
    unsigned hits, lies;
};

static void *searcher_run(void *context)
{
    struct stress_part *part = context;
    for (int i = 0; i < STRESS_STEPS; i++) {
        uint64_t draw = random_below(&part->seed, STRESS_KEYS);
        const zkey_t key = random_next(&draw);
        const struct table_hit truth = hit_of(key);
        struct table_hit found;
        table_prefetch(table, key);
        if (table_probe(table, key, &found)) {
            part->hits++;
            part->lies += !hit_equals(&found, &truth);
        }
        table_store(table, key, &truth);
        if (i % 1000 == 0)
            part->lies += table_hashfull(table) > 1000;
    }
    return NULL;
}

/* Writes noise, and halves of true entries where they do not belong. */
static void *vandal_run(void *context)
{
    struct stress_part *part = context;
    for (int i = 0; i < STRESS_STEPS; i++) {
        struct table_entry *entry =
            &table->buckets[random_below(&part->seed, table->bucket_count)]
                 .entries[random_below(&part->seed, TABLE_ENTRIES_PER_BUCKET)];
        struct table_entry *other =
            &table->buckets[random_below(&part->seed, table->bucket_count)].entries[0];
        const uint64_t noise = random_below(&part->seed, 2)
                                   ? random_next(&part->seed)
                                   : atomic_load_explicit(&other->data, memory_order_relaxed);
        if (random_below(&part->seed, 2))
            atomic_store_explicit(&entry->data, noise, memory_order_relaxed);
        else
            atomic_store_explicit(&entry->check, noise, memory_order_relaxed);
    }
    return NULL;
}

START_TEST(garbage_is_never_believed)
{
    struct stress_part parts[SEARCHERS + VANDALS] = {0};
    for (unsigned i = 0; i < SEARCHERS + VANDALS; i++) {
        parts[i].seed = i;
        ck_assert_int_eq(pthread_create(&parts[i].thread, NULL,
                                        i < SEARCHERS ? searcher_run : vandal_run, &parts[i]),
                         0);
    }
    for (unsigned i = 0; i < SEARCHERS + VANDALS; i++)
        ck_assert_int_eq(pthread_join(parts[i].thread, NULL), 0);
    for (unsigned i = 0; i < SEARCHERS; i++) {
        ck_assert_uint_eq(parts[i].lies, 0);
        ck_assert_uint_gt(parts[i].hits, STRESS_STEPS / 10);
    }
}
END_TEST

Suite *suite_table(void)
{
    Suite *suite = suite_create("table");
    TCase *entries = tcase_create("entries");
    tcase_add_checked_fixture(entries, setup, teardown);
    tcase_add_test(entries, mates_know_the_counter);
    tcase_add_test(entries, every_field_comes_back_at_its_limits);
    tcase_add_test(entries, empty_table_misses_every_key);
    tcase_add_test(entries, only_the_very_key_hits);
    tcase_add_test(entries, a_store_without_move_keeps_the_known_one);
    tcase_add_test(entries, a_deep_entry_withstands_shallow_stores);
    tcase_add_loop_test(entries, it_does_what_a_plain_array_does, 0, 3);
    tcase_add_test(entries, what_is_used_outlives_what_is_not);
    tcase_add_test(entries, the_same_position_again_is_no_arrival);
    tcase_add_test(entries, hashfull_goes_from_nothing_to_all);
    suite_add_tcase(suite, entries);
    TCase *sizes = tcase_create("sizes");
    tcase_add_checked_fixture(sizes, setup, teardown);
    tcase_add_test(sizes, any_size_fills_from_first_to_last_bucket);
    tcase_add_test(sizes, clear_leaves_nothing_with_any_number_of_threads);
    tcase_add_test(sizes, what_cannot_be_had_is_refused_and_the_old_kept);
    suite_add_tcase(suite, sizes);
    TCase *threads = tcase_create("threads");
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_add_test(threads, garbage_is_never_believed);
    tcase_set_timeout(threads, 60);
    suite_add_tcase(suite, threads);
    return suite;
}
