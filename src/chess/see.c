/* The swap algorithm: both sides take on one square in turn, cheapest man first, until one does
 * better to stop. Only the sign of what the first side has beyond its threshold matters, so a side
 * that is content stops, and one that would be content even after losing its man has decided it.
 * Men pinned to their king may take only along the pin, or
 * once their pinner has left; sliders behind a man that has taken join in. Later captures that
 * promote count as a pawn's. */
#include "chess/see.h"

#include "chess/attacks.h"

/* Conventional values, in centipawns. The king's is never lost. */
static const int VALUES[KIND_COUNT] = {100, 300, 300, 500, 900, 0};

int see_value(kind_t kind) { return VALUES[kind]; }

struct exchange {
    const struct position *p;
    square_t target;
    bitboard_t occupied; /* Men that have not taken yet; the target's square counts as empty. */
    bitboard_t pinned[COLOR_COUNT];
};

static bitboard_t find_pinned(const struct position *p, color_t color)
{
    if (color == p->side)
        return p->pinned;
    const square_t king = position_king(p, color);
    const bitboard_t all = position_all(p);
    bitboard_t pinned = 0;
    bitboard_t snipers =
        p->colors[p->side] & ((attacks_rook_rays(king) & (p->kinds[ROOK] | p->kinds[QUEEN])) |
                              (attacks_bishop_rays(king) & (p->kinds[BISHOP] | p->kinds[QUEEN])));
    while (snipers != 0) {
        const bitboard_t shield = attacks_between(king, bits_pop(&snipers)) & all;
        if (shield != 0 && !bits_many(shield))
            pinned |= shield & p->colors[color];
    }
    return pinned;
}

/* Of men that were pinned when the exchange began: those whose taking would open their king. */
static bitboard_t find_bound(const struct exchange *exchange, color_t color, bitboard_t men)
{
    const struct position *p = exchange->p;
    const square_t king = position_king(p, color);
    const bitboard_t target = square_bit(exchange->target);
    bitboard_t bound = 0;
    while (men != 0) {
        const square_t man = bits_pop(&men);
        const bitboard_t occupied = (exchange->occupied & ~square_bit(man)) | target;
        const bitboard_t enemy = p->colors[color ^ 1u] & occupied & ~target;
        if ((attacks_rook(king, occupied) & enemy & (p->kinds[ROOK] | p->kinds[QUEEN])) != 0 ||
            (attacks_bishop(king, occupied) & enemy & (p->kinds[BISHOP] | p->kinds[QUEEN])) != 0)
            bound |= square_bit(man);
    }
    return bound;
}

/* Sliders that see the target once `kind` has left the way. */
static bitboard_t find_joining(const struct exchange *exchange, kind_t kind)
{
    const bitboard_t *kinds = exchange->p->kinds;
    bitboard_t joining = 0;
    if (kind == PAWN || kind == BISHOP || kind == QUEEN)
        joining |=
            attacks_bishop(exchange->target, exchange->occupied) & (kinds[BISHOP] | kinds[QUEEN]);
    if (kind == ROOK || kind == QUEEN)
        joining |=
            attacks_rook(exchange->target, exchange->occupied) & (kinds[ROOK] | kinds[QUEEN]);
    return joining & exchange->occupied;
}

/* Plays the exchange out. `surplus` is what the first side would have beyond its threshold if it
 * ended now, at least 0, `standing` the value of the man on the target; `taker` is the side that
 * may go on. */
static bool is_won(struct exchange *exchange, color_t taker, int surplus, int standing)
{
    const struct position *p = exchange->p;
    bitboard_t attackers = position_attackers(p, exchange->target, exchange->occupied);
    if ((attackers & p->colors[taker]) == 0)
        return true; /* Nobody to go on, and no pins to look for. */
    exchange->pinned[WHITE] = find_pinned(p, WHITE);
    exchange->pinned[BLACK] = find_pinned(p, BLACK);
    for (;; taker ^= 1u) {
        const bool is_first = taker == p->side;
        if ((surplus >= 0) == is_first)
            return is_first; /* Content, it stops. */
        bitboard_t own = attackers & p->colors[taker];
        if ((own & exchange->pinned[taker]) != 0)
            own &= ~find_bound(exchange, taker, own & exchange->pinned[taker]);
        kind_t kind = PAWN;
        while (kind < KIND_COUNT && (own & p->kinds[kind]) == 0)
            kind++;
        if (kind == KIND_COUNT || (kind == KING && (attackers & p->colors[taker ^ 1u]) != 0))
            return !is_first; /* It would, but cannot. */
        surplus += is_first ? standing : -standing;
        standing = VALUES[kind];
        const int if_retaken = is_first ? surplus - standing : surplus + standing;
        if ((if_retaken >= 0) == is_first)
            return is_first;
        exchange->occupied ^= square_bit(bits_lowest(own & p->kinds[kind]));
        attackers = (attackers & exchange->occupied) | find_joining(exchange, kind);
    }
}

bool see_at_least(const struct position *p, move_t move, int threshold)
{
    if (move_is_castle(move))
        return threshold <= 0;
    const square_t from = move_from(move), to = move_to(move);
    const piece_t captured = position_captured(p, move);
    int standing = VALUES[piece_kind(p->board[from])];
    int surplus = (captured == PIECE_NONE ? 0 : VALUES[piece_kind(captured)]) - threshold;
    if (move_is_promotion(move)) {
        surplus += VALUES[move_promoted(move)] - VALUES[PAWN];
        standing = VALUES[move_promoted(move)];
    }
    if (surplus < 0)
        return false;
    if (surplus >= standing)
        return true; /* Even if the man is lost. */
    struct exchange exchange = {.p = p, .target = to};
    exchange.occupied = position_all(p) & ~(square_bit(from) | square_bit(to));
    if (move_kind(move) == MOVE_EN_PASSANT)
        exchange.occupied &= ~square_bit(to ^ 8u);
    return is_won(&exchange, p->side ^ 1u, surplus, standing);
}
