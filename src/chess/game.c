#include "chess/game.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

enum { FIFTY_PLIES = 100, REPETITIONS_BEFORE = 2 };

static void set_position(struct rk_game *game, const struct position *position)
{
    game->position = *position;
    game->key_count = 0;
    game->is_castling_chess960 = false;
    for (unsigned color = WHITE; color < COLOR_COUNT; color++)
        for (unsigned wing = 0; wing < 2; wing++) {
            const square_t rook = position->castle_rook[color][wing];
            if (rook != SQUARE_NONE && (square_file(rook) != (wing ? 7 : 0) ||
                                        square_file(position_king(position, (color_t)color)) != 4))
                game->is_castling_chess960 = true;
        }
}

enum rk_status rk_game_create(struct rk_game **out_game)
{
    chess_init();
    struct rk_game *game = memory_allocate(sizeof *game);
    if (game == NULL)
        return RK_NO_MEMORY;
    rk_game_set_start(game);
    *out_game = game;
    return RK_OK;
}

void rk_game_destroy(struct rk_game *game) { memory_free(game); }

size_t rk_game_bytes(void) { return sizeof(struct rk_game); }

void rk_game_copy(struct rk_game *to, const struct rk_game *from)
{
    if (to != from)
        *to = *from;
}

bool rk_game_equal(const struct rk_game *a, const struct rk_game *b)
{
    const struct position *p = &a->position, *q = &b->position;
    return p->key == q->key && memcmp(p->board, q->board, sizeof p->board) == 0 &&
           memcmp(p->castle_rook, q->castle_rook, sizeof p->castle_rook) == 0 &&
           p->en_passant == q->en_passant && p->side == q->side && p->fifty == q->fifty &&
           p->move_number == q->move_number && a->key_count == b->key_count &&
           memcmp(a->keys, b->keys, a->key_count * sizeof a->keys[0]) == 0;
}

void rk_game_set_start(struct rk_game *game)
{
    struct position position;
    position_set_start(&position);
    set_position(game, &position);
}

enum rk_status rk_game_set_fen(struct rk_game *game, const char *fen, size_t length)
{
    struct position position;
    const enum rk_status status = fen_parse(fen, length, &position);
    if (status != RK_OK)
        return status;
    set_position(game, &position);
    return RK_OK;
}

void game_play(struct rk_game *game, move_t move)
{
    const struct position before = game->position;
    position_after(&game->position, &before, move);
    if (game->position.fifty == 0) {
        game->key_count = 0;
        return;
    }
    if (game->key_count == KEYS_MAX)
        memmove(game->keys, game->keys + 1, --game->key_count * sizeof game->keys[0]);
    game->keys[game->key_count++] = before.key;
}

unsigned game_repetitions(const struct rk_game *game)
{
    unsigned count = 0;
    for (unsigned i = 0; i < game->key_count; i++)
        count += game->keys[i] == game->position.key;
    return count;
}

size_t rk_game_moves(const struct rk_game *game, rk_move_t out_moves[RK_MOVES_MAX])
{
    return (size_t)(movegen_all(&game->position, out_moves) - out_moves);
}

enum rk_status rk_game_parse_move(const struct rk_game *game, const char *text, size_t length,
                                  rk_move_t *out_move)
{
    const move_t move = notation_parse(&game->position, text, length);
    if (move == MOVE_NONE)
        return RK_BAD_MOVE;
    *out_move = move;
    return RK_OK;
}

enum rk_status rk_game_play(struct rk_game *game, const char *text, size_t length)
{
    const move_t move = notation_parse(&game->position, text, length);
    if (move == MOVE_NONE)
        return RK_BAD_MOVE;
    game_play(game, move);
    return RK_OK;
}

size_t rk_game_fen(const struct rk_game *game, bool chess960, char out_fen[RK_FEN_BYTES_MAX])
{
    return fen_print(&game->position, chess960, out_fen);
}

char rk_game_square(const struct rk_game *game, unsigned square)
{
    REQUIRE(square < SQUARE_COUNT);
    return "PNBRQKpnbrqk."[game->position.board[square]];
}

bool rk_game_white_to_move(const struct rk_game *game) { return game->position.side == WHITE; }

bool rk_game_in_check(const struct rk_game *game) { return game->position.checkers != 0; }

enum rk_outcome rk_game_outcome(const struct rk_game *game)
{
    const struct position *p = &game->position;
    if (!movegen_has_any(p))
        return p->checkers != 0 ? RK_GAME_CHECKMATE : RK_GAME_STALEMATE;
    if (position_is_material_draw(p))
        return RK_GAME_MATERIAL;
    if (game_repetitions(game) >= REPETITIONS_BEFORE)
        return RK_GAME_REPETITION;
    return p->fifty >= FIFTY_PLIES ? RK_GAME_FIFTY : RK_GAME_OPEN;
}

uint64_t rk_game_key(const struct rk_game *game) { return game->position.key; }
