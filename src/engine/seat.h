/* engine/seat.h: the threads behind the workers: leaders' and helpers' lives.
 * Thread: create and destroy, the owner. */
#ifndef ENGINE_SEAT_H
#define ENGINE_SEAT_H

#include "engine/crew.h"

/* A seat with its thread, parked: the leader of `crew`, or a helper when it is NULL. `number` is
 * for the thread's name. RK_NO_MEMORY, RK_SYSTEM. */
enum rk_status seat_create(struct rk_engine *engine, struct crew *crew, unsigned number,
                           struct seat **out_seat);

/* Ends the thread, as soon as what it searches has ended. Blocks. NULL is fine. */
void seat_destroy(struct seat *seat);

#endif
