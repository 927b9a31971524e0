/* chess/attacks.h: where each kind of man can go, as sets of squares.
 * Sliders are looked up by PEXT where the target has it, by magic multiplication elsewhere; all
 * other sets are plain tables. chess_init() must have run: lookups do not check.
 * Source: Chess Programming Wiki, "Magic Bitboards", "BMI2". Thread: any. */
#ifndef CHESS_ATTACKS_H
#define CHESS_ATTACKS_H

#include "chess/types.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

/* Sums over all squares of 2^(squares whose occupation matters). */
enum { ATTACKS_ROOK_SETS = 102400, ATTACKS_BISHOP_SETS = 5248 };

struct attacks_slider {
    bitboard_t mask; /* Squares whose occupation matters. */
    uint32_t offset; /* Of this square's sets in attacks_tables.sets. */
    uint32_t shift;  /* 64 - squares in the mask. */
#ifndef __BMI2__
    bitboard_t magic;
#endif
};

struct attacks_tables {
    bitboard_t pawn[COLOR_COUNT][SQUARE_COUNT];
    bitboard_t knight[SQUARE_COUNT];
    bitboard_t king[SQUARE_COUNT];
    bitboard_t rook_rays[SQUARE_COUNT]; /* On an empty board. */
    bitboard_t bishop_rays[SQUARE_COUNT];
    struct attacks_slider rook[SQUARE_COUNT];
    struct attacks_slider bishop[SQUARE_COUNT];
    bitboard_t between[SQUARE_COUNT][SQUARE_COUNT];
    bitboard_t line[SQUARE_COUNT][SQUARE_COUNT];
    bitboard_t sets[ATTACKS_ROOK_SETS + ATTACKS_BISHOP_SETS];
};

/* Fills the tables; chess_init() sees to it that it happens once. */
void attacks_fill(void);

/* Always the same address, so that a compiler fetches it once a function. */
__attribute__((const)) const struct attacks_tables *attacks_get(void);

static inline bitboard_t attacks_pawn(color_t color, square_t square)
{
    return attacks_get()->pawn[color][square];
}
static inline bitboard_t attacks_knight(square_t square) { return attacks_get()->knight[square]; }
static inline bitboard_t attacks_king(square_t square) { return attacks_get()->king[square]; }

/* What a slider would attack on an empty board. */
static inline bitboard_t attacks_rook_rays(square_t square)
{
    return attacks_get()->rook_rays[square];
}
static inline bitboard_t attacks_bishop_rays(square_t square)
{
    return attacks_get()->bishop_rays[square];
}

/* Squares strictly between two on one line; empty when they are not on one. */
static inline bitboard_t attacks_between(square_t a, square_t b)
{
    return attacks_get()->between[a][b];
}
/* The whole line from edge to edge through two squares; empty when there is none. */
static inline bitboard_t attacks_line(square_t a, square_t b) { return attacks_get()->line[a][b]; }

/* Which of a slider's sets belongs to an occupation. */
static inline uint64_t attacks_index(const struct attacks_slider *slider, bitboard_t occupied)
{
#ifdef __BMI2__
    return _pext_u64(occupied, slider->mask);
#else
    return ((occupied & slider->mask) * slider->magic) >> slider->shift;
#endif
}
static inline bitboard_t attacks_slide(const struct attacks_slider *slider, bitboard_t occupied)
{
    return attacks_get()->sets[slider->offset + attacks_index(slider, occupied)];
}
static inline bitboard_t attacks_rook(square_t square, bitboard_t occupied)
{
    return attacks_slide(&attacks_get()->rook[square], occupied);
}
static inline bitboard_t attacks_bishop(square_t square, bitboard_t occupied)
{
    return attacks_slide(&attacks_get()->bishop[square], occupied);
}
static inline bitboard_t attacks_queen(square_t square, bitboard_t occupied)
{
    return attacks_rook(square, occupied) | attacks_bishop(square, occupied);
}

/* Of any kind but PAWN. */
static inline bitboard_t attacks_of(kind_t kind, square_t square, bitboard_t occupied)
{
    switch (kind) {
    case KNIGHT: return attacks_knight(square);
    case BISHOP: return attacks_bishop(square, occupied);
    case ROOK: return attacks_rook(square, occupied);
    case QUEEN: return attacks_queen(square, occupied);
    default: return attacks_king(square);
    }
}

/* What all pawns of a set attack. */
static inline bitboard_t attacks_pawns(color_t color, bitboard_t pawns)
{
    const bitboard_t west = pawns & ~FILE_A, east = pawns & ~FILE_H;
    return color == WHITE ? west << 7 | east << 9 : west >> 9 | east >> 7;
}

#endif
