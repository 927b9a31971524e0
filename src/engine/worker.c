#include "engine/worker.h"

void worker_check(struct worker *worker)
{
    const uint64_t nodes = worker_nodes(worker);
    const uint64_t limit = worker->limits.nodes;
    worker->check_at = nodes + NODES_PER_CLOCK_CHECK;
    if (limit != 0) {
        if (nodes >= limit)
            worker->stopped = true;
        else if (limit < worker->check_at)
            worker->check_at = limit;
    }
    worker->hooks.check(worker);
    if (worker->stopped && worker->outcome.depth == 0) {
        worker->stop_waits = true;
        worker->stopped = false;
    }
}
