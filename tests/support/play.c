/* play: plays conversation scripts with a program or with a server.
 *
 *   play [--split SEED] [--connect HOST:PORT] SCRIPT... [-- COMMAND ARGUMENT...]
 *
 * Each script gets a conversation of its own: a new process, or a new connection. With --split the
 * bytes sent are cut at random points. Exit status 0 when every script was played to its end. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "support/script.h"

enum { US_PER_MS = 1000, EXIT_USAGE = 2, EXIT_NO_COMMAND = 127, RADIX = 10 };

struct conversation {
    int in_fd, out_fd; /* The engine's input and output; the same for a socket. */
    pid_t pid;         /* 0 for a socket. */
    size_t length, read;
    char buffer[OUTPUT_BYTES_MAX];
};

static bool wire_send(void *context, const char *bytes, size_t length)
{
    const struct conversation *conversation = context;
    while (length > 0) {
        const ssize_t count = write(conversation->in_fd, bytes, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes += count;
        length -= (size_t)count;
    }
    return true;
}

static void wire_close_input(void *context)
{
    struct conversation *conversation = context;
    if (conversation->pid == 0) {
        (void)shutdown(conversation->in_fd, SHUT_WR);
    } else if (conversation->in_fd >= 0) {
        (void)close(conversation->in_fd);
        conversation->in_fd = -1;
    }
}

/* Moves a whole line out of the buffer. */
static bool take_line(struct conversation *conversation, char *out_line, size_t capacity)
{
    const char *start = conversation->buffer + conversation->read;
    const size_t waiting = conversation->length - conversation->read;
    const char *end = memchr(start, '\n', waiting);
    if (end == NULL) {
        memmove(conversation->buffer, start, waiting);
        conversation->length = waiting;
        conversation->read = 0;
        return false;
    }
    const size_t length = (size_t)(end - start);
    const size_t kept = length < capacity ? length : capacity - 1;
    memcpy(out_line, start, kept);
    out_line[kept] = '\0';
    conversation->read += length + 1;
    return true;
}

static enum script_got wire_receive(void *context, int64_t wait_ms, char *out_line, size_t capacity)
{
    struct conversation *conversation = context;
    const int64_t deadline_us = clock_now_us() + wait_ms * US_PER_MS;
    while (!take_line(conversation, out_line, capacity)) {
        const int64_t left_us = deadline_us - clock_now_us();
        struct pollfd source = {.fd = conversation->out_fd, .events = POLLIN};
        const int ready =
            poll(&source, 1, left_us > 0 ? (int)((left_us + US_PER_MS - 1) / US_PER_MS) : 0);
        if (ready == 0)
            return SCRIPT_SILENCE;
        if (ready < 0)
            continue;
        const ssize_t count =
            read(conversation->out_fd, conversation->buffer + conversation->length,
                 sizeof conversation->buffer - conversation->length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return SCRIPT_END;
        conversation->length += (size_t)count;
    }
    return SCRIPT_LINE;
}

static void wire_wait(void *context, int64_t wait_ms)
{
    (void)context;
    (void)poll(NULL, 0, (int)wait_ms);
}

/* ---- the two kinds of engine ---- */

static bool open_process(struct conversation *conversation, char **command)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        return false;
    const pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(to[0], STDIN_FILENO);
        (void)dup2(from[1], STDOUT_FILENO);
        (void)signal(SIGPIPE, SIG_DFL);
        (void)execvp(command[0], command);
        _exit(EXIT_NO_COMMAND);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    conversation->in_fd = to[1];
    conversation->out_fd = from[0];
    conversation->pid = pid;
    return pid > 0;
}

/* False when the program failed. */
static bool close_process(struct conversation *conversation)
{
    if (conversation->in_fd >= 0)
        (void)close(conversation->in_fd);
    (void)close(conversation->out_fd);
    int status = 0;
    while (waitpid(conversation->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool open_socket(struct conversation *conversation, const char *address)
{
    char host[256];
    const char *colon = strrchr(address, ':');
    if (colon == NULL || (size_t)(colon - address) >= sizeof host)
        return false;
    memcpy(host, address, (size_t)(colon - address));
    host[colon - address] = '\0';
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0)
        return false;
    int fd = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, found->ai_protocol);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
        (void)close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    const int on = 1; /* Pieces of a segment cut at random travel alone. */
    if (fd >= 0)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    conversation->in_fd = conversation->out_fd = fd;
    return fd >= 0;
}

static bool play_one(const char *path, const char *address, char **command, uint64_t split_seed)
{
    static struct conversation conversation;
    conversation = (struct conversation){.in_fd = -1, .out_fd = -1};
    const bool is_open = address != NULL ? open_socket(&conversation, address)
                                         : open_process(&conversation, command);
    if (!is_open) {
        (void)fprintf(stderr, "play: no conversation: %s\n", strerror(errno));
        return false;
    }
    const struct script_peer peer = {.context = &conversation,
                                     .send = wire_send,
                                     .close_input = wire_close_input,
                                     .receive = wire_receive,
                                     .wait = wire_wait};
    struct script_failure failure;
    bool is_fine = script_play(path, &peer, split_seed, &failure);
    if (!is_fine)
        (void)fprintf(stderr, "%s:%u: %s\n", path, failure.line, failure.message);
    if (address != NULL) {
        (void)close(conversation.in_fd);
    } else if (!close_process(&conversation)) {
        (void)fprintf(stderr, "%s: the program failed\n", path);
        is_fine = false;
    }
    return is_fine;
}

int main(int count, char **words)
{
    const char *address = NULL;
    uint64_t split_seed = 0;
    int first = 1;
    while (first + 1 < count && strncmp(words[first], "--", 2) == 0 && words[first][2] != '\0') {
        if (strcmp(words[first], "--connect") == 0)
            address = words[first + 1];
        else if (strcmp(words[first], "--split") == 0)
            split_seed = strtoull(words[first + 1], NULL, RADIX);
        else
            break;
        first += 2;
    }
    int end = first;
    while (end < count && strcmp(words[end], "--") != 0)
        end++;
    char **command = end + 1 < count ? words + end + 1 : NULL;
    if (end == first || (address == NULL) == (command == NULL)) {
        (void)fprintf(stderr, "usage: play [--split SEED] [--connect HOST:PORT] SCRIPT... "
                              "[-- COMMAND ARGUMENT...]\n");
        return EXIT_USAGE;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    int failed = 0;
    for (int i = first; i < end; i++)
        failed += !play_one(words[i], address, command, split_seed);
    (void)printf("%d scripts, %d failed\n", end - first, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
