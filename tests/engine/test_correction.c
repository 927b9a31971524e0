#include "engine/correction.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "engine/suites.h"

static struct corrections *corrections;

static void setup(void)
{
    corrections = memory_allocate(sizeof *corrections);
    ck_assert_ptr_nonnull(corrections);
}

static void teardown(void) { memory_free(corrections); }

/* A board of a few men by squares; what corrections look at is filled in. */
static struct position sketch(color_t side, square_t knight, unsigned pawn_key)
{
    struct position position = {.side = side, .pawn_key = pawn_key * 0x9e3779b97f4a7c15u};
    position.kinds[KING] = (bitboard_t)1 << 4 | (bitboard_t)1 << 60;
    position.kinds[KNIGHT] = (bitboard_t)1 << knight;
    position.kinds[ROOK] = (bitboard_t)1 << 63;
    position.colors[WHITE] = (bitboard_t)1 << 4 | (bitboard_t)1 << knight;
    position.colors[BLACK] = (bitboard_t)1 << 60 | (bitboard_t)1 << 63;
    return position;
}

static struct correction_cells find(const struct position *position, uint64_t moves)
{
    struct correction_cells cells;
    correction_find(corrections, position, moves, &cells);
    return cells;
}

static void teach(const struct correction_cells *cells, int miss, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        correction_teach(cells, miss, 6);
}

START_TEST(nothing_is_corrected_before_it_is_taught)
{
    const struct position position = sketch(WHITE, 18, 77);
    const struct correction_cells cells = find(&position, 5);
    ck_assert_int_eq(correction_read(&cells), 0);
}
END_TEST

START_TEST(it_moves_toward_the_miss_and_back)
{
    const struct position position = sketch(WHITE, 18, 77);
    const struct correction_cells cells = find(&position, 5);
    teach(&cells, 40, 20);
    const int high = correction_read(&cells);
    ck_assert_int_gt(high, 0);
    teach(&cells, -40, 200);
    ck_assert_int_lt(correction_read(&cells), 0);
    ck_assert_int_ge(correction_read(&cells), -2 * high - 400);
}
END_TEST

START_TEST(cells_stay_in_bounds)
{
    const struct position position = sketch(BLACK, 18, 3);
    const struct correction_cells cells = find(&position, 5);
    uint64_t seed = 1;
    for (unsigned i = 0; i < 100000; i++) {
        correction_teach(&cells, (int)random_below(&seed, 64001) - 32000,
                         (depth_t)random_below(&seed, 127) + 1);
        ck_assert_int_le(abs(*cells.pawns), CORRECTION_MAX);
        ck_assert_int_le(abs(*cells.minors), CORRECTION_MAX);
        ck_assert_int_le(abs(*cells.officers[WHITE]), CORRECTION_MAX);
        ck_assert_int_le(abs(*cells.moves), CORRECTION_MAX);
    }
}
END_TEST

START_TEST(a_shared_feature_is_corrected_alone)
{
    const struct position taught = sketch(WHITE, 18, 77);
    const struct position same_pawns = sketch(WHITE, 21, 77);
    const struct position same_men = sketch(WHITE, 18, 99);
    const struct position stranger = sketch(WHITE, 21, 99);
    struct correction_cells cells = find(&taught, 5);
    teach(&cells, 60, 50);
    const int all = correction_read(&cells);
    cells = find(&same_pawns, 6);
    const int pawns = correction_read(&cells);
    ck_assert_int_gt(pawns, 0);
    ck_assert_int_lt(pawns, all);
    cells = find(&same_men, 6);
    ck_assert_int_gt(correction_read(&cells), 0);
    ck_assert_int_lt(correction_read(&cells), all);
    /* Black's officers are the same everywhere here. */
    cells = find(&stranger, 6);
    ck_assert_int_lt(correction_read(&cells), pawns);
}
END_TEST

START_TEST(sides_are_apart)
{
    const struct position white = sketch(WHITE, 18, 77);
    const struct position black = sketch(BLACK, 18, 77);
    const struct correction_cells cells = find(&white, 5);
    teach(&cells, 60, 50);
    const struct correction_cells other = find(&black, 5);
    ck_assert_int_eq(correction_read(&other), 0);
}
END_TEST

START_TEST(without_two_moves_there_is_no_cell_of_theirs)
{
    const struct position position = sketch(WHITE, 18, 77);
    const struct correction_cells cells = find(&position, 0);
    ck_assert_ptr_null(cells.moves);
    teach(&cells, 60, 50);
    ck_assert_int_gt(correction_read(&cells), 0);
}
END_TEST

Suite *suite_correction(void)
{
    Suite *suite = suite_create("correction");
    TCase *tcase = tcase_create("correction");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, nothing_is_corrected_before_it_is_taught);
    tcase_add_test(tcase, it_moves_toward_the_miss_and_back);
    tcase_add_test(tcase, cells_stay_in_bounds);
    tcase_add_test(tcase, a_shared_feature_is_corrected_alone);
    tcase_add_test(tcase, sides_are_apart);
    tcase_add_test(tcase, without_two_moves_there_is_no_cell_of_theirs);
    suite_add_tcase(suite, tcase);
    return suite;
}
