/* rookery/session.h: one UCI conversation. Knows no sockets, no threads, no clock.
 * Lines and reports go in; requests and lines come out through struct rk_host.
 * Thread: one owner for all calls. Nothing blocks, nothing allocates after create. */
#ifndef ROOKERY_SESSION_H
#define ROOKERY_SESSION_H

#include "rookery/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rk_session;

enum rk_weight {
    RK_PROGRESS,     /* May be dropped when the reader is slow: info lines within a block. */
    RK_PROGRESS_END, /* The last line of a block: a block is kept or dropped whole. */
    RK_PROMISE,      /* Must arrive, or the connection ends: readyok, uciok, option lines,
                        info string. */
    RK_ANSWER /* A promise, and with it what was told last becomes one: bestmove and its score. */
};

/* What a session asks of the world. None may block, and none may call the session back.
 * `context` comes first in each call. Any of them may come from within rk_session_line, _report and
 * _end_of_input: a verdict may start the next search. */
struct rk_host {
    void *context;

    /* Start this search; reports for it come back by rk_session_report until its verdict. RK_OK is
     * a promise of exactly one verdict (also when the search waits in line). Anything else: the
     * session answers by itself. The request and the game it points at are only valid during the
     * call, unless the host keeps a copy. */
    enum rk_status (*go)(void *context, const struct rk_request *request);
    void (*stop)(void *context);
    void (*ponderhit)(void *context, int64_t arrived_us);

    /* ucinewgame: forget the histories of `session`. `clear` is true for Clear Hash, too: a host
     * alone on its table clears it, a shared one leaves the table be (the session has taken a new
     * salt). */
    void (*new_game)(void *context, uint64_t session, bool clear);

    /* Hash or Threads was set by a client that owns its engine; NULL when the client does not (a
     * daemon). Called only while no search of this session runs. */
    enum rk_status (*resize)(void *context, uint32_t table_mib, uint32_t threads);

    /* SyzygyPath was set by a client that owns its engine; NULL when the path is the operator's to
     * choose (a daemon). Called only while no search of this session runs. */
    enum rk_status (*open_tablebases)(void *context, const char *path,
                                      struct rk_tablebases *out_tablebases);

    /* One line with its final LF. */
    void (*send)(void *context, const char *line, size_t length, enum rk_weight weight);
};

struct rk_session_options {
    size_t size;      /* sizeof(struct rk_session_options) */
    uint64_t session; /* The number that names its histories; not 0. */
    bool owns_engine; /* Hash and Threads are this client's to set (stdin), or the house's (daemon).
                       */
    uint32_t table_mib;           /* In force, for what is announced and said. */
    uint32_t threads;             /* In force. */
    uint32_t threads_per_search;  /* The most a client may have; 0: threads. */
    uint32_t searches_per_client; /* `go`s taken at once. 1: the one that is searched; else one more
                                     may be pending behind it. */
};

enum rk_take {
    RK_TAKEN, /* The line is done with. */
    RK_LATER, /* Feed the same line again after the next verdict: a `go` must wait its turn, which
                 has been said. Nothing has changed. */
    RK_QUIT /* `quit`: flush what was sent and close. A running search has been stopped; its verdict
               is not needed. */
};

RK_API enum rk_status rk_session_create(const struct rk_host *host,
                                        struct rk_session **out_session);
RK_API void rk_session_destroy(struct rk_session *session);

/* Back to a fresh conversation: options at their defaults, start position, nothing running. */
RK_API void rk_session_reset(struct rk_session *session, const struct rk_session_options *options);

/* One line without its LF (a CR at its end, tabs, blanks are understood; any bytes may stand in
 * it). */
RK_API enum rk_take rk_session_line(struct rk_session *session, const char *line, size_t length,
                                    int64_t now_us);

/* A line that need not wait while one before it must (RK_LATER). Isready and quit may be fed before
 * their turn, once; for a `stop` feed a `stop` of your own each time a line before it must wait,
 * and itself in its turn: it ends every `go` before it. */
enum rk_urgency { RK_URGENCY_NONE, RK_URGENCY_READY, RK_URGENCY_STOP, RK_URGENCY_QUIT };
RK_API enum rk_urgency rk_session_urgency(const char *line, size_t length);

/* A report of this session's search. */
RK_API void rk_session_report(struct rk_session *session, const struct rk_report *report);

/* No more lines will come (half-closed, or stdin at its end). Bounded searches go on to their
 * bestmove; open ones are stopped and answer now. */
RK_API void rk_session_end_of_input(struct rk_session *session);

/* A `go` still owes its bestmove. */
RK_API bool rk_session_is_searching(const struct rk_session *session);

/* The position the next `go` would search. */
RK_API const struct rk_game *rk_session_game(const struct rk_session *session);

/* Says something to the client: "info string " + text, as a promise. Text of one line, cut at 240
 * bytes. */
RK_API void rk_session_say(struct rk_session *session, const char *text);

#ifdef __cplusplus
}
#endif
#endif
