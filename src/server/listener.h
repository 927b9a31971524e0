/* server/listener.h: one address at which clients arrive.
 * Who cannot be served, because the house is full or the process has no descriptor left, gets one
 * line that says so, and the end of the stream.
 * Thread: loop. */
#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

#include "server/address.h"
#include "server/connections.h"

struct listener {
    uv_poll_t poll;
    struct connections *connections;
    struct address address; /* As bound: with its port. */
    int file;               /* -1: closed. */
    int spare;              /* A descriptor to give up for one client that is turned away. */
    bool is_own;            /* Not passed by the service manager: its socket file is ours. */
    dev_t device;           /* Which file that is, */
    ino_t inode;            /* whatever has its name later. */
    bool is_called;         /* Somebody waits to be accepted. */
    bool is_resting;        /* Until the next tick: the kernel has no descriptor. */
    uint32_t refused_count; /* Not yet told in the log. */
    int64_t refused_us;     /* When the log was told of them, */
    int64_t rested_us;      /* and of a rest, last; 0: never. */
};

/* RK_BUSY: somebody else listens there. RK_SYSTEM: *out_error is libuv's number. */
enum rk_status listener_open(struct listener *listener, uv_loop_t *loop,
                             struct connections *connections, const struct address *address,
                             int *out_error);
/* A socket that is bound and listens already, from the service manager. */
enum rk_status listener_adopt(struct listener *listener, uv_loop_t *loop,
                              struct connections *connections, int descriptor, int *out_error);
/* Accepts those who have come. Once a turn, when what the same poll has told of those who left is
 * done: one who comes back at once finds its place free. */
void listener_admit(struct listener *listener);
/* Each TICK_MS: one that rests tries again. */
void listener_tick(struct listener *listener);
void listener_close(struct listener *listener);

#endif
