/* Every move written is legal, so nothing is made and taken back to find out:
 * - in check by one man, a move of another man than the king must land on `allowed`: the checker or
 *   a square before it; in double check only the king moves;
 * - a pinned man stays on the line through its king and itself;
 * - the king and en passant captures, which those two rules do not cover, are tested by themselves.
 *
 * One generator serves all: color, class and whether moves are written or only counted are
 * constants of each instance, and the compiler removes what an instance does not need. */
#include "chess/movegen.h"

#include "base/check.h"
#include "chess/attacks.h"

#define INSTANCE static inline __attribute__((always_inline))

enum { NOISY = 1, QUIET = 2, ALL = NOISY | QUIET };

/* What an instance works with. Moves go to `end`, or only their number to `count`. */
struct generator {
    const struct position *p;
    move_t *end;
    unsigned count;
    const unsigned classes;
    const color_t us;
    const bool is_counting;
    bitboard_t all, enemy;
    bitboard_t allowed; /* Where men other than the king may land, own men's squares apart. */
    square_t king;
};

INSTANCE void emit(struct generator *g, square_t from, bitboard_t targets, unsigned kind)
{
    if (g->is_counting) {
        g->count += bits_count(targets);
        return;
    }
    while (targets != 0)
        *g->end++ = move_make(from, bits_pop(&targets), kind);
}

/* Any man's targets, own men already taken out of them. */
INSTANCE void emit_classes(struct generator *g, square_t from, bitboard_t targets)
{
    if (g->is_counting) {
        emit(g, from, targets, MOVE_QUIET);
        return;
    }
    if (g->classes & NOISY)
        emit(g, from, targets & g->enemy, MOVE_CAPTURE);
    if (g->classes & QUIET)
        emit(g, from, targets & ~g->all, MOVE_QUIET);
}

/* Pawn moves that came by a shift of the whole set: `back` leads from target to origin. */
INSTANCE void emit_shifted(struct generator *g, bitboard_t targets, int back, unsigned kind)
{
    if (g->is_counting) {
        g->count += bits_count(targets);
        return;
    }
    while (targets != 0) {
        const square_t to = bits_pop(&targets);
        *g->end++ = move_make((square_t)(to + back), to, kind);
    }
}

INSTANCE void emit_promotions(struct generator *g, bitboard_t targets, int back, unsigned kind)
{
    if (g->is_counting) {
        g->count += 4 * bits_count(targets);
        return;
    }
    while (targets != 0) {
        const square_t to = bits_pop(&targets);
        for (unsigned promoted = 4; promoted-- > 0;)
            *g->end++ = move_make((square_t)(to + back), to, kind + promoted);
    }
}

INSTANCE bitboard_t shift(bitboard_t set, int by) { return by > 0 ? set << by : set >> -by; }

INSTANCE void generate_pawn_captures(struct generator *g, bitboard_t pawns, int by)
{
    const bitboard_t last = g->us == WHITE ? RANK_8 : RANK_1;
    const bitboard_t west_edge = by == 7 || by == -9 ? FILE_A : FILE_H;
    const bitboard_t targets = shift(pawns & ~west_edge, by) & g->enemy & g->allowed;
    emit_shifted(g, targets & ~last, -by, MOVE_CAPTURE);
    if ((targets & last) != 0)
        emit_promotions(g, targets & last, -by, MOVE_PROMOTE_CAPTURE);
}

/* A pinned pawn captures only its pinner; there are few, so one by one. */
INSTANCE void generate_pinned_captures(struct generator *g, bitboard_t pawns)
{
    const bitboard_t last = g->us == WHITE ? RANK_8 : RANK_1;
    while (pawns != 0) {
        const square_t from = bits_pop(&pawns);
        const bitboard_t target =
            attacks_pawn(g->us, from) & g->enemy & g->allowed & attacks_line(g->king, from);
        if (target == 0)
            continue;
        if ((target & last) != 0)
            emit_promotions(g, target, from - bits_lowest(target), MOVE_PROMOTE_CAPTURE);
        else
            emit(g, from, target, MOVE_CAPTURE);
    }
}

INSTANCE void generate_en_passant(struct generator *g, bitboard_t pawns)
{
    if (g->p->en_passant == SQUARE_NONE)
        return;
    pawns &= attacks_pawn(g->us ^ 1u, g->p->en_passant);
    while (pawns != 0) {
        const square_t from = bits_pop(&pawns);
        if (position_is_en_passant_safe(g->p, from))
            emit(g, from, square_bit(g->p->en_passant), MOVE_EN_PASSANT);
    }
}

INSTANCE void generate_pawns(struct generator *g)
{
    const int forward = g->us == WHITE ? 8 : -8;
    const bitboard_t last = g->us == WHITE ? RANK_8 : RANK_1;
    const bitboard_t third = g->us == WHITE ? RANK_3 : RANK_6;
    const bitboard_t pawns = position_men(g->p, g->us, PAWN), pinned = pawns & g->p->pinned;
    const bitboard_t pushers = pawns & (~pinned | FILE_A << square_file(g->king));
    const bitboard_t once = shift(pushers, forward) & ~g->all;
    if (g->classes & NOISY) {
        generate_pawn_captures(g, pawns & ~pinned, forward - 1);
        generate_pawn_captures(g, pawns & ~pinned, forward + 1);
        generate_pinned_captures(g, pinned);
        if ((once & last) != 0)
            emit_promotions(g, once & last & g->allowed, -forward, MOVE_PROMOTE);
        generate_en_passant(g, pawns);
    }
    if (g->classes & QUIET) {
        const bitboard_t twice = shift(once & third, forward) & ~g->all;
        emit_shifted(g, once & ~last & g->allowed, -forward, MOVE_QUIET);
        emit_shifted(g, twice & g->allowed, -2 * forward, MOVE_DOUBLE);
    }
}

INSTANCE void generate_officers(struct generator *g, bitboard_t targets)
{
    const struct position *p = g->p;
    const bitboard_t own = p->colors[g->us], pinned = p->pinned;
    /* A pinned knight never moves. */
    for (bitboard_t men = own & p->kinds[KNIGHT] & ~pinned; men != 0;) {
        const square_t from = bits_pop(&men);
        emit_classes(g, from, attacks_knight(from) & targets);
    }
    for (bitboard_t men = own & (p->kinds[BISHOP] | p->kinds[QUEEN]); men != 0;) {
        const square_t from = bits_pop(&men);
        bitboard_t set = attacks_bishop(from, g->all) & targets;
        if ((pinned & square_bit(from)) != 0)
            set &= attacks_line(g->king, from);
        emit_classes(g, from, set);
    }
    for (bitboard_t men = own & (p->kinds[ROOK] | p->kinds[QUEEN]); men != 0;) {
        const square_t from = bits_pop(&men);
        bitboard_t set = attacks_rook(from, g->all) & targets;
        if ((pinned & square_bit(from)) != 0)
            set &= attacks_line(g->king, from);
        emit_classes(g, from, set);
    }
}

INSTANCE void generate_king(struct generator *g, bitboard_t targets)
{
    const struct position *p = g->p;
    const bitboard_t without = g->all ^ square_bit(g->king);
    bitboard_t safe = 0;
    targets &=
        attacks_king(g->king) & ~attacks_pawns(g->us ^ 1u, position_men(p, g->us ^ 1u, PAWN));
    while (targets != 0) {
        const square_t to = bits_pop(&targets);
        if (!position_is_attacked(p, to, g->us ^ 1u, without))
            safe |= square_bit(to);
    }
    emit_classes(g, g->king, safe);
    if (!(g->classes & QUIET) || p->checkers != 0)
        return;
    for (unsigned wing = 0; wing < 2; wing++) {
        const square_t rook = p->castle_rook[g->us][wing];
        /* Whatever their paths are, what lies between the two is on them. */
        if (rook != SQUARE_NONE && (attacks_between(g->king, rook) & g->all) == 0 &&
            position_can_castle(p, rook))
            emit(g, g->king, square_bit(rook), MOVE_CASTLE);
    }
}

INSTANCE void generate(struct generator *g)
{
    const struct position *p = g->p;
    g->all = position_all(p);
    g->enemy = p->colors[g->us ^ 1u];
    g->king = position_king(p, g->us);
    const bitboard_t landing =
        (g->classes & NOISY ? g->enemy : 0) | (g->classes & QUIET ? ~g->all : 0);
    if (!bits_many(p->checkers)) {
        g->allowed = ~p->colors[g->us];
        if (p->checkers != 0)
            g->allowed = attacks_between(g->king, bits_lowest(p->checkers)) | p->checkers;
        generate_pawns(g);
        generate_officers(g, landing & g->allowed);
    }
    generate_king(g, landing);
}

INSTANCE move_t *write_moves(const struct position *p, move_t *moves, unsigned classes)
{
    if (p->side == WHITE) {
        struct generator g = {.p = p, .end = moves, .classes = classes, .us = WHITE};
        generate(&g);
        return g.end;
    }
    struct generator g = {.p = p, .end = moves, .classes = classes, .us = BLACK};
    generate(&g);
    return g.end;
}

move_t *movegen_noisy(const struct position *p, move_t *moves)
{
    return write_moves(p, moves, NOISY);
}
move_t *movegen_quiet(const struct position *p, move_t *moves)
{
    return write_moves(p, moves, QUIET);
}
move_t *movegen_all(const struct position *p, move_t *moves) { return write_moves(p, moves, ALL); }

unsigned movegen_count(const struct position *p)
{
    if (p->side == WHITE) {
        struct generator g = {.p = p, .classes = ALL, .us = WHITE, .is_counting = true};
        generate(&g);
        return g.count;
    }
    struct generator g = {.p = p, .classes = ALL, .us = BLACK, .is_counting = true};
    generate(&g);
    return g.count;
}

bool movegen_has_any(const struct position *p) { return movegen_count(p) != 0; }
