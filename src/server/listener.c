#include "server/listener.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"

enum { BACKLOG = 1024, TELL_US = 10000000 }; /* The log hears of a full house every ten seconds. */

static void on_arrival(uv_stream_t *stream, int status);

/* -- When the house is full ------------------------------------------------------------------- */

static void on_turned_away(uv_handle_t *handle)
{
    struct listener *listener = handle->data;
    listener->is_refusing = false;
    if (listener->has_arrival && listener->is_open) {
        listener->has_arrival = false;
        on_arrival(&listener->socket.stream, 0);
    }
}

static void tell_log(struct listener *listener)
{
    const int64_t now_us = clock_now_us();
    listener->refused_count++;
    if (listener->told_us != 0 && now_us - listener->told_us < TELL_US)
        return;
    log_write(LOG_WARNING, "clients turned away: %u; all %u places are taken (clients_max)",
              listener->refused_count, listener->connections->options.clients_max);
    listener->refused_count = 0;
    listener->told_us = now_us;
}

static void turn_away(struct listener *listener)
{
    static const char WORDS[] = "info string the server is full, please try again later\n";
    if (listener->is_refusing) {
        listener->has_arrival = true; /* libuv stops listening until it is accepted. */
        return;
    }
    uv_loop_t *loop = listener->socket.handle.loop;
    const int answer = listener->address.kind == ADDRESS_UNIX
                           ? uv_pipe_init(loop, &listener->refused.pipe, 0)
                           : uv_tcp_init(loop, &listener->refused.tcp);
    if (answer < 0)
        return;
    listener->is_refusing = true;
    listener->refused.handle.data = listener;
    if (uv_accept(&listener->socket.stream, &listener->refused.stream) == 0) {
        char words[sizeof(WORDS)];
        memcpy(words, WORDS, sizeof(WORDS));
        uv_buf_t buffer = uv_buf_init(words, sizeof(WORDS) - 1);
        (void)uv_try_write(&listener->refused.stream, &buffer, 1);
        tell_log(listener);
    }
    uv_close(&listener->refused.handle, on_turned_away);
}

static void on_arrival(uv_stream_t *stream, int status)
{
    struct listener *listener = stream->data;
    if (status < 0) {
        log_write(LOG_WARNING, "a client could not be accepted: %s", uv_strerror(status));
        return;
    }
    if (connections_accept(listener->connections, stream) == RK_BUSY)
        turn_away(listener);
}

/* -- Opening ---------------------------------------------------------------------------------- */

static enum rk_status listen_now(struct listener *listener, int *out_error)
{
    const int answer = uv_listen(&listener->socket.stream, BACKLOG, on_arrival);
    if (answer == 0) {
        listener->is_open = true;
        return RK_OK;
    }
    *out_error = answer;
    return answer == UV_EADDRINUSE ? RK_BUSY : RK_SYSTEM;
}

/* Reads back what the kernel has bound, for a port that was 0. */
static void read_address(struct listener *listener)
{
    struct sockaddr_storage storage = {0};
    int length = sizeof(storage);
    if (listener->socket.handle.type != UV_TCP ||
        uv_tcp_getsockname(&listener->socket.tcp, (struct sockaddr *)&storage, &length) != 0)
        return;
    struct address *address = &listener->address;
    if (storage.ss_family == AF_INET6) {
        struct sockaddr_in6 number;
        memcpy(&number, &storage, sizeof(number));
        address->kind = ADDRESS_IPV6;
        address->port = ntohs(number.sin6_port);
        (void)uv_ip6_name(&number, address->host, sizeof(address->host));
    } else {
        struct sockaddr_in number;
        memcpy(&number, &storage, sizeof(number));
        address->kind = ADDRESS_IPV4;
        address->port = ntohs(number.sin_port);
        (void)uv_ip4_name(&number, address->host, sizeof(address->host));
    }
}

/* A socket file of a server that is gone must be removed; one that answers must not. */
static bool is_stale(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(address.sun_path))
        return false;
    memcpy(address.sun_path, path, strlen(path));
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    const bool is_refused =
        connect(file, (const struct sockaddr *)&address, sizeof(address)) != 0 &&
        errno == ECONNREFUSED;
    (void)close(file);
    return is_refused;
}

static int bind_unix(struct listener *listener, const char *path)
{
    const int answer = uv_pipe_bind(&listener->socket.pipe, path);
    if (answer != UV_EADDRINUSE || !is_stale(path) || unlink(path) != 0)
        return answer;
    return uv_pipe_bind(&listener->socket.pipe, path);
}

static void prepare(struct listener *listener, struct connections *connections)
{
    *listener = (struct listener){.connections = connections};
}

enum rk_status listener_open(struct listener *listener, uv_loop_t *loop,
                             struct connections *connections, const struct address *address,
                             int *out_error)
{
    struct sockaddr_storage storage;
    prepare(listener, connections);
    listener->address = *address;
    int answer = 0;
    if (address->kind == ADDRESS_UNIX) {
        answer = uv_pipe_init(loop, &listener->socket.pipe, 0);
        REQUIRE(answer == 0);
        answer = bind_unix(listener, address->host);
    } else {
        answer = uv_tcp_init(loop, &listener->socket.tcp);
        REQUIRE(answer == 0);
        REQUIRE(address_socket(address, &storage) == RK_OK);
        /* An IPv6 address means just that, so that "0.0.0.0" and "[::]" can stand side by side. */
        answer = uv_tcp_bind(&listener->socket.tcp, (const struct sockaddr *)&storage,
                             address->kind == ADDRESS_IPV6 ? UV_TCP_IPV6ONLY : 0);
    }
    listener->socket.handle.data = listener;
    enum rk_status status = RK_OK;
    if (answer == 0) {
        status = listen_now(listener, out_error);
    } else {
        *out_error = answer;
        status = answer == UV_EADDRINUSE ? RK_BUSY : RK_SYSTEM;
    }
    if (status == RK_OK)
        read_address(listener);
    else
        uv_close(&listener->socket.handle, NULL);
    return status;
}

enum rk_status listener_adopt(struct listener *listener, uv_loop_t *loop,
                              struct connections *connections, int descriptor, int *out_error)
{
    struct sockaddr_storage storage = {0};
    socklen_t length = sizeof(storage);
    prepare(listener, connections);
    if (getsockname(descriptor, (struct sockaddr *)&storage, &length) != 0) {
        *out_error = UV_EINVAL;
        return RK_SYSTEM;
    }
    int answer = 0;
    if (storage.ss_family == AF_UNIX) {
        struct sockaddr_un name;
        memcpy(&name, &storage, sizeof(name));
        listener->address.kind = ADDRESS_UNIX;
        memcpy(listener->address.host, name.sun_path, sizeof(listener->address.host) - 1);
        answer = uv_pipe_init(loop, &listener->socket.pipe, 0);
        REQUIRE(answer == 0);
        answer = uv_pipe_open(&listener->socket.pipe, descriptor);
    } else {
        answer = uv_tcp_init(loop, &listener->socket.tcp);
        REQUIRE(answer == 0);
        answer = uv_tcp_open(&listener->socket.tcp, descriptor);
    }
    listener->socket.handle.data = listener;
    enum rk_status status = RK_SYSTEM;
    if (answer == 0)
        status = listen_now(listener, out_error);
    else
        *out_error = answer;
    if (status == RK_OK)
        read_address(listener);
    else
        uv_close(&listener->socket.handle, NULL);
    return status;
}

void listener_close(struct listener *listener)
{
    if (!listener->is_open)
        return;
    listener->is_open = false;
    uv_close(&listener->socket.handle, NULL);
}
