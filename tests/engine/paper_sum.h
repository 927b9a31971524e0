/* engine/paper_sum.h: what a network's file says of a position, worked out from its bytes and the
 * text of docs/network.md alone: slow, and without a line of the engine's.
 * Thread: any. */
#ifndef TESTS_ENGINE_PAPER_SUM_H
#define TESTS_ENGINE_PAPER_SUM_H

#include "base/bytes.h"
#include "chess/position.h"
#include "engine/score.h"

/* One side's accumulator, unit by unit. */
static inline int paper_unit(const uint8_t *file, const struct position *position, color_t side,
                             unsigned unit)
{
    const unsigned areas = bytes_get32(file + 16), units = bytes_get32(file + 20);
    const uint8_t *map = file + 64 + (bytes_get32(file + 12) + 63) / 64 * 64;
    const uint8_t *weights = map + 64, *biases = weights + (size_t)areas * 768 * units * 2;
    int king = 0;
    for (int square = 0; square < 64; square++)
        if (position->board[square] == piece_make(side, KING))
            king = side == WHITE ? square : square ^ 56;
    const int mirror = king % 8 >= 4 ? 7 : 0;
    int sum = (int16_t)bytes_get16(biases + (size_t)unit * 2);
    for (int square = 0; square < 64; square++) {
        const piece_t piece = position->board[square];
        if (piece == PIECE_NONE)
            continue;
        const int seen = (side == WHITE ? square : square ^ 56) ^ mirror;
        const size_t input = (size_t)map[king ^ mirror] * 768 +
                             (piece_color(piece) == side ? 0 : 384) +
                             (size_t)piece_kind(piece) * 64 + (size_t)seen;
        sum += (int16_t)bytes_get16(weights + (input * units + unit) * 2);
    }
    return sum;
}

static inline score_t paper_sum(const uint8_t *file, const struct position *position)
{
    const int64_t areas = bytes_get32(file + 16), units = bytes_get32(file + 20);
    const int64_t buckets = bytes_get32(file + 24), scale = bytes_get32(file + 40);
    const uint8_t *weights = file + 64 + (bytes_get32(file + 12) + 63) / 64 * 64 + 64 +
                             areas * 768 * units * 2 + units * 2;
    const uint8_t *biases = weights + buckets * 2 * units;
    int64_t men = 0, sum = 0;
    for (int square = 0; square < 64; square++)
        men += position->board[square] != PIECE_NONE;
    int64_t bucket = (men - 2) * buckets / 31;
    if (bucket > buckets - 1)
        bucket = buckets - 1;
    for (int other = 0; other < 2; other++)
        for (int64_t unit = 0; unit < units; unit++) {
            const color_t side = other ? position->side ^ 1u : position->side;
            int64_t a = paper_unit(file, position, side, (unsigned)unit);
            a = a < 0 ? 0 : a > 255 ? 255 : a;
            sum += a * a * (int8_t)weights[(bucket * 2 + other) * units + unit];
        }
    const int64_t bias = (int32_t)bytes_get32(biases + bucket * 4);
    const int64_t value = (sum / 255 + bias) * scale / (255 * 64);
    return (score_t)(value > SCORE_EVAL_MAX    ? SCORE_EVAL_MAX
                     : value < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX
                                               : value);
}

#endif
