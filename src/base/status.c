#include "rookery/status.h"

const char *rk_status_text(enum rk_status status)
{
    switch (status) {
    case RK_OK: return "ok";
    case RK_NO_MEMORY: return "not enough memory";
    case RK_SYSTEM: return "the system refused";
    case RK_BUSY: return "busy";
    case RK_BAD_ARGUMENT: return "argument out of range";
    case RK_BAD_MOVE: return "not a legal move";
    case RK_NO_TABLEBASES: return "this build reads no tablebases";
    case RK_FEN_EMPTY: return "not a FEN";
    case RK_FEN_BOARD: return "a rank of the board is not eight squares of known pieces";
    case RK_FEN_RANKS: return "the board has not eight ranks";
    case RK_FEN_KINGS: return "each side must have exactly one king";
    case RK_FEN_TOO_MANY_PIECES: return "more pieces than a game allows";
    case RK_FEN_PAWN_RANK: return "a pawn stands on the first or last rank";
    case RK_FEN_SIDE: return "the side to move must be w or b";
    case RK_FEN_CASTLING: return "the castling field is not understood";
    case RK_FEN_EN_PASSANT: return "the en passant field is not a square a pawn just passed";
    case RK_FEN_CLOCK: return "a move counter is not a number in range";
    case RK_FEN_TRAILING: return "more fields than a FEN has";
    case RK_FEN_OPPONENT_IN_CHECK: return "the side that just moved is in check";
    case RK_FEN_TOO_MANY_CHECKERS: return "more checks at once than a move can give";
    case RK_STATUS_COUNT: break;
    }
    return "unknown status";
}
