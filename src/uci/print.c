#include "uci/print.h"

#include "base/check.h"

enum { US_PER_MS = 1000, US_PER_S = 1000000, QUOTED_BYTES_MAX = 32 };

static void add_field(struct text *text, const char *name, uint64_t value)
{
    (void)text_add(text, name);
    (void)text_add_uint(text, value);
}

static uint64_t at_most_int32(uint64_t value) { return value < INT32_MAX ? value : INT32_MAX; }

static uint64_t nodes_per_second(uint64_t nodes, uint64_t time_us)
{
    const double rate = (double)nodes * US_PER_S / (double)(time_us > 0 ? time_us : 1);
    return rate < INT32_MAX ? (uint64_t)rate : INT32_MAX;
}

/* A blank and the move, both or neither. */
static bool add_move(struct text *text, rk_move_t move, bool chess960)
{
    char bytes[1 + RK_MOVE_BYTES_MAX] = " ";
    const size_t length = rk_move_text(move, chess960, bytes + 1);
    return text_add_slice(text, (struct slice){bytes, 1 + length});
}

static void add_first_move(struct text *text, rk_move_t move, bool chess960)
{
    char bytes[RK_MOVE_BYTES_MAX];
    const size_t length = rk_move_text(move, chess960, bytes);
    (void)text_add_slice(text, (struct slice){bytes, length});
}

static void add_score(struct text *text, const struct rk_report *report, bool with_wdl)
{
    (void)text_add(text, report->is_mate ? " score mate " : " score cp ");
    (void)text_add_int(text, report->score);
    if (report->bound == RK_BOUND_LOWER)
        (void)text_add(text, " lowerbound");
    else if (report->bound == RK_BOUND_UPPER)
        (void)text_add(text, " upperbound");
    if (with_wdl) {
        add_field(text, " wdl ", report->wdl[0]);
        add_field(text, " ", report->wdl[1]);
        add_field(text, " ", report->wdl[2]);
    }
}

void print_line(struct text *text, const struct rk_report *report, struct print_style style)
{
    ASSERT(style.bytes_max >= PRINT_LINE_BYTES_MIN && style.bytes_max <= text->capacity);
    ASSERT(report->pv_count <= RK_PV_MAX);
    add_field(text, "info depth ", report->depth);
    if (report->depth == 0) { /* The game is over: nothing was searched, there is no more to say. */
        add_score(text, report, false);
        (void)text_add_char(text, '\n');
        return;
    }
    add_field(text, " seldepth ", report->depth_selective);
    add_field(text, " multipv ", report->multipv > 0 ? report->multipv : 1);
    add_score(text, report, style.wdl);
    add_field(text, " nodes ", report->nodes);
    add_field(text, " nps ", nodes_per_second(report->nodes, report->time_us));
    add_field(text, " hashfull ", report->hashfull);
    add_field(text, " tbhits ", report->tb_hits);
    add_field(text, " time ", at_most_int32(report->time_us / US_PER_MS));
    if (report->pv_count > 0)
        (void)text_add(text, " pv");
    text->capacity = style.bytes_max - 1; /* The LF's byte is kept back. */
    for (unsigned i = 0; i < report->pv_count; i++)
        if (!add_move(text, report->pv[i], style.chess960))
            break;
    text->capacity = style.bytes_max;
    text->is_cut = false;
    (void)text_add_char(text, '\n');
}

void print_bestmove(struct text *text, const struct rk_report *report, struct print_style style)
{
    (void)text_add(text, "bestmove");
    if (report->best_move == RK_MOVE_NONE) {
        (void)text_add(text, " (none)\n");
        return;
    }
    (void)add_move(text, report->best_move, style.chess960);
    if (report->ponder_move != RK_MOVE_NONE) {
        (void)text_add(text, " ponder");
        (void)add_move(text, report->ponder_move, style.chess960);
    }
    (void)text_add_char(text, '\n');
}

void print_perft_move(struct text *text, const struct rk_report *report, struct print_style style)
{
    add_first_move(text, report->best_move, style.chess960);
    add_field(text, ": ", report->nodes);
    (void)text_add_char(text, '\n');
}

void print_perft_total(struct text *text, const struct rk_report *report)
{
    add_field(text, "Nodes searched: ", report->nodes);
    (void)text_add_char(text, '\n');
}

void print_fault(struct text *text, const struct command *command)
{
    ASSERT(command->fault != FAULT_NONE);
    (void)text_add_slice(text, command->fault_after);
    switch (command->fault) {
    case FAULT_NOTHING_FOLLOWS: (void)text_add(text, ": something must follow"); return;
    case FAULT_NUMBER: (void)text_add(text, " wants a number, not '"); break;
    case FAULT_RANGE: (void)text_add(text, " cannot be '"); break;
    case FAULT_WORD:
    case FAULT_NONE: (void)text_add(text, ": not understood: '"); break;
    }
    (void)text_add_quoted(text, command->fault_word, QUOTED_BYTES_MAX);
    (void)text_add_char(text, '\'');
}
