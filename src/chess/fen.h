/* chess/fen.h: positions as text: FEN, X-FEN and Shredder-FEN.
 * What comes in is a stranger's: it is checked in full, and a position that gets through is safe
 * for every part of the engine. Thread: any. */
#ifndef CHESS_FEN_H
#define CHESS_FEN_H

#include <stddef.h>

#include "chess/position.h"
#include "rookery/game.h"

/* RK_OK or the reason, one of RK_FEN_...; see rk_game_set_fen for what is let pass. */
enum rk_status fen_parse(const char *fen, size_t length, struct position *out_position);

/* The same checks for positions from elsewhere. First the men alone, then the rest, once side,
 * rights and en passant are set: this sets checks and keys, and drops an en passant that no pawn
 * can make. */
enum rk_status fen_check_men(const struct position *position);
enum rk_status fen_finish(struct position *position);

/* With its final zero; returns the length. Shredder letters when `chess960`; else KQkq, and a file
 * letter (X-FEN) where another rook stands further out. */
size_t fen_print(const struct position *position, bool chess960, char out_fen[RK_FEN_BYTES_MAX]);

#endif
