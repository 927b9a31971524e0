/* Work is cut into jobs, one for each reply to each root move, so that threads end about together.
 * Threads take jobs by a counter and add what they find to their root move; nothing else but the
 * hash is written by more than one. A single thread runs the same jobs itself. */
#include "chess/perft.h"

#include <pthread.h>

#include "base/check.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/perft_hash.h"

enum {
    HASH_DEPTH_MIN = 2,    /* Below, counting is faster than looking up. */
    HASH_MIB_MAX = 1 << 24 /* 16 TiB: more than any machine has, and its bytes fit a size_t. */
};

struct perft {
    const struct position *position;
    unsigned depth;
    struct perft_hash hash;
    struct rk_perft_move *moves;
    _Atomic uint64_t nodes[RK_MOVES_MAX]; /* By root move. */
    size_t count;                         /* Root moves. */
    atomic_size_t next;                   /* Root move to be taken. */
};

static uint64_t count_leaves(const struct position *position, unsigned depth)
{
    if (depth == 1)
        return movegen_count(position);
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    uint64_t nodes = 0;
    for (const move_t *move = moves; move != end; move++) {
        struct position after;
        position_after(&after, position, *move);
        nodes += count_leaves(&after, depth - 1);
    }
    return nodes;
}

static uint64_t count_hashed(const struct perft_hash *hash, const struct position *position,
                             unsigned depth)
{
    uint64_t nodes = 0;
    if (depth < HASH_DEPTH_MIN)
        return count_leaves(position, depth);
    if (perft_hash_probe(hash, position->key, depth, &nodes))
        return nodes;
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        struct position after;
        position_after(&after, position, *move);
        nodes += count_hashed(hash, &after, depth - 1);
    }
    perft_hash_store(hash, position->key, depth, nodes);
    return nodes;
}

static uint64_t count(const struct perft *perft, const struct position *position, unsigned depth)
{
    return perft->hash.entries != NULL ? count_hashed(&perft->hash, position, depth)
                                       : count_leaves(position, depth);
}

/* Job n is reply n % MOVES_MAX to root move n / MOVES_MAX; numbers without a reply are passed over.
 */
static void *run_jobs(void *argument)
{
    struct perft *perft = argument;
    struct position after, reply;
    move_t replies[MOVES_MAX];
    size_t root = SIZE_MAX, reply_count = 0;
    for (;;) {
        const size_t job = atomic_fetch_add_explicit(&perft->next, 1, memory_order_relaxed);
        if (job / MOVES_MAX >= perft->count)
            return NULL;
        if (job / MOVES_MAX != root) {
            root = job / MOVES_MAX;
            position_after(&after, perft->position, perft->moves[root].move);
            reply_count = (size_t)(movegen_all(&after, replies) - replies);
        }
        if (job % MOVES_MAX >= reply_count)
            continue;
        position_after(&reply, &after, replies[job % MOVES_MAX]);
        atomic_fetch_add_explicit(&perft->nodes[root], count(perft, &reply, perft->depth - 2),
                                  memory_order_relaxed);
    }
}

/* The calling thread is one of them. */
static enum rk_status run_threads(struct perft *perft, unsigned threads)
{
    pthread_t *others = NULL;
    unsigned started = 0;
    if (threads > 1) {
        others = memory_allocate((threads - 1) * sizeof *others);
        if (others == NULL)
            return RK_NO_MEMORY;
        while (started < threads - 1 &&
               pthread_create(&others[started], NULL, run_jobs, perft) == 0)
            started++;
    }
    const enum rk_status status = started + 1 == threads ? RK_OK : RK_SYSTEM;
    if (status == RK_OK)
        run_jobs(perft);
    else
        atomic_store(&perft->next, perft->count * MOVES_MAX);
    for (unsigned i = 0; i < started; i++)
        REQUIRE(pthread_join(others[i], NULL) == 0);
    memory_free(others);
    return status;
}

static void count_shallow(struct perft *perft)
{
    for (size_t i = 0; i < perft->count; i++) {
        struct position after;
        position_after(&after, perft->position, perft->moves[i].move);
        atomic_store(&perft->nodes[i], perft->depth == 1 ? 1 : movegen_count(&after));
    }
}

enum rk_status perft_divide(const struct position *position, unsigned depth,
                            const struct perft_options *options,
                            struct rk_perft_move out_moves[RK_MOVES_MAX], size_t *out_count)
{
    enum { DEPTH_OF_JOBS = 3 };
    ASSERT(depth >= 1 && options->threads >= 1);
    struct perft perft = {.position = position, .depth = depth, .moves = out_moves};
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++)
        out_moves[perft.count++].move = *move;
    enum rk_status status = RK_OK;
    if (depth < DEPTH_OF_JOBS) {
        count_shallow(&perft);
    } else if (options->hash_mib > 0 && !perft_hash_create(&perft.hash, options->hash_mib)) {
        return RK_NO_MEMORY;
    } else {
        status = run_threads(&perft, options->threads);
        perft_hash_destroy(&perft.hash);
    }
    if (status != RK_OK)
        return status;
    for (size_t i = 0; i < perft.count; i++)
        out_moves[i].nodes = atomic_load(&perft.nodes[i]);
    *out_count = perft.count;
    return RK_OK;
}

enum rk_status rk_game_perft(const struct rk_game *game, unsigned depth,
                             const struct rk_perft_options *options,
                             struct rk_perft_move out_moves[RK_MOVES_MAX], size_t *out_count,
                             uint64_t *out_nodes)
{
    struct perft_options chosen = {.threads = 1};
    struct rk_perft_move moves[RK_MOVES_MAX];
    size_t count = 0;
    uint64_t nodes = depth == 0;
    if (options != NULL) {
        if (options->size != sizeof *options || options->threads < 1 ||
            options->threads > THREADS_MAX || options->hash_mib > HASH_MIB_MAX)
            return RK_BAD_ARGUMENT;
        chosen = (struct perft_options){options->threads, options->hash_mib};
    }
    if (depth > PLY_MAX)
        return RK_BAD_ARGUMENT;
    if (depth > 0) {
        const enum rk_status status = perft_divide(&game->position, depth, &chosen, moves, &count);
        if (status != RK_OK)
            return status;
    }
    for (size_t i = 0; i < count; i++) {
        nodes += moves[i].nodes;
        if (out_moves != NULL)
            out_moves[i] = moves[i];
    }
    if (out_count != NULL)
        *out_count = count;
    if (out_nodes != NULL)
        *out_nodes = nodes;
    return RK_OK;
}
