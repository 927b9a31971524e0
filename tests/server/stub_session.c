/* A conversation of a few words behind the doors of session.h, with the promises of the real one:
 *
 *   uci, isready        uciok, readyok
 *   go infinite | movetime N | nodes N | depth N      one bestmove; RK_LATER while one is owed
 *   stop, ponderhit, ucinewgame, quit
 *   position N          what the next go searches; everybody begins with a position of its own
 *   length WORD...      "info string length N": how long the line was
 *   pour N              N promises of 64 bytes and more
 *   work N              a line that costs N microseconds
 *
 * Everything else is silent. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "rookery/session.h"
#include "server/stub_engine.h"

struct rk_session {
    struct rk_host host;
    uint64_t number;
    uint64_t position;
    bool is_searching;
    bool is_open; /* Only a stop ends the search. */
};

enum rk_status rk_session_create(const struct rk_host *host, struct rk_session **out_session)
{
    struct rk_session *session = memory_allocate(sizeof(*session));
    if (session == NULL)
        return RK_NO_MEMORY;
    session->host = *host;
    *out_session = session;
    return RK_OK;
}

void rk_session_destroy(struct rk_session *session) { memory_free(session); }

void rk_session_reset(struct rk_session *session, const struct rk_session_options *options)
{
    session->number = session->position = options->session;
    session->is_searching = false;
}

static void promise(struct rk_session *session, const char *line)
{
    session->host.send(session->host.context, line, strlen(line), RK_PROMISE);
}

void rk_session_say(struct rk_session *session, const char *text)
{
    char line[300];
    (void)snprintf(line, sizeof(line), "info string %s\n", text);
    promise(session, line);
}

static int64_t number_after(struct slice rest)
{
    int64_t number = 0;
    (void)number_parse(slice_next_word(&rest), 0, 1 << 30, &number);
    return number;
}

static void go(struct rk_session *session, struct slice rest, int64_t now_us)
{
    struct rk_request request = {
        .size = sizeof(request), .arrived_us = now_us, .session = session->number};
    struct rk_game *game = NULL;
    const struct slice word = slice_next_word(&rest);
    if (rk_game_create(&game) != RK_OK)
        return;
    stub_game_set(game, session->position);
    request.game = game;
    request.limits.infinite = slice_equal(word, "infinite");
    request.limits.ponder = slice_equal(word, "ponder");
    session->is_open = request.limits.infinite || request.limits.ponder;
    if (slice_equal(word, "movetime")) {
        request.limits.has_movetime = true;
        request.limits.movetime_ms = number_after(rest);
    } else if (slice_equal(word, "nodes")) {
        request.limits.nodes = (uint64_t)number_after(rest);
    } else if (slice_equal(word, "depth")) {
        request.limits.depth = (uint32_t)number_after(rest);
    }
    session->is_searching = true;
    if (session->host.go(session->host.context, &request) != RK_OK) {
        session->is_searching = false;
        promise(session, "bestmove 0000\n");
    }
    rk_game_destroy(game);
}

static void pour(struct rk_session *session, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        char line[96];
        (void)snprintf(line, sizeof(line), "info string poured %" PRId64 " %040d\n", i, 0);
        promise(session, line);
    }
}

static void work(int64_t cost_us)
{
    const int64_t end_us = clock_now_us() + cost_us;
    while (clock_now_us() < end_us)
        continue;
}

enum rk_take rk_session_line(struct rk_session *session, const char *line, size_t length,
                             int64_t now_us)
{
    struct slice rest = {line, length};
    const struct slice word = slice_next_word(&rest);
    if (slice_equal(word, "uci")) {
        promise(session, "id name stub\n");
        promise(session, "uciok\n");
    } else if (slice_equal(word, "isready")) {
        promise(session, "readyok\n");
    } else if (slice_equal(word, "go")) {
        if (session->is_searching)
            return RK_LATER;
        go(session, rest, now_us);
    } else if (slice_equal(word, "stop")) {
        session->host.stop(session->host.context);
    } else if (slice_equal(word, "ponderhit")) {
        session->host.ponderhit(session->host.context, now_us);
    } else if (slice_equal(word, "ucinewgame")) {
        session->host.new_game(session->host.context, session->number, false);
    } else if (slice_equal(word, "position")) {
        session->position = (uint64_t)number_after(rest);
    } else if (slice_equal(word, "pour")) {
        pour(session, number_after(rest));
    } else if (slice_equal(word, "work")) {
        work(number_after(rest));
    } else if (slice_equal(word, "length")) {
        char text[64];
        (void)snprintf(text, sizeof(text), "length %zu", length);
        rk_session_say(session, text);
    } else if (slice_equal(word, "quit")) {
        session->host.stop(session->host.context);
        return RK_QUIT;
    }
    return RK_TAKEN;
}

enum rk_urgency rk_session_urgency(const char *line, size_t length)
{
    const struct slice word = slice_trim((struct slice){line, length});
    if (slice_equal(word, "isready"))
        return RK_URGENCY_READY;
    if (slice_equal(word, "stop"))
        return RK_URGENCY_STOP;
    return slice_equal(word, "quit") ? RK_URGENCY_QUIT : RK_URGENCY_NONE;
}

void rk_session_report(struct rk_session *session, const struct rk_report *report)
{
    if (report->kind == RK_REPORT_VERDICT) {
        session->is_searching = false;
        promise(session, "bestmove e2e4\n");
        return;
    }
    char line[300];
    const int length =
        snprintf(line, sizeof(line), "info nodes %" PRIu64 " pv %0200d\n", report->nodes, 0);
    session->host.send(session->host.context, line, (size_t)length,
                       report->block_end ? RK_PROGRESS_END : RK_PROGRESS);
}

void rk_session_end_of_input(struct rk_session *session)
{
    if (session->is_searching && session->is_open)
        session->host.stop(session->host.context);
}

bool rk_session_is_searching(const struct rk_session *session) { return session->is_searching; }
