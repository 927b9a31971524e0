#include "app/remote.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "app/arguments.h"
#include "app/command.h"

enum { HOST_BYTES_MAX = 256, PORT_BYTES_MAX = 32, PORT_MAX = 65535, CONNECT_MS_MAX = 5000 };

static const char PORT_DEFAULT[] = "9824";

static bool copy_part(const char *from, size_t length, size_t size, char *out_text)
{
    if (length == 0 || length >= size)
        return false;
    memcpy(out_text, from, length);
    out_text[length] = '\0';
    return true;
}

static bool address_split(const char *address, char out_host[HOST_BYTES_MAX],
                          char out_port[PORT_BYTES_MAX])
{
    const char *port = PORT_DEFAULT;
    size_t host_length = strlen(address);
    if (*address == '[') {
        const char *bracket = strchr(address, ']');
        if (bracket == NULL || (bracket[1] != '\0' && bracket[1] != ':'))
            return false;
        if (bracket[1] == ':')
            port = bracket + 2;
        address++;
        host_length = (size_t)(bracket - address);
    } else {
        const char *colon = strrchr(address, ':');
        if (colon != NULL &&
            strchr(address, ':') == colon) { /* More colons: a bare IPv6 address. */
            port = colon + 1;
            host_length = (size_t)(colon - address);
        }
    }
    return copy_part(address, host_length, HOST_BYTES_MAX, out_host) &&
           copy_part(port, strlen(port), PORT_BYTES_MAX, out_port);
}

/* A connected socket that does not block, or -1 and errno. */
static int socket_connect(int family, const struct sockaddr *address, socklen_t length)
{
    const int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    int error = connect(fd, address, length) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
        struct pollfd wait = {.fd = fd, .events = POLLOUT};
        socklen_t error_length = sizeof error;
        if (poll(&wait, 1, CONNECT_MS_MAX) == 0)
            error = ETIMEDOUT;
        else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_length) != 0)
            error = errno;
    }
    if (error == 0)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

static int path_connect(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!copy_part(path, strlen(path), sizeof address.sun_path, address.sun_path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return socket_connect(AF_UNIX, (const struct sockaddr *)&address, sizeof address);
}

static int host_connect(const struct addrinfo *found)
{
    int fd = -1;
    for (; found != NULL && fd < 0; found = found->ai_next)
        fd = socket_connect(found->ai_family, found->ai_addr, found->ai_addrlen);
    const int on = 1;
    if (fd >= 0) /* A command is a few bytes that somebody waits for. */
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

/* Why, and what to do about it. */
static int fail_to_connect(const char *address, int error)
{
    const bool is_nobody_there = error == ECONNREFUSED || error == ENOENT;
    fprintf(stderr, "rookery connect: %s: %s; %s\n", address, strerror(error),
            is_nobody_there ? "start rookeryd there, or try again once it says that it is ready"
                            : "is the address right, and is there a way to it?");
    return EXIT_FAILED;
}

int remote_connect(const char *address, int *out_socket)
{
    int fd;
    uint64_t number;
    if (strchr(address, '/') != NULL) {
        fd = path_connect(address);
    } else {
        char host[HOST_BYTES_MAX];
        char port[PORT_BYTES_MAX];
        if (!address_split(address, host, port)) {
            fprintf(stderr, "rookery connect: '%s' is not HOST:PORT, as in 192.0.2.1:9824\n",
                    address);
            return EXIT_USAGE;
        }
        if (!arguments_number(port, 1, PORT_MAX, &number)) {
            fprintf(stderr, "rookery connect: %s: a port is a number from 1 to %d, not '%s'\n",
                    address, PORT_MAX, port);
            return EXIT_USAGE;
        }
        const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
        struct addrinfo *found;
        const int error = getaddrinfo(host, port, &hints, &found);
        if (error != 0) {
            fprintf(stderr, "rookery connect: %s: %s; is the name of the host right?\n", address,
                    gai_strerror(error));
            return EXIT_FAILED;
        }
        fd = host_connect(found);
        freeaddrinfo(found);
    }
    if (fd < 0)
        return fail_to_connect(address, errno);
    *out_socket = fd;
    return 0;
}
