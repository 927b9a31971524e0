/* chess/types.h: the scalars of chess: squares, pieces, colors, bitboards, keys.
 * Values are small integers with names, so that a reader of a table index knows what it is.
 * Thread: any. */
#ifndef CHESS_TYPES_H
#define CHESS_TYPES_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t bitboard_t; /* Bit n is square n. */
typedef uint64_t zkey_t;     /* Zobrist key (key_t belongs to POSIX). */
typedef uint8_t square_t;    /* a1 = 0, b1 = 1, … h8 = 63. */
typedef uint8_t color_t;
typedef uint8_t kind_t;  /* A piece without its color. */
typedef uint8_t piece_t; /* color * 6 + kind, or PIECE_NONE. */

enum { WHITE, BLACK, COLOR_COUNT };
enum { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KIND_COUNT };
enum { PIECE_NONE = 12, PIECE_COUNT = 12 };
enum { SQUARE_NONE = 64, SQUARE_COUNT = 64 };

#define FILE_A ((bitboard_t)0x0101010101010101u)
#define FILE_H (FILE_A << 7)
#define RANK_1 ((bitboard_t)0xff)
#define RANK_2 (RANK_1 << 8)
#define RANK_3 (RANK_1 << 16)
#define RANK_6 (RANK_1 << 40)
#define RANK_7 (RANK_1 << 48)
#define RANK_8 (RANK_1 << 56)

static inline piece_t piece_make(color_t color, kind_t kind)
{
    return (piece_t)(color * KIND_COUNT + kind);
}
static inline color_t piece_color(piece_t piece) { return piece >= KIND_COUNT; }
static inline kind_t piece_kind(piece_t piece)
{
    return piece >= KIND_COUNT ? (kind_t)(piece - KIND_COUNT) : piece;
}
static inline square_t square_make(unsigned file, unsigned rank)
{
    return (square_t)(rank * 8 + file);
}
static inline unsigned square_file(square_t square) { return square & 7u; }
static inline unsigned square_rank(square_t square) { return square >> 3; }
/* Rank as seen by `color`: 0 is its own first rank. */
static inline unsigned rank_of(color_t color, square_t square)
{
    return square_rank(square) ^ (color ? 7u : 0u);
}
static inline bitboard_t square_bit(square_t square) { return (bitboard_t)1 << square; }

#endif
