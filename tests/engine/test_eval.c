#include "engine/eval.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "engine/network.h"
#include "engine/suites.h"
#include "rookery/engine.h"

enum { WALKS = 25, WALK_PLIES = 160, FEN_FIELDS = 4 };

static struct rk_network *network;
static struct rk_game *game;

static void setup(void)
{
    ck_assert_int_eq(network_built_in(&network), RK_OK);
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
}

static void teardown(void)
{
    rk_game_destroy(game);
    network_destroy(network);
}

static void set(const char *fen)
{
    ck_assert_msg(rk_game_set_fen(game, fen, strlen(fen)) == RK_OK, "%s", fen);
}

static score_t eval(const char *fen)
{
    set(fen);
    return eval_alone(&game->position, network);
}

/* A board field with its ranks in the other order and its colors swapped. */
static void swap_colors(const char *board, char *out_board)
{
    size_t length = 0;
    for (const char *end = board + strlen(board); end > board;) {
        const char *start = end;
        while (start > board && start[-1] != '/')
            start--;
        for (const char *c = start; c < end; c++)
            out_board[length++] = (char)(isupper((unsigned char)*c) ? tolower((unsigned char)*c)
                                                                    : toupper((unsigned char)*c));
        end = start > board ? start - 1 : board;
        if (end > board || start > board)
            out_board[length++] = '/';
    }
    out_board[length] = '\0';
}

/* A board field with files a and h exchanged, and so on. */
static void swap_files(const char *board, char *out_board)
{
    size_t length = 0;
    for (const char *start = board; *start != '\0';) {
        const char *end = start + strcspn(start, "/");
        for (const char *c = end; c > start;)
            out_board[length++] = *--c;
        if (*end == '/')
            out_board[length++] = *end++;
        start = end;
    }
    out_board[length] = '\0';
}

/* Calls check on every position of random games that is no check, some thousands of them. */
static void walk(uint64_t seed, void (*check)(const struct position *position))
{
    for (unsigned i = 0; i < WALKS; i++) {
        struct position position;
        position_set_start(&position);
        for (unsigned ply = 0; ply < WALK_PLIES; ply++) {
            move_t moves[MOVES_MAX];
            const size_t count = (size_t)(movegen_all(&position, moves) - moves);
            if (count == 0)
                break;
            struct position next;
            position_after(&next, &position, moves[random_below(&seed, count)]);
            position = next;
            if (position.checkers == 0)
                check(&position);
        }
    }
}

static void check_mirrors(const struct position *position)
{
    struct rk_game here = {.position = *position};
    char fen[RK_FEN_BYTES_MAX], board[RK_FEN_BYTES_MAX], other[2 * RK_FEN_BYTES_MAX];
    rk_game_fen(&here, true, fen);
    fen[strcspn(fen, " ")] = '\0';
    const score_t score = eval_alone(position, network);
    const bool is_white = position->side == WHITE;

    swap_colors(fen, board);
    snprintf(other, sizeof other, "%s %c - - 0 1", board, is_white ? 'b' : 'w');
    ck_assert_msg(eval(other) == score, "%s: %d, not %d as %s", other, eval(other), score, fen);
    swap_files(fen, board);
    snprintf(other, sizeof other, "%s %c - - 0 1", board, is_white ? 'w' : 'b');
    ck_assert_msg(eval(other) == score, "%s: %d, not %d as %s", other, eval(other), score, fen);
}

START_TEST(mirrored_positions_are_equal) { walk(1, check_mirrors); }
END_TEST

/* A worker's way to it: alone, or as the end of a line. */
static void check_bounds_and_door(const struct position *position)
{
    struct evaluator evaluator = {0};
    const zkey_t line[] = {position->key};
    const score_t score = eval_alone(position, network);
    ck_assert_int_le(abs(score), SCORE_EVAL_MAX);
    ck_assert_int_eq(evaluator_set(&evaluator, network), RK_OK);
    ck_assert_int_eq(eval_in_line(position, &evaluator, line, 0), score);
    evaluator_clear(&evaluator);
}

START_TEST(every_door_has_one_score) { walk(2, check_bounds_and_door); }
END_TEST

START_TEST(most_men_stay_within_bounds)
{
    /* Black is in check: the value is defined all the same. */
    const score_t score = eval("QQQQQQQQ/QRRBBNN1/8/8/8/8/7K/k7 b - - 0 1");
    ck_assert_int_lt(eval_centipawns(score), -1000);
    ck_assert_int_ge(score, -SCORE_EVAL_MAX);
    ck_assert_int_eq(eval("K7/7k/8/8/8/8/qrrbbnn1/qqqqqqqq w - - 0 1"), score);
}
END_TEST

START_TEST(start_is_about_even)
{
    const score_t score = eval("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    ck_assert_int_lt(abs(eval_centipawns(score)), 100);
    ck_assert_int_eq(rk_evaluate(game, NULL), eval_centipawns(score));
    ck_assert_int_eq(rk_evaluate(game, network), eval_centipawns(score));
}
END_TEST

/* More men, or better placed ones, are worth more: whatever was learnt, this was. */
START_TEST(plain_facts)
{
    const score_t even = eval("r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w - - 0 1");
    ck_assert_int_gt(eval("r1b1kb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w - - 0 1"),
                     even + 600);
    ck_assert_int_gt(eval("r1bqkb1r/ppp2ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w - - 0 1"),
                     even + 30);
    /* A passed pawn the nearer to its goal the better, best with a free road, and the king far. */
    const score_t fourth = eval("7k/1r6/8/8/3P4/8/5K2/3R4 w - - 0 1");
    const score_t sixth = eval("7k/1r6/3P4/8/8/8/5K2/3R4 w - - 0 1");
    ck_assert_int_gt(sixth, fourth);
    ck_assert_int_gt(eval("8/3P4/1r6/6k1/8/8/5K2/3R4 w - - 0 1"),
                     eval("8/8/1r6/6k1/3P4/8/5K2/3R4 w - - 0 1"));
    /* A king behind its pawns, with queens on the board. */
    ck_assert_int_gt(eval("r4rk1/ppp1qppp/2n2n2/8/8/2N2N2/PPP1QPPP/R4RK1 w - - 0 1"),
                     eval("r4rk1/ppp1qppp/2n2n2/8/8/2N2N2/PPP1Q3/R4RK1 w - - 0 1") + 200);
    ck_assert_int_gt(eval("4k3/pp3ppp/8/8/8/8/PP3PPP/2B1KB2 w - - 0 1"),
                     eval("4k3/pp3ppp/8/8/8/8/PP3PPP/2B1KN2 w - - 0 1"));
}
END_TEST

START_TEST(known_draws_are_nothing)
{
    static const char *const draws[] = {
        "8/8/4k3/8/8/3NN3/4K3/8 w - - 0 1", "8/8/4k3/8/8/3B4/4K3/8 w - - 0 1",
        "k7/8/8/P7/8/4K3/8/4B3 w - - 0 1",  "8/8/8/7p/8/8/5k1K/4b3 b - - 0 1",
        "k7/8/P7/8/8/4K3/8/8 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
        ck_assert_msg(eval(draws[i]) == 0, "%s", draws[i]);
    /* The right bishop, and the king not in the corner, are another matter. */
    ck_assert_int_gt(eval("k7/8/8/P7/8/4K3/8/5B2 w - - 0 1"), 50);
    ck_assert_int_gt(eval("8/8/8/P7/8/4K2k/8/4B3 w - - 0 1"), 50);
}
END_TEST

/* Each step towards the mate is worth more than the one before. */
START_TEST(bare_king_is_driven)
{
    ck_assert_int_gt(eval("8/8/8/3k4/8/8/8/KQ6 w - - 0 1"), 1500);
    ck_assert_int_gt(eval("8/8/8/3k4/8/8/8/KR6 w - - 0 1"), 1000);
    ck_assert_int_gt(eval("8/8/8/3k4/8/8/8/KBB5 w - - 0 1"), 1000);
    ck_assert_int_lt(eval("8/8/8/3K4/8/8/8/kbn5 w - - 0 1"), -1000);
    ck_assert_int_gt(eval("3k4/8/3K4/8/8/8/8/R7 w - - 0 1"),
                     eval("8/8/3k4/8/3K4/8/8/R7 w - - 0 1"));
    ck_assert_int_gt(eval("3k4/8/3K4/8/8/8/8/R7 w - - 0 1"),
                     eval("3k4/8/8/3K4/8/8/8/R7 w - - 0 1"));
    /* A dark bishop mates in a1 and h8, whichever the distance of the king. */
    static const char *const steps[] = {
        "k7/8/1K6/8/2N5/8/5B2/8 w - - 0 1",  "2k5/8/2K5/8/2N5/8/5B2/8 w - - 0 1",
        "4k3/8/4K3/8/2N5/8/5B2/8 w - - 0 1", "6k1/8/6K1/8/2N5/8/5B2/8 w - - 0 1",
        "7k/8/6K1/8/2N5/8/5B2/8 w - - 0 1",
    };
    for (size_t i = 1; i < sizeof steps / sizeof *steps; i++)
        ck_assert_msg(eval(steps[i]) > eval(steps[i - 1]), "%s", steps[i]);
}
END_TEST

START_TEST(wdl_is_a_distribution)
{
    static const char *const boards[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        set(boards[i]);
        uint16_t before[3] = {0, 0, 1000};
        for (score_t score = -SCORE_INFINITE; score <= SCORE_INFINITE; score++) {
            uint16_t wdl[3], mirrored[3];
            eval_wdl(score, &game->position, wdl);
            eval_wdl(-score, &game->position, mirrored);
            ck_assert_int_eq(wdl[0] + wdl[1] + wdl[2], 1000);
            ck_assert_uint_ge(wdl[0], before[0]);
            ck_assert_uint_le(wdl[2], before[2]);
            ck_assert(wdl[0] == mirrored[2] && wdl[1] == mirrored[1]);
            memcpy(before, wdl, sizeof wdl);
        }
        ck_assert_uint_ge(before[0], 995);
        eval_wdl(0, &game->position, before);
        ck_assert_uint_gt(before[1], before[0]);
    }
}
END_TEST

START_TEST(a_pawn_up_wins_half)
{
    set("3q2k1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/3Q2K1 w - - 0 1"); /* Half-way to pawns alone. */
    score_t score = 0;
    while (eval_centipawns(score) < 100)
        score++;
    uint16_t wdl[3];
    eval_wdl(score, &game->position, wdl);
    ck_assert_uint_ge(wdl[0], 400);
    ck_assert_uint_le(wdl[0], 600);
    ck_assert_int_eq(eval_centipawns(-score), -eval_centipawns(score));
}
END_TEST

Suite *suite_eval(void)
{
    Suite *suite = suite_create("eval");
    TCase *tests = tcase_create("eval");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, mirrored_positions_are_equal);
    tcase_add_test(tests, every_door_has_one_score);
    tcase_add_test(tests, most_men_stay_within_bounds);
    tcase_add_test(tests, start_is_about_even);
    tcase_add_test(tests, plain_facts);
    tcase_add_test(tests, known_draws_are_nothing);
    tcase_add_test(tests, bare_king_is_driven);
    tcase_add_test(tests, wdl_is_a_distribution);
    tcase_add_test(tests, a_pawn_up_wins_half);
    suite_add_tcase(suite, tests);
    return suite;
}
