/* server/connections.h: all connections, in a fixed array with a free list, and those with work.
 * Thread: loop. */
#ifndef SERVER_CONNECTIONS_H
#define SERVER_CONNECTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "server/connection.h"
#include "server/scheduler.h"

struct connections_options {
    uint32_t clients_max;
    uint32_t idle_s;                   /* 0: a silent client may stay. */
    struct rk_session_options session; /* For each, with a number of its own. */
};

struct connections {
    uv_loop_t *loop;
    struct scheduler *scheduler;
    struct connections_options options;
    struct connection *all; /* clients_max of them. */
    char *output_bytes;     /* OUTPUT_BYTES_MAX for each. */
    uint32_t *free;         /* Stack of indexes. */
    uint32_t free_count;
    uint32_t *noted; /* Indexes of those with work, in the order it came. */
    uint32_t noted_count;
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

/* Accepts the client that waits at a listener. RK_BUSY: all are in use. RK_SYSTEM. */
enum rk_status connections_accept(struct connections *connections, uv_stream_t *listener);

/* For connections: there is work; nobody holds it any more. */
void connections_note(struct connections *connections, struct connection *connection);
void connections_release(struct connections *connections, struct connection *connection);

/* Once a turn of the loop. True: there is more to do, do not wait for the kernel. */
bool connections_work(struct connections *connections);

void connections_report(struct connections *connections, uint32_t index,
                        const struct rk_report *report);
void connections_tick(struct connections *connections, int64_t now_us);

/* No new searches and no more lines: idle connections end now, the others after their bestmove. */
void connections_drain(struct connections *connections);
void connections_close(struct connections *connections, const char *reason);

#endif
