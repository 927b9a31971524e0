#include "chess/chess.h"

#include <pthread.h>
#include <stdatomic.h>

#include "chess/attacks.h"
#include "chess/cycle.h"
#include "chess/zobrist.h"
#include "rookery/game.h"

/* Without rk_seed_keys keys are the same in every run, so that a search can be repeated. */
#define SEED_DEFAULT 0x526f6f6b657279u /* "Rookery" */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic uint64_t seed = SEED_DEFAULT;
static atomic_bool is_drawn;

static void fill(void)
{
    attacks_fill();
    zobrist_fill(atomic_load(&seed));
    cycle_fill();
    atomic_store(&is_drawn, true);
}

void chess_init(void) { pthread_once(&once, fill); }

enum rk_status rk_seed_keys(uint64_t new_seed)
{
    if (atomic_load(&is_drawn))
        return RK_BUSY;
    atomic_store(&seed, new_seed);
    chess_init();
    return RK_OK;
}
