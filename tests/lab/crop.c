#include "lab/crop.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/random.h"
#include "chess/chess.h"
#include "chess/movegen.h"
#include "lab/book.h"

/* Any move, but every second time one of the rare kinds if there is one. */
static move_t move_draw(const struct position *position, uint64_t *random)
{
    move_t moves[MOVES_MAX], rare[MOVES_MAX];
    const unsigned count = (unsigned)(movegen_all(position, moves) - moves);
    unsigned rare_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned kind = move_kind(moves[i]);
        if (kind == MOVE_CASTLE || kind == MOVE_EN_PASSANT || kind >= MOVE_PROMOTE)
            rare[rare_count++] = moves[i];
    }
    if (count == 0)
        return MOVE_NONE;
    if (rare_count > 0 && random_below(random, 2) == 0)
        return rare[random_below(random, rare_count)];
    return moves[random_below(random, count)];
}

void crop_make(uint64_t number, unsigned plies_max, struct crop_game *out_game)
{
    uint64_t random = number;
    struct rk_game start;
    struct gamefile_game *game = &out_game->game;
    chess_init();
    memset(out_game, 0, sizeof *out_game);
    game->is_chess960 = number % 3 == 0;
    rk_game_set_start(&start);
    if (game->is_chess960)
        opening_array((unsigned)random_below(&random, CHESS960_ARRAYS), &start);
    game->start = start.position;
    game->end = (enum gamefile_end)random_below(&random, GAMEFILE_END_COUNT);
    game->white_points = (unsigned)random_below(&random, 3);
    game->pawn = 1 + (unsigned)random_below(&random, UINT16_MAX);
    game->nodes = (uint32_t)random_next(&random);
    const unsigned wanted = (unsigned)random_below(&random, plies_max + 1u);
    struct position positions[2] = {game->start};
    for (unsigned i = 0; i < wanted; i++) {
        const move_t move = move_draw(&positions[i % 2], &random);
        if (move == MOVE_NONE)
            break;
        position_after(&positions[(i + 1) % 2], &positions[i % 2], move);
        out_game->plies[game->plies++] =
            (struct gamefile_ply){.move = move, .score = (int16_t)random_next(&random)};
    }
}

void crop_path(char out_path[CROP_PATH_BYTES])
{
    snprintf(out_path, CROP_PATH_BYTES, "/tmp/rookery-games-XXXXXX");
    const int descriptor = mkstemp(out_path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    unlink(out_path);
}

void crop_add(struct gamefile_writer *writer, uint64_t number, unsigned plies_max)
{
    struct crop_game made;
    crop_make(number, plies_max, &made);
    ck_assert_int_eq(gamefile_add(writer, &made.game, made.plies), GAMEFILE_FINE);
}

void crop_write(const char *path, uint64_t first, uint64_t end, unsigned plies_max,
                uint32_t block_bytes)
{
    struct gamefile_writer *writer;
    uint64_t cut_bytes = 99;
    ck_assert_int_eq(gamefile_append(path, block_bytes, &writer, &cut_bytes), GAMEFILE_FINE);
    ck_assert_uint_eq(cut_bytes, 0);
    for (uint64_t number = first; number < end; number++)
        crop_add(writer, number, plies_max);
    ck_assert_int_eq(gamefile_finish(writer), GAMEFILE_FINE);
}

bool crop_is(struct gamefile_cursor *cursor, uint64_t number, unsigned plies_max)
{
    struct crop_game made;
    crop_make(number, plies_max, &made);
    const struct gamefile_game *game = &cursor->game, *wanted = &made.game;
    if (game->end != wanted->end || game->white_points != wanted->white_points ||
        game->plies != wanted->plies || game->pawn != wanted->pawn ||
        game->nodes != wanted->nodes || game->is_chess960 != wanted->is_chess960 ||
        game->start.key != wanted->start.key ||
        memcmp(game->start.castle_rook, wanted->start.castle_rook,
               sizeof wanted->start.castle_rook) != 0)
        return false;
    struct position positions[2] = {wanted->start};
    for (unsigned i = 0; i < wanted->plies; i++) {
        const struct position *position = &positions[i % 2];
        if (!gamefile_next_ply(cursor) || cursor->move != made.plies[i].move ||
            cursor->score != made.plies[i].score || cursor->position->key != position->key ||
            memcmp(cursor->position->board, position->board, sizeof position->board) != 0)
            return false;
        position_after(&positions[(i + 1) % 2], position, cursor->move);
    }
    return !gamefile_next_ply(cursor) &&
           gamefile_last(cursor)->key == positions[wanted->plies % 2].key;
}

uint8_t *crop_bytes(const char *path, size_t *out_length)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    fseek(file, 0, SEEK_END);
    *out_length = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = memory_allocate(*out_length + 1);
    ck_assert_uint_eq(fread(bytes, 1, *out_length, file), *out_length);
    fclose(file);
    return bytes;
}

void crop_put_bytes(const char *path, const uint8_t *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}
