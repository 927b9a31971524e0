/* uci/print.h: report to line. Pure: each function adds one line with its LF to a bounded text.
 * Thread: any. */
#ifndef UCI_PRINT_H
#define UCI_PRINT_H

#include "uci/command.h"

/* What the options in force at a `go` say about how its answers look. */
struct print_style {
    bool chess960;    /* Castling as king takes rook. */
    bool wdl;         /* UCI_ShowWDL. */
    size_t bytes_max; /* Of one line with its LF; at least PRINT_LINE_BYTES_MIN. */
};

enum { PRINT_LINE_BYTES_MIN = 224 }; /* All numbers at their longest. */

/* `text` must be empty and hold bytes_max. The principal variation is cut to what fits. */
void print_line(struct text *text, const struct rk_report *report, struct print_style style);
void print_bestmove(struct text *text, const struct rk_report *report, struct print_style style);
void print_perft_move(struct text *text, const struct rk_report *report, struct print_style style);
void print_perft_total(struct text *text, const struct rk_report *report);

/* Adds what is wrong with the arguments of `command`, as a phrase and without an LF; its fault must
 * not be FAULT_NONE. */
void print_fault(struct text *text, const struct command *command);

#endif
