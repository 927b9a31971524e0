/* server/scheduler.h: which request gets which crew, who watches whose search, who waits in line,
 * and who is due.
 * Every request that is taken gets exactly one verdict, whether it runs, joins a search that runs
 * already, waits, or is stopped while it waits; only who has left gets none. One crew more than
 * searches_max is kept free for a rescue: a request that must be answered while it stands in line
 * gets a short search there.
 * Thread: loop. */
#ifndef SERVER_SCHEDULER_H
#define SERVER_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/line.h"
#include "server/searches.h"

struct scheduler_options {
    uint32_t clients_max;          /* Clients and addresses are numbers below it. */
    uint32_t searches_max;         /* At once; the engine was created with one more. */
    uint32_t searches_per_address; /* At once; more wait in line. 0: no limit. */
    uint32_t infinite_max_s;       /* How long a search without a clock may run; 0: no limit. */
};

struct scheduler {
    struct rk_engine *engine;
    struct scheduler_options options;
    struct searches searches;
    struct line line;
    uint32_t crew_count;   /* Busy, but for rescues; at most searches_max. */
    struct search *rescue; /* NULL: none. */
    uint32_t tells_left;   /* Watchers to be told before the engine is asked again. */
    int64_t due_us;        /* Of the line as it was when it had changed so often. */
    uint64_t due_changes;
    uint64_t stuck_changes; /* Nobody in line could start when so much had changed. */
    uint32_t place_next;    /* In line, whose client is to be told of it; 0: none. */
    int64_t place_us;       /* When that began. */
};

enum notice_kind {
    NOTICE_REPORT,
    NOTICE_QUEUED,    /* Its place in line has changed. */
    NOTICE_OVERLOADED /* Its clock ran out in line: a short search is all it gets. */
};

/* What a client is to be told. */
struct notice {
    enum notice_kind kind;
    uint32_t client;
    uint32_t place;          /* NOTICE_QUEUED: 1 is next. */
    struct rk_report report; /* NOTICE_REPORT. */
};

/* RK_NO_MEMORY. */
enum rk_status scheduler_create(struct scheduler *scheduler, struct rk_engine *engine,
                                const struct scheduler_options *options);
void scheduler_destroy(struct scheduler *scheduler);

/* A client has at most one request. *out_place is 0 when it runs, else its place in the line.
 * RK_BAD_ARGUMENT from the engine; never RK_BUSY. */
enum rk_status scheduler_submit(struct scheduler *scheduler, uint32_t client, uint32_t address,
                                const struct rk_request *request, uint32_t *out_place);
/* Whether searches_per_address keeps an address from one more. */
bool scheduler_is_at_limit(const struct scheduler *scheduler, uint32_t address);
void scheduler_stop(struct scheduler *scheduler, uint32_t client);
/* The client is gone: no verdict will come. A search that nobody watches any more is stopped. */
void scheduler_leave(struct scheduler *scheduler, uint32_t client);
void scheduler_ponderhit(struct scheduler *scheduler, uint32_t client, int64_t arrived_us);

/* All that run and all that stand in line. */
void scheduler_stop_all(struct scheduler *scheduler);
/* Whether only a stop would end this client's search. */
bool scheduler_is_open(const struct scheduler *scheduler, uint32_t client);

/* Takes one notice; starts who waits when a crew is free. Poll until false. */
bool scheduler_poll(struct scheduler *scheduler, int64_t now_us, struct notice *out_notice);
/* When scheduler_poll has a rescue to start though nothing was reported; INT64_MAX: never. */
int64_t scheduler_due_us(struct scheduler *scheduler);
/* Now and then: ends what has run for infinite_max_s; new places in line become notices. */
void scheduler_tick(struct scheduler *scheduler, int64_t now_us);

#endif
