/* lab/datagen.h: games for training, on all cores, into a file that grows.
 * Game n of a seed is always the same game, and games are written in the order of their numbers; a
 * file that holds n games goes on with game n. So a run that was stopped, or killed, and begun
 * again makes the file that one run would have made, whatever the number of threads.
 * Thread: one caller, who waits inside datagen_run() and is called back there. */
#ifndef LAB_DATAGEN_H
#define LAB_DATAGEN_H

#include "lab/datagame.h"
#include "lab/hall.h"

enum { DATAGEN_THREADS_MAX = HALL_THREADS_MAX };

struct datagen {
    struct datagame_rules rules;
    uint64_t seed;
    uint64_t games_max;     /* That the file shall hold; 0: no end. */
    uint64_t positions_max; /* At least so many, in whole games; 0: no end. */
    unsigned threads;
    /* Several times a second. False: enough. May be NULL. */
    bool (*tick)(void *context, const struct gamefile_summary *written);
    void *context;
};

/* The rules by default, no end, one thread. */
void datagen_default(struct datagen *out_datagen);

/* Plays until the file holds enough or `tick` says so; what has been played is in the file then.
 * *out_nodes were searched for the moves that were added. RK_NO_MEMORY, RK_SYSTEM,
 * RK_BAD_ARGUMENT; with RK_SYSTEM *out_fault tells whether it was the file. */
enum rk_status datagen_run(const struct datagen *datagen, struct gamefile_writer *writer,
                           uint64_t *out_nodes, enum gamefile_fault *out_fault);

#endif
