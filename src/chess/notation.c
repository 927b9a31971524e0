#include "chess/notation.h"

#include <string.h>

#include "base/check.h"
#include "chess/movegen.h"

enum { PLAIN_LENGTH = 4, PROMOTION_LENGTH = 5 };

static const char PROMOTED_LETTERS[] = "nbrq";

/* Elsewhere two squares along might be a plain move of the king, or no move at all (g1g1). */
static bool is_standard_castling(square_t king, square_t rook)
{
    return square_file(king) == 4 && (square_file(rook) == 0 || square_file(rook) == 7);
}

size_t rk_move_text(rk_move_t move, bool chess960, char out_text[RK_MOVE_BYTES_MAX])
{
    const square_t from = move_from(move);
    square_t to = move_to(move);
    if (move_is_castle(move) && !chess960 && is_standard_castling(from, to))
        to = position_castled_king(from, to);
    size_t length = 0;
    out_text[length++] = (char)('a' + square_file(from));
    out_text[length++] = (char)('1' + square_rank(from));
    out_text[length++] = (char)('a' + square_file(to));
    out_text[length++] = (char)('1' + square_rank(to));
    if (move_is_promotion(move))
        out_text[length++] = PROMOTED_LETTERS[move_promoted(move) - KNIGHT];
    out_text[length] = '\0';
    return length;
}

static square_t parse_square(const char text[2])
{
    if (text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return SQUARE_NONE;
    return square_make((unsigned)(text[0] - 'a'), (unsigned)(text[1] - '1'));
}

/* PAWN for no promotion, KIND_COUNT for a letter that promotes to nothing. Both cases of letters
 * are in use. */
static kind_t parse_promoted(const char *text, size_t length)
{
    if (length < PROMOTION_LENGTH)
        return PAWN;
    for (unsigned i = 0; i < 4; i++)
        if ((text[PLAIN_LENGTH] | 0x20) == PROMOTED_LETTERS[i])
            return (kind_t)(KNIGHT + i);
    return KIND_COUNT;
}

/* A king's move onto its own rook can only be castling, so that spelling is never ambiguous. Two
 * squares along (or wherever it castles to) is understood unless the king could plainly go there.
 */
move_t notation_parse(const struct position *position, const char *text, size_t length)
{
    if (length != PLAIN_LENGTH && length != PROMOTION_LENGTH)
        return MOVE_NONE;
    const square_t from = parse_square(text), to = parse_square(text + 2);
    const kind_t promoted = parse_promoted(text, length);
    if (from == SQUARE_NONE || to == SQUARE_NONE || from == to || promoted == KIND_COUNT)
        return MOVE_NONE;
    move_t moves[MOVES_MAX], castled = MOVE_NONE;
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        if (move_from(*move) != from ||
            (move_is_promotion(*move) ? move_promoted(*move) : PAWN) != promoted)
            continue;
        if (move_to(*move) == to)
            return *move;
        if (move_is_castle(*move) && position_castled_king(from, move_to(*move)) == to)
            castled = *move;
    }
    return castled;
}
