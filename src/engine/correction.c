/* Features are hashed from the board when they are asked for: four multiplications a node cost less
 * than keys that every move would have to keep. */
#include "engine/correction.h"

#include <stddef.h>

#include "engine/tune.h"

enum { UNITS_SHIFT = 9 }; /* A sum of cells times their weights, to evaluation units. */
static_assert((int)GREATEST_CORRECTION_TEACH_MAX <= (int)CORRECTION_MAX,
              "cells stay in their bounds");

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static unsigned cell_of(uint64_t hash) { return (unsigned)(hash >> 20) % CORRECTION_CELLS; }

static uint64_t hash_minors(const struct position *position)
{
    const bitboard_t *kinds = position->kinds;
    const bitboard_t minors = kinds[KNIGHT] | kinds[BISHOP] | kinds[KING];
    return mix(mix(mix(kinds[KING], kinds[KNIGHT]), kinds[BISHOP]),
               minors & position->colors[WHITE]);
}

static uint64_t hash_officers(const struct position *position, color_t color)
{
    const bitboard_t *kinds = position->kinds, own = position->colors[color];
    const uint64_t light = mix(kinds[KNIGHT] & own, kinds[BISHOP] & own);
    return mix(mix(light, (kinds[ROOK] | kinds[KING]) & own), (kinds[QUEEN] | kinds[KING]) & own);
}

void correction_find(struct corrections *corrections, const struct position *position,
                     uint64_t last_moves, struct correction_cells *out_cells)
{
    const color_t side = position->side;
    out_cells->pawns = &corrections->pawns[side][cell_of(position->pawn_key)];
    out_cells->minors = &corrections->minors[side][cell_of(hash_minors(position))];
    for (color_t color = WHITE; color <= BLACK; color++)
        out_cells->officers[color] =
            &corrections->officers[color][side][cell_of(hash_officers(position, color))];
    out_cells->moves =
        last_moves == 0 ? NULL : &corrections->moves[side][cell_of(mix(0, last_moves))];
}

int correction_read(const struct correction_cells *cells)
{
    int sum = TUNE_CORRECTION_PAWNS * *cells->pawns + TUNE_CORRECTION_MINORS * *cells->minors +
              TUNE_CORRECTION_OFFICERS * (*cells->officers[WHITE] + *cells->officers[BLACK]);
    if (cells->moves != NULL)
        sum += TUNE_CORRECTION_MOVES * *cells->moves;
    return sum / (1 << UNITS_SHIFT);
}

static void teach(int16_t *cell, int change)
{
    const int size = change < 0 ? -change : change;
    *cell = (int16_t)(*cell + change - *cell * size / CORRECTION_MAX);
}

void correction_teach(const struct correction_cells *cells, int miss, depth_t depth)
{
    int change = miss * depth * TUNE_CORRECTION_TEACH / 32;
    if (change > TUNE_CORRECTION_TEACH_MAX)
        change = TUNE_CORRECTION_TEACH_MAX;
    if (change < -TUNE_CORRECTION_TEACH_MAX)
        change = -TUNE_CORRECTION_TEACH_MAX;
    teach(cells->pawns, change);
    teach(cells->minors, change);
    teach(cells->officers[WHITE], change);
    teach(cells->officers[BLACK], change);
    if (cells->moves != NULL)
        teach(cells->moves, change);
}
