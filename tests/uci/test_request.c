#include "uci/request.h"

#include "uci/suites.h"
#include "uci/talk.h"

static struct fake_host *guest;

static void setup(void) { guest = fake_host_create(false); }
static void teardown(void) { fake_host_destroy(guest); }

/* A mate may never be found: it bounds nothing. */
START_TEST(what_only_the_client_can_end_is_open)
{
    static const struct {
        const char *line;
        bool is_open;
    } all[] = {{"go", true},
               {"go infinite", true},
               {"go ponder wtime 1000", true},
               {"go depth 3 infinite", true},
               {"go mate 3", true},
               {"go mate 3 depth 5", false},
               {"go mate 3 nodes 100", false},
               {"go mate 3 movetime 100", false},
               {"go mate 3 btime 100", false},
               {"go depth 3", false},
               {"go perft 2", false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        fake_host_reset(guest);
        fake_host_line(guest, all[i].line);
        ck_assert_msg(request_is_open(&guest->request) == all[i].is_open, "%s", all[i].line);
    }
}
END_TEST

START_TEST(a_search_for_a_mate_holds_up_nobody)
{
    guest->tick_us = 0; /* Nothing is found. */
    fake_host_line(guest, "go mate 100");
    ck_assert(!guest->request.limits.infinite); /* It ends with the mate. */
    fake_host_line(guest, "go mate 100");
    ck_assert_uint_eq(guest->stops, 1);
    fake_host_tick(guest);
    ck_assert_uint_eq(guest->bestmoves, 1);
    ck_assert_uint_eq(guest->goes, 2);
    fake_host_end_of_input(guest);
    ck_assert_uint_eq(guest->stops, 2);
    fake_host_tick(guest);
    ck_assert_uint_eq(guest->bestmoves, 2);
}
END_TEST

/* It waits for no stop: that is for those who are promised to be left alone. */
START_TEST(a_refused_search_for_a_mate_is_answered_at_once)
{
    guest->go_status = RK_BUSY;
    fake_host_line(guest, "go mate 3");
    ck_assert_uint_eq(guest->bestmoves, 1);
    ck_assert(!rk_session_is_searching(guest->session));
}
END_TEST

Suite *suite_request(void)
{
    Suite *suite = suite_create("request");
    TCase *tcase = tcase_create("request");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, what_only_the_client_can_end_is_open);
    tcase_add_test(tcase, a_search_for_a_mate_holds_up_nobody);
    tcase_add_test(tcase, a_refused_search_for_a_mate_is_answered_at_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
