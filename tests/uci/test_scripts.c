/* Every conversation in tests/scripts against the fake host, as a client that owns its engine and
 * as one of many, whole and with the bytes cut at random. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "support/fake_host.h"
#include "support/script.h"
#include "uci/suites.h"

enum { SPLITS = 4 };

static bool peer_send(void *context, const char *bytes, size_t length)
{
    struct fake_host *fake = context;
    if (fake->has_quit)
        return false;
    fake_host_receive(fake, bytes, length);
    return true;
}

static void peer_close_input(void *context) { fake_host_end_of_input(context); }

static void peer_wait(void *context, int64_t wait_ms)
{
    for (int64_t i = 0; i < wait_ms; i++)
        fake_host_tick(context);
}

static enum script_got peer_receive(void *context, int64_t wait_ms, char *out_line, size_t capacity)
{
    struct fake_host *fake = context;
    const char *line = fake_host_read(fake);
    for (int64_t i = 0; line == NULL && i < wait_ms; i++) {
        if (fake->has_quit || (fake->has_ended && !rk_session_is_searching(fake->session)))
            return SCRIPT_END;
        fake_host_tick(fake);
        line = fake_host_read(fake);
    }
    if (line == NULL)
        return SCRIPT_SILENCE;
    (void)snprintf(out_line, capacity, "%s", line);
    return SCRIPT_LINE;
}

static void play(const char *path, bool owns_engine, uint64_t split_seed)
{
    struct fake_host *fake = fake_host_create(owns_engine);
    const struct script_peer peer = {.context = fake,
                                     .send = peer_send,
                                     .close_input = peer_close_input,
                                     .receive = peer_receive,
                                     .wait = peer_wait};
    struct script_failure failure;
    ck_assert_msg(script_play(path, &peer, split_seed, &failure), "%s:%u: %s", path, failure.line,
                  failure.message);
    fake_host_destroy(fake);
}

START_TEST(every_script_is_played_to_its_end)
{
    DIR *folder = opendir(TESTS_SCRIPTS);
    ck_assert_ptr_nonnull(folder);
    unsigned played = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        char path[sizeof TESTS_SCRIPTS + 1 + sizeof entry->d_name];
        if (strstr(entry->d_name, ".uci") == NULL)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", TESTS_SCRIPTS, entry->d_name);
        for (uint64_t split_seed = 0; split_seed < SPLITS; split_seed++)
            play(path, split_seed % 2 == 0, split_seed);
        play(path, false, 0);
        played++;
    }
    (void)closedir(folder);
    ck_assert_uint_ge(played, 20);
}
END_TEST

START_TEST(patterns)
{
    ck_assert(script_match("bestmove @*", "bestmove e2e4 ponder e7e5"));
    ck_assert(script_match("bestmove @", "bestmove e7e8q"));
    ck_assert(!script_match("bestmove @", "bestmove e7e8k"));
    ck_assert(!script_match("bestmove @", "bestmove (none)"));
    ck_assert(script_match("a # b", "a -12 b"));
    ck_assert(!script_match("a # b", "a - b"));
    ck_assert(!script_match("a # b", "a 1.5 b"));
    ck_assert(script_match("*", ""));
    ck_assert(script_match("", ""));
    ck_assert(!script_match("", "a"));
    ck_assert(!script_match("readyok", "readyok "));
    ck_assert(script_match("*a*b", "xxaxxaxb"));
}
END_TEST

Suite *suite_scripts(void)
{
    Suite *suite = suite_create("scripts");
    TCase *scripts = tcase_create("scripts");
    tcase_set_timeout(scripts, 120);
    tcase_add_test(scripts, patterns);
    tcase_add_test(scripts, every_script_is_played_to_its_end);
    suite_add_tcase(suite, scripts);
    return suite;
}
