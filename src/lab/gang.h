/* lab/gang.h: the same threads again and again: pieces of work, and all done before it goes on.
 * Who calls works along. A piece that depends on nothing but its number gives the same on one
 * thread and on many; lab/hall.h is for work that goes on for itself and is taken in order.
 * Thread: one caller; `work` is called on all of them. */
#ifndef LAB_GANG_H
#define LAB_GANG_H

#include "rookery/status.h"

enum { GANG_THREADS_MAX = 256 };

struct gang;

/* threads: 1 to GANG_THREADS_MAX, the caller among them. RK_NO_MEMORY, RK_SYSTEM. */
enum rk_status gang_create(unsigned threads, struct gang **out_gang);
void gang_destroy(struct gang *gang); /* NULL is fine. */
unsigned gang_threads(const struct gang *gang);

/* Pieces 0 to `pieces` - 1, each once; returns when all are done. `hand` is below gang_threads(),
 * and no other piece is worked on with it meanwhile. */
void gang_run(struct gang *gang, unsigned pieces,
              void (*work)(void *context, unsigned piece, unsigned hand), void *context);

#endif
