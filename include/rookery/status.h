/* rookery/status.h: what an operation can answer.
 * One enum for the whole program; RK_OK is zero. Text for people comes from rk_status_text().
 * Thread: any. */
#ifndef ROOKERY_STATUS_H
#define ROOKERY_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RK_API __attribute__((visibility("default")))
#else
#define RK_API
#endif

enum rk_status {
    RK_OK = 0,
    RK_NO_MEMORY,
    RK_SYSTEM,        /* The kernel refused a thread or a descriptor. */
    RK_BUSY,          /* No idle crew, or a search of the same kind is running. */
    RK_BAD_ARGUMENT,  /* A value outside what the declaration allows. */
    RK_BAD_MOVE,      /* Not a move, or not legal here. */
    RK_NO_TABLEBASES, /* This build cannot read them. */

    /* Each way a FEN can be broken has its own reason. */
    RK_FEN_EMPTY,           /* No text, or text that is not a board at all. */
    RK_FEN_BOARD,           /* Unknown letter, or a rank that has not eight squares. */
    RK_FEN_RANKS,           /* Not eight ranks. */
    RK_FEN_KINGS,           /* Not exactly one king a side. */
    RK_FEN_TOO_MANY_PIECES, /* More men, or more promoted men, than a game allows. */
    RK_FEN_PAWN_RANK,       /* A pawn on the first or last rank. */
    RK_FEN_SIDE,            /* The side to move is neither w nor b. */
    RK_FEN_CASTLING,        /* A castling field that is not text of that kind. */
    RK_FEN_EN_PASSANT, /* An en passant field that is not a square of the right rank, or '-'. */
    RK_FEN_CLOCK,      /* A move counter that is not a number in range. */
    RK_FEN_TRAILING,   /* More fields than a FEN has. */
    RK_FEN_OPPONENT_IN_CHECK, /* The side that just moved left its king in check. */
    RK_FEN_TOO_MANY_CHECKERS, /* More checks at once than any move can give. */

    RK_STATUS_COUNT
};

/* A short lower-case phrase without a full stop, never NULL, static storage. */
RK_API const char *rk_status_text(enum rk_status status);

#ifdef __cplusplus
}
#endif
#endif
