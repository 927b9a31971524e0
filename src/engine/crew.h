/* engine/crew.h: who searches what, and on which core.
 * A crew is one leader of its own and helpers from the common pool. All that is said here is
 * written under the engine's one gate, cold; a worker looks at one word of its own, hot.
 * Thread: as each function says. */
#ifndef ENGINE_CREW_H
#define ENGINE_CREW_H

#include <stdalign.h>

#include "base/gate.h"
#include "base/processor.h"
#include "engine/memories.h"
#include "engine/outbox.h"
#include "engine/rows.h"
#include "engine/share.h"
#include "engine/vote.h"
#include "engine/worker.h"

enum {
    CREW_ACCOUNTS = 4, /* Sessions whose account is kept, for each crew there is. */
    CREW_CACHE_LINE = 64,
    CREW_READY_WORDS = (SEARCHES_MAX + 63) / 64
};

/* What a worker is told, in the one word it reads at every check. */
enum core_word {
    CORE_RUN,
    CORE_GATE, /* Something has changed: look at it at the gate. */
    CORE_LEAVE /* End the search. */
};

enum seat_state {
    SEAT_IDLE,
    SEAT_WAITING, /* A leader that wants a core. */
    SEAT_RUNNING, /* Holds a core. */
    SEAT_GIVING   /* Holds a core and has been asked for it. */
};

/* A worker's place in the house: its thread, its bell, its core. */
struct seat {
    alignas(CREW_CACHE_LINE) _Atomic uint32_t core; /* enum core_word. Relaxed. */

    /* Under the gate. */
    alignas(CREW_CACHE_LINE) struct bell bell;
    struct rk_engine *engine;
    struct crew *crew; /* A leader's own; a helper's while lent. */
    enum seat_state state;
    bool is_retired;              /* The thread is to end. */
    bool is_moved;                /* It was told on which processor to wake. */
    uint64_t session;             /* Whose a helper's histories are; 0: nobody's. */
    int64_t since_us;             /* Its slice, or its wait, began. */
    pthread_t thread;             /* The owner's. */
    struct processors processors; /* Set once, before its thread first waits for a core. */

    /* Written by the worker at the end of an iteration, read by its leader. */
    alignas(CREW_CACHE_LINE) _Atomic uint64_t result; /* vote_pack(); release, acquire. */
    _Atomic uint16_t pv_count;                        /* Relaxed, like the moves: they are */
    _Atomic uint16_t pv[RK_PV_MAX];                   /* checked by who reads them. */

    /* The worker's own. */
    alignas(CREW_CACHE_LINE) int64_t slice_end_us;
    uint64_t nodes_told; /* A helper's nodes that its crew has counted. */
    uint64_t tablebase_hits_told;
    struct memory *scratch;    /* A helper's, or a leader's that was lent none. */
    bool is_scratch_fresh;     /* It is to be cleared. */
    struct rk_request request; /* Its copy: the crew's changes at ponderhit, and may be another
                                  before a helper has left. */
    struct worker worker;
};

enum crew_phase {
    CREW_IDLE,
    CREW_SEARCHING,
    CREW_PARKED, /* Nothing is left to search; the verdict waits for stop or ponderhit. */
    CREW_ENDED   /* The verdict is on its way or unread. */
};

/* Under the gate, but where it says otherwise. */
struct crew {
    unsigned index;
    enum crew_phase phase;
    rk_ticket_t ticket;
    struct rk_game game;
    struct rk_request request;

    struct timing timing; /* The leader copies it at the gate. */
    bool is_withheld;     /* No verdict before stop (infinite) or ponderhit. */
    bool is_stopped;
    bool is_held_up;  /* Helpers of the search before have still to leave. */
    bool is_fresh;    /* Its clock has begun to run and it has not had a slice since. */
    bool is_overdue;  /* Its next slice, or this one, is its own: share_overdue. */
    unsigned helpers; /* Lent, those that have been told to leave among them. */
    unsigned staying; /* Lent and not told to leave. */
    unsigned workers_max;
    uint64_t served;  /* Virtual time, see share.h. */
    uint64_t account; /* The session that it is charged to; 0: nobody. */
    int64_t charged_us;
    struct memory *memory; /* Lent, or NULL. */
    bool is_memory_fresh;
    struct seat *leader;
    struct outbox *outbox; /* The leader pushes, the owner pops: without the gate. */

    /* Relaxed; each helper adds its own, at clock checks. */
    alignas(CREW_CACHE_LINE) _Atomic uint64_t helper_nodes;
    alignas(CREW_CACHE_LINE) _Atomic uint64_t helper_tablebase_hits;
};

struct rk_engine {
    struct gate *gate; /* Apart, so that a question may be asked of a const engine. */
    void (*wake)(void *context);
    void *wake_context;
    struct table *table;
    const struct rk_network *network; /* Of all workers. */
    struct rk_network *built_in;      /* The engine's own, or NULL. */

    /* Under the gate. */
    unsigned cores;
    unsigned cores_held;
    unsigned crew_count;
    struct crew **crews;
    unsigned idle_count;
    struct crew **idle; /* A stack. */
    unsigned helper_count;
    struct seat **helpers; /* THREADS_MAX places. */
    unsigned active_count;
    struct crew **active;       /* That search, in the order they came. */
    struct share_claim *claims; /* Of `active`, by index. */
    unsigned account_count;
    struct share_account *accounts; /* Of sessions, beyond their searches. */
    const struct seat *giver;       /* Gives its core and will sleep; NULL but while it deals. */
    uint64_t virtual_now;           /* See share_now. */
    int64_t overdue_us;             /* When one last became overdue. */
    bool is_scarce;                 /* More crews want a core than there are cores. */
    struct memories *memories;
#ifdef ROOKERY_TUNE
    struct rows rows; /* What searches that begin go by. */
#endif
    uint64_t serial;        /* Of the last ticket. */
    uint64_t nodes;         /* Of workers that have ended. */
    struct bell owner_bell; /* Rung when no core is held. */

    /* Outboxes that may hold something, a bit each: set by leaders, cleared by the owner. */
    alignas(CREW_CACHE_LINE) _Atomic uint64_t ready[CREW_READY_WORDS];
    alignas(CREW_CACHE_LINE) unsigned poll_next; /* The owner's: where to look first. */
};

/* The owner's, with the gate locked. */

/* Begins what crew->request asks; the crew is idle. */
void crew_start(struct crew *crew, struct rk_engine *engine, int64_t now_us);
void crew_stop(struct crew *crew, struct rk_engine *engine, int64_t now_us);
void crew_ponderhit(struct crew *crew, struct rk_engine *engine, int64_t arrived_us,
                    int64_t now_us);
/* Its verdict has been read: it is idle, and its core free. */
void crew_read(struct crew *crew, struct rk_engine *engine);

/* A worker's own. */

/* Gate locked: parks the leader until it has a core. */
void crew_await_core(struct seat *seat);
/* The leader's slice is over, or it has been called: gives its core back if another is owed it. */
void crew_visit_gate(struct seat *seat, int64_t now_us);
/* Gate locked: the leader searches no more. Sends its helpers away; true when a helper's line, not
 * yet checked, has won the vote. Returns when the verdict may be told. */
bool crew_end(struct seat *seat, struct root_move *out_line);
/* Gate locked: the verdict has been told. Waits a little for it to be read, then gives back the
 * core, unless crew_read has or the crew has been asked again. */
void crew_rest(struct seat *seat);
/* Gate locked: a helper has ended. */
void crew_part(struct seat *seat);
/* After a push: tells the owner. */
void crew_announce(const struct crew *crew, struct rk_engine *engine);

#endif
