/* Iterations of games: what they play depends on the run alone, and they learn from what came of
 * it, where rows can be set. */
#include "lab/tune.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/checkpoint.h"
#include "lab/suites.h"

enum { ITERATIONS = 4, PAIRS = 2, NODES = 100, PATH_BYTES = 64 };

static const char OPENINGS[] =
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 e7e5\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves d2d4 g8f6\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves c2c4 c7c5\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4 c7c6\n";

static struct tune tune;
static struct selfplay selfplay;
static struct book *book;

static void setup(void)
{
    struct spsa_row wanted;
    struct book_faults faults;
    ck_assert_int_eq(book_parse(slice_of(OPENINGS), BOOK_OPENINGS, 2, &book, &faults), RK_OK);
    tune_default(&tune);
    tune.spsa.iterations = ITERATIONS;
    tune.spsa.rate = 0.5; /* So that each point is seen. */
    tune.pairs = PAIRS;
    tune_row_default(ROW_STATIC_NULL_SLOPE, &wanted); /* Rows that matter to small searches. */
    wanted.step = 60.0;
    ck_assert_int_eq(tune_add_row(&tune, ROW_STATIC_NULL_SLOPE, &wanted), RK_OK);
    tune_row_default(ROW_DELTA_MARGIN, &wanted);
    wanted.step = 200.0;
    ck_assert_int_eq(tune_add_row(&tune, ROW_DELTA_MARGIN, &wanted), RK_OK);
    selfplay_default(&selfplay);
    selfplay.book = book;
    selfplay.players[0].limits.nodes = NODES;
    selfplay.players[0].hash_mib = 1;
    selfplay.rules.plies_max = 60;
    selfplay.rules.resign_score = 150; /* So that games have winners soon. */
    selfplay.rules.resign_plies = 2;
}

static void teardown(void) { book_destroy(book); }

static void run(struct tune *run_tune, uint64_t until, unsigned threads)
{
    struct selfplay_state state;
    selfplay.threads = threads;
    while (run_tune->spsa.done < until) {
        ck_assert_int_eq(tune_iterate(run_tune, &selfplay, &state), RK_OK);
        ck_assert_uint_eq(state.pairs, PAIRS);
    }
}

START_TEST(a_row_is_added_once_and_within_its_range)
{
    const struct row *row = row_at(ROW_RAZOR_BASE);
    struct spsa_row wanted;
    tune_row_default(ROW_RAZOR_BASE, &wanted);
    ck_assert_double_eq(wanted.start, row->value);
    const struct spsa_row bad[] = {
        {wanted.start, row->low - 1, wanted.high, 1},
        {wanted.start, wanted.low, row->high + 1, 1},
        {wanted.start, wanted.low + 0.5, wanted.high, 1},
        {wanted.low - 1, wanted.low, wanted.high, 1},
        {wanted.high + 1, wanted.low, wanted.high, 1},
        {wanted.start, wanted.start, wanted.start, 0},
        {wanted.start, wanted.low, wanted.high, -1},
        {wanted.start, wanted.low, wanted.high, wanted.high},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(tune_add_row(&tune, ROW_RAZOR_BASE, &bad[i]), RK_BAD_ARGUMENT);
    ck_assert_int_eq(tune_add_row(&tune, ROW_RAZOR_BASE, &wanted), RK_OK);
    ck_assert_int_eq(tune_add_row(&tune, ROW_RAZOR_BASE, &wanted), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(tune.spsa.count, 3);
    ck_assert_double_eq(tune.spsa.rows[2].step, (row->high - row->low) / 20.0);
    ck_assert_int_eq(tune_value(&tune, 2), row->value);
}
END_TEST

START_TEST(values_are_the_same_on_one_thread_and_on_three)
{
    const struct tune begun = tune;
    run(&tune, ITERATIONS, 1);
    struct tune other = begun;
    run(&other, ITERATIONS, 3);
    ck_assert_mem_eq(tune.spsa.values, other.spsa.values, sizeof tune.spsa.values);
    const bool has_moved =
        memcmp(tune.spsa.values, begun.spsa.values, sizeof tune.spsa.values) != 0;
    ck_assert_int_eq(has_moved, ROWS_ARE_FREE);
}
END_TEST

START_TEST(a_run_goes_on_from_a_checkpoint_as_if_nothing_had_happened)
{
    char path[PATH_BYTES];
    struct checkpoint_fault fault;
    snprintf(path, sizeof path, "/tmp/rookery-tune-%d", (int)getpid());
    struct tune whole = tune, resumed;
    run(&whole, ITERATIONS, 2);
    run(&tune, ITERATIONS / 2, 2);
    ck_assert_int_eq(checkpoint_write(path, &tune), RK_OK);
    run(&tune, ITERATIONS / 2 + 1, 2); /* Lost: it was not written down. */
    ck_assert_int_eq(checkpoint_read(path, &resumed, &fault), RK_OK);
    unlink(path);
    ck_assert_uint_eq(resumed.spsa.done, ITERATIONS / 2);
    run(&resumed, ITERATIONS, 1);
    ck_assert_mem_eq(whole.spsa.values, resumed.spsa.values, sizeof whole.spsa.values);
}
END_TEST

static bool stop_at_once(void *context, const struct selfplay_state *state,
                         const struct pair_record *record)
{
    (void)context;
    (void)state;
    (void)record;
    return false;
}

START_TEST(nothing_is_learnt_from_an_iteration_broken_off)
{
    struct selfplay_state state;
    const struct tune before = tune;
    selfplay.hooks = (struct selfplay_hooks){.pair = stop_at_once};
    ck_assert_int_eq(tune_iterate(&tune, &selfplay, &state), RK_OK);
    ck_assert_uint_lt(state.pairs, PAIRS);
    ck_assert_uint_eq(tune.spsa.done, before.spsa.done);
    ck_assert_mem_eq(tune.spsa.values, before.spsa.values, sizeof before.spsa.values);
}
END_TEST

Suite *suite_tune(void)
{
    Suite *suite = suite_create("tune");
    TCase *tcase = tcase_create("tune");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_row_is_added_once_and_within_its_range);
    tcase_add_test(tcase, values_are_the_same_on_one_thread_and_on_three);
    tcase_add_test(tcase, a_run_goes_on_from_a_checkpoint_as_if_nothing_had_happened);
    tcase_add_test(tcase, nothing_is_learnt_from_an_iteration_broken_off);
    suite_add_tcase(suite, tcase);
    return suite;
}
