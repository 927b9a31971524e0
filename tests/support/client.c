#include "support/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"

static int connect_unix(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(name.sun_path))
        return -1;
    memcpy(name.sun_path, path, strlen(path));
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file >= 0 && connect(file, (const struct sockaddr *)&name, sizeof(name)) == 0)
        return file;
    if (file >= 0)
        (void)close(file);
    return -1;
}

static int connect_tcp(const char *address)
{
    char host[64] = {0};
    const char *colon = strrchr(address, ':');
    const bool is_v6 = address[0] == '[';
    if (colon == NULL || (size_t)(colon - address) >= sizeof(host))
        return -1;
    const size_t length = (size_t)(colon - address) - (is_v6 ? 2 : 0);
    memcpy(host, address + (is_v6 ? 1 : 0), length);
    const uint16_t port = htons((uint16_t)strtoul(colon + 1, NULL, 10));
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = port};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = port};
    const int family = is_v6 ? AF_INET6 : AF_INET;
    if (inet_pton(family, host, is_v6 ? (void *)&six.sin6_addr : (void *)&four.sin_addr) != 1)
        return -1;
    const int file = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct sockaddr *name =
        is_v6 ? (const struct sockaddr *)&six : (const struct sockaddr *)&four;
    if (file >= 0 && connect(file, name, is_v6 ? sizeof(six) : sizeof(four)) == 0) {
        const int on = 1;
        (void)setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        return file;
    }
    if (file >= 0)
        (void)close(file);
    return -1;
}

bool client_connect(struct client *client, const char *address)
{
    client->start = client->end = 0;
    client->file =
        strncmp(address, "unix:", 5) == 0 ? connect_unix(address + 5) : connect_tcp(address);
    return client->file >= 0;
}

void client_close(struct client *client)
{
    if (client->file >= 0)
        (void)close(client->file);
    client->file = -1;
}

void client_reset(struct client *client)
{
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(client->file, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    client_close(client);
}

void client_half_close(struct client *client) { (void)shutdown(client->file, SHUT_WR); }

bool client_send_bytes(struct client *client, const void *bytes, size_t length)
{
    const char *at = bytes;
    while (length > 0) {
        const ssize_t sent = send(client->file, at, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        at += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool client_send(struct client *client, const char *text)
{
    return client_send_bytes(client, text, strlen(text));
}

bool client_send_split(struct client *client, const char *text, uint64_t *random)
{
    enum { PIECE_MAX = 7 };
    size_t left = strlen(text);
    while (left > 0) {
        size_t piece = 1 + (size_t)random_below(random, PIECE_MAX);
        piece = piece > left ? left : piece;
        if (!client_send_bytes(client, text, piece))
            return false;
        text += piece;
        left -= piece;
    }
    return true;
}

/* Waits for bytes. 1: some came, 0: the end of the stream or an error, -1: none in time. */
static int receive(struct client *client, int64_t deadline_us)
{
    const int64_t left_us = deadline_us - clock_now_us();
    struct pollfd question = {.fd = client->file, .events = POLLIN};
    if (poll(&question, 1, left_us > 0 ? (int)(left_us / 1000) + 1 : 0) <= 0)
        return -1;
    if (client->start > 0) {
        memmove(client->bytes, client->bytes + client->start, client->end - client->start);
        client->end -= client->start;
        client->start = 0;
    }
    const ssize_t count =
        recv(client->file, client->bytes + client->end, sizeof(client->bytes) - client->end, 0);
    if (count <= 0)
        return 0;
    client->end += (size_t)count;
    return 1;
}

const char *client_line(struct client *client, int patience_ms)
{
    const int64_t deadline_us = clock_now_us() + (int64_t)patience_ms * 1000;
    for (;;) {
        const char *start = client->bytes + client->start;
        const char *found = memchr(start, '\n', client->end - client->start);
        if (found != NULL) {
            const size_t length = (size_t)(found - start);
            if (length >= sizeof(client->line))
                return NULL;
            memcpy(client->line, start, length);
            client->line[length] = '\0';
            client->start += length + 1;
            return client->line;
        }
        if (receive(client, deadline_us) <= 0)
            return NULL;
    }
}

const char *client_wait(struct client *client, const char *start)
{
    const char *line = NULL;
    do
        line = client_line(client, CLIENT_PATIENCE_MS);
    while (line != NULL && strncmp(line, start, strlen(start)) != 0);
    return line;
}

const char *client_ask(struct client *client, const char *text, const char *start)
{
    return client_send(client, text) ? client_wait(client, start) : NULL;
}

bool client_is_ended(struct client *client)
{
    const int64_t deadline_us = clock_now_us() + (int64_t)CLIENT_PATIENCE_MS * 1000;
    int answer = 1;
    while (answer > 0) {
        client->start = client->end = 0;
        answer = receive(client, deadline_us);
    }
    return answer == 0;
}

bool client_is_silent(struct client *client, int ms)
{
    struct pollfd question = {.fd = client->file, .events = POLLIN};
    return client->start == client->end && poll(&question, 1, ms) == 0;
}
