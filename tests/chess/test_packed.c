/* Positions as bytes: what goes in comes out, and bytes that mean nothing are refused. */
#include "chess/packed.h"

#include <string.h>

#include "base/random.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/suites.h"
#include "chess/wander.h"

static void setup(void) { chess_init(); }

static void comes_back(const struct position *position)
{
    uint8_t bytes[PACKED_BYTES];
    char before[RK_FEN_BYTES_MAX], after[RK_FEN_BYTES_MAX];
    struct position read;
    packed_write(position, bytes);
    ck_assert_int_eq(packed_read(bytes, &read), RK_OK);
    fen_print(position, true, before);
    fen_print(&read, true, after);
    ck_assert_str_eq(after, before);
    ck_assert_uint_eq(read.key, position->key);
    ck_assert_uint_eq(read.pawn_key, position->pawn_key);
    ck_assert_uint_eq(read.checkers, position->checkers);
    ck_assert_uint_eq(read.pinned, position->pinned);
    ck_assert_mem_eq(read.castle_rook, position->castle_rook, sizeof read.castle_rook);
    ck_assert_mem_eq(read.board, position->board, sizeof read.board);
    ck_assert_mem_eq(read.kinds, position->kinds, sizeof read.kinds);
    ck_assert_mem_eq(read.colors, position->colors, sizeof read.colors);
}

START_TEST(all_positions_come_back) { wander(5, 60, comes_back); }
END_TEST

START_TEST(odd_ones_come_back)
{
    static const char *const FENS[] = {
        "4k3/8/8/8/8/8/8/4K1RR w G - 255 65535", /* The inner rook. */
        "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1",       "1r1k2r1/8/8/8/8/8/8/1R1K2R1 b KQkq - 99 90",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",     "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    };
    for (size_t i = 0; i < sizeof FENS / sizeof *FENS; i++) {
        const struct position position = wander_parse(FENS[i]);
        comes_back(&position);
    }
}
END_TEST

/* Files in the world hold these bytes. */
START_TEST(the_bytes_stay_what_they_are)
{
    static const uint8_t BYTES[PACKED_BYTES] = {
        0xff, 0xff, 0,    0,    0,    0,    0xff, 0xff, /* Occupied. */
        0x1c, 0x42, 0x25, 0xc1, 0,    0,    0,    0,    /* Rnbqkbnr, pawns of White. */
        0x66, 0x66, 0x66, 0x66, 0x7d, 0xa8, 0x8b, 0xd7, 64, 0, 1, 0};
    uint8_t bytes[PACKED_BYTES];
    struct position position;
    position_set_start(&position);
    packed_write(&position, bytes);
    ck_assert_mem_eq(bytes, BYTES, sizeof bytes);
    const struct position other = wander_parse("4k3/8/8/8/3pP3/8/8/4K3 b - e3 7 258");
    packed_write(&other, bytes);
    ck_assert_uint_eq(bytes[24], 128 + 20);
    ck_assert_uint_eq(bytes[25], 7);
    ck_assert_uint_eq(bytes[26], 2);
    ck_assert_uint_eq(bytes[27], 1);
}
END_TEST

static enum rk_status read_with(const char *fen, unsigned at, uint8_t value)
{
    uint8_t bytes[PACKED_BYTES];
    struct position untouched, read;
    const struct position position = wander_parse(fen);
    packed_write(&position, bytes);
    bytes[at] = value;
    memset(&read, 0x5a, sizeof read);
    memset(&untouched, 0x5a, sizeof untouched);
    const enum rk_status status = packed_read(bytes, &read);
    if (status != RK_OK)
        ck_assert_mem_eq(&read, &untouched, sizeof read);
    return status;
}

START_TEST(what_means_nothing_is_refused)
{
    /* Kings on e1 (bit 4) and e8: bytes 8 holds both. */
    const char *fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    ck_assert_int_eq(read_with(fen, 8, 0xb5), RK_OK);
    ck_assert_int_eq(read_with(fen, 8, 0xe5), RK_FEN_BOARD);
    ck_assert_int_eq(read_with(fen, 8, 0x55), RK_FEN_KINGS);
    ck_assert_int_eq(read_with(fen, 8, 0xc5), RK_FEN_KINGS);
    /* More men, of code 0: pawns on the first rank. */
    ck_assert_int_eq(read_with(fen, 0, 0xff), RK_FEN_PAWN_RANK);
    /* An en passant square where no pawn has passed is dropped. */
    ck_assert_int_eq(read_with(fen, 24, 44), RK_OK);
    ck_assert_int_eq(read_with(fen, 24, 127), RK_OK);
    /* A rook that may castle with a king who has left. */
    ck_assert_int_eq(read_with("4k3/8/8/8/8/4K3/8/R7 w - - 0 1", 8, 0x5c), RK_FEN_CASTLING);
    ck_assert_int_eq(read_with("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 8, 0x5c), RK_OK);
    /* A rook of Black on the first rank. */
    ck_assert_int_eq(read_with("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", 8, 0x5d), RK_FEN_CASTLING);
}
END_TEST

/* Whatever is let through is a position like any other. */
START_TEST(any_bytes_are_survived)
{
    uint64_t random = 7;
    unsigned good = 0;
    for (unsigned i = 0; i < 200000; i++) {
        uint8_t bytes[PACKED_BYTES];
        struct position position;
        position_set_start(&position);
        packed_write(&position, bytes);
        for (uint64_t changes = 1 + random_below(&random, 3); changes > 0; changes--)
            bytes[random_below(&random, PACKED_BYTES)] ^= (uint8_t)(1u << random_below(&random, 8));
        if (packed_read(bytes, &position) != RK_OK)
            continue;
        good++;
        comes_back(&position);
    }
    ck_assert_uint_gt(good, 1000);
}
END_TEST

Suite *suite_packed(void)
{
    Suite *suite = suite_create("packed");
    TCase *tcase = tcase_create("packed");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, all_positions_come_back);
    tcase_add_test(tcase, odd_ones_come_back);
    tcase_add_test(tcase, the_bytes_stay_what_they_are);
    tcase_add_test(tcase, what_means_nothing_is_refused);
    tcase_add_test(tcase, any_bytes_are_survived);
    suite_add_tcase(suite, tcase);
    return suite;
}
