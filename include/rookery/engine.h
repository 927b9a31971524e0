/* rookery/engine.h: searches. Many at once, over one table, on a bounded number of cores.
 * Reports are polled by the owner; nothing calls back but `wake`, which says "come and poll".
 * Thread: one owner for all calls but where a line says otherwise. Create and destroy block, and
 * those whose line says so. */
#ifndef ROOKERY_ENGINE_H
#define ROOKERY_ENGINE_H

#include "rookery/game.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RK_PV_MAX                  128 /* Moves of a principal variation that a report carries. */
#define RK_SEARCHMOVES_MAX         RK_MOVES_MAX
#define RK_SEARCHES_MAX            1024
#define RK_THREADS_MAX             1024
#define RK_ELO_MIN                 1000 /* Ratings that can be played at. */
#define RK_ELO_MAX                 2800
#define RK_TABLE_MIB_MAX           33554432u /* 32 TiB, as wide as the field announces it. */
#define RK_NETWORK_ERROR_BYTES_MAX 256

struct rk_engine;
struct rk_network; /* A trained evaluation, read from a file. It does not change. */
typedef uint64_t
    rk_ticket_t; /* Names one search, never reused, 0 is none. Travels by value in each report. */

struct rk_engine_options {
    size_t size;           /* sizeof(struct rk_engine_options) */
    uint32_t searches_max; /* Searches at once, each with its own leader. 1 to RK_SEARCHES_MAX */
    uint32_t threads;      /* Cores to use; spare ones are lent as helpers. 1 to RK_THREADS_MAX */
    uint32_t table_mib;    /* At least 1. */
    uint32_t memories_max; /* Sessions whose histories are kept; 0: as many as searches_max. One
                              that leaves a search others watch begins anew until it ends. */
    void (*wake)(void *context); /* Any thread: "come and poll". Must not block. May be NULL. */
    void *wake_context;
    const struct rk_network *network; /* Evaluates; must outlive the engine. NULL: what is built
                                         in. */
};

/* What ends a search; with zero everywhere the last depth there is. Times are milliseconds. */
struct rk_limits {
    bool has_clock[2]; /* White, Black: wtime or btime was given. */
    bool has_movetime;
    bool infinite; /* The verdict waits for rk_engine_stop, even when nothing is left to search. */
    bool ponder;   /* As infinite until rk_engine_ponderhit, which starts the clock. */
    int64_t time_ms[2]; /* May be zero or negative: answer at once. */
    int64_t inc_ms[2];
    int64_t movetime_ms;
    uint32_t moves_to_go;  /* 0: the whole game. */
    uint32_t depth;        /* 0: none. */
    uint64_t nodes;        /* 0: none. Exact on one thread. */
    uint32_t mate;         /* 0: none. Stop at a mate in so many moves. */
    uint32_t overhead_ms;  /* Move Overhead: kept back from a clock, not from movetime. */
    uint32_t clock_max_ms; /* However much is on the clock, no move takes longer; 0: no limit. */
};

struct rk_request {
    size_t size;                /* sizeof(struct rk_request) */
    const struct rk_game *game; /* Copied by rk_engine_start. */
    struct rk_limits limits;
    int64_t arrived_us; /* rk_now_us() when the line arrived: waiting is thinking. 0: now. */
    uint64_t session;   /* Whose histories; 0: nobody's, cleared each time. */
    uint64_t salt;      /* 0 for everyone; another value sees and makes other table entries. */
    uint32_t multipv;   /* 0 and 1: one line. */
    uint32_t threads;   /* At most so many workers on it; 0: as many as there are. */
    uint32_t elo;       /* 0: full strength; else a rating to play at, RK_ELO_MIN to RK_ELO_MAX. */
    uint32_t perft_depth;       /* 0: search; else count leaves and report RK_REPORT_PERFT... */
    uint32_t tablebase_men_max; /* Positions of more men are not looked up in tablebases; 0: as many
                                   as the tablebases have; 1: no position is. */
    uint32_t tablebase_depth;   /* Positions of the most men are looked up from this depth on. */
    bool tablebase_ignores_fifty; /* A win too late for the fifty-move rule counts as one. */
    bool has_searchmoves;         /* Search only `searchmoves`; none of them: no move. */
    uint16_t searchmove_count;
    rk_move_t searchmoves[RK_SEARCHMOVES_MAX];
};

enum rk_report_kind {
    RK_REPORT_LINE = 1,   /* One line of an iteration: depth, score, pv. */
    RK_REPORT_VERDICT,    /* The end: best_move, ponder_move. Exactly one a ticket, after its last
                             line. */
    RK_REPORT_PERFT_MOVE, /* best_move and nodes below it. */
    RK_REPORT_PERFT_TOTAL /* nodes; ends a ticket in the place of a verdict. */
};
enum rk_bound { RK_BOUND_EXACT, RK_BOUND_LOWER, RK_BOUND_UPPER };

struct rk_report {
    rk_ticket_t ticket;
    enum rk_report_kind kind;
    enum rk_bound bound;
    bool is_mate;   /* score is a mate in `score` moves (negative: being mated, 0: mated now). */
    bool block_end; /* Last line of its depth's block (MultiPV). */
    int32_t score;  /* Centipawns or moves, from the side to move. */
    uint16_t depth;
    uint16_t depth_selective;
    uint16_t multipv;  /* 1 and up. */
    uint16_t hashfull; /* Parts of 1000. */
    uint16_t wdl[3];   /* Win, draw, loss, parts of 1000, adding up to 1000. */
    uint16_t pv_count;
    uint64_t nodes;
    uint64_t tb_hits;
    uint64_t time_us;      /* Since arrived_us. */
    rk_move_t best_move;   /* Verdict: RK_MOVE_NONE when there is no legal (or no allowed) move. */
    rk_move_t ponder_move; /* Verdict: RK_MOVE_NONE when none is known. */
    rk_move_t pv[RK_PV_MAX];
};

/* Reads a network's file (docs/network.md). Any thread. On failure out_error says what is wrong
 * with it: RK_BAD_ARGUMENT (no network, or broken), RK_SYSTEM (it cannot be read), RK_NO_MEMORY. */
RK_API enum rk_status rk_network_load(const char *path, struct rk_network **out_network,
                                      char out_error[RK_NETWORK_ERROR_BYTES_MAX]);
RK_API void rk_network_unload(struct rk_network *network); /* NULL is fine. */
/* What its maker says of it. */
RK_API const char *rk_network_description(const struct rk_network *network);

/* Allocates everything and starts the threads. Blocks. RK_NO_MEMORY, RK_SYSTEM, RK_BAD_ARGUMENT. */
RK_API enum rk_status rk_engine_create(const struct rk_engine_options *options,
                                       struct rk_engine **out_engine);

/* Stops everything, joins the threads. Blocks. `wake` is not called after it returns. */
RK_API void rk_engine_destroy(struct rk_engine *engine);

/* RK_BUSY: no idle crew. RK_BAD_ARGUMENT. On RK_OK the ticket has exactly one verdict coming, and
 * at least one exact RK_REPORT_LINE before it. */
RK_API enum rk_status rk_engine_start(struct rk_engine *engine, const struct rk_request *request,
                                      rk_ticket_t *out_ticket);

/* Asks for the verdict now. Harmless for a ticket that has ended. */
RK_API void rk_engine_stop(struct rk_engine *engine, rk_ticket_t ticket);

/* The pondered move was played: its clock starts at arrived_us. Harmless for a ticket that has
 * ended. */
RK_API void rk_engine_ponderhit(struct rk_engine *engine, rk_ticket_t ticket, int64_t arrived_us);

/* Takes one report; false when there is none. After `wake`, poll until false: wakes coalesce. */
RK_API bool rk_engine_poll(struct rk_engine *engine, struct rk_report *out_report);

/* A session's histories start afresh with its next search. Never touches the table. */
RK_API void rk_engine_forget(struct rk_engine *engine, uint64_t session);

/* For an owner alone on its table: empties it, with all threads. RK_BUSY while a search runs.
 * Blocks. */
RK_API enum rk_status rk_engine_clear(struct rk_engine *engine);

/* Another size or number of cores: RK_BUSY while a search runs, RK_NO_MEMORY keeps the old ones.
 * Blocks. */
RK_API enum rk_status rk_engine_resize(struct rk_engine *engine, uint32_t table_mib,
                                       uint32_t threads);

/* ---- Syzygy tablebases ---- */

#define RK_TABLEBASE_PATH_BYTES_MAX   4096
#define RK_TABLEBASE_FAULTS_BYTES_MAX 4096

struct rk_tablebases {
    uint32_t men;         /* The most men of a position that is known; 0: nothing is open. */
    uint32_t results;     /* Tables of wins, draws and losses in use (.rtbw). */
    uint32_t distances;   /* Tables of distances in use (.rtbz). */
    uint32_t fault_count; /* Folders and files that are not used. */
    char faults[RK_TABLEBASE_FAULTS_BYTES_MAX]; /* What is wrong with them: a line each with its LF,
                                                   as many as fit. */
};

/* Opens the tablebases in the folders of `path`, parted by ':', in the place of those that were
 * open; an empty path opens none. There is one set a process, whatever engines there are, and it
 * stays until another is opened: the last call stands. What is missing or broken is told, and the
 * rest used. RK_BUSY, and nothing has changed, while a search of any engine runs; `engine` (may be
 * NULL) is waited for when it is at rest and its helpers are on their way out. RK_BAD_ARGUMENT: the
 * path is too long. RK_NO_TABLEBASES. Blocks; stdout and stderr are turned away for a moment, since
 * the library that reads the files prints. */
RK_API enum rk_status rk_tablebases_open(struct rk_engine *engine, const char *path,
                                         struct rk_tablebases *out_tablebases);

/* The static evaluation in centipawns from the side to move, by a network or, with NULL, by what is
 * built in. In check it is defined but tells little: docs/search.md. */
RK_API int32_t rk_evaluate(const struct rk_game *game, const struct rk_network *network);

/* What the engine holds at this moment. */
struct rk_engine_state {
    uint32_t searches; /* Running. */
    uint32_t runners;  /* Workers that hold a core. */
    uint32_t threads;
    uint32_t table_mib;
    uint64_t nodes; /* Since creation. */
};
RK_API void rk_engine_state(const struct rk_engine *engine, struct rk_engine_state *out_state);

/* Microseconds of the monotonic clock that arrived_us is measured by. Any thread. */
RK_API int64_t rk_now_us(void);

#ifdef __cplusplus
}
#endif
#endif
