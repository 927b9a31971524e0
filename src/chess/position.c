/* A move is made on a copy, and everything that the next node needs is kept up to date at once:
 * keys by XOR, checkers and pinned men by one look along the rays of the king that is now to move.
 * That look needs no slider lookup: only men on the king's empty-board rays matter ("snipers"), and
 * the men between decide (none: check; one of its own: pinned). */
#include "chess/position.h"

#include <string.h>

#include "base/check.h"
#include "chess/attacks.h"
#include "chess/zobrist.h"

enum { FIFTY_HELD = 255 };

void position_set_start(struct position *out_position)
{
    static const kind_t BACK_RANK[8] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    struct position *p = out_position;
    *p = (struct position){.en_passant = SQUARE_NONE, .move_number = 1};
    for (unsigned square = 0; square < SQUARE_COUNT; square++)
        p->board[square] = PIECE_NONE;
    for (unsigned file = 0; file < 8; file++)
        for (unsigned color = WHITE; color < COLOR_COUNT; color++) {
            position_put(p, square_make(file, color ? 7 : 0),
                         piece_make((color_t)color, BACK_RANK[file]));
            position_put(p, square_make(file, color ? 6 : 1), piece_make((color_t)color, PAWN));
        }
    for (unsigned color = WHITE; color < COLOR_COUNT; color++)
        for (unsigned wing = 0; wing < 2; wing++)
            p->castle_rook[color][wing] = square_make(wing ? 7 : 0, color ? 7 : 0);
    position_set_checks(p);
    position_set_keys(p);
}

void position_put(struct position *p, square_t square, piece_t piece)
{
    p->board[square] = piece;
    p->kinds[piece_kind(piece)] |= square_bit(square);
    p->colors[piece_color(piece)] |= square_bit(square);
}

void position_set_keys(struct position *p)
{
    const struct zobrist *z = zobrist_get();
    zkey_t key = p->side == BLACK ? z->side : 0, pawn_key = 0;
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        const piece_t piece = p->board[square];
        key ^= z->men[piece][square];
        if (piece != PIECE_NONE && (piece_kind(piece) == PAWN || piece_kind(piece) == KING))
            pawn_key ^= z->men[piece][square];
    }
    for (unsigned color = WHITE; color < COLOR_COUNT; color++)
        for (unsigned wing = 0; wing < 2; wing++)
            key ^= z->castle[p->castle_rook[color][wing]];
    p->key = key ^ z->en_passant[p->en_passant];
    p->pawn_key = pawn_key;
}

void position_set_checks(struct position *p)
{
    const color_t us = p->side, them = us ^ 1u;
    const square_t king = position_king(p, us);
    const bitboard_t all = position_all(p), own = p->colors[us], enemy = p->colors[them];
    bitboard_t checkers = enemy & ((attacks_knight(king) & p->kinds[KNIGHT]) |
                                   (attacks_pawn(us, king) & p->kinds[PAWN]));
    bitboard_t pinned = 0;
    bitboard_t snipers =
        enemy & ((attacks_rook_rays(king) & (p->kinds[ROOK] | p->kinds[QUEEN])) |
                 (attacks_bishop_rays(king) & (p->kinds[BISHOP] | p->kinds[QUEEN])));
    while (snipers != 0) {
        const square_t sniper = bits_pop(&snipers);
        const bitboard_t shield = attacks_between(king, sniper) & all;
        if (shield == 0)
            checkers |= square_bit(sniper);
        else if (!bits_many(shield))
            pinned |= shield & own;
    }
    p->checkers = checkers;
    p->pinned = pinned;
}

/* A new position's fields that every move changes in the same way. */
static void pass_turn(struct position *after, const struct position *before)
{
    after->en_passant = SQUARE_NONE;
    after->side = before->side ^ 1u;
    after->fifty = before->fifty < FIFTY_HELD ? (uint8_t)(before->fifty + 1) : FIFTY_HELD;
    after->move_number = (uint16_t)(before->move_number + before->side);
    after->key ^= zobrist_get()->side ^ zobrist_get()->en_passant[before->en_passant];
}

static void drop_right(struct position *p, color_t color, unsigned wing)
{
    p->key ^= zobrist_get()->castle[p->castle_rook[color][wing]];
    p->castle_rook[color][wing] = SQUARE_NONE;
}

/* The rights that end when `from` is left and `to` is entered. */
static void drop_rights(struct position *p, color_t us, square_t from, square_t to, kind_t kind)
{
    for (unsigned wing = 0; wing < 2; wing++) {
        if (kind == KING || p->castle_rook[us][wing] == from)
            drop_right(p, us, wing);
        if (p->castle_rook[us ^ 1u][wing] == to)
            drop_right(p, us ^ 1u, wing);
    }
}

static bool has_rights(const struct position *p)
{
    static const square_t NO_RIGHTS[COLOR_COUNT][2] = {{SQUARE_NONE, SQUARE_NONE},
                                                       {SQUARE_NONE, SQUARE_NONE}};
    return memcmp(p->castle_rook, NO_RIGHTS, sizeof NO_RIGHTS) != 0;
}

static void castle(struct position *p, color_t us, square_t king, square_t rook)
{
    const zkey_t *king_keys = zobrist_get()->men[piece_make(us, KING)];
    const zkey_t *rook_keys = zobrist_get()->men[piece_make(us, ROOK)];
    const square_t king_to = position_castled_king(king, rook);
    const square_t rook_to = position_castled_rook(king, rook);
    const bitboard_t king_change = square_bit(king) ^ square_bit(king_to);
    const bitboard_t rook_change = square_bit(rook) ^ square_bit(rook_to);
    p->board[king] = PIECE_NONE;
    p->board[rook] = PIECE_NONE;
    p->board[king_to] = piece_make(us, KING);
    p->board[rook_to] = piece_make(us, ROOK);
    p->kinds[KING] ^= king_change;
    p->kinds[ROOK] ^= rook_change;
    p->colors[us] ^= king_change ^ rook_change;
    p->key ^= king_keys[king] ^ king_keys[king_to] ^ rook_keys[rook] ^ rook_keys[rook_to];
    p->pawn_key ^= king_keys[king] ^ king_keys[king_to];
}

/* Takes a man off; `square` differs from the move's target only en passant. */
static void take(struct position *p, square_t square)
{
    const piece_t piece = p->board[square];
    const zkey_t number = zobrist_get()->men[piece][square];
    ASSERT(piece != PIECE_NONE && piece_kind(piece) != KING);
    p->board[square] = PIECE_NONE;
    p->kinds[piece_kind(piece)] ^= square_bit(square);
    p->colors[piece_color(piece)] ^= square_bit(square);
    p->key ^= number;
    if (piece_kind(piece) == PAWN)
        p->pawn_key ^= number;
    p->fifty = 0;
}

static void step(struct position *p, color_t us, square_t from, square_t to, piece_t piece)
{
    const bitboard_t change = square_bit(from) ^ square_bit(to);
    const zkey_t numbers = zobrist_get()->men[piece][from] ^ zobrist_get()->men[piece][to];
    p->board[from] = PIECE_NONE;
    p->board[to] = piece;
    p->kinds[piece_kind(piece)] ^= change;
    p->colors[us] ^= change;
    p->key ^= numbers;
    if (piece_kind(piece) == PAWN || piece_kind(piece) == KING)
        p->pawn_key ^= numbers;
}

static void promote(struct position *p, color_t us, square_t square, kind_t kind)
{
    const zkey_t pawn = zobrist_get()->men[piece_make(us, PAWN)][square];
    p->board[square] = piece_make(us, kind);
    p->kinds[PAWN] ^= square_bit(square);
    p->kinds[kind] ^= square_bit(square);
    p->key ^= pawn ^ zobrist_get()->men[piece_make(us, kind)][square];
    p->pawn_key ^= pawn;
}

void position_after(struct position *restrict after, const struct position *restrict before,
                    move_t move)
{
    const color_t us = before->side;
    const square_t from = move_from(move), to = move_to(move);
    const piece_t piece = before->board[from];
    ASSERT(piece != PIECE_NONE && piece_color(piece) == us);
    *after = *before;
    pass_turn(after, before);
    if (has_rights(before))
        drop_rights(after, us, from, to, piece_kind(piece));
    if (move_is_castle(move)) {
        castle(after, us, from, to);
        position_set_checks(after);
        return;
    }
    if (move_is_capture(move))
        take(after, move_kind(move) == MOVE_EN_PASSANT ? (square_t)(to ^ 8u) : to);
    step(after, us, from, to, piece);
    if (piece_kind(piece) == PAWN)
        after->fifty = 0;
    if (move_is_promotion(move))
        promote(after, us, to, move_promoted(move));
    position_set_checks(after);
    if (move_kind(move) == MOVE_DOUBLE &&
        (attacks_pawn(us, to ^ 8u) & position_men(before, us ^ 1u, PAWN)) != 0) {
        after->en_passant = to ^ 8u;
        position_trim_en_passant(after);
        after->key ^= zobrist_get()->en_passant[after->en_passant];
    }
}

void position_after_null(struct position *restrict after, const struct position *restrict before)
{
    ASSERT(before->checkers == 0);
    *after = *before;
    pass_turn(after, before);
    position_set_checks(after);
}

zkey_t position_key_after(const struct position *p, move_t move)
{
    const struct zobrist *z = zobrist_get();
    const square_t from = move_from(move), to = move_to(move);
    const piece_t piece = p->board[from];
    return p->key ^ z->side ^ z->en_passant[p->en_passant] ^ z->men[piece][from] ^
           z->men[piece][to] ^ z->men[p->board[to]][to];
}

bool position_is_material_draw(const struct position *p)
{
    const bitboard_t LIGHT_SQUARES = 0x55aa55aa55aa55aau;
    if ((p->kinds[PAWN] | p->kinds[ROOK] | p->kinds[QUEEN]) != 0)
        return false;
    const bitboard_t knights = p->kinds[KNIGHT], bishops = p->kinds[BISHOP];
    if (knights != 0)
        return bishops == 0 && !bits_many(knights);
    return (bishops & LIGHT_SQUARES) == 0 || (bishops & ~LIGHT_SQUARES) == 0;
}
