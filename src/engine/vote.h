/* engine/vote.h: which worker's move a crew plays.
 * Every worker votes for its move, with more weight the deeper it looked and the more it likes it.
 * Source: Chess Programming Wiki, "Lazy SMP"; the weight is score above the worst vote times
 * depth, as Stockfish publishes it. Thread: any. */
#ifndef ENGINE_VOTE_H
#define ENGINE_VOTE_H

#include "chess/move.h"
#include "engine/score.h"

struct vote {
    move_t move;
    score_t score;
    depth_t depth; /* 0: nothing was found, no vote. */
};

/* A vote in one atomic word: move 0-15, score 16-31, depth 32-39. */
static inline uint64_t vote_pack(const struct vote *vote)
{
    return (uint64_t)vote->move | (uint64_t)(uint16_t)vote->score << 16 |
           (uint64_t)(uint8_t)vote->depth << 32;
}
static inline struct vote vote_unpack(uint64_t word)
{
    return (struct vote){.move = (move_t)word,
                         .score = (int16_t)(uint16_t)(word >> 16),
                         .depth = (depth_t)(word >> 32 & 0xff)};
}

/* Index of the worker whose result stands. votes[0] is the leader's; it wins ties. A proved win
 * beats all, the nearest first; against a loss the leader has proved no vote helps. */
unsigned vote_winner(const struct vote *votes, unsigned count);

#endif
