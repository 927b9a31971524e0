#include "chess/perft.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "chess/perft_file.h"
#include "chess/suites.h"
#include "rookery/game.h"

/* The deepest ply of a suite that an effort covers. */
struct reach {
    const char *name;
    unsigned depths[3]; /* fast, ci, full */
};
static const struct reach REACHES[PERFT_FILES] = {
    {"standard", {4, 5, PERFT_DEPTH_MAX}},
    {"tricky", {4, 4, PERFT_DEPTH_MAX}},
    {"small", {4, 5, PERFT_DEPTH_MAX}},
    {"enpassant", {0, 4, PERFT_DEPTH_MAX}}, /* Has no smaller depth than 4. */
    {"chess960", {2, 4, PERFT_DEPTH_MAX}},
};

static struct rk_game *game;

static void setup(void) { ck_assert_int_eq(rk_game_create(&game), RK_OK); }
static void teardown(void) { rk_game_destroy(game); }

static uint64_t count(unsigned depth, const struct rk_perft_options *options)
{
    uint64_t nodes = 0;
    ck_assert_int_eq(rk_game_perft(game, depth, options, NULL, NULL, &nodes), RK_OK);
    return nodes;
}

static uint64_t sum_nodes(const struct perft_file *file, unsigned depth_max)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < file->count; i++)
        for (unsigned depth = 1; depth <= depth_max; depth++)
            sum += file->lines[i].nodes[depth];
    return sum;
}

/* On stderr, so that who waits for the full suites knows how long: on a terminal one line that is
 * written over, elsewhere a line for each tenth. */
static void tell_progress(const struct perft_file *file, size_t line, uint64_t done, uint64_t all,
                          int64_t start_us)
{
    enum { PARTS = 10 };
    const bool is_terminal = isatty(STDERR_FILENO) == 1;
    const double seconds = (double)(clock_now_us() - start_us) / 1e6;
    const bool is_due =
        is_terminal || (line + 1) * PARTS / file->count > line * PARTS / file->count;
    if (done > 0 && is_due)
        fprintf(stderr, "%sperft %s: line %zu of %zu, %.0f s, about %.0f s to go%s",
                is_terminal ? "\r" : "", file->name, line + 1, file->count, seconds,
                seconds * (double)(all - done) / (double)done, is_terminal ? "\033[K" : "\n");
    if (is_terminal && line + 1 == file->count)
        fprintf(stderr, "\n");
}

/* One thread and no hash prove the most; the deepest counts of the full suites would take too long.
 */
static struct rk_perft_options choose_options(enum perft_effort effort, unsigned depth)
{
    enum { DEEP = 6, DEEP_HASH_MIB = 16 };
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct rk_perft_options options = {.size = sizeof options, .threads = 1};
    if (effort == PERFT_FULL && cores > 1)
        options.threads = (unsigned)cores;
    if (effort == PERFT_FULL && depth >= DEEP)
        options.hash_mib = DEEP_HASH_MIB;
    return options;
}

static void check_file(size_t index, enum perft_effort effort)
{
    const unsigned depth_max = REACHES[index].depths[effort];
    struct perft_file file = perft_file_read(REACHES[index].name);
    const uint64_t all = sum_nodes(&file, depth_max);
    const int64_t start_us = clock_now_us();
    uint64_t done = 0;
    for (size_t i = 0; i < file.count; i++) {
        const struct perft_line *line = &file.lines[i];
        ck_assert_msg(rk_game_set_fen(game, line->text, line->length) == RK_OK, "%s", line->text);
        for (unsigned depth = 1; depth <= depth_max; depth++) {
            if (line->nodes[depth] == 0)
                continue;
            const struct rk_perft_options options = choose_options(effort, depth);
            const uint64_t nodes = count(depth, &options);
            ck_assert_msg(nodes == line->nodes[depth], "%s depth %u: %" PRIu64 ", not %" PRIu64,
                          line->text, depth, nodes, line->nodes[depth]);
            done += nodes;
        }
        if (effort == PERFT_FULL)
            tell_progress(&file, i, done, all, start_us);
    }
    perft_file_free(&file);
}

START_TEST(counts_agree) { check_file((size_t)_i, perft_effort()); }
END_TEST

START_TEST(depth_zero_is_one_leaf)
{
    size_t moves = 7;
    uint64_t nodes = 0;
    ck_assert_int_eq(rk_game_perft(game, 0, NULL, NULL, &moves, &nodes), RK_OK);
    ck_assert_uint_eq(moves, 0);
    ck_assert_uint_eq(nodes, 1);
}
END_TEST

START_TEST(division_adds_up_in_generation_order)
{
    const uint64_t totals[] = {20, 400, 8902, 197281};
    struct rk_perft_move divided[RK_MOVES_MAX];
    rk_move_t moves[RK_MOVES_MAX];
    const size_t legal = rk_game_moves(game, moves);
    for (unsigned depth = 1; depth <= 4; depth++) {
        size_t number = 0;
        uint64_t nodes = 0, sum = 0;
        ck_assert_int_eq(rk_game_perft(game, depth, NULL, divided, &number, &nodes), RK_OK);
        ck_assert_uint_eq(number, legal);
        for (size_t i = 0; i < number; i++) {
            ck_assert_uint_eq(divided[i].move, moves[i]);
            sum += divided[i].nodes;
        }
        ck_assert_uint_eq(sum, nodes);
        ck_assert_uint_eq(nodes, totals[depth - 1]);
    }
}
END_TEST

START_TEST(threads_and_hash_change_nothing)
{
    static const char KIWIPETE[] =
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const unsigned threads[] = {1, 2, 3, 16}, mib[] = {0, 1, 16};
    ck_assert_int_eq(rk_game_set_fen(game, KIWIPETE, sizeof KIWIPETE - 1), RK_OK);
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++) {
            const struct rk_perft_options options = {
                .size = sizeof options, .threads = threads[i], .hash_mib = mib[j]};
            ck_assert_uint_eq(count(3, &options), 97862);
            ck_assert_uint_eq(count(4, &options), 4085603);
        }
}
END_TEST

START_TEST(a_finished_game_has_no_leaves)
{
    static const char MATED[] = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    ck_assert_int_eq(rk_game_set_fen(game, MATED, sizeof MATED - 1), RK_OK);
    for (unsigned depth = 1; depth <= 4; depth++)
        ck_assert_uint_eq(count(depth, NULL), 0);
}
END_TEST

START_TEST(bad_options_are_refused)
{
    const struct rk_perft_options bad[] = {
        {.size = 1, .threads = 1},
        {.size = sizeof bad[0], .threads = 0},
        {.size = sizeof bad[0], .threads = 1025},
        {.size = sizeof bad[0], .threads = 1, .hash_mib = UINT32_MAX},
    };
    uint64_t nodes = 77;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(rk_game_perft(game, 1, &bad[i], NULL, NULL, &nodes), RK_BAD_ARGUMENT);
    ck_assert_int_eq(rk_game_perft(game, 100000, NULL, NULL, NULL, &nodes), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(nodes, 77);
}
END_TEST

Suite *suite_perft(void)
{
    enum { NO_TIMEOUT = 0 };
    Suite *suite = suite_create("perft");
    TCase *suites = tcase_create("suites"), *options = tcase_create("options");
    tcase_set_timeout(suites, NO_TIMEOUT);
    tcase_add_checked_fixture(suites, setup, teardown);
    tcase_add_loop_test(suites, counts_agree, 0, PERFT_FILES);
    suite_add_tcase(suite, suites);
    tcase_set_timeout(options, SUITE_SECONDS_MAX);
    tcase_add_checked_fixture(options, setup, teardown);
    tcase_add_test(options, depth_zero_is_one_leaf);
    tcase_add_test(options, division_adds_up_in_generation_order);
    tcase_add_test(options, threads_and_hash_change_nothing);
    tcase_add_test(options, a_finished_game_has_no_leaves);
    tcase_add_test(options, bad_options_are_refused);
    suite_add_tcase(suite, options);
    return suite;
}
