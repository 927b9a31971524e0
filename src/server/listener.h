/* server/listener.h: one address at which clients arrive.
 * When the house is full a client gets one line that says so, and the end of the stream.
 * Thread: loop. */
#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "server/address.h"
#include "server/connections.h"

struct listener {
    union connection_socket socket;
    union connection_socket refused; /* The one client that is being turned away. */
    uv_write_t refusal;
    struct connections *connections;
    struct address address; /* As bound: with its port. */
    bool is_open;
    bool is_refusing;
    uint32_t refused_count; /* Not yet told in the log. */
    int64_t told_us;        /* When the log was told last, 0: never. */
    bool has_arrival;       /* One more waits until `refused` is free. */
};

/* RK_BUSY: somebody else listens there. RK_SYSTEM: *out_error is libuv's number. */
enum rk_status listener_open(struct listener *listener, uv_loop_t *loop,
                             struct connections *connections, const struct address *address,
                             int *out_error);
/* A socket that is bound and listens already, from the service manager. */
enum rk_status listener_adopt(struct listener *listener, uv_loop_t *loop,
                              struct connections *connections, int descriptor, int *out_error);
void listener_close(struct listener *listener);

#endif
