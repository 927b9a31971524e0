/* chess/perft.h: counts the leaves of the legal tree: the rules' proof, and their speedometer.
 * The last ply is counted, not made ("bulk"). Source: Chess Programming Wiki, "Perft".
 * Thread: any; it starts its own and joins them. */
#ifndef CHESS_PERFT_H
#define CHESS_PERFT_H

#include <stddef.h>

#include "chess/position.h"

struct perft_options {
    unsigned threads;  /* 1 to RK_THREADS_MAX */
    unsigned hash_mib; /* 0: none */
};

/* Leaves below each root move, in generation order; depth at least 1. Writes as many as there are
 * legal moves. RK_NO_MEMORY, RK_SYSTEM. */
enum rk_status perft_divide(const struct position *position, unsigned depth,
                            const struct perft_options *options,
                            struct rk_perft_move out_moves[RK_MOVES_MAX], size_t *out_count);

#endif
