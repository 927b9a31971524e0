#include "engine/threats.h"

#include "chess/attacks.h"
#include "engine/tune.h"

void threats_find(const struct position *position, struct threats *out_threats)
{
    const color_t them = position->side ^ 1u;
    const bitboard_t all = position_all(position);
    checks_find(position, &out_threats->checks);
    bitboard_t attacked = attacks_pawns(them, position_men(position, them, PAWN));
    out_threats->by_lesser[PAWN] = 0;
    out_threats->by_lesser[KNIGHT] = attacked;
    out_threats->by_lesser[BISHOP] = attacked;
    for (bitboard_t men = position_men(position, them, KNIGHT); men != 0;)
        attacked |= attacks_knight(bits_pop(&men));
    for (bitboard_t men = position_men(position, them, BISHOP); men != 0;)
        attacked |= attacks_bishop(bits_pop(&men), all);
    out_threats->by_lesser[ROOK] = attacked;
    for (bitboard_t men = position_men(position, them, ROOK); men != 0;)
        attacked |= attacks_rook(bits_pop(&men), all);
    out_threats->by_lesser[QUEEN] = attacked;
    for (bitboard_t men = position_men(position, them, QUEEN); men != 0;)
        attacked |= attacks_queen(bits_pop(&men), all);
    out_threats->attacked = attacked | attacks_king(position_king(position, them));
    out_threats->by_lesser[KING] = 0;
}

static int threat_to(kind_t kind)
{
    switch (kind) {
    case KNIGHT:
    case BISHOP: return TUNE_THREAT_MINOR;
    case ROOK: return TUNE_THREAT_ROOK;
    case QUEEN: return TUNE_THREAT_QUEEN;
    default: return 0;
    }
}

int threats_score(const struct threats *threats, const struct position *position, move_t move)
{
    const square_t from = move_from(move), to = move_to(move);
    const kind_t kind = piece_kind(position->board[from]);
    const bitboard_t attacked = threats->by_lesser[kind];
    const int saved = (int)(attacked >> from & 1) - (int)(attacked >> to & 1);
    const int check = checks_by(&threats->checks, position, move) ? TUNE_CHECK_BONUS : 0;
    return saved * threat_to(kind) + check;
}
