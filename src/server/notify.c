#include "server/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/text.h"

void notify_open(struct notify *notify)
{
    const char *path = getenv("NOTIFY_SOCKET");
    *notify = (struct notify){.file = -1, .address.sun_family = AF_UNIX};
    if (path == NULL || (path[0] != '/' && path[0] != '@') ||
        strlen(path) >= sizeof(notify->address.sun_path))
        return;
    memcpy(notify->address.sun_path, path, strlen(path));
    if (path[0] == '@')
        notify->address.sun_path[0] = '\0'; /* Abstract. */
    notify->length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    notify->file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

bool notify_send(const struct notify *notify, const char *state)
{
    if (notify->file < 0)
        return true;
    const ssize_t sent = sendto(notify->file, state, strlen(state), MSG_NOSIGNAL | MSG_DONTWAIT,
                                (const struct sockaddr *)&notify->address, notify->length);
    return sent >= 0 || (errno != EAGAIN && errno != ENOBUFS);
}

void notify_close(struct notify *notify)
{
    if (notify->file >= 0)
        (void)close(notify->file);
    notify->file = -1;
}

/* Whether the variable is unset or names this process. */
static bool is_for_us(const char *name)
{
    const char *process = getenv(name);
    int64_t number = 0;
    return process == NULL ||
           (number_parse(slice_of(process), 0, INT64_MAX, &number) == NUMBER_OK &&
            number == getpid());
}

int64_t notify_watchdog_us(void)
{
    const char *period = getenv("WATCHDOG_USEC");
    int64_t number = 0;
    if (period == NULL || !is_for_us("WATCHDOG_PID") ||
        number_parse(slice_of(period), 1, INT64_MAX, &number) != NUMBER_OK)
        return 0;
    return number;
}

uint32_t notify_sockets(void)
{
    const char *count = getenv("LISTEN_FDS");
    int64_t number = 0;
    if (count == NULL || getenv("LISTEN_PID") == NULL || !is_for_us("LISTEN_PID") ||
        number_parse(slice_of(count), 0, LISTENERS_MAX, &number) == NUMBER_NONE)
        return 0;
    return (uint32_t)(number < 0 ? 0 : number);
}
