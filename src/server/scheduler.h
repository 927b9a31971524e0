/* server/scheduler.h: which request gets which crew, who waits in line, and who is due.
 * Every request that is taken gets exactly one verdict, whether it runs, waits, or is stopped while
 * it waits. One crew more than searches_max is kept free for a rescue: a request that must be
 * answered while it stands in line gets a short search there.
 * Thread: loop. */
#ifndef SERVER_SCHEDULER_H
#define SERVER_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "rookery/engine.h"

/* One search of the engine, and the client it is for: a ticket is kept by value, so a report of a
 * search that has ended finds nobody. */
struct running {
    rk_ticket_t ticket;
    uint32_t client;
    bool is_open;    /* Ends only by stop. */
    bool is_limited; /* Would end by itself once a pondered move is played. */
    bool is_rescue;  /* Holds the crew kept free for this. */
};

struct waiting {
    struct rk_request request;
    struct rk_game *game; /* The request's own copy. */
    uint32_t client;
    bool is_stopped; /* Its client wants the verdict now. */
    int64_t due_us;  /* When it must be rescued, INT64_MAX: never. */
};

struct scheduler {
    struct rk_engine *engine;
    uint32_t searches_max;
    uint32_t running_count; /* At most searches_max + 1. */
    uint32_t rescue_count;  /* Of these; at most 1. */
    struct running *running;
    uint32_t line_max;
    uint32_t line_count;
    uint32_t pool_free_count;
    struct waiting *pool;       /* line_max of them. */
    uint16_t line[WAITING_MAX]; /* Indexes into the pool, first come first. */
    uint16_t pool_free[WAITING_MAX];
};

/* The engine was created with searches_max + 1. RK_NO_MEMORY. */
enum rk_status scheduler_create(struct scheduler *scheduler, struct rk_engine *engine,
                                uint32_t searches_max, uint32_t line_max);
void scheduler_destroy(struct scheduler *scheduler);

/* A client has at most one request. *out_place is 0 when it runs, else its place in the line.
 * RK_BUSY when the line is full; RK_BAD_ARGUMENT from the engine. */
enum rk_status scheduler_submit(struct scheduler *scheduler, uint32_t client,
                                const struct rk_request *request, uint32_t *out_place);
void scheduler_stop(struct scheduler *scheduler, uint32_t client);
/* The client is gone: its search is stopped, or it leaves the line. True: no verdict will come. */
bool scheduler_leave(struct scheduler *scheduler, uint32_t client);
void scheduler_ponderhit(struct scheduler *scheduler, uint32_t client, int64_t arrived_us);

/* All that run and all that stand in line. */
void scheduler_stop_all(struct scheduler *scheduler);
/* Whether only a stop would end this client's search. */
bool scheduler_is_open(const struct scheduler *scheduler, uint32_t client);

/* Takes one report and tells whose it is; starts who waits when a crew is free. Poll until
 * false. */
bool scheduler_poll(struct scheduler *scheduler, int64_t now_us, struct rk_report *out_report,
                    uint32_t *out_client);
/* When scheduler_poll has a rescue to start though nothing was reported; INT64_MAX: never. */
int64_t scheduler_due_us(const struct scheduler *scheduler);

#endif
