/* app/tuning.h: a run of lab/tune.h as people see it: progress, checkpoints, a CSV file, and what
 * came of it. Ctrl-C ends it like its last iteration; what is lost is the one under way.
 * Thread: the main thread. */
#ifndef APP_TUNING_H
#define APP_TUNING_H

#include "lab/tune.h"

struct tuning {
    struct tune tune;
    struct selfplay selfplay; /* What games are like: tune_iterate(). */
    const char *checkpoint;   /* NULL: none. */
    bool is_new;              /* No run is gone on with: of one that cannot begin nothing stays. */
    uint64_t every;           /* Iterations between two checkpoints. */
    const char *csv;          /* NULL: none. */
};

/* Plays what is left of the run. The exit status. */
int tuning_run(struct tuning *tuning);

#endif
