/* lab/sample.h: a position to learn from, in 32 bytes: the men as the side to move sees them (its
 * own first rank is rank 1, its men are pieces 0 to 5) and what that side can expect.
 * From it come the inputs of a network: for each of the two views an index a man.
 * Thread: any. */
#ifndef LAB_SAMPLE_H
#define LAB_SAMPLE_H

#include "base/bits.h"
#include "base/check.h"
#include "chess/position.h"
#include "lab/network_float.h"

enum { SAMPLE_MEN_MAX = 32, SAMPLE_RANKS_FLIP = 56, SAMPLE_FILES_FLIP = 7 };

enum sample_view { VIEW_OWN, VIEW_OTHER, VIEW_COUNT };

struct sample {
    uint64_t occupied;
    uint8_t men[SAMPLE_MEN_MAX / 2]; /* Four bits a man by square from a1 up, low half first:
                                        own pawn to king 0 to 5, the other's 6 to 11. */
    float target;                    /* Points that the side to move can expect, 0 to 1. */
    uint8_t kings[VIEW_COUNT];       /* Own, the other's; squares as the side to move sees them. */
    uint8_t count;                   /* Men. */
    uint8_t zero;
};
static_assert(sizeof(struct sample) == 32, "two samples a cache line");

void sample_write(struct sample *out_sample, const struct position *position, float target);

/* Which inputs are on, in both views: VIEW_OWN first. */
struct sample_inputs {
    unsigned count;
    uint32_t own[SAMPLE_MEN_MAX], other[SAMPLE_MEN_MAX];
};

/* How a view turns a man into an input: base[piece] + (square ^ flip). */
struct sample_lens {
    uint32_t base[PIECE_COUNT];
    uint32_t flip;
};

static inline struct sample_lens sample_lens_of(const struct network_layout *layout,
                                                const struct sample *sample, enum sample_view view)
{
    const unsigned ranks = view == VIEW_OWN ? 0 : SAMPLE_RANKS_FLIP;
    const unsigned king = sample->kings[view] ^ ranks;
    const unsigned files = square_file((square_t)king) >= 4 ? SAMPLE_FILES_FLIP : 0;
    const uint32_t area = layout->areas_by_king[king] * (uint32_t)NETWORK_INPUTS_PER_AREA;
    struct sample_lens lens = {.flip = ranks ^ files};
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
        const uint32_t seen_own = area + kind * SQUARE_COUNT;
        const uint32_t seen_other = seen_own + NETWORK_INPUTS_PER_AREA / 2;
        lens.base[kind] = view == VIEW_OWN ? seen_own : seen_other;
        lens.base[KIND_COUNT + kind] = view == VIEW_OWN ? seen_other : seen_own;
    }
    return lens;
}

static inline void sample_read(const struct network_layout *layout, const struct sample *sample,
                               struct sample_inputs *out_inputs)
{
    const struct sample_lens own = sample_lens_of(layout, sample, VIEW_OWN);
    const struct sample_lens other = sample_lens_of(layout, sample, VIEW_OTHER);
    unsigned count = 0;
    for (uint64_t left = sample->occupied; left != 0; count++) {
        const uint32_t square = bits_pop(&left);
        const uint32_t pair = sample->men[count / 2];
        const uint32_t piece = pair >> count % 2 * 4 & 15u;
        out_inputs->own[count] = own.base[piece] + (square ^ own.flip);
        out_inputs->other[count] = other.base[piece] + (square ^ other.flip);
    }
    out_inputs->count = count;
}

#endif
