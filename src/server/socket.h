/* server/socket.h: what the kernel is told and asked about a client's socket.
 * Thread: loop. */
#ifndef SERVER_SOCKET_H
#define SERVER_SOCKET_H

#include <stdint.h>
#include <uv.h>

#include "base/log.h"

union connection_socket {
    uv_handle_t handle;
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
};

enum socket_state {
    SOCKET_OPEN,
    SOCKET_HALF, /* The client sends no more; perhaps it is gone, perhaps it waits for answers. */
    SOCKET_GONE
};

/* Small buffers in the kernel, no delays, and a peer that vanishes is noticed: in unread_s seconds
 * when something waits for it (0: in the kernel's own time), else in two minutes. */
void socket_tune(union connection_socket *socket, uint32_t unread_s);

/* Asks, for nobody tells while nothing is read. */
enum socket_state socket_look(const union connection_socket *socket);

/* How much an operator cares for a libuv error: who acknowledged nothing for unread_s reads nothing
 * or has vanished, and is logged like others who do not read. */
enum log_level socket_error_level(int error);

#endif
