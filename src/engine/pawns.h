/* engine/pawns.h: what pawns and kings alone decide, remembered by pawn key, and sets of pawns.
 * All set by set: a whole front of pawns is moved, spread or filled at once.
 * Thread: any, one at a time for each struct eval_cache. */
#ifndef ENGINE_PAWNS_H
#define ENGINE_PAWNS_H

#include "engine/eval.h"

#define LIGHT_SQUARES ((bitboard_t)0x55aa55aa55aa55aau)

/* One rank on, as `color` moves. */
static inline bitboard_t pawns_forward(color_t color, bitboard_t set)
{
    return color == WHITE ? set << 8 : set >> 8;
}
/* The neighbours left and right. */
static inline bitboard_t pawns_beside(bitboard_t set)
{
    return (set & ~FILE_H) << 1 | (set & ~FILE_A) >> 1;
}
/* All squares ahead of the set, without itself. */
static inline bitboard_t pawns_ahead(color_t color, bitboard_t set)
{
    bitboard_t ahead = pawns_forward(color, set);
    ahead |= color == WHITE ? ahead << 8 : ahead >> 8;
    ahead |= color == WHITE ? ahead << 16 : ahead >> 16;
    return ahead | (color == WHITE ? ahead << 32 : ahead >> 32);
}
static inline unsigned square_distance(square_t a, square_t b)
{
    const int files = (int)square_file(a) - (int)square_file(b);
    const int ranks = (int)square_rank(a) - (int)square_rank(b);
    const unsigned x = (unsigned)(files < 0 ? -files : files);
    const unsigned y = (unsigned)(ranks < 0 ? -ranks : ranks);
    return x > y ? x : y;
}

/* The entry of this pawn structure; valid until the next call with the same cache. */
const struct eval_pawn_entry *pawns_probe(const struct position *position,
                                          struct eval_cache *cache);

#endif
