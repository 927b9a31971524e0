/* tests/chess/mailbox.h: chess a second time, as slowly and plainly as can be: a model for the real
 * generator to be compared with. Shares nothing with src/chess but the numbering of squares.
 * Thread: any. */
#ifndef TESTS_CHESS_MAILBOX_H
#define TESTS_CHESS_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>

enum { MAILBOX_MOVES_MAX = 256 };

struct mailbox_move {
    int from, to;    /* Castling: king takes own rook. */
    char promoted;   /* 'n', 'b', 'r', 'q' or 0 */
    bool is_capture; /* En passant, too. */
};

struct mailbox {
    char board[64]; /* FEN letters, '.' where empty. */
    bool is_white;
    int castle_rook[2][2]; /* [0: White][0: a-side] or -1 */
    int en_passant;        /* After any double step, capturable or not; or -1. */
};

/* Reads a FEN known to be good, castling letters in Shredder's way or KQkq. */
struct mailbox mailbox_parse(const char *fen);
bool mailbox_is_attacked(const struct mailbox *box, int square, bool by_white);
bool mailbox_in_check(const struct mailbox *box);
size_t mailbox_moves(const struct mailbox *box, struct mailbox_move moves[MAILBOX_MOVES_MAX]);
struct mailbox mailbox_play(const struct mailbox *box, struct mailbox_move move);

#endif
