#include "engine/ending.h"

#include "base/check.h"

enum {
    DRIVE_WIN = 5000, /* More than a network says of any position. */
    DRIVE_EDGE = 30,
    DRIVE_CORNER = 90,
    DRIVE_NEAR = 20
};
static_assert(DRIVE_WIN + 7 * DRIVE_CORNER < SCORE_EVAL_MAX, "a drive is an evaluation");

static const bitboard_t LIGHT_SQUARES = 0x55aa55aa55aa55aau;

/* A king's moves from one to the other. */
static int square_distance(square_t a, square_t b)
{
    const int files = (int)square_file(a) - (int)square_file(b);
    const int ranks = (int)square_rank(a) - (int)square_rank(b);
    const int x = files < 0 ? -files : files;
    const int y = ranks < 0 ? -ranks : ranks;
    return x > y ? x : y;
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

/* Whether the side that is ahead cannot win: a minor piece or two knights and no pawn, or the wrong
 * corner. */
static bool is_hopeless(const struct position *position, color_t strong)
{
    if (position_men(position, strong, PAWN) != 0)
        return is_wrong_corner(position, strong);
    const bitboard_t officers = position->colors[strong] & ~position_men(position, strong, KING);
    const bitboard_t knights = position_men(position, strong, KNIGHT);
    const bitboard_t minors = knights | position_men(position, strong, BISHOP);
    return officers == minors &&
           (!bits_many(minors) || (minors == knights && bits_count(knights) == 2));
}

/* From where the side to move is the strong one; 0: there is no bare king, or not the men to mate
 * it. */
static score_t drive(const struct position *position, color_t strong)
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
        DRIVE_WIN - DRIVE_NEAR * square_distance(king, position_king(position, strong));
    if (heavy != 0 || has_pair)
        return near + DRIVE_EDGE * (file_edge + rank_edge);
    /* Knight and bishop mate in the bishop's corners alone: 7 there, 0 on the other diagonal. */
    const int along = light != 0 ? file - rank : 7 - file - rank;
    return near + DRIVE_CORNER * (along < 0 ? -along : along);
}

score_t ending_score(const struct position *position, score_t score)
{
    const color_t own = position->side;
    const score_t driven = drive(position, own) - drive(position, own ^ 1u);
    if (driven != 0)
        return driven;
    return is_hopeless(position, score > 0 ? own : own ^ 1u) ? 0 : score;
}
