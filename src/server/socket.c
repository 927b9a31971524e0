#include "server/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/limits.h"

enum { MS_PER_S = 1000, KEEPALIVE_S = 60, KEEPALIVE_INTERVAL_S = 15, KEEPALIVE_PROBES = 4 };

static void set_option(int file, int level, int name, int value)
{
    /* Each is an improvement; a kernel without it serves as well. */
    (void)setsockopt(file, level, name, &value, sizeof(value));
}

void socket_tune(union connection_socket *socket, uint32_t unread_s)
{
    uv_os_fd_t file = -1;
    if (uv_fileno(&socket->handle, &file) != 0)
        return;
    set_option(file, SOL_SOCKET, SO_SNDBUF, SEND_BUFFER_BYTES);
    if (socket->handle.type != UV_TCP)
        return;
    (void)uv_tcp_nodelay(&socket->tcp, 1);
    (void)uv_tcp_keepalive(&socket->tcp, 1, KEEPALIVE_S);
    set_option(file, IPPROTO_TCP, TCP_KEEPINTVL, KEEPALIVE_INTERVAL_S);
    set_option(file, IPPROTO_TCP, TCP_KEEPCNT, KEEPALIVE_PROBES);
    set_option(file, IPPROTO_TCP, TCP_NOTSENT_LOWAT, UNSENT_BYTES_MAX);
    /* Keepalive is silent while bytes wait for the peer. */
    set_option(file, IPPROTO_TCP, TCP_USER_TIMEOUT, (int)unread_s * MS_PER_S);
}

enum socket_state socket_look(const union connection_socket *socket)
{
    uv_os_fd_t file = -1;
    if (uv_fileno(&socket->handle, &file) != 0)
        return SOCKET_GONE;
    struct pollfd question = {.fd = file, .events = POLLRDHUP};
    if (poll(&question, 1, 0) <= 0)
        return SOCKET_OPEN;
    return (question.revents & (POLLERR | POLLHUP)) != 0 ? SOCKET_GONE : SOCKET_HALF;
}

enum log_level socket_error_level(int error)
{
    return error == UV_ETIMEDOUT ? LOG_WARNING : LOG_INFO;
}
