/* A conversation's phases, and who moves it on:
 *
 *   AWAY ─ connect ─► CONNECTING ─► TALKING ─ quit, half-close ─► QUITTING ─┐ the server ends it
 *    ▲                                 └── leave, fault ──► CLOSING ◄───────┘
 *    └────────────── a pause, unless the run is over ──────────┘
 *
 * What a behaviour says is collected and goes out when its function returns, as one segment if it
 * fits. Times of promises are taken when the words are said, so what waits for the kernel is the
 * server's delay as its client feels it. */
#include "load/peer.h"

#include <string.h>
#include <sys/socket.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"

enum {
    US_PER_MS = 1000,
    PATIENCE_MS = 2000, /* Before a promise without a clock counts as broken. */
    FAULT_PAUSE_MS = 1000,
    ROOM_BYTES_MIN = 512
};

static void on_timer(uv_timer_t *timer);

static struct behaviour_tally *tally_of(struct peer *peer)
{
    return &peer->load->tally.kinds[peer->id];
}

static void after(struct peer *peer);

static void call(struct peer *peer, void (*what)(struct peer *peer))
{
    if (what != NULL && peer->phase == PEER_TALKING && !peer->is_finishing)
        what(peer);
    after(peer);
}

/* -- Ends ------------------------------------------------------------------------------------- */

static void on_closed(uv_handle_t *handle)
{
    struct peer *peer = handle->data;
    peer->phase = PEER_AWAY;
    if (peer->load->is_ending || peer->is_finishing)
        return;
    peer->is_at_pause = true;
    (void)uv_timer_start(&peer->timer, on_timer, (uint64_t)peer->pause_ms, 0);
}

void peer_leave(struct peer *peer, enum peer_leave how, uint64_t pause_ms)
{
    if (peer->phase == PEER_CLOSING || peer->phase == PEER_AWAY)
        return;
    peer->phase = PEER_CLOSING;
    peer->pause_ms = (int64_t)pause_ms;
    (void)uv_timer_stop(&peer->timer);
    if (how != LEAVE_RESET || uv_tcp_close_reset(&peer->socket, on_closed) != 0)
        uv_close((uv_handle_t *)&peer->socket, on_closed);
}

void peer_fault(struct peer *peer, const char *what)
{
    struct tally *tally = &peer->load->tally;
    if (peer->phase == PEER_CLOSING || peer->phase == PEER_AWAY)
        return;
    if (tally->faults++ < TALLY_FAULTS_SHOWN_MAX)
        (void)fprintf(stderr, "\nload: fault: seed %ju, %s %u, conversation %ju, %.1f s: %s\n",
                      (uintmax_t)peer->load->plan.seed, behaviour_name(peer->id), peer->index,
                      (uintmax_t)tally_of(peer)->conversations,
                      (double)(clock_now_us() - peer->load->start_us) / 1e6, what);
    tally_of(peer)->faults++;
    peer_leave(peer, LEAVE_RESET, FAULT_PAUSE_MS);
}

/* The server has ended the stream, well or not. */
static void take_end(struct peer *peer, const char *how)
{
    char what[LEDGER_FAULT_BYTES_MAX];
    struct text text;
    text_init(&text, what, sizeof(what));
    (void)text_add(&text, "the server ended the conversation (");
    (void)text_add(&text, how);
    (void)text_add(&text, "); ");
    ledger_tell(&peer->ledger, &text);
    if (peer->phase == PEER_QUITTING && ledger_is_settled(&peer->ledger)) {
        peer_leave(peer, LEAVE_CLOSE, (uint64_t)peer->pause_ms);
    } else if (peer->phase == PEER_TALKING && peer->behaviour->may_end) {
        tally_of(peer)->ended++;
        peer_leave(peer, LEAVE_CLOSE, (uint64_t)peer->pause_ms);
    } else {
        peer_fault(peer, what);
    }
}

static void say_quit_if_settled(struct peer *peer)
{
    if (peer->phase != PEER_TALKING || !peer->is_finishing || !ledger_is_settled(&peer->ledger) ||
        peer_room(peer) < ROOM_BYTES_MIN)
        return;
    peer_say(peer, "quit\n");
    peer->phase = PEER_QUITTING;
    peer->quit_us = clock_now_us();
}

/* -- Output ----------------------------------------------------------------------------------- */

static void flush(struct peer *peer);

static void on_shutdown(uv_shutdown_t *request, int status)
{
    (void)request;
    (void)status;
}

static void on_written(uv_write_t *request, int status)
{
    struct peer *peer = request->data;
    peer->is_writing = false;
    if (peer->phase == PEER_CLOSING)
        return;
    if (status < 0) {
        take_end(peer, uv_strerror(status));
        return;
    }
    memmove(peer->out, peer->out + peer->out_sending, peer->out_used - peer->out_sending);
    peer->out_used -= peer->out_sending;
    after(peer);
}

static void flush(struct peer *peer)
{
    if (peer->is_writing || (peer->phase != PEER_TALKING && peer->phase != PEER_QUITTING))
        return;
    if (peer->out_used > 0) {
        uv_buf_t buffer = uv_buf_init(peer->out, (unsigned)peer->out_used);
        const int sent = uv_try_write((uv_stream_t *)&peer->socket, &buffer, 1);
        if (sent > 0) {
            peer->out_used -= (size_t)sent;
            memmove(peer->out, peer->out + sent, peer->out_used);
        }
    }
    if (peer->out_used > 0) { /* An error shows itself here as well. */
        uv_buf_t buffer = uv_buf_init(peer->out, (unsigned)peer->out_used);
        peer->out_sending = peer->out_used;
        peer->is_writing = true;
        if (uv_write(&peer->write, (uv_stream_t *)&peer->socket, &buffer, 1, on_written) != 0)
            peer->is_writing = false;
    } else if (peer->wants_shutdown) {
        peer->wants_shutdown = false;
        (void)uv_shutdown(&peer->shutdown, (uv_stream_t *)&peer->socket, on_shutdown);
    }
}

/* A behaviour that has more to say than there was room for goes on when all has gone out. */
static void after(struct peer *peer)
{
    for (;;) {
        say_quit_if_settled(peer);
        flush(peer);
        if (peer->behaviour->on_room == NULL || peer->phase != PEER_TALKING || peer->is_finishing ||
            peer->is_writing)
            return;
        peer->behaviour->on_room(peer);
        if (peer->out_used == 0)
            return;
    }
}

/* -- Input ------------------------------------------------------------------------------------ */

static void note_string(struct peer *peer)
{
    struct tally *tally = &peer->load->tally;
    const struct slice string = peer->ledger.string;
    struct slice rest = string;
    const struct slice word = slice_next_word(&rest);
    tally->queued += slice_equal(word, "queued") ? 1 : 0;
    tally->overloaded += slice_equal(word, "overloaded:") ? 1 : 0;
    tally->refused += slice_equal(word, "no") && slice_equal(slice_next_word(&rest), "search:");
    if (slice_equal(word, "position") && !peer->behaviour->may_end) {
        char what[LEDGER_FAULT_BYTES_MAX];
        struct text text;
        text_init(&text, what, sizeof(what));
        (void)text_add_quoted(&text, string, LEDGER_FAULT_BYTES_MAX);
        peer_fault(peer, what);
    }
}

static void note_event(struct peer *peer, enum ledger_event event, int64_t now_us)
{
    struct tally *tally = &peer->load->tally;
    if (event == LEDGER_UCI && peer->began_us > 0) {
        spread_add(&tally->latencies[LATENCY_UCIOK], now_us - peer->began_us);
        peer->began_us = 0;
    } else if (event == LEDGER_READY && peer->ping_us > 0 && peer->ledger.ready_owed == 0) {
        spread_add(&tally->latencies[LATENCY_READYOK], now_us - peer->ping_us);
        peer->ping_us = 0;
    } else if (event == LEDGER_BESTMOVE) {
        tally_of(peer)->answers++;
        if (peer->ledger.answer.after_stop_us >= 0 && peer->behaviour->patience <= 1)
            spread_add(&tally->latencies[LATENCY_STOP], peer->ledger.answer.after_stop_us);
    }
}

static void take_line(struct peer *peer, struct slice line, int64_t now_us)
{
    peer->load->tally.lines++;
    if (peer->is_foreign)
        return;
    const enum ledger_event event = ledger_line(&peer->ledger, line, now_us);
    if (event == LEDGER_FAULT)
        peer_fault(peer, peer->ledger.fault);
    else if (event == LEDGER_STRING)
        note_string(peer);
    else
        note_event(peer, event, now_us);
    if (event != LEDGER_FAULT && peer->phase == PEER_TALKING && !peer->is_finishing &&
        peer->behaviour->on_event != NULL)
        peer->behaviour->on_event(peer, event);
}

static void take_lines(struct peer *peer)
{
    const int64_t now_us = clock_now_us();
    size_t start = 0;
    while (peer->phase == PEER_TALKING || peer->phase == PEER_QUITTING) {
        const char *at = peer->in + start;
        const char *end = memchr(at, '\n', peer->in_used - start);
        if (end == NULL)
            break;
        take_line(peer, (struct slice){at, (size_t)(end - at)}, now_us);
        start += (size_t)(end - at) + 1;
    }
    memmove(peer->in, peer->in + start, peer->in_used - start);
    peer->in_used -= start;
    if (peer->in_used == sizeof(peer->in))
        peer_fault(peer, "a line without end");
}

static void on_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *out_buffer)
{
    struct peer *peer = handle->data;
    const size_t room = sizeof(peer->in) - peer->in_used;
    (void)suggested;
    *out_buffer = uv_buf_init(
        peer->in + peer->in_used,
        (unsigned)(peer->read_most > 0 && peer->read_most < room ? peer->read_most : room));
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
    struct peer *peer = stream->data;
    (void)buffer;
    if (count < 0) {
        take_end(peer, count == UV_EOF ? "end of stream" : uv_strerror((int)count));
        return;
    }
    peer->in_used += (size_t)count;
    if (peer->read_most > 0 && count > 0)
        peer_read(peer, false);
    take_lines(peer);
    after(peer);
}

void peer_read(struct peer *peer, bool is_reading)
{
    if (peer->phase != PEER_TALKING && peer->phase != PEER_QUITTING)
        return;
    if (is_reading == peer->is_reading)
        return;
    peer->is_reading = is_reading;
    if (is_reading)
        (void)uv_read_start((uv_stream_t *)&peer->socket, on_buffer, on_read);
    else
        (void)uv_read_stop((uv_stream_t *)&peer->socket);
}

/* -- Life ------------------------------------------------------------------------------------- */

static void on_connected(uv_connect_t *request, int status)
{
    struct peer *peer = request->data;
    if (peer->phase != PEER_CONNECTING)
        return;
    if (status < 0) {
        peer_fault(peer, uv_strerror(status));
        return;
    }
    peer->phase = PEER_TALKING;
    tally_of(peer)->conversations++;
    (void)uv_tcp_nodelay(&peer->socket, 1);
    peer_read(peer, true);
    call(peer, peer->behaviour->begin);
}

static void prepare(struct peer *peer)
{
    ledger_clear(&peer->ledger);
    peer->in_used = peer->out_used = 0;
    peer->is_writing = peer->is_reading = peer->wants_shutdown = peer->is_at_pause = false;
    peer->is_foreign = false;
    peer->ping_us = 0;
    peer->pause_ms = 0;
    peer->read_most = 0;
    peer->step = 0;
    peer->left = 0;
    peer->lines = 1;
    peer->chess960 = peer->wdl = peer->is_limited = false;
    peer->began_us = clock_now_us();
    peer->phase = PEER_CONNECTING;
}

void peer_connect(struct peer *peer)
{
    uv_os_fd_t file = -1;
    const int bytes = peer->behaviour->receive_bytes;
    prepare(peer);
    REQUIRE(uv_tcp_init_ex(&peer->load->loop, &peer->socket, AF_INET) == 0);
    peer->socket.data = peer;
    if (bytes > 0 && uv_fileno((uv_handle_t *)&peer->socket, &file) == 0)
        (void)setsockopt(file, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
    const int answer =
        uv_tcp_connect(&peer->connect, &peer->socket,
                       (const struct sockaddr *)(const void *)&peer->load->address, on_connected);
    if (answer != 0)
        peer_fault(peer, uv_strerror(answer));
}

static void on_timer(uv_timer_t *timer)
{
    struct peer *peer = timer->data;
    if (peer->is_at_pause)
        peer_connect(peer);
    else
        call(peer, peer->behaviour->on_time);
}

void peer_wait(struct peer *peer, uint64_t ms)
{
    (void)uv_timer_start(&peer->timer, on_timer, ms, 0);
}

void peer_finish(struct peer *peer)
{
    peer->is_finishing = true;
    (void)uv_timer_stop(&peer->timer);
    if (peer->phase == PEER_CONNECTING || (peer->phase == PEER_TALKING && peer->behaviour->may_end))
        peer_leave(peer, LEAVE_CLOSE, 0);
    if (peer->phase != PEER_TALKING)
        return;
    peer->read_most = 0;
    peer_read(peer, true);
    if (ledger_wants_stop(&peer->ledger))
        peer_stop(peer);
    after(peer);
}

void peer_look(struct peer *peer, int64_t now_us)
{
    const uint32_t times = peer->behaviour->patience > 0 ? peer->behaviour->patience : 1;
    const int64_t patience_us =
        (int64_t)times * US_PER_MS * (PATIENCE_MS + (int64_t)peer->load->plan.grace_ms);
    char what[LEDGER_FAULT_BYTES_MAX];
    struct text text;
    text_init(&text, what, sizeof(what));
    if (peer->phase == PEER_QUITTING && ledger_is_settled(&peer->ledger)) {
        if (now_us > peer->quit_us + patience_us)
            peer_fault(peer, "the server does not end a conversation that is over");
    } else if (peer->phase == PEER_TALKING || peer->phase == PEER_QUITTING) {
        (void)text_add(&text, "overdue: ");
        ledger_tell(&peer->ledger, &text);
        if (now_us > ledger_deadline_us(&peer->ledger, patience_us))
            peer_fault(peer, what);
    } else if (peer->phase == PEER_CONNECTING && now_us > peer->began_us + patience_us) {
        peer_fault(peer, "the server does not accept");
    }
}

enum rk_status peer_create(struct peer *peer, struct load *load, enum behaviour_id id,
                           uint32_t index)
{
    uint64_t state = load->plan.seed;
    peer->load = load;
    peer->id = id;
    peer->index = index;
    peer->random = random_next(&state) ^ ((uint64_t)index + 1) * 0x9e3779b97f4a7c15u;
    REQUIRE(uv_timer_init(&load->loop, &peer->timer) == 0);
    peer->timer.data = peer->connect.data = peer->write.data = peer->shutdown.data = peer;
    enum rk_status status = ledger_create(&peer->ledger);
    if (status == RK_OK)
        status = place_create(&peer->place);
    return status;
}

void peer_destroy(struct peer *peer)
{
    ledger_destroy(&peer->ledger);
    place_destroy(&peer->place);
}

void peer_close_handles(struct peer *peer)
{
    peer->is_finishing = true;
    peer_leave(peer, LEAVE_RESET, 0);
    uv_close((uv_handle_t *)&peer->timer, NULL);
}
