/* Files of games: what is written is read, by many and while it grows. */
#include "lab/gamefile.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/barn.h"
#include "lab/gameblock.h"
#include "lab/suites.h"

enum { PLIES = 120, SMALL_BLOCK = 500 };

static struct barn barn;

static void setup(void) { barn_setup(&barn); }
static void teardown(void) { barn_teardown(&barn); }

START_TEST(what_is_written_is_read)
{
    enum { GAMES = 600 };
    crop_write(barn.path, 0, GAMES / 2, PLIES, SMALL_BLOCK);
    crop_write(barn.path, GAMES / 2, GAMES, PLIES, GAMEFILE_BLOCK_BYTES);
    const struct gamefile_summary *summary = barn_reopen(&barn);
    ck_assert_uint_eq(summary->games, GAMES);
    ck_assert_uint_gt(summary->blocks, 10);
    ck_assert_uint_eq(summary->tail_bytes + summary->gaps, 0);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), GAMES);
    /* What should be among them is. */
    unsigned kinds[16] = {0}, chess960 = 0, positions = 0;
    for (size_t i = 0; i < summary->blocks; i++) {
        ck_assert_int_eq(gamefile_load(barn.file, i, barn.cursor), GAMEFILE_FINE);
        while (gamefile_next_game(barn.cursor)) {
            chess960 += barn.cursor->game.is_chess960;
            for (; gamefile_next_ply(barn.cursor); positions++)
                kinds[move_kind(barn.cursor->move)]++;
        }
    }
    ck_assert_uint_eq(summary->positions, positions);
    ck_assert_uint_eq(chess960, GAMES / 3);
    ck_assert_uint_gt(kinds[MOVE_CASTLE], 0);
    ck_assert_uint_gt(kinds[MOVE_EN_PASSANT], 0);
    ck_assert_uint_gt(kinds[MOVE_PROMOTE] + kinds[MOVE_PROMOTE_CAPTURE], 0);
    ck_assert_uint_gt(kinds[MOVE_PROMOTE + 3] + kinds[MOVE_PROMOTE_CAPTURE + 3], 0);
}
END_TEST

/* The longest games, and blocks as large as they may be. */
START_TEST(limits_are_kept)
{
    crop_write(barn.path, 0, 400, GAMEFILE_PLIES_MAX, GAMEFILE_BLOCK_BYTES_MAX);
    const struct gamefile_summary *summary = barn_reopen(&barn);
    ck_assert_uint_eq(barn_read_all(&barn, GAMEFILE_PLIES_MAX), 400);
    for (size_t i = 0; i < summary->blocks; i++)
        ck_assert_uint_le(gamefile_block(barn.file, i)->bytes, GAMEFILE_BLOCK_BYTES_MAX);
    gamefile_close(barn.file);
    barn.file = NULL;
    unlink(barn.path);
    crop_write(barn.path, 0, 20, PLIES, 1);
    ck_assert_uint_eq(barn_reopen(&barn)->blocks, 20);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), 20);
}
END_TEST

START_TEST(an_empty_file_is_one)
{
    crop_put_bytes(barn.path, (const uint8_t *)"", 0);
    ck_assert_uint_eq(barn_reopen(&barn)->games, 0);
    crop_write(barn.path, 0, 3, PLIES, SMALL_BLOCK);
    ck_assert_int_eq(gamefile_refresh(barn.file), GAMEFILE_FINE);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), 3);
}
END_TEST

/* One writes, one reads, both as fast as they can. */
enum { GROWING_GAMES = 500 };

static void *grow(void *context)
{
    struct gamefile_writer *growing = context;
    for (uint64_t number = 0; number < GROWING_GAMES; number++)
        crop_add(growing, number, PLIES);
    ck_assert_int_eq(gamefile_finish(growing), GAMEFILE_FINE);
    return NULL;
}

START_TEST(a_growing_file_is_read)
{
    pthread_t thread;
    uint64_t number = 0;
    size_t next = 0;
    ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                     GAMEFILE_FINE);
    ck_assert_int_eq(pthread_create(&thread, NULL, grow, barn.writer), 0);
    barn.writer = NULL;
    barn_reopen(&barn);
    while (number < GROWING_GAMES) {
        ck_assert_int_eq(gamefile_refresh(barn.file), GAMEFILE_FINE);
        ck_assert_uint_eq(gamefile_summary(barn.file)->gaps, 0);
        for (; next < gamefile_summary(barn.file)->blocks; next++) {
            ck_assert_int_eq(gamefile_load(barn.file, next, barn.cursor), GAMEFILE_FINE);
            for (; gamefile_next_game(barn.cursor); number++)
                ck_assert(crop_is(barn.cursor, number, PLIES));
            ck_assert_int_eq(gamefile_cursor_fault(barn.cursor), GAMEFILE_FINE);
        }
    }
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(gamefile_summary(barn.file)->tail_bytes, 0);
}
END_TEST

/* Blocks of one file, read by several at once. */
struct reading {
    size_t first;
    uint64_t games;
};
enum { READERS = 3 };

static void *read_part(void *context)
{
    struct reading *reading = context;
    struct gamefile_cursor *own;
    ck_assert_int_eq(gamefile_cursor_create(&own), GAMEFILE_FINE);
    for (size_t i = reading->first; i < gamefile_summary(barn.file)->blocks; i += READERS) {
        ck_assert_int_eq(gamefile_load(barn.file, i, own), GAMEFILE_FINE);
        for (; gamefile_next_game(own); reading->games++)
            while (gamefile_next_ply(own))
                ;
    }
    gamefile_cursor_destroy(own);
    return NULL;
}

START_TEST(several_read_at_once)
{
    pthread_t threads[READERS];
    struct reading readings[READERS] = {{0, 0}, {1, 0}, {2, 0}};
    uint64_t games = 0;
    crop_write(barn.path, 0, 300, PLIES, SMALL_BLOCK);
    barn_reopen(&barn);
    for (unsigned i = 0; i < READERS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, read_part, &readings[i]), 0);
    for (unsigned i = 0; i < READERS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        games += readings[i].games;
    }
    ck_assert_uint_eq(games, 300);
}
END_TEST

START_TEST(one_writes_at_a_time)
{
    struct gamefile_writer *second;
    ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                     GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &second, &barn.cut_bytes),
                     GAMEFILE_BUSY);
    ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                     GAMEFILE_FINE);
}
END_TEST

START_TEST(a_made_file_has_its_name_when_it_is_whole)
{
    char unfinished[CROP_PATH_BYTES + 8];
    snprintf(unfinished, sizeof unfinished, "%s.part", barn.path);
    ck_assert_int_eq(gamefile_create(barn.path, &barn.writer), GAMEFILE_FINE);
    crop_add(barn.writer, 0, PLIES);
    ck_assert_int_ne(access(barn.path, F_OK), 0);
    ck_assert_int_eq(access(unfinished, F_OK), 0);
    gamefile_abandon(barn.writer);
    ck_assert_int_ne(access(unfinished, F_OK), 0);
    ck_assert_int_eq(gamefile_create(barn.path, &barn.writer), GAMEFILE_FINE);
    crop_add(barn.writer, 0, PLIES);
    ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_FINE);
    barn.writer = NULL;
    ck_assert_int_ne(access(unfinished, F_OK), 0);
    barn_reopen(&barn);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), 1);
    ck_assert_int_eq(gamefile_create(barn.path, &barn.writer), GAMEFILE_EXISTS);
}
END_TEST

static void part_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(what_a_killed_one_left_is_replaced_and_nothing_else)
{
    static const char OTHERS[] = "somebody's own, half written";
    static const char TORN[] = "RkGB and then it was killed";
    char unfinished[CROP_PATH_BYTES + 8], found[sizeof OTHERS] = "";
    snprintf(unfinished, sizeof unfinished, "%s.part", barn.path);
    part_write(unfinished, OTHERS, sizeof OTHERS);
    ck_assert_int_eq(gamefile_create(barn.path, &barn.writer), GAMEFILE_PART);
    ck_assert_ptr_null(barn.writer);
    FILE *file = fopen(unfinished, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(found, 1, sizeof found, file), sizeof OTHERS);
    (void)fclose(file);
    ck_assert_mem_eq(found, OTHERS, sizeof OTHERS);
    part_write(unfinished, TORN, sizeof TORN);
    ck_assert_int_eq(gamefile_create(barn.path, &barn.writer), GAMEFILE_FINE);
    crop_add(barn.writer, 0, PLIES);
    ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_FINE);
    barn.writer = NULL;
    ck_assert_uint_eq(barn_reopen(&barn)->gaps, 0);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), 1);
}
END_TEST

START_TEST(a_made_file_takes_nobodys_place)
{
    char unfinished[CROP_PATH_BYTES + 8];
    snprintf(unfinished, sizeof unfinished, "%s.part", barn.path);
    ck_assert_int_eq(gamefile_create(barn.path, &barn.writer), GAMEFILE_FINE);
    crop_add(barn.writer, 0, PLIES);
    FILE *other = fopen(barn.path, "we");
    ck_assert_ptr_nonnull(other);
    ck_assert_int_eq(fclose(other), 0);
    ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_EXISTS);
    barn.writer = NULL;
    ck_assert_int_ne(access(unfinished, F_OK), 0);
    ck_assert_uint_eq(barn_reopen(&barn)->games, 0);
}
END_TEST

/* One of two that would make the same file. */
struct maker {
    pthread_barrier_t *start;
    uint64_t games;
    enum gamefile_fault fault;
};

static void *make(void *context)
{
    struct maker *maker = context;
    struct gamefile_writer *made;
    (void)pthread_barrier_wait(maker->start);
    do {
        maker->fault = gamefile_create(barn.path, &made);
    } while (maker->fault == GAMEFILE_BUSY); /* So one is about to open whenever one finishes. */
    if (maker->fault != GAMEFILE_FINE)
        return NULL;
    for (uint64_t game = 0; game < maker->games; game++)
        crop_add(made, game, PLIES);
    maker->fault = gamefile_finish(made);
    return NULL;
}

/* Just one is told that the file is made, and what it made is there. */
START_TEST(two_who_make_a_file_do_not_destroy_it)
{
    enum { ROUNDS = 150 };
    for (int i = 0; i < ROUNDS; i++) {
        pthread_barrier_t start;
        pthread_t other;
        struct maker makers[2] = {{&start, 1, GAMEFILE_FINE}, {&start, 2, GAMEFILE_FINE}};
        ck_assert_int_eq(pthread_barrier_init(&start, NULL, 2), 0);
        ck_assert_int_eq(pthread_create(&other, NULL, make, &makers[0]), 0);
        (void)make(&makers[1]);
        ck_assert_int_eq(pthread_join(other, NULL), 0);
        ck_assert_int_eq(pthread_barrier_destroy(&start), 0);
        const bool is_first = makers[0].fault == GAMEFILE_FINE;
        ck_assert_int_ne(is_first, makers[1].fault == GAMEFILE_FINE);
        ck_assert_uint_eq(barn_reopen(&barn)->games, is_first ? 1 : 2);
        ck_assert_int_eq(makers[is_first ? 1 : 0].fault, GAMEFILE_EXISTS);
        ck_assert_int_eq(unlink(barn.path), 0);
    }
}
END_TEST

/* No file may be larger than so: a write fails half-way. */
START_TEST(a_full_disk_leaves_whole_blocks)
{
    struct rlimit before, limit;
    size_t length;
    crop_write(barn.path, 0, 10, PLIES, SMALL_BLOCK);
    memory_free(crop_bytes(barn.path, &length));
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = length + 100, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                     GAMEFILE_FINE);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    enum gamefile_fault fault = GAMEFILE_FINE;
    for (uint64_t number = 10; number < 30 && fault == GAMEFILE_FINE; number++) {
        struct crop_game made;
        crop_make(number, PLIES, &made);
        fault = gamefile_add(barn.writer, &made.game, made.plies);
    }
    const int error = errno;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(fault, GAMEFILE_SYSTEM);
    ck_assert_int_eq(error, EFBIG);
    ck_assert_uint_eq(barn_reopen(&barn)->games, 10);
    ck_assert_uint_eq(gamefile_summary(barn.file)->tail_bytes, 0);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), 10);
}
END_TEST

/* A block, to the byte: the files of others hold the same. */
START_TEST(the_bytes_stay_what_they_are)
{
    static const uint8_t GAME[GAME_HEADER_BYTES + 2 * PLY_BYTES] = {
        0xff, 0xff, 0,    0,    0,    0,    0xff, 0xff, 0x1c, 0x42, 0x25, 0xc1, 0, 0, 0,
        0,    0x66, 0x66, 0x66, 0x66, 0x7d, 0xa8, 0x8b, 0xd7, 64,   0,    1,    0, /* The start. */
        2,    5,    2,    0,                         /* Points, end, plies. */
        85,   0,    1,    0,    0xdc, 0x05, 0,    0, /* Pawn, flags, nodes. */
        0x0c, 0x17, 0x1e, 0,                         /* e2e4, 30 */
        0x34, 0x19, 0xe2, 0xff};                     /* e7e5, -30 */
    static const uint8_t HEADER[24] = {'R', 'k', 'G', 'B', 1, 0, 0, 0, 48, 0, 0, 0,
                                       1,   0,   0,   0,   2, 0, 0, 0, 0,  0, 0, 0};
    struct gamefile_game game = {.end = GAMEFILE_RESIGNED,
                                 .white_points = 2,
                                 .plies = 2,
                                 .pawn = 85,
                                 .nodes = 1500,
                                 .is_chess960 = true};
    const struct gamefile_ply plies[] = {{move_make(12, 28, MOVE_DOUBLE), 30},
                                         {move_make(52, 36, MOVE_DOUBLE), -30}};
    size_t length;
    position_set_start(&game.start);
    ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                     GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_add(barn.writer, &game, plies), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_FINE);
    barn.writer = NULL;
    uint8_t *bytes = crop_bytes(barn.path, &length);
    ck_assert_uint_eq(length, BLOCK_HEADER_BYTES + sizeof GAME);
    ck_assert_mem_eq(bytes, HEADER, sizeof HEADER);
    ck_assert_mem_eq(bytes + BLOCK_HEADER_BYTES, GAME, sizeof GAME);
    memory_free(bytes);
}
END_TEST

Suite *suite_gamefile(void)
{
    Suite *suite = suite_create("gamefile");
    TCase *tcase = tcase_create("gamefile");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, limits_are_kept);
    tcase_add_test(tcase, an_empty_file_is_one);
    tcase_add_test(tcase, a_growing_file_is_read);
    tcase_add_test(tcase, several_read_at_once);
    tcase_add_test(tcase, one_writes_at_a_time);
    tcase_add_test(tcase, a_made_file_has_its_name_when_it_is_whole);
    tcase_add_test(tcase, what_a_killed_one_left_is_replaced_and_nothing_else);
    tcase_add_test(tcase, a_made_file_takes_nobodys_place);
    tcase_add_test(tcase, two_who_make_a_file_do_not_destroy_it);
    tcase_add_test(tcase, a_full_disk_leaves_whole_blocks);
    tcase_add_test(tcase, the_bytes_stay_what_they_are);
    suite_add_tcase(suite, tcase);
    return suite;
}
