#include "engine/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engine/analyst.h"
#include "engine/suites.h"

static struct analyst *analyst;

static void setup(void) { analyst = analyst_create(); }
static void teardown(void) { analyst_destroy(analyst); }

/* tests/data/mates.epd: "FEN;moves to mate;the only first move". Made by games of the engine
 * against itself, confirmed by another engine. */
START_TEST(mates_in_one_to_four_are_found)
{
    enum { DEPTH_BEYOND = 14 };
    FILE *file = fopen(TESTS_DATA "/mates.epd", "r");
    ck_assert_ptr_nonnull(file);
    char row[256];
    unsigned count = 0;
    while (fgets(row, sizeof row, file) != NULL) {
        char *moves = strchr(row, ';');
        ck_assert_ptr_nonnull(moves);
        *moves++ = '\0';
        char *rest = NULL;
        const long mate = strtol(moves, &rest, 10);
        char *best = rest + 1;
        best[strcspn(best, "\n")] = '\0';
        analyst_clear(analyst);
        analyst_set(analyst, row, "");
        analyst->request.limits =
            (struct rk_limits){.mate = (uint32_t)mate, .depth = (uint32_t)mate + DEPTH_BEYOND};
        analyst_search(analyst);
        const struct rk_report *last = analyst_last(analyst);
        ck_assert_msg(last->is_mate && last->score == mate, "%s: mate %d %d for %ld", row,
                      last->is_mate, last->score, mate);
        ck_assert_uint_eq(last->best_move, MOVE_NONE);
        ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, best));
        ck_assert_uint_eq(last->wdl[0], 1000);
        count++;
    }
    fclose(file);
    ck_assert_uint_ge(count, 15);
}
END_TEST

START_TEST(being_mated_is_told_in_moves)
{
    /* The king has one move, and then Rh1 is mate. */
    analyst_set(analyst, "8/8/8/8/8/1k6/7r/K7 w - - 0 1", "");
    analyst_search_depth(analyst, 6);
    const struct rk_report *last = analyst_last(analyst);
    ck_assert(last->is_mate);
    ck_assert_int_eq(last->score, -1);
    ck_assert_uint_eq(last->wdl[2], 1000);
}
END_TEST

START_TEST(stalemate_is_a_draw)
{
    /* The pawn is lost, or held by a move that stalemates. */
    analyst_set(analyst, "8/8/8/8/8/3k4/4p3/4K3 b - - 0 1", "");
    analyst_search_depth(analyst, 6);
    ck_assert_int_eq(analyst_last(analyst)->score, 0);
    /* With the other side to move the same men win. */
    analyst_set(analyst, "8/8/8/8/8/3k4/4p3/4K3 w - - 0 1", "");
    analyst_search_depth(analyst, 6);
    ck_assert_int_lt(analyst_last(analyst)->score, -300);
}
END_TEST

START_TEST(perpetual_check_is_a_draw)
{
    /* Black is far ahead and about to mate; White checks on e8 and h5 for ever. */
    analyst_set(analyst, "6k1/6p1/8/7Q/8/8/rq4PP/7K w - - 0 1", "");
    analyst_search_depth(analyst, 10);
    const struct rk_report *last = analyst_last(analyst);
    ck_assert(!last->is_mate);
    ck_assert_int_eq(last->score, 0);
    ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, "h5e8"));
}
END_TEST

START_TEST(the_game_needs_three_to_repeat)
{
    /* White is lost but for the repetition that the game has prepared: the position after Kb1 has
     * stood twice. */
    static const char *FEN = "8/8/8/8/8/6k1/5q2/K7 b - - 0 1";
    analyst_set(analyst, FEN, "g3g4 a1b1 g4g3 b1a1 g3g4 a1b1 g4g3");
    analyst_search_depth(analyst, 6);
    ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, "b1a1"));
    ck_assert_int_eq(analyst_last(analyst)->score, 0);
    /* Once before is not enough. */
    analyst_clear(analyst);
    analyst_set(analyst, FEN, "g3g4 a1b1 g4g3");
    analyst_search_depth(analyst, 6);
    ck_assert_int_lt(analyst_last(analyst)->score, 0);
}
END_TEST

START_TEST(the_fifty_move_rule_draws)
{
    /* A won rook ending, but one ply short of the rule: every quiet move draws. */
    analyst_set(analyst, "8/8/8/3k4/8/8/1R6/K7 w - - 99 90", "");
    analyst_search_depth(analyst, 6);
    ck_assert_int_eq(analyst_last(analyst)->score, 0);
    analyst_set(analyst, "8/8/8/3k4/8/8/1R6/K7 w - - 0 90", "");
    analyst_search_depth(analyst, 6);
    ck_assert_int_gt(analyst_last(analyst)->score, 300);
}
END_TEST

START_TEST(mate_on_the_hundredth_ply_counts)
{
    analyst_set(analyst, "7k/8/6K1/8/8/8/8/R7 w - - 99 90", "");
    analyst_search_depth(analyst, 4);
    ck_assert(analyst_last(analyst)->is_mate);
    ck_assert_int_eq(analyst_last(analyst)->score, 1);
    ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, "a1a8"));
}
END_TEST

START_TEST(bare_men_are_a_draw)
{
    /* Taking the last pawn leaves a king and a knight. */
    analyst_set(analyst, "8/8/8/4k3/8/8/3pN3/3K4 w - - 0 1", "");
    analyst->request.has_searchmoves = true;
    analyst->request.searchmoves[0] = analyst_move(analyst, "d1d2");
    analyst->request.searchmove_count = 1;
    analyst_search_depth(analyst, 6);
    ck_assert_int_eq(analyst_last(analyst)->score, 0);
}
END_TEST

/* The verification of null moves: passing would be the best move, were it allowed. */
START_TEST(zugzwang_is_not_overlooked)
{
    analyst_set(analyst, "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1", "");
    analyst_search_depth(analyst, 20);
    ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, "f4d5"));
}
END_TEST

/* Entries with the right keys and any content: the search may err, but never makes a move that is
 * not legal (the positions' own assertions see to that) nor tells one. */
START_TEST(a_hostile_table_makes_no_illegal_move)
{
    enum { ROUNDS = 40, PLIES = 30, DEPTH = 6 };
    uint64_t seed = 77;
    for (int round = 0; round < ROUNDS; round++) {
        rk_game_set_start(&analyst->game);
        const int plies = (int)random_below(&seed, PLIES);
        for (int ply = 0; ply < plies; ply++) {
            rk_move_t moves[RK_MOVES_MAX];
            const size_t count = rk_game_moves(&analyst->game, moves);
            if (count == 0)
                break;
            game_play(&analyst->game, moves[random_below(&seed, count)]);
            /* The positions around: each move's outcome gets an entry of noise. */
            for (size_t i = 0; i < count; i++) {
                const struct table_hit noise = {
                    .move = (move_t)random_next(&seed),
                    .score = (score_t)random_below(&seed, 2 * SCORE_MATE + 1) - SCORE_MATE,
                    .eval = (score_t)random_below(&seed, 2 * SCORE_EVAL_MAX + 1) - SCORE_EVAL_MAX,
                    .depth = (depth_t)random_below(&seed, 40),
                    .bound = (bound_t)random_below(&seed, 4),
                    .is_pv = random_below(&seed, 2) != 0};
                const zkey_t key = analyst->game.position.key;
                table_store(analyst->table, key, &noise);
                if (rk_game_outcome(&analyst->game) != RK_GAME_OPEN)
                    break;
                table_store(analyst->table, position_key_after(&analyst->game.position, moves[i]),
                            &noise);
            }
        }
        if (rk_game_outcome(&analyst->game) != RK_GAME_OPEN)
            continue;
        analyst_search_depth(analyst, DEPTH);
        for (unsigned i = 0; i < analyst->line_count; i++)
            analyst_check_line(analyst, &analyst->lines[i]);
    }
}
END_TEST

/* A line as deep as the frames go ends in a score, not beyond them. */
START_TEST(the_deepest_iteration_ends)
{
    analyst_set(analyst, "8/8/8/8/8/3k4/4p3/4K3 b - - 0 1", "");
    analyst->request.limits = (struct rk_limits){.depth = 1000, .nodes = 300000};
    analyst_search(analyst);
    ck_assert_int_le(analyst->worker->completed_depth, PLY_MAX - 1);
    ck_assert_int_eq(analyst_last(analyst)->score, 0);
}
END_TEST

Suite *suite_search(void)
{
    Suite *suite = suite_create("search");
    TCase *tcase = tcase_create("all");
    tcase_set_tags(tcase, SUITE_TAG_ALONE);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, mates_in_one_to_four_are_found);
    tcase_add_test(tcase, being_mated_is_told_in_moves);
    tcase_add_test(tcase, stalemate_is_a_draw);
    tcase_add_test(tcase, perpetual_check_is_a_draw);
    tcase_add_test(tcase, the_game_needs_three_to_repeat);
    tcase_add_test(tcase, the_fifty_move_rule_draws);
    tcase_add_test(tcase, mate_on_the_hundredth_ply_counts);
    tcase_add_test(tcase, bare_men_are_a_draw);
    tcase_add_test(tcase, zugzwang_is_not_overlooked);
    tcase_add_test(tcase, a_hostile_table_makes_no_illegal_move);
    tcase_add_test(tcase, the_deepest_iteration_ends);
    suite_add_tcase(suite, tcase);
    return suite;
}
