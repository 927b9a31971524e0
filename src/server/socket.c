#include "server/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/limits.h"

/* Keepalive: the first probe after so much silence, then so many. */
enum { MS_PER_S = 1000, KEEPALIVE_S = 60, KEEPALIVE_INTERVAL_S = 15, KEEPALIVE_PROBES = 4 };

static int bounded_s(uint32_t value_s, int least_s, int most_s)
{
    if (value_s < (uint32_t)least_s)
        return least_s;
    return value_s < (uint32_t)most_s ? (int)value_s : most_s;
}

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
    /* Where there is a TCP_USER_TIMEOUT, the first probe that is unanswered when the silence is as
     * long ends the connection. So they begin early enough for some to be lost. */
    const uint32_t limit_s = unread_s == 0 ? UINT32_MAX : unread_s;
    (void)uv_tcp_keepalive(&socket->tcp, 1, (unsigned)bounded_s(limit_s / 3, 1, KEEPALIVE_S));
    set_option(file, IPPROTO_TCP, TCP_KEEPINTVL, bounded_s(limit_s / 6, 1, KEEPALIVE_INTERVAL_S));
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
