#include "engine/iterate.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engine/analyst.h"
#include "engine/suites.h"
#include "engine/weaken.h"

static struct analyst *analyst;

static void setup(void) { analyst = analyst_create(); }
static void teardown(void) { analyst_destroy(analyst); }

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
static const char BUSY[] = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

START_TEST(nodes_are_exact)
{
    static const uint64_t limits[] = {900, 1000, 1023, 1024, 1025, 4096, 10000, 54321};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        analyst_clear(analyst);
        analyst_set(analyst, START, "");
        analyst->request.limits = (struct rk_limits){.nodes = limits[i]};
        analyst_search(analyst);
        ck_assert_uint_eq(worker_nodes(analyst->worker), limits[i]);
        ck_assert_uint_gt(analyst->line_count, 0);
    }
}
END_TEST

START_TEST(a_cleared_search_repeats_to_the_node)
{
    uint64_t nodes[2];
    struct outcome outcomes[2];
    for (int i = 0; i < 2; i++) {
        analyst_clear(analyst);
        analyst_set(analyst, BUSY, "");
        analyst_search_depth(analyst, 9);
        nodes[i] = worker_nodes(analyst->worker);
        outcomes[i] = analyst->worker->outcome;
        analyst_set(analyst, START, ""); /* Something else between. */
        analyst_search_depth(analyst, 7);
    }
    ck_assert_uint_eq(nodes[0], nodes[1]);
    ck_assert_uint_eq(outcomes[0].best, outcomes[1].best);
    ck_assert_int_eq(outcomes[0].score, outcomes[1].score);
}
END_TEST

START_TEST(tiny_limits_still_tell_an_exact_line)
{
    for (uint64_t limit = 1; limit <= 3; limit++)
        for (unsigned multipv = 1; multipv <= 300; multipv += 299) {
            analyst_clear(analyst);
            analyst_set(analyst, BUSY, "");
            analyst->request.multipv = multipv;
            analyst->request.limits = (struct rk_limits){.nodes = limit};
            analyst_search(analyst);
            ck_assert_uint_eq(analyst->line_count, 1);
            ck_assert(analyst->lines[0].block_end);
            for (unsigned i = 0; i < analyst->line_count; i++) {
                ck_assert_int_eq(analyst->lines[i].bound, RK_BOUND_EXACT);
                ck_assert_uint_eq(analyst->lines[i].depth, 1);
                analyst_check_line(analyst, &analyst->lines[i]);
            }
            ck_assert_uint_eq(analyst->worker->outcome.best, analyst->lines[0].pv[0]);
        }
}
END_TEST

START_TEST(a_stop_before_the_first_line_waits)
{
    analyst_set(analyst, BUSY, "");
    analyst->stop_at_nodes = 1;
    analyst_search(analyst);
    ck_assert_uint_eq(analyst->line_count, 1);
    ck_assert_uint_ne(analyst->worker->outcome.best, MOVE_NONE);
    ck_assert_int_eq(analyst->worker->completed_depth, 1);
}
END_TEST

/* What it chooses among is its weakness, though its nodes are used up before all is scored. */
START_TEST(a_weak_player_scores_all_it_chooses_among)
{
    analyst_set(analyst, BUSY, "");
    analyst->request.elo = 1000;
    for (unsigned multipv = 1; multipv <= 256; multipv += 255) {
        analyst->request.multipv = multipv;
        analyst_search(analyst);
        const struct worker *worker = analyst->worker;
        int scored = 0;
        for (int i = 0; i < worker->root_count; i++)
            scored += worker->root_moves[i].told != SCORE_NONE;
        ck_assert_int_eq(scored, weaken_to(1000).lines);
    }
}
END_TEST

/* Of 218 lines those are told that are there: the stop waits for none of the others. */
START_TEST(a_stop_in_the_first_block_waits_for_one_line)
{
    for (uint64_t nodes = 1; nodes < 10000; nodes += 1500) {
        analyst_clear(analyst);
        analyst_set(analyst, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "");
        analyst->request.multipv = 256;
        analyst->stop_at_nodes = nodes;
        analyst_search(analyst);
        const unsigned lines = analyst->line_count;
        ck_assert_uint_ge(lines, 1);
        ck_assert_uint_lt(lines, 100);
        for (unsigned i = 0; i < lines; i++) {
            const struct rk_report *line = &analyst->lines[i];
            ck_assert_uint_eq(line->multipv, i + 1);
            ck_assert_int_eq(line->bound, RK_BOUND_EXACT);
            ck_assert_int_eq(line->block_end, i + 1 == lines);
            analyst_check_line(analyst, line);
        }
        ck_assert_uint_eq(analyst->worker->outcome.best, analyst->lines[0].pv[0]);
    }
}
END_TEST

/* Stopped anywhere, also while a window is being widened for a better move: the outcome is what the
 * last line said, and that line is exact. */
START_TEST(a_stop_keeps_outcome_and_last_line_together)
{
    static const char WINDOWS[] = "1R1R4/6pk/4p2p/2P1P2P/5P2/3p2rK/4p3/8 w - - 0 1";
    for (uint64_t nodes = 2000; nodes < 60000; nodes += nodes < 8000 ? 100 : 2777) {
        analyst_clear(analyst);
        analyst_set(analyst, nodes < 8000 ? WINDOWS : BUSY, "");
        analyst->stop_at_nodes = nodes;
        analyst->request.multipv = nodes % 3 == 0 ? 3 : 1;
        analyst_search(analyst);
        ck_assert_uint_eq(worker_nodes(analyst->worker), nodes);
        const struct outcome *outcome = &analyst->worker->outcome;
        const struct rk_report *line = analyst_last(analyst);
        ck_assert(line->block_end);
        ck_assert_int_eq(line->bound, RK_BOUND_EXACT);
        line -= line->multipv - 1u;
        ck_assert_uint_eq(line->multipv, 1);
        ck_assert_uint_eq(outcome->best, line->pv[0]);
        const struct root_move *best = &analyst->worker->root_moves[0];
        ck_assert_uint_eq(best->move, outcome->best);
        ck_assert_int_eq(best->score, outcome->score);
        ck_assert_int_eq(best->bound, BOUND_EXACT);
        ck_assert_uint_eq(outcome->ponder, line->pv_count > 1 ? line->pv[1] : MOVE_NONE);
    }
}
END_TEST

static void check_blocks(unsigned lines, unsigned depth)
{
    unsigned i = 0;
    for (unsigned at = 1; at <= depth; at++)
        for (unsigned n = 1; n <= lines; n++, i++) {
            const struct rk_report *line = &analyst->lines[i];
            ck_assert_uint_lt(i, analyst->line_count);
            ck_assert_uint_eq(line->depth, at);
            ck_assert_uint_eq(line->multipv, n);
            ck_assert_int_eq(line->bound, RK_BOUND_EXACT);
            ck_assert_int_eq(line->block_end, n == lines);
            analyst_check_line(analyst, line);
            for (unsigned before = 1; before < n; before++)
                ck_assert_uint_ne(line[-(int)before].pv[0], line->pv[0]);
            if (n > 1 && line->is_mate == line[-1].is_mate && !line->is_mate)
                ck_assert_int_le(line->score, line[-1].score);
        }
    ck_assert_uint_eq(i, analyst->line_count);
}

START_TEST(multipv_tells_whole_blocks)
{
    analyst_set(analyst, BUSY, "");
    analyst->request.multipv = 5;
    analyst_search_depth(analyst, 7);
    check_blocks(5, 7);
    /* No more lines than moves. */
    analyst_clear(analyst);
    analyst_set(analyst, "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "");
    analyst->request.multipv = 256;
    analyst_search_depth(analyst, 5);
    check_blocks(6, 5);
}
END_TEST

START_TEST(searchmoves_bind_and_leave_no_root_entry)
{
    analyst_set(analyst, BUSY, "");
    analyst->request.has_searchmoves = true;
    analyst->request.searchmove_count = 2;
    analyst->request.searchmoves[0] = analyst_move(analyst, "a2a3");
    analyst->request.searchmoves[1] = analyst_move(analyst, "a2a4");
    analyst->request.multipv = 4;
    analyst_search_depth(analyst, 6);
    check_blocks(2, 6);
    for (unsigned i = 0; i < analyst->line_count; i++)
        ck_assert_uint_eq(move_from(analyst->lines[i].pv[0]), 8);
    struct table_hit hit;
    if (table_probe(analyst->table, analyst->worker->root_key, &hit))
        ck_assert_int_lt(hit.depth, 6);

    /* None of them: nothing to search. */
    analyst->request.searchmove_count = 0;
    analyst_search_depth(analyst, 6);
    ck_assert_uint_eq(analyst->line_count, 0);
    ck_assert_uint_eq(analyst->worker->outcome.best, MOVE_NONE);
    ck_assert_uint_eq(worker_nodes(analyst->worker), 0);
}
END_TEST

START_TEST(a_root_without_moves_is_left_alone)
{
    analyst_set(analyst, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "");
    analyst_search_depth(analyst, 6);
    ck_assert_int_eq(analyst->worker->root_count, 0);
    ck_assert_uint_eq(analyst->line_count, 0);
}
END_TEST

START_TEST(a_root_already_drawn_is_searched)
{
    /* By repetition: the start position for the third time. */
    analyst_set(analyst, START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    ck_assert_int_eq(rk_game_outcome(&analyst->game), RK_GAME_REPETITION);
    analyst_search_depth(analyst, 7);
    ck_assert_uint_eq(analyst_last(analyst)->depth, 7);
    analyst_check_line(analyst, analyst_last(analyst));
    /* By the fifty-move rule, and far beyond it: nobody claimed, so the queen still wins. */
    for (int fifty = 100; fifty <= 200; fifty += 50) {
        char fen[] = "8/8/8/3k4/8/8/1Q6/K7 w - - 100 150";
        memcpy(strstr(fen, "100"), fifty == 100 ? "100" : fifty == 150 ? "150" : "200", 3);
        analyst_clear(analyst);
        analyst_set(analyst, fen, "");
        analyst_search_depth(analyst, 7);
        ck_assert_uint_eq(analyst_last(analyst)->depth, 7);
        ck_assert_int_gt(analyst_last(analyst)->score, 0);
        analyst_check_line(analyst, analyst_last(analyst));
    }
}
END_TEST

START_TEST(a_past_of_many_reversible_plies_is_carried)
{
    analyst_set(analyst, "r6k/8/8/8/8/8/8/R6K w - - 0 1", "");
    static const char *const round[] = {"a1b1", "a8b8", "b1a1", "b8a8"};
    for (int i = 0; i < 260; i++)
        ck_assert_int_eq(rk_game_play(&analyst->game, round[i % 4], 4), RK_OK);
    analyst_search_depth(analyst, 8);
    ck_assert_uint_eq(analyst_last(analyst)->depth, 8);
    analyst_check_line(analyst, analyst_last(analyst));
}
END_TEST

START_TEST(go_mate_ends_with_the_mate)
{
    analyst_set(analyst, "8/6r1/8/7k/8/8/7K/8 b - - 11 71", "");
    analyst->request.limits = (struct rk_limits){.mate = 4};
    analyst_search(analyst);
    ck_assert(analyst_last(analyst)->is_mate);
    ck_assert_int_le(analyst_last(analyst)->score, 4);
    ck_assert_int_lt(analyst->worker->completed_depth, 40);
}
END_TEST

START_TEST(a_mate_in_one_floods_nobody)
{
    analyst_set(analyst, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "");
    analyst_search_depth(analyst, 200);
    ck_assert_uint_lt(analyst->line_count, 40);
    for (unsigned i = 0; i < 32; i++) /* docs/uci.md: "The first 32 depths are all shown." */
        ck_assert_uint_eq(analyst->lines[i].depth, i + 1);
    ck_assert_uint_eq(analyst_last(analyst)->depth, 200);
    ck_assert_int_eq(analyst_last(analyst)->score, 1);
    ck_assert_uint_eq(analyst->iterations, 200);
    ck_assert(analyst->worker->facts.is_mate);
}
END_TEST

/* The other lines may still change. */
START_TEST(a_mate_in_one_silences_no_other_line)
{
    analyst_set(analyst, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "");
    analyst->request.multipv = 2;
    analyst_search_depth(analyst, 60);
    check_blocks(2, 60);
}
END_TEST

/* A mate that comes too late for the fifty-move rule is worth an evaluation's most, and no more
 * than a win by tablebase when it is told. */
START_TEST(an_evaluation_is_told_below_a_proved_win)
{
    static const char *const fens[] = {"8/8/8/8/8/k7/8/K6R w - - 80 80",
                                       "8/8/8/8/8/k7/8/K6R w - - 86 80"};
    for (unsigned n = 0; n < 2; n++) {
        analyst_set(analyst, fens[n], "");
        analyst_search_depth(analyst, 14);
        for (unsigned i = 0; i < analyst->line_count; i++) {
            const struct rk_report *line = &analyst->lines[i];
            ck_assert(line->is_mate || abs(line->score) < 20000 - PLY_MAX);
        }
    }
}
END_TEST

/* Its nodes end in the first depth: what it tells of it is no block of another depth. */
START_TEST(a_weak_player_tells_no_part_of_a_later_block)
{
    analyst_set(analyst, BUSY, "");
    for (unsigned elo = RK_ELO_MIN; elo <= RK_ELO_MAX; elo += 100) {
        analyst->request.elo = elo;
        analyst->request.multipv = 256;
        analyst_search(analyst);
        for (unsigned i = 0; i < analyst->line_count; i++) {
            const struct rk_report *line = &analyst->lines[i];
            if (line->block_end && line->depth > 1)
                ck_assert_int_eq(line->multipv, analyst->worker->root_count);
        }
    }
}
END_TEST

START_TEST(the_iteration_hook_ends_the_search)
{
    analyst_set(analyst, START, "");
    analyst->enough_depth = 5;
    analyst->request.limits = (struct rk_limits){.infinite = true};
    analyst_search(analyst);
    ck_assert_int_eq(analyst->worker->completed_depth, 5);
    ck_assert_uint_eq(analyst->iterations, 5);
    ck_assert_uint_le(analyst->worker->facts.best_effort_permille, 1000);
    ck_assert(!analyst->worker->facts.single_reply);
}
END_TEST

START_TEST(salted_searches_share_nothing)
{
    analyst_set(analyst, BUSY, "");
    analyst_search_depth(analyst, 8);
    const uint64_t nodes = worker_nodes(analyst->worker);
    memory_clear(analyst->memory);
    analyst->request.salt = 1;
    analyst_search_depth(analyst, 8);
    const uint64_t salted = worker_nodes(analyst->worker);
    memory_clear(analyst->memory);
    analyst->request.salt = 0;
    analyst_search_depth(analyst, 8);
    ck_assert_uint_lt(worker_nodes(analyst->worker), nodes / 2);
    ck_assert_uint_gt(salted, nodes / 2);
}
END_TEST

/* A helper tells nothing, skips iterations and obeys no depth; it ends when stopped. */
START_TEST(helpers_search_other_depths)
{
    for (unsigned index = 1; index < 12; index++) {
        analyst_clear(analyst);
        analyst_set(analyst, START, "");
        analyst->worker->index = index;
        analyst->stop_at_nodes = 30000;
        analyst_search_depth(analyst, 3);
        ck_assert_uint_eq(worker_nodes(analyst->worker), 30000);
        ck_assert_int_gt(analyst->worker->completed_depth, 4);
        ck_assert_uint_lt(analyst->iterations, (unsigned)analyst->worker->completed_depth);
        ck_assert_uint_ne(analyst->worker->outcome.best, MOVE_NONE);
    }
    analyst->worker->index = 0;
}
END_TEST

START_TEST(lines_are_legal_in_random_positions)
{
    enum { GAMES = 30, PLIES = 60, DEPTH = 7 };
    uint64_t seed = 5;
    unsigned with_ponder = 0, searched = 0;
    for (int n = 0; n < GAMES; n++) {
        rk_game_set_start(&analyst->game);
        const uint64_t plies = random_below(&seed, PLIES);
        for (uint64_t ply = 0; ply < plies; ply++) {
            rk_move_t moves[RK_MOVES_MAX];
            const size_t count = rk_game_moves(&analyst->game, moves);
            if (count == 0)
                break;
            game_play(&analyst->game, moves[random_below(&seed, count)]);
        }
        if (!movegen_has_any(&analyst->game.position))
            continue;
        analyst_search_depth(analyst, DEPTH);
        for (unsigned i = 0; i < analyst->line_count; i++)
            analyst_check_line(analyst, &analyst->lines[i]);
        searched++;
        with_ponder += analyst->worker->outcome.ponder != MOVE_NONE;
    }
    ck_assert_uint_gt(searched, GAMES / 2);
    ck_assert_uint_gt(with_ponder, searched * 2 / 3);
}
END_TEST

Suite *suite_iterate(void)
{
    Suite *suite = suite_create("iterate");
    TCase *tcase = tcase_create("all");
    tcase_set_tags(tcase, SUITE_TAG_ALONE);
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, nodes_are_exact);
    tcase_add_test(tcase, a_cleared_search_repeats_to_the_node);
    tcase_add_test(tcase, tiny_limits_still_tell_an_exact_line);
    tcase_add_test(tcase, a_stop_before_the_first_line_waits);
    tcase_add_test(tcase, a_weak_player_scores_all_it_chooses_among);
    tcase_add_test(tcase, a_stop_in_the_first_block_waits_for_one_line);
    tcase_add_test(tcase, a_stop_keeps_outcome_and_last_line_together);
    tcase_add_test(tcase, multipv_tells_whole_blocks);
    tcase_add_test(tcase, searchmoves_bind_and_leave_no_root_entry);
    tcase_add_test(tcase, a_root_without_moves_is_left_alone);
    tcase_add_test(tcase, a_root_already_drawn_is_searched);
    tcase_add_test(tcase, a_past_of_many_reversible_plies_is_carried);
    tcase_add_test(tcase, go_mate_ends_with_the_mate);
    tcase_add_test(tcase, a_mate_in_one_floods_nobody);
    tcase_add_test(tcase, a_mate_in_one_silences_no_other_line);
    tcase_add_test(tcase, an_evaluation_is_told_below_a_proved_win);
    tcase_add_test(tcase, a_weak_player_tells_no_part_of_a_later_block);
    tcase_add_test(tcase, the_iteration_hook_ends_the_search);
    tcase_add_test(tcase, salted_searches_share_nothing);
    tcase_add_test(tcase, helpers_search_other_depths);
    tcase_add_test(tcase, lines_are_legal_in_random_positions);
    suite_add_tcase(suite, tcase);
    return suite;
}
