/* A ring of OUTBOX_REPORTS places, indexed by counters that never wrap. `tail` is published by the
 * writer once a block is complete, `head` by the reader; each sits on its own cache line.
 *
 *        head               tail          staged
 *   ......|##################|=============|.............
 *           ready to be read   a block that
 *                              is not whole
 *
 * A line that finds no place drops its block: `staged` falls back to `tail`, and what is left of
 * the block is ignored. The first line of a dropped block is kept apart, an exact one and a bound
 * that is newer: when no later block finds a place they go out right before the verdict, in the
 * places kept for the three. */
#include "engine/outbox.h"

#include <stdalign.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/memory.h"

enum { CACHE_LINE_BYTES = 64, PLACES_KEPT = 3 };

struct outbox {
    alignas(CACHE_LINE_BYTES) _Atomic uint64_t head; /* The reader's. */
    uint64_t tail_seen;                              /* The reader's copy. */

    alignas(CACHE_LINE_BYTES) _Atomic uint64_t tail; /* The writer's. */
    uint64_t staged;                                 /* The writer's, from here on. */
    bool is_dropping;                                /* The block under way has lost a line. */
    bool has_exact; /* The block under way has an exact first line. */
    bool has_kept, has_kept_bound;
    struct rk_report kept;       /* The newest exact first line that found no place. */
    struct rk_report kept_bound; /* The newest bound since that found none. */

    alignas(CACHE_LINE_BYTES) struct rk_report places[OUTBOX_REPORTS];
};

struct outbox *outbox_create(void) { return memory_allocate(sizeof(struct outbox)); }
void outbox_destroy(struct outbox *outbox) { memory_free(outbox); }

void outbox_open(struct outbox *outbox)
{
    outbox->staged = atomic_load_explicit(&outbox->tail, memory_order_relaxed);
    outbox->is_dropping = false;
    outbox->has_exact = false;
    outbox->has_kept = false;
    outbox->has_kept_bound = false;
}

static void publish(struct outbox *outbox)
{
    atomic_store_explicit(&outbox->tail, outbox->staged, memory_order_release);
}

/* False when only `kept_places` or fewer are left. */
static bool stage(struct outbox *outbox, const struct rk_report *report, unsigned kept_places)
{
    const uint64_t head = atomic_load_explicit(&outbox->head, memory_order_acquire);
    if (outbox->staged - head >= OUTBOX_REPORTS - kept_places)
        return false;
    outbox->places[outbox->staged % OUTBOX_REPORTS] = *report;
    outbox->staged++;
    return true;
}

static void keep(struct outbox *outbox, const struct rk_report *line)
{
    if (line->multipv > 1)
        return;
    const bool is_exact = line->bound == RK_BOUND_EXACT;
    struct rk_report *kept = is_exact ? &outbox->kept : &outbox->kept_bound;
    *kept = *line;
    kept->block_end = true;
    outbox->has_kept = outbox->has_kept || is_exact;
    outbox->has_kept_bound = !is_exact;
}

/* The first line of the block under way. */
static const struct rk_report *first_staged(const struct outbox *outbox)
{
    const uint64_t tail = atomic_load_explicit(&outbox->tail, memory_order_relaxed);
    return &outbox->places[tail % OUTBOX_REPORTS];
}

/* Falls back to the last whole block, remembering the best line of the broken one. */
static void drop_block(struct outbox *outbox)
{
    const uint64_t tail = atomic_load_explicit(&outbox->tail, memory_order_relaxed);
    if (outbox->staged > tail)
        keep(outbox, first_staged(outbox));
    outbox->staged = tail;
}

void outbox_push_line(struct outbox *outbox, const struct rk_report *line)
{
    ASSERT(line->kind == RK_REPORT_LINE);
    if (!outbox->is_dropping && !stage(outbox, line, PLACES_KEPT)) {
        drop_block(outbox);
        outbox->is_dropping = true;
    }
    if (outbox->is_dropping)
        keep(outbox, line);
    else if (line->multipv <= 1 && line->bound == RK_BOUND_EXACT)
        outbox->has_exact = true;
    if (!line->block_end)
        return;
    if (!outbox->is_dropping) {
        outbox->has_kept = outbox->has_kept && !outbox->has_exact;
        outbox->has_kept_bound = false;
        if (outbox->has_kept) /* This bound is to be told again after it. */
            keep(outbox, first_staged(outbox));
        publish(outbox);
    }
    outbox->is_dropping = false;
    outbox->has_exact = false;
}

void outbox_push_count(struct outbox *outbox, const struct rk_report *count)
{
    ASSERT(count->kind == RK_REPORT_PERFT_MOVE);
    REQUIRE(stage(outbox, count, PLACES_KEPT));
    publish(outbox);
}

void outbox_push_verdict(struct outbox *outbox, const struct rk_report *verdict)
{
    ASSERT(verdict->kind == RK_REPORT_VERDICT || verdict->kind == RK_REPORT_PERFT_TOTAL);
    drop_block(outbox); /* One that was never finished. */
    outbox->is_dropping = false;
    if (outbox->has_kept)
        REQUIRE(stage(outbox, &outbox->kept, 2));
    if (outbox->has_kept_bound)
        REQUIRE(stage(outbox, &outbox->kept_bound, 1));
    REQUIRE(stage(outbox, verdict, 0));
    publish(outbox);
}

bool outbox_pop(struct outbox *outbox, struct rk_report *out_report)
{
    const uint64_t head = atomic_load_explicit(&outbox->head, memory_order_relaxed);
    if (head == outbox->tail_seen) {
        outbox->tail_seen = atomic_load_explicit(&outbox->tail, memory_order_acquire);
        if (head == outbox->tail_seen)
            return false;
    }
    *out_report = outbox->places[head % OUTBOX_REPORTS];
    atomic_store_explicit(&outbox->head, head + 1, memory_order_release);
    return true;
}
