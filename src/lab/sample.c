#include "lab/sample.h"

#include <string.h>

void sample_write(struct sample *out_sample, const struct position *position, float target)
{
    const bool is_black = position->side == BLACK;
    const uint64_t all = position_all(position);
    const unsigned flip = is_black ? SAMPLE_RANKS_FLIP : 0;
    memset(out_sample, 0, sizeof *out_sample);
    out_sample->occupied = is_black ? bits_swap_bytes(all) : all;
    unsigned count = 0;
    for (uint64_t left = out_sample->occupied; left != 0; count++) {
        const piece_t piece = position->board[bits_pop(&left) ^ flip];
        const unsigned code =
            piece_kind(piece) + (piece_color(piece) == position->side ? 0u : KIND_COUNT);
        out_sample->men[count / 2] |= (uint8_t)(code << count % 2 * 4);
    }
    out_sample->count = (uint8_t)count;
    for (unsigned view = 0; view < VIEW_COUNT; view++)
        out_sample->kings[view] =
            (uint8_t)(position_king(position, (color_t)(position->side ^ view)) ^ flip);
    out_sample->target = target;
}
