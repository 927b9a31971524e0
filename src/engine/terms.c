/* The order of work: pawn attacks and king zones of both sides; then each officer once, which adds
 * its square, its mobility and its pressure on the enemy king and leaves its attacks in sets; then
 * kings, threats and passed pawns, which read these sets of both sides.
 * Ideas: Chess Programming Wiki, "Evaluation", "Mobility", "King Safety", "Passed Pawn". */
#include "engine/terms.h"

#include "chess/attacks.h"
#include "engine/pawns.h"

#define RANKS_4_TO_6 ((bitboard_t)0x0000ffffff000000u)
#define RANKS_3_TO_5 ((bitboard_t)0x000000ffffff0000u)

enum { DANGER_SQUARE = 4096, DANGER_LINEAR = 16 }; /* What danger is divided by, mg and eg. */

struct view {
    const struct position *position;
    bitboard_t all;
    bitboard_t by_kind[COLOR_COUNT][KIND_COUNT]; /* Squares attacked by men of a kind. */
    bitboard_t any[COLOR_COUNT];                 /* Attacked at all. */
    bitboard_t twice[COLOR_COUNT];               /* Attacked by two men or more. */
    bitboard_t zone[COLOR_COUNT];                /* Round the king, and before it. */
    bitboard_t mobile[COLOR_COUNT];              /* Where a move counts as mobility. */
    int danger[COLOR_COUNT];                     /* To the king of that color. */
};

static inline void view_add(struct view *view, color_t us, kind_t kind, bitboard_t attacks)
{
    view->twice[us] |= view->any[us] & attacks;
    view->any[us] |= attacks;
    view->by_kind[us][kind] |= attacks;
}

static inline void view_init(struct view *view, const struct position *position, color_t us)
{
    const color_t them = us ^ 1u;
    const bitboard_t pawns = position_men(position, us, PAWN);
    const bitboard_t king = position_men(position, us, KING);
    const bitboard_t king_attacks = attacks_king(position_king(position, us));
    const bitboard_t east = pawns_forward(us, (pawns & ~FILE_H) << 1);
    const bitboard_t west = pawns_forward(us, (pawns & ~FILE_A) >> 1);
    const bitboard_t enemy_attacks = attacks_pawns(them, position_men(position, them, PAWN));
    const bitboard_t stuck = pawns & pawns_forward(them, view->all);
    view_add(view, us, PAWN, east);
    view_add(view, us, PAWN, west);
    view_add(view, us, KING, king_attacks);
    view->zone[us] = king | king_attacks | pawns_forward(us, king_attacks);
    view->mobile[us] = ~(enemy_attacks | stuck | king);
}

/* Sliders see through what moves along with them: queens, and rooks through their own rooks. */
static inline bitboard_t officer_attacks(const struct view *view, color_t us, kind_t kind,
                                         square_t square)
{
    const struct position *position = view->position;
    const bitboard_t queens = position->kinds[QUEEN];
    switch (kind) {
    case KNIGHT: return attacks_knight(square);
    case BISHOP: return attacks_bishop(square, view->all ^ queens);
    case ROOK: return attacks_rook(square, view->all ^ (queens | position_men(position, us, ROOK)));
    default: return attacks_queen(square, view->all);
    }
}

/* Own pawns on its color, which are in its way. */
static inline pair_t bishop_score(const struct view *view, color_t us, square_t square)
{
    const bitboard_t light = square_bit(square) & LIGHT_SQUARES;
    const bitboard_t color = light != 0 ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    return WEIGHTS.bishop_pawns * (int)bits_count(position_men(view->position, us, PAWN) & color);
}

/* Knights and bishops guarded by a pawn, where no enemy pawn can drive them away. */
static inline pair_t outposts_score(const struct view *view, color_t us)
{
    const struct position *position = view->position;
    const color_t them = us ^ 1u;
    const bitboard_t enemy = position_men(position, them, PAWN);
    const bitboard_t posts = view->by_kind[us][PAWN] & (us == WHITE ? RANKS_4_TO_6 : RANKS_3_TO_5) &
                             ~pawns_beside(pawns_ahead(them, enemy));
    return WEIGHTS.outpost[0] * (int)bits_count(posts & position_men(position, us, KNIGHT)) +
           WEIGHTS.outpost[1] * (int)bits_count(posts & position_men(position, us, BISHOP));
}

static inline pair_t rook_score(const struct view *view, color_t us, square_t square)
{
    const bitboard_t file = FILE_A << square_file(square);
    if (file & position_men(view->position, us, PAWN))
        return 0;
    return WEIGHTS.rook_file[(file & view->position->kinds[PAWN]) == 0];
}

static inline __attribute__((always_inline)) pair_t officers_score(struct view *view, color_t us,
                                                                   kind_t kind)
{
    const color_t them = us ^ 1u;
    pair_t score = 0;
    for (bitboard_t men = position_men(view->position, us, kind); men != 0;) {
        const square_t square = bits_pop(&men);
        const bitboard_t attacks = officer_attacks(view, us, kind, square);
        const bitboard_t pressure = attacks & view->zone[them];
        view_add(view, us, kind, attacks);
        score += psqt_value(us, kind, square) +
                 WEIGHTS.mobility[kind - KNIGHT][bits_count(attacks & view->mobile[us])];
        if (pressure != 0)
            view->danger[them] += WEIGHTS.danger_attacker[kind - KNIGHT] +
                                  WEIGHTS.danger_square * (int)bits_count(pressure);
        if (kind == BISHOP)
            score += bishop_score(view, us, square);
        else if (kind == ROOK)
            score += rook_score(view, us, square);
    }
    if (kind == BISHOP && bits_many(position_men(view->position, us, BISHOP)))
        score += WEIGHTS.bishop_pair;
    return score;
}

/* Danger to the king of `us`: what has gathered so far, squares the enemy owns, checks it can give
 * and not be taken for. Grows with the square: one attacker is nothing, three are a mate. Without
 * any there is nothing to look at. */
static inline pair_t king_score(const struct view *view, color_t us, int shelter)
{
    if (view->danger[us] == 0)
        return 0;
    const color_t them = us ^ 1u;
    const struct position *position = view->position;
    const square_t king = position_king(position, us);
    const bitboard_t *hits = view->by_kind[them];
    const bitboard_t weak = view->any[them] & ~view->twice[us] &
                            (~view->any[us] | view->by_kind[us][KING] | view->by_kind[us][QUEEN]);
    const bitboard_t safe = ~position->colors[them] & (~view->any[us] | (weak & view->twice[them]));
    const bitboard_t lines = view->all ^ position_men(position, us, QUEEN);
    const bitboard_t ranks_files = attacks_rook(king, lines) & safe;
    const bitboard_t diagonals = attacks_bishop(king, lines) & safe;

    int danger = view->danger[us] + WEIGHTS.danger_base;
    danger += WEIGHTS.danger_weak * (int)bits_count(view->zone[us] & weak);
    if (hits[KNIGHT] & safe & attacks_knight(king))
        danger += WEIGHTS.danger_check[0];
    if (hits[BISHOP] & diagonals)
        danger += WEIGHTS.danger_check[1];
    if (hits[ROOK] & ranks_files)
        danger += WEIGHTS.danger_check[2];
    if (hits[QUEEN] & (ranks_files | diagonals) & ~view->by_kind[us][QUEEN])
        danger += WEIGHTS.danger_check[3];
    if (position_men(position, them, QUEEN) == 0)
        danger += WEIGHTS.danger_no_queen;
    danger += WEIGHTS.danger_shelter * shelter / DANGER_LINEAR;
    if (danger <= 0)
        return 0;
    return -PAIR(danger * danger / DANGER_SQUARE, danger / DANGER_LINEAR);
}

static inline pair_t threats_score(const struct view *view, color_t us)
{
    const color_t them = us ^ 1u;
    const struct position *position = view->position;
    const bitboard_t enemy = position->colors[them];
    const bitboard_t officers = enemy & ~(position->kinds[PAWN] | position->kinds[KING]);
    const bitboard_t *hits = view->by_kind[us];
    const bitboard_t guarded = view->by_kind[them][PAWN] | (view->twice[them] & ~view->twice[us]);
    const bitboard_t weak = enemy & view->any[us] & ~guarded;
    pair_t score = 0;

    for (bitboard_t set = officers & hits[PAWN]; set != 0;)
        score += WEIGHTS.threat_pawn[piece_kind(position->board[bits_pop(&set)])];
    const bitboard_t prey = (officers | weak) & ~position->kinds[KING];
    for (bitboard_t set = prey & (hits[KNIGHT] | hits[BISHOP]); set != 0;)
        score += WEIGHTS.threat_minor[piece_kind(position->board[bits_pop(&set)])];
    for (bitboard_t set = weak & ~position->kinds[KING] & hits[ROOK]; set != 0;)
        score += WEIGHTS.threat_rook[piece_kind(position->board[bits_pop(&set)])];
    if (weak & hits[KING])
        score += WEIGHTS.threat_king;
    const bitboard_t hanging = weak & (~view->any[them] | (officers & view->twice[us]));
    score += WEIGHTS.threat_hanging * (int)bits_count(hanging);

    /* Pawn moves that would attack an officer. */
    const bitboard_t empty = ~view->all;
    const bitboard_t third = RANK_1 << (us == WHITE ? 16 : 40);
    bitboard_t pushes = pawns_forward(us, position_men(position, us, PAWN)) & empty;
    pushes |= pawns_forward(us, pushes & third) & empty;
    pushes &= ~view->by_kind[them][PAWN] & (view->any[us] | ~view->any[them]);
    score += WEIGHTS.threat_push * (int)bits_count(attacks_pawns(us, pushes) & officers);
    return score;
}

/* The road to the last rank: free, or at least its next step, and who stands behind. */
static inline pair_t passed_score(const struct view *view, color_t us, bitboard_t passed)
{
    const color_t them = us ^ 1u;
    const struct position *position = view->position;
    const bitboard_t heavy = position->kinds[ROOK] | position->kinds[QUEEN];
    pair_t score = 0;
    while (passed != 0) {
        const square_t square = bits_pop(&passed);
        const bitboard_t bit = square_bit(square);
        const unsigned rank = rank_of(us, square);
        const bitboard_t step = pawns_forward(us, bit);
        const bitboard_t road = pawns_ahead(us, bit);
        bitboard_t behind = pawns_ahead(them, bit) & heavy;
        if (behind != 0)
            behind &= attacks_rook(square, view->all);
        bitboard_t barred = road & (view->any[them] | position->colors[them]);
        if (behind & position->colors[them])
            barred = road;
        if (barred == 0)
            score += WEIGHTS.passed_clear[rank];
        else if ((barred & step) == 0)
            score += WEIGHTS.passed_step[rank];
        if (step & view->all)
            score += WEIGHTS.passed_blocked[rank];
        if (step & view->any[us])
            score += WEIGHTS.passed_supported[rank];
        if (behind & position->colors[us])
            score += WEIGHTS.passed_behind;
        const square_t last = square_make(square_file(square), us == WHITE ? 7 : 0);
        const unsigned moves = square_distance(square, last) - (rank == 1);
        if (!position_has_officers(position, them) && (road & view->all) == 0 &&
            square_distance(position_king(position, them), last) > moves + (position->side == them))
            score += WEIGHTS.passed_unstoppable;
    }
    return score;
}

static inline pair_t side_score(const struct view *view, const struct eval_pawn_entry *pawns,
                                color_t us)
{
    return king_score(view, us, pawns->shelter[us]) + outposts_score(view, us) +
           threats_score(view, us) +
           passed_score(view, us, pawns->passed & view->position->colors[us]);
}

pair_t terms_score(const struct position *position, const struct eval_pawn_entry *pawns)
{
    struct view view = {.position = position, .all = position_all(position)};
    view_init(&view, position, WHITE);
    view_init(&view, position, BLACK);
    pair_t score = 0;
    score += officers_score(&view, WHITE, KNIGHT) - officers_score(&view, BLACK, KNIGHT);
    score += officers_score(&view, WHITE, BISHOP) - officers_score(&view, BLACK, BISHOP);
    score += officers_score(&view, WHITE, ROOK) - officers_score(&view, BLACK, ROOK);
    score += officers_score(&view, WHITE, QUEEN) - officers_score(&view, BLACK, QUEEN);
    return score + side_score(&view, pawns, WHITE) - side_score(&view, pawns, BLACK);
}
