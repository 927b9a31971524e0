#include "load/ledger.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/random.h"
#include "load/wording.h"

enum { QUOTED_BYTES_MAX = 160, UNTIMED_PATIENCE = 30 /* Times the patience: no clock set. */ };

enum rk_status ledger_create(struct ledger *ledger)
{
    *ledger = (struct ledger){.random = 1};
    enum rk_status status = rk_game_create(&ledger->scratch);
    for (uint32_t i = 0; status == RK_OK && i < LEDGER_GOES_MAX; i++)
        status = rk_game_create(&ledger->goes[i].game);
    if (status != RK_OK)
        ledger_destroy(ledger);
    return status;
}

void ledger_destroy(struct ledger *ledger)
{
    for (uint32_t i = 0; i < LEDGER_GOES_MAX; i++)
        if (ledger->goes[i].game != NULL)
            rk_game_destroy(ledger->goes[i].game);
    if (ledger->scratch != NULL)
        rk_game_destroy(ledger->scratch);
    *ledger = (struct ledger){0};
}

void ledger_clear(struct ledger *ledger)
{
    ledger->first = ledger->count = 0;
    ledger->ready_owed = ledger->uci_owed = 0;
}

/* -- What the client sends -------------------------------------------------------------------- */

bool ledger_is_settled(const struct ledger *ledger)
{
    return ledger->count == 0 && ledger->ready_owed == 0 && ledger->uci_owed == 0;
}

bool ledger_has_room(const struct ledger *ledger) { return ledger->count < LEDGER_GOES_MAX; }

static const struct debt *oldest(const struct ledger *ledger)
{
    return &ledger->goes[ledger->first];
}

static uint32_t newest_index(const struct ledger *ledger)
{
    return (ledger->first + ledger->count - 1) % LEDGER_GOES_MAX;
}

static struct debt *newest(struct ledger *ledger) { return &ledger->goes[newest_index(ledger)]; }

bool ledger_wants_stop(const struct ledger *ledger)
{
    const struct debt *debt = &ledger->goes[newest_index(ledger)];
    return ledger->count > 0 && debt->is_open && !debt->is_ended;
}

static void owe(struct ledger *ledger, int64_t now_us)
{
    if (ledger_is_settled(ledger))
        ledger->moved_us = now_us;
}

void ledger_go(struct ledger *ledger, const struct question *question, int64_t now_us)
{
    REQUIRE(ledger_has_room(ledger) && question->lines >= 1);
    owe(ledger, now_us);
    if (ledger->count > 0 && newest(ledger)->is_open && !newest(ledger)->is_ended) {
        newest(ledger)->is_ended = true;
        ledger->moved_us = now_us;
    }
    const bool was_alone = ledger->count == 0;
    ledger->count++;
    struct debt *debt = newest(ledger);
    struct rk_game *game = debt->game;
    *debt = (struct debt){
        .game = game,
        .lines = question->lines,
        .chess960 = question->chess960,
        .wdl = question->wdl,
        .is_limited = question->is_limited,
        .is_open = question->is_open,
        .was_alone = was_alone,
        .sent_us = now_us,
        .due_us = question->due_us,
    };
    rk_game_copy(game, question->game);
    if (question->searchmoves == NULL) {
        debt->allowed_count = (uint32_t)rk_game_moves(game, debt->allowed);
    } else {
        debt->allowed_count = question->searchmove_count;
        memcpy(debt->allowed, question->searchmoves,
               question->searchmove_count * sizeof(*debt->allowed));
    }
}

void ledger_stop(struct ledger *ledger, int64_t now_us)
{
    for (uint32_t i = 0; i < ledger->count; i++) {
        struct debt *debt = &ledger->goes[(ledger->first + i) % LEDGER_GOES_MAX];
        debt->stop_us = debt->stop_us == 0 ? now_us : debt->stop_us;
        debt->is_ended = true;
    }
    if (ledger->count > 0)
        ledger->moved_us = now_us;
}

void ledger_ponderhit(struct ledger *ledger, int64_t due_us)
{
    struct debt *debt = newest(ledger);
    if (ledger->count == 0 || !debt->is_open || debt->is_ended)
        return;
    debt->is_open = false;
    debt->due_us = due_us;
}

/* Open searches end, others are waited for. */
void ledger_end_of_input(struct ledger *ledger, int64_t now_us)
{
    for (uint32_t i = 0; i < ledger->count; i++) {
        struct debt *debt = &ledger->goes[(ledger->first + i) % LEDGER_GOES_MAX];
        debt->is_ended |= debt->is_open;
    }
    ledger->moved_us = now_us;
}

void ledger_ready(struct ledger *ledger, int64_t now_us)
{
    owe(ledger, now_us);
    if (ledger->ready_owed == 0)
        ledger->moved_us = now_us;
    ledger->ready_owed++;
}

void ledger_uci(struct ledger *ledger, int64_t now_us)
{
    owe(ledger, now_us);
    ledger->uci_owed++;
}

/* -- What the server sends -------------------------------------------------------------------- */

static enum ledger_event fault(struct ledger *ledger, const char *what, struct slice line)
{
    struct text text;
    text_init(&text, ledger->fault, sizeof(ledger->fault));
    (void)text_add(&text, what);
    (void)text_add(&text, ": '");
    (void)text_add_quoted(&text, line, QUOTED_BYTES_MAX);
    (void)text_add(&text, "'");
    return LEDGER_FAULT;
}

/* A move as this client is owed it: legal, allowed, and written in its own way. */
static rk_move_t find_allowed(const struct debt *debt, struct slice word)
{
    rk_move_t move = RK_MOVE_NONE;
    char text[RK_MOVE_BYTES_MAX];
    if (rk_game_parse_move(debt->game, word.bytes, word.length, &move) != RK_OK)
        return RK_MOVE_NONE;
    (void)rk_move_text(move, debt->chess960, text);
    if (!slice_equal(word, text))
        return RK_MOVE_NONE;
    for (uint32_t i = 0; i < debt->allowed_count; i++)
        if (debt->allowed[i] == move)
            return move;
    return RK_MOVE_NONE;
}

static bool is_playable(struct ledger *ledger, const struct debt *debt, struct slice pv)
{
    rk_game_copy(ledger->scratch, debt->game);
    for (;;) {
        const struct slice word = slice_next_word(&pv);
        if (word.length == 0)
            return true;
        if (rk_game_play(ledger->scratch, word.bytes, word.length) != RK_OK)
            return false;
    }
}

/* Lines of a depth come numbered from 1, without a gap. */
static bool is_in_order(const struct debt *debt, const struct wording *wording)
{
    if (wording->lines_number > debt->lines)
        return false;
    return wording->lines_number == 1 ||
           (wording->lines_number == debt->lines_seen + 1 && wording->depth == debt->depth);
}

static enum ledger_event take_info(struct ledger *ledger, const struct wording *wording,
                                   struct slice line)
{
    if (ledger->count == 0)
        return fault(ledger, "info that nobody asked for", line);
    struct debt *debt = &ledger->goes[ledger->first];
    ledger->lines_count++;
    if (wording->depth == 0) {
        debt->has_exact = true;
        return debt->allowed_count == 0 ? LEDGER_INFO
                                        : fault(ledger, "depth 0 though moves are left", line);
    }
    struct slice pv = wording->pv;
    const rk_move_t move = find_allowed(debt, slice_next_word(&pv));
    if (move == RK_MOVE_NONE)
        return fault(ledger, "a line that begins with a move nobody asked for", line);
    if (wording->has_wdl != debt->wdl)
        return fault(ledger, "wdl as another client wants it", line);
    if (!is_in_order(debt, wording)) {
        char what[96];
        (void)snprintf(what, sizeof(what), "a line out of order, after line %d of depth %d",
                       (int)debt->lines_seen, (int)debt->depth);
        return fault(ledger, what, line);
    }
    debt->lines_seen = wording->lines_number;
    debt->depth = wording->depth;
    debt->time_ms = wording->time_ms;
    debt->nodes = (uint64_t)wording->nodes;
    if (!wording->is_bound && wording->lines_number == 1) {
        debt->has_exact = true;
        debt->first_move = move;
    }
    if (random_below(&ledger->random, LEDGER_PV_EVERY) == 0 &&
        !is_playable(ledger, debt, wording->pv))
        return fault(ledger, "a variation with an illegal move", line);
    return LEDGER_INFO;
}

static const char *find_wrong(struct ledger *ledger, const struct debt *debt,
                              const struct wording *wording, rk_move_t *out_move)
{
    const bool is_none = slice_equal(wording->move, "(none)");
    *out_move = is_none ? RK_MOVE_NONE : find_allowed(debt, wording->move);
    if (debt->is_open && !debt->is_ended)
        return "bestmove before stop";
    if (is_none != (debt->allowed_count == 0))
        return "bestmove (none) is wrong here";
    if (!is_none && *out_move == RK_MOVE_NONE)
        return "bestmove is none of the moves asked for";
    if (!debt->has_exact)
        return "bestmove without a score before it";
    if (!is_none && !debt->is_limited && debt->first_move != *out_move)
        return "bestmove is not the move of the newest score";
    if (wording->ponder.length == 0)
        return NULL;
    rk_game_copy(ledger->scratch, debt->game);
    if (rk_game_play(ledger->scratch, wording->move.bytes, wording->move.length) != RK_OK ||
        rk_game_play(ledger->scratch, wording->ponder.bytes, wording->ponder.length) != RK_OK)
        return "an illegal ponder move";
    return NULL;
}

static enum ledger_event take_bestmove(struct ledger *ledger, const struct wording *wording,
                                       struct slice line, int64_t now_us)
{
    if (ledger->count == 0)
        return fault(ledger, "bestmove without a go", line);
    const struct debt *debt = oldest(ledger);
    rk_move_t move = RK_MOVE_NONE;
    const char *wrong = find_wrong(ledger, debt, wording, &move);
    ledger->answer = (struct answer){
        .move = move,
        .nodes = debt->nodes,
        .nodes_ms = debt->time_ms,
        .took_us = now_us - debt->sent_us,
        .after_stop_us = debt->was_alone && ledger->count == 1 && debt->stop_us > 0
                             ? now_us - debt->stop_us
                             : -1,
        .late_us =
            debt->due_us == INT64_MAX || !debt->was_alone ? INT64_MIN : now_us - debt->due_us,
        .was_queued = debt->was_queued,
    };
    ledger->first = (ledger->first + 1) % LEDGER_GOES_MAX;
    ledger->count--;
    ledger->moved_us = now_us;
    return wrong == NULL ? LEDGER_BESTMOVE : fault(ledger, wrong, line);
}

static enum ledger_event take_counted(struct ledger *ledger, uint32_t *owed, struct slice line,
                                      int64_t now_us, enum ledger_event event)
{
    if (*owed == 0)
        return fault(ledger, "an answer to nothing", line);
    --*owed;
    ledger->moved_us = now_us;
    return event;
}

enum ledger_event ledger_line(struct ledger *ledger, struct slice line, int64_t now_us)
{
    const struct wording wording = wording_read(line);
    switch (wording.kind) {
    case WORDING_WRONG: return fault(ledger, "a line of no known shape", line);
    case WORDING_INFO: return take_info(ledger, &wording, line);
    case WORDING_BESTMOVE: return take_bestmove(ledger, &wording, line, now_us);
    case WORDING_READYOK:
        return take_counted(ledger, &ledger->ready_owed, line, now_us, LEDGER_READY);
    case WORDING_UCIOK: return take_counted(ledger, &ledger->uci_owed, line, now_us, LEDGER_UCI);
    case WORDING_ABOUT:
        return ledger->uci_owed > 0 ? LEDGER_NOTHING : fault(ledger, "nobody asked", line);
    case WORDING_STRING: break;
    }
    ledger->string = wording.string;
    if (ledger->count > 0) {
        struct slice rest = wording.string;
        ledger->goes[ledger->first].was_queued |= slice_equal(slice_next_word(&rest), "queued");
    }
    return LEDGER_STRING;
}

/* -- What is overdue -------------------------------------------------------------------------- */

/* Each kept promise buys patience anew: goes that wait behind others have clocks that start late.
 */
int64_t ledger_deadline_us(const struct ledger *ledger, int64_t patience_us)
{
    const bool is_answered_at_once = ledger->count <= 1;
    if (is_answered_at_once && (ledger->ready_owed > 0 || ledger->uci_owed > 0))
        return ledger->moved_us + patience_us;
    if (ledger->count == 0 || (oldest(ledger)->is_open && !oldest(ledger)->is_ended))
        return INT64_MAX;
    const struct debt *debt = oldest(ledger);
    if (debt->is_ended)
        return ledger->moved_us + patience_us;
    if (debt->due_us == INT64_MAX)
        return ledger->moved_us + UNTIMED_PATIENCE * patience_us;
    const int64_t turn_us = debt->due_us - debt->sent_us + ledger->moved_us;
    return (turn_us > debt->due_us ? turn_us : debt->due_us) + patience_us;
}

void ledger_tell(const struct ledger *ledger, struct text *text)
{
    (void)text_add_uint(text, ledger->count);
    (void)text_add(text, " bestmove, ");
    (void)text_add_uint(text, ledger->ready_owed);
    (void)text_add(text, " readyok and ");
    (void)text_add_uint(text, ledger->uci_owed);
    (void)text_add(text, " uciok are owed");
}
