/* The bridge: a GUI starts it as an engine, the engine is a rookeryd elsewhere.
 *
 * Two one-way pipes, each with one buffer: stdin to socket, socket to stdout. A buffer that is full
 * is not read into, so a slow side slows the other and nothing is lost. When stdin ends the socket
 * is half-closed and what the server still says is passed on. The end is a good one when the GUI
 * asked for it (`quit`, or stdin's end). */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/command.h"
#include "app/remote.h"
#include "base/memory.h"

enum { PIPE_BYTES = 64 * 1024 };

struct pipe {
    int from;
    int to;
    bool has_ended; /* Nothing more comes from `from`. */
    bool has_failed;
    int error; /* errno then. */
    size_t begin;
    size_t end;
    char bytes[PIPE_BYTES];
};

struct bridge {
    struct pipe up;
    struct pipe down;
    bool is_half_closed;
    bool has_quit;      /* The GUI's last whole line was `quit`. */
    size_t word_length; /* Of the line under way; longer than `word` is longer than "quit". */
    char word[8];
};

static void pipe_read(struct pipe *pipe)
{
    const ssize_t count = read(pipe->from, pipe->bytes + pipe->end, sizeof pipe->bytes - pipe->end);
    if (count > 0)
        pipe->end += (size_t)count;
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        pipe->has_ended = true;
}

static void pipe_write(struct pipe *pipe)
{
    const ssize_t count = write(pipe->to, pipe->bytes + pipe->begin, pipe->end - pipe->begin);
    if (count >= 0)
        pipe->begin += (size_t)count;
    else if (errno != EINTR && errno != EAGAIN) {
        pipe->has_failed = true;
        pipe->error = errno;
    }
    if (pipe->begin == pipe->end)
        pipe->begin = pipe->end = 0;
}

/* Remembers whether the last whole line was `quit`. */
static void bridge_watch(struct bridge *bridge, size_t from)
{
    for (size_t i = from; i < bridge->up.end; i++) {
        const char byte = bridge->up.bytes[i];
        if (byte == '\n') {
            bridge->has_quit = bridge->word_length == 4 && memcmp(bridge->word, "quit", 4) == 0;
            bridge->word_length = 0;
        } else if (byte != '\r' && byte != ' ' && byte != '\t') {
            if (bridge->word_length < sizeof bridge->word)
                bridge->word[bridge->word_length++] = byte;
        }
    }
}

/* One wait and what it allows. */
static void bridge_step(struct bridge *bridge)
{
    struct pipe *up = &bridge->up;
    struct pipe *down = &bridge->down;
    struct pollfd waits[] = {
        {.fd = !up->has_ended && up->end < sizeof up->bytes ? up->from : -1, .events = POLLIN},
        {.fd = up->begin < up->end ? up->to : -1, .events = POLLOUT},
        {.fd = !down->has_ended && down->end < sizeof down->bytes ? down->from : -1,
         .events = POLLIN},
        {.fd = down->begin < down->end ? down->to : -1, .events = POLLOUT},
    };
    if (poll(waits, sizeof waits / sizeof waits[0], -1) < 0)
        return;
    if (waits[0].revents != 0) {
        const size_t seen = up->end;
        pipe_read(up);
        bridge_watch(bridge, seen);
    }
    if (waits[1].revents != 0)
        pipe_write(up);
    if (waits[2].revents != 0)
        pipe_read(down);
    if (waits[3].revents != 0)
        pipe_write(down);
}

static int bridge_run(struct bridge *bridge, const char *address)
{
    while (!bridge->down.has_ended || bridge->down.begin < bridge->down.end) {
        bridge_step(bridge);
        if (bridge->down.has_failed)
            return words_lost("connect", bridge->down.error);
        if (bridge->up.has_failed) {
            bridge->up.has_ended = true; /* What the server said last is still worth passing on. */
            bridge->up.begin = bridge->up.end = 0;
        }
        if (bridge->up.has_ended && bridge->up.begin == bridge->up.end && !bridge->is_half_closed) {
            shutdown(bridge->up.to, SHUT_WR);
            bridge->is_half_closed = true;
        }
    }
    if (bridge->has_quit || (bridge->up.has_ended && !bridge->up.has_failed))
        return 0;
    fprintf(stderr, "rookery connect: the connection to %s was lost\n", address);
    return EXIT_FAILED;
}

int command_connect(int count, char **words)
{
    if (count > 1 || (count == 1 && words[0][0] == '-')) {
        fputs("rookery connect: takes one address, as in `rookery connect 192.0.2.1:9824`\n",
              stderr);
        return EXIT_USAGE;
    }
    const char *address = count == 1 ? words[0] : REMOTE_DEFAULT;
    int socket_fd;
    const int exit_status = remote_connect(address, &socket_fd);
    if (exit_status != 0)
        return exit_status;
    struct bridge *bridge = memory_allocate(sizeof *bridge);
    if (bridge == NULL) {
        close(socket_fd);
        return EXIT_FAILED;
    }
    bridge->up.from = STDIN_FILENO;
    bridge->up.to = socket_fd;
    bridge->down.from = socket_fd;
    bridge->down.to = STDOUT_FILENO;
    const int result = bridge_run(bridge, address);
    memory_free(bridge);
    close(socket_fd);
    return result;
}
