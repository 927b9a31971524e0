/* tests/support/fake_host.h: a session with a world that is all made up: a connection without a
 * socket, a search that knows legal moves and no chess, a clock that only ticks when told to.
 * Deterministic. It watches each line the session sends, and aborts when a promise is broken:
 * exactly one bestmove for each search, an exact score before it, no blank line, one LF a line.
 * Thread: one. */
#ifndef TESTS_SUPPORT_FAKE_HOST_H
#define TESTS_SUPPORT_FAKE_HOST_H

#include "base/limits.h"
#include "rookery/session.h"

enum { FAKE_OUTPUT_BYTES_MAX = 4 * 1024 * 1024 };

struct fake_host {
    struct rk_session *session;
    struct rk_game *game; /* Of the newest request. */
    bool owns_engine;

    /* What the tests may set. */
    enum rk_status go_status; /* Other than RK_OK: no search is started. */
    enum rk_status resize_status, tablebases_status;
    struct rk_tablebases tablebases; /* What opening them tells. */
    char tablebases_path[RK_TABLEBASE_PATH_BYTES_MAX];
    bool sends_bounds;  /* Each block is preceded by a lowerbound line. */
    bool sends_nothing; /* A verdict without any line, which a host must not do. */
    unsigned blocks_per_tick;
    int64_t tick_us;
    uint16_t depth_max; /* After it an open search is silent. */

    /* What happened. */
    unsigned goes, stops, ponderhits, new_games, clears, resizes, opens;
    unsigned bestmoves, readyoks, ucioks, info_strings, info_lines, promises, perft_totals;
    uint32_t table_mib, threads; /* As last resized. */
    struct rk_request request;   /* The newest; its game is `game`. */
    int64_t now_us;

    /* The search. */
    bool is_searching, is_stopped;
    uint16_t depth;
    rk_ticket_t ticket;
    bool has_score; /* An exact score has been sent since the last bestmove. */

    /* The connection. */
    bool is_later; /* The first line of input waits for a verdict. */
    bool has_quit, is_skipping, has_ended;
    size_t input_length;
    char input[LINE_BYTES_MAX + 1];
    size_t output_length, output_read;
    char output[FAKE_OUTPUT_BYTES_MAX];
};

/* owns_engine as in rk_session_options; 64 MiB, 4 threads, 2 a search. */
struct fake_host *fake_host_create(bool owns_engine);
void fake_host_destroy(struct fake_host *fake);
/* As after create: a fresh conversation, all counters zero. */
void fake_host_reset(struct fake_host *fake);

/* Bytes from the client, in any pieces. */
void fake_host_receive(struct fake_host *fake, const char *bytes, size_t length);
/* A line and its LF. */
void fake_host_line(struct fake_host *fake, const char *line);
void fake_host_end_of_input(struct fake_host *fake);

/* One tick of the clock: a search that runs reports the next depth, or its verdict. */
void fake_host_tick(struct fake_host *fake);
void fake_host_tick_until_idle(struct fake_host *fake);

/* The next line of output without its LF, or NULL; it stays valid until the next call. */
const char *fake_host_read(struct fake_host *fake);

#endif
