#include "chess/fen.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "chess/chess.h"
#include "chess/movegen.h"
#include "chess/perft_file.h"
#include "chess/suites.h"
#include "chess/wander.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static void setup(void) { chess_init(); }

/* Every reason by its name in the file. */
static enum rk_status reason_of(const char *name)
{
    static const struct {
        const char *name;
        enum rk_status status;
    } rows[] = {
        {"RK_FEN_EMPTY", RK_FEN_EMPTY},
        {"RK_FEN_BOARD", RK_FEN_BOARD},
        {"RK_FEN_RANKS", RK_FEN_RANKS},
        {"RK_FEN_KINGS", RK_FEN_KINGS},
        {"RK_FEN_TOO_MANY_PIECES", RK_FEN_TOO_MANY_PIECES},
        {"RK_FEN_PAWN_RANK", RK_FEN_PAWN_RANK},
        {"RK_FEN_SIDE", RK_FEN_SIDE},
        {"RK_FEN_CASTLING", RK_FEN_CASTLING},
        {"RK_FEN_EN_PASSANT", RK_FEN_EN_PASSANT},
        {"RK_FEN_CLOCK", RK_FEN_CLOCK},
        {"RK_FEN_TRAILING", RK_FEN_TRAILING},
        {"RK_FEN_OPPONENT_IN_CHECK", RK_FEN_OPPONENT_IN_CHECK},
        {"RK_FEN_TOO_MANY_CHECKERS", RK_FEN_TOO_MANY_CHECKERS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].status;
    ck_abort_msg("no reason is called %s", name);
    return RK_OK;
}

START_TEST(each_broken_position_has_its_reason)
{
    char text[512];
    unsigned seen[RK_STATUS_COUNT] = {0};
    FILE *file = fopen(TESTS_DATA "/bad_fens.txt", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(text, sizeof text, file) != NULL) {
        if (text[0] == '#')
            continue;
        text[strcspn(text, "\n")] = '\0';
        const size_t name_length = strcspn(text, " ");
        const char *fen = text + name_length + (text[name_length] == ' ');
        text[name_length] = '\0';
        struct position untouched, position;
        memset(&position, 0x5a, sizeof position);
        memset(&untouched, 0x5a, sizeof untouched);
        const enum rk_status expected = reason_of(text),
                             status = fen_parse(fen, strlen(fen), &position);
        ck_assert_msg(status == expected, "\"%s\": %s, not %s", fen, rk_status_text(status), text);
        ck_assert_mem_eq(&position, &untouched, sizeof position);
        seen[status]++;
    }
    fclose(file);
    for (unsigned status = RK_FEN_EMPTY; status < RK_STATUS_COUNT; status++)
        ck_assert_msg(seen[status] > 0, "%s is not tried", rk_status_text(status));
}
END_TEST

/* in, out, out with Shredder letters */
static const char *const ROWS[][3] = {
    {START_FEN, START_FEN, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"},
    /* Missing fields. */
    {"4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
     "4k3/8/8/8/8/8/8/4K2R w H - 0 1"},
    {"4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K3 w - - 7", "4k3/8/8/8/8/8/8/4K3 w - - 7 1", NULL},
    /* Blanks. */
    {" \t 4k3/8/8/8/8/8/8/4K3\t b  -   - 3  4 \r\n", "4k3/8/8/8/8/8/8/4K3 b - - 3 4", NULL},
    /* Neighbouring digits. */
    {"4k3/44/8/8/8/8/8/4K111 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL},
    /* Counters at and beyond their ends. */
    {"4k3/8/8/8/8/8/8/4K3 w - - 124 90", "4k3/8/8/8/8/8/8/4K3 w - - 124 90", NULL},
    {"4k3/8/8/8/8/8/8/4K3 w - - 9999 65535", "4k3/8/8/8/8/8/8/4K3 w - - 255 65535", NULL},
    {"4k3/8/8/8/8/8/8/4K3 w - - 00 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", NULL},
    /* Rights that nothing stands for. */
    {"2k5/8/3K4/1p6/p7/P7/1B6/8 b KQkq - 0 1", "2k5/8/3K4/1p6/p7/P7/1B6/8 b - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
     "4k3/8/8/8/8/8/8/4K2R w H - 0 1"},
    {"r6r/4k3/8/8/8/8/4K3/R6R w KQkq - 0 1", "r6r/4k3/8/8/8/8/4K3/R6R w - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K2r w K - 0 1", "4k3/8/8/8/8/8/8/4K2r w - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K2R w ABCDFG - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", NULL},
    {"4k3/8/8/8/8/8/8/4K2R w KKKH - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", NULL},
    /* X-FEN: the outermost rook, or a file where it is another. */
    {"4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1",
     "4k3/8/8/8/8/8/8/4K1RR w H - 0 1"},
    {"4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
     "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"},
    {"rr2k3/8/8/8/8/8/8/4K3 b b - 0 1", "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1",
     "rr2k3/8/8/8/8/8/8/4K3 b b - 0 1"},
    {"1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1",
     "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1"},
    {"1r1k2r1/8/8/8/8/8/8/1R1K2R1 w BGgb - 0 1", "1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1", NULL},
    /* En passant: kept only when a pawn can take. */
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", NULL},
    {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", NULL},
    {"4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1", NULL},
    {"4k3/8/3p4/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/3p4/3pP3/8/8/8/4K3 w - - 0 1", NULL},
    {"4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1", NULL},
    {"8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1", NULL},
};

START_TEST(what_is_read_is_written)
{
    const char *const *row = ROWS[_i];
    char text[RK_FEN_BYTES_MAX];
    struct position position;
    ck_assert_int_eq(fen_parse(row[0], strlen(row[0]), &position), RK_OK);
    ck_assert_uint_eq(fen_print(&position, false, text), strlen(row[1]));
    ck_assert_str_eq(text, row[1]);
    fen_print(&position, true, text);
    if (row[2] != NULL)
        ck_assert_str_eq(text, row[2]);
}
END_TEST

START_TEST(the_suites_come_back_as_they_were)
{
    struct perft_file file = perft_file_read("chess960");
    for (size_t i = 0; i < file.count; i++) {
        char text[RK_FEN_BYTES_MAX + 1];
        const struct position position = wander_parse(file.lines[i].text);
        const size_t length = fen_print(&position, true, text);
        text[length] = ' '; /* As in the file. */
        text[length + 1] = '\0';
        ck_assert_str_eq(text, file.lines[i].text);
    }
    perft_file_free(&file);
}
END_TEST

START_TEST(the_longest_fits)
{
    static const char LONGEST[] = "r1b1k1r1/1p1p1p1p/p1p1p1p1/1n1q1n1b/P1P1P1P1/1N1Q1N1B/1P1P1P1P/"
                                  "R1B1K1R1 w KQkq - 255 65535";
    char text[RK_FEN_BYTES_MAX];
    const struct position position = wander_parse(LONGEST);
    fen_print(&position, false, text);
    ck_assert_str_eq(text, LONGEST);
}
END_TEST

/* Whatever gets through is a position that can be written, read again and played on. */
static void check_stranger(const char *text, size_t length)
{
    struct position position, again;
    char printed[RK_FEN_BYTES_MAX];
    if (fen_parse(text, length, &position) != RK_OK)
        return;
    const size_t printed_length = fen_print(&position, false, printed);
    ck_assert_int_eq(fen_parse(printed, printed_length, &again), RK_OK);
    ck_assert_uint_eq(position.key, again.key);
    ck_assert_uint_le(movegen_count(&position), MOVES_MAX);
}

START_TEST(prefixes_and_single_changes)
{
    static const char FEN[] =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq e3 12 34";
    char text[sizeof FEN];
    for (size_t length = 0; length < sizeof FEN; length++)
        check_stranger(FEN, length);
    for (size_t i = 0; i < sizeof FEN - 1; i++)
        for (unsigned byte = 0; byte < 256; byte++) {
            memcpy(text, FEN, sizeof FEN);
            text[i] = (char)byte;
            check_stranger(text, sizeof FEN - 1);
        }
}
END_TEST

START_TEST(random_changes)
{
    enum { ROUNDS = 30000, CHANGES_MAX = 6 };
    static const char ALPHABET[] = "PNBRQKpnbrqk12345678/ wbKQkqAHah-36e09\t";
    uint64_t random = 5;
    for (unsigned round = 0; round < ROUNDS; round++) {
        char text[] = START_FEN;
        const uint64_t changes = 1 + random_below(&random, CHANGES_MAX);
        for (uint64_t i = 0; i < changes; i++)
            text[random_below(&random, sizeof text - 1)] =
                ALPHABET[random_below(&random, sizeof ALPHABET - 1)];
        check_stranger(text, sizeof text - 1);
    }
}
END_TEST

Suite *suite_fen(void)
{
    Suite *suite = suite_create("fen");
    TCase *tcase = tcase_create("fen");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_unchecked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, each_broken_position_has_its_reason);
    tcase_add_loop_test(tcase, what_is_read_is_written, 0, sizeof ROWS / sizeof *ROWS);
    tcase_add_test(tcase, the_suites_come_back_as_they_were);
    tcase_add_test(tcase, the_longest_fits);
    tcase_add_test(tcase, prefixes_and_single_changes);
    tcase_add_test(tcase, random_changes);
    suite_add_tcase(suite, tcase);
    return suite;
}
