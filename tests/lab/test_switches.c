/* Each technique of ordering, switched off, changes what the picker gives where it mattered, and
 * never which moves it gives. */
#include "engine/switches.h"

#include "base/memory.h"
#include "engine/picker.h"
#include "engine/walks.h"
#include "lab/suites.h"

enum { WALKS = 120, WALK_PLIES = 40, PLY = 3 };

static struct memory *memory;
static struct position position;
static struct history_context context;

static void setup(void)
{
    memory = memory_allocate(sizeof *memory);
    ck_assert_ptr_nonnull(memory);
    walk_begin(&position, 0);
    context = (struct history_context){.memory = memory,
                                       .ply = PLY,
                                       .previous = move_make(52, 36, MOVE_DOUBLE),
                                       .previous_piece = piece_make(BLACK, PAWN)};
}

static void teardown(void) { memory_free(memory); }

static void position_set(const char *fen)
{
    ck_assert_int_eq(fen_parse(fen, strlen(fen), &position), RK_OK);
}

static void switch_off(enum ordering_switch technique)
{
    memory->switches_off |= (uint32_t)1 << technique;
}

/* The place at which a move is given, from 0; 999 when it is not. */
static unsigned place_of(move_t wanted, move_t table_move)
{
    struct picker picker;
    unsigned place = 0;
    picker_init(&picker, &position, &context, table_move);
    for (move_t move = picker_next(&picker); move != MOVE_NONE;
         move = picker_next(&picker), place++)
        if (move == wanted)
            return place;
    return 999;
}

static const move_t A2A3 = 8 | 16 << 6, B1C3 = 1 | 18 << 6, G1F3 = 6 | 21 << 6;

START_TEST(names_are_found_again)
{
    for (unsigned i = 0; i < SWITCH_COUNT; i++) {
        enum ordering_switch found = SWITCH_COUNT;
        ck_assert(switch_parse(switch_name((enum ordering_switch)i), &found));
        ck_assert_uint_eq(found, i);
    }
    enum ordering_switch kept = SWITCH_KILLERS;
    ck_assert(!switch_parse("", &kept));
    ck_assert(!switch_parse("killer", &kept));
    ck_assert(!switch_parse("killerss", &kept));
    ck_assert_uint_eq(kept, SWITCH_KILLERS);
}
END_TEST

START_TEST(table_move_off_is_in_its_common_place)
{
    ck_assert_uint_eq(place_of(G1F3, G1F3), 0);
    switch_off(SWITCH_TABLE_MOVE);
    ck_assert_uint_gt(place_of(G1F3, G1F3), 0);
}
END_TEST

START_TEST(mvv_lva_off_leaves_generation_order)
{
    position_set("4k3/8/8/1p6/P5B1/7q/8/4K3 w - - 0 1");
    const move_t takes_queen = move_make(30, 23, MOVE_CAPTURE);
    const move_t takes_pawn = move_make(24, 33, MOVE_CAPTURE);
    ck_assert_uint_eq(place_of(takes_queen, MOVE_NONE), 0);
    ck_assert_uint_eq(place_of(takes_pawn, MOVE_NONE), 1);
    switch_off(SWITCH_MVV_LVA);
    ck_assert_uint_eq(place_of(takes_pawn, MOVE_NONE), 0);
}
END_TEST

START_TEST(promotions_off_come_late)
{
    position_set("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    const move_t queen = move_make(48, 56, MOVE_PROMOTE + 3);
    ck_assert_uint_eq(place_of(queen, MOVE_NONE), 0);
    switch_off(SWITCH_PROMOTIONS);
    ck_assert_uint_ge(place_of(queen, MOVE_NONE), 3);
}
END_TEST

START_TEST(capture_history_off_is_not_read)
{
    position_set("4k3/8/8/1p5p/P5P1/8/8/4K3 w - - 0 1");
    const move_t first = move_make(24, 33, MOVE_CAPTURE), second = move_make(30, 39, MOVE_CAPTURE);
    const unsigned before = place_of(second, MOVE_NONE);
    history_apply(&memory->captures[piece_make(WHITE, PAWN)][before == 0 ? 33 : 39][PAWN], 5000);
    const move_t raised = before == 0 ? first : second;
    ck_assert_uint_eq(place_of(raised, MOVE_NONE), 0);
    switch_off(SWITCH_CAPTURE_HISTORY);
    ck_assert_uint_eq(place_of(raised, MOVE_NONE), 1);
}
END_TEST

START_TEST(see_ordering_off_gives_losing_captures_early)
{
    position_set("4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1");
    const move_t losing = move_make(11, 35, MOVE_CAPTURE);
    ck_assert_uint_gt(place_of(losing, MOVE_NONE), 10);
    switch_off(SWITCH_SEE_ORDERING);
    ck_assert_uint_eq(place_of(losing, MOVE_NONE), 0);
}
END_TEST

START_TEST(killers_off_are_common_moves)
{
    memory->killers[PLY][0] = G1F3;
    memory->killers[PLY][1] = B1C3;
    ck_assert_uint_eq(place_of(G1F3, MOVE_NONE), 0);
    ck_assert_uint_eq(place_of(B1C3, MOVE_NONE), 1);
    switch_off(SWITCH_KILLERS);
    ck_assert_uint_gt(place_of(G1F3, MOVE_NONE), 1);
    ck_assert_uint_gt(place_of(B1C3, MOVE_NONE), 1);
}
END_TEST

START_TEST(countermoves_off_are_common_moves)
{
    memory->countermoves[context.previous_piece][36] = G1F3;
    ck_assert_uint_eq(place_of(G1F3, MOVE_NONE), 0);
    switch_off(SWITCH_COUNTERMOVES);
    ck_assert_uint_gt(place_of(G1F3, MOVE_NONE), 0);
}
END_TEST

START_TEST(history_off_is_not_read)
{
    memory->quiets[WHITE][0][0][6][21] = 100;
    ck_assert_uint_eq(place_of(G1F3, MOVE_NONE), 0);
    ck_assert_int_eq(history_quiet(&context, &position, G1F3), 100);
    switch_off(SWITCH_HISTORY);
    ck_assert_uint_gt(place_of(G1F3, MOVE_NONE), 0);
    ck_assert_int_eq(history_quiet(&context, &position, G1F3), 0);
}
END_TEST

START_TEST(continuation_history_off_is_not_read)
{
    context.continuation[0] = &memory->continuations[context.previous_piece][36];
    (*context.continuation[0])[piece_make(WHITE, KNIGHT)][21] = 100;
    ck_assert_uint_eq(place_of(G1F3, MOVE_NONE), 0);
    switch_off(SWITCH_CONTINUATION_HISTORY);
    ck_assert_uint_gt(place_of(G1F3, MOVE_NONE), 0);
}
END_TEST

START_TEST(threats_off_are_not_seen)
{
    position_set("4k3/8/2p5/8/8/8/1R6/4K3 w - - 0 1");
    const move_t to_pawn = move_make(9, 33, MOVE_QUIET);
    const unsigned last = movegen_count(&position) - 1;
    ck_assert_uint_eq(place_of(to_pawn, MOVE_NONE), last);
    switch_off(SWITCH_THREATS);
    ck_assert_uint_lt(place_of(to_pawn, MOVE_NONE), last);
}
END_TEST

/* Laid out at once, the order does not know what the search of the first move taught. */
static move_t second_after_learning(move_t table_move)
{
    struct picker picker;
    memory->quiets[WHITE][0][0][1][18] = 0;
    picker_init(&picker, &position, &context, table_move);
    ck_assert_uint_eq(picker_next(&picker), table_move);
    memory->quiets[WHITE][0][0][1][18] = 100;
    return picker_next(&picker);
}

START_TEST(staged_generation_off_orders_at_once)
{
    memory->quiets[WHITE][0][0][8][16] = 50;
    ck_assert_uint_eq(second_after_learning(G1F3), B1C3);
    switch_off(SWITCH_STAGED_GENERATION);
    ck_assert_uint_eq(second_after_learning(G1F3), A2A3);
}
END_TEST

/* Which moves are given, and their number, is the same whatever is off. */
static void check_all_given(uint32_t switches_off, uint64_t *seed)
{
    move_t moves[MOVES_MAX];
    const unsigned count = (unsigned)(movegen_all(&position, moves) - moves);
    uint64_t expected = 0, given = 0;
    unsigned given_count = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t state = moves[i];
        expected += random_next(&state); /* A sum that repeats and gaps do not keep. */
    }
    memory->switches_off = switches_off;
    struct picker picker;
    picker_init(&picker, &position, &context,
                count > 0 ? moves[random_below(seed, count)] : (move_t)random_next(seed));
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        uint64_t state = move;
        given += random_next(&state);
        given_count++;
    }
    ck_assert_uint_eq(given_count, count);
    ck_assert(given == expected);
}

START_TEST(every_legal_move_once_whatever_is_off)
{
    uint64_t seed = 5;
    for (unsigned walk = 0; walk < WALKS; walk++) {
        walk_begin(&position, walk);
        for (unsigned ply = 0; ply < WALK_PLIES; ply++) {
            memory->killers[PLY][0] = (move_t)random_next(&seed);
            memory->countermoves[context.previous_piece][36] = (move_t)random_next(&seed);
            check_all_given((uint32_t)random_below(&seed, 1u << SWITCH_COUNT), &seed);
            if (!walk_step(&position, &seed))
                break;
        }
    }
}
END_TEST

/* A picker for the main search, or with `threshold` one for quiescence. What it knows of another
 * position is not what it may go by. */
static void picker_begin(struct picker *picker, bool is_staged, move_t table_move,
                         const int *threshold)
{
    memory->switches_off = 0;
    if (!is_staged)
        switch_off(SWITCH_STAGED_GENERATION);
    picker->fair = UINT64_MAX;
    if (threshold == NULL)
        picker_init(picker, &position, &context, table_move);
    else
        picker_init_noisy(picker, &position, &context, table_move, *threshold);
}

/* With staged generation off, all else on, the order of an unchanging memory is the same. */
START_TEST(unstaged_is_the_same_order_when_nothing_is_learnt)
{
    static const int THRESHOLDS[] = {-50, 0, 150};
    const int *threshold = _i == 0 ? NULL : &THRESHOLDS[_i - 1];
    uint64_t seed = 6;
    for (unsigned walk = 0; walk < WALKS; walk++) {
        walk_begin(&position, walk);
        for (unsigned ply = 0; ply < WALK_PLIES && walk_step(&position, &seed); ply++) {
            struct picker staged, unstaged;
            move_t moves[MOVES_MAX], move;
            const unsigned count = (unsigned)(movegen_all(&position, moves) - moves);
            move = count > 0 && ply % 2 == 0 ? moves[random_below(&seed, count)] : MOVE_NONE;
            picker_begin(&staged, true, move, threshold);
            picker_begin(&unstaged, false, move, threshold);
            do {
                memory->switches_off = 0;
                move = picker_next(&staged);
                switch_off(SWITCH_STAGED_GENERATION);
                ck_assert_uint_eq(picker_next(&unstaged), move);
                ck_assert(move == MOVE_NONE || staged.given == unstaged.given);
            } while (move != MOVE_NONE);
        }
    }
}
END_TEST

Suite *suite_switches(void)
{
    Suite *suite = suite_create("switches");
    TCase *tcase = tcase_create("switches");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, names_are_found_again);
    tcase_add_test(tcase, table_move_off_is_in_its_common_place);
    tcase_add_test(tcase, mvv_lva_off_leaves_generation_order);
    tcase_add_test(tcase, promotions_off_come_late);
    tcase_add_test(tcase, capture_history_off_is_not_read);
    tcase_add_test(tcase, see_ordering_off_gives_losing_captures_early);
    tcase_add_test(tcase, killers_off_are_common_moves);
    tcase_add_test(tcase, countermoves_off_are_common_moves);
    tcase_add_test(tcase, history_off_is_not_read);
    tcase_add_test(tcase, continuation_history_off_is_not_read);
    tcase_add_test(tcase, threats_off_are_not_seen);
    tcase_add_test(tcase, staged_generation_off_orders_at_once);
    tcase_add_test(tcase, every_legal_move_once_whatever_is_off);
    tcase_add_loop_test(tcase, unstaged_is_the_same_order_when_nothing_is_learnt, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite;
}
