/* server/line.h: who waits for a search, and whose turn it is.
 * Two lanes: requests on a clock go before open ones. In a lane addresses take turns: the second
 * request of one address stands behind the first of each other, whoever came when.
 * Thread: loop. */
#ifndef SERVER_LINE_H
#define SERVER_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "rookery/engine.h"

enum lane_kind { LANE_CLOCK, LANE_OPEN, LANE_COUNT };

struct waiting {
    struct rk_request request;
    struct rk_game *game; /* The request's own copy. */
    uint32_t client;
    uint32_t address;
    enum lane_kind lane;
    bool is_stopped;     /* Its client wants the verdict now. */
    int64_t due_us;      /* When it must be rescued, INT64_MAX: never. */
    uint64_t turn;       /* A lane is sorted by it. */
    uint32_t told_place; /* What its client has been told, and when. */
    int64_t told_us;
};

struct lane {
    uint64_t round;       /* The turn that is being served. */
    uint64_t highest;     /* Turn given so far. */
    uint64_t *last_turns; /* Of each address; those below `round` mean nothing. */
    uint32_t count;
    uint16_t *indexes; /* Into the pool, next in turn first. */
};

struct line {
    uint32_t max;       /* At most WAITING_MAX. */
    uint32_t open_max;  /* Of these, for requests on no clock. */
    uint32_t clock_run; /* Served on a clock in a row while open ones waited. */
    uint64_t changes;   /* So often has anything in it changed: what was found out may be kept. */
    uint32_t free_count;
    uint16_t free[WAITING_MAX];
    struct waiting *pool;
    uint16_t *by_client; /* Its index in the pool, or LINE_NOBODY. */
    struct lane lanes[LANE_COUNT];
};

enum { LINE_NOBODY = UINT16_MAX };

/* Clients and addresses are numbers below clients_max. RK_NO_MEMORY. */
enum rk_status line_create(struct line *line, uint32_t clients_max, uint32_t max);
void line_destroy(struct line *line);

uint32_t line_count(const struct line *line);
struct waiting *line_of(const struct line *line, uint32_t client); /* NULL: does not wait. */
/* 1 for the next in line. */
uint32_t line_place(const struct line *line, const struct waiting *waiting);
/* Who stands at `place`, 1 to line_count. */
struct waiting *line_at(const struct line *line, uint32_t place);

/* Whoever stands in the pool at `index`, in no order; NULL: nobody. For looking at all of them
 * while some leave. */
struct waiting *line_slot(const struct line *line, uint32_t index);

/* The client must not wait already. RK_BUSY: the line is full. */
enum rk_status line_enter(struct line *line, uint32_t client, uint32_t address,
                          const struct rk_request *request);
/* Its turn was served, or not: then those of its address move up. */
void line_leave(struct line *line, struct waiting *waiting, bool is_served);
/* Its client wants the verdict now. */
void line_stop(struct line *line, struct waiting *waiting);
/* The pondered move was played: on a clock from now on. */
void line_ponderhit(struct line *line, struct waiting *waiting, int64_t arrived_us);

/* The next whose address has fewer than `most` of counts[address] (0: no limit); NULL: nobody. */
struct waiting *line_next(const struct line *line, const uint32_t *counts, uint32_t most);
/* The first that must be answered now, stopped or due; *out_count is how many must. */
struct waiting *line_due(const struct line *line, int64_t now_us, uint32_t *out_count);
/* When line_due has somebody; INT64_MAX: never. */
int64_t line_due_us(const struct line *line);

#endif
