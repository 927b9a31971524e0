/* engine/walks.h: many positions for a property to hold in: random walks from known starts.
 * Thread: the test's. */
#ifndef TESTS_ENGINE_WALKS_H
#define TESTS_ENGINE_WALKS_H

#include <string.h>

#include <check.h>

#include "base/random.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/movegen.h"

/* Openings, checks, pins, en passant, promotions on all sides, many queens, Chess960. */
static const char *const WALK_STARTS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1",
    "8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9",
    "2k4r/pp3pp1/4p3/1P1rP3/1nPpNP2/6Pp/1P5P/2KR3R b - c3 0 1",
    "4k3/8/8/8/7b/8/4r3/4K3 w - - 0 1"};

enum { WALK_START_COUNT = sizeof WALK_STARTS / sizeof *WALK_STARTS };

/* Also makes the rules ready. */
static inline void walk_begin(struct position *out_position, unsigned start)
{
    chess_init();
    const char *fen = WALK_STARTS[start % WALK_START_COUNT];
    ck_assert_int_eq(fen_parse(fen, strlen(fen), out_position), RK_OK);
}

/* Plays a random move; false at the end of the game. */
static inline bool walk_step(struct position *position, uint64_t *seed)
{
    move_t moves[MOVES_MAX];
    const unsigned count = (unsigned)(movegen_all(position, moves) - moves);
    if (count == 0)
        return false;
    const struct position before = *position;
    position_after(position, &before, moves[random_below(seed, count)]);
    return true;
}

#endif
