#include "engine/threats.h"

#include <string.h>

#include "chess/chess.h"
#include "chess/fen.h"
#include "engine/suites.h"
#include "engine/tune.h"

static struct position parse(const char *fen)
{
    struct position position;
    chess_init();
    ck_assert_int_eq(fen_parse(fen, strlen(fen), &position), RK_OK);
    return position;
}

static int score_of(const struct position *position, square_t from, square_t to)
{
    struct threats threats;
    threats_find(position, &threats);
    return threats_score(&threats, position, move_make(from, to, MOVE_QUIET));
}

START_TEST(a_man_wants_to_leave_the_attack_of_a_lesser_one)
{
    /* The pawn on c6 attacks the queen on d5 (35); b4 (25) is safe, e6 (44) is not: a bishop on c8.
     */
    const struct position position = parse("2b1k3/8/2p5/3Q4/8/8/8/4K3 w - - 0 1");
    ck_assert_int_eq(score_of(&position, 35, 27), TUNE_THREAT_QUEEN);
    ck_assert_int_eq(score_of(&position, 35, 37), 0);
}
END_TEST

START_TEST(and_not_to_go_into_one)
{
    const struct position position = parse("4k3/8/2p5/8/8/8/1R3N2/4K3 w - - 0 1");
    ck_assert_int_eq(score_of(&position, 9, 33), -TUNE_THREAT_ROOK); /* Rook to b5. */
    ck_assert_int_eq(score_of(&position, 13, 28), 0);                /* Knight to e4. */
}
END_TEST

START_TEST(an_equal_attacker_is_no_threat)
{
    const struct position position = parse("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    ck_assert_int_eq(score_of(&position, 0, 1), 0);
}
END_TEST

START_TEST(a_check_is_worth_something)
{
    const struct position position = parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    ck_assert_int_eq(score_of(&position, 0, 56), TUNE_CHECK_BONUS);
}
END_TEST

START_TEST(any_man_attacks)
{
    const struct position position = parse("q3k3/1p6/8/8/8/8/8/4K3 w - - 0 1");
    struct threats threats;
    threats_find(&position, &threats);
    const bitboard_t queen = UINT64_C(0x1e03010101010101);
    const bitboard_t pawn = (UINT64_C(1) << 40) | (UINT64_C(1) << 42);
    const bitboard_t king = (UINT64_C(0x38) << 48) | (UINT64_C(0x28) << 56);
    ck_assert_uint_eq(threats.attacked, queen | pawn | king);
}
END_TEST

Suite *suite_threats(void)
{
    Suite *suite = suite_create("threats");
    TCase *tcase = tcase_create("threats");
    tcase_add_test(tcase, a_man_wants_to_leave_the_attack_of_a_lesser_one);
    tcase_add_test(tcase, and_not_to_go_into_one);
    tcase_add_test(tcase, an_equal_attacker_is_no_threat);
    tcase_add_test(tcase, any_man_attacks);
    tcase_add_test(tcase, a_check_is_worth_something);
    suite_add_tcase(suite, tcase);
    return suite;
}
