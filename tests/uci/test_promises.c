/* Whatever a client sends in whatever order, and whatever the host does: one bestmove a go, one
 * readyok an isready, one uciok a uci, an exact score before each bestmove (the fake host looks).
 */
#include <string.h>

#include "base/random.h"
#include "support/fake_host.h"
#include "uci/suites.h"

enum { CONVERSATIONS = 300, STEPS = 200, TICKS_MAX = 6 };

static const char *const LINES[] = {
    "go infinite",
    "go ponder wtime 100 btime 100",
    "go ponder",
    "go depth 3",
    "go nodes 1",
    "go movetime 3",
    "go wtime 100 btime 100",
    "go",
    "go depth 0",
    "go searchmoves e2e5",
    "go infinite searchmoves 0000",
    "go mate 2",
    "go perft 1",
    "go perft 1 infinite",
    "go ponder perft 2",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "isready",
    "uci",
    "ucinewgame",
    "position startpos",
    "position startpos moves e2e4",
    "position startpos moves f2f3 e7e5 g2g4 d8h4",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen rubbish",
    "setoption name MultiPV value 3",
    "setoption name MultiPV value 1",
    "setoption name Hash value 32",
    "setoption name Hash value 33554432",
    "setoption name Clear Hash",
    "setoption name UCI_ShowWDL value true",
    "debug on",
    "register later",
    "  \t",
    "what is this",
    "\xff\xfe",
};
enum { LINE_COUNT = sizeof LINES / sizeof LINES[0] };

static void conversation(uint64_t seed)
{
    uint64_t state = seed;
    struct fake_host *fake = fake_host_create(seed % 2 == 0);
    fake->sends_bounds = seed % 3 == 0;
    fake->sends_nothing = seed % 7 == 0;
    fake->blocks_per_tick = 1 + (unsigned)random_below(&state, 40);
    fake->tick_us = seed % 5 == 0 ? 1000000 : 1000;
    fake->depth_max = (uint16_t)(1 + random_below(&state, PLY_MAX));
    unsigned goes = 0, readies = 0, ucis = 0;
    for (int step = 0; step < STEPS; step++) {
        if (!fake->is_later) { /* A connection feeds nothing meanwhile. */
            const char *line = LINES[random_below(&state, LINE_COUNT)];
            goes += strncmp(line, "go", 2) == 0 && strstr(line, "perft") == NULL;
            readies += strcmp(line, "isready") == 0;
            ucis += strcmp(line, "uci") == 0;
            fake_host_line(fake, line);
        }
        if (random_below(&state, 16) == 0)
            fake->go_status = random_below(&state, 2) == 0 ? RK_BUSY : RK_OK;
        for (uint64_t ticks = random_below(&state, TICKS_MAX); ticks > 0; ticks--)
            fake_host_tick(fake);
        ck_assert_uint_le(fake->bestmoves, goes);
        while (fake_host_read(fake) != NULL)
            continue;
    }
    /* All that is owed comes in the end. */
    fake_host_end_of_input(fake);
    fake_host_tick_until_idle(fake);
    ck_assert(!rk_session_is_searching(fake->session));
    ck_assert_msg(fake->bestmoves == goes, "seed %lu: %u of %u bestmoves", (unsigned long)seed,
                  fake->bestmoves, goes);
    ck_assert_uint_eq(fake->readyoks, readies);
    ck_assert_uint_eq(fake->ucioks, ucis);
    fake_host_destroy(fake);
}

START_TEST(promises_are_kept)
{
    for (uint64_t seed = 1; seed <= CONVERSATIONS; seed++)
        conversation(seed);
}
END_TEST

Suite *suite_promises(void)
{
    Suite *suite = suite_create("promises");
    TCase *random = tcase_create("random");
    tcase_set_timeout(random, 120);
    tcase_add_test(random, promises_are_kept);
    suite_add_tcase(suite, random);
    return suite;
}
