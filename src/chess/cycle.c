/* Every man but pawns, between every two squares that it can step between on an empty board: 3,668
 * differences in an open-addressed table a little less than half full. A zero key is an empty
 * place; differences are sums of random numbers and never zero. */
#include "chess/cycle.h"

#include "base/check.h"
#include "chess/attacks.h"
#include "chess/zobrist.h"

enum { STEPS = 3668, PLACE_BITS = 13, PLACES = 1 << PLACE_BITS };

static struct {
    zkey_t keys[PLACES];
    square_t ends[PLACES][2];
} steps;

static unsigned place_of(zkey_t difference) { return (unsigned)(difference >> (64 - PLACE_BITS)); }

/* Where `difference` stands, or the empty place where it would. */
static unsigned place_find(zkey_t difference)
{
    unsigned place = place_of(difference);
    while (steps.keys[place] != 0 && steps.keys[place] != difference)
        place = (place + 1) % PLACES;
    return place;
}

static void step_add(piece_t piece, square_t from, square_t to)
{
    const struct zobrist *zobrist = zobrist_get();
    const zkey_t difference = zobrist->men[piece][from] ^ zobrist->men[piece][to] ^ zobrist->side;
    const unsigned place = place_find(difference);
    steps.keys[place] = difference;
    steps.ends[place][0] = from;
    steps.ends[place][1] = to;
}

void cycle_fill(void)
{
    unsigned count = 0;
    for (color_t color = WHITE; color <= BLACK; color++)
        for (kind_t kind = KNIGHT; kind <= KING; kind++)
            for (square_t from = 0; from < SQUARE_COUNT; from++)
                for (square_t to = from + 1; to < SQUARE_COUNT; to++)
                    if ((attacks_of(kind, from, 0) >> to & 1) != 0) {
                        step_add(piece_make(color, kind), from, to);
                        count++;
                    }
    REQUIRE(count == STEPS);
}

bool cycle_closes(const struct position *position, zkey_t difference)
{
    const unsigned place = place_find(difference);
    if (steps.keys[place] == 0)
        return false;
    const square_t *ends = steps.ends[place];
    if ((attacks_between(ends[0], ends[1]) & position_all(position)) != 0)
        return false;
    /* One end is empty here: the man stands on the other. */
    const bitboard_t both = (bitboard_t)1 << ends[0] | (bitboard_t)1 << ends[1];
    return (position->colors[position->side] & both) != 0;
}
