/* chess/movegen.h: legal moves, all or by class.
 * Noisy: captures (en passant too) and all promotions. Quiet: the rest. Noisy + quiet = all; in
 * check each gives only moves that answer it. Every move written is legal. Thread: any. */
#ifndef CHESS_MOVEGEN_H
#define CHESS_MOVEGEN_H

#include "chess/position.h"

#define MOVES_MAX RK_MOVES_MAX

/* Each writes from `moves` on and returns the end. */
move_t *movegen_noisy(const struct position *position, move_t *moves);
move_t *movegen_quiet(const struct position *position, move_t *moves);
move_t *movegen_all(const struct position *position, move_t *moves);

/* Number of legal moves, without writing them (perft's last ply). */
unsigned movegen_count(const struct position *position);

bool movegen_has_any(const struct position *position);

#endif
