/* Any bytes as a FEN: what gets through is written and read again to the same position, and can be
 * played on. */
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/movegen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_moves(const struct position *position)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    REQUIRE((size_t)(end - moves) == movegen_count(position));
    for (const move_t *move = moves; move != end; move++) {
        struct position after;
        REQUIRE(position_is_pseudo_legal(position, *move) && position_is_legal(position, *move));
        position_after(&after, position, *move);
        REQUIRE(!position_is_attacked(&after, position_king(&after, position->side), after.side,
                                      position_all(&after)));
        REQUIRE(position_gives_check(position, *move) == (after.checkers != 0));
    }
}

static void check_round_trip(const struct position *position, bool chess960)
{
    char text[RK_FEN_BYTES_MAX];
    struct position again;
    const size_t length = fen_print(position, chess960, text);
    REQUIRE(length < sizeof text && text[length] == '\0');
    REQUIRE(fen_parse(text, length, &again) == RK_OK);
    REQUIRE(again.key == position->key && again.pawn_key == position->pawn_key);
    REQUIRE(again.checkers == position->checkers && again.pinned == position->pinned);
    REQUIRE(again.fifty == position->fifty && again.move_number == position->move_number);
    REQUIRE(memcmp(again.board, position->board, sizeof again.board) == 0);
    REQUIRE(memcmp(again.castle_rook, position->castle_rook, sizeof again.castle_rook) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct position position;
    chess_init();
    if (fen_parse((const char *)data, size, &position) != RK_OK)
        return 0;
    check_round_trip(&position, false);
    check_round_trip(&position, true);
    check_moves(&position);
    return 0;
}
