/* Moves as games are written down. */
#include "lab/san.h"

#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "engine/walks.h"
#include "lab/suites.h"

enum { WALKS = 60, WALK_PLIES = 60 };

static struct position position;

static void setup(void) { chess_init(); }

static void set(const char *fen)
{
    ck_assert_int_eq(fen_parse(fen, strlen(fen), &position), RK_OK);
}

static void writes(move_t move, const char *wanted)
{
    char text[SAN_BYTES_MAX];
    ck_assert_uint_eq(san_print(&position, move, text), strlen(wanted));
    ck_assert_str_eq(text, wanted);
}

static move_t move_of(const char *word) { return san_parse(&position, slice_of(word)); }

START_TEST(origins_are_told_as_far_as_needed)
{
    set("4k3/8/8/8/8/R7/8/R3K2R w K - 0 1");
    writes(move_make(0, 8, MOVE_QUIET), "R1a2");
    writes(move_make(16, 8, MOVE_QUIET), "R3a2");
    writes(move_make(0, 3, MOVE_QUIET), "Rd1");
    writes(move_make(4, 7, MOVE_CASTLE), "O-O");
    set("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1");
    writes(move_make(31, 4, MOVE_QUIET), "Qh4e1");
    writes(move_make(28, 4, MOVE_QUIET), "Qee1");
    writes(move_make(7, 4, MOVE_QUIET), "Q1e1");
}
END_TEST

START_TEST(a_pinned_man_is_no_second_reading)
{
    set("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1");
    writes(move_make(6, 12, MOVE_QUIET), "Ne2");
    ck_assert_uint_eq(move_of("Ne2"), move_make(6, 12, MOVE_QUIET));
}
END_TEST

START_TEST(captures_promotions_checks_and_mates)
{
    set("1n5k/P5pp/8/8/8/8/8/K3R3 w - - 0 1");
    writes(move_make(48, 57, MOVE_PROMOTE_CAPTURE + 3), "axb8=Q#");
    writes(move_make(48, 56, MOVE_PROMOTE), "a8=N");
    writes(move_make(4, 60, MOVE_QUIET), "Re8#");
    ck_assert_uint_eq(move_of("axb8=Q+"), move_make(48, 57, MOVE_PROMOTE_CAPTURE + 3));
    ck_assert_uint_eq(move_of("ab8Q"), move_make(48, 57, MOVE_PROMOTE_CAPTURE + 3));
    ck_assert_uint_eq(move_of("Re8"), move_make(4, 60, MOVE_QUIET));
    ck_assert_uint_eq(move_of("Re1-e8!?"), move_make(4, 60, MOVE_QUIET));
    ck_assert_uint_eq(move_of("e1e8"), move_make(4, 60, MOVE_QUIET));
    set("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    writes(move_make(36, 43, MOVE_EN_PASSANT), "exd6");
}
END_TEST

START_TEST(castling_in_all_its_spellings)
{
    set("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    const move_t near = move_make(4, 7, MOVE_CASTLE), far = move_make(4, 0, MOVE_CASTLE);
    writes(far, "O-O-O");
    ck_assert_uint_eq(move_of("O-O"), near);
    ck_assert_uint_eq(move_of("0-0"), near);
    ck_assert_uint_eq(move_of("O-O-O+"), far);
    ck_assert_uint_eq(move_of("0-0-0"), far);
    ck_assert_uint_eq(move_of("e1g1"), near);
    set("4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1");
    writes(move_make(2, 6, MOVE_CASTLE), "O-O");
    ck_assert_uint_eq(move_of("O-O-O"), move_make(2, 1, MOVE_CASTLE));
}
END_TEST

START_TEST(what_names_no_move_is_refused)
{
    static const char *const words[] = {"",     "e",    "e5",   "Nf6", "Ke2",   "O-O", "N",
                                        "Nd2",  "e4=Q", "exd5", "i4",  "e9",    "=Q",  "+",
                                        "....", "Ngh",  "a1a1", "x",   "e4e5e6"};
    set("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(move_of(words[i]) == MOVE_NONE, "'%s'", words[i]);
    set("4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1");
    ck_assert_uint_eq(move_of("Ne2"), MOVE_NONE); /* Which? */
    ck_assert_uint_eq(move_of("Nge2"), move_make(22, 12, MOVE_QUIET));
}
END_TEST

START_TEST(what_is_written_is_read_again)
{
    uint64_t seed = 11;
    for (unsigned walk = 0; walk < WALKS; walk++) {
        walk_begin(&position, walk);
        for (unsigned ply = 0; ply < WALK_PLIES; ply++) {
            move_t moves[MOVES_MAX];
            const move_t *end = movegen_all(&position, moves);
            for (const move_t *move = moves; move != end; move++) {
                char text[SAN_BYTES_MAX];
                const size_t length = san_print(&position, *move, text);
                ck_assert_uint_lt(length, SAN_BYTES_MAX);
                ck_assert_msg(move_of(text) == *move, "'%s'", text);
            }
            if (!walk_step(&position, &seed))
                break;
        }
    }
}
END_TEST

Suite *suite_san(void)
{
    Suite *suite = suite_create("san");
    TCase *tcase = tcase_create("san");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, origins_are_told_as_far_as_needed);
    tcase_add_test(tcase, a_pinned_man_is_no_second_reading);
    tcase_add_test(tcase, captures_promotions_checks_and_mates);
    tcase_add_test(tcase, castling_in_all_its_spellings);
    tcase_add_test(tcase, what_names_no_move_is_refused);
    tcase_add_test(tcase, what_is_written_is_read_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
