/* Files of games as a pile: every game comes out once, with its bytes; what is broken is found and
 * told with its place. */
#include "lab/gamepile.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/crop.h"
#include "lab/gameblock.h"
#include "lab/suites.h"

enum { FILES = 3, GAMES = 300, PLIES = 100, SMALL_BLOCK = 700, TELLINGS_MAX = 16 };

static char paths[FILES][CROP_PATH_BYTES], to[2][CROP_PATH_BYTES];
static const char *path_list[FILES];
static struct gamepile *pile;
static struct gamepile_place place;

static void setup(void)
{
    pile = NULL;
    for (unsigned i = 0; i < FILES; i++) {
        crop_path(paths[i]);
        path_list[i] = paths[i];
        crop_write(paths[i], i * GAMES / FILES, (i + 1) * GAMES / FILES, PLIES, SMALL_BLOCK);
    }
    crop_path(to[0]);
    crop_path(to[1]);
}

static void teardown(void)
{
    gamepile_close(pile);
    for (unsigned i = 0; i < FILES; i++)
        unlink(paths[i]);
    unlink(to[0]);
    unlink(to[1]);
}

static void pile_open(void)
{
    gamepile_close(pile);
    pile = NULL;
    ck_assert_int_eq(gamepile_open(path_list, FILES, &pile, &place), GAMEFILE_FINE);
}

/* Games of a file by number, as far as each is one of the crop. *out_in_order: they are the crop's
 * from the first on. */
static unsigned games_of(const char *path, uint8_t seen[GAMES], bool *out_in_order)
{
    struct gamefile *file;
    struct gamefile_cursor *cursor;
    unsigned count = 0;
    *out_in_order = true;
    memset(seen, 0, GAMES);
    ck_assert_int_eq(gamefile_open(path, &file), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_cursor_create(&cursor), GAMEFILE_FINE);
    for (size_t i = 0; i < gamefile_summary(file)->blocks; i++) {
        ck_assert_int_eq(gamefile_load(file, i, cursor), GAMEFILE_FINE);
        for (; gamefile_next_game(cursor); count++) {
            /* The number of nodes is drawn: it names the game. */
            unsigned number = 0;
            struct crop_game made;
            for (; number < GAMES; number++) {
                crop_make(number, PLIES, &made);
                if (made.game.nodes == cursor->game.nodes)
                    break;
            }
            ck_assert_uint_lt(number, GAMES);
            ck_assert(crop_is(cursor, number, PLIES));
            *out_in_order &= number == count;
            seen[number]++;
        }
    }
    gamefile_cursor_destroy(cursor);
    gamefile_close(file);
    return count;
}

static void each_once(const uint8_t seen[GAMES])
{
    for (unsigned i = 0; i < GAMES; i++)
        ck_assert_msg(seen[i] == 1, "game %u: %u times", i, seen[i]);
}

START_TEST(merged_is_all_in_order)
{
    uint8_t seen[GAMES];
    bool is_in_order;
    struct gamefile_writer *writer;
    pile_open();
    ck_assert_int_eq(gamefile_create(to[0], &writer), GAMEFILE_FINE);
    ck_assert_int_eq(gamepile_merge(pile, writer, &place), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_finish(writer), GAMEFILE_FINE);
    ck_assert_uint_eq(games_of(to[0], seen, &is_in_order), GAMES);
    each_once(seen);
    ck_assert(is_in_order);
}
END_TEST

/* What `cat` makes of files is a file. */
START_TEST(joined_bytes_are_a_file)
{
    uint8_t seen[GAMES];
    bool is_in_order;
    FILE *joined = fopen(to[0], "wb");
    for (unsigned i = 0; i < FILES; i++) {
        size_t length;
        uint8_t *bytes = crop_bytes(paths[i], &length);
        ck_assert_uint_eq(fwrite(bytes, 1, length, joined), length);
        memory_free(bytes);
    }
    ck_assert_int_eq(fclose(joined), 0);
    ck_assert_uint_eq(games_of(to[0], seen, &is_in_order), GAMES);
    each_once(seen);
    ck_assert(is_in_order);
}
END_TEST

static void shuffle(const char *path, uint64_t seed)
{
    struct gamefile_writer *writer;
    ck_assert_int_eq(gamefile_create(path, &writer), GAMEFILE_FINE);
    ck_assert_int_eq(gamepile_shuffle(pile, seed, writer, &place), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_finish(writer), GAMEFILE_FINE);
}

START_TEST(shuffled_is_all_in_another_order)
{
    uint8_t seen[GAMES];
    bool is_in_order;
    pile_open();
    shuffle(to[0], 1);
    ck_assert_uint_eq(games_of(to[0], seen, &is_in_order), GAMES);
    each_once(seen);
    ck_assert(!is_in_order);
    for (uint64_t seed = 1; seed <= 2; seed++) {
        size_t lengths[2];
        unlink(to[1]);
        shuffle(to[1], seed);
        uint8_t *first = crop_bytes(to[0], &lengths[0]), *second = crop_bytes(to[1], &lengths[1]);
        const bool is_same = lengths[0] == lengths[1] && memcmp(first, second, lengths[0]) == 0;
        ck_assert_int_eq(is_same, seed == 1);
        memory_free(first);
        memory_free(second);
    }
}
END_TEST

START_TEST(divided_is_all_on_one_side_each)
{
    uint8_t seen[2][GAMES];
    bool is_in_order;
    struct gamefile_writer *writers[2];
    /* The first file twice: its games come twice, and always on the same side. */
    path_list[2] = paths[0];
    pile_open();
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(gamefile_create(to[i], &writers[i]), GAMEFILE_FINE);
    ck_assert_int_eq(gamepile_split(pile, 250, 7, writers, &place), GAMEFILE_FINE);
    unsigned counts[2];
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(gamefile_finish(writers[i]), GAMEFILE_FINE);
        counts[i] = games_of(to[i], seen[i], &is_in_order);
    }
    ck_assert_uint_eq(counts[0] + counts[1], GAMES);
    ck_assert_uint_gt(counts[0], GAMES / 6);
    ck_assert_uint_lt(counts[0], GAMES / 3);
    for (unsigned i = 0; i < GAMES; i++) {
        ck_assert(seen[0][i] == 0 || seen[1][i] == 0);
        ck_assert_uint_eq(seen[0][i] + seen[1][i], i < GAMES / 3 ? 2 : i < 2 * GAMES / 3);
    }
}
END_TEST

struct tellings {
    unsigned count;
    enum gamefile_fault faults[TELLINGS_MAX];
    struct gamepile_place places[TELLINGS_MAX];
};

static void on_fault(void *context, enum gamefile_fault fault, const struct gamepile_place *where)
{
    struct tellings *tellings = context;
    if (tellings->count < TELLINGS_MAX) {
        tellings->faults[tellings->count] = fault;
        tellings->places[tellings->count] = *where;
    }
    tellings->count++;
}

START_TEST(a_good_pile_is_counted)
{
    struct tellings tellings = {0};
    struct gamepile_census census;
    uint64_t points = 0, ends = 0;
    pile_open();
    ck_assert_int_eq(gamepile_verify(pile, on_fault, &tellings, &census), GAMEFILE_FINE);
    ck_assert_uint_eq(tellings.count + census.faults, 0);
    ck_assert_uint_eq(census.games, GAMES);
    ck_assert_uint_eq(census.chess960, GAMES / 3);
    for (unsigned i = 0; i < 3; i++)
        points += census.white_points[i];
    for (unsigned i = 0; i < GAMEFILE_END_COUNT; i++)
        ends += census.ends[i];
    ck_assert_uint_eq(points, GAMES);
    ck_assert_uint_eq(ends, GAMES);
    ck_assert_uint_gt(census.checks, 0);
    uint64_t positions = 0;
    for (unsigned i = 0; i < FILES; i++)
        positions += gamefile_summary(gamepile_file(pile, i))->positions;
    ck_assert_uint_eq(census.positions, positions);
}
END_TEST

/* Wherever a bit falls over: it is found, and its block is told. */
START_TEST(every_flipped_bit_is_found)
{
    size_t length;
    struct gamepile_census census;
    pile_open();
    const struct gamefile *file = gamepile_file(pile, 1);
    const uint64_t blocks = gamefile_summary(file)->blocks;
    uint64_t offsets[256];
    ck_assert_uint_lt(blocks, 256);
    for (size_t i = 0; i < blocks; i++)
        offsets[i] = gamefile_block(file, i)->offset;
    uint8_t *bytes = crop_bytes(paths[1], &length);
    size_t block = 0;
    for (size_t at = 4; at < length; at += 1 + at % 61) {
        struct tellings tellings = {0};
        while (block + 1 < blocks && offsets[block + 1] <= at)
            block++;
        bytes[at] ^= (uint8_t)(1u << at % 8);
        crop_put_bytes(paths[1], bytes, length);
        bytes[at] ^= (uint8_t)(1u << at % 8);
        pile_open();
        ck_assert_int_eq(gamepile_verify(pile, on_fault, &tellings, &census), GAMEFILE_FINE);
        ck_assert_msg(tellings.count == 1, "byte %zu: %u", at, tellings.count);
        ck_assert_uint_eq(census.faults, 1);
        ck_assert_uint_eq(tellings.places[0].file, 1);
        ck_assert_uint_eq(tellings.places[0].block, block);
        ck_assert_uint_eq(tellings.places[0].offset, offsets[block]);
        ck_assert_int_eq(tellings.faults[0],
                         at - offsets[block] < BLOCK_HEADER_BYTES &&
                                 (at - offsets[block] < 24 || at - offsets[block] >= 32)
                             ? GAMEFILE_HEADER
                             : tellings.faults[0]);
    }
    memory_free(bytes);
}
END_TEST

/* Nothing is left out silently. */
START_TEST(a_broken_pile_is_not_moved)
{
    static const size_t PLACES[] = {60, 1009}; /* A game's byte; one in some header or game. */
    for (unsigned i = 0; i < 3; i++) {
        size_t length;
        struct gamefile_writer *writer, *writers[2];
        uint8_t *bytes = crop_bytes(paths[2], &length);
        /* The last block's header, too. */
        const size_t at = i < 2 ? PLACES[i] : (size_t)place.offset;
        bytes[at] ^= 1;
        crop_put_bytes(paths[2], bytes, length);
        bytes[at] ^= 1;
        pile_open();
        ck_assert_int_eq(gamefile_create(to[0], &writer), GAMEFILE_FINE);
        ck_assert_int_ne(gamepile_merge(pile, writer, &place), GAMEFILE_FINE);
        ck_assert_uint_eq(place.file, 2);
        gamefile_abandon(writer);
        ck_assert_int_eq(gamefile_create(to[0], &writer), GAMEFILE_FINE);
        ck_assert_int_ne(gamepile_shuffle(pile, 1, writer, &place), GAMEFILE_FINE);
        ck_assert_uint_eq(place.file, 2);
        gamefile_abandon(writer);
        for (unsigned k = 0; k < 2; k++)
            ck_assert_int_eq(gamefile_create(to[k], &writers[k]), GAMEFILE_FINE);
        ck_assert_int_ne(gamepile_split(pile, 500, 1, writers, &place), GAMEFILE_FINE);
        ck_assert_uint_eq(place.file, 2);
        gamefile_abandon(writers[0]);
        gamefile_abandon(writers[1]);
        crop_put_bytes(paths[2], bytes, length);
        pile_open();
        const struct gamefile *file = gamepile_file(pile, 2);
        place.offset = gamefile_block(file, gamefile_summary(file)->blocks - 1)->offset + 20;
        memory_free(bytes);
    }
}
END_TEST

START_TEST(who_cannot_be_opened_is_told)
{
    path_list[1] = "/no/such/file";
    ck_assert_int_eq(gamepile_open(path_list, FILES, &pile, &place), GAMEFILE_SYSTEM);
    ck_assert_uint_eq(place.file, 1);
    pile = NULL;
}
END_TEST

Suite *suite_gamepile(void)
{
    Suite *suite = suite_create("gamepile");
    TCase *tcase = tcase_create("gamepile");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, merged_is_all_in_order);
    tcase_add_test(tcase, joined_bytes_are_a_file);
    tcase_add_test(tcase, shuffled_is_all_in_another_order);
    tcase_add_test(tcase, divided_is_all_on_one_side_each);
    tcase_add_test(tcase, a_good_pile_is_counted);
    tcase_add_test(tcase, every_flipped_bit_is_found);
    tcase_add_test(tcase, a_broken_pile_is_not_moved);
    tcase_add_test(tcase, who_cannot_be_opened_is_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
