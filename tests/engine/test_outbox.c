#include "engine/outbox.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/random.h"
#include "engine/suites.h"

enum { ROUNDS = 60, DEPTHS = 150, SEARCHES = 100 };

static struct rk_report line(uint16_t depth, uint16_t multipv, bool block_end, enum rk_bound bound)
{
    return (struct rk_report){.kind = RK_REPORT_LINE,
                              .depth = depth,
                              .multipv = multipv,
                              .block_end = block_end,
                              .bound = bound};
}
static const struct rk_report VERDICT = {.kind = RK_REPORT_VERDICT, .best_move = 77};

START_TEST(what_goes_in_comes_out)
{
    struct outbox *outbox = outbox_create();
    ck_assert_ptr_nonnull(outbox);
    struct rk_report report = {.depth = 42};
    ck_assert(!outbox_pop(outbox, &report));
    ck_assert_uint_eq(report.depth, 42);
    outbox_open(outbox);
    struct rk_report sent = line(3, 1, true, RK_BOUND_EXACT);
    sent.ticket = 5;
    sent.pv_count = RK_PV_MAX;
    sent.pv[RK_PV_MAX - 1] = 1234;
    outbox_push_line(outbox, &sent);
    outbox_push_verdict(outbox, &VERDICT);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_mem_eq(&report, &sent, sizeof report);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_int_eq(report.kind, RK_REPORT_VERDICT);
    ck_assert(!outbox_pop(outbox, &report));
    outbox_destroy(outbox);
}
END_TEST

START_TEST(a_block_shows_when_it_is_whole)
{
    struct outbox *outbox = outbox_create();
    struct rk_report report, first = line(1, 1, false, RK_BOUND_EXACT),
                             second = line(1, 2, true, RK_BOUND_EXACT);
    outbox_open(outbox);
    outbox_push_line(outbox, &first);
    ck_assert(!outbox_pop(outbox, &report));
    outbox_push_line(outbox, &second);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_uint_eq(report.multipv, 1);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_uint_eq(report.multipv, 2);
    outbox_destroy(outbox);
}
END_TEST

/* Far more than it holds, and nobody reads: the beginning, the newest exact line, the bound
 * told since, the verdict. */
START_TEST(a_full_ring_keeps_the_newest_exact_line)
{
    struct outbox *outbox = outbox_create();
    outbox_open(outbox);
    for (uint16_t depth = 1; depth <= 1000; depth++) {
        const struct rk_report sent = line(depth, 1, true, RK_BOUND_EXACT);
        outbox_push_line(outbox, &sent);
    }
    const struct rk_report bound = line(1001, 1, true, RK_BOUND_LOWER);
    outbox_push_line(outbox, &bound);
    outbox_push_verdict(outbox, &VERDICT);
    struct rk_report report, before = {0};
    unsigned count = 0;
    for (; outbox_pop(outbox, &report) && report.kind == RK_REPORT_LINE; before = report)
        ck_assert_uint_eq(report.depth, ++count <= OUTBOX_REPORTS - 3 ? count : 746 + count);
    ck_assert_uint_eq(count, OUTBOX_REPORTS - 1);
    ck_assert_uint_eq(before.depth, 1001);
    ck_assert_int_eq(before.bound, RK_BOUND_LOWER);
    ck_assert_int_eq(report.kind, RK_REPORT_VERDICT);
    outbox_destroy(outbox);
}
END_TEST

/* The search that follows does not tell what the last one kept. */
START_TEST(a_search_starts_with_nothing_kept)
{
    struct outbox *outbox = outbox_create();
    struct rk_report report, unfinished = line(1, 1, false, RK_BOUND_EXACT);
    outbox_open(outbox);
    outbox_push_line(outbox, &unfinished);
    outbox_open(outbox);
    outbox_push_verdict(outbox, &VERDICT);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_int_eq(report.kind, RK_REPORT_VERDICT);
    outbox_destroy(outbox);
}
END_TEST

/* A block that was never finished is not half told, but its best line is. */
START_TEST(an_unfinished_block_gives_its_first_line)
{
    struct outbox *outbox = outbox_create();
    struct rk_report report;
    outbox_open(outbox);
    for (uint16_t i = 1; i <= 3; i++) {
        const struct rk_report sent = line(9, i, false, RK_BOUND_EXACT);
        outbox_push_line(outbox, &sent);
    }
    outbox_push_verdict(outbox, &VERDICT);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_uint_eq(report.multipv, 1);
    ck_assert(report.block_end);
    ck_assert(outbox_pop(outbox, &report));
    ck_assert_int_eq(report.kind, RK_REPORT_VERDICT);
    outbox_destroy(outbox);
}
END_TEST

START_TEST(counts_of_all_root_moves_fit)
{
    struct outbox *outbox = outbox_create();
    outbox_open(outbox);
    const struct rk_report count = {.kind = RK_REPORT_PERFT_MOVE};
    const struct rk_report total = {.kind = RK_REPORT_PERFT_TOTAL, .nodes = 9};
    for (int i = 0; i < 218; i++)
        outbox_push_count(outbox, &count);
    outbox_push_verdict(outbox, &total);
    struct rk_report report;
    for (int i = 0; i < 218; i++)
        ck_assert(outbox_pop(outbox, &report) && report.kind == RK_REPORT_PERFT_MOVE);
    ck_assert(outbox_pop(outbox, &report) && report.nodes == 9);
    outbox_destroy(outbox);
}
END_TEST

/* What is read is what was written without some whole blocks, and the newest exact line is always
 * there before the verdict. */
struct model {
    struct rk_report newest;       /* First of its block. */
    struct rk_report newest_exact; /* The same, exact. */
};

static void push_block(struct outbox *outbox, struct model *model, uint16_t depth, unsigned lines,
                       enum rk_bound bound)
{
    for (uint16_t i = 1; i <= lines; i++) {
        const struct rk_report sent = line(depth, i, i == lines, bound);
        outbox_push_line(outbox, &sent);
        if (i == 1)
            model->newest = sent;
        if (i == 1 && bound == RK_BOUND_EXACT)
            model->newest_exact = sent;
    }
}

/* Reads up to `most` reports; each block must be whole, depths must rise. */
static bool read_some(struct outbox *outbox, unsigned most, struct rk_report *last,
                      struct rk_report *last_exact)
{
    struct rk_report report;
    while (most-- > 0 && outbox_pop(outbox, &report)) {
        if (report.kind == RK_REPORT_VERDICT)
            return true;
        if (last->kind == 0 || last->block_end) {
            ck_assert_uint_eq(report.multipv, 1);
            /* Only an exact line that was kept may come after a bound that is newer. */
            if (report.bound != RK_BOUND_EXACT || last->bound == RK_BOUND_EXACT)
                ck_assert_uint_gt(report.depth, last->depth);
        } else {
            ck_assert_uint_eq(report.multipv, last->multipv + 1u);
            ck_assert_uint_eq(report.depth, last->depth);
        }
        if (report.multipv == 1 && report.bound == RK_BOUND_EXACT)
            *last_exact = report;
        *last = report;
    }
    return false;
}

START_TEST(whole_blocks_are_dropped_and_the_newest_is_kept)
{
    uint64_t random = 3;
    struct outbox *outbox = outbox_create();
    for (int round = 0; round < ROUNDS; round++) {
        struct model model = {.newest_exact = {0}};
        struct rk_report last = {.kind = 0}, last_exact = {.kind = 0};
        outbox_open(outbox);
        const unsigned readiness = (unsigned)random_below(&random, 40);
        for (uint16_t depth = 1; depth <= DEPTHS; depth++) {
            const unsigned lines = 1 + (unsigned)random_below(&random, depth % 7 == 0 ? 218 : 5);
            push_block(outbox, &model, depth, lines,
                       random_below(&random, 4) == 0 ? RK_BOUND_LOWER : RK_BOUND_EXACT);
            ck_assert(!read_some(outbox, (unsigned)random_below(&random, readiness + 1), &last,
                                 &last_exact));
        }
        outbox_push_verdict(outbox, &VERDICT);
        ck_assert(read_some(outbox, OUTBOX_REPORTS, &last, &last_exact));
        ck_assert_uint_eq(last_exact.depth, model.newest_exact.depth);
        ck_assert_uint_eq(last.depth, model.newest.depth);
    }
    outbox_destroy(outbox);
}
END_TEST

/* A leader and an owner, each on its thread: a search begins when the verdict has been read. */
struct two {
    struct outbox *outbox;
    _Atomic unsigned read; /* Verdicts. */
};

static void *write_searches(void *context)
{
    struct two *two = context;
    uint64_t random = 11;
    for (unsigned search = 1; search <= SEARCHES; search++) {
        while (atomic_load(&two->read) + 1 < search)
            (void)sched_yield();
        outbox_open(two->outbox);
        const unsigned blocks = (unsigned)random_below(&random, 200);
        for (uint16_t depth = 1; depth <= blocks; depth++) {
            const uint16_t lines = (uint16_t)(1 + random_below(&random, 6));
            for (uint16_t i = 1; i <= lines; i++) {
                struct rk_report sent = line(depth, i, i == lines, RK_BOUND_EXACT);
                sent.ticket = search;
                sent.nodes = search * 1000u + depth;
                outbox_push_line(two->outbox, &sent);
            }
        }
        const struct rk_report verdict = {
            .kind = RK_REPORT_VERDICT, .ticket = search, .depth = (uint16_t)blocks};
        outbox_push_verdict(two->outbox, &verdict);
    }
    return NULL;
}

START_TEST(two_threads_agree)
{
    struct two two = {.outbox = outbox_create()};
    pthread_t writer;
    ck_assert_int_eq(pthread_create(&writer, NULL, write_searches, &two), 0);
    for (unsigned search = 1; search <= SEARCHES;) {
        static struct rk_report last;
        struct rk_report report;
        if (!outbox_pop(two.outbox, &report)) {
            (void)sched_yield();
            continue;
        }
        ck_assert_uint_eq(report.ticket, search);
        if (report.kind == RK_REPORT_VERDICT) {
            if (report.depth > 0)
                ck_assert_uint_eq(last.depth, report.depth);
            memset(&last, 0, sizeof last);
            search++;
            atomic_fetch_add(&two.read, 1);
            continue;
        }
        ck_assert_uint_eq(report.nodes, search * 1000u + report.depth);
        if (last.block_end || last.depth == 0)
            ck_assert_uint_eq(report.multipv, 1);
        else
            ck_assert_uint_eq(report.multipv, last.multipv + 1u);
        last = report;
    }
    ck_assert_int_eq(pthread_join(writer, NULL), 0);
    outbox_destroy(two.outbox);
}
END_TEST

Suite *suite_outbox(void)
{
    Suite *suite = suite_create("outbox");
    TCase *tcase = tcase_create("outbox");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, what_goes_in_comes_out);
    tcase_add_test(tcase, a_block_shows_when_it_is_whole);
    tcase_add_test(tcase, a_full_ring_keeps_the_newest_exact_line);
    tcase_add_test(tcase, a_search_starts_with_nothing_kept);
    tcase_add_test(tcase, an_unfinished_block_gives_its_first_line);
    tcase_add_test(tcase, counts_of_all_root_moves_fit);
    tcase_add_test(tcase, whole_blocks_are_dropped_and_the_newest_is_kept);
    tcase_add_test(tcase, two_threads_agree);
    suite_add_tcase(suite, tcase);
    return suite;
}
