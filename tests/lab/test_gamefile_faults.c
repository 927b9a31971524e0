/* Files of games that are not as they were written: what is whole is read, the rest is noticed, and
 * no writer destroys anything. */
#include "lab/gamefile.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/barn.h"
#include "lab/gameblock.h"
#include "lab/suites.h"

enum { PLIES = 120, SHORT_PLIES = 6, SMALL_BLOCK = 500 };

static struct barn barn;

static void setup(void) { barn_setup(&barn); }
static void teardown(void) { barn_teardown(&barn); }

static enum gamefile_fault open_fails(void)
{
    struct gamefile *none = NULL;
    const enum gamefile_fault fault = gamefile_open(barn.path, &none);
    ck_assert_ptr_null(none);
    return fault;
}

static enum gamefile_fault append_fails(void)
{
    size_t before_length, after_length;
    uint8_t *before = crop_bytes(barn.path, &before_length);
    struct gamefile_writer *none = NULL;
    const enum gamefile_fault fault =
        gamefile_append(barn.path, SMALL_BLOCK, &none, &barn.cut_bytes);
    ck_assert_ptr_null(none);
    uint8_t *after = crop_bytes(barn.path, &after_length);
    ck_assert_uint_eq(after_length, before_length);
    ck_assert_mem_eq(after, before, before_length);
    memory_free(before);
    memory_free(after);
    return fault;
}

/* Wherever the last block was torn: what is before it is read, a writer cuts it and goes on. */
START_TEST(a_torn_end_is_cut)
{
    size_t first_length, whole_length;
    crop_write(barn.path, 0, 3, SHORT_PLIES, GAMEFILE_BLOCK_BYTES);
    memory_free(crop_bytes(barn.path, &first_length));
    crop_write(barn.path, 3, 5, SHORT_PLIES, GAMEFILE_BLOCK_BYTES);
    uint8_t *bytes = crop_bytes(barn.path, &whole_length);
    for (size_t end = 0; end <= whole_length; end++) {
        const uint64_t kept = end < first_length ? 0 : end < whole_length ? 3 : 5;
        const size_t kept_length = kept == 0 ? 0 : kept == 3 ? first_length : whole_length;
        crop_put_bytes(barn.path, bytes, end);
        ck_assert_uint_eq(barn_reopen(&barn)->games, kept);
        ck_assert_uint_eq(gamefile_summary(barn.file)->tail_bytes, end - kept_length);
        ck_assert(!gamefile_summary(barn.file)->is_tail_broken);
        ck_assert_uint_eq(barn_read_all(&barn, SHORT_PLIES), kept);
        ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                         GAMEFILE_FINE);
        ck_assert_uint_eq(barn.cut_bytes, end - kept_length);
        ck_assert_uint_eq(gamefile_written(barn.writer)->games, kept);
        for (uint64_t number = kept; number < 7; number++)
            crop_add(barn.writer, number, SHORT_PLIES);
        ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_FINE);
        barn.writer = NULL;
        barn_reopen(&barn);
        ck_assert_uint_eq(barn_read_all(&barn, SHORT_PLIES), 7);
    }
    memory_free(bytes);
}
END_TEST

/* A page that never reached the disk reads as zeroes. */
START_TEST(a_lost_page_is_cut)
{
    size_t first_length, whole_length;
    crop_write(barn.path, 0, 3, PLIES, GAMEFILE_BLOCK_BYTES);
    memory_free(crop_bytes(barn.path, &first_length));
    crop_write(barn.path, 3, 6, PLIES, GAMEFILE_BLOCK_BYTES);
    uint8_t *bytes = crop_bytes(barn.path, &whole_length);
    for (unsigned i = 0; i < 2; i++) {
        const size_t from = i == 0 ? whole_length - 100 : first_length;
        memset(bytes + from, 0, whole_length - from);
        crop_put_bytes(barn.path, bytes, whole_length);
        ck_assert_int_eq(gamefile_append(barn.path, SMALL_BLOCK, &barn.writer, &barn.cut_bytes),
                         GAMEFILE_FINE);
        ck_assert_uint_eq(barn.cut_bytes, whole_length - first_length);
        ck_assert_uint_eq(gamefile_written(barn.writer)->games, 3);
        crop_add(barn.writer, 3, PLIES);
        ck_assert_int_eq(gamefile_finish(barn.writer), GAMEFILE_FINE);
        barn.writer = NULL;
        barn_reopen(&barn);
        ck_assert_uint_eq(barn_read_all(&barn, PLIES), 4);
    }
    memory_free(bytes);
}
END_TEST

/* A broken block in the middle costs its own games, and no writer cuts off what follows. */
START_TEST(a_gap_is_passed_over_and_told)
{
    size_t length;
    crop_write(barn.path, 0, 30, PLIES, SMALL_BLOCK);
    uint8_t *bytes = crop_bytes(barn.path, &length);
    const struct gamefile_summary whole = *barn_reopen(&barn);
    const struct gamefile_block second = *gamefile_block(barn.file, 1);
    bytes[second.offset + 9] ^= 4;
    crop_put_bytes(barn.path, bytes, length);
    const struct gamefile_summary *summary = barn_reopen(&barn);
    ck_assert_uint_eq(summary->gaps, 1);
    ck_assert_uint_eq(summary->first_gap, second.offset);
    ck_assert_uint_eq(summary->blocks, whole.blocks - 1);
    ck_assert_uint_eq(summary->games, whole.games - second.games);
    ck_assert_uint_eq(summary->positions, whole.positions - second.positions);
    ck_assert_int_eq(append_fails(), GAMEFILE_HEADER);
    memory_free(bytes);
}
END_TEST

START_TEST(a_changed_game_is_noticed)
{
    size_t length;
    crop_write(barn.path, 0, 30, PLIES, SMALL_BLOCK);
    uint8_t *bytes = crop_bytes(barn.path, &length);
    barn_reopen(&barn);
    const struct gamefile_block block = *gamefile_block(barn.file, 2);
    for (unsigned i = 0; i < block.bytes; i += 7) {
        bytes[block.offset + BLOCK_HEADER_BYTES + i] ^= (uint8_t)(1u << i % 8);
        crop_put_bytes(barn.path, bytes, length);
        barn_reopen(&barn);
        ck_assert_int_eq(gamefile_load(barn.file, 1, barn.cursor), GAMEFILE_FINE);
        ck_assert_int_eq(gamefile_load(barn.file, 2, barn.cursor), GAMEFILE_CHECKSUM);
        ck_assert(!gamefile_next_game(barn.cursor));
        ck_assert_int_eq(gamefile_cursor_fault(barn.cursor), GAMEFILE_CHECKSUM);
        bytes[block.offset + BLOCK_HEADER_BYTES + i] ^= (uint8_t)(1u << i % 8);
    }
    memory_free(bytes);
}
END_TEST

static void resign(uint8_t *bytes)
{
    const uint32_t length = bytes_get32(bytes + 8);
    bytes_put64(bytes + 24, block_checksum(bytes + BLOCK_HEADER_BYTES, length));
    bytes_put64(bytes + 32, block_checksum(bytes, 32));
}

START_TEST(other_files_are_refused)
{
    size_t length;
    crop_write(barn.path, 0, 3, PLIES, GAMEFILE_BLOCK_BYTES);
    uint8_t *bytes = crop_bytes(barn.path, &length);
    bytes_put16(bytes + 4, GAMEFILE_VERSION + 1);
    resign(bytes);
    crop_put_bytes(barn.path, bytes, length);
    ck_assert_int_eq(open_fails(), GAMEFILE_OTHER_VERSION);
    ck_assert_int_eq(append_fails(), GAMEFILE_OTHER_VERSION);
    crop_put_bytes(barn.path, (const uint8_t *)"BGkR and so on, for some forty bytes and more", 45);
    ck_assert_int_eq(open_fails(), GAMEFILE_BYTE_ORDER);
    ck_assert_int_eq(append_fails(), GAMEFILE_BYTE_ORDER);
    crop_put_bytes(barn.path, (const uint8_t *)"[Event \"a game of another kind\"]\n\n1. e4 e5 *",
                   45);
    ck_assert_int_eq(open_fails(), GAMEFILE_ALIEN);
    ck_assert_int_eq(append_fails(), GAMEFILE_ALIEN);
    crop_put_bytes(barn.path, (const uint8_t *)"x", 1);
    ck_assert_int_eq(append_fails(), GAMEFILE_ALIEN);
    /* Something behind good blocks that no writer of games leaves there. */
    unlink(barn.path);
    crop_write(barn.path, 0, 3, PLIES, GAMEFILE_BLOCK_BYTES);
    memory_free(bytes);
    bytes = crop_bytes(barn.path, &length);
    uint8_t *longer = memory_allocate(length + 50);
    memcpy(longer, bytes, length);
    memset(longer + length, 'x', 50);
    crop_put_bytes(barn.path, longer, length + 50);
    ck_assert(barn_reopen(&barn)->is_tail_broken);
    ck_assert_uint_eq(barn_read_all(&barn, PLIES), 3);
    ck_assert_int_eq(append_fails(), GAMEFILE_HEADER);
    memory_free(longer);
    memory_free(bytes);
    unlink(barn.path);
    ck_assert_int_eq(open_fails(), GAMEFILE_SYSTEM);
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* Well signed, and still no games. */
START_TEST(what_cannot_be_is_refused)
{
    static const struct {
        unsigned at;
        uint8_t value;
    } CHANGES[] = {
        {28, 3},                  /* Points of White. */
        {29, GAMEFILE_END_COUNT}, /* How it ended. */
        {31, 0xff},               /* Plies: far beyond. */
        {30, 0},                  /* Fewer than there are bytes. */
        {34, 2},                  /* A flag of the future. */
        {40, 0xff},               /* A move from h8 … */
        {41, 0xff},               /* … and of some kind to h8. */
        {8, 0xff},                /* Men of no kind. */
        {24, 0x80 | SQUARE_NONE}, /* The other side moves. */
    };
    size_t length;
    crop_write(barn.path, 1, 2, PLIES, GAMEFILE_BLOCK_BYTES);
    uint8_t *bytes = crop_bytes(barn.path, &length);
    ck_assert_uint_gt(bytes_get16(bytes + BLOCK_HEADER_BYTES + 30), 0);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        uint8_t *byte = bytes + BLOCK_HEADER_BYTES + CHANGES[i].at;
        const uint8_t before = *byte;
        *byte = CHANGES[i].value;
        resign(bytes);
        crop_put_bytes(barn.path, bytes, length);
        barn_reopen(&barn);
        ck_assert_int_eq(gamefile_load(barn.file, 0, barn.cursor), GAMEFILE_FINE);
        while (gamefile_next_game(barn.cursor))
            while (gamefile_next_ply(barn.cursor))
                ck_assert(position_is_legal(barn.cursor->position, barn.cursor->move));
        ck_assert_msg(gamefile_cursor_fault(barn.cursor) == GAMEFILE_CONTENT, "byte %u",
                      CHANGES[i].at);
        ck_assert(!gamefile_next_game(barn.cursor) && !gamefile_next_ply(barn.cursor));
        *byte = before;
    }
    memory_free(bytes);
}
END_TEST

Suite *suite_gamefile_faults(void)
{
    Suite *suite = suite_create("gamefile_faults");
    TCase *tcase = tcase_create("gamefile_faults");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_torn_end_is_cut);
    tcase_add_test(tcase, a_lost_page_is_cut);
    tcase_add_test(tcase, a_gap_is_passed_over_and_told);
    tcase_add_test(tcase, a_changed_game_is_noticed);
    tcase_add_test(tcase, other_files_are_refused);
    tcase_add_test(tcase, what_cannot_be_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
