#include "load/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "load/suites.h"

#define ROW    " nodes 20 nps 1000 hashfull 1 tbhits 0 time 3 pv "
#define INFO   "info depth 2 seldepth 3 multipv 1 score cp 12" ROW
#define SECOND "info depth 2 seldepth 3 multipv 2 score cp 10" ROW

static struct ledger *ledger;
static struct rk_game *game;

static void setup(void)
{
    ledger = malloc(sizeof(*ledger));
    ck_assert(ledger != NULL && ledger_create(ledger) == RK_OK);
    ck_assert(rk_game_create(&game) == RK_OK);
}

static void teardown(void)
{
    ledger_destroy(ledger);
    free(ledger);
    rk_game_destroy(game);
}

static struct question ask(void)
{
    return (struct question){.game = game, .lines = 1, .due_us = INT64_MAX};
}

static void go(void)
{
    const struct question question = ask();
    ledger_go(ledger, &question, 1000);
}

static enum ledger_event hear(const char *line)
{
    return ledger_line(ledger, slice_of(line), 5000);
}

static void expect_fault(const char *line, const char *what)
{
    ck_assert_msg(hear(line) == LEDGER_FAULT, "taken: %s", line);
    ck_assert_msg(strstr(ledger->fault, what) != NULL, "%s", ledger->fault);
}

START_TEST(a_good_answer_is_taken)
{
    go();
    ck_assert_int_eq(hear(INFO "e2e4 e7e5"), LEDGER_INFO);
    ck_assert_int_eq(hear("bestmove e2e4 ponder e7e5"), LEDGER_BESTMOVE);
    ck_assert(ledger_is_settled(ledger));
    ck_assert_int_eq(ledger->answer.took_us, 4000);
    ck_assert_uint_eq(ledger->answer.nodes, 20);
}
END_TEST

START_TEST(an_answer_too_many_is_a_fault)
{
    go();
    (void)hear(INFO "e2e4");
    ck_assert_int_eq(hear("bestmove e2e4"), LEDGER_BESTMOVE);
    expect_fault("bestmove e2e4", "without a go");
    expect_fault(INFO "e2e4", "nobody asked");
    expect_fault("readyok", "answer to nothing");
    expect_fault("uciok", "answer to nothing");
    expect_fault("id name Rookery", "nobody asked");
    ledger_ready(ledger, 0);
    ck_assert_int_eq(hear("readyok"), LEDGER_READY);
    expect_fault("readyok", "answer to nothing");
}
END_TEST

START_TEST(a_bestmove_that_is_wrong_is_a_fault)
{
    static const struct {
        const char *line;
        const char *what;
    } WRONG[] = {
        {"bestmove e2e5", "none of the moves"},
        {"bestmove e7e5", "none of the moves"},
        {"bestmove (none)", "wrong here"},
        {"bestmove d2d4", "not the move of the newest score"},
        {"bestmove e2e4 ponder e2e4", "illegal ponder"},
        {"bestmove e2e4 e7e5", "no known shape"},
        {"bestmove", "no known shape"},
    };
    for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
        ledger_clear(ledger);
        go();
        (void)hear(INFO "e2e4");
        expect_fault(WRONG[i].line, WRONG[i].what);
    }
    ledger_clear(ledger);
    go();
    expect_fault("bestmove e2e4", "without a score");
}
END_TEST

START_TEST(a_line_that_is_wrong_is_a_fault)
{
    static const struct {
        const char *line;
        const char *what;
    } WRONG[] = {
        {INFO "e2e5", "nobody asked for"},
        {SECOND "d2d4", "out of order"},
        {"info depth 2 seldepth 3 multipv 1 score cp 1 wdl 1 998 1" ROW "e2e4", "wdl"},
        {"info depth 2 seldepth 3 multipv 1 score cp 1 wdl 1 999 1" ROW "e2e4", "no known shape"},
        {"info depth 0 score cp 0", "moves are left"},
        {"info depth 2 multipv 1 score cp 1" ROW "e2e4", "no known shape"},
        {INFO, "no known shape"},
        {"", "no known shape"},
        {"readyok ", "no known shape"},
        {"info string caf\xc3\xa9", "no known shape"},
    };
    for (size_t i = 0; i < sizeof(WRONG) / sizeof(WRONG[0]); i++) {
        ledger_clear(ledger);
        go();
        expect_fault(WRONG[i].line, WRONG[i].what);
    }
}
END_TEST

START_TEST(variations_are_played_out)
{
    bool is_found = false;
    go();
    for (int i = 0; i < 20 * LEDGER_PV_EVERY; i++)
        is_found |= hear(INFO "e2e4 e7e5 e4e5") == LEDGER_FAULT;
    ck_assert(is_found);
}
END_TEST

START_TEST(an_open_search_waits_for_stop_or_the_next_go)
{
    struct question question = ask();
    question.is_open = true;
    ledger_go(ledger, &question, 0);
    (void)hear(INFO "e2e4");
    ck_assert(ledger_wants_stop(ledger));
    ck_assert_int_eq(ledger_deadline_us(ledger, 10), INT64_MAX);
    expect_fault("bestmove e2e4", "before stop");
    ledger_go(ledger, &question, 0);
    (void)hear(INFO "e2e4");
    ledger_stop(ledger, 3000);
    ck_assert_int_eq(ledger_deadline_us(ledger, 10), 3010);
    ck_assert_int_eq(hear("bestmove e2e4"), LEDGER_BESTMOVE);
    ck_assert_int_eq(ledger->answer.after_stop_us, 2000);
    ledger_go(ledger, &question, 0);
    ledger_go(ledger, &question, 0);
    (void)hear(INFO "e2e4");
    ck_assert_int_eq(hear("bestmove e2e4"), LEDGER_BESTMOVE);
    (void)hear(INFO "e2e4");
    expect_fault("bestmove e2e4", "before stop");
}
END_TEST

START_TEST(searchmoves_and_the_way_of_castling_bind)
{
    static const char FEN[] = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    ck_assert(rk_game_set_fen(game, FEN, strlen(FEN)) == RK_OK);
    rk_move_t castle = RK_MOVE_NONE;
    ck_assert(rk_game_parse_move(game, "e1g1", 4, &castle) == RK_OK);
    struct question question = ask();
    question.searchmoves = &castle;
    question.searchmove_count = 1;
    ledger_go(ledger, &question, 0);
    expect_fault(INFO "h1h8", "nobody asked for");
    expect_fault(INFO "e1h1", "nobody asked for");
    ck_assert_int_eq(hear(INFO "e1g1"), LEDGER_INFO);
    question.chess960 = true;
    ledger_clear(ledger);
    ledger_go(ledger, &question, 0);
    expect_fault(INFO "e1g1", "nobody asked for");
    ck_assert_int_eq(hear(INFO "e1h1"), LEDGER_INFO);
}
END_TEST

START_TEST(lines_of_a_depth_come_in_order)
{
    struct question question = ask();
    question.lines = 2;
    ledger_go(ledger, &question, 0);
    ck_assert_int_eq(hear(INFO "e2e4"), LEDGER_INFO);
    ck_assert_int_eq(hear(SECOND "d2d4"), LEDGER_INFO);
    expect_fault(SECOND "d2d4", "out of order");
    ck_assert_int_eq(hear("info depth 3 seldepth 3 multipv 1 score mate 3" ROW "e2e4"),
                     LEDGER_INFO);
    expect_fault(SECOND "d2d4", "out of order");
    expect_fault("info depth 3 seldepth 3 multipv 3 score cp 1" ROW "d2d4", "out of order");
}
END_TEST

START_TEST(no_move_is_an_answer_where_there_is_none)
{
    static const char MATED[] = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    ck_assert(rk_game_set_fen(game, MATED, strlen(MATED)) == RK_OK);
    go();
    ck_assert_int_eq(hear("info depth 0 score cp 0"), LEDGER_INFO);
    ck_assert_int_eq(hear("bestmove (none)"), LEDGER_BESTMOVE);
    ck_assert_uint_eq(ledger->answer.move, RK_MOVE_NONE);
}
END_TEST

START_TEST(what_is_overdue_is_known)
{
    struct question question = ask();
    question.due_us = 500;
    ledger_go(ledger, &question, 100);
    ck_assert_int_eq(ledger_deadline_us(ledger, 50), 550);
    (void)hear(INFO "e2e4");
    (void)hear("bestmove e2e4");
    ck_assert_int_eq(ledger->answer.late_us, 4500);
    ck_assert_int_eq(ledger_deadline_us(ledger, 50), INT64_MAX);
    ledger_ready(ledger, 7000);
    ck_assert_int_eq(ledger_deadline_us(ledger, 50), 7050);
}
END_TEST

Suite *suite_ledger(void)
{
    Suite *suite = suite_create("ledger");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_good_answer_is_taken);
    tcase_add_test(tcase, an_answer_too_many_is_a_fault);
    tcase_add_test(tcase, a_bestmove_that_is_wrong_is_a_fault);
    tcase_add_test(tcase, a_line_that_is_wrong_is_a_fault);
    tcase_add_test(tcase, variations_are_played_out);
    tcase_add_test(tcase, an_open_search_waits_for_stop_or_the_next_go);
    tcase_add_test(tcase, searchmoves_and_the_way_of_castling_bind);
    tcase_add_test(tcase, lines_of_a_depth_come_in_order);
    tcase_add_test(tcase, no_move_is_an_answer_where_there_is_none);
    tcase_add_test(tcase, what_is_overdue_is_known);
    suite_add_tcase(suite, tcase);
    return suite;
}
