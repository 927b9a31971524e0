/* Two boards and a flip: a ply is decoded by making the move before it on the board beside. Each
 * move is checked for legality, as a checksum only says that nobody has changed what a writer may
 * have got wrong. With all that a core reads some twenty million positions a second (measured with
 * `rookery data verify` on x86-64-v4). */
#include "base/check.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "lab/gameblock.h"

struct gamefile_cursor_state {
    enum gamefile_fault fault;
    uint64_t offset;     /* Of the block in the file. */
    uint32_t length;     /* Of its payload. */
    uint32_t next;       /* Where in the payload the next game begins. */
    uint32_t games_left; /* After the one at hand. */
    unsigned plies_left; /* Of the game at hand. */
    const uint8_t *ply;  /* The next one. */
    unsigned board;      /* Which of the two the cursor stands on. */
    struct position boards[2];
    uint8_t bytes[BLOCK_HEADER_BYTES + GAMEFILE_BLOCK_BYTES_MAX]; /* The block. */
};

void gamefile_fen(const struct gamefile_game *game, char out_fen[RK_FEN_BYTES_MAX])
{
    (void)fen_print(&game->start, game->is_chess960, out_fen);
}

struct cursor_whole {
    struct gamefile_cursor cursor; /* First: it is what callers hold. */
    struct gamefile_cursor_state state;
};

enum gamefile_fault gamefile_cursor_create(struct gamefile_cursor **out_cursor)
{
    chess_init();
    struct cursor_whole *whole = memory_allocate(sizeof *whole);
    if (whole == NULL)
        return GAMEFILE_NO_MEMORY;
    whole->cursor.state = &whole->state;
    *out_cursor = &whole->cursor;
    return GAMEFILE_FINE;
}

void gamefile_cursor_destroy(struct gamefile_cursor *cursor) { memory_free(cursor); }

/* The block gives no more. */
static bool end_with(struct gamefile_cursor_state *state, enum gamefile_fault fault)
{
    state->fault = fault;
    state->games_left = state->plies_left = 0;
    return false;
}

enum gamefile_fault gamefile_load(const struct gamefile *file, size_t index,
                                  struct gamefile_cursor *cursor)
{
    struct gamefile_cursor_state *state = cursor->state;
    const struct gamefile_block *block = gamefile_block(file, index);
    cursor->move = MOVE_NONE;
    state->next = 0;
    enum gamefile_fault fault =
        gamefile_bytes_at(file, block->offset, BLOCK_HEADER_BYTES + block->bytes, state->bytes);
    if (fault == GAMEFILE_FINE &&
        !block_is_whole(state->bytes, state->bytes + BLOCK_HEADER_BYTES, block->bytes))
        fault = GAMEFILE_CHECKSUM;
    (void)end_with(state, fault);
    if (fault != GAMEFILE_FINE)
        return fault;
    state->offset = block->offset;
    state->length = block->bytes;
    state->games_left = block->games;
    return GAMEFILE_FINE;
}

/* Passes over the next game's bytes; NULL at the block's end, or when it does not hold one. */
static const uint8_t *game_pass(struct gamefile_cursor_state *state, unsigned *out_plies)
{
    state->plies_left = 0;
    if (state->games_left == 0) {
        if (state->fault == GAMEFILE_FINE && state->next != state->length)
            (void)end_with(state, GAMEFILE_CONTENT);
        return NULL;
    }
    const uint8_t *game = state->bytes + BLOCK_HEADER_BYTES + state->next;
    const uint32_t rest = state->length - state->next;
    *out_plies = rest >= GAME_HEADER_BYTES ? game_header_plies(game) : 0;
    if (rest < GAME_HEADER_BYTES || *out_plies > GAMEFILE_PLIES_MAX ||
        rest < GAME_HEADER_BYTES + *out_plies * PLY_BYTES) {
        (void)end_with(state, GAMEFILE_CONTENT);
        return NULL;
    }
    state->next += GAME_HEADER_BYTES + *out_plies * PLY_BYTES;
    state->games_left--;
    return game;
}

bool gamefile_next_game(struct gamefile_cursor *cursor)
{
    struct gamefile_cursor_state *state = cursor->state;
    unsigned plies;
    const uint8_t *game = game_pass(state, &plies);
    if (game == NULL)
        return false;
    if (!game_header_read(game, &cursor->game))
        return end_with(state, GAMEFILE_CONTENT);
    state->ply = game + GAME_HEADER_BYTES;
    state->plies_left = plies;
    state->board = 0;
    state->boards[0] = cursor->game.start;
    cursor->position = &state->boards[0];
    cursor->move = MOVE_NONE;
    return true;
}

uint64_t gamefile_game_hash(const struct gamefile_cursor *cursor)
{
    const struct gamefile_cursor_state *state = cursor->state;
    REQUIRE(state->plies_left == cursor->game.plies);
    return block_checksum(state->ply - GAME_HEADER_BYTES,
                          GAME_HEADER_BYTES + state->plies_left * PLY_BYTES);
}

bool gamefile_next_ply(struct gamefile_cursor *cursor)
{
    struct gamefile_cursor_state *state = cursor->state;
    const struct position *before = &state->boards[state->board];
    if (cursor->move != MOVE_NONE) {
        state->board ^= 1u;
        position_after(&state->boards[state->board], before, cursor->move);
        cursor->position = before = &state->boards[state->board];
        cursor->move = MOVE_NONE;
    }
    if (state->plies_left == 0)
        return false;
    const struct gamefile_ply ply = ply_read(state->ply);
    if (!position_is_pseudo_legal(before, ply.move) || !position_is_legal(before, ply.move))
        return end_with(state, GAMEFILE_CONTENT);
    cursor->move = ply.move;
    cursor->score = ply.score;
    state->ply += PLY_BYTES;
    state->plies_left--;
    return true;
}

const struct position *gamefile_last(const struct gamefile_cursor *cursor)
{
    REQUIRE(cursor->state->plies_left == 0 && cursor->move == MOVE_NONE);
    return cursor->position;
}

enum gamefile_fault gamefile_cursor_fault(const struct gamefile_cursor *cursor)
{
    return cursor->state->fault;
}

bool gamefile_next_bytes(struct gamefile_cursor *cursor, struct gamefile_bytes *out_game)
{
    struct gamefile_cursor_state *state = cursor->state;
    unsigned plies;
    const uint8_t *game = game_pass(state, &plies);
    if (game == NULL)
        return false;
    *out_game = (struct gamefile_bytes){.bytes = game,
                                        .length = GAME_HEADER_BYTES + plies * PLY_BYTES,
                                        .offset = state->offset + (uint64_t)(game - state->bytes),
                                        .plies = plies};
    return true;
}
