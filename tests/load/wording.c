#include "load/wording.h"

#include "base/limits.h"
#include "rookery/game.h"

static bool take(struct slice *rest, const char *word)
{
    struct slice after = *rest;
    if (!slice_equal(slice_next_word(&after), word))
        return false;
    *rest = after;
    return true;
}

static bool take_number(struct slice *rest, int64_t min, int64_t max, int64_t *out_number)
{
    return number_parse(slice_next_word(rest), min, max, out_number) == NUMBER_OK;
}

static bool take_field(struct slice *rest, const char *word, int64_t max, int64_t *out_number)
{
    return take(rest, word) && take_number(rest, 0, max, out_number);
}

static bool take_score(struct slice *rest, struct wording *wording)
{
    if (!take(rest, "score"))
        return false;
    wording->is_mate = take(rest, "mate");
    if (!wording->is_mate && !take(rest, "cp"))
        return false;
    if (!take_number(rest, -100000, 100000, &wording->score))
        return false;
    wording->is_bound = take(rest, "lowerbound") || take(rest, "upperbound");
    return true;
}

static bool take_wdl(struct slice *rest, struct wording *wording)
{
    int64_t parts[3] = {0};
    wording->has_wdl = take(rest, "wdl");
    if (!wording->has_wdl)
        return true;
    for (int i = 0; i < 3; i++)
        if (!take_number(rest, 0, 1000, &parts[i]))
            return false;
    return parts[0] + parts[1] + parts[2] == 1000;
}

/* "info depth 0 score mate 0", or the whole row of fields, in their order. */
static bool read_info(struct slice rest, struct wording *wording)
{
    int64_t ignored = 0;
    if (!take_field(&rest, "depth", PLY_MAX, &wording->depth))
        return false;
    if (wording->depth == 0)
        return take_score(&rest, wording) && wording->score == 0 && rest.length == 0;
    const bool is_good = take_field(&rest, "seldepth", PLY_MAX, &ignored) &&
                         take_field(&rest, "multipv", RK_MOVES_MAX, &wording->lines_number) &&
                         take_score(&rest, wording) && take_wdl(&rest, wording) &&
                         take_field(&rest, "nodes", INT64_MAX, &wording->nodes) &&
                         take_field(&rest, "nps", INT32_MAX, &ignored) &&
                         take_field(&rest, "hashfull", 1000, &ignored) &&
                         take_field(&rest, "tbhits", INT64_MAX, &ignored) &&
                         take_field(&rest, "time", INT32_MAX, &wording->time_ms);
    if (!is_good || !take(&rest, "pv"))
        return false;
    wording->pv = slice_trim(rest);
    return wording->pv.length > 0 && wording->lines_number > 0;
}

static bool read_bestmove(struct slice rest, struct wording *wording)
{
    wording->move = slice_next_word(&rest);
    if (rest.length > 0 && !take(&rest, "ponder"))
        return false;
    wording->ponder = slice_next_word(&rest);
    return wording->move.length > 0 && rest.length == 0;
}

static bool is_printable(struct slice line)
{
    for (size_t i = 0; i < line.length; i++)
        if (line.bytes[i] < ' ' || line.bytes[i] > '~')
            return false;
    return true;
}

struct wording wording_read(struct slice line)
{
    struct wording wording = {.kind = WORDING_WRONG};
    struct slice rest = line;
    if (line.length == 0 || line.length >= OUTPUT_LINE_BYTES_MAX || !is_printable(line))
        return wording;
    if (take(&rest, "info")) {
        if (take(&rest, "string")) {
            wording.string = slice_trim(rest);
            wording.kind = WORDING_STRING;
        } else if (read_info(rest, &wording)) {
            wording.kind = WORDING_INFO;
        }
    } else if (take(&rest, "bestmove")) {
        if (read_bestmove(rest, &wording))
            wording.kind = WORDING_BESTMOVE;
    } else if (slice_equal(line, "readyok")) {
        wording.kind = WORDING_READYOK;
    } else if (slice_equal(line, "uciok")) {
        wording.kind = WORDING_UCIOK;
    } else if (take(&rest, "id") || take(&rest, "option")) {
        wording.kind = WORDING_ABOUT;
    }
    return wording;
}
