/* The conversation's state machine.
 *
 * A session owes exactly one bestmove for each `go`, in order. At most one search runs; at most one
 * more `go` is pending behind it, with its own copy of the game, its limits, and the chores
 * (resize, Clear Hash, ucinewgame) that stood before it in the stream. A third `go` is not taken:
 * RK_LATER.
 *
 *          go                  verdict, nothing pending
 *   idle ──────► searching ───────────────────────────────► idle (chores are done)
 *                 │     ▲ verdict: the pending one's chores, then its search
 *              go │     │
 *                 ▼     │
 *                searching, one pending ── go ──► RK_LATER
 *
 * `stop` and `ponderhit` mean the newest `go`; as nothing overtakes, `stop` ends the running search
 * as well. A `go` behind an open search (infinite, pondering, for a mate alone, without limits)
 * stops that search: nothing else may. Chores wait for the end of a search because the engine must
 * be idle for them.
 *
 * When the host refuses a search, the session answers in its stead: at once, or, for one that is
 * infinite or ponders, when it is stopped, as "no bestmove before stop" holds in any case. */
#include "rookery/session.h"

#include "base/limits.h"
#include "base/memory.h"
#include "rookery/version.h"
#include "uci/answer.h"
#include "uci/parse.h"
#include "uci/request.h"
#include "uci/say.h"
#include "uci/settings.h"

enum { DEPTH_LAST = PLY_MAX - 1 }; /* Of a search without a limit: one ply is for the leaf. */

struct rk_session {
    struct rk_host host;
    struct settings settings;
    struct rk_game *game;         /* What the next `go` would search. */
    struct rk_game *scratch;      /* A position on trial. */
    struct rk_game *pending_game; /* What the pending `go` will search. */
    struct search running, pending;
    struct chores pending_chores; /* To do before the pending `go`. */
    struct answer answer;
    struct rk_report refusal; /* The verdict on a search that the host refused. */
    bool is_searching, has_pending, is_debugging;
    bool has_said_wait; /* To the `go` that is fed again and again. */
};

static void promise(const struct rk_session *session, const char *line)
{
    const struct slice slice = slice_of(line);
    session->host.send(session->host.context, slice.bytes, slice.length, RK_PROMISE);
}

static void say_fault(const struct rk_session *session, const struct command *command)
{
    struct saying saying;
    say_begin(&saying, "");
    print_fault(&saying.text, command);
    say_end(&saying, &session->host);
}

static void do_chores_if_idle(struct rk_session *session)
{
    if (session->is_searching)
        return;
    const struct chores chores = settings_take_chores(&session->settings);
    settings_do(&session->settings, &chores, &session->host);
}

/* ---- position ---- */

static void say_position(const struct rk_session *session, struct saying *saying)
{
    char fen[RK_FEN_BYTES_MAX];
    (void)rk_game_fen(session->game, session->settings.options.values[OPTION_CHESS960] != 0, fen);
    (void)text_add(&saying->text, "; still at ");
    (void)text_add(&saying->text, fen);
    say_end(saying, &session->host);
}

/* One blank between fields, whatever the client put there. */
static enum rk_status set_fen(struct rk_game *game, struct slice words)
{
    char buffer[2 * RK_FEN_BYTES_MAX];
    struct text fen;
    text_init(&fen, buffer, sizeof buffer);
    for (;;) {
        const struct slice word = slice_next_word(&words);
        if (word.length == 0)
            return rk_game_set_fen(game, fen.bytes, fen.length);
        if (fen.length > 0)
            (void)text_add_char(&fen, ' ');
        if (!text_add_slice(&fen, word))
            return RK_FEN_EMPTY;
    }
}

static void take_position(struct rk_session *session, const struct command_position *position)
{
    struct saying saying;
    enum rk_status status = RK_OK;
    if (position->is_start)
        rk_game_set_start(session->scratch);
    else
        status = set_fen(session->scratch, position->fen);
    if (status != RK_OK) {
        say_begin(&saying, "position refused: ");
        (void)text_add(&saying.text, rk_status_text(status));
        say_position(session, &saying);
        return;
    }
    struct slice words = position->moves;
    for (uint64_t index = 1;; index++) {
        const struct slice word = slice_next_word(&words);
        if (word.length == 0)
            break;
        if (rk_game_play(session->scratch, word.bytes, word.length) != RK_OK) {
            say_begin(&saying, "position refused: move ");
            (void)text_add_uint(&saying.text, index);
            (void)text_add(&saying.text, ", ");
            say_quoted(&saying, word);
            (void)text_add(&saying.text, ", is not legal");
            say_position(session, &saying);
            return;
        }
    }
    struct rk_game *accepted = session->scratch;
    session->scratch = session->game;
    session->game = accepted;
}

/* ---- go, stop, ponderhit ---- */

/* The answer of a session whose host would not search: the first move allowed, unscored. */
static void answer_refusal(struct rk_session *session)
{
    session->is_searching = false;
    if (session->running.request.perft_depth == 0)
        answer_verdict(&session->answer, &session->refusal, &session->host);
}

static void refuse(struct rk_session *session, const struct rk_game *game, enum rk_status status)
{
    const struct rk_request *request = &session->running.request;
    struct saying saying;
    say_begin(&saying, "no search: ");
    (void)text_add(&saying.text, rk_status_text(status));
    say_end(&saying, &session->host);
    session->running.is_refused = true;
    session->refusal = (struct rk_report){.kind = RK_REPORT_VERDICT};
    rk_move_t moves[RK_MOVES_MAX];
    if (request->has_searchmoves && request->searchmove_count > 0)
        session->refusal.best_move = request->searchmoves[0];
    else if (!request->has_searchmoves && rk_game_moves(game, moves) > 0)
        session->refusal.best_move = moves[0];
    session->refusal.is_mate = rk_game_outcome(game) == RK_GAME_CHECKMATE;
    const bool is_withheld = request->limits.infinite || request->limits.ponder;
    if (!is_withheld || session->running.is_stopped)
        answer_refusal(session);
}

static void search_begin(struct rk_session *session, const struct search *search)
{
    ASSERT(!session->is_searching);
    session->running = *search;
    session->is_searching = true;
    const struct rk_request *request = &session->running.request;
    const uint32_t depth = request->limits.depth;
    answer_init(&session->answer, search->style, search->lines,
                depth > 0 && depth < DEPTH_LAST ? depth : DEPTH_LAST);
    const enum rk_status status = session->host.go(session->host.context, request);
    if (status != RK_OK)
        refuse(session, request->game, status);
    else if (session->running.is_stopped)
        session->host.stop(session->host.context);
    session->running.request.game = NULL; /* Valid during the call only. */
}

/* The running search has given its answer. */
static void search_end(struct rk_session *session)
{
    session->is_searching = false;
    /* A pending search that is refused ends at once: then the next is nobody's. */
    if (session->has_pending) {
        session->has_pending = false;
        settings_do(&session->settings, &session->pending_chores, &session->host);
        search_begin(session, &session->pending);
    }
    do_chores_if_idle(session);
}

static void stop_running(struct rk_session *session)
{
    if (!session->is_searching || session->running.is_stopped)
        return;
    session->running.is_stopped = true;
    if (session->running.is_refused) {
        answer_refusal(session);
        search_end(session);
    } else {
        session->host.stop(session->host.context);
    }
}

/* Whether a `go` must wait where it stands, said once. */
static bool must_wait(struct rk_session *session)
{
    const bool is_alone = session->settings.house.searches_per_client == 1;
    if (is_alone && session->is_searching && request_is_open(&session->running.request))
        stop_running(session);
    const bool waits = session->has_pending || (is_alone && session->is_searching);
    if (waits && !session->has_said_wait)
        say(&session->host, is_alone ? "one search a client: this go waits until it has ended"
                                     : "two searches a client: this go waits until one has ended");
    session->has_said_wait = waits;
    return waits;
}

static enum rk_take take_go(struct rk_session *session, const struct command *command,
                            int64_t now_us)
{
    if (must_wait(session))
        return RK_LATER;
    if (command->fault != FAULT_NONE)
        say_fault(session, command);
    const struct request_origin origin = {
        .session = session->settings.house.session,
        .salt = settings_salt(&session->settings),
        .threads = settings_threads(&session->settings),
        .arrived_us = now_us,
    };
    struct slice ignored;
    request_build(&session->pending, &command->go, session->game, &session->settings.options,
                  origin, &ignored);
    if (ignored.length > 0) {
        struct saying saying;
        say_begin(&saying, "searchmoves: not legal here, ignored: ");
        say_quoted(&saying, ignored);
        say_end(&saying, &session->host);
    }
    if (!session->is_searching) {
        search_begin(session, &session->pending);
        return RK_TAKEN;
    }
    rk_game_copy(session->pending_game, session->game);
    session->pending.request.game = session->pending_game;
    session->pending_chores = settings_take_chores(&session->settings);
    session->has_pending = true;
    if (request_is_open(&session->running.request))
        stop_running(session);
    return RK_TAKEN;
}

static void take_stop(struct rk_session *session)
{
    if (session->has_pending)
        session->pending.is_stopped = true;
    stop_running(session);
}

static void take_ponderhit(struct rk_session *session, int64_t now_us)
{
    struct search *newest = session->has_pending ? &session->pending : &session->running;
    if (!session->is_searching || !newest->request.limits.ponder || newest->is_stopped)
        return;
    newest->request.limits.ponder = false;
    newest->request.arrived_us = now_us;
    if (session->has_pending)
        return;
    if (session->running.is_refused)
        stop_running(session);
    else
        session->host.ponderhit(session->host.context, now_us);
}

/* ---- the door ---- */

static void take_uci(const struct rk_session *session)
{
    promise(session, "id name Rookery " RK_VERSION "\n");
    promise(session, "id author the Rookery project\n");
    for (unsigned id = 0; id < OPTION_COUNT; id++) {
        char buffer[OUTPUT_LINE_BYTES_MAX];
        struct text text;
        text_init(&text, buffer, sizeof buffer);
        options_print(&session->settings.options, (enum option_id)id, &text);
        promise(session, text.bytes);
    }
    promise(session, "uciok\n");
}

static void take_unknown(const struct rk_session *session, struct slice line)
{
    line = slice_trim(line);
    if (!session->is_debugging || line.length == 0)
        return;
    struct saying saying;
    say_begin(&saying, "not understood: ");
    say_quoted(&saying, line);
    say_end(&saying, &session->host);
}

static enum rk_take take_quit(struct rk_session *session)
{
    session->has_pending = false;
    if (session->is_searching && !session->running.is_stopped && !session->running.is_refused)
        session->host.stop(session->host.context);
    session->running.is_stopped = true;
    return RK_QUIT;
}

enum rk_status rk_session_create(const struct rk_host *host, struct rk_session **out_session)
{
    REQUIRE(host->go != NULL && host->stop != NULL && host->ponderhit != NULL &&
            host->new_game != NULL && host->send != NULL);
    struct rk_session *session = memory_allocate(sizeof *session);
    if (session == NULL)
        return RK_NO_MEMORY;
    session->host = *host;
    enum rk_status status = rk_game_create(&session->game);
    if (status == RK_OK)
        status = rk_game_create(&session->scratch);
    if (status == RK_OK)
        status = rk_game_create(&session->pending_game);
    if (status != RK_OK) {
        rk_session_destroy(session);
        return status;
    }
    const struct rk_session_options options = {
        .size = sizeof options, .session = 1, .table_mib = 1, .threads = 1};
    rk_session_reset(session, &options);
    *out_session = session;
    return RK_OK;
}

void rk_session_destroy(struct rk_session *session)
{
    if (session == NULL)
        return;
    rk_game_destroy(session->game);
    rk_game_destroy(session->scratch);
    rk_game_destroy(session->pending_game);
    memory_free(session);
}

void rk_session_reset(struct rk_session *session, const struct rk_session_options *options)
{
    REQUIRE(options->size == sizeof *options && options->session != 0);
    settings_init(&session->settings, options);
    rk_game_set_start(session->game);
    session->is_searching = false;
    session->has_pending = false;
    session->is_debugging = false;
    session->has_said_wait = false;
}

enum rk_take rk_session_line(struct rk_session *session, const char *line, size_t length,
                             int64_t now_us)
{
    const struct slice slice = {line, length};
    struct command command;
    parse_command(slice, &command);
    if (command.fault != FAULT_NONE && command.kind != COMMAND_GO) {
        say_fault(session, &command);
        return RK_TAKEN;
    }
    switch (command.kind) {
    case COMMAND_NONE: take_unknown(session, slice); break;
    case COMMAND_UCI: take_uci(session); break;
    case COMMAND_DEBUG: session->is_debugging = command.debug; break;
    case COMMAND_ISREADY: promise(session, "readyok\n"); break;
    case COMMAND_REGISTER: break; /* Nobody needs to. */
    case COMMAND_SETOPTION:
        settings_set(&session->settings, &command.setoption, !session->is_searching,
                     &session->host);
        do_chores_if_idle(session);
        break;
    case COMMAND_UCINEWGAME:
        settings_forget(&session->settings, false);
        do_chores_if_idle(session);
        break;
    case COMMAND_POSITION: take_position(session, &command.position); break;
    case COMMAND_GO: return take_go(session, &command, now_us);
    case COMMAND_STOP: take_stop(session); break;
    case COMMAND_PONDERHIT: take_ponderhit(session, now_us); break;
    case COMMAND_QUIT: return take_quit(session);
    }
    return RK_TAKEN;
}

enum rk_urgency rk_session_urgency(const char *line, size_t length)
{
    struct command command;
    parse_command((struct slice){line, length}, &command);
    if (command.fault != FAULT_NONE)
        return RK_URGENCY_NONE;
    switch (command.kind) {
    case COMMAND_ISREADY: return RK_URGENCY_READY;
    case COMMAND_STOP: return RK_URGENCY_STOP;
    case COMMAND_QUIT: return RK_URGENCY_QUIT;
    default: return RK_URGENCY_NONE;
    }
}

static void send_perft(const struct rk_session *session, const struct rk_report *report)
{
    char buffer[OUTPUT_LINE_BYTES_MAX];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    if (report->kind == RK_REPORT_PERFT_MOVE)
        print_perft_move(&text, report, session->answer.style);
    else
        print_perft_total(&text, report);
    promise(session, text.bytes);
}

void rk_session_report(struct rk_session *session, const struct rk_report *report)
{
    if (!session->is_searching || session->running.is_refused)
        return; /* Nothing is said between a bestmove and the next `go`. */
    switch (report->kind) {
    case RK_REPORT_LINE: answer_line(&session->answer, report, &session->host); break;
    case RK_REPORT_PERFT_MOVE: send_perft(session, report); break;
    case RK_REPORT_VERDICT:
        if (session->running.request.perft_depth == 0)
            answer_verdict(&session->answer, report, &session->host);
        search_end(session);
        break;
    case RK_REPORT_PERFT_TOTAL:
        send_perft(session, report);
        search_end(session);
        break;
    }
}

void rk_session_end_of_input(struct rk_session *session)
{
    if (session->has_pending && request_is_open(&session->pending.request))
        session->pending.is_stopped = true;
    if (session->is_searching && request_is_open(&session->running.request))
        stop_running(session);
}

bool rk_session_is_searching(const struct rk_session *session) { return session->is_searching; }

const struct rk_game *rk_session_game(const struct rk_session *session) { return session->game; }

void rk_session_say(struct rk_session *session, const char *text) { say(&session->host, text); }
