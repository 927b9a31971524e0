/* chess/zobrist.h: the random numbers that hash keys are made of.
 * A key is the XOR of the numbers of all that makes two positions the same. Drawn once, from a seed
 * an owner may choose: known keys would let a stranger craft collisions. Source: A. L. Zobrist, "A
 * New Hashing Method with Application for Game Playing", 1970. Thread: any. */
#ifndef CHESS_ZOBRIST_H
#define CHESS_ZOBRIST_H

#include "chess/types.h"

struct zobrist {
    /* The row of PIECE_NONE is zero, so that taking nothing needs no branch. */
    zkey_t men[PIECE_COUNT + 1][SQUARE_COUNT];
    zkey_t castle[SQUARE_COUNT + 1]; /* By the square of a rook that may castle; NONE is zero. */
    zkey_t en_passant[SQUARE_COUNT + 1]; /* By target square; NONE is zero. */
    zkey_t side;                         /* Black to move. */
};

/* Draws the numbers; chess_init() sees to it that it happens once. */
void zobrist_fill(uint64_t seed);

/* Always the same address, so that a compiler fetches it once a function. */
__attribute__((const)) const struct zobrist *zobrist_get(void);

#endif
