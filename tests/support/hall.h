/* support/hall.h: a client of a house that has no thread, and more when a test wants them: the loop
 * turns when the test says so, and the test says what time it is. Thread: the test's. */
#ifndef TESTS_SUPPORT_HALL_H
#define TESTS_SUPPORT_HALL_H

#include "server/connections.h"
#include "support/client.h"

struct hall {
    uv_loop_t loop;
    struct rk_engine *engine;
    struct scheduler scheduler;
    struct connections connections;
    struct connection *connection; /* The client's. */
    struct client client;
};

void hall_open(struct hall *hall);
void hall_close(struct hall *hall);
/* One client more, 7 at most; closing it is the caller's. */
void hall_admit(struct hall *hall, struct client *out_client);

/* What the client has sent is read, and lies in the connection's input. */
void hall_read(struct hall *hall);
/* All that was read is done, and what is answered is sent. */
void hall_work(struct hall *hall);
/* Both, again and again, until nothing is left. */
void hall_turn(struct hall *hall);

#endif
