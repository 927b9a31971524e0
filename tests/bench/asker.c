#include "bench/asker.h"

#include "base/check.h"

enum { SESSION = 1 };

static void wake(void *context) { (void)sem_post(&((struct asker *)context)->woken); }

void asker_init(struct asker *asker, uint32_t threads, uint32_t table_mib)
{
    REQUIRE(sem_init(&asker->woken, 0, 0) == 0);
    const struct rk_engine_options options = {.size = sizeof options,
                                              .searches_max = 1,
                                              .threads = threads,
                                              .table_mib = table_mib,
                                              .wake = wake,
                                              .wake_context = asker};
    REQUIRE(rk_engine_create(&options, &asker->engine) == RK_OK);
}

void asker_clear(struct asker *asker)
{
    rk_engine_destroy(asker->engine);
    (void)sem_destroy(&asker->woken);
}

void asker_forget(struct asker *asker)
{
    REQUIRE(rk_engine_clear(asker->engine) == RK_OK);
    rk_engine_forget(asker->engine, SESSION);
}

struct answer asker_ask(struct asker *asker, const struct rk_game *game,
                        const struct rk_limits *limits)
{
    const struct rk_request request = {
        .size = sizeof request, .game = game, .limits = *limits, .session = SESSION};
    rk_ticket_t ticket;
    REQUIRE(rk_engine_start(asker->engine, &request, &ticket) == RK_OK);
    struct answer answer = {.move = RK_MOVE_NONE};
    for (;;) {
        struct rk_report report;
        while (!rk_engine_poll(asker->engine, &report))
            (void)sem_wait(&asker->woken);
        if (report.kind == RK_REPORT_VERDICT) {
            answer.move = report.best_move;
            answer.nodes = report.nodes;
            answer.time_us = report.time_us;
            return answer;
        }
        if (report.bound == RK_BOUND_EXACT && report.is_mate)
            answer.centipawns = report.score > 0 ? ASKER_MATE : -ASKER_MATE;
        else if (report.bound == RK_BOUND_EXACT)
            answer.centipawns = report.score;
    }
}
