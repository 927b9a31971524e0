/* A connection's life, and who moves it on:
 *
 *   FREE ─ accept ─► OPEN ─ quit, end of input, drain ─► FLUSHING ─ all sent ─► LINGERING ─┐
 *    ▲                 └──── reset, slow client ───────────┴──────── deadline ──────┬──────┘
 *    └──────── closed by libuv ───────────────────────────────────── CLOSING ◄──────┘
 *
 * Lines are taken from the input while the session takes them (RK_LATER), while the output has room
 * for the answers, and while the turn's budget lasts. Bytes are read as long as the input has room,
 * so that one who goes is noticed while its lines wait; else patience_tick asks the kernel. */
#include "server/connection.h"

#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "server/connections.h"
#include "server/greeting.h"

enum { US_PER_MS = 1000 };

static void note(struct connection *connection)
{
    connections_note(connection->connections, connection);
}

/* -- Ends ------------------------------------------------------------------------------------ */

void connection_stop(struct connection *connection)
{
    if (connection->has_search)
        scheduler_stop(connection->connections->scheduler, connection->index);
}

void connection_stop_open(struct connection *connection)
{
    if (connection->has_search &&
        scheduler_is_open(connection->connections->scheduler, connection->index))
        connection_stop(connection);
}

static void on_closed(uv_handle_t *handle)
{
    struct connection *connection = handle->data;
    connection->connections->closing_count--;
    connection->phase = CONNECTION_FREE;
    output_clear(&connection->output);
    (void)output_rest(&connection->output);
    (void)input_rest(&connection->input);
    connections_release(connection->connections, connection);
}

static void leave(struct connection *connection, enum log_level level, const char *reason)
{
    if (connection->phase == CONNECTION_CLOSING)
        return;
    ASSERT(connection->phase != CONNECTION_FREE);
    const struct output *output = &connection->output;
    log_write(level, "client %ju leaves: %s; at most %u bytes waited, %u blocks were dropped",
              (uintmax_t)connection->number, reason, output->used_most, output->dropped_count);
    connection->phase = CONNECTION_CLOSING;
    if (connection->has_search)
        scheduler_leave(connection->connections->scheduler, connection->index);
    connection->has_search = false;
    input_clear(&connection->input);
    access_leave(&connection->connections->access, connection->address);
    connection->connections->closing_count++;
    uv_close(&connection->socket.handle, on_closed);
}

void connection_close(struct connection *connection, const char *reason)
{
    leave(connection, LOG_INFO, reason);
}

void connection_cut(struct connection *connection, const char *reason)
{
    leave(connection, LOG_WARNING, reason);
}

static int64_t deadline_after(int64_t ms) { return clock_now_us() + ms * US_PER_MS; }

void connection_finish(struct connection *connection, const char *reason)
{
    if (connection->phase != CONNECTION_OPEN)
        return;
    connection->phase = CONNECTION_FLUSHING;
    connection->reason = reason;
    connection->deadline_us = deadline_after(FLUSH_MS_MAX);
    input_clear(&connection->input);
    connections_attend(connection->connections, connection);
    note(connection);
}

static void on_shutdown(uv_shutdown_t *request, int status)
{
    struct connection *connection = request->data;
    if (status < 0 || connection->has_ended)
        connection_close(connection, connection->reason);
}

/* -- Output ---------------------------------------------------------------------------------- */

static void on_written(uv_write_t *request, int status)
{
    struct connection *connection = request->data;
    if (connection->phase == CONNECTION_CLOSING)
        return;
    output_end(&connection->output);
    connection->read_us = clock_now_us();
    if (status < 0)
        leave(connection, socket_error_level(status), uv_strerror(status));
    else
        note(connection); /* There is room again: for lines, too. */
}

/* The reader is behind: a first part goes to libuv, which sends it when the kernel has room. */
static void write_later(struct connection *connection)
{
    const size_t length = output_begin(&connection->output);
    uv_buf_t buffer = uv_buf_init(connection->output.bytes, (unsigned)length);
    const int answer =
        uv_write(&connection->write, &connection->socket.stream, &buffer, 1, on_written);
    if (answer < 0)
        connection_close(connection, uv_strerror(answer));
}

/* Who has ended its side and taken all waits for nothing: it may be back in the next turn. */
static void send_end(struct connection *connection)
{
    if (connection->has_ended) {
        connection_close(connection, connection->reason);
        return;
    }
    connection->phase = CONNECTION_LINGERING;
    connection->deadline_us = deadline_after(LINGER_MS_MAX);
    if (uv_shutdown(&connection->shutdown, &connection->socket.stream, on_shutdown) < 0)
        connection_close(connection, connection->reason);
}

void connection_flush(struct connection *connection)
{
    if (connection->phase != CONNECTION_OPEN && connection->phase != CONNECTION_FLUSHING)
        return;
    struct output *output = &connection->output;
    const size_t length = output_sendable(output);
    if (length > 0) {
        uv_buf_t buffer = uv_buf_init(output->bytes, (unsigned)length);
        const int sent = uv_try_write(&connection->socket.stream, &buffer, 1);
        if (sent < 0 && sent != UV_EAGAIN) {
            leave(connection, socket_error_level(sent), uv_strerror(sent));
            return;
        }
        if (sent > 0) {
            output_consume(output, (size_t)sent);
            connection->read_us = clock_now_us();
        }
        if (output_sendable(output) > 0)
            write_later(connection);
    }
    if (connection->phase == CONNECTION_FLUSHING && output->ready == 0)
        send_end(connection);
}

void connection_send(struct connection *connection, const char *line, size_t length,
                     enum rk_weight weight)
{
    if (connection->phase != CONNECTION_OPEN)
        return;
    if (connection->output.used == 0)
        connection->read_us = clock_now_us();
    connection->is_quiet = false;
    if (!output_push(&connection->output, line, length, weight)) {
        connection_cut(connection, "reads too slowly: a promise did not fit");
        return;
    }
    note(connection);
}

void connection_say(struct connection *connection, const char *words)
{
    char line[256];
    const int length = snprintf(line, sizeof(line), "info string %.200s\n", words);
    connection_send(connection, line, (size_t)length, RK_PROMISE);
}

void connection_say_place(struct connection *connection, uint32_t place)
{
    char words[32];
    (void)snprintf(words, sizeof(words), "queued %u", place);
    connection_say(connection, words);
}

/* -- Input ----------------------------------------------------------------------------------- */

static void on_room_wanted(uv_handle_t *handle, size_t suggested, uv_buf_t *out_buffer)
{
    struct connection *connection = handle->data;
    char *bytes = connection->connections->scratch;
    size_t room = sizeof(connection->connections->scratch);
    (void)suggested;
    if (connection->phase == CONNECTION_OPEN)
        room = input_space(&connection->input, &bytes);
    *out_buffer = uv_buf_init(bytes, (unsigned)room);
}

/* One who speaks no UCI is told so in its own language, and no line of its is taken. */
static void turn_stranger_away(struct connection *connection, enum greeting greeting)
{
    size_t length = 0;
    const char *refusal = greeting_refusal(greeting, &length);
    char bytes[256];
    REQUIRE(length <= sizeof(bytes));
    memcpy(bytes, refusal, length);
    uv_buf_t buffer = uv_buf_init(bytes, (unsigned)length);
    /* Nothing was said to it before: the kernel has room. */
    (void)uv_try_write(&connection->socket.stream, &buffer, 1);
    log_write(LOG_WARNING, "client %ju %s", (uintmax_t)connection->number,
              greeting_reason(greeting));
    connection_finish(connection, greeting_reason(greeting));
}

/* Looks at the first bytes of all. */
static void greet(struct connection *connection)
{
    const char *bytes = NULL;
    const size_t length = input_held(&connection->input, &bytes);
    const enum greeting greeting = greeting_read(bytes, length);
    if (greeting == GREETING_TLS || greeting == GREETING_HTTP)
        turn_stranger_away(connection, greeting);
    connection->is_greeted = greeting != GREETING_UNCLEAR;
}

/* Whether every line that came has been taken. */
static bool is_input_done(struct connection *connection)
{
    const char *line = NULL;
    size_t length = 0;
    return input_peek(&connection->input, &line, &length) == INPUT_NONE;
}

/* Bytes are read while there is room for them. */
static void update_reading(struct connection *connection);

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct connection *connection = stream->data;
    (void)buffer;
    if (count == UV_EOF) {
        connection->has_ended = true;
        connection->ended_us = clock_now_us();
        connection->is_reading = false;
        connections_attend(connection->connections, connection);
        if (connection->phase == CONNECTION_LINGERING)
            connection_close(connection, connection->reason);
        else
            note(connection);
    } else if (count == UV_ENOBUFS) {
        update_reading(connection);
    } else if (count < 0) {
        leave(connection, socket_error_level((int)count), uv_strerror((int)count));
    } else if (count > 0 && connection->phase == CONNECTION_OPEN) {
        const int64_t now_us = clock_now_us();
        /* Who waits for room waits for its own reading: that is no part of what comes now. */
        if (is_input_done(connection) || !output_has_room(&connection->output))
            connection->arrived_us = now_us;
        connection->active_us = now_us;
        connection->is_quiet = false;
        input_commit(&connection->input, (size_t)count);
        if (!connection->is_greeted)
            greet(connection);
        note(connection);
        update_reading(connection);
    }
}

static void update_reading(struct connection *connection)
{
    char *bytes = NULL;
    if (connection->phase == CONNECTION_CLOSING || connection->has_ended)
        return;
    const bool has_room =
        connection->phase != CONNECTION_OPEN || input_space(&connection->input, &bytes) > 0;
    if (has_room == connection->is_reading)
        return;
    connection->is_reading = has_room;
    if (!has_room) {
        (void)uv_read_stop(&connection->socket.stream);
        connections_attend(connection->connections, connection);
    } else if (uv_read_start(&connection->socket.stream, on_room_wanted, on_read) < 0)
        connection_close(connection, "cannot be read");
}

static void tell_loss(struct connection *connection)
{
    char text[96];
    (void)snprintf(text, sizeof(text), "a line over the limit of %d bytes was dropped",
                   LINE_BYTES_MAX);
    rk_session_say(connection->session, text);
}

/* Whether the next line, if there is one, may be taken now. */
static bool takes_lines(const struct connection *connection)
{
    return connection->phase == CONNECTION_OPEN && !connection->is_later &&
           output_has_room(&connection->output);
}

bool connection_is_costly(const struct connection *connection)
{
    return input_is_long(&connection->input) && takes_lines(connection);
}

/* While the next line must wait, for it a `stop` behind it counts already, and isready and quit do
 * not wait with it. */
static void look_ahead(struct connection *connection)
{
    const char *line = NULL;
    size_t length = 0;
    while (connection->phase == CONNECTION_OPEN && output_has_room(&connection->output) &&
           input_look_ahead(&connection->input, &line, &length)) {
        switch (rk_session_urgency(line, length)) {
        case RK_URGENCY_NONE: break;
        case RK_URGENCY_STOP: input_mark_ahead(&connection->input); break;
        case RK_URGENCY_READY:
        case RK_URGENCY_QUIT:
            if (rk_session_line(connection->session, line, length, connection->arrived_us) ==
                RK_QUIT)
                connection_finish(connection, "done");
            else
                input_drop_ahead(&connection->input);
            break;
        }
    }
    if (connection->phase == CONNECTION_OPEN && input_has_mark(&connection->input))
        (void)rk_session_line(connection->session, "stop", 4, connection->arrived_us);
}

/* Takes lines for one turn. */
static void take_lines(struct connection *connection)
{
    size_t bytes = 0;
    for (uint32_t commands = 0; commands < COMMANDS_PER_READ_MAX && takes_lines(connection) &&
                                bytes < COMMAND_BYTES_PER_READ_MAX;
         commands++) {
        const char *line = NULL;
        size_t length = 0;
        const enum input_event event = input_peek(&connection->input, &line, &length);
        if (event == INPUT_NONE)
            return;
        bytes += length;
        connection->has_spoken = true;
        connection->long_us = 0;
        enum rk_take take = RK_TAKEN;
        if (event == INPUT_LINE)
            take = rk_session_line(connection->session, line, length, connection->arrived_us);
        else
            tell_loss(connection);
        if (take == RK_LATER)
            connection->is_later = true;
        else if (take == RK_QUIT)
            connection_finish(connection, "done");
        else if (connection->phase == CONNECTION_OPEN)
            input_pop(&connection->input);
    }
    if (connection->is_later)
        look_ahead(connection);
}

/* Nothing new begins. Searches with an end of their own are answered first; while the house shuts
 * down, `stop` and what else may come is heard, and a `go` is refused: an open one waits for no
 * stop. */
static void work_on_end(struct connection *connection)
{
    const bool is_draining = connection->connections->is_draining;
    const bool is_news = !connection->was_told && (is_draining || is_input_done(connection));
    if (is_news || is_draining)
        rk_session_end_of_input(connection->session);
    if (is_news && is_draining)
        rk_session_say(connection->session, "the server is shutting down");
    connection->was_told = connection->was_told || is_news;
    if (connection->was_told && !rk_session_is_searching(connection->session))
        connection_finish(connection, "done");
    else if (connection->is_later)
        connection_stop_open(connection);
}

bool connection_work(struct connection *connection)
{
    if (connection->phase == CONNECTION_FREE || connection->phase == CONNECTION_CLOSING)
        return false;
    take_lines(connection);
    if (connection->phase == CONNECTION_OPEN &&
        (connection->has_ended || connection->connections->is_draining))
        work_on_end(connection);
    connection_flush(connection);
    update_reading(connection);
    return takes_lines(connection) && !is_input_done(connection);
}

static void take_report(struct connection *connection, const struct rk_report *report)
{
    const bool is_last = report->kind == RK_REPORT_VERDICT || report->kind == RK_REPORT_PERFT_TOTAL;
    if (is_last) {
        const int64_t now_us = clock_now_us();
        if (connection->is_later)
            connection->arrived_us = now_us; /* Its turn has come: its clock starts. */
        connection->active_us = now_us;
        connection->is_later = false;
        connection->has_search = false;
    }
    if (connection->phase == CONNECTION_OPEN) {
        rk_session_report(connection->session, report);
        note(connection);
    }
}

void connection_tell(struct connection *connection, const struct notice *notice)
{
    if (notice->kind == NOTICE_REPORT)
        take_report(connection, &notice->report);
    else if (notice->kind == NOTICE_QUEUED)
        connection_say_place(connection, notice->place);
    else
        connection_say(connection, "overloaded: a short search is all there is time for");
}

/* -- The beginning ----------------------------------------------------------------------------- */

void connection_open(struct connection *connection, uint64_t number)
{
    ASSERT(connection->phase == CONNECTION_OPEN);
    connection->is_reading = connection->has_ended = connection->was_told = false;
    connection->was_probed = connection->is_later = connection->has_search = false;
    connection->is_greeted = connection->has_spoken = connection->is_quiet = false;
    connection->number = number;
    connection->long_us = 0;
    connection->arrived_us = connection->active_us = clock_now_us();
    connection->opened_us = connection->read_us = connection->arrived_us;
    output_clear(&connection->output);
    input_open(&connection->input, connection->address);
    socket_tune(&connection->socket, connection->connections->options.patience.unread_s);
    log_write(LOG_INFO, "client %ju comes", (uintmax_t)number);
    update_reading(connection);
}
