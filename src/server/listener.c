/* Clients are accepted here and not by libuv, which would close without a word those for whom there
 * is no descriptor. The spare one is given up to accept such a client and tell it why; when even
 * that fails the listener rests until the next tick, as the kernel would wake it at once, again and
 * again. */
#include "server/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"

enum {
    BACKLOG = 1024,
    NONE = -1,
    TELL_US = 10000000 /* The log hears of those turned away, or made to wait, every ten seconds. */
};

/* -- Arrivals --------------------------------------------------------------------------------- */

/* `told_us` is when it was told last, 0: never. */
static bool may_tell(int64_t told_us, int64_t now_us)
{
    return told_us == 0 || now_us - told_us >= TELL_US;
}

/* What the log does not take is told another time. */
static void tell_log(struct listener *listener, const char *why)
{
    const int64_t now_us = clock_now_us();
    listener->refused_count++;
    if (!may_tell(listener->refused_us, now_us) ||
        !log_write(LOG_WARNING, "clients turned away: %u; %s", listener->refused_count, why))
        return;
    listener->refused_us = now_us;
    listener->refused_count = 0;
}

static const char FULL[] = "info string the server is full, please try again later\n";
static const char CROWDED[] =
    "info string too many connections from your address, please close one or try again later\n";

/* A fresh socket takes so few bytes. What the client has sent is read, lest the kernel answer with
 * a reset that could overtake the words. */
static void turn_away(struct listener *listener, int file, const char *words, const char *why)
{
    char unread[LINE_BYTES_INLINE];
    (void)send(file, words, strlen(words), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)recv(file, unread, sizeof(unread), MSG_DONTWAIT);
    (void)close(file);
    tell_log(listener, why);
}

static void open_spare(struct listener *listener)
{
    if (listener->spare == NONE)
        listener->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void rest(struct listener *listener)
{
    (void)uv_poll_stop(&listener->poll);
    listener->is_resting = true;
}

/* They stay in the kernel's queue meanwhile. */
static void rest_before_clients(struct listener *listener, const char *why)
{
    const int64_t now_us = clock_now_us();
    if (may_tell(listener->rested_us, now_us) &&
        log_write(LOG_WARNING, "clients wait to be let in: %s", why))
        listener->rested_us = now_us;
    rest(listener);
}

/* Where it came from is told now: of one that is gone already nobody could tell later. */
static int accept_one(const struct listener *listener, struct sockaddr_storage *out_from)
{
    socklen_t length = sizeof(*out_from);
    return accept4(listener->file, (struct sockaddr *)out_from, &length,
                   SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static const char *why_no_file(int error)
{
    return error == ENFILE ? "the system has no file descriptor left (fs.file-max)"
                           : "no file descriptor is left (RLIMIT_NOFILE, LimitNOFILE=)";
}

/* No descriptor is left, which the kernel says even when nobody waits. False: rests. */
static bool turn_away_by_spare(struct listener *listener, int error)
{
    struct sockaddr_storage from;
    int file = NONE;
    if (listener->spare != NONE) {
        (void)close(listener->spare);
        listener->spare = NONE;
        file = accept_one(listener, &from);
        error = file == NONE ? errno : error;
    }
    if (file != NONE)
        turn_away(listener, file, FULL, why_no_file(error));
    open_spare(listener);
    if (file != NONE && listener->spare != NONE)
        return true;
    if (file == NONE && error != EAGAIN)
        rest_before_clients(listener, why_no_file(error));
    else
        rest(listener);
    return false;
}

/* False: no more now. One who comes as another leaves finds the place free a turn later. */
static bool take_arrival(struct listener *listener)
{
    if (connections_wait_for_one(listener->connections))
        return false;
    struct sockaddr_storage from = {0};
    const int file = accept_one(listener, &from);
    const bool is_unix = listener->address.kind == ADDRESS_UNIX;
    if (file == NONE) {
        const int error = errno;
        if (error == EMFILE || error == ENFILE)
            return turn_away_by_spare(listener, error);
        if (error == ENOBUFS || error == ENOMEM)
            rest_before_clients(listener, strerror(error));
        return error == EINTR || error == ECONNABORTED;
    }
    const char *why = NULL;
    if (connections_admit(listener->connections, file,
                          is_unix ? NULL : (const struct sockaddr *)&from, &why) == RK_BUSY)
        turn_away(listener, file, connections_are_full(listener->connections) ? FULL : CROWDED,
                  why);
    return true;
}

static void on_arrival(uv_poll_t *poll, int status, int events)
{
    struct listener *listener = poll->data;
    (void)status;
    (void)events;
    listener->is_called = true;
}

void listener_admit(struct listener *listener)
{
    const bool is_called = listener->is_called && listener->file != NONE;
    listener->is_called = false;
    for (int i = 0; is_called && i < ARRIVALS_PER_TURN_MAX && take_arrival(listener); i++)
        continue;
}

void listener_tick(struct listener *listener)
{
    if (!listener->is_resting)
        return;
    listener->is_resting = false;
    open_spare(listener);
    (void)uv_poll_start(&listener->poll, UV_READABLE, on_arrival);
}

/* -- Opening ---------------------------------------------------------------------------------- */

/* Reads back what the kernel has bound, for a port that was 0. */
static void read_address(struct listener *listener)
{
    struct sockaddr_storage storage = {0};
    socklen_t length = sizeof(storage);
    struct address *address = &listener->address;
    if (getsockname(listener->file, (struct sockaddr *)&storage, &length) != 0)
        return;
    if (storage.ss_family == AF_INET6) {
        struct sockaddr_in6 number;
        memcpy(&number, &storage, sizeof(number));
        address->kind = ADDRESS_IPV6;
        address->port = ntohs(number.sin6_port);
        (void)uv_ip6_name(&number, address->host, sizeof(address->host));
    } else if (storage.ss_family == AF_INET) {
        struct sockaddr_in number;
        memcpy(&number, &storage, sizeof(number));
        address->kind = ADDRESS_IPV4;
        address->port = ntohs(number.sin_port);
        (void)uv_ip4_name(&number, address->host, sizeof(address->host));
    } else {
        struct sockaddr_un name;
        memcpy(&name, &storage, sizeof(name));
        address->kind = ADDRESS_UNIX;
        memcpy(address->host, name.sun_path, sizeof(address->host) - 1);
        struct stat facts;
        if (lstat(address->host, &facts) == 0) {
            listener->device = facts.st_dev;
            listener->inode = facts.st_ino;
        }
    }
}

/* A socket file of a server that is gone must be removed; one that answers, or is too busy to, must
 * not, and nothing that is no socket. */
static bool is_stale(const struct sockaddr_un *name)
{
    struct stat facts;
    if (lstat(name->sun_path, &facts) != 0 || !S_ISSOCK(facts.st_mode))
        return false;
    const int file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    const bool is_refused =
        connect(file, (const struct sockaddr *)name, sizeof(*name)) != 0 && errno == ECONNREFUSED;
    (void)close(file);
    return is_refused;
}

/* The three that bind return 0 or libuv's number of what went wrong. */
static int bind_unix(int file, const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof(name.sun_path))
        return UV_ENAMETOOLONG;
    memcpy(name.sun_path, path, strlen(path));
    if (bind(file, (const struct sockaddr *)&name, sizeof(name)) == 0)
        return 0;
    const int error = errno;
    if (error != EADDRINUSE || !is_stale(&name) || unlink(path) != 0)
        return uv_translate_sys_error(error);
    return bind(file, (const struct sockaddr *)&name, sizeof(name)) == 0
               ? 0
               : uv_translate_sys_error(errno);
}

static int bind_tcp(int file, const struct address *address)
{
    const int on = 1;
    struct sockaddr_storage storage;
    REQUIRE(address_socket(address, &storage) == RK_OK);
    /* Not held up by connections of a server that has just ended. */
    (void)setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    /* An IPv6 address means just that, so that "0.0.0.0" and "[::]" can stand side by side. */
    if (address->kind == ADDRESS_IPV6)
        (void)setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
    const socklen_t length =
        address->kind == ADDRESS_IPV6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    return bind(file, (const struct sockaddr *)&storage, length) == 0
               ? 0
               : uv_translate_sys_error(errno);
}

static int bind_and_listen(int file, const struct address *address)
{
    const int answer =
        address->kind == ADDRESS_UNIX ? bind_unix(file, address->host) : bind_tcp(file, address);
    if (answer != 0)
        return answer;
    return listen(file, BACKLOG) == 0 ? 0 : uv_translate_sys_error(errno);
}

static void start(struct listener *listener, uv_loop_t *loop, int file)
{
    listener->file = file;
    listener->spare = NONE;
    open_spare(listener);
    read_address(listener);
    REQUIRE(uv_poll_init(loop, &listener->poll, file) == 0);
    listener->poll.data = listener;
    REQUIRE(uv_poll_start(&listener->poll, UV_READABLE, on_arrival) == 0);
}

enum rk_status listener_open(struct listener *listener, uv_loop_t *loop,
                             struct connections *connections, const struct address *address,
                             int *out_error)
{
    static const int FAMILIES[] = {
        [ADDRESS_IPV4] = AF_INET, [ADDRESS_IPV6] = AF_INET6, [ADDRESS_UNIX] = AF_UNIX};
    *listener = (struct listener){.connections = connections, .address = *address, .is_own = true};
    const int file = socket(FAMILIES[address->kind], SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int answer = file < 0 ? uv_translate_sys_error(errno) : bind_and_listen(file, address);
    if (answer == 0) {
        start(listener, loop, file);
        return RK_OK;
    }
    if (file >= 0)
        (void)close(file);
    *out_error = answer;
    return answer == UV_EADDRINUSE ? RK_BUSY : RK_SYSTEM;
}

enum rk_status listener_adopt(struct listener *listener, uv_loop_t *loop,
                              struct connections *connections, int descriptor, int *out_error)
{
    int listens = 0;
    socklen_t length = sizeof(listens);
    *listener = (struct listener){.connections = connections};
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 || listens == 0) {
        *out_error = UV_EINVAL;
        return RK_SYSTEM;
    }
    start(listener, loop, descriptor);
    return RK_OK;
}

/* Another server may have its own there by now. */
static bool is_own_file(const struct listener *listener)
{
    struct stat facts;
    return listener->address.kind == ADDRESS_UNIX && lstat(listener->address.host, &facts) == 0 &&
           facts.st_dev == listener->device && facts.st_ino == listener->inode;
}

void listener_close(struct listener *listener)
{
    if (listener->file == NONE)
        return;
    uv_close((uv_handle_t *)&listener->poll, NULL);
    (void)close(listener->file);
    if (listener->spare != NONE)
        (void)close(listener->spare);
    listener->file = listener->spare = NONE;
    listener->is_resting = false;
    if (listener->is_own && is_own_file(listener))
        (void)unlink(listener->address.host);
}
