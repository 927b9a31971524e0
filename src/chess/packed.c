#include "chess/packed.h"

#include <string.h>

#include "base/bytes.h"
#include "chess/fen.h"

enum {
    MEN_MAX = 32,
    MEN_AT = 8,
    STATE_AT = 24,
    FIFTY_AT = 25,
    NUMBER_AT = 26,
    BLACK_MOVES = 128,
    CODE_CASTLING_ROOK = PIECE_COUNT /* Of White; the next is of Black. */
};

static bool may_castle(const struct position *position, square_t rook)
{
    for (unsigned color = 0; color < COLOR_COUNT; color++)
        for (unsigned wing = 0; wing < 2; wing++)
            if (position->castle_rook[color][wing] == rook)
                return true;
    return false;
}

void packed_write(const struct position *position, uint8_t out_bytes[PACKED_BYTES])
{
    const bitboard_t occupied = position_all(position);
    memset(out_bytes, 0, PACKED_BYTES);
    bytes_put64(out_bytes, occupied);
    unsigned index = 0;
    for (bitboard_t rest = occupied; rest != 0; index++) {
        const square_t square = bits_pop(&rest);
        const piece_t piece = position->board[square];
        const unsigned code =
            may_castle(position, square) ? CODE_CASTLING_ROOK + piece_color(piece) : piece;
        out_bytes[MEN_AT + index / 2] |= (uint8_t)(code << index % 2 * 4);
    }
    out_bytes[STATE_AT] =
        (uint8_t)(position->en_passant | (position->side == BLACK ? BLACK_MOVES : 0));
    out_bytes[FIFTY_AT] = position->fifty;
    bytes_put16(out_bytes + NUMBER_AT, position->move_number);
}

/* Puts the men; those rooks that may castle are told. False: a code that means nothing. */
static bool read_men(const uint8_t *bytes, struct position *p, bitboard_t *out_castling)
{
    bitboard_t rest = bytes_get64(bytes);
    if (bits_count(rest) > MEN_MAX)
        return false;
    *out_castling = 0;
    for (unsigned index = 0; rest != 0; index++) {
        const square_t square = bits_pop(&rest);
        unsigned code = (unsigned)bytes[MEN_AT + index / 2] >> index % 2 * 4 & 15u;
        if (code >= CODE_CASTLING_ROOK) {
            if (code >= CODE_CASTLING_ROOK + COLOR_COUNT)
                return false;
            *out_castling |= square_bit(square);
            code = piece_make((color_t)(code - CODE_CASTLING_ROOK), ROOK);
        }
        position_put(p, square, (piece_t)code);
    }
    return true;
}

/* False: a right that no king and rook stand for. */
static bool set_rights(struct position *p, bitboard_t castling)
{
    while (castling != 0) {
        const square_t rook = bits_pop(&castling);
        const color_t color = piece_color(p->board[rook]);
        const square_t king = position_king(p, color);
        square_t *right = &p->castle_rook[color][rook > king];
        if (rank_of(color, rook) != 0 || rank_of(color, king) != 0 || *right != SQUARE_NONE)
            return false;
        *right = rook;
    }
    return true;
}

enum rk_status packed_read(const uint8_t bytes[PACKED_BYTES], struct position *out_position)
{
    struct position p = {.fifty = bytes[FIFTY_AT],
                         .move_number = bytes_get16(bytes + NUMBER_AT),
                         .en_passant = bytes[STATE_AT] & (BLACK_MOVES - 1u),
                         .side = (bytes[STATE_AT] & BLACK_MOVES) != 0};
    bitboard_t castling;
    memset(p.board, PIECE_NONE, sizeof p.board);
    memset(p.castle_rook, SQUARE_NONE, sizeof p.castle_rook);
    if (!read_men(bytes, &p, &castling))
        return RK_FEN_BOARD;
    enum rk_status status = fen_check_men(&p);
    if (status == RK_OK && !set_rights(&p, castling))
        status = RK_FEN_CASTLING;
    if (status == RK_OK)
        status = fen_finish(&p);
    if (status == RK_OK)
        *out_position = p;
    return status;
}
