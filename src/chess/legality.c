/* Questions about attacks and moves on a position: the second half of position.h. */
#include "base/check.h"
#include "chess/attacks.h"
#include "chess/checks.h"
#include "chess/position.h"

bitboard_t position_attackers(const struct position *p, square_t square, bitboard_t occupied)
{
    const bitboard_t *kinds = p->kinds;
    return occupied &
           ((attacks_pawn(BLACK, square) & position_men(p, WHITE, PAWN)) |
            (attacks_pawn(WHITE, square) & position_men(p, BLACK, PAWN)) |
            (attacks_knight(square) & kinds[KNIGHT]) | (attacks_king(square) & kinds[KING]) |
            (attacks_rook(square, occupied) & (kinds[ROOK] | kinds[QUEEN])) |
            (attacks_bishop(square, occupied) & (kinds[BISHOP] | kinds[QUEEN])));
}

bool position_is_attacked(const struct position *p, square_t square, color_t color,
                          bitboard_t occupied)
{
    const bitboard_t men = p->colors[color] & occupied;
    if ((men & ((attacks_knight(square) & p->kinds[KNIGHT]) |
                (attacks_pawn(color ^ 1u, square) & p->kinds[PAWN]) |
                (attacks_king(square) & p->kinds[KING]))) != 0)
        return true;
    /* Most squares see no slider even on an empty board. */
    const bitboard_t rooks = men & (p->kinds[ROOK] | p->kinds[QUEEN]);
    if ((attacks_rook_rays(square) & rooks) != 0 && (attacks_rook(square, occupied) & rooks) != 0)
        return true;
    const bitboard_t bishops = men & (p->kinds[BISHOP] | p->kinds[QUEEN]);
    return (attacks_bishop_rays(square) & bishops) != 0 &&
           (attacks_bishop(square, occupied) & bishops) != 0;
}

bool position_is_en_passant_safe(const struct position *p, square_t from)
{
    const bitboard_t gone = square_bit(from) | square_bit(p->en_passant ^ 8u);
    const bitboard_t occupied = (position_all(p) & ~gone) | square_bit(p->en_passant);
    return !position_is_attacked(p, position_king(p, p->side), p->side ^ 1u, occupied);
}

void position_trim_en_passant(struct position *p)
{
    bitboard_t pawns = attacks_pawn(p->side ^ 1u, p->en_passant) & position_men(p, p->side, PAWN);
    while (pawns != 0)
        if (position_is_en_passant_safe(p, bits_pop(&pawns)))
            return;
    p->en_passant = SQUARE_NONE;
}

bool position_can_castle(const struct position *p, square_t rook)
{
    const square_t king = position_king(p, p->side);
    const square_t king_to = position_castled_king(king, rook);
    const square_t rook_to = position_castled_rook(king, rook);
    const bitboard_t others = position_all(p) & ~(square_bit(king) | square_bit(rook));
    const bitboard_t king_path = attacks_between(king, king_to) | square_bit(king_to);
    const bitboard_t rook_path = attacks_between(rook, rook_to) | square_bit(rook_to);
    if (p->checkers != 0 || ((king_path | rook_path) & others) != 0)
        return false;
    /* The rook is out of the way, too: in Chess960 it may have shielded its king from a rook in the
     * corner. */
    for (bitboard_t path = king_path; path != 0;)
        if (position_is_attacked(p, bits_pop(&path), p->side ^ 1u, others))
            return false;
    return true;
}

static bool is_pawn_move(const struct position *p, square_t from, square_t to, unsigned kind)
{
    const color_t us = p->side;
    const unsigned forward = us == WHITE ? 8u : 56u; /* Modulo 64. */
    const bitboard_t bit = square_bit(to);
    if (kind == MOVE_EN_PASSANT)
        return to == p->en_passant && (attacks_pawn(us, from) & bit) != 0;
    if ((kind >= MOVE_PROMOTE) != (rank_of(us, to) == 7))
        return false;
    if (kind & MOVE_CAPTURE)
        return (attacks_pawn(us, from) & bit & p->colors[us ^ 1u]) != 0;
    const square_t one = (from + forward) & 63u;
    if (p->board[to] != PIECE_NONE)
        return false;
    if (kind != MOVE_DOUBLE)
        return to == one;
    return rank_of(us, from) == 1 && to == ((one + forward) & 63u) && p->board[one] == PIECE_NONE;
}

bool position_is_pseudo_legal(const struct position *p, move_t move)
{
    const square_t from = move_from(move), to = move_to(move);
    const unsigned kind = move_kind(move);
    const piece_t piece = p->board[from];
    const color_t us = p->side;
    if (piece == PIECE_NONE || piece_color(piece) != us)
        return false;
    if (kind == MOVE_CASTLE)
        return piece_kind(piece) == KING &&
               (to == p->castle_rook[us][0] || to == p->castle_rook[us][1]) &&
               position_can_castle(p, to);
    if (piece_kind(piece) == PAWN)
        return kind != 3 && kind != 6 && kind != 7 && is_pawn_move(p, from, to, kind);
    if (kind != MOVE_QUIET && kind != MOVE_CAPTURE)
        return false;
    const bitboard_t wanted = kind == MOVE_CAPTURE ? p->colors[us ^ 1u] : ~position_all(p);
    return (attacks_of(piece_kind(piece), from, position_all(p)) & wanted & square_bit(to)) != 0;
}

bool position_is_legal(const struct position *p, move_t move)
{
    const square_t from = move_from(move), to = move_to(move);
    const color_t us = p->side;
    const square_t king = position_king(p, us);
    if (move_is_castle(move))
        return true; /* Pseudo-legal has asked it all. */
    if (from == king)
        return !position_is_attacked(p, to, us ^ 1u,
                                     (position_all(p) ^ square_bit(from)) | square_bit(to));
    if (move_kind(move) == MOVE_EN_PASSANT)
        return position_is_en_passant_safe(p, from);
    if (p->checkers != 0) {
        if (bits_many(p->checkers))
            return false;
        const square_t checker = bits_lowest(p->checkers);
        if (((attacks_between(king, checker) | p->checkers) & square_bit(to)) == 0)
            return false;
    }
    return (p->pinned & square_bit(from)) == 0 || (attacks_line(king, from) & square_bit(to)) != 0;
}

bool position_gives_check(const struct position *p, move_t move)
{
    const color_t us = p->side;
    const square_t from = move_from(move), to = move_to(move);
    const square_t king = position_king(p, us ^ 1u);
    kind_t kind = piece_kind(p->board[from]);
    square_t lands = to;
    bitboard_t occupied = (position_all(p) ^ square_bit(from)) | square_bit(to);
    if (move_is_castle(move)) {
        kind = ROOK;
        lands = position_castled_rook(from, to);
        occupied = (occupied ^ square_bit(to)) | square_bit(lands) |
                   square_bit(position_castled_king(from, to));
    } else if (move_is_promotion(move)) {
        kind = move_promoted(move);
    } else if (move_kind(move) == MOVE_EN_PASSANT) {
        occupied ^= square_bit(to ^ 8u);
    }
    const bitboard_t hits =
        kind == PAWN ? attacks_pawn(us, lands) : attacks_of(kind, lands, occupied);
    if ((hits & square_bit(king)) != 0)
        return true;
    /* Discovered, by a slider that stays where it is. */
    const bitboard_t still = p->colors[us] & occupied & ~(square_bit(lands) | square_bit(to));
    const bitboard_t rooks = still & (p->kinds[ROOK] | p->kinds[QUEEN]);
    const bitboard_t bishops = still & (p->kinds[BISHOP] | p->kinds[QUEEN]);
    return ((attacks_rook_rays(king) & rooks) != 0 &&
            (attacks_rook(king, occupied) & rooks) != 0) ||
           ((attacks_bishop_rays(king) & bishops) != 0 &&
            (attacks_bishop(king, occupied) & bishops) != 0);
}

void checks_find(const struct position *p, struct checks *out_checks)
{
    const color_t us = p->side;
    const square_t king = position_king(p, us ^ 1u);
    const bitboard_t all = position_all(p);
    const bitboard_t rooks = p->colors[us] & (p->kinds[ROOK] | p->kinds[QUEEN]);
    const bitboard_t bishops = p->colors[us] & (p->kinds[BISHOP] | p->kinds[QUEEN]);
    out_checks->king = king;
    out_checks->squares[PAWN] = attacks_pawn(us ^ 1u, king);
    out_checks->squares[KNIGHT] = attacks_knight(king);
    out_checks->squares[BISHOP] = attacks_bishop(king, all);
    out_checks->squares[ROOK] = attacks_rook(king, all);
    out_checks->squares[QUEEN] = out_checks->squares[BISHOP] | out_checks->squares[ROOK];
    out_checks->squares[KING] = 0;
    out_checks->shields = 0;
    bitboard_t sliders = (attacks_rook_rays(king) & rooks) | (attacks_bishop_rays(king) & bishops);
    while (sliders != 0) {
        const bitboard_t between = attacks_between(king, bits_pop(&sliders)) & all;
        if (!bits_many(between))
            out_checks->shields |= between & p->colors[us];
    }
}
