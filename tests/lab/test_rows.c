/* Rows as data, and as what sets two players of one process apart. In a build for tuning they do;
 * in every other a row is a constant, and nothing can be set. */
#include "engine/rows.h"

#include <pthread.h>
#include <string.h>

#include "chess/game.h"
#include "lab/player_options.h"
#include "lab/suites.h"

enum { DEPTH = 9, POSITIONS = 3, ROUNDS = 2, EDGE_NODES = 300 };

static const char *const FENS[POSITIONS] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w kq - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"};

/* What a player counts on each position. */
struct counts {
    uint64_t nodes[POSITIONS];
};

/* A game of its own for each position. */
static void count(struct player *player, const struct player_settings *settings, unsigned position,
                  struct counts *counts)
{
    const struct rk_limits limits = {.depth = DEPTH};
    const struct slice fen = slice_of(FENS[position]);
    struct player_answer answer;
    struct rk_game game;
    ck_assert_int_eq(rk_game_set_fen(&game, fen.bytes, fen.length), RK_OK);
    ck_assert_int_eq(player_begin(player, settings, 1), RK_OK);
    player_think(player, &game, &limits, &answer);
    counts->nodes[position] = answer.nodes;
}

static struct player_settings settings[2];
static struct player *players[2];

static void setup(void)
{
    unsigned row;
    for (unsigned i = 0; i < 2; i++) {
        player_settings_default(&settings[i]);
        settings[i].hash_mib = 1;
        ck_assert_int_eq(player_create(1, NULL, &players[i]), RK_OK);
    }
    ck_assert(row_find(slice_of("reduction_quiet_base"), &row));
    ck_assert(rows_set(&settings[1].rows, row, 0));
    ck_assert(row_find(slice_of("FUTILITY_SLOPE"), &row));
    ck_assert(rows_set(&settings[1].rows, row, 200));
}

static void teardown(void)
{
    player_destroy(players[0]);
    player_destroy(players[1]);
}

START_TEST(each_row_has_a_name_of_its_own_and_stands_in_its_range)
{
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        const struct row *row = row_at(i);
        unsigned found;
        ck_assert_uint_eq(strspn(row->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
                          strlen(row->name));
        ck_assert_msg(row->low < row->high && row->value >= row->low && row->value <= row->high,
                      "%s", row->name);
        ck_assert(row_find(slice_of(row->name), &found));
        ck_assert_uint_eq(found, i);
    }
    unsigned found = ROW_COUNT;
    ck_assert(!row_find(slice_of("RAZOR"), &found));
    ck_assert_uint_eq(found, ROW_COUNT);
}
END_TEST

START_TEST(a_row_is_set_within_its_range)
{
    struct rows rows = {{0}};
    const struct row *row = row_at(ROW_RAZOR_BASE);
    ck_assert_int_eq(rows_value(&rows, ROW_RAZOR_BASE), row->value);
    ck_assert(rows_set(&rows, ROW_RAZOR_BASE, row->high));
    ck_assert(!rows_set(&rows, ROW_RAZOR_BASE, row->high + 1));
    ck_assert(!rows_set(&rows, ROW_RAZOR_BASE, row->low - 1));
    ck_assert(!rows_set(&rows, ROW_RAZOR_BASE, INT64_MAX));
    ck_assert_int_eq(rows_value(&rows, ROW_RAZOR_BASE), row->high);
    ck_assert_int_eq(rows_value(&rows, ROW_RAZOR_BASE + 1), row_at(ROW_RAZOR_BASE + 1)->value);
}
END_TEST

START_TEST(rows_are_options_where_they_can_be_set)
{
    struct player_settings set = settings[0];
    struct player_options_fault bad;
    const bool is_set = player_settings_parse(&set, slice_of("Hash=2\nRazor_Base = 77\n"), &bad);
    ck_assert_int_eq(is_set, ROWS_ARE_FREE);
    ck_assert_int_eq(rows_value(&set.rows, ROW_RAZOR_BASE),
                     ROWS_ARE_FREE ? 77 : row_at(ROW_RAZOR_BASE)->value);
    ck_assert(!player_settings_parse(&set, slice_of("RAZOR_BASE=100000"), &bad));
    ck_assert(!player_settings_parse(&set, slice_of("RAZOR_BASE=x"), &bad));
    ck_assert(!player_settings_parse(&set, slice_of("RAZOR=1"), &bad));
}
END_TEST

static bool is_legal(const struct rk_game *game, rk_move_t move)
{
    rk_move_t moves[RK_MOVES_MAX];
    const size_t count = rk_game_moves(game, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move)
            return true;
    return false;
}

/* Two moves on a clock, of each game: the second one with a memory that has aged. */
static void search_by(const struct player_settings *edge, const char *what)
{
    const struct rk_limits limits = {.has_clock = {true, true},
                                     .time_ms = {60000, 60000},
                                     .inc_ms = {1000, 1000},
                                     .overhead_ms = 700,
                                     .nodes = EDGE_NODES};
    for (unsigned position = 0; position < POSITIONS; position++) {
        const struct slice fen = slice_of(FENS[position]);
        struct player_answer answer;
        struct rk_game game;
        ck_assert_int_eq(rk_game_set_fen(&game, fen.bytes, fen.length), RK_OK);
        ck_assert_int_eq(player_begin(players[0], edge, 1), RK_OK);
        for (unsigned round = 0; round < ROUNDS; round++) {
            player_think(players[0], &game, &limits, &answer);
            ck_assert_msg(is_legal(&game, answer.move), "%s", what);
            game_play(&game, answer.move);
        }
    }
}

/* Nothing is divided by 0, no score leaves its cell, no depth its bounds. */
START_TEST(a_search_ends_well_wherever_a_row_stands)
{
    struct player_settings edges[2] = {settings[0], settings[0]};
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        const struct row *row = row_at(i);
        ck_assert(rows_set(&edges[0].rows, i, row->low) && rows_set(&edges[1].rows, i, row->high));
        for (unsigned edge = 0; edge < 2 && ROWS_ARE_FREE; edge++) {
            struct player_settings one = settings[0];
            one.rows.added[i] = edges[edge].rows.added[i];
            search_by(&one, row->name);
        }
    }
    search_by(&edges[0], "the least of all");
    search_by(&edges[1], "the greatest of all");
}
END_TEST

/* Taking turns on one thread. */
START_TEST(players_differ_by_their_rows_and_by_nobody_elses)
{
    struct counts alone[2], turns[2];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned position = 0; position < POSITIONS; position++)
            count(players[i], &settings[i], position, &alone[i]);
    for (unsigned position = 0; position < POSITIONS; position++)
        for (unsigned i = 0; i < 2; i++)
            count(players[i], &settings[i], position, &turns[i]);
    for (unsigned position = 0; position < POSITIONS; position++) {
        ck_assert_uint_eq(turns[0].nodes[position], alone[0].nodes[position]);
        ck_assert_uint_eq(turns[1].nodes[position], alone[1].nodes[position]);
        ck_assert_int_eq(alone[0].nodes[position] != alone[1].nodes[position], ROWS_ARE_FREE);
    }
}
END_TEST

struct hand {
    unsigned player;
    struct counts counts[ROUNDS];
};

static void *hand_run(void *context)
{
    struct hand *hand = context;
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned position = 0; position < POSITIONS; position++)
            count(players[hand->player], &settings[hand->player], position, &hand->counts[round]);
    return NULL;
}

START_TEST(players_on_two_threads_do_not_see_each_other)
{
    struct counts alone[2];
    struct hand hands[2] = {{.player = 0}, {.player = 1}};
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; i++)
        for (unsigned position = 0; position < POSITIONS; position++)
            count(players[i], &settings[i], position, &alone[i]);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, hand_run, &hands[i]), 0);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
        for (unsigned round = 0; round < ROUNDS; round++)
            for (unsigned position = 0; position < POSITIONS; position++)
                ck_assert_uint_eq(hands[i].counts[round].nodes[position], alone[i].nodes[position]);
    }
}
END_TEST

Suite *suite_rows(void)
{
    Suite *suite = suite_create("rows");
    TCase *tcase = tcase_create("rows");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, each_row_has_a_name_of_its_own_and_stands_in_its_range);
    tcase_add_test(tcase, a_row_is_set_within_its_range);
    tcase_add_test(tcase, rows_are_options_where_they_can_be_set);
    tcase_add_test(tcase, a_search_ends_well_wherever_a_row_stands);
    tcase_add_test(tcase, players_differ_by_their_rows_and_by_nobody_elses);
    tcase_add_test(tcase, players_on_two_threads_do_not_see_each_other);
    suite_add_tcase(suite, tcase);
    return suite;
}
