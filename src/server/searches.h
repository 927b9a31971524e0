/* server/searches.h: the searches that run, who watches each, and what each watcher is still to be
 * told. A search keeps its newest whole block of lines; a watcher that is behind is told that block
 * and no older one, so what waits to be told is bounded however many watch.
 * Thread: loop. */
#ifndef SERVER_SEARCHES_H
#define SERVER_SEARCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "rookery/engine.h"

static const uint32_t NOBODY = UINT32_MAX;

/* A client's part in a search, one for each client there can be. */
struct watcher {
    uint32_t search;                /* Its index, or NOBODY: it watches none. */
    uint32_t address;               /* Of the client. */
    uint32_t before, after;         /* Watchers of the same search, in the order they came. */
    uint32_t due_before, due_after; /* Those who have something to be told. */
    uint32_t line_count;            /* Told so far of the block under way. */
    uint64_t told;                  /* The number of the newest news it knows. */
    int64_t end_us;                 /* When its open search is ended for it; INT64_MAX: never. */
    bool is_due;
    bool is_leaving; /* Wants its verdict now. */
};

struct block {
    struct rk_report *lines; /* RK_MOVES_MAX of them. */
    uint32_t count;
};

enum search_phase { SEARCH_FREE, SEARCH_RUNNING, SEARCH_ENDED };

struct search {
    enum search_phase phase;
    rk_ticket_t ticket;
    struct rk_request request; /* With its own copy of the game. */
    struct rk_game *game;
    bool is_rescue;        /* Holds the crew kept free for this; its address does not pay. */
    bool is_stopping;      /* The engine has been asked for the verdict. */
    uint32_t first, last;  /* Watchers. The first one's address pays; it watches longest, or is the
                              longest whose address had room when who paid left. */
    uint32_t stayer_count; /* Watchers that are not leaving. */
    uint64_t news;         /* Number of the newest. */
    uint64_t block_news;   /* Of the newest whole block; 0: none yet. */
    uint64_t bound_news;   /* Of a bound that is newer than it; 0: none. */
    uint32_t newest;       /* Which of the blocks; the other one is coming in. */
    struct block blocks[2];
    struct rk_report bound;
    struct rk_report verdict; /* Once SEARCH_ENDED. */
};

struct searches {
    uint32_t max;
    uint32_t free_count;
    uint32_t *free;
    struct search *all;
    rk_ticket_t *tickets; /* Of each that runs, else 0: together, as every report looks here. */
    uint64_t *keys;       /* demand_key of each that can be joined, else 0. */
    struct rk_report *lines;
    uint32_t clients_max;
    uint32_t per_address; /* An address that pays for so many inherits none it need not; 0: any. */
    struct watcher *watchers;
    uint32_t *paid;        /* Running searches of each address. */
    uint64_t paid_changes; /* So often has one of them changed. */
    uint32_t due_first, due_last;
    uint32_t teller; /* Whose block is under way, or NOBODY. */
};

/* Clients and addresses are numbers below clients_max. RK_NO_MEMORY. */
enum rk_status searches_create(struct searches *searches, uint32_t max, uint32_t clients_max);
void searches_destroy(struct searches *searches);

/* One that this request may join, or NULL. */
struct search *searches_find(const struct searches *searches, const struct rk_request *request);
/* The engine has started it. One must be free. */
struct search *searches_begin(struct searches *searches, rk_ticket_t ticket,
                              const struct rk_request *request, bool is_rescue);
/* The client must watch none. Its first news is what is known. */
void searches_join(struct searches *searches, struct search *search, uint32_t client,
                   uint32_t address, int64_t end_us);

struct search *searches_of(const struct searches *searches, uint32_t client); /* NULL: none. */
struct search *searches_of_ticket(const struct searches *searches, rk_ticket_t ticket);

/* The client wants its verdict. True: nobody else stays, so the search is to be stopped; else it
 * gets the newest there is, as soon as there is a line. */
bool searches_stop(struct searches *searches, uint32_t client);
/* The client is owed nothing any more. True: nobody is left, so the search is to be stopped. */
bool searches_leave(struct searches *searches, uint32_t client);

/* What the engine says of it: a line, or the verdict, which ends it. */
void searches_report(struct searches *searches, struct search *search,
                     const struct rk_report *report);
/* What one watcher is to be told next; a verdict ends its part. Once a watcher's block has begun it
 * is told to its end, and no report must come between. False: all know everything. */
bool searches_tell(struct searches *searches, uint32_t *out_client, struct rk_report *out_report);
bool searches_is_telling(const struct searches *searches); /* A block has begun. */

#endif
