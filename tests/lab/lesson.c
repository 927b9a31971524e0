#include "lab/lesson.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "lab/crop.h"

enum { PLIES = 120, PAWN_UNITS = 100 };

int lesson_score(const struct position *position)
{
    static const int WORTH[KIND_COUNT] = {1, 3, 3, 5, 9, 0};
    const color_t own = position->side, other = position->side ^ 1u;
    int score = 0;
    for (kind_t kind = 0; kind < KIND_COUNT; kind++)
        score += WORTH[kind] * ((int)bits_count(position_men(position, own, kind)) -
                                (int)bits_count(position_men(position, other, kind)));
    return PAWN_UNITS * score;
}

/* Visits the plies of a game; the position behind the last is left in *out_last. */
static void game_walk(struct crop_game *made, struct position *out_last)
{
    struct position positions[2] = {made->game.start};
    for (unsigned i = 0; i < made->game.plies; i++) {
        made->plies[i].score = (int16_t)lesson_score(&positions[i % 2]);
        position_after(&positions[(i + 1) % 2], &positions[i % 2], made->plies[i].move);
    }
    *out_last = positions[made->game.plies % 2];
}

void lesson_write(const char *path, uint64_t first, uint64_t end, uint32_t block_bytes)
{
    struct gamefile_writer *writer;
    uint64_t cut_bytes;
    ck_assert_int_eq(gamefile_append(path, block_bytes, &writer, &cut_bytes), GAMEFILE_FINE);
    for (uint64_t number = first; number < end; number++) {
        struct crop_game made;
        struct position last;
        crop_make(number, PLIES, &made);
        game_walk(&made, &last);
        const int score = last.side == WHITE ? lesson_score(&last) : -lesson_score(&last);
        made.game.white_points = score > 0 ? 2 : score < 0 ? 0 : 1;
        made.game.pawn = PAWN_UNITS;
        ck_assert_int_eq(gamefile_add(writer, &made.game, made.plies), GAMEFILE_FINE);
    }
    ck_assert_int_eq(gamefile_finish(writer), GAMEFILE_FINE);
}

void lesson_positions(uint64_t first, size_t count, struct position *out_positions)
{
    size_t filled = 0;
    for (uint64_t number = first; filled < count; number++) {
        struct crop_game made;
        crop_make(number, PLIES, &made);
        struct position positions[2] = {made.game.start};
        for (unsigned i = 0; i < made.game.plies && filled < count; i++) {
            out_positions[filled++] = positions[i % 2];
            position_after(&positions[(i + 1) % 2], &positions[i % 2], made.plies[i].move);
        }
    }
}

void lesson_samples(uint64_t first, size_t count, struct sample *out_samples)
{
    enum { PIECE = 256 };
    struct position positions[PIECE];
    /* Games of so many plies: each piece begins with a game of its own. */
    for (size_t from = 0; from < count; from += PIECE) {
        const size_t part = count - from < PIECE ? count - from : PIECE;
        lesson_positions(first + from, part, positions);
        for (size_t i = 0; i < part; i++) {
            const double score = lesson_score(&positions[i]) / (double)PAWN_UNITS;
            sample_write(&out_samples[from + i], &positions[i], (float)(1.0 / (1.0 + exp(-score))));
        }
    }
}
