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
#include "server/scheduler.h"
#include "server/socket.h"

struct connections;

enum connection_phase {
    CONNECTION_FREE,
    CONNECTION_OPEN,
    CONNECTION_FLUSHING,  /* Takes no more lines; sends what is left, then its end of stream. */
    CONNECTION_LINGERING, /* All is sent; waits for the client to close, lest the kernel reset what
                             it has not read yet. */
    CONNECTION_CLOSING    /* Until libuv has let go. */
};

struct connection {
    union connection_socket socket;
    uv_write_t write; /* At most one in flight: output.sending > 0. */
    uv_shutdown_t shutdown;
    struct connections *connections;
    struct rk_session *session;
    const char *reason; /* Why it ends, from CONNECTION_FLUSHING on. */
    uint32_t index;
    uint32_t address; /* Its number in connections->access. */
    enum connection_phase phase;
    bool is_reading;
    bool is_greeted;    /* Its first bytes are not those of a stranger. */
    bool has_spoken;    /* A whole line has come. */
    bool has_ended;     /* The client will send no more. */
    bool was_told;      /* The session knows of has_ended. */
    bool was_probed;    /* Something was sent to see whether it is gone altogether. */
    bool is_later;      /* The next line waits for a verdict. */
    bool has_search;    /* The scheduler owes it a verdict. */
    bool is_noted;      /* In a ring of those with work. */
    bool is_attended;   /* In the list of those looked at in each tick. */
    bool is_quiet;      /* Its buffers hold no page. */
    uint64_t number;    /* Of the session; never used again. */
    int64_t arrived_us; /* When the bytes being worked on came. */
    int64_t ended_us;   /* When has_ended came. */
    int64_t opened_us;
    int64_t active_us;   /* When the client last said something. */
    int64_t read_us;     /* When it last took something, or when something came to be taken. */
    int64_t long_us;     /* Since when a line holds a long buffer; 0: none does. */
    int64_t deadline_us; /* Of CONNECTION_FLUSHING and CONNECTION_LINGERING. */
    struct output output;
    struct input input;
};

/* A socket the listener has accepted into connection->socket begins a conversation. */
void connection_open(struct connection *connection, uint64_t number);
void connection_close(struct connection *connection, const char *reason);
/* The same for what is the client's fault: the log says it louder. */
void connection_cut(struct connection *connection, const char *reason);

/* One turn: lines to the session, output to the socket. True: there is more to do at once. */
bool connection_work(struct connection *connection);
void connection_flush(struct connection *connection); /* The output alone. */
/* Whether the next line is taken now and may have more than LINE_BYTES_INLINE. */
bool connection_is_costly(const struct connection *connection);
void connection_tell(struct connection *connection, const struct notice *notice);

/* No more lines: what is waiting is sent, then the end of the stream. `reason` is for the log and
 * must stay. */
void connection_finish(struct connection *connection, const char *reason);
void connection_stop(struct connection *connection); /* The search that runs or waits for it. */
/* Stops a search that only a `stop` would end, when no `stop` can come. */
void connection_stop_open(struct connection *connection);

/* A line of its session's. One who reads so slowly that a promise does not fit is cut off. */
void connection_send(struct connection *connection, const char *line, size_t length,
                     enum rk_weight weight);
/* As rk_session_say, and also while the session is within a call. */
void connection_say(struct connection *connection, const char *words);
void connection_say_place(struct connection *connection, uint32_t place); /* In line. */

#endif
