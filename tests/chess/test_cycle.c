#include "chess/cycle.h"

#include "base/random.h"
#include "chess/movegen.h"
#include "chess/suites.h"
#include "chess/wander.h"

enum { PLIES = 40, GAMES = 50 };

/* Keys of all positions a move away. */
struct reach {
    unsigned count;
    zkey_t keys[MOVES_MAX];
};

static void reach_find(const struct position *position, struct reach *out_reach)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    out_reach->count = 0;
    for (const move_t *move = moves; move < end; move++) {
        struct position next;
        position_after(&next, position, *move);
        out_reach->keys[out_reach->count++] = next.key;
    }
}

/* What cycle_closes() answers at a glance. */
static bool reach_has(const struct reach *reach, zkey_t key)
{
    for (unsigned i = 0; i < reach->count; i++)
        if (reach->keys[i] == key)
            return true;
    return false;
}

/* Moves that can be taken back, at random; false: there is none. */
static bool shuffle(struct position *position, uint64_t *seed)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    unsigned count = 0;
    for (const move_t *move = moves; move < end; move++)
        if (!move_is_noisy(*move) && !move_is_castle(*move) &&
            piece_kind(position->board[move_from(*move)]) != PAWN)
            moves[count++] = *move;
    if (count == 0)
        return false;
    const struct position before = *position;
    position_after(position, &before, moves[random_below(seed, count)]);
    return true;
}

/* Compares with trying, all the way back; tells how often a way was found. */
static unsigned compare_game(const char *fen, uint64_t seed)
{
    zkey_t keys[PLIES + 1];
    struct position position = wander_parse(fen);
    unsigned found = 0;
    for (int ply = 0; ply <= PLIES; ply++) {
        struct reach reach;
        reach_find(&position, &reach);
        keys[ply] = position.key;
        for (int back = 3; back <= ply; back += 2) {
            const bool expected = reach_has(&reach, keys[ply - back]);
            ck_assert_int_eq(cycle_closes(&position, position.key ^ keys[ply - back]), expected);
            found += expected;
        }
        if (!shuffle(&position, &seed))
            break;
    }
    return found;
}

START_TEST(a_way_back_is_seen_exactly_when_a_move_goes_there)
{
    static const char *const FENS[] = {
        "8/8/4k3/8/8/3K4/8/R7 w - - 0 1",
        "8/5n2/4k3/8/2B5/3K4/8/8 b - - 0 1",
        "4q2k/8/8/3p4/3P4/8/8/K3Q3 w - - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    };
    for (unsigned i = 0; i < sizeof FENS / sizeof *FENS; i++) {
        unsigned found = 0;
        for (uint64_t game = 0; game < GAMES; game++)
            found += compare_game(FENS[i], game);
        ck_assert_uint_gt(found, GAMES / 10);
    }
}
END_TEST

START_TEST(a_man_in_between_bars_the_way)
{
    const struct position open = wander_parse("7k/8/8/8/8/8/8/R6K w - - 0 1");
    const struct position rook_above = wander_parse("7k/R7/8/8/8/8/8/7K b - - 0 1");
    const struct position barred = wander_parse("7k/8/8/8/p7/8/8/R6K w - - 0 1");
    const zkey_t difference = open.key ^ rook_above.key;
    ck_assert(cycle_closes(&open, difference));
    ck_assert(!cycle_closes(&barred, difference));
}
END_TEST

START_TEST(the_opponents_man_is_no_way_back)
{
    /* The king that would have to step is Black's, and White is to move. */
    const struct position here = wander_parse("7k/8/8/8/8/8/8/R6K w - - 0 1");
    const struct position there = wander_parse("6k1/8/8/8/8/8/8/R6K b - - 0 1");
    ck_assert(!cycle_closes(&here, here.key ^ there.key));
}
END_TEST

Suite *suite_cycle(void)
{
    Suite *suite = suite_create("cycle");
    TCase *tcase = tcase_create("cycle");
    tcase_add_test(tcase, a_way_back_is_seen_exactly_when_a_move_goes_there);
    tcase_add_test(tcase, a_man_in_between_bars_the_way);
    tcase_add_test(tcase, the_opponents_man_is_no_way_back);
    suite_add_tcase(suite, tcase);
    return suite;
}
