/* A whole run: it learns, and its weights are the same however often it was ended and on however
 * many threads it went. */
#include "lab/train.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/crop.h"
#include "lab/lesson.h"
#include "lab/snapshot.h"
#include "lab/suites.h"
#include "lab/train_work.h"

enum { GAMES = 100, BLOCK = 4000, PATHS = 4 };

static char data[CROP_PATH_BYTES], names[PATHS][CROP_PATH_BYTES];
static const char *paths[1];
static struct train train;
static struct train_result result;
static unsigned ticks, ticks_max;
static int readings_left;
static uint64_t begun_steps;

static bool tick(void *context, const struct train_news *news)
{
    (void)context;
    ck_assert(news->share > 0.0 && news->share <= 1.0);
    return ++ticks < ticks_max;
}

static bool reading(void *context)
{
    (void)context;
    return readings_left-- > 0;
}

static void begun(void *context, const struct train_news *news, uint64_t epochs, uint64_t steps)
{
    (void)context;
    ck_assert_uint_gt(news->data->games, 0);
    ck_assert(epochs <= steps);
    begun_steps = steps;
}

static void setup(void)
{
    crop_path(data);
    for (unsigned i = 0; i < PATHS; i++)
        crop_path(names[i]);
    lesson_write(data, 0, GAMES, BLOCK);
    paths[0] = data;
    train = (struct train){.paths = paths,
                           .path_count = 1,
                           .network = names[0],
                           .threads = 2,
                           .checkpoint_us = 3600000000,
                           .tick = tick,
                           .begun = begun};
    train_settings_default(&train.settings);
    train.settings.shape = (struct network_shape){.areas = 2, .hidden = 16, .buckets = 2};
    train.settings.batch = 128;
    train.settings.epochs = 3;
    train.settings.buffer = 1500; /* Several chunks. */
    train.settings.optimizer.warmup_steps = 10;
    train.settings.rules.held_permille = 100;
    ticks_max = UINT32_MAX;
}

enum { STATE_NAME_BYTES = 2 * CROP_PATH_BYTES };

static void state_name(const char *network, char out_name[STATE_NAME_BYTES])
{
    (void)snprintf(out_name, STATE_NAME_BYTES, "%.*s.state", CROP_PATH_BYTES, network);
}

static void network_forget(const char *network)
{
    char state[STATE_NAME_BYTES];
    state_name(network, state);
    unlink(network);
    unlink(state);
}

static void teardown(void)
{
    unlink(data);
    for (unsigned i = 0; i < PATHS; i++)
        network_forget(names[i]);
}

static enum train_end run(void)
{
    ticks = 0;
    return train_run(&train, &result);
}

static bool is_same(const char *a, const char *b)
{
    size_t lengths[2];
    uint8_t *bytes[2] = {crop_bytes(a, &lengths[0]), crop_bytes(b, &lengths[1])};
    const bool same = lengths[0] == lengths[1] && memcmp(bytes[0], bytes[1], lengths[0]) == 0;
    memory_free(bytes[0]);
    memory_free(bytes[1]);
    return same;
}

START_TEST(it_learns)
{
    lesson_write(data, GAMES, 4 * GAMES, BLOCK);
    train.settings.shape.areas = 1;
    train.settings.epochs = 12;
    train.settings.optimizer.rate = 0.005;
    train.settings.rules.lambda = 1.0;
    train.settings.rules.scale = 600.0;
    train.csv = names[1];
    train.svg = names[2];
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert_uint_eq(result.row.epoch, 12);
    ck_assert_double_lt(result.row.learnt_loss, 0.002); /* It begins above 0.03. */
    ck_assert_double_lt(result.row.held_loss, 0.01);
    size_t length;
    uint8_t *csv = crop_bytes(names[1], &length);
    unsigned lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += csv[i] == '\n';
    ck_assert_uint_eq(lines, 13);
    memory_free(csv);
}
END_TEST

START_TEST(threads_change_nothing)
{
    ck_assert_int_eq(run(), TRAIN_DONE);
    train.network = names[1];
    train.threads = 5;
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert(is_same(names[0], names[1]));
    train.network = names[2];
    train.settings.rules.seed++;
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert(!is_same(names[0], names[2]));
}
END_TEST

/* Ended after so many steps, again and again. */
START_TEST(ended_and_begun_again_is_the_same)
{
    ck_assert_int_eq(run(), TRAIN_DONE);
    const unsigned steps = ticks;
    ck_assert_uint_gt(steps, 30);
    train.network = names[1];
    unsigned runs = 0, sum = 0;
    enum train_end end;
    do {
        ticks_max = 1 + (unsigned)_i + 7 * (runs++ % 3);
        end = run();
        ck_assert_uint_eq(begun_steps, sum);
        sum += ticks;
    } while (end == TRAIN_STOPPED);
    ck_assert_int_eq(end, TRAIN_DONE);
    ck_assert_uint_eq(sum, steps);
    ck_assert(is_same(names[0], names[1]));
}
END_TEST

/* Told so while files are counted, while those held out are read, while what is learnt is. */
START_TEST(ended_while_reading_is_the_same)
{
    ck_assert_int_eq(run(), TRAIN_DONE);
    train.network = names[1];
    train.reading = reading;
    readings_left = _i;
    ck_assert_int_eq(run(), TRAIN_STOPPED);
    ck_assert(_i >= 3 || ticks == 0);
    readings_left = INT_MAX;
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert_int_lt(readings_left, INT_MAX);
    ck_assert(is_same(names[0], names[1]));
}
END_TEST

/* Nothing is left to do: what was made is made again. */
START_TEST(a_finished_run_writes_again)
{
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert_int_eq(rename(names[0], names[1]), 0);
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert_uint_eq(ticks, 0);
    ck_assert(is_same(names[0], names[1]));
}
END_TEST

START_TEST(other_settings_or_data_are_refused)
{
    ticks_max = 5;
    ck_assert_int_eq(run(), TRAIN_STOPPED);
    const struct train_settings settings = train.settings;
    train.settings.optimizer.rate = 0.002;
    ck_assert_int_eq(run(), TRAIN_OTHER);
    ck_assert_ptr_nonnull(strstr(result.text, "rate 0.001,"));
    train.settings = settings;
    train.settings.shape.hidden = 32;
    ck_assert_int_eq(run(), TRAIN_OTHER);
    train.settings = settings;
    unlink(data);
    lesson_write(data, 1, GAMES + 1, BLOCK);
    ck_assert_int_eq(run(), TRAIN_OTHER);
    unlink(data);
    lesson_write(data, 0, GAMES, BLOCK);
    ck_assert_int_eq(run(), TRAIN_STOPPED);
    /* More games behind those known are no other data: the run goes on with those it had. */
    lesson_write(data, GAMES, GAMES + 50, BLOCK);
    ticks_max = UINT32_MAX;
    ck_assert_int_eq(run(), TRAIN_DONE);
}
END_TEST

START_TEST(a_broken_checkpoint_is_refused)
{
    char state[STATE_NAME_BYTES];
    size_t length;
    ticks_max = 5;
    ck_assert_int_eq(run(), TRAIN_STOPPED);
    state_name(names[0], state);
    uint8_t *bytes = crop_bytes(state, &length);
    bytes[length * (size_t)_i / 4] ^= 8;
    crop_put_bytes(state, bytes, length - (_i == 3));
    memory_free(bytes);
    ck_assert_int_eq(run(), TRAIN_BROKEN);
    ck_assert_str_eq(result.path, state);
}
END_TEST

/* While one run writes a network no other may; behind it, or its death, nothing is in the way. */
START_TEST(one_run_at_a_time)
{
    const int lock = wholefile_lock(names[0]);
    ck_assert_int_ge(lock, 0);
    ck_assert_int_eq(wholefile_lock(names[0]), -1);
    ck_assert_int_eq(errno, EWOULDBLOCK);
    ck_assert_int_eq(run(), TRAIN_BUSY);
    ck_assert_str_eq(result.path, names[0]);
    ck_assert_uint_eq(ticks, 0);
    wholefile_unlock(lock, names[0]);
    ck_assert_int_eq(run(), TRAIN_DONE);
    char left[STATE_NAME_BYTES];
    (void)snprintf(left, sizeof left, "%.*s" WHOLEFILE_LOCK, CROP_PATH_BYTES, names[0]);
    ck_assert_int_ne(access(left, F_OK), 0);
    crop_put_bytes(left, (const uint8_t *)"", 0); /* As kill -9 leaves it. */
    ck_assert_int_eq(run(), TRAIN_DONE);
    ck_assert_int_ne(access(left, F_OK), 0);
}
END_TEST

/* What was there stays, and nothing beside it. */
START_TEST(what_cannot_be_written_leaves_nothing)
{
    char unfinished[STATE_NAME_BYTES];
    (void)snprintf(unfinished, sizeof unfinished, "%.*s" WHOLEFILE_UNFINISHED, CROP_PATH_BYTES,
                   names[0]);
    crop_put_bytes(names[0], (const uint8_t *)"old", 3);
    FILE *file = wholefile_begin(names[0]);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(dup2(open("/dev/full", O_WRONLY), fileno(file)), 0);
    (void)fputs("words", file);
    ck_assert(!wholefile_end(file, names[0]));
    ck_assert_int_eq(errno, ENOSPC);
    ck_assert_int_ne(access(unfinished, F_OK), 0);
    size_t length;
    uint8_t *bytes = crop_bytes(names[0], &length);
    ck_assert_mem_eq(bytes, "old", length);
    ck_assert_uint_eq(length, 3);
    memory_free(bytes);
}
END_TEST

/* Ends a run within the second epoch, changes its checkpoint and gives it a right checksum. */
static void state_forge(const char *state, int fault)
{
    static struct train_memory memory;
    struct network_layout layout;
    ck_assert(network_layout_init(&layout, &train.settings.shape));
    const size_t bytes = layout.count * sizeof(float);
    float *rows[3];
    struct snapshot_part parts[4] = {{&memory, sizeof memory}};
    for (unsigned i = 0; i < 3; i++)
        parts[i + 1] = (struct snapshot_part){rows[i] = memory_allocate(bytes), bytes};
    ck_assert_int_eq(snapshot_read(state, parts, 4), SNAPSHOT_FINE);
    ck_assert_uint_eq(memory.epoch, 1);
    ck_assert_uint_gt(memory.batch, 0);
    switch (fault) {
    case 0: break; /* None. */
    case 1: memset(memory.text, 'A', sizeof memory.text); break;
    case 2: memory.epoch = 100000000; break;
    case 3: memory.epoch = UINT64_MAX; break;
    case 4: memory.epoch = train.settings.epochs; break; /* And within one. */
    case 5: memory.chunk = (uint64_t)1 << 40; break;
    case 6: memory.batch = (uint64_t)1 << 60; break;
    case 7: memory.learnt = 0; break;
    case 8: memory.steps = 0; break;
    case 9: memory.errors = (double)NAN; break;
    case 10: memory.rows[0].held_loss = (double)INFINITY; break;
    case 11: memory.rows[0].epoch = 7; break;
    case 12: rows[0][5] = NAN; break;
    case 13: rows[1][layout.count - 1] = INFINITY; break;
    case 14: rows[2][0] = -1.0f; break;
    }
    ck_assert_int_eq(snapshot_write(state, parts, 4), SNAPSHOT_FINE);
    for (unsigned i = 0; i < 3; i++)
        memory_free(rows[i]);
}

/* By a right checksum nothing is believed: a run would read and write where nothing is. */
START_TEST(a_checkpoint_s_numbers_are_examined)
{
    char state[STATE_NAME_BYTES];
    ck_assert_int_eq(run(), TRAIN_DONE);
    ticks_max = ticks / train.settings.epochs + 2;
    network_forget(names[0]);
    ck_assert_int_eq(run(), TRAIN_STOPPED);
    state_name(names[0], state);
    state_forge(state, _i);
    ticks_max = UINT32_MAX;
    ck_assert_int_eq(run(), _i == 0 ? TRAIN_DONE : TRAIN_BROKEN);
    if (_i != 0)
        ck_assert_str_eq(result.path, state);
}
END_TEST

START_TEST(what_cannot_be_is_told)
{
    train.settings.rules.plies_min = GAMEFILE_PLIES_MAX;
    ck_assert_int_eq(run(), TRAIN_NOTHING);
    train.settings.shape.hidden = 17;
    ck_assert_int_eq(run(), TRAIN_SHAPE);
    train.settings.shape.hidden = 16;
    train.settings.rules.plies_min = 0;
    train.network = "/no/such/place/network";
    ck_assert_int_eq(run(), TRAIN_SYSTEM);
    train.network = names[0];
    paths[0] = "/no/such/file";
    ck_assert_int_eq(run(), TRAIN_DATA);
    ck_assert_int_eq(result.fault, GAMEFILE_SYSTEM);
}
END_TEST

Suite *suite_train(void)
{
    Suite *suite = suite_create("train");
    TCase *tcase = tcase_create("train");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, it_learns);
    tcase_add_test(tcase, threads_change_nothing);
    tcase_add_loop_test(tcase, ended_and_begun_again_is_the_same, 0, 4);
    tcase_add_loop_test(tcase, ended_while_reading_is_the_same, 0, 5);
    tcase_add_test(tcase, a_finished_run_writes_again);
    tcase_add_test(tcase, other_settings_or_data_are_refused);
    tcase_add_loop_test(tcase, a_broken_checkpoint_is_refused, 0, 4);
    tcase_add_loop_test(tcase, a_checkpoint_s_numbers_are_examined, 0, 15);
    tcase_add_test(tcase, one_run_at_a_time);
    tcase_add_test(tcase, what_cannot_be_written_leaves_nothing);
    tcase_add_test(tcase, what_cannot_be_is_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
