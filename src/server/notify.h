/* server/notify.h: tells the service manager how we are, without a library of its own.
 * Protocol: sd_notify(3), datagrams to the unix socket that NOTIFY_SOCKET names.
 * Thread: loop. */
#ifndef SERVER_NOTIFY_H
#define SERVER_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Opened once: the watchdog must be heard while clients hold every descriptor. */
struct notify {
    int file; /* -1: nobody asked. */
    socklen_t length;
    struct sockaddr_un address;
};

void notify_open(struct notify *notify);
void notify_close(struct notify *notify);

/* "READY=1", "STOPPING=1", "WATCHDOG=1", more lines parted by LF. False: the manager's queue is
 * full, and it may hear the same later. Nothing happens when nobody asked; a manager that cannot be
 * reached is no reason to try again, and one that does not read none to wait. */
bool notify_send(const struct notify *notify, const char *state);

/* How often the manager wants to hear WATCHDOG=1 at least; 0: never. */
int64_t notify_watchdog_us(void);

/* How many listening sockets the manager has passed (sd_listen_fds(3)); the first is
 * NOTIFY_SOCKET_FIRST. */
enum { NOTIFY_SOCKET_FIRST = 3 };
uint32_t notify_sockets(void);

#endif
