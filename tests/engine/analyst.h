/* engine/analyst.h: one worker on one thread with its table, for tests of the search.
 * It keeps every line reported and stops where it is told to.
 * Thread: any, one at a time for each analyst. */
#ifndef TESTS_ENGINE_ANALYST_H
#define TESTS_ENGINE_ANALYST_H

#include "engine/iterate.h"

enum { ANALYST_LINES_MAX = 4096 };

struct analyst {
    struct worker *worker;
    struct rk_network *network;
    struct table *table;
    struct memory *memory;
    struct rk_game game;
    struct rk_request request; /* limits, multipv, searchmoves, salt are looked at. */
    uint64_t stop_at_nodes;    /* 0: never. */
    depth_t enough_depth;      /* The iteration hook says enough here. 0: never. */
    unsigned checks, iterations;
    unsigned line_count;
    struct rk_report lines[ANALYST_LINES_MAX];
};

/* A fresh analyst on an empty table of 1 MiB, at the start position. Ends the test on failure. */
struct analyst *analyst_create(void);
void analyst_destroy(struct analyst *analyst);
/* As new: table and histories empty, no limits. */
void analyst_clear(struct analyst *analyst);

/* Ends the test when the FEN is bad or a move (separated by blanks) is illegal. */
void analyst_set(struct analyst *analyst, const char *fen, const char *moves);

/* Searches the position set, after ageing the histories. */
void analyst_search(struct analyst *analyst);
/* The same with a depth and nothing else. */
void analyst_search_depth(struct analyst *analyst, uint32_t depth);

/* The last line reported. */
const struct rk_report *analyst_last(const struct analyst *analyst);
move_t analyst_move(const struct analyst *analyst, const char *text);

/* Ends the test unless each move of the line is legal and the numbers make sense. */
void analyst_check_line(const struct analyst *analyst, const struct rk_report *line);

#endif
