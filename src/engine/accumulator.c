/* A side sees the board from its own end, mirrored so that its king stands on files a to d, and its
 * rows depend on the king's area: this is its view. While the view stays, a move changes two to
 * four rows.
 *
 * Each ply of the line keeps a board with both sides' sums. An evaluation at a ply starts from the
 * nearest ply before it that the line has gone through (its key tells; plies in check or known by
 * the table were never summed). Where the view has changed, or no ply can serve, it starts from the
 * board that was last seen in this view: one is kept for each side and view, at first an empty one.
 * In both cases the two boards are compared square by square, so where it started is a question of
 * time alone. Source: Chess Programming Wiki, "NNUE", "Accumulator", "Finny tables". */
#include "engine/accumulator.h"

#include <stdalign.h>
#include <string.h>

#include "base/check.h"
#include "base/limits.h"
#include "base/memory.h"
#include "engine/kernels.h"

enum {
    PLIES_BACK_MAX = 4, /* Further back more has changed than since the view was last seen. */
    PLY_COUNT = PLY_MAX + 1,
    MIRRORED_FROM_FILE = 4,
    MIRROR = 7, /* Exchanges files. */
    FLIP = 56,  /* Exchanges ranks. */
    SIDE_INPUTS = KIND_COUNT * SQUARE_COUNT
};

/* Where a side's king puts its men among the rows. */
struct view {
    uint8_t number; /* From 1; 0 is none. */
    uint8_t turn;   /* XORed to squares. */
    const int16_t *rows;
};

struct ply {
    alignas(NETWORK_ALIGNMENT) piece_t board[SQUARE_COUNT];
    zkey_t key; /* Of the position with that board. */
    uint8_t views[COLOR_COUNT];
};

struct seen {
    piece_t board[SQUARE_COUNT];
};

struct accumulators {
    const struct rk_network *network;
    struct ply *plies;    /* PLY_COUNT */
    int16_t *ply_values;  /* [PLY_COUNT][COLOR_COUNT][width] */
    struct seen *seen;    /* [COLOR_COUNT][areas * 2] */
    int16_t *seen_values; /* [COLOR_COUNT][areas * 2][width] */
};

static struct view view_of(const struct rk_network *network, const struct position *position,
                           color_t color)
{
    square_t king = position_king(position, color);
    struct view view = {.turn = color == WHITE ? 0 : FLIP};
    king ^= view.turn;
    const bool is_mirrored = square_file(king) >= MIRRORED_FROM_FILE;
    if (is_mirrored)
        view.turn ^= MIRROR;
    const unsigned area = network->area_of[king];
    view.number = (uint8_t)(area * 2 + is_mirrored + 1);
    view.rows = network->rows + (size_t)area * NETWORK_INPUTS * network->width;
    return view;
}

/* Men that differ between two boards, as inputs to White unmirrored: piece * 64 + square. */
struct differences {
    uint16_t added[NETWORK_MEN_MAX + 1], taken[NETWORK_MEN_MAX + 1]; /* One more is written to. */
    unsigned added_count, taken_count;
};

/* What makes `to` of `from`. Without a branch on what a move is, which nothing can foretell. */
static inline void find_differences(const piece_t *from, const piece_t *to, bitboard_t changed,
                                    struct differences *out_differences)
{
    unsigned added = 0, taken = 0;
    while (changed != 0) {
        const square_t square = bits_pop(&changed);
        out_differences->taken[taken] = (uint16_t)(from[square] * SQUARE_COUNT + square);
        out_differences->added[added] = (uint16_t)(to[square] * SQUARE_COUNT + square);
        taken += from[square] != PIECE_NONE;
        added += to[square] != PIECE_NONE;
    }
    out_differences->added_count = added;
    out_differences->taken_count = taken;
}

/* The row of an input to White, as `color` sees it: to Black own men are the others. */
static inline const int16_t *row_of(const struct view *view, color_t color, unsigned input,
                                    unsigned width)
{
    if (color == BLACK)
        input = input < SIDE_INPUTS ? input + SIDE_INPUTS : input - SIDE_INPUTS;
    return view->rows + (size_t)(input ^ view->turn) * width;
}

static inline void change(const struct rk_network *network, const struct view *view, color_t color,
                          const struct differences *differences, const int16_t *from_values,
                          int16_t *out_values)
{
    const unsigned width = network->width;
    struct row_changes changes;
    changes.added_count = differences->added_count;
    changes.taken_count = differences->taken_count;
    /* The analyser does not see that as many have been written as are counted. */
    /* NOLINTBEGIN(clang-analyzer-core.CallAndMessage) */
    for (unsigned i = 0; i < differences->added_count; i++)
        changes.added[i] = row_of(view, color, differences->added[i], width);
    for (unsigned i = 0; i < differences->taken_count; i++)
        changes.taken[i] = row_of(view, color, differences->taken[i], width);
    /* NOLINTEND(clang-analyzer-core.CallAndMessage) */
    kernel_change(out_values, from_values, &changes, width);
}

static inline int16_t *values_at(const struct accumulators *accumulators, int ply, color_t color)
{
    const size_t index = (size_t)ply * COLOR_COUNT + color;
    return accumulators->ply_values + index * accumulators->network->width;
}

/* Brings the board last seen in this view up to date and copies its sums. */
static void change_seen(struct accumulators *accumulators, const struct view *view, color_t color,
                        const piece_t *board, int16_t *out_values)
{
    const struct rk_network *network = accumulators->network;
    const size_t index = (size_t)color * network->areas * 2 + view->number - 1u;
    struct seen *seen = &accumulators->seen[index];
    int16_t *values = accumulators->seen_values + index * network->width;
    struct differences differences;
    find_differences(seen->board, board, vector_changes(seen->board, board), &differences);
    change(network, view, color, &differences, values, values);
    memcpy(seen->board, board, sizeof seen->board);
    memcpy(out_values, values, network->width * sizeof *values);
}

/* The nearest ply before `ply` whose sums are of the line's position; -1: none is near. */
static int find_ply(const struct ply *plies, const zkey_t *line, int ply)
{
    const int last = ply > PLIES_BACK_MAX ? ply - PLIES_BACK_MAX : 0;
    for (int before = ply - 1; before >= last; before--)
        if (plies[before].key == line[before])
            return before;
    return -1;
}

struct accumulator_pair accumulators_at(struct accumulators *accumulators,
                                        const struct position *position, const zkey_t *line,
                                        int ply)
{
    ASSERT(ply >= 0 && ply < PLY_COUNT);
    const struct rk_network *network = accumulators->network;
    struct ply *here = &accumulators->plies[ply];
    const int before = find_ply(accumulators->plies, line, ply);
    const bool is_near = before >= 0;
    const struct ply *from = &accumulators->plies[is_near ? before : ply];
    struct differences differences;
    differences.added_count = differences.taken_count = 0;
    if (is_near)
        find_differences(from->board, position->board, vector_changes(from->board, position->board),
                         &differences);
    struct accumulator_pair pair;
    for (color_t color = WHITE; color < COLOR_COUNT; color++) {
        const struct view view = view_of(network, position, color);
        int16_t *values = values_at(accumulators, ply, color);
        if (is_near && from->views[color] == view.number)
            change(network, &view, color, &differences, values_at(accumulators, before, color),
                   values);
        else
            change_seen(accumulators, &view, color, position->board, values);
        here->views[color] = view.number;
        pair.of[color] = values;
    }
    here->key = position->key;
    memcpy(here->board, position->board, sizeof here->board);
    return pair;
}

void accumulators_sum(const struct rk_network *network, const struct position *position,
                      int16_t out_values[COLOR_COUNT][NETWORK_UNITS_MAX])
{
    piece_t empty[SQUARE_COUNT];
    struct differences differences;
    memset(empty, PIECE_NONE, sizeof empty);
    find_differences(empty, position->board, position_all(position), &differences);
    for (color_t color = WHITE; color < COLOR_COUNT; color++) {
        const struct view view = view_of(network, position, color);
        change(network, &view, color, &differences, network->biases, out_values[color]);
    }
}

struct accumulators *accumulators_create(const struct rk_network *network)
{
    const size_t views = (size_t)COLOR_COUNT * network->areas * 2;
    const size_t row_bytes = network->width * sizeof(int16_t);
    struct accumulators *accumulators = memory_allocate(sizeof *accumulators);
    if (accumulators == NULL)
        return NULL;
    accumulators->network = network;
    accumulators->plies = memory_allocate(PLY_COUNT * sizeof *accumulators->plies);
    accumulators->ply_values = memory_allocate((size_t)PLY_COUNT * COLOR_COUNT * row_bytes);
    accumulators->seen = memory_allocate(views * sizeof *accumulators->seen);
    accumulators->seen_values = memory_allocate(views * row_bytes);
    if (accumulators->plies == NULL || accumulators->ply_values == NULL ||
        accumulators->seen == NULL || accumulators->seen_values == NULL) {
        accumulators_destroy(accumulators);
        return NULL;
    }
    memset(accumulators->seen, PIECE_NONE, views * sizeof *accumulators->seen);
    for (size_t i = 0; i < PLY_COUNT; i++)
        memset(accumulators->plies[i].board, PIECE_NONE, sizeof accumulators->plies[i].board);
    for (size_t i = 0; i < views; i++)
        memcpy(accumulators->seen_values + i * network->width, network->biases, row_bytes);
    return accumulators;
}

void accumulators_destroy(struct accumulators *accumulators)
{
    if (accumulators == NULL)
        return;
    memory_free(accumulators->plies);
    memory_free(accumulators->ply_values);
    memory_free(accumulators->seen);
    memory_free(accumulators->seen_values);
    memory_free(accumulators);
}

const struct rk_network *accumulators_network(const struct accumulators *accumulators)
{
    return accumulators->network;
}
