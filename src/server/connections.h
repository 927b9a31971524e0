/* server/connections.h: all connections, in a fixed array with a free list, and those with work.
 * Thread: loop. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "server/access.h"
#include "server/caps.h"
#include "server/connection.h"
#include "server/patience.h"
#include "server/scheduler.h"

struct connections_options {
    uint32_t clients_max;
    uint32_t clients_per_address; /* 0: no limit. */
    struct caps caps;             /* On what one request asks for. */
    struct patience patience;
    struct rk_session_options session; /* For each, with a number of its own. */
};

/* Indexes in the order they came: as many places as clients, and nobody is there twice. */
struct ring {
    uint32_t *indexes;
    uint32_t first;
    uint32_t count;
};

struct connections {
    uv_loop_t *loop;
    struct scheduler *scheduler;
    struct connections_options options;
    struct access access;
    struct connection *all; /* clients_max of them. */
    char *output_bytes;     /* OUTPUT_BYTES_MAX for each. */
    char *input_bytes;      /* LINE_BYTES_INLINE for each. */
    uint32_t *free;         /* Stack of indexes. */
    uint32_t free_count;
    uint32_t closing_count; /* That libuv lets go of before this turn of the loop ends. */
    struct ring noted;      /* Those with work; nobody is in both rings. */
    struct ring kept;       /* Those of whom a portion was taken, or whose line is a long one. */
    uint32_t *attended;     /* Indexes of those to look at in each tick. */
    uint32_t attended_count;
    uint32_t swept;       /* Where the sweep goes on. */
    uint64_t last_number; /* Of a session. */
    bool is_draining;
    struct line_pool long_lines;
    char scratch[LINE_BYTES_INLINE]; /* Where bytes go that nobody wants. */
};

enum rk_status connections_create(struct connections *connections, uv_loop_t *loop,
                                  struct scheduler *scheduler,
                                  const struct connections_options *options);
void connections_destroy(struct connections *connections); /* All must be free. */

uint32_t connections_count(const struct connections *connections); /* In use. */

/* A client has come: its socket becomes the connection's, closed when none can be had. `from` is
 * where from, NULL by a unix socket. RK_BUSY: all places are taken, or all of its address, as
 * *out_why tells the log; the socket stays the caller's. RK_SYSTEM. */
enum rk_status connections_admit(struct connections *connections, int file,
                                 const struct sockaddr *from, const char **out_why);

bool connections_are_full(const struct connections *connections); /* None is free. */
/* Whether none is free, but one will be in the next turn. */
bool connections_wait_for_one(const struct connections *connections);

/* For connections: there is work; the clock matters; nobody holds it any more. */
void connections_note(struct connections *connections, struct connection *connection);
void connections_attend(struct connections *connections, struct connection *connection);
void connections_release(struct connections *connections, struct connection *connection);

/* Once a turn of the loop: everybody's output, then a portion of lines from each who has work, or
 * from as many as a few milliseconds allow, and one more; the next turn goes on behind them. True:
 * there is more to do, do not wait for the kernel. */
bool connections_work(struct connections *connections);
bool connections_have_work(const struct connections *connections);

void connections_tell(struct connections *connections, const struct notice *notice);
void connections_tick(struct connections *connections, int64_t now_us);

/* No new searches and no more lines: idle connections end now, the others after their bestmove. */
void connections_drain(struct connections *connections);
void connections_close(struct connections *connections, const char *reason);

#endif
