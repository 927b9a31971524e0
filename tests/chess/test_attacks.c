#include "chess/attacks.h"

#include "base/bits.h"
#include "base/random.h"
#include "chess/chess.h"
#include "chess/suites.h"

enum { BOARDS = 500 };

static bitboard_t walk(square_t square, int files, int ranks, bitboard_t occupied)
{
    bitboard_t set = 0;
    int file = square % 8 + files, rank = square / 8 + ranks;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += files, rank += ranks) {
        set |= (bitboard_t)1 << (rank * 8 + file);
        if ((occupied >> (rank * 8 + file) & 1) != 0)
            break;
    }
    return set;
}

static bitboard_t rook_slowly(square_t square, bitboard_t occupied)
{
    return walk(square, 0, 1, occupied) | walk(square, 0, -1, occupied) |
           walk(square, 1, 0, occupied) | walk(square, -1, 0, occupied);
}

static bitboard_t bishop_slowly(square_t square, bitboard_t occupied)
{
    return walk(square, 1, 1, occupied) | walk(square, 1, -1, occupied) |
           walk(square, -1, 1, occupied) | walk(square, -1, -1, occupied);
}

static void setup(void) { chess_init(); }

START_TEST(sliders_stop_at_the_first_man)
{
    uint64_t random = 1;
    for (unsigned board = 0; board < BOARDS; board++) {
        /* From nearly full to nearly empty. */
        bitboard_t occupied = random_next(&random);
        for (unsigned i = 0; i < board % 4; i++)
            occupied &= random_next(&random);
        for (square_t square = 0; square < SQUARE_COUNT; square++) {
            const bitboard_t rook = rook_slowly(square, occupied),
                             bishop = bishop_slowly(square, occupied);
            ck_assert_uint_eq(attacks_rook(square, occupied), rook);
            ck_assert_uint_eq(attacks_bishop(square, occupied), bishop);
            ck_assert_uint_eq(attacks_queen(square, occupied), rook | bishop);
            ck_assert_uint_eq(attacks_of(QUEEN, square, occupied), rook | bishop);
        }
    }
}
END_TEST

/* Every subset of the squares that matter, so that no entry of the tables is left unseen. */
START_TEST(every_subset_of_a_mask_is_right)
{
    for (square_t square = 0; square < SQUARE_COUNT; square++) {
        const bitboard_t masks[2] = {attacks_get()->rook[square].mask,
                                     attacks_get()->bishop[square].mask};
        for (unsigned i = 0; i < 2; i++) {
            bitboard_t subset = 0;
            do {
                if (i == 0)
                    ck_assert_uint_eq(attacks_rook(square, subset), rook_slowly(square, subset));
                else
                    ck_assert_uint_eq(attacks_bishop(square, subset),
                                      bishop_slowly(square, subset));
                subset = (subset - masks[i]) & masks[i];
            } while (subset != 0);
        }
    }
}
END_TEST

START_TEST(leapers_reach_what_their_distances_say)
{
    for (int a = 0; a < SQUARE_COUNT; a++)
        for (int b = 0; b < SQUARE_COUNT; b++) {
            const int files = b % 8 - a % 8, ranks = b / 8 - a / 8;
            const int squares = files * files + ranks * ranks;
            const bitboard_t bit = square_bit((square_t)b);
            ck_assert_int_eq((attacks_knight((square_t)a) & bit) != 0, squares == 5);
            ck_assert_int_eq((attacks_king((square_t)a) & bit) != 0, squares == 1 || squares == 2);
            ck_assert_int_eq((attacks_pawn(WHITE, (square_t)a) & bit) != 0,
                             squares == 2 && ranks == 1);
            ck_assert_int_eq((attacks_pawn(BLACK, (square_t)a) & bit) != 0,
                             squares == 2 && ranks == -1);
        }
}
END_TEST

START_TEST(pawns_of_a_set_attack_what_each_attacks)
{
    uint64_t random = 2;
    for (unsigned board = 0; board < BOARDS; board++) {
        const bitboard_t pawns = random_next(&random) & random_next(&random) & ~(RANK_1 | RANK_8);
        for (color_t color = WHITE; color < COLOR_COUNT; color++) {
            bitboard_t expected = 0;
            for (bitboard_t left = pawns; left != 0;)
                expected |= attacks_pawn(color, bits_pop(&left));
            ck_assert_uint_eq(attacks_pawns(color, pawns), expected);
        }
    }
}
END_TEST

START_TEST(lines_and_betweens)
{
    for (square_t a = 0; a < SQUARE_COUNT; a++)
        for (square_t b = 0; b < SQUARE_COUNT; b++) {
            const bitboard_t ends = square_bit(a) | square_bit(b);
            bitboard_t line = 0, between = 0;
            if (a != b && (attacks_rook_rays(a) & square_bit(b)) != 0) {
                line = (rook_slowly(a, 0) & rook_slowly(b, 0)) | ends;
                between = rook_slowly(a, ends) & rook_slowly(b, ends) & line;
            } else if (a != b && (attacks_bishop_rays(a) & square_bit(b)) != 0) {
                line = (bishop_slowly(a, 0) & bishop_slowly(b, 0)) | ends;
                between = bishop_slowly(a, ends) & bishop_slowly(b, ends) & line;
            }
            ck_assert_uint_eq(attacks_line(a, b), line);
            ck_assert_uint_eq(attacks_between(a, b), between & ~ends);
        }
}
END_TEST

Suite *suite_attacks(void)
{
    Suite *suite = suite_create("attacks");
    TCase *tcase = tcase_create("attacks");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_unchecked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, sliders_stop_at_the_first_man);
    tcase_add_test(tcase, every_subset_of_a_mask_is_right);
    tcase_add_test(tcase, leapers_reach_what_their_distances_say);
    tcase_add_test(tcase, pawns_of_a_set_attack_what_each_attacks);
    tcase_add_test(tcase, lines_and_betweens);
    suite_add_tcase(suite, tcase);
    return suite;
}
