#include "engine/ending.h"

#include "engine/pawns.h"

enum {
    SCALE_DRAW = 0,
    SCALE_HOPELESS = 8,       /* A piece up without pawns. */
    SCALE_BISHOPS = 20,       /* Opposite bishops and pawns. */
    SCALE_BISHOPS_PASSED = 6, /* More for each passed pawn there could be: each pawn up. */
    SCALE_BISHOPS_OFFICERS = 48,
    SCALE_NO_PAWNS = 40,
    SCALE_A_PAWN = 6,
    VALUE_MINOR = 3,
    VALUE_ROOK = 5,
    VALUE_QUEEN = 9,
    DRIVE_WIN = 1000,
    DRIVE_EDGE = 30,
    DRIVE_CORNER = 90,
    DRIVE_NEAR = 20
};

/* In pawns, as every beginner counts. */
static int officers_value(const struct position *position, color_t color)
{
    const bitboard_t minors = position->kinds[KNIGHT] | position->kinds[BISHOP];
    return VALUE_MINOR * (int)bits_count(position->colors[color] & minors) +
           VALUE_ROOK * (int)bits_count(position_men(position, color, ROOK)) +
           VALUE_QUEEN * (int)bits_count(position_men(position, color, QUEEN));
}

/* Only rook pawns, no officer that could win the corner, and the enemy king is in it. */
static bool is_wrong_corner(const struct position *position, color_t strong)
{
    const bitboard_t pawns = position_men(position, strong, PAWN);
    const bitboard_t bishops = position_men(position, strong, BISHOP);
    const bool on_a = (pawns & ~FILE_A) == 0;
    if (!on_a && (pawns & ~FILE_H) != 0)
        return false;
    const bitboard_t men = pawns | bishops | position_men(position, strong, KING);
    if (men != position->colors[strong])
        return false;
    const square_t corner = square_make(on_a ? 0 : 7, strong == WHITE ? 7 : 0);
    const bitboard_t color = square_bit(corner) & LIGHT_SQUARES ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    return (bishops & color) == 0 &&
           square_distance(position_king(position, strong ^ 1u), corner) <= 1;
}

static bool is_opposite_bishops(const struct position *position)
{
    const bitboard_t bishops = position->kinds[BISHOP];
    const bitboard_t white = bishops & position->colors[WHITE];
    const bitboard_t black = bishops & position->colors[BLACK];
    return white != 0 && black != 0 && !bits_many(white) && !bits_many(black) &&
           (bishops & LIGHT_SQUARES) != 0 && (bishops & ~LIGHT_SQUARES) != 0;
}

int ending_scale(const struct position *position, color_t strong)
{
    const color_t weak = strong ^ 1u;
    const int pawns = (int)bits_count(position_men(position, strong, PAWN));
    if (is_opposite_bishops(position)) {
        if (officers_value(position, strong) > VALUE_MINOR)
            return SCALE_BISHOPS_OFFICERS;
        const int lead = pawns - (int)bits_count(position_men(position, weak, PAWN));
        return lead <= 0 ? SCALE_BISHOPS : SCALE_BISHOPS + SCALE_BISHOPS_PASSED * lead;
    }
    if (pawns == 0) {
        const int value = officers_value(position, strong);
        const bitboard_t knights = position_men(position, strong, KNIGHT);
        if (value <= VALUE_MINOR || (value == 2 * VALUE_MINOR && bits_count(knights) == 2))
            return SCALE_DRAW;
        return value - officers_value(position, weak) <= VALUE_MINOR ? SCALE_HOPELESS
                                                                     : ENDING_SCALE_FULL;
    }
    if (is_wrong_corner(position, strong))
        return SCALE_DRAW;
    const int scale = SCALE_NO_PAWNS + SCALE_A_PAWN * pawns;
    return scale < ENDING_SCALE_FULL ? scale : ENDING_SCALE_FULL;
}

score_t ending_drive(const struct position *position, color_t strong)
{
    const color_t weak = strong ^ 1u;
    if (position->colors[weak] != position_men(position, weak, KING))
        return 0;
    const bitboard_t bishops = position_men(position, strong, BISHOP);
    const bitboard_t knights = position_men(position, strong, KNIGHT);
    const bitboard_t light = bishops & LIGHT_SQUARES;
    const bitboard_t heavy =
        position->colors[strong] & (position->kinds[ROOK] | position->kinds[QUEEN]);
    const bool has_pair = light != 0 && light != bishops;
    if (heavy == 0 && !has_pair && (bishops == 0 || knights == 0))
        return 0;

    const square_t king = position_king(position, weak);
    const int file = (int)square_file(king);
    const int rank = (int)square_rank(king);
    const int file_edge = file < 4 ? 3 - file : file - 4;
    const int rank_edge = rank < 4 ? 3 - rank : rank - 4;
    const score_t near =
        DRIVE_WIN - DRIVE_NEAR * (int)square_distance(king, position_king(position, strong));
    if (heavy != 0 || has_pair)
        return near + DRIVE_EDGE * (file_edge + rank_edge);
    /* Knight and bishop mate in the bishop's corners alone: 7 there, 0 on the other diagonal. */
    const int along = light != 0 ? file - rank : 7 - file - rank;
    return near + DRIVE_CORNER * (along < 0 ? -along : along);
}
