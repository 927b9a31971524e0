#include "chess/notation.h"

#include <string.h>

#include "chess/chess.h"
#include "chess/movegen.h"
#include "chess/suites.h"
#include "chess/wander.h"

static void setup(void) { chess_init(); }

static move_t parse(const char *fen, const char *text)
{
    const struct position position = wander_parse(fen);
    return notation_parse(&position, text, strlen(text));
}

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char CASTLES[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
static const char PROMOTES[] = "1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1";

static void check_round_trip(const struct position *position)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        char text[RK_MOVE_BYTES_MAX];
        const size_t length = rk_move_text(*move, true, text);
        if (length != strlen(text) || notation_parse(position, text, length) != *move)
            ck_abort_msg("%s", text);
    }
}

START_TEST(every_legal_move_is_read_back) { wander(2, 20, check_round_trip); }
END_TEST

START_TEST(moves_have_their_kind)
{
    ck_assert_uint_eq(parse(START, "e2e4"), move_make(12, 28, MOVE_DOUBLE));
    ck_assert_uint_eq(parse(START, "g1f3"), move_make(6, 21, MOVE_QUIET));
    ck_assert_uint_eq(parse(PROMOTES, "a7a8q"), move_make(48, 56, MOVE_PROMOTE + 3));
    ck_assert_uint_eq(parse(PROMOTES, "a7b8n"), move_make(48, 57, MOVE_PROMOTE_CAPTURE));
    ck_assert_uint_eq(parse(PROMOTES, "a7a8R"), move_make(48, 56, MOVE_PROMOTE + 2));
    ck_assert_uint_eq(parse("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
                      move_make(36, 43, MOVE_EN_PASSANT));
}
END_TEST

START_TEST(castling_is_understood_in_both_spellings)
{
    const move_t h_side = move_make(4, 7, MOVE_CASTLE), a_side = move_make(4, 0, MOVE_CASTLE);
    ck_assert_uint_eq(parse(CASTLES, "e1g1"), h_side);
    ck_assert_uint_eq(parse(CASTLES, "e1h1"), h_side);
    ck_assert_uint_eq(parse(CASTLES, "e1c1"), a_side);
    ck_assert_uint_eq(parse(CASTLES, "e1a1"), a_side);
    ck_assert_uint_eq(parse(CASTLES, "e1b1"), MOVE_NONE);
    ck_assert_uint_eq(parse(CASTLES, "e1g1q"), MOVE_NONE);
}
END_TEST

START_TEST(castling_is_written_as_asked)
{
    char text[RK_MOVE_BYTES_MAX];
    static const struct {
        move_t move;
        const char *standard, *chess960;
    } rows[] = {
        {.move = (move_t)(4 | 7 << 6 | MOVE_CASTLE << 12), "e1g1", "e1h1"},
        {.move = (move_t)(4 | 0 << 6 | MOVE_CASTLE << 12), "e1c1", "e1a1"},
        {.move = (move_t)(60 | 63 << 6 | MOVE_CASTLE << 12), "e8g8", "e8h8"},
        {.move = (move_t)(60 | 56 << 6 | MOVE_CASTLE << 12), "e8c8", "e8a8"},
        {.move = (move_t)(1 | 0 << 6 | MOVE_CASTLE << 12), "b1a1", "b1a1"},
        /* Neither "g1g1" nor what could be a plain move of the king. */
        {.move = (move_t)(6 | 7 << 6 | MOVE_CASTLE << 12), "g1h1", "g1h1"},
        {.move = (move_t)(4 | 5 << 6 | MOVE_CASTLE << 12), "e1f1", "e1f1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_uint_eq(rk_move_text(rows[i].move, false, text), 4);
        ck_assert_str_eq(text, rows[i].standard);
        ck_assert_uint_eq(rk_move_text(rows[i].move, true, text), 4);
        ck_assert_str_eq(text, rows[i].chess960);
    }
}
END_TEST

START_TEST(a_plain_king_move_comes_before_castling)
{
    static const char F_KING[] = "4k3/8/8/8/8/8/8/5K1R w H - 0 1",
                      B_KING[] = "4k3/8/8/8/8/8/8/RK6 w A - 0 1";
    static const char OWN_ROOK_BESIDE[] = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
    static const char B_ROOK[] = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1",
                      ON_G[] = "4k3/8/8/8/8/8/8/6KR w H - 0 1";
    ck_assert_uint_eq(parse(F_KING, "f1g1"), move_make(5, 6, MOVE_QUIET));
    ck_assert_uint_eq(parse(F_KING, "f1h1"), move_make(5, 7, MOVE_CASTLE));
    ck_assert_uint_eq(parse(B_KING, "b1c1"), move_make(1, 2, MOVE_QUIET));
    ck_assert_uint_eq(parse(B_KING, "b1a1"), move_make(1, 0, MOVE_CASTLE));
    ck_assert_uint_eq(parse(OWN_ROOK_BESIDE, "f1g1"), move_make(5, 6, MOVE_CASTLE));
    ck_assert_uint_eq(parse(B_ROOK, "e1c1"), move_make(4, 1, MOVE_CASTLE));
    ck_assert_uint_eq(parse(B_ROOK, "e1b1"), move_make(4, 1, MOVE_CASTLE));
    ck_assert_uint_eq(parse(ON_G, "g1h1"), move_make(6, 7, MOVE_CASTLE));
    ck_assert_uint_eq(parse(ON_G, "g1g1"), MOVE_NONE);
}
END_TEST

START_TEST(what_is_no_move_is_none)
{
    static const char *const texts[] = {"",      "e",      "e2",    "e2e",   "e2e5",
                                        "e2e4q", "e2e4e4", "e7e5",  "i2i4",  "e0e1",
                                        "e9e8",  "E2E4",   "0000",  "a1a1",  "(none)",
                                        "O-O",   "e1e2",   "e2-e4", "e2e\0", "\xff\xff\xff\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        ck_assert_msg(parse(START, texts[i]) == MOVE_NONE, "\"%s\"", texts[i]);
    ck_assert_uint_eq(parse(PROMOTES, "a7a8"), MOVE_NONE);
    ck_assert_uint_eq(parse(PROMOTES, "a7a8k"), MOVE_NONE);
    ck_assert_uint_eq(parse(PROMOTES, "a7a8p"), MOVE_NONE);
}
END_TEST

Suite *suite_notation(void)
{
    Suite *suite = suite_create("notation");
    TCase *tcase = tcase_create("notation");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_unchecked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, every_legal_move_is_read_back);
    tcase_add_test(tcase, moves_have_their_kind);
    tcase_add_test(tcase, castling_is_understood_in_both_spellings);
    tcase_add_test(tcase, castling_is_written_as_asked);
    tcase_add_test(tcase, a_plain_king_move_comes_before_castling);
    tcase_add_test(tcase, what_is_no_move_is_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
