/* Whatever was evaluated before, a position's evaluation is what its file says. */
#include "engine/nnue.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "engine/analyst.h"
#include "engine/paper_sum.h"
#include "engine/suites.h"
#include "engine/walks.h"
#include "support/paper_network.h"

enum { LINE_PLIES = 40, ROUNDS = 6, DEEP = PLY_MAX };

static const struct paper_shape SHAPES[] = {{1, 32, 1, 400, "small", 300},
                                            {5, 48, 4, 400, "areas and buckets", 500},
                                            {32, 64, 8, 133, "every square its area", 900},
                                            {2, 256, 3, 800, "wide", 200}};
enum { SHAPE_COUNT = sizeof SHAPES / sizeof *SHAPES };

static uint8_t *file;
static struct rk_network *network;
static struct accumulators *accumulators;

static void load(uint8_t *bytes, size_t length)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX] = "";
    file = bytes;
    ck_assert_msg(network_parse(file, length, &network, error) == RK_OK, "%s", error);
    accumulators = accumulators_create(network);
    ck_assert_ptr_nonnull(accumulators);
}

static void load_shape(int shape)
{
    size_t length;
    uint8_t *bytes = paper_network(&SHAPES[shape], (uint64_t)shape + 1, &length);
    load(bytes, length);
}

static void unload(void)
{
    accumulators_destroy(accumulators);
    network_destroy(network);
    memory_free(file);
    accumulators = NULL;
    network = NULL;
    file = NULL;
}

static void expect_right(const struct position *position, const zkey_t *line, int ply)
{
    const score_t right = paper_sum(file, position);
    ck_assert_int_eq(nnue_alone(network, position), right);
    ck_assert_int_eq(nnue_at(accumulators, position, line, ply), right);
}

/* Lines as a search walks them: on by moves or a passed turn, not every ply evaluated, back to any
 * ply and on another way. */
START_TEST(lines_are_right)
{
    load_shape(_i);
    uint64_t seed = 7;
    struct position *plies = memory_allocate((LINE_PLIES + 1) * sizeof *plies);
    for (unsigned start = 0; start < WALK_START_COUNT; start++) {
        zkey_t line[LINE_PLIES + 1];
        int ply = 0;
        walk_begin(&plies[0], start);
        for (unsigned round = 0; round < ROUNDS; round++) {
            while (ply < LINE_PLIES) {
                line[ply] = plies[ply].key;
                if (random_below(&seed, 3) != 0)
                    expect_right(&plies[ply], line, ply);
                plies[ply + 1] = plies[ply];
                if (plies[ply].checkers == 0 && random_below(&seed, 8) == 0)
                    position_after_null(&plies[ply + 1], &plies[ply]);
                else if (!walk_step(&plies[ply + 1], &seed))
                    break;
                ply++;
            }
            ply = (int)random_below(&seed, (uint64_t)ply + 1);
        }
    }
    memory_free(plies);
    unload();
}
END_TEST

/* Positions that have nothing to do with each other, at any ply, under keys that lie. */
START_TEST(leaps_are_right)
{
    load_shape(_i);
    uint64_t seed = 3;
    zkey_t *line = memory_allocate((DEEP + 1) * sizeof *line);
    for (unsigned i = 0; i < 120; i++) {
        struct position position;
        walk_begin(&position, i);
        for (uint64_t steps = random_below(&seed, 60); steps > 0 && walk_step(&position, &seed);)
            steps--;
        const int ply = random_below(&seed, 2) == 0 ? (int)random_below(&seed, DEEP + 1)
                                                    : (int)random_below(&seed, 3);
        line[ply] = position.key;
        expect_right(&position, line, ply);
    }
    memory_free(line);
    unload();
}
END_TEST

static void play(struct rk_game *game, const char *fen, const char *moves)
{
    zkey_t line[LINE_PLIES];
    ck_assert_int_eq(rk_game_set_fen(game, fen, strlen(fen)), RK_OK);
    for (int ply = 0;; ply++) {
        line[ply] = game->position.key;
        expect_right(&game->position, line, ply);
        const size_t length = strcspn(moves, " ");
        if (length == 0)
            return;
        ck_assert_msg(rk_game_play(game, moves, length) == RK_OK, "%s: %s", fen, moves);
        moves += length + (moves[length] == ' ');
    }
}

/* The moves that change more than two squares, and kings that cross the middle. */
START_TEST(rare_moves_are_right)
{
    struct rk_game *game;
    load_shape(_i);
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    play(game, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8 g1f2 c8b8 f2e3 b8c7 e3e4");
    play(game, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
         "e8g8 e1c1 g8f7 c1d2 f7e6 d2d3 e6d6 d3e3 d6c6");
    /* Chess960: both men change places; the king stays; the rook stays. */
    play(game, "4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1 e8d8 g1f2 d8e8 f2e1");
    play(game, "4k3/8/8/8/8/8/8/1R4KR w HB - 0 1", "g1h1 e8e7");
    play(game, "4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1 e8e7");
    play(game, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6 e8d7 e1d1");
    play(game, "1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1", "a7a8q a2b1n a8b8 e8d7 b8b1");
    play(game, "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8r e8d7 e1d1 d7e6");
    rk_game_destroy(game);
    unload();
}
END_TEST

/* A side's view of its own men is the other's of its own: colors exchanged, nothing changes. */
START_TEST(colors_are_alike)
{
    static const char *const pairs[][2] = {
        {"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w - - 0 1",
         "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b - - 0 1"},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1"}};
    load_shape(_i);
    for (unsigned i = 0; i < 2; i++) {
        struct position position;
        score_t scores[2];
        for (unsigned k = 0; k < 2; k++) {
            ck_assert_int_eq(fen_parse(pairs[i][k], strlen(pairs[i][k]), &position), RK_OK);
            scores[k] = nnue_alone(network, &position);
        }
        ck_assert_int_eq(scores[0], scores[1]);
    }
    unload();
}
END_TEST

/* In a search evaluations are checked against some from nothing (ASSERT in nnue_at). What it
 * counts depends on nothing but the network. */
START_TEST(searches_stand_on_it)
{
    size_t length;
    uint8_t *bytes = paper_network_material(32, 5, &length);
    load(bytes, length);
    struct analyst *analyst = analyst_create();
    ck_assert_int_eq(evaluator_set(&analyst->worker->evaluator, network), RK_OK);
    uint64_t nodes = 0;
    for (unsigned round = 0; round < 2; round++) {
        analyst_clear(analyst);
        analyst_set(analyst, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                    "");
        analyst_search_depth(analyst, 6);
        analyst_check_line(analyst, analyst_last(analyst));
        ck_assert(round == 0 || nodes == analyst_last(analyst)->nodes);
        nodes = analyst_last(analyst)->nodes;
        /* It takes a queen that stands there. */
        analyst_clear(analyst);
        analyst_set(analyst, "4k3/8/2p5/3q4/4P3/8/5PPP/6K1 w - - 0 1", "");
        analyst_search_depth(analyst, 4);
        ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, "e4d5"));
    }
    analyst_destroy(analyst);
    unload();
}
END_TEST

/* Through the doors: one network for two searches on two threads each. */
START_TEST(engines_share_it)
{
    size_t length;
    uint8_t *bytes = paper_network_material(32, 5, &length);
    load(bytes, length);
    struct rk_game *game;
    struct rk_engine *engine;
    const struct rk_engine_options options = {.size = sizeof options,
                                              .searches_max = 2,
                                              .threads = 2,
                                              .table_mib = 1,
                                              .network = network};
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    ck_assert_int_eq(rk_engine_create(&options, &engine), RK_OK);
    const struct rk_request request = {.size = sizeof request, .game = game, .limits.depth = 7};
    rk_ticket_t tickets[2];
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(rk_engine_start(engine, &request, &tickets[i]), RK_OK);
    for (unsigned verdicts = 0; verdicts < 2;) {
        struct rk_report report;
        if (rk_engine_poll(engine, &report))
            verdicts += report.kind == RK_REPORT_VERDICT;
    }
    rk_engine_destroy(engine);
    ck_assert_int_eq(rk_evaluate(game, network), eval_centipawns(paper_sum(file, &game->position)));
    rk_game_destroy(game);
    unload();
}
END_TEST

/* However loud, an evaluation is none of a tablebase or a mate. */
START_TEST(evaluations_stay_within_bounds)
{
    size_t length;
    const struct paper_shape shape = {1, 256, 1, 10000, "loud", 900};
    uint8_t *bytes = paper_network(&shape, 4, &length);
    int least = 0, most = 0;
    load(bytes, length);
    for (unsigned start = 0; start < WALK_START_COUNT; start++) {
        struct position position;
        walk_begin(&position, start);
        const score_t score = nnue_alone(network, &position);
        ck_assert_int_eq(score, paper_sum(file, &position));
        least = score < least ? score : least;
        most = score > most ? score : most;
    }
    ck_assert(least == -SCORE_EVAL_MAX || most == SCORE_EVAL_MAX);
    ck_assert(least >= -SCORE_EVAL_MAX && most <= SCORE_EVAL_MAX);
    unload();
}
END_TEST

Suite *suite_nnue(void)
{
    Suite *suite = suite_create("nnue");
    TCase *tests = tcase_create("nnue");
    tcase_add_loop_test(tests, leaps_are_right, 0, SHAPE_COUNT);
    tcase_add_loop_test(tests, rare_moves_are_right, 0, SHAPE_COUNT);
    tcase_add_loop_test(tests, colors_are_alike, 0, SHAPE_COUNT);
    tcase_add_test(tests, searches_stand_on_it);
    tcase_add_test(tests, engines_share_it);
    tcase_add_test(tests, evaluations_stay_within_bounds);
    suite_add_tcase(suite, tests);
    TCase *alone = tcase_create("alone");
    tcase_set_tags(alone, SUITE_TAG_ALONE);
    tcase_add_loop_test(alone, lines_are_right, 0, SHAPE_COUNT);
    suite_add_tcase(suite, alone);
    return suite;
}
