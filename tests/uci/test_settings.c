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

START_TEST(strength_is_limited_when_asked)
{
    fake_host_line(guest, "setoption name UCI_Elo value 1200");
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.elo, 0);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "setoption name UCI_LimitStrength value true");
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.elo, 1200);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "setoption name UCI_Elo value 1");
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.elo, RK_ELO_MIN);
}
END_TEST

START_TEST(clear_hash_takes_a_new_salt_on_a_shared_table)
{
    fake_host_line(guest, "setoption name Clear Hash");
    ck_assert_uint_eq(guest->clears, 1);
    fake_host_line(guest, "go depth 1");
    const uint64_t salt = guest->request.salt;
    ck_assert(salt != 0);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "go depth 1");
    ck_assert(guest->request.salt == salt);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "setoption name Clear Hash");
    fake_host_line(guest, "go depth 1");
    ck_assert(guest->request.salt != 0 && guest->request.salt != salt);

    fake_host_line(owner, "setoption name Clear Hash");
    ck_assert_uint_eq(owner->clears, 1);
    fake_host_line(owner, "go depth 1");
    ck_assert(owner->request.salt == 0); /* Its table has really been cleared. */
}
END_TEST

START_TEST(a_new_game_keeps_the_shared_table)
{
    fake_host_line(guest, "ucinewgame");
    ck_assert_uint_eq(guest->new_games, 1);
    ck_assert_uint_eq(guest->clears, 0);
    fake_host_line(guest, "go depth 1");
    ck_assert(guest->request.salt == 0);
    fake_host_line(owner, "ucinewgame");
    ck_assert_uint_eq(owner->clears, 1);
}
END_TEST

/* ---- sizes ---- */

START_TEST(an_owner_sets_its_sizes)
{
    fake_host_line(owner, "setoption name Hash value 128");
    ck_assert_uint_eq(owner->table_mib, 128);
    ck_assert_uint_eq(owner->threads, 4);
    fake_host_line(owner, "setoption name Threads value 2");
    ck_assert_uint_eq(owner->threads, 2);
    fake_host_line(owner, "setoption name Threads value 2");
    ck_assert_uint_eq(owner->resizes, 2);
    talk_expect_silence(owner);
}
END_TEST

START_TEST(a_size_that_cannot_be_had_is_told)
{
    fake_host_line(owner, "setoption name Hash value 33554432");
    talk_expect(owner,
                "info string Hash and Threads stay as they are: not enough memory; in force: "
                "Hash 64, Threads 4");
    /* Another value is tried without the one that failed. */
    fake_host_line(owner, "setoption name Threads value 3");
    ck_assert_uint_eq(owner->table_mib, 64);
    ck_assert_uint_eq(owner->threads, 3);
    talk_expect_silence(owner);
    fake_host_line(owner, "setoption name Hash value abc");
    talk_expect(owner,
                "info string Hash wants a number from 1 to 33554432, not 'abc'; in force: 64");
    fake_host_line(owner, "setoption name Hash value 0");
    talk_expect(owner, "info string Hash is out of range; taken as 1");
    ck_assert_uint_eq(owner->table_mib, 1);
}
END_TEST

START_TEST(a_guest_is_told_the_sizes_in_force)
{
    fake_host_line(guest, "setoption name Hash value 512");
    talk_expect(guest, "info string Hash is shared by all clients; in force: 64");
    fake_host_line(guest, "setoption name Hash value 64");
    talk_expect_silence(guest);
    fake_host_line(guest, "setoption name Threads value 4");
    talk_expect(guest, "info string Threads has a limit here; in force: 2");
    fake_host_line(guest, "setoption name Threads value 1");
    talk_expect_silence(guest);
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.threads, 1);
    ck_assert_uint_eq(guest->resizes, 0);
}
END_TEST

START_TEST(sizes_wait_for_the_end_of_a_search)
{
    fake_host_line(owner, "go infinite");
    fake_host_line(owner, "setoption name Hash value 32");
    fake_host_line(owner, "setoption name Clear Hash");
    fake_host_line(owner, "ucinewgame");
    ck_assert_uint_eq(owner->resizes + owner->new_games, 0);
    fake_host_line(owner, "go depth 1"); /* Pending: behind Hash 32. */
    fake_host_line(owner, "setoption name Hash value 16");
    fake_host_tick(owner); /* The first search ends, the second begins. */
    ck_assert_uint_eq(owner->goes, 2);
    ck_assert_uint_eq(owner->table_mib, 32);
    ck_assert_uint_eq(owner->new_games, 1);
    fake_host_tick_until_idle(owner);
    ck_assert_uint_eq(owner->table_mib, 16);
    ck_assert_uint_eq(owner->resizes, 2);
}
END_TEST

/* As many as there are when its turn comes: the engine is not that large yet when it is said. */
START_TEST(more_threads_reach_the_go_behind_them)
{
    fake_host_line(owner, "go infinite");
    fake_host_line(owner, "setoption name Threads value 8");
    fake_host_line(owner, "setoption name Threads value many");
    talk_expect(owner,
                "info string Threads wants a number from 1 to 1024, not 'many'; in force: 4");
    fake_host_line(owner, "go depth 1");
    fake_host_tick(owner);
    ck_assert_uint_eq(owner->goes, 2);
    ck_assert_uint_eq(owner->threads, 8);
    ck_assert(owner->request.threads == 0 || owner->request.threads == 8);
}
END_TEST

START_TEST(a_size_refused_for_a_pending_go_is_told_once)
{
    fake_host_line(owner, "go infinite");
    fake_host_line(owner, "setoption name Hash value 33554432");
    fake_host_line(owner, "go depth 1");
    fake_host_tick_until_idle(owner);
    ck_assert_uint_eq(owner->info_strings, 1);
    ck_assert_uint_eq(owner->bestmoves, 2);
}
END_TEST

START_TEST(an_owner_opens_tablebases)
{
    owner->tablebases = (struct rk_tablebases){.men = 4,
                                               .results = 6,
                                               .distances = 5,
                                               .fault_count = 4,
                                               .faults = "/a no\n/b/KQvK.rtbw cut\n"};
    fake_host_line(owner, "setoption name SyzygyPath value  /my tables:/b ");
    ck_assert_str_eq(owner->tablebases_path, "/my tables:/b");
    talk_expect(owner, "info string SyzygyPath /a no");
    talk_expect(owner, "info string SyzygyPath /b/KQvK.rtbw cut");
    talk_expect(owner, "info string SyzygyPath 2 files more are not used");
    talk_expect(owner, "info string tablebases of up to 4 men: 6 with results, 5 with distances");
    owner->tablebases = (struct rk_tablebases){0};
    fake_host_line(owner, "setoption name SyzygyPath value <empty>");
    ck_assert_str_eq(owner->tablebases_path, "");
    fake_host_line(owner, "setoption name SyzygyPath");
    ck_assert_uint_eq(owner->opens, 3);
    talk_expect_silence(owner);
    fake_host_line(owner, "go infinite");
    fake_host_line(owner, "setoption name SyzygyPath value /c");
    talk_expect(owner, "info string SyzygyPath stays as it is: a search runs; set it again");
    ck_assert_uint_eq(owner->opens, 3);
}
END_TEST

START_TEST(tablebases_that_cannot_be_had_are_told)
{
    static char line[2 * RK_TABLEBASE_PATH_BYTES_MAX] = "setoption name SyzygyPath value ";
    owner->tablebases_status = RK_NO_TABLEBASES;
    fake_host_line(owner, "setoption name SyzygyPath value /a");
    talk_expect(owner, "info string SyzygyPath stays as it is: this build reads no tablebases");
    memset(line + strlen(line), 'x', RK_TABLEBASE_PATH_BYTES_MAX);
    fake_host_line(owner, line);
    talk_expect(owner, "info string SyzygyPath stays as it is: argument out of range");
    fake_host_receive(owner, "setoption name SyzygyPath value a\0b\n", 36);
    talk_expect(owner, "info string SyzygyPath stays as it is: argument out of range");
    ck_assert_uint_eq(owner->opens, 1);
    fake_host_line(guest, "setoption name SyzygyPath value /a");
    talk_expect(guest, "info string SyzygyPath is the operator's to choose; the value is not used");
    fake_host_line(guest, "setoption name SyzygyPath value <empty>");
    talk_expect_silence(guest);
}
END_TEST

START_TEST(probing_goes_into_the_request)
{
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.tablebase_men_max, 7);
    ck_assert_uint_eq(guest->request.tablebase_depth, 1);
    ck_assert(!guest->request.tablebase_ignores_fifty);
    fake_host_tick_until_idle(guest);
    fake_host_line(guest, "setoption name SyzygyProbeLimit value 0");
    fake_host_line(guest, "setoption name SyzygyProbeDepth value 5");
    fake_host_line(guest, "setoption name Syzygy50MoveRule value false");
    fake_host_line(guest, "go depth 1");
    ck_assert_uint_eq(guest->request.tablebase_men_max, 1);
    ck_assert_uint_eq(guest->request.tablebase_depth, 5);
    ck_assert(guest->request.tablebase_ignores_fifty);
}
END_TEST

Suite *suite_settings(void)
{
    Suite *suite = suite_create("settings");
    TCase *settings = tcase_create("settings");
    tcase_add_checked_fixture(settings, setup, teardown);
    tcase_add_test(settings, strength_is_limited_when_asked);
    tcase_add_test(settings, clear_hash_takes_a_new_salt_on_a_shared_table);
    tcase_add_test(settings, a_new_game_keeps_the_shared_table);
    tcase_add_test(settings, an_owner_sets_its_sizes);
    tcase_add_test(settings, a_size_that_cannot_be_had_is_told);
    tcase_add_test(settings, a_guest_is_told_the_sizes_in_force);
    tcase_add_test(settings, sizes_wait_for_the_end_of_a_search);
    tcase_add_test(settings, more_threads_reach_the_go_behind_them);
    tcase_add_test(settings, a_size_refused_for_a_pending_go_is_told_once);
    tcase_add_test(settings, an_owner_opens_tablebases);
    tcase_add_test(settings, tablebases_that_cannot_be_had_are_told);
    tcase_add_test(settings, probing_goes_into_the_request);
    suite_add_tcase(suite, settings);
    return suite;
}
