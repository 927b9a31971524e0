/* uci/answer.h: what the client has been told of the running search, so that it is told enough and
 * not too much: few lines in a burst, and always an exact score before the bestmove.
 * Thread: the session's owner. */
#ifndef UCI_ANSWER_H
#define UCI_ANSWER_H

#include "rookery/session.h"
#include "uci/print.h"

struct answer {
    struct print_style style;
    uint32_t lines;      /* The most lines a block can have: MultiPV or the moves there are. */
    uint32_t depth_last; /* No block is expected after this depth. */
    uint32_t blocks_sent;
    uint64_t sent_us;        /* Time of the newest line sent. */
    bool has_exact;          /* `newest` is filled. */
    bool is_block_sent;      /* The block that is coming in goes out. */
    bool is_block_whole;     /* The newest line sent ended an exact block. */
    bool is_newest_sent;     /* ... and no newer block was held back. */
    rk_move_t whole_move;    /* First move of the last whole block sent. */
    struct rk_report newest; /* First line of the newest exact block. */
};

void answer_init(struct answer *answer, struct print_style style, uint32_t lines,
                 uint32_t depth_last);

/* An RK_REPORT_LINE: sends it, or keeps it back. */
void answer_line(struct answer *answer, const struct rk_report *report, const struct rk_host *host);

/* The verdict: whatever scored line is still owed, and the bestmove. */
void answer_verdict(struct answer *answer, const struct rk_report *report,
                    const struct rk_host *host);

#endif
