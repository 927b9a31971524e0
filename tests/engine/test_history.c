#include "engine/history.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "engine/suites.h"

enum { UPDATES = 200000, CUTOFFS = 20000 };

static struct memory *memory;

static void setup(void)
{
    memory = memory_allocate(sizeof *memory);
    ck_assert_ptr_nonnull(memory);
}

static void teardown(void) { memory_free(memory); }

/* White men that the tests move about; only what the histories look at is filled in. */
static struct position sketch(void)
{
    struct position position = {.side = WHITE};
    for (unsigned i = 0; i < SQUARE_COUNT; i++)
        position.board[i] = PIECE_NONE;
    position.board[0] = piece_make(WHITE, ROOK);
    position.board[1] = piece_make(WHITE, KNIGHT);
    position.board[48] = piece_make(WHITE, PAWN);
    position.board[57] = piece_make(BLACK, QUEEN);
    return position;
}

static struct history_context context_at(int ply)
{
    return (struct history_context){.memory = memory,
                                    .ply = ply,
                                    .previous = move_make(52, 36, MOVE_DOUBLE),
                                    .previous_piece = piece_make(BLACK, PAWN),
                                    .continuation = {&memory->continuations[6][36],
                                                     &memory->continuations[1][18],
                                                     &memory->continuations[2][30]}};
}

START_TEST(score_stays_in_bounds)
{
    uint64_t seed = 1;
    int16_t score = 0;
    for (int i = 0; i < UPDATES; i++) {
        const int change = (int)random_below(&seed, 2 * HISTORY_MAX + 1) - HISTORY_MAX;
        history_apply(&score, random_below(&seed, 4) ? change
                              : change > 0           ? HISTORY_MAX
                                                     : -HISTORY_MAX);
        ck_assert_int_le(abs(score), HISTORY_MAX);
    }
}
END_TEST

/* Every score with every extreme: the bound holds from anywhere within it. */
START_TEST(score_stays_in_bounds_from_everywhere)
{
    static const int changes[] = {-HISTORY_MAX, -HISTORY_MAX + 1, -2048,      -1, 0, 1,
                                  2048,         HISTORY_MAX - 1,  HISTORY_MAX};
    unsigned outside = 0;
    for (int from = -HISTORY_MAX; from <= HISTORY_MAX; from++)
        for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
            int16_t score = (int16_t)from;
            history_apply(&score, changes[i]);
            outside += abs(score) > HISTORY_MAX;
        }
    ck_assert_uint_eq(outside, 0);
}
END_TEST

START_TEST(gravity_follows_the_formula)
{
    int16_t score = 8192;
    history_apply(&score, 1000);
    ck_assert_int_eq(score, 8192 + 1000 - 8192 * 1000 / 16384);
    history_apply(&score, -1000);
    ck_assert_int_eq(score, 8692 - 1000 - 8692 * 1000 / 16384);
    score = 0;
    history_apply(&score, 0);
    ck_assert_int_eq(score, 0);
}
END_TEST

START_TEST(killers_are_two_and_never_the_same)
{
    const struct position position = sketch();
    const struct history_context context = context_at(7);
    const move_t a = move_make(0, 8, MOVE_QUIET), b = move_make(1, 18, MOVE_QUIET);
    const move_t c = move_make(0, 16, MOVE_QUIET);
    history_cutoff(&context, &position, 3, a, NULL, 0, NULL, 0);
    history_cutoff(&context, &position, 3, a, NULL, 0, NULL, 0);
    ck_assert_uint_eq(memory->killers[7][0], a);
    ck_assert_uint_eq(memory->killers[7][1], MOVE_NONE);
    history_cutoff(&context, &position, 3, b, NULL, 0, NULL, 0);
    ck_assert_uint_eq(memory->killers[7][0], b);
    ck_assert_uint_eq(memory->killers[7][1], a);
    history_cutoff(&context, &position, 3, a, NULL, 0, NULL, 0);
    ck_assert_uint_eq(memory->killers[7][0], a);
    ck_assert_uint_eq(memory->killers[7][1], b);
    history_cutoff(&context, &position, 3, c, NULL, 0, NULL, 0);
    ck_assert_uint_eq(memory->killers[7][0], c);
    ck_assert_uint_eq(memory->killers[7][1], a);
    ck_assert_uint_eq(memory->killers[6][0], MOVE_NONE);
}
END_TEST

START_TEST(an_exact_score_teaches_but_refutes_nothing)
{
    const struct position position = sketch();
    const struct history_context context = context_at(3);
    const move_t best = move_make(1, 18, MOVE_QUIET), tried = move_make(0, 8, MOVE_QUIET);
    history_exact(&context, &position, 4, best, &tried, 1);
    ck_assert_int_eq(history_quiet(&context, &position, best),
                     -history_quiet(&context, &position, tried));
    ck_assert_int_gt(history_quiet(&context, &position, best), 0);
    ck_assert_uint_eq(memory->killers[3][0], MOVE_NONE);
    memory_clear(memory);
    history_exact(&context, &position, 4, move_make(1, 18, MOVE_CAPTURE), &tried, 1);
    ck_assert_int_eq(history_quiet(&context, &position, tried), 0);
}
END_TEST

START_TEST(noisy_cutoff_leaves_quiets_alone)
{
    const struct position position = sketch();
    const struct history_context context = context_at(0);
    const move_t capture = move_make(1, 57, MOVE_CAPTURE), other = move_make(0, 57, MOVE_CAPTURE);
    const move_t quiet = move_make(0, 8, MOVE_QUIET);
    history_cutoff(&context, &position, 4, capture, &quiet, 1, &other, 1);
    ck_assert_uint_eq(memory->killers[0][0], MOVE_NONE);
    ck_assert_uint_eq(memory->countermoves[piece_make(BLACK, PAWN)][36], MOVE_NONE);
    ck_assert_int_eq(history_quiet(&context, &position, quiet), 0);
    ck_assert_int_gt(history_capture(memory, &position, capture), 0);
    ck_assert_int_lt(history_capture(memory, &position, other), 0);
}
END_TEST

START_TEST(a_quiet_cutoff_rewards_and_punishes)
{
    const struct position position = sketch();
    const struct history_context context = context_at(0);
    const move_t best = move_make(0, 8, MOVE_QUIET);
    const move_t tried[] = {move_make(1, 18, MOVE_QUIET), move_make(1, 16, MOVE_QUIET)};
    const move_t capture = move_make(1, 57, MOVE_CAPTURE);
    history_cutoff(&context, &position, 4, best, tried, 2, &capture, 1);
    const int gain = history_quiet(&context, &position, best);
    ck_assert_int_gt(gain, 0);
    ck_assert_int_eq(history_quiet(&context, &position, tried[0]), -gain);
    const int less = history_bonus(4) * 31 / 32; /* In each of four tables. */
    ck_assert_int_eq(history_quiet(&context, &position, tried[1]), -4 * less);
    ck_assert_int_lt(history_capture(memory, &position, capture), 0);
    ck_assert_uint_eq(memory->countermoves[piece_make(BLACK, PAWN)][36], best);
    /* The same move after other moves has the plain part alone. */
    struct history_context bare = context;
    for (int i = 0; i < CONTINUATIONS; i++)
        bare.continuation[i] = NULL;
    const int plain = history_quiet(&bare, &position, best);
    ck_assert_int_gt(plain, 0);
    ck_assert_int_lt(plain, gain);
}
END_TEST

START_TEST(who_was_tried_late_loses_half)
{
    const struct position position = sketch();
    const struct history_context context = context_at(0);
    move_t tried[40];
    for (unsigned i = 0; i < 40; i++)
        tried[i] = move_make(1, (square_t)(i + 2), MOVE_QUIET);
    history_cutoff(&context, &position, 4, move_make(0, 8, MOVE_QUIET), tried, 40, NULL, 0);
    const int half = -4 * (history_bonus(4) / 2);
    ck_assert_int_lt(history_quiet(&context, &position, tried[15]), half);
    ck_assert_int_eq(history_quiet(&context, &position, tried[16]), half);
    ck_assert_int_eq(history_quiet(&context, &position, tried[39]), half);
}
END_TEST

/* To leave an attack is another move than to leave a quiet square, to enter one too. */
START_TEST(what_is_attacked_parts_the_plain_history)
{
    const struct position position = sketch();
    struct history_context context = context_at(0);
    const move_t best = move_make(0, 8, MOVE_QUIET);
    for (int i = 0; i < CONTINUATIONS; i++)
        context.continuation[i] = NULL;
    const bitboard_t sets[] = {0, 1u << 0, 1u << 8, 1u << 0 | 1u << 8};
    for (unsigned i = 0; i < 4; i++) {
        memory_clear(memory);
        context.attacked = sets[i];
        history_quiet_change(&context, position.board[0], best, 1000);
        for (unsigned k = 0; k < 4; k++) {
            context.attacked = sets[k] | 1u << 20; /* No matter to this move. */
            ck_assert_int_eq(history_quiet(&context, &position, best), k == i ? 1000 : 0);
        }
    }
}
END_TEST

/* Below depth 0 captures learn alone, by as much as is said. */
START_TEST(a_capture_learns_by_itself)
{
    const struct position position = sketch();
    const move_t capture = move_make(1, 57, MOVE_CAPTURE), other = move_make(0, 57, MOVE_CAPTURE);
    history_capture_change(memory, &position, capture, 300);
    history_capture_change(memory, &position, other, -200);
    ck_assert_int_eq(history_capture(memory, &position, capture), 300);
    ck_assert_int_eq(history_capture(memory, &position, other), -200);
}
END_TEST

START_TEST(bonus_grows_with_depth_and_is_capped)
{
    const struct position position = sketch();
    struct history_context context = context_at(0);
    for (int i = 0; i < CONTINUATIONS; i++)
        context.continuation[i] = NULL;
    const move_t best = move_make(0, 8, MOVE_QUIET);
    int gains[PLY_MAX + 1];
    for (int depth = 0; depth <= PLY_MAX; depth++) {
        memory_clear(memory);
        history_cutoff(&context, &position, depth, best, NULL, 0, NULL, 0);
        gains[depth] = history_quiet(&context, &position, best);
        ck_assert_int_le(gains[depth], HISTORY_MAX);
    }
    ck_assert_int_eq(gains[0], 0);
    ck_assert_int_eq(gains[2], 4 * gains[1]);
    ck_assert_int_gt(gains[1], 0);
    ck_assert_int_gt(gains[3], gains[2]);
    ck_assert_int_le(gains[3], 9 * gains[1]);
    ck_assert_int_eq(gains[PLY_MAX], gains[PLY_MAX / 2]);
}
END_TEST

static void check_all_bounds(void)
{
    const int16_t *scores[] = {&memory->quiets[0][0][0][0][0], &memory->captures[0][0][0],
                               &memory->continuations[0][0][0][0]};
    const size_t counts[] = {sizeof memory->quiets / 2, sizeof memory->captures / 2,
                             sizeof memory->continuations / 2};
    unsigned outside = 0;
    for (size_t table = 0; table < 3; table++)
        for (size_t i = 0; i < counts[table]; i++)
            outside += abs(scores[table][i]) > HISTORY_MAX;
    ck_assert_uint_eq(outside, 0);
}

START_TEST(all_scores_stay_in_bounds_under_random_cutoffs)
{
    uint64_t seed = 2;
    struct position position = sketch();
    for (int i = 0; i < CUTOFFS; i++) {
        struct history_context context = context_at((int)random_below(&seed, PLY_MAX));
        position.side = (color_t)random_below(&seed, 2);
        move_t quiets[8], captures[8];
        for (int k = 0; k < 8; k++) {
            quiets[k] = move_make((square_t)random_below(&seed, 2),
                                  (square_t)random_below(&seed, 8), MOVE_QUIET);
            captures[k] = move_make((square_t)random_below(&seed, 2), 57, MOVE_CAPTURE);
        }
        const move_t best = random_below(&seed, 2) ? quiets[0] : captures[0];
        history_cutoff(&context, &position, (depth_t)random_below(&seed, PLY_MAX + 1), best,
                       quiets + 1, 7, captures + 1, 7);
    }
    check_all_bounds();
}
END_TEST

START_TEST(age_halves_and_clears_killers)
{
    const struct position position = sketch();
    const struct history_context context = context_at(3);
    const move_t best = move_make(0, 8, MOVE_QUIET), bad = move_make(1, 18, MOVE_QUIET);
    const move_t capture = move_make(1, 57, MOVE_CAPTURE);
    history_cutoff(&context, &position, 6, best, &bad, 1, &capture, 1);
    const int good_score = history_quiet(&context, &position, best);
    const int bad_score = history_quiet(&context, &position, bad);
    const int capture_score = history_capture(memory, &position, capture);
    memory_age(memory);
    ck_assert_int_eq(history_quiet(&context, &position, best), good_score / 2);
    ck_assert_int_eq(history_quiet(&context, &position, bad), bad_score / 2);
    ck_assert_int_eq(history_capture(memory, &position, capture), capture_score / 2);
    ck_assert_uint_eq(memory->killers[3][0], MOVE_NONE);
    ck_assert_uint_eq(memory->countermoves[piece_make(BLACK, PAWN)][36], best);
}
END_TEST

START_TEST(clear_leaves_nothing)
{
    unsigned char *bytes = (unsigned char *)memory;
    for (size_t i = 0; i < sizeof *memory; i++)
        bytes[i] = 0x5a;
    memory_clear(memory);
    unsigned char left = 0;
    for (size_t i = 0; i < sizeof *memory; i++)
        left |= bytes[i];
    ck_assert_uint_eq(left, 0);
}
END_TEST

Suite *suite_history(void)
{
    Suite *suite = suite_create("history");
    TCase *scores = tcase_create("scores");
    tcase_add_test(scores, score_stays_in_bounds);
    tcase_add_test(scores, score_stays_in_bounds_from_everywhere);
    tcase_add_test(scores, gravity_follows_the_formula);
    suite_add_tcase(suite, scores);
    TCase *memories = tcase_create("memory");
    tcase_add_checked_fixture(memories, setup, teardown);
    tcase_add_test(memories, killers_are_two_and_never_the_same);
    tcase_add_test(memories, an_exact_score_teaches_but_refutes_nothing);
    tcase_add_test(memories, noisy_cutoff_leaves_quiets_alone);
    tcase_add_test(memories, a_quiet_cutoff_rewards_and_punishes);
    tcase_add_test(memories, who_was_tried_late_loses_half);
    tcase_add_test(memories, what_is_attacked_parts_the_plain_history);
    tcase_add_test(memories, a_capture_learns_by_itself);
    tcase_add_test(memories, bonus_grows_with_depth_and_is_capped);
    tcase_add_test(memories, all_scores_stay_in_bounds_under_random_cutoffs);
    tcase_add_test(memories, age_halves_and_clears_killers);
    tcase_add_test(memories, clear_leaves_nothing);
    suite_add_tcase(suite, memories);
    return suite;
}
