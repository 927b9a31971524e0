/* load/ledger.h: what a server owes one client, and whether each line it sends is one that it may
 * send. Knows chess and the protocol, no socket and no clock.
 *
 * That no byte is another client's is shown by what the answers stand on: every bestmove and the
 * first move of every line must be one that was asked for, in its client's own way of writing
 * castling, with `wdl` and as many lines as this client chose; variations are played out.
 * Thread: one, one at a time for each ledger. */
#ifndef TESTS_LOAD_LEDGER_H
#define TESTS_LOAD_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "rookery/game.h"

enum {
    LEDGER_GOES_MAX = 32,
    LEDGER_FAULT_BYTES_MAX = 320,
    LEDGER_PV_EVERY = 8 /* One variation of so many is played out to its end. */
};

/* A `go` and what stood when it was sent. */
struct question {
    const struct rk_game *game;
    const rk_move_t *searchmoves; /* NULL: all. */
    uint32_t searchmove_count;
    uint32_t lines; /* MultiPV, at least 1. */
    bool chess960;
    bool wdl;
    bool is_limited; /* In strength: the best move may be another than the one shown. */
    bool is_open;    /* No answer before `stop`. */
    int64_t due_us;  /* When its clock wants the answer; INT64_MAX: never. */
};

struct debt {
    struct rk_game *game;
    rk_move_t allowed[RK_MOVES_MAX];
    uint32_t allowed_count;
    uint32_t lines;
    bool chess960, wdl, is_limited, is_open, is_ended; /* By a stop or the next go. */
    bool was_alone;                                    /* Nothing else was owed when it began. */
    bool was_queued;
    int64_t sent_us, due_us, stop_us; /* stop_us 0: none. */
    int64_t depth, lines_seen, time_ms;
    uint64_t nodes;
    bool has_exact;
    rk_move_t first_move; /* Of the newest exact first line. */
};

enum ledger_event {
    LEDGER_NOTHING,
    LEDGER_INFO,
    LEDGER_STRING,
    LEDGER_BESTMOVE,
    LEDGER_READY,
    LEDGER_UCI,
    LEDGER_FAULT
};

struct answer {
    rk_move_t move;   /* RK_MOVE_NONE: "(none)". */
    uint64_t nodes;   /* Of its last line, which stood so many */
    int64_t nodes_ms; /* milliseconds after its beginning. */
    int64_t took_us;
    int64_t after_stop_us; /* -1: nobody said stop, or something else was owed as well. */
    int64_t late_us;       /* Past its due time, negative when early; INT64_MIN: no clock. */
    bool was_queued;
};

struct ledger {
    struct debt goes[LEDGER_GOES_MAX];
    uint32_t first, count;
    uint32_t ready_owed, uci_owed;
    int64_t moved_us; /* When a promise was last kept, or first owed. */
    uint64_t lines_count, random;
    struct answer answer;               /* Of the last LEDGER_BESTMOVE. */
    struct slice string;                /* Of the last LEDGER_STRING; valid until the next line. */
    struct rk_game *scratch;            /* Where variations are played out. */
    char fault[LEDGER_FAULT_BYTES_MAX]; /* What is wrong with the line. */
};

enum rk_status ledger_create(struct ledger *ledger); /* RK_NO_MEMORY */
void ledger_destroy(struct ledger *ledger);
/* A new conversation: nothing is owed. */
void ledger_clear(struct ledger *ledger);

/* What the client has sent. ledger_has_room must be true for a go. */
bool ledger_has_room(const struct ledger *ledger);
void ledger_go(struct ledger *ledger, const struct question *question, int64_t now_us);
void ledger_stop(struct ledger *ledger, int64_t now_us);
/* The pondered move was played: the newest go, alone, is due. */
void ledger_ponderhit(struct ledger *ledger, int64_t due_us);
/* The client has closed its side. */
void ledger_end_of_input(struct ledger *ledger, int64_t now_us);
void ledger_ready(struct ledger *ledger, int64_t now_us);
void ledger_uci(struct ledger *ledger, int64_t now_us);

/* What the server has sent, a line without its LF. */
enum ledger_event ledger_line(struct ledger *ledger, struct slice line, int64_t now_us);

bool ledger_is_settled(const struct ledger *ledger); /* Nothing is owed. */
bool ledger_wants_stop(const struct ledger *ledger); /* Only a stop would end the newest go. */
/* When something that is owed is overdue, with so much patience; INT64_MAX: never. */
int64_t ledger_deadline_us(const struct ledger *ledger, int64_t patience_us);
/* Says what is owed, for a fault. */
void ledger_tell(const struct ledger *ledger, struct text *text);

#endif
