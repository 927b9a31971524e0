/* engine/worker.h: one search thread's own world: all that it may write.
 * The search calls out through `hooks` alone, so it knows no crew, no core and no clock.
 * Thread: its own; fields marked relaxed are read by others. */
#ifndef ENGINE_WORKER_H
#define ENGINE_WORKER_H

#include <stdatomic.h>

#include "chess/game.h"
#include "chess/movegen.h"
#include "engine/eval.h"
#include "engine/history.h"
#include "engine/table.h"
#include "engine/timing.h"
#include "rookery/engine.h"

struct worker;

/* What a search asks of whoever runs it. */
struct worker_hooks {
    /* Every NODES_PER_CLOCK_CHECK nodes, and when the worker's own node limit is reached (it has
     * been obeyed by then). May wait for a core; sets worker->stopped to end the search. */
    void (*check)(struct worker *worker);
    /* One line of an iteration (leader; NULL for helpers). ticket, nodes of the crew, time are the
     * hook's to fill. */
    void (*line)(struct worker *worker, struct rk_report *report);
    /* An iteration has ended: `outcome` and `facts` tell of it. True: search no deeper (soft
     * limit). */
    bool (*iteration)(struct worker *worker);
    void *context;
};

struct root_move {
    move_t move;
    int rank;      /* What tablebases say, see rank.h: greater ones are searched alone, first. */
    score_t known; /* What they prove it to be worth, or SCORE_NONE. */
    score_t score; /* Of the iteration under way; -SCORE_INFINITE when not searched in it. */
    score_t previous_score; /* Of the iteration before. */
    score_t told;           /* Of the last complete iteration; SCORE_NONE when it was in no line. */
    score_t average;        /* Smoothed over iterations, the aspiration window's middle. */
    bound_t bound;
    depth_t depth; /* Of the last exact score. */
    uint16_t selective;
    uint64_t effort; /* Nodes below it in this search. */
    uint16_t pv_count;
    move_t pv[RK_PV_MAX];
};

/* What is known of one ply of the line that is being searched. */
struct frame {
    move_t move;                  /* Made at this ply; MOVE_NONE: the turn was passed. */
    piece_t piece;                /* That made it. */
    move_t excluded;              /* Singular search leaves it out. */
    bitboard_t attacked;          /* By the opponent of the side to move. */
    score_t eval;                 /* Static and corrected; SCORE_NONE in check. */
    continuation_t *continuation; /* What follows `move`; NULL after a null move. */
    uint16_t since_null;          /* Plies since a null move: repetitions reach back no further. */
    uint16_t cutoffs;             /* Of its children. */
    uint16_t extensions;          /* Double ones on the way here. */
    depth_t reduction;            /* Plies by which the child is being searched less deeply. */
    uint16_t pv_count;
    move_t pv[PLY_MAX + 1];
};

/* What the search stands by, equal to the first line of the block reported last. */
struct outcome {
    move_t best, ponder; /* MOVE_NONE when not known. */
    score_t score;
    depth_t depth; /* 0: nothing has been found yet. */
};

enum { FRAMES_BEFORE = 8 }; /* So that plies before the root can be looked at without a test. */

struct worker {
    /* Set by who starts the search, before iterate_prepare(). */
    struct worker_hooks hooks;
    struct table *table;
    struct memory *memory;
    struct rk_game game; /* The root and its past. */
    struct rk_limits limits;
    zkey_t salt;
    unsigned index; /* 0: leader; helpers from 1: they search other depths. */
    unsigned multipv;
    unsigned elo;         /* 0: full strength. */
    uint64_t seed;        /* For the choices of a weak player. */
    struct timing timing; /* Leader's. */

    /* The search's own. */
    struct outcome outcome;
    struct timing_facts facts;  /* Of the iteration that ended last. */
    bool stopped;               /* Unwind: scores are worthless from here on. */
    bool stop_waits;            /* A stop that came before the first block was told. */
    bool is_part;               /* searchmoves: not all root moves are searched. */
    zkey_t key_mask;            /* Salt and past, spread over 64 bits. */
    zkey_t root_key;            /* What the table knows the root by. */
    score_t root_raw;           /* Its evaluation, SCORE_NONE in check. */
    uint64_t check_at;          /* nodes at which `check` is due, or the node limit. */
    _Atomic uint64_t nodes;     /* Moves made. relaxed: load, add, store by the worker alone. */
    _Atomic uint32_t selective; /* Deepest ply. relaxed */
    depth_t root_depth;
    depth_t completed_depth; /* Last iteration that ended. */
    int root_count;
    int line_count; /* Root moves that get an exact score: multipv, or what a weak player needs. */
    int pv_index;   /* Which MultiPV line is being searched. */
    int null_move_ply;            /* Verification: no null move above this ply. */
    unsigned tablebase_men;       /* Positions of so many men are looked up; 0: none. */
    depth_t tablebase_depth;      /* From this depth on, when they are so many. */
    bool tablebase_ignores_fifty; /* A win too late for the fifty-move rule counts as one. */
    uint64_t tablebase_hits;      /* Positions that were known. */
    struct root_move root_moves[MOVES_MAX];
    int key_count; /* Keys of the game's past; after them the line's, by ply. */
    zkey_t keys[KEYS_MAX + PLY_MAX + 8];
    struct frame frames_all[FRAMES_BEFORE + PLY_MAX + 8];
    struct evaluator evaluator; /* Its network is set by who owns the worker. */
};

/* ply from -FRAMES_BEFORE. */
static inline struct frame *worker_frame(struct worker *worker, int ply)
{
    return &worker->frames_all[FRAMES_BEFORE + ply];
}
static inline uint64_t worker_nodes(const struct worker *worker)
{
    return atomic_load_explicit(&worker->nodes, memory_order_relaxed);
}

/* The node limit, then the hook. A stop is kept waiting until the first line is there. */
void worker_check(struct worker *worker);

/* A move is about to be made. */
static inline void worker_count_node(struct worker *worker)
{
    const uint64_t nodes = worker_nodes(worker) + 1;
    atomic_store_explicit(&worker->nodes, nodes, memory_order_relaxed);
    if (nodes >= worker->check_at)
        worker_check(worker);
}

#endif
