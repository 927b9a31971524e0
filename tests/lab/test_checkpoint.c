/* A run written down is the run that is read back; what is not one is refused at its line. */
#include "lab/checkpoint.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/snapshot.h"
#include "lab/suites.h"

enum { PATH_BYTES = 64 };

static struct tune tune;
static char path[PATH_BYTES];

static void add(unsigned row)
{
    struct spsa_row wanted;
    tune_row_default(row, &wanted);
    ck_assert_int_eq(tune_add_row(&tune, row, &wanted), RK_OK);
}

static void setup(void)
{
    tune_default(&tune);
    add(ROW_RAZOR_BASE);
    add(ROW_FUTILITY_SLOPE);
    tune.spsa.done = 17;
    tune.spsa.seed = INT64_MAX;
    tune.spsa.rate = 0.1;
    tune.spsa.values[0] = 180.0 + 1.0 / 3.0;
    tune.spsa.values[1] = 1e2 / 3.0;
    tune.openings_count = 12;
    tune.openings_checksum = UINT32_MAX;
    snprintf(tune.openings, sizeof tune.openings, "a book, with blanks.epd");
    snprintf(tune.options, sizeof tune.options, "Hash=2,Nodes=50");
    snprintf(path, sizeof path, "/tmp/rookery-checkpoint-%d", (int)getpid());
}

static void teardown(void) { unlink(path); }

START_TEST(what_is_written_is_read)
{
    struct tune read;
    struct checkpoint_fault fault;
    char fresh[PATH_BYTES + 8];
    struct stat found;
    for (unsigned i = 0; i < 2; i++) { /* The second takes the place of the first. */
        tune.spsa.done += i;
        ck_assert_int_eq(checkpoint_write(path, &tune), RK_OK);
        memset(&read, 0xa5, sizeof read);
        ck_assert_int_eq(checkpoint_read(path, &read, &fault), RK_OK);
        ck_assert_uint_eq(read.spsa.done, 17 + i);
        ck_assert_uint_eq(read.spsa.seed, INT64_MAX);
        ck_assert_uint_eq(read.spsa.iterations, TUNE_ITERATIONS);
        ck_assert_double_eq(read.spsa.rate, 0.1);
        ck_assert_uint_eq(read.spsa.count, 2);
        ck_assert_mem_eq(read.spsa.rows, tune.spsa.rows, 2 * sizeof *tune.spsa.rows);
        ck_assert_mem_eq(read.spsa.values, tune.spsa.values, 2 * sizeof *tune.spsa.values);
        ck_assert_uint_eq(read.rows[1], ROW_FUTILITY_SLOPE);
        ck_assert_uint_eq(read.pairs, TUNE_PAIRS);
        ck_assert_uint_eq(read.nodes, PLAYER_NODES);
        ck_assert_uint_eq(read.opening_plies, SELFPLAY_OPENING_PLIES);
        ck_assert_uint_eq(read.openings_count, 12);
        ck_assert_uint_eq(read.openings_checksum, UINT32_MAX);
        ck_assert(tune_is_same_run(&read, &tune));
        ck_assert_str_eq(read.openings, "a book, with blanks.epd");
        ck_assert_str_eq(read.options, "Hash=2,Nodes=50");
    }
    snprintf(fresh, sizeof fresh, "%s.part", path);
    ck_assert_int_ne(stat(fresh, &found), 0);
}
END_TEST

START_TEST(texts_may_be_empty)
{
    struct tune read;
    struct checkpoint_fault fault;
    tune.openings[0] = tune.options[0] = '\0';
    ck_assert_int_eq(checkpoint_write(path, &tune), RK_OK);
    ck_assert_int_eq(checkpoint_read(path, &read, &fault), RK_OK);
    ck_assert_str_eq(read.openings, "");
    ck_assert_str_eq(read.options, "");
}
END_TEST

START_TEST(what_cannot_be_opened_is_the_systems)
{
    struct tune read;
    struct checkpoint_fault fault;
    ck_assert_int_eq(checkpoint_read("/no/such/file", &read, &fault), RK_SYSTEM);
    ck_assert_int_eq(checkpoint_write("/no/such/folder/file", &tune), RK_SYSTEM);
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* Nobody will ever write into it. */
    ck_assert_int_eq(checkpoint_read(path, &read, &fault), RK_SYSTEM);
    ck_assert_int_eq(snapshot_read(path, NULL, 0), SNAPSHOT_BROKEN);
}
END_TEST

#define FIELDS                                                                                     \
    "rookery tune checkpoint 2\niterations 10\ndone 3\nseed 1\nrate 0.002\npairs 8\nnodes 100\n"   \
    "opening_plies 8\nopenings_count 0\nopenings_checksum 0\nopenings \noptions \n"
#define FIFTH    "rookery tune checkpoint 2\niterations 10\ndone 3\nseed 1\nrate 0.002\n"
#define ROW_LINE "row RAZOR_BASE 180 50 600 27.5 183.25\n"

START_TEST(a_good_text_is_taken)
{
    struct tune read;
    struct checkpoint_fault fault = {0};
    ck_assert_msg(checkpoint_parse(slice_of(FIELDS ROW_LINE "end\n"), &read, &fault), "%u %s",
                  fault.line, fault.what);
    ck_assert_double_eq(read.spsa.values[0], 183.25);
    ck_assert_double_eq(read.spsa.rows[0].step, 27.5);
}
END_TEST

static const struct broken {
    const char *text;
    unsigned line;
} BROKEN[] = {
    {"", 1},
    {"nonsense\n", 1},
    {"rookery tune checkpoint 1\n", 1},
    {"rookery tune checkpoint 2\n", 2},
    {"rookery tune checkpoint 2\niterations 0\n", 2},
    {"rookery tune checkpoint 2\niterations 10\ndone 11\n", 3},
    {"rookery tune checkpoint 2\niterations 10\nseed 1\n", 3},
    {"rookery tune checkpoint 2\niterations 10\ndone 3\nseed x\n", 4},
    {"rookery tune checkpoint 2\niterations 10\ndone 3\nseed 1\nrate nan\n", 5},
    {"rookery tune checkpoint 2\niterations 10\ndone 3\nseed 1\nrate 0.002x\n", 5},
    {FIFTH "pairs 8\nnodes 1\nopening_plies 8\nopenings_count 1\nopenings_checksum -1\n", 10},
    {FIFTH "pairs 8\nnodes 1\nopening_plies 8\nopenings_count 1\nopenings x\n", 10},
    {FIELDS "end\n", 13},
    {FIELDS ROW_LINE, 14},
    {FIELDS ROW_LINE "en", 14},
    {FIELDS ROW_LINE "ended\n", 14},
    {FIELDS ROW_LINE ROW_LINE "end\n", 14},
    {FIELDS "row RAZOR 180 50 600 27.5 183.25\nend\n", 13},
    {FIELDS "row RAZOR_BASE 180 50 600 27.5\nend\n", 13},
    {FIELDS "row RAZOR_BASE 180 50 600 27.5 183.25 1\nend\n", 13},
    {FIELDS "row RAZOR_BASE 180 50 600 27.5 700\nend\n", 13},
    {FIELDS "row RAZOR_BASE 180 50 6000 27.5 200\nend\n", 13},
    {FIELDS "row RAZOR_BASE 180 50 600 -1 200\nend\n", 13},
    {FIELDS "row RAZOR_BASE nan 50 600 1 200\nend\n", 13},
    {FIELDS ROW_LINE "end\nmore\n", 15},
};

START_TEST(a_broken_text_is_refused_at_its_line)
{
    const struct broken *broken = &BROKEN[_i];
    struct tune read = {.pairs = 77};
    struct checkpoint_fault fault = {0};
    ck_assert_msg(!checkpoint_parse(slice_of(broken->text), &read, &fault), "%s", broken->text);
    ck_assert_msg(fault.line == broken->line, "%s: line %u: %s", broken->text, fault.line,
                  fault.what);
    ck_assert_ptr_nonnull(fault.what);
    ck_assert_uint_eq(read.pairs, 77);
}
END_TEST

/* Whoever has a run of an older format in hand is told so, not that it is nonsense. */
START_TEST(another_version_is_told_as_one)
{
    struct tune read;
    struct checkpoint_fault fault = {0};
    ck_assert(!checkpoint_parse(slice_of("rookery tune checkpoint 1\n"), &read, &fault));
    ck_assert_ptr_nonnull(strstr(fault.what, "another version"));
}
END_TEST

START_TEST(a_run_is_known_again_however_far_it_is)
{
    struct tune other = tune;
    other.spsa.done++;
    other.spsa.values[0] += 1.0;
    ck_assert(tune_is_same_run(&tune, &other));
    other.openings_checksum--;
    ck_assert(!tune_is_same_run(&tune, &other));
    other = tune;
    other.spsa.rows[1].step *= 2.0;
    ck_assert(!tune_is_same_run(&tune, &other));
    other = tune;
    other.spsa.count--;
    ck_assert(!tune_is_same_run(&tune, &other));
    other = tune;
    other.options[0] = '\0';
    ck_assert(!tune_is_same_run(&tune, &other));
}
END_TEST

/* However much of it is left, a file that was cut short is no checkpoint. */
START_TEST(no_beginning_of_a_file_is_a_file)
{
    static const char TEXT[] = FIELDS ROW_LINE "end\n";
    struct tune read;
    struct checkpoint_fault fault;
    for (size_t length = 0; length < sizeof TEXT - 1; length++)
        ck_assert(!checkpoint_parse((struct slice){TEXT, length}, &read, &fault));
}
END_TEST

Suite *suite_checkpoint(void)
{
    Suite *suite = suite_create("checkpoint");
    TCase *tcase = tcase_create("checkpoint");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, texts_may_be_empty);
    tcase_add_test(tcase, what_cannot_be_opened_is_the_systems);
    tcase_add_test(tcase, a_good_text_is_taken);
    tcase_add_loop_test(tcase, a_broken_text_is_refused_at_its_line, 0,
                        sizeof BROKEN / sizeof *BROKEN);
    tcase_add_test(tcase, another_version_is_told_as_one);
    tcase_add_test(tcase, a_run_is_known_again_however_far_it_is);
    tcase_add_test(tcase, no_beginning_of_a_file_is_a_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
