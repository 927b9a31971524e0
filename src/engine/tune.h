/* engine/tune.h: every number of the search, one row each: name, value, least and greatest that
 * make sense, or that leave a technique as good as off, so that games can tell what it is worth.
 * Scores are in evaluation units (odds.h tells how many are a pawn); REDUCTION rows in
 * 1024ths of a ply. A row that divides is never 0.
 * Thread: any. */
#ifndef ENGINE_TUNE_H
#define ENGINE_TUNE_H

#define TUNE_ROWS(ROW)                                                                             \
    ROW(ASPIRATION_DELTA, 9, 4, 60)                                                                \
    ROW(ASPIRATION_GROWTH, 40, 10, 200)       /* Percent a failure. */                             \
    ROW(ASPIRATION_DIVISOR, 40, 10, 200)      /* Of the score, added to delta. */                  \
    ROW(ASPIRATION_DEPTH, 5, 1, 10)           /* Shallower iterations search the full window. */   \
    ROW(ASPIRATION_DELTA_MAX, 900, 200, 2000) /* A wider window is opened. */                      \
    ROW(ASPIRATION_HIGH_MAX, 3, 0, 6)         /* Plies that failing high takes from the depth. */  \
    ROW(ASPIRATION_KEPT, 8, 0, 15)            /* 16ths of the middle that an iteration leaves. */  \
    ROW(ASPIRATION_LOW, 8, 0, 15)             /* 16ths of beta, failing low; the rest of alpha. */ \
    ROW(HELPER_SKIP_DEPTH, 3, 1, 8)           /* From here on helpers leave out iterations, */     \
    ROW(HELPER_SKIP_KINDS, 3, 1, 6)           /* in runs of so many lengths. */                    \
    ROW(VOTE_LEAST, 10, 1, 60)                /* What the worst vote weighs a ply. */              \
    ROW(VOTE_BEHIND_MAX, 1, 0, 6)             /* Plies: who has seen less has no vote. */          \
    ROW(TIME_MOVES_MAX, 50, 30, 80) /* Expected at the start of a game in sudden death, */         \
    ROW(TIME_MOVES_MIN, 22, 10, 30) /* and late in it; */                                          \
    ROW(TIME_MOVES_PLIES, 4, 2, 10) /* in so many plies one move less. */                          \
    ROW(TIME_MOVES_TO_GO_MAX, 40, 20, 60)                                                          \
    ROW(TIME_MAXIMUM, 5, 2, 10)            /* Times the optimum. */                                \
    ROW(TIME_MAXIMUM_OF_CLOCK, 50, 10, 80) /* Percent; all of it when it is refilled then. */      \
    ROW(TIME_POOL_MIN, 25, 5, 60)          /* Percent of the clock, whatever later moves lose. */  \
    ROW(TIME_INCREMENT_MIN, 50, 0, 100) /* Percent that is counted on, whatever the overhead. */   \
    ROW(TIME_STABLE_0, 150, 80, 250)    /* Percent, by iterations without another best move. */    \
    ROW(TIME_STABLE_1, 125, 70, 220)                                                               \
    ROW(TIME_STABLE_2, 110, 60, 200)                                                               \
    ROW(TIME_STABLE_3, 95, 50, 180)                                                                \
    ROW(TIME_STABLE_4, 85, 40, 160)                                                                \
    ROW(TIME_STABLE_5, 78, 40, 140)                                                                \
    ROW(TIME_STABLE_6, 72, 40, 120)                                                                \
    ROW(TIME_DROP_BASE, 98, 60, 130) /* Percent, and one a centipawn lost. */                      \
    ROW(TIME_DROP_MIN, 85, 50, 100)                                                                \
    ROW(TIME_DROP_MAX, 160, 100, 300)                                                              \
    ROW(TIME_EFFORT_BASE, 150, 110, 250) /* Percent, less the best move's share of the nodes. */   \
    ROW(TIME_EFFORT_MIN, 60, 20, 100)                                                              \
    ROW(TIME_EFFORT_MAX, 130, 100, 200)                                                            \
    ROW(REPETITION_AHEAD, 1, 0, 1)   /* One that the next move can make is a draw at least. */     \
    ROW(FIFTY_FADE, 220, 120, 600)   /* Plies after which nothing would be left of a score. */     \
    ROW(HISTORY_BONUS, 300, 20, 600) /* Units a squared ply of depth is worth. */                  \
    ROW(HISTORY_BONUS_MAX, 1800, 400, 8000)                                                        \
    ROW(HISTORY_KEPT, 8, 0, 16)             /* 16ths that a game's next search begins with. */     \
    ROW(MALUS, 32, 16, 56)                  /* 32nds of the bonus that a quiet failure costs, */   \
    ROW(MALUS_FADE, 1, 0, 4)                /* less for each tried before it, */                   \
    ROW(MALUS_FADE_MAX, 16, 0, 16)          /* so many at most. */                                 \
    ROW(HISTORY_QUIESCENCE, 60, 0, 400)     /* What a capture's success below depth 0 is worth. */ \
    ROW(REFUTATION_HISTORY, 3000, 0, 40000) /* Further below 0, a killer waits its turn. */        \
    ROW(QUIET_EVASIONS, 3, 1, 8) /* The quiet evasion that is no longer tried, below depth 0. */   \
    ROW(RAZOR_DEPTH, 1, 0, 8)                                                                      \
    ROW(RAZOR_BASE, 112, 50, 600)                                                                  \
    ROW(RAZOR_SLOPE, 200, 50, 600)                                                                 \
    ROW(STATIC_NULL_DEPTH, 9, 3, 14)                                                               \
    ROW(STATIC_NULL_SLOPE, 62, 30, 200)                                                            \
    ROW(STATIC_NULL_IMPROVING, 53, 0, 150)                                                         \
    ROW(STATIC_NULL_TRUST, 8, 0, 16) /* 16ths of the estimate, the rest of beta, are the score. */ \
    ROW(NULL_DEPTH, 3, 1, 6)                                                                       \
    ROW(NULL_BASE, 4, 2, 6)                                                                        \
    ROW(NULL_DEPTH_DIVISOR, 5, 2, 8)                                                               \
    ROW(NULL_EVAL_DIVISOR, 184, 80, 500)                                                           \
    ROW(NULL_EVAL_MAX, 3, 1, 6)                                                                    \
    ROW(NULL_STATIC_BASE, 49, 0, 400)                                                              \
    ROW(NULL_STATIC_SLOPE, 20, 0, 60)                                                              \
    ROW(NULL_VERIFY_DEPTH, 13, 6, 20)                                                              \
    ROW(NULL_VERIFY_REACH, 12, 0, 16) /* 16ths of the verifying depth without null moves. */       \
    ROW(PROBCUT_DEPTH, 5, 3, 20)                                                                   \
    ROW(PROBCUT_MARGIN, 213, 60, 400)                                                              \
    ROW(PROBCUT_REDUCTION, 4, 2, 6)                                                                \
    ROW(IIR_DEPTH, 4, 2, 10)                                                                       \
    ROW(LATE_MOVE_BASE, 3, 1, 10)                                                                  \
    ROW(LATE_MOVE_WORSENING, 8, 4, 16) /* 16ths of the moves where nothing improves. */            \
    ROW(FUTILITY_DEPTH, 9, 3, 14)                                                                  \
    ROW(FUTILITY_BASE, 88, 20, 300)                                                                \
    ROW(FUTILITY_SLOPE, 83, 30, 250)                                                               \
    ROW(FUTILITY_HISTORY_DIVISOR, 300, 100, 2000)                                                  \
    ROW(HISTORY_PRUNE_DEPTH, 5, 0, 10)                                                             \
    ROW(HISTORY_PRUNE_SLOPE, 5796, 500, 12000)                                                     \
    ROW(SEE_QUIET_SLOPE, 24, 5, 400)                                                               \
    ROW(SEE_NOISY_SLOPE, 96, 20, 1000)                                                             \
    ROW(SEE_PRUNE_DEPTH, 10, 3, 16)                                                                \
    ROW(SINGULAR_DEPTH, 6, 4, 20)                                                                  \
    ROW(SINGULAR_MARGIN, 2, 1, 6)                                                                  \
    ROW(SINGULAR_DOUBLE, 13, 2, 80)                                                                \
    ROW(SINGULAR_DOUBLE_MAX, 6, 0, 16)                                                             \
    ROW(SINGULAR_SEARCH, 8, 6, 12) /* 16ths of the depth left, for the search without a move. */   \
    ROW(SINGULAR_TABLE_DEPTH, 3, 1, 6)     /* Plies that the table's entry may lack. */            \
    ROW(MULTI_CUT, 1, 0, 1)                /* Others that reach beta end the node. */              \
    ROW(EXTENSION_SINGULAR, 1, 0, 2)       /* Plies, for a move that stands alone; */              \
    ROW(EXTENSION_DOUBLE, 2, 1, 3)         /* far above the others; */                             \
    ROW(EXTENSION_HIGH, -2, -3, 1)         /* not alone, by a score that reaches beta; */          \
    ROW(EXTENSION_HIGH_PV, -1, -3, 1)      /* so in a PV node; */                                  \
    ROW(EXTENSION_CUT, -1, -3, 1)          /* not alone where a cutoff is expected; */             \
    ROW(EXTENSION_CHECK, 1, 0, 1)          /* for a check */                                       \
    ROW(EXTENSION_CHECK_SEE, 0, -300, 200) /* with an exchange that brings so much. */             \
    ROW(EXTENSION_REACH, 2, 1, 4) /* Times the iteration's depth: none from that ply on. */        \
    ROW(REDUCTION_QUIET_BASE, 1173, 0, 2048)                                                       \
    ROW(REDUCTION_QUIET_DIVISOR, 236, 120, 500)                                                    \
    ROW(REDUCTION_NOISY_BASE, 200, 0, 2048)                                                        \
    ROW(REDUCTION_NOISY_DIVISOR, 335, 120, 800)                                                    \
    ROW(REDUCTION_CUT, 999, 0, 3072)                                                               \
    ROW(REDUCTION_PV, 1024, 0, 3072)                                                               \
    ROW(REDUCTION_WORSENING, 700, 0, 2048)                                                         \
    ROW(REDUCTION_TABLE_NOISY, 900, 0, 2048)                                                       \
    ROW(REDUCTION_CHECK, 1024, 0, 3072)                                                            \
    ROW(REDUCTION_CUTOFFS, 900, 0, 2048)                                                           \
    ROW(CUTOFFS_FEW, 3, 0, 10) /* More of a node's children reduce it. */                          \
    ROW(REDUCTION_HISTORY_DIVISOR, 14, 2, 100)                                                     \
    ROW(REDUCTION_DEPTH, 2, 2, 6)      /* No move is reduced below it, */                          \
    ROW(REDUCTION_MOVES, 1, 1, 6)      /* nor are so many first ones, */                           \
    ROW(REDUCTION_MOVES_PV, 1, 0, 4)   /* and so many more in a PV node. */                        \
    ROW(ROOT_REDUCTION_DEPTH, 3, 2, 8) /* The same at the root. */                                 \
    ROW(ROOT_REDUCTION_MOVES, 2, 1, 8)                                                             \
    ROW(DEEPER_SLOPE, 2, 0, 8)      /* A ply, above the best score: again and deeper, */           \
    ROW(DEEPER_MARGIN, 65, 10, 500) /* and this. */                                                \
    ROW(SHALLOWER_SLOPE, 1, 0, 8)   /* A ply; less above it: again and less deep. */               \
    ROW(EVAL_GAIN_SHIFT, 30, 0, 100)                                                               \
    ROW(EVAL_GAIN_MAX, 100, 20, 200)                                                               \
    ROW(EVAL_GAIN_FACTOR, 5, 0, 80)                                                                \
    ROW(THREAT_MINOR, 9000, 0, 20000)                                                              \
    ROW(THREAT_ROOK, 15000, 0, 30000)                                                              \
    ROW(THREAT_QUEEN, 24000, 0, 40000)                                                             \
    ROW(CHECK_BONUS, 6000, 0, 24000)                                                               \
    ROW(CORRECTION_PAWNS, 14, 0, 40) /* 512ths of a unit a unit of the cell. */                    \
    ROW(CORRECTION_MINORS, 10, 0, 40)                                                              \
    ROW(CORRECTION_OFFICERS, 14, 0, 40)                                                            \
    ROW(CORRECTION_MOVES, 19, 0, 40)                                                               \
    ROW(CORRECTION_TEACH_MAX, 256, 32, 1024)                                                       \
    ROW(CORRECTION_TEACH, 12, 1, 60) /* 32nds of a cell's unit a unit missed and a ply. */         \
    ROW(VICTIM_PAWN, 1600, 0, 6000)  /* In ordering, on the scale of capture history. */           \
    ROW(VICTIM_KNIGHT, 5200, 1000, 15000)                                                          \
    ROW(VICTIM_BISHOP, 5500, 1000, 15000)                                                          \
    ROW(VICTIM_ROOK, 8800, 2000, 20000)                                                            \
    ROW(VICTIM_QUEEN, 17000, 5000, 30000)                                                          \
    ROW(PROMOTION, 17000, 5000, 30000)                                                             \
    ROW(TAKER_KIND, 32, 0, 200)       /* Less for each kind above a pawn that takes. */            \
    ROW(CAPTURE_HISTORY, 8, 0, 24)    /* 16ths of it order captures. */                            \
    ROW(CAPTURE_SEE, 0, -300, 200)    /* Centipawns an exchange must bring not to come last; */    \
    ROW(QUIESCENCE_SEE, 0, -200, 100) /* and to be tried below depth 0. */                         \
    ROW(SAFE_CAPTURE, 3000, 0, 12000)                                                              \
    ROW(RECAPTURE, 2000, 0, 12000)                                                                 \
    ROW(FUTILITY_NOISY_DEPTH, 6, 0, 12)                                                            \
    ROW(FUTILITY_NOISY_BASE, 142, 20, 400)                                                         \
    ROW(FUTILITY_NOISY_SLOPE, 77, 20, 300)                                                         \
    ROW(FUTILITY_NOISY_HISTORY_DIVISOR, 200, 50, 2000)                                             \
    ROW(REDUCTION_NOISY_HISTORY_DIVISOR, 14, 2, 100)                                               \
    ROW(HINDSIGHT_REDUCTION, 3, 1, 8) /* Plies taken above: one is given back, */                  \
    ROW(HINDSIGHT_MORE, 1, 1, 8)      /* or one more taken, */                                     \
    ROW(HINDSIGHT_DEPTH, 2, 2, 8)     /* from this depth on. */                                    \
    ROW(HINDSIGHT_EVAL, 90, 0, 300)                                                                \
    ROW(STATIC_NULL_WORSENING, 24, 0, 100)                                                         \
    ROW(TABLE_DEPTH_SLACK, 4, 0, 10) /* Plies that a new entry of a position may lack; */          \
    ROW(TABLE_PV_SLACK, 2, 0, 8)     /* so many more in a PV. */                                   \
    ROW(TABLE_AGE_COST, 4, 0, 16)    /* Plies of depth that an age is worth. */                    \
    ROW(TABLEBASE_DEPTH, 6, 0, 16)   /* Plies more that what tablebases prove is worth there. */   \
    ROW(DELTA_MARGIN, 234, 50, 500)

/* What a row may be set to in a build for tuning: constants in each build, since what holds for the
 * greatest is asserted where it must. */
#define TUNE_GREATEST(name, value, low, high) GREATEST_##name = (high),
enum { TUNE_ROWS(TUNE_GREATEST) };
#undef TUNE_GREATEST

/* TUNE_ARRAY begins an array of rows within a function: laid out once where rows are constants. */
#ifdef ROOKERY_TUNE
#define TUNE_ARRAY const

/* A build for tuning: each thread searches by values of its own, see engine/rows.h. */
#define TUNE_VARIABLE(name, value, low, high) extern _Thread_local int TUNE_##name;
TUNE_ROWS(TUNE_VARIABLE)
#undef TUNE_VARIABLE
#else
#define TUNE_ARRAY static const

#define TUNE_CONSTANT(name, value, low, high) TUNE_##name = (value),
enum { TUNE_ROWS(TUNE_CONSTANT) };
#undef TUNE_CONSTANT
#endif

#endif
