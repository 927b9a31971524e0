/* app/bench_positions.h: what `rookery bench` searches: openings and what came of them, Chess960,
 * endings. Played out and set up for this project. A change here changes the signature. Thread:
 * any. */
#ifndef APP_BENCH_POSITIONS_H
#define APP_BENCH_POSITIONS_H

static const char *const BENCH_POSITIONS[] = {
    /* Openings and middle games. */
    "r1bq1rk1/pp2ppbp/2n2np1/3p4/3NP3/2N1BP2/PPPQ2PP/2KR1B1R w - - 0 10",
    "r1bqk2r/1p3ppp/p1pb1n2/4p3/4P3/3BB3/PPPN1PPP/R2Q1RK1 w kq - 4 10",
    "r1b2rk1/2q1bpp1/p2p1n1p/n1pPp3/4P3/1PN2N1P/P1B2PP1/R1BQR1K1 w - - 0 15",
    "r1bqk1nr/pppp1ppp/2n5/b7/2BpP3/2P2N2/P4PPP/RNBQ1RK1 b kq - 1 7",
    "rnbqk2r/ppp2pbp/8/3PN3/2BP1npP/8/PPP3P1/RN1QK2R w KQkq - 0 10",
    "r1b2rk1/ppq2ppp/2n1p3/2ppPn2/3P2Q1/P1PB1N2/2P2PPP/R1B1R1K1 b - - 10 11",
    "rn3bnr/p2k1ppp/1p2p3/1N1pPb2/P1pP4/4BN2/2P1BPPP/RR4K1 b - - 0 12",
    "2k1rb1r/pp1n1pp1/2p1pn1p/q6b/2BP1B1N/P1N5/1PPQ1PPP/4RRK1 w - - 0 14",
    "r1bq1rk1/ppp1ppbp/2n3p1/4P3/3P2n1/2NB1N2/PPP3PP/R1BQK2R w KQ - 1 9",
    "2kr1b1r/pppq2pp/1n2p3/4nb2/2PP4/P1N1B3/1P2B1PP/R2Q1RK1 w - - 0 14",
    "rnr3k1/p3qpp1/1p2b2p/2ppN3/P2P4/4P2P/1P2BPP1/R2QK2R b KQ - 0 14",
    "rnbqkb1r/p4p2/2p1pP1p/1p6/2pP3p/2N2N2/PP3PPP/R2QKB1R w KQkq - 0 10",
    "r4rk1/p4pbp/1p4p1/nB1b4/4P2q/4BQ2/P4PPP/2R2RK1 w - - 0 18",
    "r1bq1r1k/pp1nn1bp/2pp2p1/3Pp3/P1P1PpB1/1QNN1P2/1P4PP/R1B2RK1 b - - 0 14",
    "5rk1/pb4pp/1p2pp2/n2q4/Q2Pn3/P2BPN2/1B3PPP/2R3K1 b - - 1 19",
    "rn1q1rk1/3p1pbp/5np1/2pP4/2N5/2N5/PP3PPP/R1BQ1K1R b - - 0 12",
    "2b2rk1/1p1nbqp1/3ppn1p/rN3p2/3P4/1Q3NP1/P3PPBP/1RB2RK1 b - - 1 14",
    "3r1rk1/1ppq2pp/1nn2p2/p1b1p3/8/PP1P2Pb/1B1NPPBP/2RQ1RK1 w - - 0 16",
    "2b2rk1/2q1bppp/r1n2n2/p3p3/Pp1pP3/1N1P1NP1/1PQ2PBP/R1B2RK1 b - - 3 15",
    "3r1knr/p1p1b1pp/8/3B1p2/4pPb1/1PB1P3/P1PP3P/RN2K1R1 w - - 2 17",
    "4B1k1/ppp2ppp/5n2/2P5/8/P1N1Pn2/1P1r3P/R3R1K1 w - - 0 23",
    "4rr1k/pp4qp/2n2p2/2pp4/6bN/3P4/PPPQ2PP/R1B2RK1 b - - 1 18",
    "2r3k1/1q3pp1/4p2p/p7/P7/4P2P/5PP1/1R4K1 w - - 0 27",
    "2r2qk1/pb1pb1pp/2n1pn2/2p4r/2N5/1PPB1NB1/P3QPPP/3RR1K1 w - - 9 24",
    "3r2k1/1r2qp2/3pn1p1/1NpR3p/Q1P2P2/6P1/PP5P/2KR4 w - - 2 32",
    "2r3k1/4q2p/R2bN1p1/1p1Pr3/2p3B1/1nQ3PP/1P3P2/3R2K1 w - - 3 35",
    "6k1/5pp1/1p2pn1p/8/1NQPq3/4P1P1/5PKP/8 w - - 17 38",
    "3r1bk1/1q1r1n1p/1pp1bpp1/p1p1p3/P1N1P3/1P1P1N1P/2PBQPP1/2RR2K1 w - - 50 40",
    /* Chess960. */
    "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1",
    "rkn1bbnr/ppp1p1pp/5p2/3q4/8/5N2/PPPP1PPP/RKNQBB1R w HAha - 0 4",
    "1rbkqrb1/ppp1p1pp/1n1p2n1/5p2/2PB1P2/1N1P4/PP2P1PP/1RBKQR1N b FBfb - 2 5",
    "qrk1r1bb/pppn3p/2n1p3/3p1p2/3P1P2/2N1P3/PPPN1B1P/QRK1R2B b EBeb - 5 8",
    /* Endings. */
    "8/5pk1/6p1/3K3p/7P/6P1/5P2/8 w - - 0 1",
    "8/2k5/p1p5/P1Pp4/3P1p2/8/5K2/8 w - - 0 1",
    "8/1p3k2/1P2p3/4Pp1p/5P1P/3K4/8/8 w - - 3 44",
    "6k1/5ppp/8/1R6/1P6/r7/5PPP/6K1 w - - 0 30",
    "8/8/4kpp1/R7/5P1P/6P1/1r6/6K1 b - - 2 51",
    "2r3k1/5pp1/p3p2p/1p1bP3/1P1B1P2/P5PP/2R3K1/8 w - - 0 33",
    "8/3k1p2/1p1b2p1/p2P3p/P1N2P2/1P4PP/4K3/8 w - - 1 38",
    "8/5k2/3n2p1/1p1P3p/1P2N2P/4K1P1/8/8 w - - 0 45",
    "4q1k1/5pp1/7p/1Q1p4/3P4/6PP/5PK1/8 w - - 4 40",
    "8/2Q5/8/3k4/7p/6pK/8/1q6 b - - 0 60",
    "8/8/1p2k3/1P1b4/3B1p1p/5P1P/4K3/8 w - - 0 50",
    "3r2k1/1R3p2/4p1p1/p1n1P2p/P1N4P/6P1/5PK1/8 b - - 0 35",
    "8/P1k5/8/8/8/6p1/r5K1/3R4 w - - 0 1",
    "8/8/2b5/5k2/8/3NK3/6P1/8 w - - 0 70",
    /* Middle games again: an isolated pawn, en passant, opposite castling, a heavy-piece attack. */
    "r4rk1/1b3ppp/pq2p3/1p1nN3/3P4/P2B3P/1P2QPP1/R1B1R1K1 w - - 0 18",
    "rnbqkb1r/ppp2ppp/4pn2/3pP3/3P4/8/PPP2PPP/RNBQKBNR w KQkq d6 0 4",
    "2kr3r/ppp2p1p/2n1bp2/2b5/4N3/5N2/PPP1BPPP/R3K2R w KQ - 0 12",
    "5rk1/pp4pp/2p1q3/4p3/2P1Nr2/1P3P2/P3Q1PP/3R1RK1 w - - 0 24",
};
enum { BENCH_POSITION_COUNT = sizeof BENCH_POSITIONS / sizeof BENCH_POSITIONS[0] };

#endif
