#include "engine/pawns.h"

#include "chess/attacks.h"
#include "engine/weights.h"

enum { RANKS = 8, SHELTER_FILES = 3 };

static pair_t pawns_squares(const struct position *position, color_t us)
{
    pair_t score = psqt_value(us, KING, position_king(position, us));
    for (bitboard_t pawns = position_men(position, us, PAWN); pawns != 0;)
        score += psqt_value(us, PAWN, bits_pop(&pawns));
    return score;
}

/* Two classes: 0, an enemy pawn stands ahead on the file; 1, none does, so that rooks see it. */
static pair_t count_by_front(const pair_t weights[2], bitboard_t pawns, bitboard_t opposed)
{
    return weights[0] * (int)bits_count(pawns & opposed) +
           weights[1] * (int)bits_count(pawns & ~opposed);
}

static pair_t pawns_structure(color_t us, bitboard_t own, bitboard_t enemy)
{
    const color_t them = us ^ 1u;
    const bitboard_t files = own | pawns_ahead(WHITE, own) | pawns_ahead(BLACK, own);
    const bitboard_t own_attacks = attacks_pawns(us, own);
    const bitboard_t opposed = pawns_ahead(them, enemy);
    const bitboard_t isolated = own & ~pawns_beside(files);
    const bitboard_t phalanx = own & pawns_beside(own);
    const bitboard_t supported = own & own_attacks;

    /* Backward: no neighbour beside or behind to come to its help, and its next square is lost. */
    const bitboard_t helped = pawns_beside(own | pawns_ahead(us, own));
    const bitboard_t stopped = pawns_forward(them, attacks_pawns(them, enemy) | enemy);
    const bitboard_t backward = own & ~helped & stopped & ~isolated;

    pair_t score = WEIGHTS.pawn_doubled * (int)bits_count(own & pawns_ahead(us, own));
    score += count_by_front(WEIGHTS.pawn_isolated, isolated, opposed);
    score += count_by_front(WEIGHTS.pawn_backward, backward, opposed);
    for (unsigned rank = 1; rank < RANKS - 1; rank++) {
        const bitboard_t row = RANK_1 << 8 * (us == WHITE ? rank : 7 - rank);
        score += WEIGHTS.pawn_phalanx[rank] * (int)bits_count(phalanx & row);
        score += WEIGHTS.pawn_supported[rank] * (int)bits_count(supported & row);
    }
    return score;
}

static bitboard_t pawns_passed(color_t us, bitboard_t own, bitboard_t enemy)
{
    const bitboard_t guarded = pawns_ahead(us ^ 1u, enemy | pawns_beside(enemy));
    return own & ~guarded & ~pawns_ahead(us ^ 1u, own);
}

static pair_t passed_distances(const struct position *position, color_t us, bitboard_t passed)
{
    pair_t score = 0;
    while (passed != 0) {
        const square_t square = bits_pop(&passed);
        const unsigned rank = rank_of(us, square);
        const square_t stop = us == WHITE ? square + 8u : square - 8u;
        const unsigned own = square_distance(stop, position_king(position, us));
        const unsigned enemy = square_distance(stop, position_king(position, us ^ 1u));
        score += WEIGHTS.passed[rank] + WEIGHTS.passed_own_king[rank] * (int)own +
                 WEIGHTS.passed_enemy_king[rank] * (int)enemy;
    }
    return score;
}

/* The three files before the king: how far its own pawns have gone, how near the enemy's are. */
static pair_t king_shelter(const struct position *position, color_t us)
{
    const square_t king = position_king(position, us);
    const unsigned file = square_file(king);
    const unsigned middle = file == 0 ? 1 : file == 7 ? 6 : file;
    const bitboard_t rank = RANK_1 << 8 * square_rank(king);
    const bitboard_t front = rank | pawns_ahead(us, rank);
    pair_t score = 0;
    for (unsigned i = 0; i < SHELTER_FILES; i++) {
        const bitboard_t column = front & FILE_A << (middle - 1 + i);
        const bitboard_t own = column & position_men(position, us, PAWN);
        const bitboard_t enemy = column & position_men(position, us ^ 1u, PAWN);
        const unsigned own_rank =
            own == 0 ? 0 : rank_of(us, us == WHITE ? bits_lowest(own) : bits_highest(own));
        const unsigned enemy_rank =
            enemy == 0 ? 0 : rank_of(us, us == WHITE ? bits_lowest(enemy) : bits_highest(enemy));
        const bool is_blocked = own_rank != 0 && enemy_rank == own_rank + 1;
        score += WEIGHTS.shelter[middle - 1 + i == file][own_rank];
        score += WEIGHTS.storm[is_blocked][enemy_rank];
    }
    return score;
}

const struct eval_pawn_entry *pawns_probe(const struct position *position, struct eval_cache *cache)
{
    struct eval_pawn_entry *entry = &cache->pawns[position->pawn_key % EVAL_PAWN_ENTRIES];
    if (entry->key == position->pawn_key)
        return entry;
    pair_t score = 0;
    entry->passed = 0;
    for (color_t us = WHITE; us <= BLACK; us++) {
        const bitboard_t own = position_men(position, us, PAWN);
        const bitboard_t enemy = position_men(position, us ^ 1u, PAWN);
        const bitboard_t passed = pawns_passed(us, own, enemy);
        const pair_t shelter = king_shelter(position, us);
        const pair_t side = pawns_squares(position, us) + pawns_structure(us, own, enemy) +
                            passed_distances(position, us, passed) + shelter;
        score += us == WHITE ? side : -side;
        entry->passed |= passed;
        entry->shelter[us] = (int16_t)pair_mg(shelter);
    }
    entry->score = score;
    entry->key = position->pawn_key;
    return entry;
}
