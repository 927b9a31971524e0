/* What is learnt from: every position once an epoch, none of a held-out game, whatever the buffer
 * and the threads. */
#include "lab/samples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/crop.h"
#include "lab/gameblock.h"
#include "lab/lesson.h"
#include "lab/suites.h"

enum { GAMES = 120, BLOCK = 2000, BUFFER = 600, ALL = 1 << 20 };

static char path[CROP_PATH_BYTES], second[CROP_PATH_BYTES];
static const char *paths[2];
static struct samples_rules rules;
static struct gang *gang;
static struct samples *samples;
static struct gamepile_place place;

static void setup(void)
{
    crop_path(path);
    crop_path(second);
    paths[0] = path;
    paths[1] = second;
    lesson_write(path, 0, GAMES, BLOCK);
    rules = (struct samples_rules){.takes_checks = true,
                                   .takes_noisy = true,
                                   .score_max = GAMEFILE_SCORE_MAX,
                                   .held_permille = 250,
                                   .scale = 100.0,
                                   .lambda = 0.75,
                                   .seed = 5};
    samples = NULL;
    ck_assert_int_eq(gang_create(3, &gang), RK_OK);
}

static void teardown(void)
{
    samples_close(samples);
    gang_destroy(gang);
    unlink(path);
    unlink(second);
}

static void begin(unsigned files, uint64_t buffer)
{
    samples_close(samples);
    ck_assert_int_eq(samples_open(paths, files, NULL, &rules, buffer, gang,
                                  (struct samples_watch){0}, &samples, &place),
                     GAMEFILE_FINE);
}

static uint64_t hash_of(const struct sample *sample)
{
    return block_checksum((const uint8_t *)sample, sizeof *sample);
}

/* All samples of an epoch: how many, a sum that does not see their order, and one that does. */
struct census {
    uint64_t count, sum, order;
};

static struct census epoch_read(uint64_t epoch, unsigned *out_chunks)
{
    struct census census = {0, 0, 0};
    *out_chunks = samples_begin(samples, epoch);
    for (unsigned chunk = 0; chunk < *out_chunks; chunk++) {
        struct samples_view view;
        ck_assert_uint_eq(samples_before(samples, chunk), census.count);
        ck_assert_int_eq(samples_load(samples, chunk, &view, &place), GAMEFILE_FINE);
        for (size_t i = 0; i < view.count; i++) {
            const uint64_t hash = hash_of(&view.samples[view.order[i]]);
            census.sum += hash;
            census.order = (census.order ^ hash) * 0x9e3779b97f4a7c15u;
        }
        census.count += view.count;
    }
    return census;
}

START_TEST(every_position_once_an_epoch)
{
    unsigned chunks;
    begin(1, ALL);
    const struct samples_summary *summary = samples_summary(samples);
    const struct census whole = epoch_read(0, &chunks), next = epoch_read(1, &chunks);
    ck_assert_uint_eq(chunks, 1);
    ck_assert_uint_eq(whole.count, summary->fates[FATE_LEARNT]);
    ck_assert_uint_eq(next.sum, whole.sum);
    ck_assert_uint_ne(next.order, whole.order);
    ck_assert_uint_eq(epoch_read(0, &chunks).order, whole.order);
    begin(1, BUFFER);
    const struct census small = epoch_read(0, &chunks), small_next = epoch_read(1, &chunks);
    ck_assert_uint_gt(chunks, 3);
    ck_assert_uint_eq(small.count, whole.count);
    ck_assert_uint_eq(small.sum, whole.sum);
    ck_assert_uint_eq(small_next.sum, whole.sum);
    ck_assert_uint_ne(small_next.order, small.order);
    ck_assert_uint_eq(epoch_read(0, &chunks).order, small.order);
}
END_TEST

START_TEST(threads_change_nothing)
{
    unsigned chunks;
    begin(1, BUFFER);
    const uint64_t order = epoch_read(3, &chunks).order, print = samples_summary(samples)->print;
    samples_close(samples);
    samples = NULL;
    gang_destroy(gang);
    ck_assert_int_eq(gang_create(1, &gang), RK_OK);
    begin(1, BUFFER);
    ck_assert_uint_eq(epoch_read(3, &chunks).order, order);
    ck_assert_uint_eq(samples_summary(samples)->print, print);
}
END_TEST

/* The same games a second time: each is on the side where it was. */
START_TEST(no_game_is_on_both_sides)
{
    unsigned chunks;
    begin(1, ALL);
    const struct samples_summary once = *samples_summary(samples);
    const struct samples_view held = samples_held(samples);
    ck_assert_uint_gt(once.held_games, GAMES / 8);
    ck_assert_uint_lt(once.held_games, GAMES / 2);
    ck_assert_uint_eq(held.count, once.fates[FATE_HELD]);
    const uint64_t learnt_sum = epoch_read(0, &chunks).sum;
    lesson_write(second, 0, GAMES, 700);
    begin(2, ALL);
    const struct samples_summary *twice = samples_summary(samples);
    ck_assert_uint_eq(twice->held_games, 2 * once.held_games);
    ck_assert_uint_eq(twice->fates[FATE_HELD], 2 * once.fates[FATE_HELD]);
    ck_assert_uint_eq(epoch_read(0, &chunks).sum, 2 * learnt_sum);
}
END_TEST

/* The held-out games are those that `rookery data split` takes. */
START_TEST(held_out_is_what_split_takes)
{
    char first[CROP_PATH_BYTES], rest[CROP_PATH_BYTES];
    struct gamefile_writer *writers[2];
    struct gamepile *pile;
    crop_path(first);
    crop_path(rest);
    ck_assert_int_eq(gamepile_open(paths, 1, &pile, &place), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_create(first, &writers[0]), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_create(rest, &writers[1]), GAMEFILE_FINE);
    ck_assert_int_eq(gamepile_split(pile, rules.held_permille, rules.seed, writers, &place),
                     GAMEFILE_FINE);
    const uint64_t games = gamefile_written(writers[0])->games;
    const uint64_t positions = gamefile_written(writers[0])->positions;
    ck_assert_int_eq(gamefile_finish(writers[0]), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_finish(writers[1]), GAMEFILE_FINE);
    gamepile_close(pile);
    unlink(first);
    unlink(rest);
    begin(1, ALL);
    ck_assert_uint_eq(samples_summary(samples)->held_games, games);
    ck_assert_uint_eq(samples_summary(samples)->fates[FATE_HELD], positions);
}
END_TEST

/* Each filter against a count by hand. */
START_TEST(filters_leave_out_what_they_say)
{
    struct gamefile *file;
    struct gamefile_cursor *cursor;
    uint64_t fates[FATE_COUNT] = {0};
    rules = (struct samples_rules){.plies_min = 6, .score_max = 450, .scale = 1.0, .lambda = 1.0};
    ck_assert_int_eq(gamefile_open(path, &file), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_cursor_create(&cursor), GAMEFILE_FINE);
    for (size_t block = 0; block < gamefile_summary(file)->blocks; block++) {
        ck_assert_int_eq(gamefile_load(file, block, cursor), GAMEFILE_FINE);
        while (gamefile_next_game(cursor))
            for (unsigned ply = 0; gamefile_next_ply(cursor); ply++) {
                const bool is_far = cursor->score > 450 || cursor->score < -450;
                fates[ply < 6                           ? FATE_PLY
                      : cursor->position->checkers != 0 ? FATE_CHECK
                      : move_is_noisy(cursor->move)     ? FATE_NOISY
                      : is_far                          ? FATE_SCORE
                                                        : FATE_LEARNT]++;
            }
    }
    gamefile_cursor_destroy(cursor);
    gamefile_close(file);
    begin(1, ALL);
    for (unsigned fate = 0; fate < FATE_COUNT; fate++) {
        ck_assert_uint_eq(samples_summary(samples)->fates[fate], fates[fate]);
        ck_assert(fates[fate] > 0 || fate == FATE_HELD || fate == FATE_MATE);
    }
}
END_TEST

/* A score is worth the same whatever its game calls a pawn. */
START_TEST(targets_blend_score_and_result)
{
    struct gamefile_game game = {.pawn = 200, .white_points = 2};
    struct position position;
    position_set_start(&position);
    rules.scale = 50.0;
    const double expected = 1.0 / (1.0 + exp(-2.0));
    rules.lambda = 1.0;
    ck_assert_float_eq_tol(samples_target(&rules, &game, &position, 100), (float)expected, 1e-6F);
    game.pawn = 100;
    ck_assert_float_eq_tol(samples_target(&rules, &game, &position, 100), (float)expected, 1e-6F);
    rules.lambda = 0.25;
    ck_assert_float_eq_tol(samples_target(&rules, &game, &position, 100),
                           (float)(0.25 * expected + 0.75), 1e-6F);
    position.side = BLACK;
    ck_assert_float_eq_tol(samples_target(&rules, &game, &position, 100), (float)(0.25 * expected),
                           1e-6F);
    game.white_points = 1;
    rules.lambda = 0.0;
    ck_assert_float_eq_tol(samples_target(&rules, &game, &position, 100), 0.5F, 1e-6F);
}
END_TEST

START_TEST(a_broken_block_is_told)
{
    size_t length;
    uint8_t *bytes = crop_bytes(path, &length);
    bytes[length / 2] ^= 1;
    crop_put_bytes(path, bytes, length);
    memory_free(bytes);
    ck_assert_int_ne(samples_open(paths, 1, NULL, &rules, ALL, gang, (struct samples_watch){0},
                                  &samples, &place),
                     GAMEFILE_FINE);
    samples = NULL;
    ck_assert_uint_eq(place.file, 0);
    ck_assert_uint_lt(place.offset, length);
    paths[0] = "/no/such/file";
    ck_assert_int_eq(samples_open(paths, 1, NULL, &rules, ALL, gang, (struct samples_watch){0},
                                  &samples, &place),
                     GAMEFILE_SYSTEM);
    samples = NULL;
}
END_TEST

/* A block whose header is lost is not left out silently. */
START_TEST(a_gap_is_told)
{
    struct gamefile *file;
    size_t length;
    ck_assert_int_eq(gamefile_open(path, &file), GAMEFILE_FINE);
    const uint64_t offset = gamefile_block(file, 1)->offset;
    gamefile_close(file);
    uint8_t *bytes = crop_bytes(path, &length);
    memset(bytes + offset, 'x', 8);
    crop_put_bytes(path, bytes, length);
    memory_free(bytes);
    ck_assert_int_eq(samples_open(paths, 1, NULL, &rules, ALL, gang, (struct samples_watch){0},
                                  &samples, &place),
                     GAMEFILE_HEADER);
    samples = NULL;
    ck_assert_uint_eq(place.file, 0);
    ck_assert_uint_eq(place.offset, offset);
}
END_TEST

/* A file that has grown, read as it was. */
START_TEST(only_the_blocks_meant_are_read)
{
    begin(1, ALL);
    const uint64_t blocks = samples_blocks(samples, 0), print = samples_summary(samples)->print;
    lesson_write(path, GAMES, GAMES + 30, BLOCK);
    begin(1, ALL);
    ck_assert_uint_ne(samples_summary(samples)->print, print);
    samples_close(samples);
    ck_assert_int_eq(samples_open(paths, 1, &blocks, &rules, ALL, gang, (struct samples_watch){0},
                                  &samples, &place),
                     GAMEFILE_FINE);
    ck_assert_uint_eq(samples_summary(samples)->print, print);
}
END_TEST

Suite *suite_samples(void)
{
    Suite *suite = suite_create("samples");
    TCase *tcase = tcase_create("samples");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, every_position_once_an_epoch);
    tcase_add_test(tcase, threads_change_nothing);
    tcase_add_test(tcase, no_game_is_on_both_sides);
    tcase_add_test(tcase, held_out_is_what_split_takes);
    tcase_add_test(tcase, filters_leave_out_what_they_say);
    tcase_add_test(tcase, targets_blend_score_and_result);
    tcase_add_test(tcase, a_broken_block_is_told);
    tcase_add_test(tcase, a_gap_is_told);
    tcase_add_test(tcase, only_the_blocks_meant_are_read);
    suite_add_tcase(suite, tcase);
    return suite;
}
