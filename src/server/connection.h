/* server/connection.h: one socket that carries one conversation.
 * Callbacks of libuv only take note; connection_work, once a turn of the loop, does what was noted:
 * at most so many lines to the session, then output to the socket.
 * Thread: loop. */
#ifndef SERVER_CONNECTION_H
#define SERVER_CONNECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "rookery/session.h"
#include "server/input.h"
#include "server/output.h"

struct connections;

enum connection_phase {
    CONNECTION_FREE,
    CONNECTION_OPEN,
    CONNECTION_FLUSHING,  /* Takes no more lines; sends what is left, then its end of stream. */
    CONNECTION_LINGERING, /* All is sent; waits for the client to close, lest the kernel reset what
                             it has not read yet. */
    CONNECTION_CLOSING    /* Until libuv and the scheduler have let go. */
};

union connection_socket {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
};

struct connection {
    union connection_socket socket;
    uv_write_t write; /* At most one in flight: output.sending > 0. */
    uv_shutdown_t shutdown;
    struct connections *connections;
    struct rk_session *session;
    uint32_t index;
    enum connection_phase phase;
    bool is_reading;
    bool has_ended;      /* The client will send no more. */
    bool was_told;       /* The session knows of has_ended. */
    bool was_probed;     /* Something was sent to see whether it is gone altogether. */
    bool is_later;       /* The next line waits for a verdict. */
    bool has_search;     /* The scheduler owes it a verdict. */
    bool is_closed;      /* libuv has let go. */
    bool is_noted;       /* In the list of those with work. */
    uint64_t number;     /* Of the session; never used again. */
    int64_t arrived_us;  /* When the bytes being worked on came. */
    int64_t ended_us;    /* When has_ended came. */
    int64_t active_us;   /* When the client last said something. */
    int64_t deadline_us; /* Of CONNECTION_FLUSHING and CONNECTION_LINGERING. */
    struct output output;
    struct input input;
};

/* A socket the listener has accepted into connection->socket begins a conversation. */
void connection_open(struct connection *connection, uint64_t number);
void connection_close(struct connection *connection, const char *reason);

/* One turn: lines to the session, output to the socket. True: there is more to do at once. */
bool connection_work(struct connection *connection);
void connection_report(struct connection *connection, const struct rk_report *report);

/* Each TICK_MS: has the client vanished unnoticed, has a deadline passed, has it been silent for
 * more than idle_s (0: it may)? */
void connection_tick(struct connection *connection, int64_t now_us, uint32_t idle_s);

/* What its session asks of the world. */
struct rk_host connection_host(struct connection *connection);

#endif
