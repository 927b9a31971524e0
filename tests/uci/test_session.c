#include <stdio.h>
#include <string.h>

#include "uci/suites.h"
#include "uci/talk.h"

static struct fake_host *owner; /* A client that owns its engine. */
static struct fake_host *guest; /* One client among many. */

static void setup(void)
{
    owner = fake_host_create(true);
    guest = fake_host_create(false);
}

static void teardown(void)
{
    fake_host_destroy(owner);
    fake_host_destroy(guest);
}

/* ---- position ---- */

static void expect_game(const struct fake_host *fake, const char *wanted)
{
    char fen[RK_FEN_BYTES_MAX];
    (void)rk_game_fen(rk_session_game(fake->session), false, fen);
    ck_assert_str_eq(fen, wanted);
}

START_TEST(a_refused_position_changes_nothing)
{
    static const char after[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    fake_host_line(guest, "position startpos moves e2e4");
    expect_game(guest, after);
    fake_host_line(guest, "position fen blah");
    fake_host_line(guest, "position startpos moves d2d4 a1f8");
    fake_host_line(guest, "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1");
    fake_host_line(guest, "position");
    expect_game(guest, after);
    ck_assert_uint_eq(guest->info_strings, 4);
    fake_host_line(guest, "go depth 1");
    ck_assert(!rk_game_white_to_move(guest->game));
}
END_TEST

START_TEST(a_position_during_a_search_is_for_the_next_one)
{
    fake_host_line(guest, "go infinite");
    fake_host_tick(guest);
    fake_host_line(guest, "position startpos moves d2d4");
    ck_assert(rk_game_white_to_move(guest->game));
    fake_host_line(guest, "stop");
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "go depth 1");
    ck_assert(!rk_game_white_to_move(guest->game));
}
END_TEST

START_TEST(thousands_of_moves_in_one_line)
{
    static char line[LINE_BYTES_MAX];
    size_t length = (size_t)snprintf(line, sizeof line, "position startpos moves");
    unsigned moves = 0;
    static const char *const cycle[] = {" g1f3", " g8f6", " f3g1", " f6g8"};
    while (length + 6 < sizeof line) {
        memcpy(line + length, cycle[moves++ % 4], 5);
        length += 5;
    }
    line[length] = '\0';
    ck_assert_uint_ge(moves, 13000);
    fake_host_line(guest, line);
    talk_expect_silence(guest);
    ck_assert(rk_game_outcome(rk_session_game(guest->session)) != RK_GAME_OPEN);
}
END_TEST

/* ---- what a request carries ---- */

START_TEST(options_and_limits_reach_the_request)
{
    fake_host_line(guest, "setoption name MultiPV value 3");
    fake_host_line(guest, "setoption name Move Overhead value 250");
    fake_host_line(guest, "go wtime 5000 btime 4000 winc 30 binc 20 movestogo 9 nodes 77");
    const struct rk_request *request = &guest->request;
    ck_assert_uint_eq(request->multipv, 3);
    ck_assert_uint_eq(request->limits.overhead_ms, 250);
    ck_assert_int_eq(request->limits.time_ms[1], 4000);
    ck_assert_int_eq(request->limits.inc_ms[0], 30);
    ck_assert_uint_eq(request->limits.moves_to_go, 9);
    ck_assert_uint_eq(request->limits.nodes, 77);
    ck_assert(!request->limits.infinite && !request->limits.ponder);
    ck_assert_int_eq(request->arrived_us, guest->now_us);
    ck_assert_uint_eq(request->elo, 0);
    ck_assert_uint_eq(request->salt, 0);
    ck_assert_uint_eq(request->threads, 2); /* The most a client may have. */
}
END_TEST

START_TEST(a_go_without_limits_is_infinite)
{
    fake_host_line(guest, "go");
    ck_assert(guest->request.limits.infinite);
    fake_host_line(guest, "stop");
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "go depth 0");
    ck_assert(!guest->request.limits.infinite);
    ck_assert_uint_eq(guest->request.limits.depth, 1);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "go depth 0 wtime 1000 btime 1000");
    ck_assert_uint_eq(guest->request.limits.depth, 0);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "go depth 0 infinite");
    ck_assert_uint_eq(guest->request.limits.depth, 0);
    ck_assert(guest->request.limits.infinite);
}
END_TEST

START_TEST(one_clock_stands_for_both)
{
    fake_host_line(guest, "go btime 100");
    ck_assert(guest->request.limits.has_clock[0]);
    ck_assert_int_eq(guest->request.limits.time_ms[0], 100);
    ck_assert(!guest->request.limits.infinite);
}
END_TEST

/* ---- the order of things ---- */

START_TEST(a_go_behind_an_open_search_ends_it)
{
    fake_host_line(guest, "go infinite searchmoves e2e4");
    fake_host_line(guest, "go depth 1 searchmoves d2d4");
    ck_assert_uint_eq(guest->stops, 1);
    fake_host_tick_until_idle(guest);
    talk_expect_bestmove(guest, "e2e4");
    talk_expect_bestmove(guest, "d2d4");
    ck_assert_uint_eq(guest->bestmoves, 2);
}
END_TEST

START_TEST(a_pending_go_keeps_its_own_game)
{
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "position startpos moves e2e4");
    fake_host_line(guest, "go depth 1");
    fake_host_line(guest, "position startpos moves e2e4 e7e5 g1f3 b8c6");
    fake_host_tick(guest);
    ck_assert_uint_eq(guest->goes, 2);
    char fen[RK_FEN_BYTES_MAX];
    (void)rk_game_fen(guest->game, false, fen);
    ck_assert_str_eq(fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}
END_TEST

START_TEST(a_go_behind_a_bounded_search_waits)
{
    fake_host_line(guest, "go depth 5 searchmoves e2e4");
    fake_host_line(guest, "go depth 1 searchmoves d2d4");
    ck_assert_uint_eq(guest->stops, 0);
    ck_assert(!guest->is_later);
    fake_host_line(guest, "go depth 1 searchmoves c2c4");
    ck_assert(guest->is_later);
    fake_host_tick_until_idle(guest);
    ck_assert(!guest->is_later);
    talk_expect_bestmove(guest, "e2e4");
    talk_expect_bestmove(guest, "d2d4");
    talk_expect_bestmove(guest, "c2c4");
}
END_TEST

/* That it waits is said once, however often it is fed. */
START_TEST(a_line_that_must_wait_changes_nothing)
{
    fake_host_line(guest, "go depth 5");
    fake_host_line(guest, "go depth 5");
    talk_skip(guest);
    static const char third[] = "go depth nonsense searchmoves e2e5";
    for (int i = 0; i < 3; i++)
        ck_assert(rk_session_line(guest->session, third, sizeof third - 1, 0) == RK_LATER);
    talk_expect(guest, "info string two searches a client: this go waits until one has ended");
    talk_expect_silence(guest);
    ck_assert_uint_eq(guest->goes, 1);
}
END_TEST

static enum rk_urgency urgency(const char *line) { return rk_session_urgency(line, strlen(line)); }

START_TEST(few_lines_are_urgent)
{
    ck_assert_int_eq(urgency("isready"), RK_URGENCY_READY);
    ck_assert_int_eq(urgency("  joho isready \r"), RK_URGENCY_READY);
    ck_assert_int_eq(urgency("stop"), RK_URGENCY_STOP);
    ck_assert_int_eq(urgency("\tquit"), RK_URGENCY_QUIT);
    ck_assert_int_eq(urgency(""), RK_URGENCY_NONE);
    ck_assert_int_eq(urgency("go infinite"), RK_URGENCY_NONE);
    ck_assert_int_eq(urgency("position startpos"), RK_URGENCY_NONE);
    ck_assert_int_eq(urgency("stopp"), RK_URGENCY_NONE);
}
END_TEST

/* A house may keep no second `go`: its line waits. An open search is stopped by it all the same. */
START_TEST(a_house_may_hold_one_go_at_a_time)
{
    struct rk_session_options options = {
        .size = sizeof options, .session = 7, .table_mib = 1, .threads = 1};
    options.searches_per_client = 1;
    rk_session_reset(guest->session, &options);
    fake_host_line(guest, "go infinite searchmoves e2e4");
    fake_host_line(guest, "go depth 3 searchmoves d2d4");
    ck_assert(guest->is_later);
    ck_assert_uint_eq(guest->stops, 1);
    static const char said[] = "info string one search a client: this go waits until it has ended";
    talk_expect(guest, said);
    fake_host_line(guest, "go depth 3 searchmoves c2c4");
    fake_host_tick_until_idle(guest);
    talk_expect_bestmove(guest, "e2e4");
    talk_expect(guest, said);
    talk_expect_bestmove(guest, "d2d4");
    talk_expect_bestmove(guest, "c2c4");
    ck_assert_uint_eq(guest->stops, 1);
}
END_TEST

START_TEST(stop_reaches_the_pending_go)
{
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "stop");
    fake_host_line(guest, "stop");
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->stops, 2);
    ck_assert_uint_eq(guest->bestmoves, 2);
    fake_host_line(guest, "stop");
    ck_assert_uint_eq(guest->stops, 2);
    ck_assert_uint_eq(guest->bestmoves, 2);
}
END_TEST

START_TEST(ponderhit_reaches_the_newest_go)
{
    fake_host_line(guest, "go ponder movetime 5");
    fake_host_line(guest, "go ponder movetime 5"); /* Ends the first. */
    guest->now_us += 1000;
    const int64_t hit_us = guest->now_us;
    fake_host_line(guest, "ponderhit");
    ck_assert_uint_eq(guest->ponderhits, 0);
    fake_host_tick(guest);
    ck_assert_int_eq(guest->request.arrived_us, hit_us);
    ck_assert_uint_eq(guest->goes, 2);
    ck_assert(!guest->request.limits.ponder);
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->bestmoves, 2);
}
END_TEST

START_TEST(a_pondering_search_waits_for_the_hit)
{
    fake_host_line(guest, "go ponder depth 2");
    for (int i = 0; i < 20; i++)
        fake_host_tick(guest);
    ck_assert_uint_eq(guest->bestmoves, 0);
    fake_host_line(guest, "ponderhit");
    ck_assert_uint_eq(guest->ponderhits, 1);
    fake_host_line(guest, "ponderhit");
    ck_assert_uint_eq(guest->ponderhits, 1);
    /* It is bounded now: a go behind it waits. */
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->stops, 0);
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->bestmoves, 2);
}
END_TEST

START_TEST(the_look_of_an_answer_is_that_of_its_go)
{
    static const char castling[] = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    fake_host_line(guest, castling);
    fake_host_line(guest, "go infinite searchmoves e1g1");
    fake_host_line(guest, "setoption name UCI_Chess960 value true");
    fake_host_line(guest, "stop");
    fake_host_tick_until_idle(guest);
    talk_expect_bestmove(guest, "e1g1");
    fake_host_line(guest, "go depth 1 searchmoves e1g1");
    fake_host_tick_until_idle(guest);
    talk_expect_bestmove(guest, "e1h1");
}
END_TEST

START_TEST(input_that_ends_ends_open_searches)
{
    fake_host_line(guest, "go infinite");
    fake_host_end_of_input(guest);
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->bestmoves, 1);
    fake_host_line(owner, "go depth 9");
    fake_host_end_of_input(owner);
    ck_assert_uint_eq(owner->stops, 0);
    fake_host_tick_until_idle(owner);
    ck_assert_uint_eq(owner->bestmoves, 1);
}
END_TEST

/* `infinite` beside it withholds nothing. */
START_TEST(a_count_of_leaves_ends_by_itself)
{
    fake_host_line(guest, "go perft 1 infinite");
    fake_host_line(guest, "go perft 2 ponder");
    fake_host_line(guest, "go depth 1");
    fake_host_end_of_input(guest);
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->perft_totals, 2);
    ck_assert_uint_eq(guest->bestmoves, 1);
}
END_TEST

START_TEST(quit_ends_it_all)
{
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "quit");
    ck_assert(guest->has_quit);
    ck_assert_uint_eq(guest->stops, 1);
    fake_host_tick(guest);
    ck_assert_uint_eq(guest->goes, 1); /* Nobody is there for the second. */
}
END_TEST

START_TEST(a_reset_session_is_a_fresh_one)
{
    fake_host_line(guest, "setoption name MultiPV value 5");
    fake_host_line(guest, "setoption name Clear Hash");
    fake_host_line(guest, "position startpos moves e2e4");
    fake_host_line(guest, "debug on");
    const struct rk_session_options options = {
        .size = sizeof options, .session = 7, .table_mib = 8, .threads = 1};
    rk_session_reset(guest->session, &options);
    talk_skip(guest);
    fake_host_line(guest, "nonsense");
    talk_expect_silence(guest);
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.multipv, 1);
    ck_assert_uint_eq(guest->request.threads, 1);
    ck_assert(guest->request.salt == 0);
    ck_assert(rk_game_white_to_move(guest->game));
}
END_TEST

/* ---- a host that does not help ---- */

START_TEST(a_refused_search_is_answered_all_the_same)
{
    guest->go_status = RK_BUSY;
    fake_host_line(guest, "go depth 5 searchmoves d2d4");
    talk_expect(guest, "info string no search: busy");
    talk_expect(guest,
                "info depth 1 seldepth 1 multipv 1 score cp 0 nodes 0 nps 0 hashfull 0 tbhits 0 "
                "time 0 pv d2d4");
    talk_expect(guest, "bestmove d2d4");
    talk_expect_silence(guest);
    ck_assert(!rk_session_is_searching(guest->session));
    fake_host_line(guest, "position startpos moves f2f3 e7e5 g2g4 d8h4");
    fake_host_line(guest, "go movetime 5");
    talk_expect(guest, "info string no search: busy");
    talk_expect(guest, "info depth 0 score mate 0");
    talk_expect(guest, "bestmove (none)");
    fake_host_line(guest, "go perft 3");
    talk_expect(guest, "info string no search: busy");
    talk_expect_silence(guest);
    ck_assert(!rk_session_is_searching(guest->session));
}
END_TEST

START_TEST(a_refused_open_search_is_answered_at_stop)
{
    guest->go_status = RK_BUSY;
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "isready");
    talk_expect(guest, "info string no search: busy");
    talk_expect(guest, "readyok");
    talk_expect_silence(guest);
    ck_assert(rk_session_is_searching(guest->session));
    fake_host_line(guest, "stop");
    ck_assert_uint_eq(guest->bestmoves, 1);
    fake_host_line(guest, "go ponder");
    fake_host_line(guest, "ponderhit");
    ck_assert_uint_eq(guest->bestmoves, 2);
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "go infinite"); /* Ends the first. */
    ck_assert_uint_eq(guest->bestmoves, 3);
    fake_host_end_of_input(guest);
    ck_assert_uint_eq(guest->bestmoves, 4);
    ck_assert_uint_eq(guest->stops, 0);
}
END_TEST

START_TEST(a_pending_go_may_be_refused)
{
    fake_host_line(guest, "go infinite");
    fake_host_line(guest, "go depth 2");
    guest->go_status = RK_BUSY;
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->bestmoves, 2);
    ck_assert(!rk_session_is_searching(guest->session));
}
END_TEST

START_TEST(a_verdict_without_a_line_still_has_a_score)
{
    guest->sends_nothing = true;
    fake_host_line(guest, "go depth 2");
    fake_host_tick_until_idle(guest);
    ck_assert_uint_eq(guest->bestmoves, 1); /* The fake host has looked for the score. */
}
END_TEST

START_TEST(reports_after_the_verdict_are_not_told)
{
    fake_host_line(guest, "go depth 1");
    fake_host_tick_until_idle(guest);
    talk_skip(guest);
    const struct rk_report late = {.kind = RK_REPORT_LINE, .depth = 3, .multipv = 1};
    rk_session_report(guest->session, &late);
    const struct rk_report twice = {.kind = RK_REPORT_VERDICT};
    rk_session_report(guest->session, &twice);
    talk_expect_silence(guest);
}
END_TEST

/* ---- what is said ---- */

START_TEST(debugging_tells_what_was_not_understood)
{
    fake_host_line(guest, "xboard");
    talk_expect_silence(guest);
    fake_host_line(guest, "debug on");
    fake_host_line(guest, "xboard\x01\xff");
    talk_expect(guest, "info string not understood: 'xboard?"
                       "?'");
    fake_host_line(guest, "   ");
    fake_host_line(guest, "debug off");
    fake_host_line(guest, "xboard");
    talk_expect_silence(guest);
}
END_TEST

START_TEST(what_is_said_is_one_line_of_bounded_length)
{
    char words[1000];
    memset(words, 'x', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    words[3] = '\n';
    rk_session_say(guest->session, words);
    const char *got = fake_host_read(guest);
    ck_assert_ptr_nonnull(got);
    ck_assert_uint_le(strlen(got), sizeof "info string " + 240 + 3);
    ck_assert(strncmp(got, "info string xxx?x", 17) == 0);
    rk_session_say(guest->session, "queued 3");
    talk_expect(guest, "info string queued 3");
}
END_TEST

Suite *suite_session(void)
{
    Suite *suite = suite_create("session");
    TCase *session = tcase_create("session");
    tcase_add_checked_fixture(session, setup, teardown);
    tcase_add_test(session, a_refused_position_changes_nothing);
    tcase_add_test(session, a_position_during_a_search_is_for_the_next_one);
    tcase_add_test(session, thousands_of_moves_in_one_line);
    tcase_add_test(session, options_and_limits_reach_the_request);
    tcase_add_test(session, a_go_without_limits_is_infinite);
    tcase_add_test(session, one_clock_stands_for_both);
    tcase_add_test(session, a_go_behind_an_open_search_ends_it);
    tcase_add_test(session, a_pending_go_keeps_its_own_game);
    tcase_add_test(session, a_go_behind_a_bounded_search_waits);
    tcase_add_test(session, a_line_that_must_wait_changes_nothing);
    tcase_add_test(session, few_lines_are_urgent);
    tcase_add_test(session, a_house_may_hold_one_go_at_a_time);
    tcase_add_test(session, stop_reaches_the_pending_go);
    tcase_add_test(session, ponderhit_reaches_the_newest_go);
    tcase_add_test(session, a_pondering_search_waits_for_the_hit);
    tcase_add_test(session, the_look_of_an_answer_is_that_of_its_go);
    tcase_add_test(session, input_that_ends_ends_open_searches);
    tcase_add_test(session, a_count_of_leaves_ends_by_itself);
    tcase_add_test(session, quit_ends_it_all);
    tcase_add_test(session, a_reset_session_is_a_fresh_one);
    tcase_add_test(session, a_refused_search_is_answered_all_the_same);
    tcase_add_test(session, a_refused_open_search_is_answered_at_stop);
    tcase_add_test(session, a_pending_go_may_be_refused);
    tcase_add_test(session, a_verdict_without_a_line_still_has_a_score);
    tcase_add_test(session, reports_after_the_verdict_are_not_told);
    tcase_add_test(session, debugging_tells_what_was_not_understood);
    tcase_add_test(session, what_is_said_is_one_line_of_bounded_length);
    suite_add_tcase(suite, session);
    return suite;
}
