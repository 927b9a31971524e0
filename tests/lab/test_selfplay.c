/* Games between settings: repeatable whatever the number of threads, ended by the rules that were
 * set, counted rightly, written so that they can be read. */
#include "lab/selfplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "lab/pgn.h"
#include "lab/suites.h"

enum { NODES = 100, PAIRS = 4, MOVES_SEEN_MAX = PAIRS * GAMES_PER_PAIR * GAME_PLIES_MAX };

static struct selfplay selfplay;
static struct selfplay_state state;
static struct game_record *records;
static struct arena *arena;
static atomic_bool stop;

/* All moves that the hook was shown. */
struct seen {
    uint64_t pairs, order_breaks, count, pairs_max;
    move_t moves[MOVES_SEEN_MAX];
};
static struct seen *seen;

static void setup(void)
{
    selfplay_default(&selfplay);
    selfplay.pairs_max = PAIRS;
    selfplay.rules.plies_max = 80; /* Enough of a game, in a tenth of its time. */
    for (unsigned i = 0; i < 2; i++) {
        selfplay.players[i].limits.nodes = NODES;
        selfplay.players[i].hash_mib = 1;
    }
    records = memory_allocate(GAMES_PER_PAIR * sizeof *records);
    seen = memory_allocate(2 * sizeof *seen);
    ck_assert_ptr_nonnull(records);
    ck_assert_ptr_nonnull(seen);
    atomic_store(&stop, false);
    ck_assert_int_eq(arena_create(&stop, &arena), RK_OK);
}

static void teardown(void)
{
    arena_destroy(arena);
    memory_free(records);
    memory_free(seen);
}

static bool on_pair(void *context, const struct selfplay_state *now,
                    const struct pair_record *record)
{
    struct seen *into = context;
    into->order_breaks += record->number != into->pairs;
    into->pairs++;
    ck_assert_uint_eq(now->pairs, into->pairs);
    for (unsigned i = 0; i < GAMES_PER_PAIR; i++)
        for (unsigned k = 0; k < record->games[i].count; k++)
            into->moves[into->count++] = record->games[i].moves[k].move;
    return into->pairs_max == 0 || into->pairs < into->pairs_max;
}

static void run(struct seen *into, unsigned threads)
{
    memset(into, 0, sizeof *into);
    selfplay.threads = threads;
    selfplay.hooks = (struct selfplay_hooks){.pair = on_pair, .context = into};
    ck_assert_int_eq(selfplay_run(&selfplay, &state), RK_OK);
    ck_assert_uint_eq(into->order_breaks, 0);
}

START_TEST(games_are_the_same_on_one_thread_and_on_three)
{
    run(&seen[0], 1);
    const struct selfplay_state alone = state;
    run(&seen[1], 3);
    ck_assert_uint_eq(seen[0].pairs, PAIRS);
    ck_assert_uint_gt(seen[0].count, PAIRS * GAMES_PER_PAIR * 10);
    ck_assert_uint_eq(seen[0].count, seen[1].count);
    ck_assert_int_eq(memcmp(seen[0].moves, seen[1].moves, seen[0].count * sizeof(move_t)), 0);
    ck_assert_int_eq(memcmp(&alone.pentanomial, &state.pentanomial, sizeof state.pentanomial), 0);
    selfplay.seed++;
    run(&seen[1], 1);
    ck_assert(seen[0].count != seen[1].count ||
              memcmp(seen[0].moves, seen[1].moves, seen[0].count * sizeof(move_t)) != 0);
}
END_TEST

START_TEST(a_run_may_begin_with_a_later_pair)
{
    run(&seen[0], 2);
    memset(&seen[1], 0, sizeof seen[1]);
    selfplay.first_pair = PAIRS / 2;
    selfplay.pairs_max = PAIRS / 2;
    selfplay.hooks = (struct selfplay_hooks){.pair = on_pair, .context = &seen[1]};
    ck_assert_int_eq(selfplay_run(&selfplay, &state), RK_OK);
    ck_assert_uint_eq(seen[1].pairs, PAIRS / 2);
    ck_assert_uint_eq(seen[1].order_breaks, PAIRS / 2); /* Their numbers are not from 0. */
    ck_assert_uint_lt(seen[1].count, seen[0].count);
    ck_assert_mem_eq(seen[1].moves, seen[0].moves + (seen[0].count - seen[1].count),
                     seen[1].count * sizeof(move_t));
}
END_TEST

/* Equal players make equal games with colours changed, so every pair is worth one point. */
START_TEST(equal_players_share_each_pair)
{
    run(&seen[0], 2);
    ck_assert_uint_eq(state.pentanomial.counts[2], PAIRS);
    ck_assert_uint_eq(state.wins, state.losses);
    ck_assert_uint_eq(state.wins + state.draws + state.losses, PAIRS * GAMES_PER_PAIR);
}
END_TEST

START_TEST(the_stronger_player_wins_and_a_test_stops)
{
    selfplay.players[0].limits.nodes = 1500;
    selfplay.players[1].limits = (struct player_limits){.depth = 1};
    selfplay.pairs_max = 200;
    selfplay.rules.resign_score = 600;
    selfplay.rules.resign_plies = 2;
    selfplay.has_sprt = true;
    selfplay.sprt = (struct sprt){.elo0 = 0, .elo1 = 200, .alpha = 0.05, .beta = 0.05};
    selfplay.hooks = (struct selfplay_hooks){.pair = NULL};
    selfplay.threads = 2;
    ck_assert_int_eq(selfplay_run(&selfplay, &state), RK_OK);
    ck_assert_int_eq(state.verdict, SPRT_TAKES_ELO1);
    ck_assert_uint_lt(state.pairs, 200);
    ck_assert_uint_gt(state.wins, state.losses);
}
END_TEST

START_TEST(a_hook_ends_it)
{
    memset(&seen[0], 0, sizeof seen[0]);
    seen[0].pairs_max = 2;
    selfplay.threads = 2;
    selfplay.hooks = (struct selfplay_hooks){.pair = on_pair, .context = &seen[0]};
    ck_assert_int_eq(selfplay_run(&selfplay, &state), RK_OK);
    ck_assert_uint_eq(state.pairs, 2);
}
END_TEST

START_TEST(switches_make_another_player)
{
    run(&seen[0], 1);
    selfplay.players[1].switches_off = (uint32_t)1 << SWITCH_MVV_LVA;
    run(&seen[1], 1);
    ck_assert(seen[0].count != seen[1].count ||
              memcmp(seen[0].moves, seen[1].moves, seen[0].count * sizeof(move_t)) != 0);
}
END_TEST

static unsigned play(const char *line)
{
    struct opening opening;
    unsigned points = 99;
    ck_assert_int_eq(opening_parse_line(slice_of(line), &opening), RK_OK);
    ck_assert_int_eq(
        arena_play_pair(arena, selfplay.players, &selfplay.rules, &opening, 1, records, &points),
        RK_OK);
    return points;
}

START_TEST(games_end_by_the_laws)
{
    ck_assert_uint_eq(play("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), 2);
    ck_assert_int_eq(records[0].end, GAME_CHECKMATE);
    ck_assert_uint_eq(records[0].white_points, 2);
    ck_assert(records[0].is_first_white && !records[1].is_first_white);
    play("7k/8/6QK/8/8/8/8/8 b - - 0 1");
    ck_assert_int_eq(records[0].end, GAME_STALEMATE);
    play("7k/8/8/8/8/8/8/K1N5 w - - 0 1");
    ck_assert_int_eq(records[0].end, GAME_MATERIAL);
    ck_assert_uint_eq(records[0].white_points, 1);
    play("7k/8/8/8/8/8/8/KQ6 w - - 100 80");
    ck_assert_int_eq(records[0].end, GAME_FIFTY);
    play("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves g1f3 g8f6 f3g1 f6g8 g1f3 "
         "g8f6 f3g1 f6g8");
    ck_assert_int_eq(records[0].end, GAME_REPETITION);
}
END_TEST

START_TEST(games_end_by_the_rules_that_are_set)
{
    const char *won = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";
    selfplay.rules.resign_score = 500;
    selfplay.rules.resign_plies = 2;
    ck_assert_uint_eq(play(won), 2);
    ck_assert_int_eq(records[0].end, GAME_RESIGNED);
    ck_assert_uint_eq(records[0].white_points, 2);
    ck_assert_uint_eq(records[0].count, 2);
    selfplay.rules.resign_plies = 0;
    play(won);
    ck_assert_int_eq(records[0].end, GAME_CHECKMATE);

    const char *even = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";
    selfplay.rules.draw_score = 1000;
    selfplay.rules.draw_plies = 4;
    selfplay.rules.draw_from = 0;
    play(even);
    ck_assert_int_eq(records[0].end, GAME_AGREED);
    ck_assert_uint_eq(records[0].count, 4);
    selfplay.rules.draw_from = 7;
    play(even);
    ck_assert_uint_eq(records[0].count, 7);
    selfplay.rules.draw_plies = 0;
    selfplay.rules.plies_max = 3;
    play(even);
    ck_assert_int_eq(records[0].end, GAME_TOO_LONG);
    ck_assert_uint_eq(records[0].count, 3);
    ck_assert_uint_eq(records[0].white_points, 1);
}
END_TEST

START_TEST(a_stopped_game_is_told_so)
{
    atomic_store(&stop, true);
    play("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
    ck_assert_int_eq(records[0].end, GAME_STOPPED);
}
END_TEST

/* What a clock is for is not asserted: machines are busy. A node limit keeps this short. */
START_TEST(clocks_run)
{
    const char *even = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";
    for (unsigned i = 0; i < 2; i++)
        selfplay.players[i].limits = (struct player_limits){
            .nodes = NODES, .time_ms = 600000, .increment_ms = 1000 * (int64_t)i};
    selfplay.rules.plies_max = 6;
    play(even);
    ck_assert_int_eq(records[0].end, GAME_TOO_LONG);
    for (unsigned i = 0; i < 2; i++)
        selfplay.players[i].limits = (struct player_limits){.movetime_ms = 1};
    play(even);
    ck_assert_int_eq(records[0].end, GAME_TOO_LONG);
    ck_assert_uint_eq(records[0].count, 6);
}
END_TEST

/* However fast a machine, a millisecond without increment is spent after some moves. */
START_TEST(whose_flag_falls_has_lost)
{
    for (unsigned i = 0; i < 2; i++)
        selfplay.players[i].limits = (struct player_limits){.time_ms = 1};
    selfplay.rules = (struct game_rules){.plies_max = GAME_PLIES_MAX};
    play("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    ck_assert_int_eq(records[0].end, GAME_TIME);
    ck_assert_uint_eq(records[0].white_points, records[0].count % 2 == 0 ? 0 : 2);
}
END_TEST

START_TEST(random_openings_are_their_seeds)
{
    struct opening a, b;
    unsigned differing = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        arena_opening(arena, 8, seed, &a);
        arena_opening(arena, 8, seed, &b);
        ck_assert_uint_eq(a.count, 8);
        ck_assert_int_eq(memcmp(a.moves, b.moves, 8 * sizeof(move_t)), 0);
        arena_opening(arena, 8, seed + 100, &b);
        differing += memcmp(a.moves, b.moves, 8 * sizeof(move_t)) != 0;
    }
    ck_assert_uint_ge(differing, 3);
}
END_TEST

/* Strings of PGN: quotes and backslashes escaped, nothing that breaks a line, at most 255 bytes. */
START_TEST(names_are_strings_of_pgn)
{
    char longest[600], wanted[600], text[2048] = "";
    memset(longest, '"', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    const char *const names[] = {"A: EvalFile=c:\\a \"b\"\n[Result \"1-0\"]\177", longest};
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    play("4k3/P7/8/8/8/8/4P2p/4K3 w - - 3 20 moves a8=Q+ Kd7");
    ck_assert(pgn_write(file, &records[0], names, 1));
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "\n[White \"A: EvalFile=c:\\\\a \\\"b\\\"?"
                                       "[Result \\\"1-0\\\"]?\"]\n[Black \""));
    int length = snprintf(wanted, sizeof wanted, "\n[Black \"");
    for (unsigned i = 0; i < 127; i++)
        length += snprintf(wanted + length, sizeof wanted - (size_t)length, "\\\"");
    snprintf(wanted + length, sizeof wanted - (size_t)length, "\"]\n[Result \"");
    ck_assert_msg(strstr(text, wanted) != NULL, "%s", text);
}
END_TEST

/* What was written is an opening book again, with the same moves. */
START_TEST(games_are_written_and_read_again)
{
    static const char *const names[] = {"first", "second"};
    char path[] = "/tmp/rookery-pgn-XXXXXX";
    const int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    ck_assert_ptr_nonnull(file);
    play("4k3/P7/8/8/8/8/4P2p/4K3 w - - 3 20 moves a8=Q+ Kd7");
    for (unsigned i = 0; i < GAMES_PER_PAIR; i++)
        ck_assert(pgn_write(file, &records[i], names, i + 1));
    fclose(file);
    struct book *book;
    struct book_faults faults;
    ck_assert_int_eq(book_read(path, BOOK_POSITIONS, OPENING_PLIES_MAX, &book, &faults), RK_OK);
    unlink(path);
    ck_assert_uint_eq(faults.count, 0);
    ck_assert_uint_eq(book_count(book), GAMES_PER_PAIR);
    for (unsigned i = 0; i < GAMES_PER_PAIR; i++) {
        struct opening opening;
        book_opening(book, i, &opening);
        ck_assert(rk_game_equal(&opening.start, &records[i].opening.start));
        const unsigned count =
            records[i].count < OPENING_PLIES_MAX ? records[i].count : OPENING_PLIES_MAX;
        ck_assert_uint_eq(opening.count, count);
        for (unsigned k = 0; k < count; k++)
            ck_assert_uint_eq(opening.moves[k], records[i].moves[k].move);
    }
    book_destroy(book);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
    struct selfplay broken = selfplay;
    broken.threads = 0;
    ck_assert_int_eq(selfplay_run(&broken, &state), RK_BAD_ARGUMENT);
    broken = selfplay;
    broken.pairs_max = 0;
    ck_assert_int_eq(selfplay_run(&broken, &state), RK_BAD_ARGUMENT);
    broken = selfplay;
    broken.players[1].limits = (struct player_limits){.nodes = 0};
    ck_assert_int_eq(selfplay_run(&broken, &state), RK_BAD_ARGUMENT);
    broken = selfplay;
    broken.players[1].limits.increment_ms = 1; /* Of no clock. */
    ck_assert_int_eq(selfplay_run(&broken, &state), RK_BAD_ARGUMENT);
    broken = selfplay;
    broken.rules.plies_max = GAME_PLIES_MAX + 1;
    ck_assert_int_eq(selfplay_run(&broken, &state), RK_BAD_ARGUMENT);
}
END_TEST

static TCase *case_create(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return tcase;
}

Suite *suite_selfplay(void)
{
    Suite *suite = suite_create("selfplay");
    TCase *threads = case_create(suite, "threads");
    tcase_add_test(threads, games_are_the_same_on_one_thread_and_on_three);
    tcase_add_test(threads, the_stronger_player_wins_and_a_test_stops);
    tcase_add_test(threads, a_hook_ends_it);
    TCase *alone = case_create(suite, "alone");
    tcase_set_tags(alone, SUITE_TAG_ALONE);
    tcase_add_test(alone, a_run_may_begin_with_a_later_pair);
    tcase_add_test(alone, equal_players_share_each_pair);
    tcase_add_test(alone, switches_make_another_player);
    tcase_add_test(alone, games_end_by_the_laws);
    tcase_add_test(alone, games_end_by_the_rules_that_are_set);
    tcase_add_test(alone, a_stopped_game_is_told_so);
    tcase_add_test(alone, clocks_run);
    tcase_add_test(alone, whose_flag_falls_has_lost);
    tcase_add_test(alone, random_openings_are_their_seeds);
    tcase_add_test(alone, names_are_strings_of_pgn);
    tcase_add_test(alone, games_are_written_and_read_again);
    tcase_add_test(alone, what_makes_no_sense_is_refused);
    return suite;
}
