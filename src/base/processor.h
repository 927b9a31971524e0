/* base/processor.h: on which processor a thread wakes, and what processors can do.
 * Who gives work to a sleeping thread and is about to sleep itself leaves a processor idle, but the
 * kernel, which does not know that, may wake the other behind a third that is busy, and looks again
 * only at a tick. So the giver says where. Every failure is harmless: the kernel chooses.
 * Thread: any. */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

/* Where a thread may run when nobody says where. */
struct processors {
    cpu_set_t set;
    bool is_known; /* Not on machines of more than CPU_SETSIZE processors. */
};

/* Those of the calling thread. */
void processors_read(struct processors *out_processors);

/* Has `thread`, which sleeps, wake where the calling thread runs, if it may run there. Returns
 * whether it was moved: then it calls processors_restore when it has woken. */
bool processor_hand_over(pthread_t thread, const struct processors *allowed);
/* The calling thread may run on all of them again; it stays where it is for now. */
void processors_restore(const struct processors *processors);

/* The level of x86-64 that they have: 1, 3 or 4; 0 where it is another architecture. */
unsigned processor_level(void);

#endif
