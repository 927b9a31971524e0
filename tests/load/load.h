/* load/load.h: a run: the plan, the server, the clients and what was seen, on one loop.
 * Thread: one. */
#ifndef TESTS_LOAD_LOAD_H
#define TESTS_LOAD_LOAD_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "load/house.h"
#include "load/plan.h"
#include "load/tally.h"

struct peer;

struct load {
    uv_loop_t loop;
    uv_timer_t tick;
    struct plan plan;
    struct tally tally;
    struct house house;
    struct sockaddr_in address;
    struct peer *peers;
    int64_t start_us;
    int64_t end_us;
    bool is_ending;     /* No new conversations; those that run come to their end. */
    int64_t tick_us;    /* When the clients were last looked at, */
    int64_t own_lag_us; /* and by how much that was late at worst: the machine's doing. */
    struct house_size before, half, after;
    bool has_half;
};

#endif
