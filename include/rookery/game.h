/* rookery/game.h: a position and the past that repetition needs.
 * A plain value behind a pointer: no threads, no locks, no engine.
 * Thread: any, one at a time for each game. */
#ifndef ROOKERY_GAME_H
#define ROOKERY_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rookery/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A move in 16 bits; 0 is no move. Its text is made by rk_move_text() alone. */
typedef uint16_t rk_move_t;
#define RK_MOVE_NONE ((rk_move_t)0)

#define RK_FEN_BYTES_MAX  128 /* Longest FEN written, with its final zero. */
#define RK_MOVE_BYTES_MAX 6   /* "e7e8q" and a final zero; "(none)" is the caller's word. */
#define RK_MOVES_MAX      256 /* More than any legal position has (218). */

struct rk_game;

/* Draws the keys that positions are hashed with. At most once, before any other call of the
 * library; without it a fixed seed is used. RK_BUSY when keys have already been drawn. */
RK_API enum rk_status rk_seed_keys(uint64_t seed);

/* The start position of chess. RK_NO_MEMORY. */
RK_API enum rk_status rk_game_create(struct rk_game **out_game);
RK_API void rk_game_destroy(struct rk_game *game);
RK_API void rk_game_copy(struct rk_game *to, const struct rk_game *from);
RK_API bool rk_game_equal(const struct rk_game *a, const struct rk_game *b);
/* For owners of many: so many bytes, aligned as malloc aligns, are a game once rk_game_copy has
 * written to them. They are not for rk_game_destroy. */
RK_API size_t rk_game_bytes(void);

RK_API void rk_game_set_start(struct rk_game *game);

/* FEN, X-FEN or Shredder-FEN of `length` bytes (no final zero needed); fields after the board may
 * be missing, their defaults are "w - - 0 1". Castling rights that no king and rook stand for are
 * dropped. On failure the game is untouched and the status tells why (RK_FEN_...). */
RK_API enum rk_status rk_game_set_fen(struct rk_game *game, const char *fen, size_t length);

/* Plays a move given as coordinate text: "e2e4", "e7e8q", castling as king two squares ("e1g1") or
 * king takes rook ("e1h1"), whichever is unambiguous. RK_BAD_MOVE leaves the game untouched. */
RK_API enum rk_status rk_game_play(struct rk_game *game, const char *text, size_t length);

/* Finds the legal move that `text` names, without playing it. RK_BAD_MOVE when there is none. */
RK_API enum rk_status rk_game_parse_move(const struct rk_game *game, const char *text,
                                         size_t length, rk_move_t *out_move);

/* Writes the legal moves in generation order; returns how many (at most RK_MOVES_MAX). */
RK_API size_t rk_game_moves(const struct rk_game *game, rk_move_t out_moves[RK_MOVES_MAX]);

/* Coordinate text with its final zero. Castling is king takes rook when `chess960`, and always
 * where king or rook did not start where standard chess has them: so the text names one move.
 * Returns the length. */
RK_API size_t rk_move_text(rk_move_t move, bool chess960, char out_text[RK_MOVE_BYTES_MAX]);

/* Writes the FEN with its final zero; Shredder castling letters when `chess960`. Returns the
 * length. */
RK_API size_t rk_game_fen(const struct rk_game *game, bool chess960,
                          char out_fen[RK_FEN_BYTES_MAX]);

/* The piece letter on square 0 (a1) to 63 (h8), upper case for White, or '.'. */
RK_API char rk_game_square(const struct rk_game *game, unsigned square);
RK_API bool rk_game_white_to_move(const struct rk_game *game);
RK_API bool rk_game_in_check(const struct rk_game *game);

/* Why the game is over by the rules a referee applies unasked, or RK_GAME_OPEN. */
enum rk_outcome {
    RK_GAME_OPEN = 0,
    RK_GAME_CHECKMATE,
    RK_GAME_STALEMATE,
    RK_GAME_REPETITION, /* The position stands for the third time. */
    RK_GAME_FIFTY,      /* A hundred plies without a capture or a pawn move. */
    RK_GAME_MATERIAL    /* Neither side can mate. */
};
RK_API enum rk_outcome rk_game_outcome(const struct rk_game *game);

/* The hash key of the position (drawn from the keys of rk_seed_keys). */
RK_API uint64_t rk_game_key(const struct rk_game *game);

struct rk_perft_options {
    size_t size;       /* sizeof(struct rk_perft_options) */
    unsigned threads;  /* 1 to 1024 */
    unsigned hash_mib; /* 0: none */
};
struct rk_perft_move {
    rk_move_t move;
    uint64_t nodes;
};

/* Counts the leaves `depth` plies below (0: one leaf), divided by root move in generation order.
 * Blocks until done. `options` may be NULL: one thread, no hash. out_moves may be NULL.
 * RK_NO_MEMORY, RK_SYSTEM, RK_BAD_ARGUMENT. */
RK_API enum rk_status rk_game_perft(const struct rk_game *game, unsigned depth,
                                    const struct rk_perft_options *options,
                                    struct rk_perft_move out_moves[RK_MOVES_MAX], size_t *out_count,
                                    uint64_t *out_nodes);

#ifdef __cplusplus
}
#endif
#endif
