#include "chess/position.h"

#include <string.h>

#include "chess/checks.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/suites.h"
#include "chess/wander.h"
#include "chess/zobrist.h"

static void setup(void) { chess_init(); }

/* A test of Check's own a field would be most of the run's time. */
static bool is_same(const struct position *a, const struct position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0 &&
           memcmp(a->kinds, b->kinds, sizeof a->kinds) == 0 &&
           memcmp(a->colors, b->colors, sizeof a->colors) == 0 &&
           memcmp(a->castle_rook, b->castle_rook, sizeof a->castle_rook) == 0 && a->key == b->key &&
           a->pawn_key == b->pawn_key && a->checkers == b->checkers && a->pinned == b->pinned &&
           a->en_passant == b->en_passant && a->side == b->side && a->fifty == b->fifty &&
           a->move_number == b->move_number;
}

/* What moves have built up, against the same position read from text. */
static void check_against_fresh(const struct position *position)
{
    char fen[RK_FEN_BYTES_MAX];
    for (unsigned chess960 = 0; chess960 < 2; chess960++) {
        fen_print(position, chess960 != 0, fen);
        const struct position fresh = wander_parse(fen);
        if (!is_same(position, &fresh))
            ck_abort_msg("%s", fen);
    }
}

START_TEST(moves_keep_everything_up_to_date) { wander(1, 30, check_against_fresh); }
END_TEST

static void check_gives_check(const struct position *position)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    struct checks checks;
    checks_find(position, &checks);
    for (const move_t *move = moves; move != end; move++) {
        struct position after;
        position_after(&after, position, *move);
        const bool is_check = after.checkers != 0;
        if (position_gives_check(position, *move) != is_check ||
            checks_by(&checks, position, *move) != is_check)
            ck_abort_msg("move %04x", *move);
    }
}

START_TEST(a_check_is_known_before_the_move) { wander(1, 20, check_gives_check); }
END_TEST

static void check_all_codes(const struct position *position)
{
    bool is_listed[1 << 16] = {false};
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++)
        is_listed[*move] = true;
    for (unsigned code = 0; code < 1 << 16; code++) {
        const bool is_legal = position_is_pseudo_legal(position, (move_t)code) &&
                              position_is_legal(position, (move_t)code);
        if (is_legal != is_listed[code])
            ck_abort_msg("code %04x is %s", code,
                         is_legal ? "legal, not listed" : "listed, not legal");
    }
}

START_TEST(any_sixteen_bits_are_judged_as_the_generator_does) { wander(40, 6, check_all_codes); }
END_TEST

static void check_key_after(const struct position *position)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        struct position after;
        position_after(&after, position, *move);
        const bool is_simple = move_kind(*move) == MOVE_QUIET || move_kind(*move) == MOVE_CAPTURE;
        if (is_simple &&
            memcmp(after.castle_rook, position->castle_rook, sizeof after.castle_rook) == 0)
            if (position_key_after(position, *move) != after.key)
                ck_abort_msg("move %04x", *move);
    }
}

START_TEST(a_simple_moves_key_is_known_before_it) { wander(5, 20, check_key_after); }
END_TEST

static void check_null(const struct position *position)
{
    struct position passed, back;
    if (position->checkers != 0)
        return;
    position_after_null(&passed, position);
    ck_assert_uint_eq(passed.side, position->side ^ 1u);
    ck_assert_uint_eq(passed.en_passant, SQUARE_NONE);
    ck_assert_uint_ne(passed.key, position->key);
    ck_assert_mem_eq(passed.board, position->board, sizeof passed.board);
    struct position fresh = passed;
    position_set_keys(&fresh);
    position_set_checks(&fresh);
    if (!is_same(&passed, &fresh))
        ck_abort_msg("keys or checks are stale after a pass");
    if (position->en_passant != SQUARE_NONE || passed.checkers != 0)
        return;
    position_after_null(&back, &passed);
    ck_assert_uint_eq(back.key, position->key);
    ck_assert_uint_eq(back.pinned, position->pinned);
}

START_TEST(passing_twice_comes_back) { wander(5, 20, check_null); }
END_TEST

static zkey_t key_of(const char *fen) { return wander_parse(fen).key; }

START_TEST(only_what_makes_positions_differ_is_in_the_key)
{
    /* Counters are not. */
    ck_assert_uint_eq(key_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
                      key_of("4k3/8/8/8/8/8/4P3/4K3 w - - 9 60"));
    /* The side and each right are. */
    ck_assert_uint_ne(key_of("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
                      key_of("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"));
    ck_assert_uint_ne(key_of("4k3/8/8/8/8/8/8/R3K2R w K - 0 1"),
                      key_of("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"));
    ck_assert_uint_ne(key_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
                      key_of("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1"));
    /* Which of two rooks may castle matters. */
    ck_assert_uint_ne(key_of("4k3/8/8/8/8/8/8/4K1RR w G - 0 1"),
                      key_of("4k3/8/8/8/8/8/8/4K1RR w H - 0 1"));
    /* However a right is spelt. */
    ck_assert_uint_eq(key_of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
                      key_of("4k3/8/8/8/8/8/8/R3K2R w AH - 0 1"));
}
END_TEST

START_TEST(en_passant_is_in_the_key_only_when_it_can_be_played)
{
    /* A black pawn beside it, and none. */
    ck_assert_uint_ne(key_of("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
                      key_of("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"));
    ck_assert_uint_eq(key_of("4k3/8/8/8/4P3/8/p7/4K3 b - e3 0 1"),
                      key_of("4k3/8/8/8/4P3/8/p7/4K3 b - - 0 1"));
    /* Both pawns leave the rank between king and rook. */
    ck_assert_uint_eq(key_of("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"),
                      key_of("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"));
    /* The capturer is pinned on a diagonal. */
    ck_assert_uint_eq(key_of("8/8/5k2/8/3pP3/8/1B6/4K3 b - e3 0 1"),
                      key_of("8/8/5k2/8/3pP3/8/1B6/4K3 b - - 0 1"));
    /* One of two capturers is pinned, the other is not. */
    ck_assert_uint_ne(key_of("8/8/5k2/8/3pPp2/8/1B6/4K3 b - e3 0 1"),
                      key_of("8/8/5k2/8/3pPp2/8/1B6/4K3 b - - 0 1"));
}
END_TEST

START_TEST(the_start_is_the_start)
{
    struct position start;
    position_set_start(&start);
    const struct position fresh =
        wander_parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    ck_assert(is_same(&start, &fresh));
}
END_TEST

START_TEST(the_fifty_counter_is_held)
{
    struct position position = wander_parse("4k3/8/8/8/8/8/8/4K2R w - - 254 200");
    struct position after;
    position_after(&after, &position, move_make(7, 6, MOVE_QUIET));
    ck_assert_uint_eq(after.fifty, 255);
    position_after(&position, &after, move_make(60, 59, MOVE_QUIET));
    ck_assert_uint_eq(position.fifty, 255);
}
END_TEST

START_TEST(material_that_cannot_mate)
{
    static const struct {
        const char *fen;
        bool is_draw;
    } rows[] = {
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
        {"4kn2/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/4K1B1 w - - 0 1", true},
        {"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", false},
        {"4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4KNB1 w - - 0 1", false},
        {"4kn2/8/8/8/8/8/8/4KB2 w - - 0 1", false},
        {"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", false},
        {"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false},
        {"b3k3/1b6/8/8/8/8/6B1/4K2B w - - 0 1", true},
        {"b3k3/1b6/8/8/8/8/5B2/4K2B w - - 0 1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct position position = wander_parse(rows[i].fen);
        ck_assert_msg(position_is_material_draw(&position) == rows[i].is_draw, "%s", rows[i].fen);
    }
}
END_TEST

START_TEST(keys_have_no_number_twice)
{
    const struct zobrist *z = zobrist_get();
    ck_assert_uint_eq(z->castle[SQUARE_NONE], 0);
    ck_assert_uint_eq(z->en_passant[SQUARE_NONE], 0);
    const zkey_t *numbers = z->men[0];
    for (unsigned square = 0; square < SQUARE_COUNT; square++)
        ck_assert_uint_eq(z->men[PIECE_NONE][square], 0);
    for (unsigned i = 0; i < PIECE_COUNT * SQUARE_COUNT; i++) {
        ck_assert_uint_ne(numbers[i], 0);
        ck_assert_uint_ne(numbers[i], z->side);
        for (unsigned j = 0; j < i; j++)
            ck_assert_uint_ne(numbers[i], numbers[j]);
        for (unsigned square = 0; square < SQUARE_COUNT; square++) {
            ck_assert_uint_ne(numbers[i], z->castle[square]);
            ck_assert_uint_ne(numbers[i], z->en_passant[square]);
        }
    }
}
END_TEST

Suite *suite_position(void)
{
    Suite *suite = suite_create("position");
    TCase *tcase = tcase_create("position");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_unchecked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, moves_keep_everything_up_to_date);
    tcase_add_test(tcase, a_check_is_known_before_the_move);
    tcase_add_test(tcase, any_sixteen_bits_are_judged_as_the_generator_does);
    tcase_add_test(tcase, a_simple_moves_key_is_known_before_it);
    tcase_add_test(tcase, passing_twice_comes_back);
    tcase_add_test(tcase, only_what_makes_positions_differ_is_in_the_key);
    tcase_add_test(tcase, en_passant_is_in_the_key_only_when_it_can_be_played);
    tcase_add_test(tcase, the_start_is_the_start);
    tcase_add_test(tcase, the_fifty_counter_is_held);
    tcase_add_test(tcase, material_that_cannot_mate);
    tcase_add_test(tcase, keys_have_no_number_twice);
    suite_add_tcase(suite, tcase);
    return suite;
}
