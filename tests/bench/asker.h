/* bench/asker.h: an engine through its public door, one search at a time.
 * Thread: one. */
#ifndef TESTS_BENCH_ASKER_H
#define TESTS_BENCH_ASKER_H

#include <semaphore.h>

#include "rookery/engine.h"

struct asker {
    struct rk_engine *engine;
    sem_t woken;
};

/* How a search ended. */
struct answer {
    rk_move_t move;
    int32_t centipawns; /* Of its last exact line; a mate is ±ASKER_MATE. */
    uint64_t nodes, time_us;
};
enum { ASKER_MATE = 30000 };

void asker_init(struct asker *asker, uint32_t threads, uint32_t table_mib);
void asker_clear(struct asker *asker);

/* Everything the engine has learnt is gone. */
void asker_forget(struct asker *asker);

struct answer asker_ask(struct asker *asker, const struct rk_game *game,
                        const struct rk_limits *limits);

#endif
