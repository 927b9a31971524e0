/* The tables of attacks.h, filled by walking rays square by square: slow, once, and plain enough to
 * be believed. The sets of a slider are stored for every subset of its mask. */
#include "chess/attacks.h"

#include "base/bits.h"
#include "base/check.h"
#include "chess/magics.h"

static struct attacks_tables tables;

const struct attacks_tables *attacks_get(void) { return &tables; }

struct step {
    int file, rank;
};
enum { DIRECTIONS = 4, LEAPS = 8 };
static const struct step ROOK_STEPS[DIRECTIONS] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const struct step BISHOP_STEPS[DIRECTIONS] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const struct step KNIGHT_STEPS[LEAPS] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                                {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const struct step KING_STEPS[LEAPS] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                              {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

/* Moves `square` by a step; false when that leaves the board. */
static bool walk(unsigned *square, struct step step)
{
    const int file = (int)(*square & 7u) + step.file, rank = (int)(*square >> 3) + step.rank;
    if (file < 0 || file > 7 || rank < 0 || rank > 7)
        return false;
    *square = (unsigned)(rank * 8 + file);
    return true;
}

static bitboard_t ray(unsigned square, struct step step, bitboard_t occupied)
{
    bitboard_t set = 0;
    while (walk(&square, step)) {
        set |= square_bit((square_t)square);
        if (occupied & square_bit((square_t)square))
            break;
    }
    return set;
}

static bitboard_t rays(unsigned square, const struct step steps[DIRECTIONS], bitboard_t occupied)
{
    bitboard_t set = 0;
    for (unsigned i = 0; i < DIRECTIONS; i++)
        set |= ray(square, steps[i], occupied);
    return set;
}

static bitboard_t leaps(unsigned square, const struct step steps[LEAPS])
{
    bitboard_t set = 0;
    for (unsigned i = 0; i < LEAPS; i++) {
        unsigned to = square;
        if (walk(&to, steps[i]))
            set |= square_bit((square_t)to);
    }
    return set;
}

/* A man on the last square of a ray blocks nothing, so that square is left out of the mask. */
static bitboard_t inner_rays(unsigned square, const struct step steps[DIRECTIONS])
{
    bitboard_t set = 0;
    for (unsigned i = 0; i < DIRECTIONS; i++) {
        unsigned to = square, next;
        while (walk(&to, steps[i])) {
            next = to;
            if (walk(&next, steps[i]))
                set |= square_bit((square_t)to);
        }
    }
    return set;
}

/* `magic` is only used without PEXT. Returns the offset behind this square's sets. */
static uint32_t fill_slider(struct attacks_slider *slider, unsigned square,
                            const struct step steps[DIRECTIONS], bitboard_t magic, uint32_t offset)
{
    const bitboard_t mask = inner_rays(square, steps);
    *slider = (struct attacks_slider){
        .mask = mask, .offset = offset, .shift = SQUARE_COUNT - bits_count(mask)};
#ifdef __BMI2__
    (void)magic;
#else
    slider->magic = magic;
#endif
    bitboard_t subset = 0;
    do {
        const bitboard_t set = rays(square, steps, subset);
        bitboard_t *entry = &tables.sets[offset + attacks_index(slider, subset)];
        ASSERT(*entry == 0 || *entry == set);
        *entry = set;
        subset = (subset - mask) & mask;
    } while (subset != 0);
    return offset + ((uint32_t)1 << bits_count(mask));
}

static void fill_sliders(void)
{
    uint32_t offset = 0;
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        offset = fill_slider(&tables.rook[square], square, ROOK_STEPS, MAGICS_ROOK[square], offset);
        offset = fill_slider(&tables.bishop[square], square, BISHOP_STEPS, MAGICS_BISHOP[square],
                             offset);
    }
    ASSERT(offset == ATTACKS_ROOK_SETS + ATTACKS_BISHOP_SETS);
}

static void fill_lines(unsigned square, struct step step)
{
    const struct step back = {-step.file, -step.rank};
    const bitboard_t line =
        ray(square, step, 0) | ray(square, back, 0) | square_bit((square_t)square);
    bitboard_t between = 0;
    for (unsigned to = square; walk(&to, step); between |= square_bit((square_t)to)) {
        tables.between[square][to] = between;
        tables.line[square][to] = line;
    }
}

void attacks_fill(void)
{
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        const bitboard_t bit = square_bit((square_t)square);
        tables.pawn[WHITE][square] = attacks_pawns(WHITE, bit);
        tables.pawn[BLACK][square] = attacks_pawns(BLACK, bit);
        tables.knight[square] = leaps(square, KNIGHT_STEPS);
        tables.king[square] = leaps(square, KING_STEPS);
        tables.rook_rays[square] = rays(square, ROOK_STEPS, 0);
        tables.bishop_rays[square] = rays(square, BISHOP_STEPS, 0);
        for (unsigned i = 0; i < DIRECTIONS; i++) {
            fill_lines(square, ROOK_STEPS[i]);
            fill_lines(square, BISHOP_STEPS[i]);
        }
    }
    fill_sliders();
}
