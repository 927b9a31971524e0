#include "chess/zobrist.h"

#include "base/random.h"

static struct zobrist numbers;

const struct zobrist *zobrist_get(void) { return &numbers; }

void zobrist_fill(uint64_t seed)
{
    uint64_t state = seed;
    for (unsigned piece = 0; piece < PIECE_COUNT; piece++)
        for (unsigned square = 0; square < SQUARE_COUNT; square++)
            numbers.men[piece][square] = random_next(&state);
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        numbers.castle[square] = random_next(&state);
        numbers.en_passant[square] = random_next(&state);
    }
    numbers.side = random_next(&state);
}
