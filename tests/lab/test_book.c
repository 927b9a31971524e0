/* Openings from files: lines and games, and what is not one. */
#include "lab/book.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "chess/notation.h"
#include "lab/suites.h"

static const char LINES[] =
    "# two good ones, three broken ones\n"
    "\n"
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - bm e5g6; id \"x\";\n"
    "8/8/8/8/8/8/8/8 w - - 0 1\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 14 moves e2e4 Nf6\r\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e5\n"
    "nonsense";

static const char GAMES[] =
    "[Event \"a\"]\n"
    "[Result \"1-0\"]\n"
    "\n"
    "1.e4 {a [comment] here} e5 2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) Nc6 $1\n"
    "3. Bb5 ; the rest of the line {\n"
    "a6 1-0\n"
    "\n"
    "[Event \"b\"]\n"
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n"
    "\n"
    "1. e4 Kd7 2. Kd2 *\n"
    "\n"
    "[Event \"c\"]\n"
    "\n"
    "1. e4 e4 *\n";

static struct book *book;
static struct book_faults faults;

static enum rk_status parse(const char *text, unsigned plies_max)
{
    return book_parse(slice_of(text), BOOK_OPENINGS, plies_max, &book, &faults);
}

static void teardown(void)
{
    book_destroy(book);
    book = NULL;
}

/* The opening's last position begins with such a FEN. */
static void leads_to(size_t index, const char *wanted)
{
    struct opening opening;
    struct rk_game game;
    char fen[RK_FEN_BYTES_MAX];
    book_opening(book, index, &opening);
    opening_end(&opening, &game);
    rk_game_fen(&game, false, fen);
    ck_assert_msg(strncmp(fen, wanted, strlen(wanted)) == 0, "%s", fen);
}

START_TEST(lines_are_positions_and_moves)
{
    ck_assert_int_eq(parse(LINES, 0), RK_OK);
    ck_assert_uint_eq(book_count(book), 2);
    leads_to(0, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    leads_to(1, "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 15");
    ck_assert_uint_eq(faults.count, 3);
    ck_assert_uint_eq(faults.first_line, 4);
    ck_assert_str_eq(faults.first_why, rk_status_text(RK_FEN_KINGS));
}
END_TEST

START_TEST(games_give_their_main_line)
{
    ck_assert_int_eq(parse(GAMES, OPENING_PLIES_MAX), RK_OK);
    ck_assert_uint_eq(book_count(book), 2);
    leads_to(0, "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w");
    leads_to(1, "8/3k4/8/8/4P3/8/3K4/8 b");
    ck_assert_uint_eq(faults.count, 1);
    ck_assert_uint_eq(faults.first_line, 13);
    ck_assert_str_eq(faults.first_why, rk_status_text(RK_BAD_MOVE));
}
END_TEST

START_TEST(games_are_followed_so_far)
{
    ck_assert_int_eq(parse(GAMES, 3), RK_OK);
    leads_to(0, "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b");
    teardown();
    ck_assert_int_eq(parse(GAMES, 1), RK_OK);
    ck_assert_uint_eq(book_count(book), 3); /* The broken move is not reached. */
}
END_TEST

START_TEST(a_byte_order_mark_is_passed_over)
{
    ck_assert_int_eq(parse("\xef\xbb\xbf"
                           "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nnonsense\n",
                           0),
                     RK_OK);
    leads_to(0, "4k3/8/8/8/8/8/4P3/4K3 w");
    ck_assert_uint_eq(faults.first_line, 2);
    teardown();
    ck_assert_int_eq(parse("\xef\xbb\xbf\n[Event \"a\"]\n\n1. e4 *\n", 1), RK_OK);
    leads_to(0, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
    teardown();
    ck_assert_int_eq(parse("\xef\xbb\xbf", 0), RK_BAD_ARGUMENT);
    ck_assert_int_eq(parse("\xef\xbb", 0), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(faults.count, 1);
}
END_TEST

/* Mate, stalemate, fifty moves, bare kings, the third time, mate by the line's own moves. */
static const char OVER[] =
    "4k3/8/8/8/8/8/4P3/4K3 w - - 99 80\n"
    "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1\n"
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n"
    "4k3/8/8/8/8/8/4P3/4K3 w - - 100 80\n"
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n"
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e1d1 e8d8 d1e1 d8e8 e1d1 e8d8 d1e1 d8e8\n"
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves f3 e5 g4 Qh4#\n";

START_TEST(a_game_that_is_over_is_no_opening)
{
    static const char MATED[] = "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    ck_assert_int_eq(parse(OVER, 0), RK_OK);
    ck_assert_uint_eq(book_count(book), 1);
    ck_assert_uint_eq(faults.count, 6);
    ck_assert_uint_eq(faults.first_line, 2);
    ck_assert_str_eq(faults.first_why, "the game is over there");
    teardown();
    ck_assert_int_eq(parse(MATED, 4), RK_BAD_ARGUMENT);
    ck_assert_int_eq(parse(MATED, 3), RK_OK); /* It is not followed so far. */
    teardown();
    ck_assert_int_eq(book_parse(slice_of(OVER), BOOK_POSITIONS, 0, &book, &faults), RK_OK);
    ck_assert_uint_eq(book_count(book), 7);
}
END_TEST

START_TEST(an_order_is_its_seeds)
{
    char text[8192] = "";
    for (unsigned i = 0; i < 60; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "4k3/8/8/8/8/8/4P3/4K3 w - - 0 %u\n", i + 1);
    unsigned seen[60] = {0}, moved = 0;
    ck_assert_int_eq(parse(text, 0), RK_OK);
    book_shuffle(book, 9);
    for (unsigned i = 0; i < 60; i++) {
        struct opening opening;
        book_opening(book, i, &opening);
        seen[opening.start.position.move_number - 1]++;
        moved += opening.start.position.move_number != i + 1;
    }
    for (unsigned i = 0; i < 60; i++)
        ck_assert_uint_eq(seen[i], 1);
    ck_assert_uint_gt(moved, 40);
}
END_TEST

START_TEST(what_is_no_book_is_refused)
{
    ck_assert_int_eq(parse("", 0), RK_BAD_ARGUMENT);
    ck_assert_int_eq(parse("\n# nothing\n", 0), RK_BAD_ARGUMENT);
    ck_assert_int_eq(parse("[", 0), RK_OK); /* A game without tags and moves. */
    teardown();
    ck_assert_int_eq(parse("nonsense", 0), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(faults.count, 1);
    errno = 0;
    ck_assert_int_eq(book_read(TESTS_DATA "/no such file", BOOK_OPENINGS, 0, &book, &faults),
                     RK_SYSTEM);
    ck_assert_int_eq(errno, ENOENT);
    ck_assert_ptr_null(book);
}
END_TEST

START_TEST(unended_games_end_with_the_file)
{
    static const char *const texts[] = {
        "[Event \"a\"]\n\n1. e4 {",         "[Event \"a\"]\n\n1. e4 (",
        "[Event \"a\"]\n\n1. e4 ((a) (b {", "[FEN \"",
        "[Event \"a\"]\n\n1. e4 ;",         "[E\n1. e4 e5 )"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const enum rk_status status = parse(texts[i], 8);
        ck_assert_msg(status == RK_OK || status == RK_BAD_ARGUMENT, "'%s'", texts[i]);
        teardown();
    }
}
END_TEST

START_TEST(files_are_read)
{
    ck_assert_int_eq(book_read(TESTS_DATA "/mates.epd", BOOK_OPENINGS, 0, &book, &faults), RK_OK);
    ck_assert_uint_gt(book_count(book), 10);
    ck_assert_uint_eq(faults.count, 0);
}
END_TEST

Suite *suite_book(void)
{
    Suite *suite = suite_create("book");
    TCase *tcase = tcase_create("book");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, lines_are_positions_and_moves);
    tcase_add_test(tcase, games_give_their_main_line);
    tcase_add_test(tcase, games_are_followed_so_far);
    tcase_add_test(tcase, a_byte_order_mark_is_passed_over);
    tcase_add_test(tcase, a_game_that_is_over_is_no_opening);
    tcase_add_test(tcase, an_order_is_its_seeds);
    tcase_add_test(tcase, what_is_no_book_is_refused);
    tcase_add_test(tcase, unended_games_end_with_the_file);
    tcase_add_test(tcase, files_are_read);
    suite_add_tcase(suite, tcase);
    return suite;
}
