/* engine/owner.h: an owner of an engine that holds it to its promises.
 * Each report is checked as it is read: its ticket, the legality of its moves, one verdict after an
 * exact line that agrees with it. Thread: one. */
#ifndef TESTS_ENGINE_OWNER_H
#define TESTS_ENGINE_OWNER_H

#include <semaphore.h>

#include "rookery/engine.h"

enum { OWNER_SEARCHES_MAX = 64 };

/* A search as its owner sees it. */
struct asked {
    rk_ticket_t ticket; /* 0: free. */
    struct rk_game *game;
    bool is_infinite;
    bool may_end; /* Not infinite and not pondering, or stopped, or hit. */
    unsigned lines;
    rk_move_t last_first; /* First move of the newest first line. */
    bool has_exact;
    uint64_t nodes; /* Told last: they never fall. */
};

struct owner {
    struct rk_engine *engine;
    sem_t woken;
    struct asked asked[OWNER_SEARCHES_MAX];
    unsigned running;
    uint64_t ended;         /* Verdicts read. */
    struct rk_report last;  /* The verdict read last. */
    struct rk_report last_line;
    rk_ticket_t last_stale; /* A ticket that has ended. */
};

void owner_init(struct owner *owner, uint32_t searches_max, uint32_t threads, uint32_t table_mib);
void owner_clear(struct owner *owner); /* Whatever still runs is destroyed with the engine. */

/* Starts a search of `fen`, or of request->game, or of the start position. */
rk_ticket_t owner_go(struct owner *owner, struct rk_request *request, const char *fen);
void owner_stop(struct owner *owner, rk_ticket_t ticket);
void owner_ponderhit(struct owner *owner, rk_ticket_t ticket);

/* Reads all that is there. */
void owner_read(struct owner *owner);
/* Reads, asleep between wakes, until no more than `running` searches are left. */
void owner_await(struct owner *owner, unsigned running);

/* Gives way to the workers for a moment. */
void owner_nap(void);

struct rk_request owner_request(void); /* go infinite, by nobody */
struct rk_request owner_movetime(int64_t movetime_ms);

/* A legal position some random moves from the start. */
void owner_random_game(struct rk_game *game, uint64_t *random, unsigned plies_max);

#endif
