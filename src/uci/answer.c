/* Pace. A block is the lines of one depth, one or MultiPV many; it is sent whole or not at all.
 * The first BURST_BLOCKS of a search all go out, so that an ordinary search shows each depth. After
 * them a block goes out when PACE_US have passed since the last line, or when its depth is the last
 * there can be. So a mate that is found and then "searched" to depth 240 in two milliseconds costs
 * the client some thirty lines and not hundreds. Bounds (a score outside the aspiration window) are
 * told only in searches of one line that have run for BOUND_QUIET_US: before that they are stale as
 * soon as they are read.
 *
 * Promise. The newest exact first line is kept here. When the verdict comes and what the client saw
 * last is not just that (it was held back, a bound came after it, or a block was broken off), it
 * is sent again, as a promise: a connection with a slow reader may drop blocks, but not this. With
 * several lines a block that was held back, or of which only the first line found room on its way
 * here, is not made up for by that line alone: the last whole block stands, so that each depth
 * shown is complete; unless it begins with another move than the one that will be played. */
#include "uci/answer.h"

#include "base/limits.h"

enum { BURST_BLOCKS = 32, PACE_US = 10000, BOUND_QUIET_US = 3000000 };

void answer_init(struct answer *answer, struct print_style style, uint32_t lines,
                 uint32_t depth_last)
{
    ASSERT(style.bytes_max <= OUTPUT_LINE_BYTES_MAX);
    *answer = (struct answer){.style = style, .lines = lines, .depth_last = depth_last};
}

static void send_line(const struct answer *answer, const struct rk_report *report,
                      enum rk_weight weight, const struct rk_host *host)
{
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    print_line(&text, report, answer->style);
    host->send(host->context, text.bytes, text.length, weight);
}

static bool is_paced(const struct answer *answer, uint64_t time_us)
{
    return time_us >= answer->sent_us + PACE_US;
}

static void take_bound(struct answer *answer, const struct rk_report *report,
                       const struct rk_host *host)
{
    const bool is_worth_it = answer->lines <= 1 && report->time_us >= BOUND_QUIET_US;
    if (!is_worth_it || !is_paced(answer, report->time_us))
        return;
    answer->is_block_whole = false;
    answer->is_newest_sent = false;
    answer->sent_us = report->time_us;
    send_line(answer, report, RK_PROGRESS_END, host);
}

static void begin_block(struct answer *answer, const struct rk_report *report)
{
    answer->newest = *report;
    answer->has_exact = true;
    answer->is_newest_sent = false;
    const bool is_part = answer->lines > 1 && report->block_end;
    const bool is_due = answer->blocks_sent < BURST_BLOCKS || report->depth >= answer->depth_last ||
                        is_paced(answer, report->time_us);
    answer->is_block_sent = is_due && !is_part;
    if (answer->is_block_sent) {
        answer->is_block_whole = false;
        answer->blocks_sent++;
    }
}

void answer_line(struct answer *answer, const struct rk_report *report, const struct rk_host *host)
{
    if (report->bound != RK_BOUND_EXACT) {
        take_bound(answer, report, host);
        return;
    }
    if (report->multipv <= 1)
        begin_block(answer, report);
    if (!answer->is_block_sent)
        return;
    answer->sent_us = report->time_us;
    answer->is_block_whole = report->block_end;
    answer->is_newest_sent = report->block_end;
    if (report->block_end)
        answer->whole_move = answer->newest.pv[0];
    send_line(answer, report, report->block_end ? RK_PROGRESS_END : RK_PROGRESS, host);
}

/* For a verdict that came without any exact line: its move, unscored. */
static void make_line(struct answer *answer, const struct rk_report *verdict)
{
    answer->newest = (struct rk_report){.kind = RK_REPORT_LINE, .multipv = 1};
    if (verdict->best_move != RK_MOVE_NONE) {
        answer->newest.depth = 1;
        answer->newest.depth_selective = 1;
        answer->newest.wdl[1] = 1000;
        answer->newest.pv_count = 1;
        answer->newest.pv[0] = verdict->best_move;
    }
    answer->newest.is_mate = verdict->best_move == RK_MOVE_NONE && verdict->is_mate;
    answer->newest.time_us = verdict->time_us;
    answer->newest.nodes = verdict->nodes;
}

void answer_verdict(struct answer *answer, const struct rk_report *report,
                    const struct rk_host *host)
{
    const bool does_whole_stand =
        answer->is_block_whole && answer->whole_move == answer->newest.pv[0];
    const bool is_told = answer->lines <= 1 ? answer->is_newest_sent : does_whole_stand;
    if (!answer->has_exact)
        make_line(answer, report);
    if (!is_told)
        send_line(answer, &answer->newest, RK_PROMISE, host);
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    print_bestmove(&text, report, answer->style);
    host->send(host->context, text.bytes, text.length, RK_ANSWER);
}
