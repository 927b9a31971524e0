#include "engine/picker.h"

#include "base/memory.h"
#include "chess/see.h"
#include "engine/suites.h"
#include "engine/threats.h"
#include "engine/tune.h"
#include "engine/walks.h"

enum { WALKS_A_START = 12, WALK_PLIES = 60, PLY = 9 };

static struct memory *memory;

static void setup(void)
{
    chess_init();
    memory = memory_allocate(sizeof *memory);
    ck_assert_ptr_nonnull(memory);
}

static void teardown(void) { memory_free(memory); }

/* A move another position left behind: any bits, or one that is legal here. */
static move_t move_foreign(const struct position *position, uint64_t *seed)
{
    move_t moves[MOVES_MAX];
    const unsigned count = (unsigned)(movegen_all(position, moves) - moves);
    switch (random_below(seed, 4)) {
    case 0: return (move_t)random_next(seed);
    case 1: return MOVE_NONE;
    default: return count == 0 ? MOVE_NONE : moves[random_below(seed, count)];
    }
}

static void scores_scatter(int16_t *scores, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        scores[i] = (int16_t)((int)random_below(seed, 2 * HISTORY_MAX + 1) - HISTORY_MAX);
}

static void memory_scatter(uint64_t *seed)
{
    scores_scatter(&memory->quiets[0][0][0][0][0], sizeof memory->quiets / sizeof(int16_t), seed);
    scores_scatter(&memory->captures[0][0][0], sizeof memory->captures / sizeof(int16_t), seed);
    scores_scatter(&memory->continuations[0][0][0][0],
                   sizeof memory->continuations / sizeof(int16_t), seed);
}

/* Hostile killers and countermoves, continuations that may be missing. */
static struct history_context context_scatter(const struct position *position, uint64_t *seed)
{
    struct history_context context = {.memory = memory, .ply = PLY};
    memory->killers[PLY][0] = move_foreign(position, seed);
    memory->killers[PLY][1] =
        random_below(seed, 4) ? move_foreign(position, seed) : memory->killers[PLY][0];
    if (random_below(seed, 8)) {
        context.previous = move_make(12, (square_t)random_below(seed, 64), MOVE_QUIET);
        context.previous_piece = (piece_t)random_below(seed, PIECE_COUNT);
        memory->countermoves[context.previous_piece][move_to(context.previous)] =
            random_below(seed, 4) ? move_foreign(position, seed) : memory->killers[PLY][1];
    }
    for (int i = 0; i < CONTINUATIONS; i++)
        context.continuation[i] = random_below(seed, 3) == 0
                                      ? NULL
                                      : &memory->continuations[random_below(seed, PIECE_COUNT)]
                                                              [random_below(seed, SQUARE_COUNT)];
    return context;
}

struct given {
    unsigned count;
    move_t moves[MOVES_MAX];
    enum picker_stage stages[MOVES_MAX];
};

static void picker_drain(struct picker *picker, struct given *out_given)
{
    out_given->count = 0;
    for (move_t move = picker_next(picker); move != MOVE_NONE && out_given->count < MOVES_MAX;
         move = picker_next(picker)) {
        out_given->stages[out_given->count] = picker->given;
        out_given->moves[out_given->count++] = move;
    }
    ck_assert_uint_eq(picker_next(picker), MOVE_NONE); /* And it stays at the end. */
}

static bool given_has(const struct given *given, move_t move)
{
    for (unsigned i = 0; i < given->count; i++)
        if (given->moves[i] == move)
            return true;
    return false;
}

/* Each of the moves, once, and no other. */
static bool given_is(const struct given *given, const move_t *moves, unsigned count)
{
    if (given->count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!given_has(given, moves[i]))
            return false;
    return true;
}

static bool refutation_is_right(const struct picker *picker, move_t move, move_t refutation)
{
    return move == refutation && !move_is_noisy(move) &&
           history_quiet(picker->context, picker->position, move) > -TUNE_REFUTATION_HISTORY;
}

/* What a move given at a stage must be, one rule a stage. */
static bool stage_is_right(const struct picker *picker, enum picker_stage stage, move_t move)
{
    const struct position *position = picker->position;
    const bool is_under = move_is_promotion(move) && move_promoted(move) != QUEEN;
    const bool is_good = !is_under && see_at_least(position, move, picker->see_threshold);
    const move_t *killers = memory->killers[PLY];
    switch (stage) {
    case PICKER_TABLE: return move == picker->table_move;
    case PICKER_NOISY: return move_is_noisy(move) && is_good;
    case PICKER_KILLER_1: return refutation_is_right(picker, move, killers[0]);
    case PICKER_KILLER_2: return refutation_is_right(picker, move, killers[1]);
    case PICKER_COUNTERMOVE: return refutation_is_right(picker, move, picker->countermove);
    case PICKER_QUIET: return !move_is_noisy(move);
    case PICKER_BAD_NOISY: return move_is_noisy(move) && !is_good;
    default: return false;
    }
}

static int quiet_order(const struct picker *picker, move_t move)
{
    struct threats threats;
    threats_find(picker->position, &threats);
    return history_quiet(picker->context, picker->position, move) +
           threats_score(&threats, picker->position, move);
}

static bool quiets_descend(const struct picker *picker, const struct given *given, unsigned i)
{
    return given->stages[i] != PICKER_QUIET || given->stages[i - 1] != PICKER_QUIET ||
           quiet_order(picker, given->moves[i - 1]) >= quiet_order(picker, given->moves[i]);
}

/* Every move at the stage it belongs to, stages in order, quiets best first. */
static bool stages_are_right(const struct picker *picker, const struct given *given)
{
    for (unsigned i = 0; i < given->count; i++)
        if (!stage_is_right(picker, given->stages[i], given->moves[i]) ||
            (i > 0 &&
             (given->stages[i] < given->stages[i - 1] || !quiets_descend(picker, given, i))))
            return false;
    return true;
}

static void check_main(const struct position *position, uint64_t *seed)
{
    const struct history_context context = context_scatter(position, seed);
    struct picker picker;
    struct given given;
    move_t moves[MOVES_MAX];
    const unsigned count = (unsigned)(movegen_all(position, moves) - moves);
    picker_init(&picker, position, &context, move_foreign(position, seed));
    picker_drain(&picker, &given);
    ck_assert(given_is(&given, moves, count));
    ck_assert(stages_are_right(&picker, &given));
}

/* From some point on no quiet move is given, and no noisy one is lost. */
static void check_skip(const struct position *position, uint64_t *seed)
{
    const struct history_context context = context_scatter(position, seed);
    struct picker picker;
    struct given given = {0};
    move_t moves[MOVES_MAX];
    const unsigned count = (unsigned)(movegen_all(position, moves) - moves);
    const unsigned skip_from = (unsigned)random_below(seed, count + 1);
    unsigned lies = 0;
    picker_init(&picker, position, &context, move_foreign(position, seed));
    for (;;) {
        if (given.count == skip_from)
            picker.skip_quiets = true;
        const move_t move = picker_next(&picker);
        if (move == MOVE_NONE)
            break;
        lies += (!move_is_noisy(move) && given.count >= skip_from) || given_has(&given, move);
        given.moves[given.count++] = move;
    }
    for (unsigned i = 0; i < count; i++)
        lies += move_is_noisy(moves[i]) && !given_has(&given, moves[i]);
    ck_assert_uint_eq(lies, 0);
}

static void check_noisy(const struct position *position, uint64_t *seed)
{
    static const int thresholds[] = {-1000, -100, 0, 1, 100, 300, 901};
    const struct history_context context = context_scatter(position, seed);
    const int threshold = thresholds[random_below(seed, sizeof thresholds / sizeof *thresholds)];
    struct picker picker;
    struct given given;
    move_t moves[MOVES_MAX], wanted[MOVES_MAX];
    unsigned wanted_count = 0;
    const bool in_check = position->checkers != 0;
    const unsigned count = (unsigned)(movegen_all(position, moves) - moves);
    for (unsigned i = 0; i < count; i++)
        if (in_check || (move_is_noisy(moves[i]) && see_at_least(position, moves[i], threshold)))
            wanted[wanted_count++] = moves[i];
    picker_init_noisy(&picker, position, &context, move_foreign(position, seed), threshold);
    picker_drain(&picker, &given);
    ck_assert(given_is(&given, wanted, wanted_count));
    ck_assert(!in_check || stages_are_right(&picker, &given));
}

static void walk_all(void (*check)(const struct position *, uint64_t *), unsigned seed_base)
{
    uint64_t seed = seed_base;
    unsigned seen = 0;
    memory_scatter(&seed);
    for (unsigned walk = 0; walk < WALKS_A_START * WALK_START_COUNT; walk++) {
        struct position position;
        walk_begin(&position, walk);
        for (unsigned ply = 0; ply < WALK_PLIES; ply++) {
            check(&position, &seed);
            seen++;
            if (!walk_step(&position, &seed))
                break;
        }
    }
    ck_assert_uint_gt(seen, 5000);
}

START_TEST(every_legal_move_once_in_stage_order) { walk_all(check_main, 1); }
END_TEST

START_TEST(skipped_quiets_lose_no_noisy_move) { walk_all(check_skip, 2); }
END_TEST

START_TEST(noisy_gives_what_reaches_the_threshold) { walk_all(check_noisy, 3); }
END_TEST

static void picker_begin(struct picker *picker, struct position *position,
                         const struct history_context *context, const char *fen, move_t table_move)
{
    ck_assert_int_eq(fen_parse(fen, strlen(fen), position), RK_OK);
    picker_init(picker, position, context, table_move);
}

/* The array that moves are generated to still holds what the test put there. */
START_TEST(a_table_move_costs_no_generation)
{
    const struct history_context context = {.memory = memory};
    struct picker picker;
    struct position position;
    const move_t move = move_make(12, 28, MOVE_DOUBLE);
    picker_begin(&picker, &position, &context, WALK_STARTS[0], move);
    memset(picker.moves, 0x5a, sizeof picker.moves);
    memset(picker.keys, 0x5a, sizeof picker.keys);
    ck_assert_uint_eq(picker_next(&picker), move);
    for (unsigned i = 0; i < MOVES_MAX; i++) {
        ck_assert_uint_eq(picker.moves[i], 0x5a5a);
        ck_assert_int_eq(picker.keys[i], 0x5a5a5a5a);
    }
    ck_assert_uint_ne(picker_next(&picker), MOVE_NONE); /* Now it must. */
    ck_assert_uint_ne(picker.moves[0], 0x5a5a);
}
END_TEST

/* A node cut by a capture, a killer or a countermove never sees its quiet moves. */
START_TEST(quiets_are_generated_after_all_before_them)
{
    const struct history_context context = {.memory = memory, .ply = PLY};
    struct picker picker;
    struct position position;
    memory->killers[PLY][0] = move_make(1, 18, MOVE_QUIET);
    memory->killers[PLY][1] = move_make(6, 21, MOVE_QUIET);
    picker_begin(&picker, &position, &context, WALK_STARTS[0], MOVE_NONE);
    memset(picker.moves, 0x5a, sizeof picker.moves);
    ck_assert_uint_eq(picker_next(&picker), memory->killers[PLY][0]);
    ck_assert_uint_eq(picker_next(&picker), memory->killers[PLY][1]);
    for (unsigned i = 0; i < MOVES_MAX; i++)
        ck_assert_uint_eq(picker.moves[i], 0x5a5a);
    ck_assert_uint_ne(picker_next(&picker), MOVE_NONE);
    ck_assert_int_eq(picker.given, PICKER_QUIET);
}
END_TEST

/* A killer that the search of an earlier move has just found counts. */
START_TEST(killers_are_read_when_their_turn_comes)
{
    const struct history_context context = {.memory = memory, .ply = PLY};
    struct picker picker;
    struct position position;
    const move_t table_move = move_make(12, 28, MOVE_DOUBLE);
    picker_begin(&picker, &position, &context, WALK_STARTS[0], table_move);
    ck_assert_uint_eq(picker_next(&picker), table_move);
    memory->killers[PLY][0] = move_make(1, 18, MOVE_QUIET);
    ck_assert_uint_eq(picker_next(&picker), memory->killers[PLY][0]);
    ck_assert_int_eq(picker.given, PICKER_KILLER_1);
}
END_TEST

/* A killer that mostly failed elsewhere stands where its history puts it. */
START_TEST(a_killer_of_bad_record_waits_its_turn)
{
    const struct history_context context = {.memory = memory, .ply = PLY};
    struct picker picker;
    struct position position;
    struct given given;
    const move_t killer = move_make(1, 18, MOVE_QUIET);
    memory->killers[PLY][0] = killer;
    memory->quiets[WHITE][0][0][1][18] = 1 - TUNE_REFUTATION_HISTORY;
    picker_begin(&picker, &position, &context, WALK_STARTS[0], MOVE_NONE);
    ck_assert_uint_eq(picker_next(&picker), killer);
    memory->quiets[WHITE][0][0][1][18] = -TUNE_REFUTATION_HISTORY;
    picker_begin(&picker, &position, &context, WALK_STARTS[0], MOVE_NONE);
    picker_drain(&picker, &given);
    ck_assert_uint_eq(given.moves[given.count - 1], killer);
    ck_assert_int_eq(given.stages[given.count - 1], PICKER_QUIET);
}
END_TEST

START_TEST(ties_keep_generation_order)
{
    const struct history_context context = {.memory = memory};
    struct picker picker;
    struct position position;
    struct given given;
    move_t quiets[MOVES_MAX];
    picker_begin(&picker, &position, &context, WALK_STARTS[0], MOVE_NONE);
    const unsigned count = (unsigned)(movegen_quiet(&position, quiets) - quiets);
    picker_drain(&picker, &given);
    ck_assert_uint_eq(given.count, count);
    for (unsigned i = 0; i < count; i++)
        ck_assert_uint_eq(given.moves[i], quiets[i]);
}
END_TEST

static void check_order(const char *fen, const char *expected)
{
    const struct history_context context = {.memory = memory};
    struct picker picker;
    struct position position;
    char text[256] = "";
    size_t length = 0;
    picker_begin(&picker, &position, &context, fen, MOVE_NONE);
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        if (!move_is_noisy(move) && picker.given == PICKER_QUIET)
            continue;
        ck_assert_uint_lt(length + RK_MOVE_BYTES_MAX, sizeof text - 1);
        length += rk_move_text(move, false, text + length);
        text[length++] = ' ';
        text[length] = '\0';
    }
    ck_assert_str_eq(text, expected);
}

START_TEST(best_victim_first_then_cheapest_taker)
{
    /* A queen, a rook and a pawn hang to a pawn, a knight and a queen. */
    check_order("4k3/8/8/2q3r1/1P2N3/8/p2Q4/4K3 w - - 0 1", "b4c5 e4c5 e4g5 d2g5 d2a2 ");
}
END_TEST

START_TEST(what_costs_nothing_comes_before_its_like)
{
    /* Two knights: the one on b5 is guarded by a pawn, and generated first. */
    check_order("4k3/8/p7/1n4n1/2P4P/8/8/4K3 w - - 0 1", "h4g5 c4b5 ");
}
END_TEST

START_TEST(what_has_just_moved_comes_before_its_like)
{
    struct history_context context = {.memory = memory,
                                      .previous = move_make(55, 39, MOVE_QUIET),
                                      .previous_piece = piece_make(BLACK, ROOK)};
    struct picker picker;
    struct position position;
    picker_begin(&picker, &position, &context, "4k3/8/8/r6r/1P4P1/8/8/4K3 w - - 0 1", MOVE_NONE);
    ck_assert_uint_eq(picker_next(&picker), move_make(30, 39, MOVE_CAPTURE));
    context.previous = move_make(56, 32, MOVE_QUIET);
    picker_begin(&picker, &position, &context, "4k3/8/8/r6r/1P4P1/8/8/4K3 w - - 0 1", MOVE_NONE);
    ck_assert_uint_eq(picker_next(&picker), move_make(25, 32, MOVE_CAPTURE));
}
END_TEST

START_TEST(losing_captures_wait_until_after_the_quiets)
{
    const struct history_context context = {.memory = memory};
    struct picker picker;
    struct position position;
    struct given given;
    /* Queen takes a guarded pawn. */
    picker_begin(&picker, &position, &context, "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1", MOVE_NONE);
    picker_drain(&picker, &given);
    ck_assert_uint_eq(given.moves[given.count - 1], move_make(11, 35, MOVE_CAPTURE));
    ck_assert_int_eq(given.stages[given.count - 1], PICKER_BAD_NOISY);
    ck_assert_int_eq(given.stages[0], PICKER_QUIET);
}
END_TEST

START_TEST(queens_are_made_early_and_the_rest_late)
{
    check_order("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q a7a8r a7a8b a7a8n ");
}
END_TEST

Suite *suite_picker(void)
{
    Suite *suite = suite_create("picker");
    TCase *walks = tcase_create("walks");
    tcase_add_checked_fixture(walks, setup, teardown);
    tcase_set_timeout(walks, 60);
    tcase_add_test(walks, every_legal_move_once_in_stage_order);
    tcase_add_test(walks, skipped_quiets_lose_no_noisy_move);
    tcase_add_test(walks, noisy_gives_what_reaches_the_threshold);
    suite_add_tcase(suite, walks);
    TCase *stages = tcase_create("stages");
    tcase_add_checked_fixture(stages, setup, teardown);
    tcase_add_test(stages, a_table_move_costs_no_generation);
    tcase_add_test(stages, quiets_are_generated_after_all_before_them);
    tcase_add_test(stages, killers_are_read_when_their_turn_comes);
    tcase_add_test(stages, a_killer_of_bad_record_waits_its_turn);
    tcase_add_test(stages, ties_keep_generation_order);
    tcase_add_test(stages, best_victim_first_then_cheapest_taker);
    tcase_add_test(stages, what_costs_nothing_comes_before_its_like);
    tcase_add_test(stages, what_has_just_moved_comes_before_its_like);
    tcase_add_test(stages, losing_captures_wait_until_after_the_quiets);
    tcase_add_test(stages, queens_are_made_early_and_the_rest_late);
    suite_add_tcase(suite, stages);
    return suite;
}
