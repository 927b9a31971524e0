/* server/patience.h: how long the house waits for a client: to speak, to read, to close, to come
 * back from wherever it has vanished to.
 * Thread: loop. */
#ifndef SERVER_PATIENCE_H
#define SERVER_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/connection.h"

/* In seconds; 0: for ever. */
struct patience {
    uint32_t hello_s;  /* For the first line. */
    uint32_t idle_s;   /* For the next word while nothing is searched. */
    uint32_t unread_s; /* For the client to take something of what waits for it. */
};

/* For those who are ending or not read from, each TICK_MS. False: there is no more need. */
bool patience_tick(struct connection *connection, int64_t now_us);

/* For everyone, once in SWEEP_TICKS ticks. */
void patience_sweep(struct connection *connection, const struct patience *patience, int64_t now_us);

#endif
