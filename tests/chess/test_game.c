#include "chess/game.h"

#include <string.h>

#include "chess/suites.h"

static struct rk_game *game;

static void setup(void) { ck_assert_int_eq(rk_game_create(&game), RK_OK); }
static void teardown(void) { rk_game_destroy(game); }

static void set(const char *fen)
{
    ck_assert_msg(rk_game_set_fen(game, fen, strlen(fen)) == RK_OK, "%s", fen);
}

/* Moves apart by one blank. */
static void play(const char *moves)
{
    for (size_t length; (length = strcspn(moves, " ")) > 0;
         moves += length + (moves[length] == ' '))
        ck_assert_msg(rk_game_play(game, moves, length) == RK_OK, "%s", moves);
}

static void ck_fen(const char *expected)
{
    char fen[RK_FEN_BYTES_MAX];
    ck_assert_uint_eq(rk_game_fen(game, false, fen), strlen(expected));
    ck_assert_str_eq(fen, expected);
}

START_TEST(a_new_game_is_the_start)
{
    ck_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    rk_move_t moves[RK_MOVES_MAX];
    ck_assert_uint_eq(rk_game_moves(game, moves), 20);
    ck_assert(rk_game_white_to_move(game));
    ck_assert(!rk_game_in_check(game));
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_OPEN);
    ck_assert_int_eq(rk_game_square(game, 0), 'R');
    ck_assert_int_eq(rk_game_square(game, 4), 'K');
    ck_assert_int_eq(rk_game_square(game, 59), 'q');
    ck_assert_int_eq(rk_game_square(game, 32), '.');
}
END_TEST

START_TEST(moves_are_played_by_their_text)
{
    play("e2e4 c7c5 g1f3 d7d6 f1b5");
    ck_assert(rk_game_in_check(game));
    ck_assert(!rk_game_white_to_move(game));
    play("c8d7 e1g1 d7b5 f1e1 e7e5 d2d4 c5d4");
    ck_fen("rn1qkbnr/pp3ppp/3p4/1b2p3/3pP3/5N2/PPP2PPP/RNBQR1K1 w kq - 0 7");
}
END_TEST

START_TEST(a_bad_move_or_fen_changes_nothing)
{
    struct rk_game *before = NULL;
    ck_assert_int_eq(rk_game_create(&before), RK_OK);
    play("g1f3 g8f6 f3g1");
    rk_game_copy(before, game);
    rk_move_t move = 77;
    ck_assert_int_eq(rk_game_play(game, "e2e4", 4), RK_BAD_MOVE);
    ck_assert_int_eq(rk_game_parse_move(game, "a1f8", 4, &move), RK_BAD_MOVE);
    ck_assert_uint_eq(move, 77);
    ck_assert_int_eq(rk_game_set_fen(game, "blah", 4), RK_FEN_EMPTY);
    ck_assert(rk_game_equal(game, before));
    ck_assert_int_eq(rk_game_parse_move(game, "f6g8", 4, &move), RK_OK);
    ck_assert_uint_eq(move, move_make(45, 62, MOVE_QUIET));
    ck_assert(rk_game_equal(game, before));
    rk_game_destroy(before);
}
END_TEST

START_TEST(equal_games_have_equal_pasts)
{
    struct rk_game *other = NULL;
    ck_assert_int_eq(rk_game_create(&other), RK_OK);
    ck_assert(rk_game_equal(game, other));
    play("g1f3 g8f6 f3g1 f6g8");
    ck_assert_uint_eq(rk_game_key(game), rk_game_key(other)); /* The same position, */
    ck_assert(!rk_game_equal(game, other));                   /* another game. */
    rk_game_copy(other, game);
    ck_assert(rk_game_equal(game, other));
    rk_game_set_start(game);
    ck_assert(!rk_game_equal(game, other));
    rk_game_copy(game, game);
    rk_game_destroy(other);
    rk_game_destroy(NULL);
}
END_TEST

START_TEST(the_third_time_ends_the_game)
{
    play("g1f3 g8f6 f3g1 f6g8");
    ck_assert_uint_eq(game_repetitions(game), 1);
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_OPEN);
    play("g1f3 g8f6 f3g1");
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_OPEN);
    play("f6g8");
    ck_assert_uint_eq(game_repetitions(game), 2);
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_REPETITION);
    play("e2e4"); /* A draw is claimed by a referee; the rules let the game go on. */
    ck_assert_uint_eq(game_repetitions(game), 0);
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_OPEN);
}
END_TEST

START_TEST(rights_make_another_position)
{
    set("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play("e1e2 e8e7 e2e1 e7e8");
    ck_assert_uint_eq(game_repetitions(game), 0); /* Nobody can castle any more. */
    play("e1e2 e8e7 e2e1 e7e8");
    ck_assert_uint_eq(game_repetitions(game), 1);
}
END_TEST

START_TEST(a_capturable_pawn_makes_another_position)
{
    set("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    play("e2e4 e8d8 e1d1 d8e8 d1e1");
    ck_assert_uint_eq(game_repetitions(game), 0);
    play("e8d8 e1d1 d8e8 d1e1");
    ck_assert_uint_eq(game_repetitions(game), 1);
}
END_TEST

START_TEST(a_long_past_is_kept_as_far_as_it_matters)
{
    enum { ROUNDS = 80 }; /* 320 plies */
    set("4k2r/8/8/8/8/8/8/4K2R w - - 0 1");
    for (unsigned i = 0; i < ROUNDS; i++)
        play("h1g1 h8g8 g1h1 g8h8");
    ck_assert_uint_eq(game->key_count, KEYS_MAX);
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_REPETITION);
    /* Every fourth of the last hundred plies. */
    ck_assert_uint_eq(game_repetitions(game), 25);
    ck_fen("4k2r/8/8/8/8/8/8/4K2R w - - 255 161");
    play("h1h8");
    ck_assert_uint_eq(game->key_count, 0);
    ck_fen("4k2R/8/8/8/8/8/8/4K3 b - - 0 161");
}
END_TEST

START_TEST(a_hundred_plies_without_progress_are_a_draw)
{
    set("4k3/8/8/8/8/8/4P3/4K2R w - - 98 90");
    play("h1h2");
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_OPEN);
    play("e8d8");
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_FIFTY);
    play("e2e3");
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_OPEN);
    set("4k3/8/8/8/8/8/4P3/4K2R w - - 124 90");
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_FIFTY);
}
END_TEST

START_TEST(mate_comes_before_the_fifty_moves)
{
    set("k7/8/1K6/8/8/8/8/7R w - - 99 90");
    play("h1h8");
    ck_assert_int_eq(rk_game_outcome(game), RK_GAME_CHECKMATE);
}
END_TEST

START_TEST(outcomes)
{
    static const struct {
        const char *fen;
        enum rk_outcome outcome;
    } rows[] = {
        {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", RK_GAME_CHECKMATE},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", RK_GAME_STALEMATE},
        {"7k/5K2/8/8/8/8/8/8 b - - 0 1", RK_GAME_MATERIAL},
        {"7k/5K1B/8/8/8/8/8/8 b - - 0 1", RK_GAME_MATERIAL}, /* In check by none; h8 can take. */
        {"7k/8/8/8/8/8/8/KQ6 b - - 0 1", RK_GAME_OPEN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set(rows[i].fen);
        ck_assert_msg(rk_game_outcome(game) == rows[i].outcome, "%s", rows[i].fen);
    }
}
END_TEST

START_TEST(chess960_is_seen_in_the_rights)
{
    ck_assert(!game->is_castling_chess960);
    set("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    ck_assert(!game->is_castling_chess960);
    set("1r2k3/8/8/8/8/8/8/1R2K3 w B - 0 1");
    ck_assert(game->is_castling_chess960);
    set("8/8/8/8/8/8/8/R2K3k w A - 0 1");
    ck_assert(game->is_castling_chess960);
    set("1r2k3/8/8/8/8/8/8/1R2K3 w - - 0 1");
    ck_assert(!game->is_castling_chess960);
}
END_TEST

Suite *suite_game(void)
{
    Suite *suite = suite_create("game");
    TCase *tcase = tcase_create("game");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_new_game_is_the_start);
    tcase_add_test(tcase, moves_are_played_by_their_text);
    tcase_add_test(tcase, a_bad_move_or_fen_changes_nothing);
    tcase_add_test(tcase, equal_games_have_equal_pasts);
    tcase_add_test(tcase, the_third_time_ends_the_game);
    tcase_add_test(tcase, rights_make_another_position);
    tcase_add_test(tcase, a_capturable_pawn_makes_another_position);
    tcase_add_test(tcase, a_long_past_is_kept_as_far_as_it_matters);
    tcase_add_test(tcase, a_hundred_plies_without_progress_are_a_draw);
    tcase_add_test(tcase, mate_comes_before_the_fifty_moves);
    tcase_add_test(tcase, outcomes);
    tcase_add_test(tcase, chess960_is_seen_in_the_rights);
    suite_add_tcase(suite, tcase);
    return suite;
}
