/* server/line.h: who waits for a search, and whose turn it is.
 * Two lanes: requests on a clock go before open ones. In a lane addresses take turns: the second
 * request of one address stands behind the first of each other, whoever came when. A client waits
 * for one search at a time, and there is a place for each client: nobody can fill the line.
 * Thread: loop. */
#ifndef SERVER_LINE_H
#define SERVER_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "rookery/engine.h"

enum lane_kind { LANE_CLOCK, LANE_OPEN, LANE_COUNT };

/* A client's place in line: a cache line, since all who wait are looked at often. */
struct waiting {
    struct rk_request *request; /* A copy, with its own copy of the game. */
    uint64_t key;               /* demand_key of it. */
    uint32_t client;
    uint32_t address;
    enum lane_kind lane;
    bool is_here;        /* It waits: else nothing here means anything. */
    bool is_stopped;     /* Its client wants the verdict now. */
    uint32_t told_place; /* What its client has been told, and when. */
    int64_t told_us;
    int64_t due_us; /* When it must be rescued, INT64_MAX: never. */
    uint64_t turn;  /* A lane is sorted by it. */
};

struct lane {
    uint64_t round;       /* The turn that is being served. */
    uint64_t highest;     /* Turn given so far. */
    uint64_t *last_turns; /* Of each address; those below `round` mean nothing. */
    uint32_t count;
    uint32_t *clients; /* Next in turn first. */
};

struct line {
    uint32_t clients_max;
    uint32_t clock_run;     /* Served on a clock in a row while open ones waited. */
    uint32_t stopped_count; /* Who want the verdict now. */
    uint64_t changes;    /* So often has anything in it changed: what was found out may be kept. */
    struct waiting *all; /* One for each client; as these, */
    struct rk_request *requests; /* of which a page costs nothing until it is used. */
    char *games;
    struct lane lanes[LANE_COUNT];
};

/* Clients and addresses are numbers below clients_max. RK_NO_MEMORY. */
enum rk_status line_create(struct line *line, uint32_t clients_max);
void line_destroy(struct line *line);

uint32_t line_count(const struct line *line);
struct waiting *line_of(const struct line *line, uint32_t client); /* NULL: does not wait. */
/* 1 for the next in line. */
uint32_t line_place(const struct line *line, const struct waiting *waiting);
/* Who stands at `place`, 1 to line_count. */
struct waiting *line_at(const struct line *line, uint32_t place);

/* The first place from `place` on whose client wants just this search and has not stopped; 0: none.
 * Who leaves there moves nobody from before it to behind it. */
uint32_t line_find_same(const struct line *line, const struct rk_request *request, uint32_t place);

/* The client must not wait already. */
void line_enter(struct line *line, uint32_t client, uint32_t address,
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
