/* server/stub_engine.h: what the stub behind rookery/engine.h lets a test see and spoil.
 * Thread: as the engine. */
#ifndef TESTS_SERVER_STUB_ENGINE_H
#define TESTS_SERVER_STUB_ENGINE_H

#include "rookery/engine.h"

struct stub_counts {
    uint32_t started;
    uint32_t running;
    uint32_t forgotten;
    uint64_t last_forgotten;
    struct rk_limits last_limits;
    int64_t last_arrived_us;
};

/* Makes it a position of its own. */
void stub_game_set(struct rk_game *game, uint64_t key);
/* The best move there. */
rk_move_t stub_move(uint64_t key);

/* The next rk_engine_start fails with this. */
void stub_engine_fail_next(struct rk_engine *engine, enum rk_status failure);
struct stub_counts stub_engine_counts(const struct rk_engine *engine);

#endif
