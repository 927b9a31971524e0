#include "engine/leaves.h"

/* The last ply is counted, not played. */
static uint64_t count(struct worker *worker, const struct position *position, unsigned depth)
{
    if (depth == 0)
        return 1;
    if (depth == 1)
        return movegen_count(position);
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    uint64_t leaves = 0;
    for (const move_t *move = moves; move < end && !worker->stopped; move++) {
        struct position next;
        position_after(&next, position, *move);
        worker_count_node(worker);
        leaves += count(worker, &next, depth - 1);
    }
    return leaves;
}

uint64_t leaves_below(struct worker *worker, move_t move, unsigned depth)
{
    struct position next;
    position_after(&next, &worker->game.position, move);
    worker_count_node(worker);
    return count(worker, &next, depth - 1);
}
