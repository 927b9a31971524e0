/* load/peer.h: one client: a socket, a ledger, and a behaviour that decides what is said.
 * A conversation runs from connect to close; then the behaviour may have another. A fault ends a
 * conversation, since what is owed is no longer known.
 * Thread: one. */
#ifndef TESTS_LOAD_PEER_H
#define TESTS_LOAD_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "load/ledger.h"
#include "load/load.h"
#include "load/place.h"

enum { PEER_IN_BYTES = 16 * 1024, PEER_OUT_BYTES = 128 * 1024 };

/* What a client of a kind does. Each may be NULL: nothing. */
struct behaviour {
    void (*begin)(struct peer *peer); /* Connected; nothing has been said. */
    void (*on_event)(struct peer *peer, enum ledger_event event);
    void (*on_time)(struct peer *peer); /* peer_wait is over. */
    void (*on_room)(struct peer *peer); /* All that was said has gone out. */
    bool may_end;                       /* The server may end the conversation. */
    uint32_t patience;                  /* Times the usual one; 0: 1. */
    int receive_bytes;                  /* SO_RCVBUF; 0: the kernel's choice. */
};

enum peer_phase {
    PEER_AWAY, /* No socket; perhaps a pause before the next conversation. */
    PEER_CONNECTING,
    PEER_TALKING,
    PEER_QUITTING, /* quit is sent, or the stream half closed: the server ends it. */
    PEER_CLOSING
};

enum peer_leave { LEAVE_CLOSE, LEAVE_RESET };

struct peer {
    struct load *load;
    const struct behaviour *behaviour;
    enum behaviour_id id;
    uint32_t index;
    uint64_t random;
    enum peer_phase phase;
    uv_tcp_t socket;
    uv_connect_t connect;
    uv_write_t write;
    uv_shutdown_t shutdown;
    uv_timer_t timer;
    bool is_writing, is_reading, is_finishing, wants_shutdown, is_at_pause;
    bool is_foreign; /* Asked in another language, so the answer may be in it; nothing is judged. */
    int64_t began_us; /* Of this conversation, until uciok. */
    int64_t quit_us;
    int64_t pause_ms; /* Before the next one. */
    int64_t ping_us;  /* A measured isready is under way. */
    size_t in_used, out_used, out_sending;
    size_t read_most; /* Bytes at once; 0: as many as there are. */
    struct ledger ledger;
    struct place place;
    /* The behaviour's own. */
    int step;
    uint32_t left;
    int64_t clock_us[2];
    uint32_t lines;
    bool chess960, wdl, is_limited;
    char in[PEER_IN_BYTES];
    char out[PEER_OUT_BYTES];
};

enum rk_status peer_create(struct peer *peer, struct load *load, enum behaviour_id id,
                           uint32_t index);
void peer_destroy(struct peer *peer); /* Its handles are closed. */

void peer_connect(struct peer *peer);
/* The run is over: what is owed is waited for, then quit. */
void peer_finish(struct peer *peer);
void peer_close_handles(struct peer *peer);
/* Called now and then: faults what is overdue. */
void peer_look(struct peer *peer, int64_t now_us);

/* -- For behaviours ---- */

/* 0 to bound - 1, of the client's own sequence. */
uint64_t peer_draw(struct peer *peer, uint64_t bound);
size_t peer_room(const struct peer *peer);
/* Goes out when the behaviour's function returns. At most what peer_room says. */
__attribute__((format(printf, 2, 3))) void peer_say(struct peer *peer, const char *format, ...);
void peer_say_bytes(struct peer *peer, const void *bytes, size_t length);

void peer_uci(struct peer *peer);
void peer_ping(struct peer *peer); /* isready, measured when nothing can hold it up. */
void peer_stop(struct peer *peer);
void peer_say_place(struct peer *peer);
/* What is asked about peer->place with the options that stand; change it before peer_go. */
struct question peer_question(const struct peer *peer);
/* `words` come after "go". */
__attribute__((format(printf, 3, 4))) void
peer_go(struct peer *peer, const struct question *question, const char *words, ...);

void peer_wait(struct peer *peer, uint64_t ms); /* on_time is called once. */
void peer_read(struct peer *peer, bool is_reading);
/* Ends the conversation; another begins after a pause. */
void peer_leave(struct peer *peer, enum peer_leave how, uint64_t pause_ms);
/* Nothing more will be said: the server answers what it owes, then ends the conversation. */
void peer_half_close(struct peer *peer, uint64_t pause_ms);
/* The server broke a promise; ends the conversation. */
void peer_fault(struct peer *peer, const char *what);

#endif
