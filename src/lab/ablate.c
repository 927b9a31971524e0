#include "lab/ablate.h"

#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "engine/iterate.h"

struct ablation {
    struct worker *worker;
    struct memory *memory;
    struct table *table;
};

/* Nobody stops the search, and nobody listens to its lines. */
static void on_check(struct worker *worker) { (void)worker; }

static void on_line(struct worker *worker, struct rk_report *report)
{
    (void)worker;
    (void)report;
}

static bool on_iteration(struct worker *worker)
{
    (void)worker;
    return false;
}

enum rk_status ablation_create(uint32_t table_mib, struct ablation **out_ablation)
{
    chess_init();
    struct ablation *ablation = memory_allocate(sizeof *ablation);
    if (ablation == NULL)
        return RK_NO_MEMORY;
    ablation->worker = memory_allocate(sizeof *ablation->worker);
    ablation->memory = memory_allocate(sizeof *ablation->memory);
    enum rk_status status = RK_NO_MEMORY;
    if (ablation->worker != NULL && ablation->memory != NULL)
        status = table_create(table_mib, 1, &ablation->table);
    if (status != RK_OK)
        ablation_destroy(ablation);
    else
        *out_ablation = ablation;
    return status;
}

void ablation_destroy(struct ablation *ablation)
{
    if (ablation == NULL)
        return;
    table_destroy(ablation->table);
    memory_free(ablation->memory);
    memory_free(ablation->worker);
    memory_free(ablation);
}

static void game_search(struct ablation *ablation, depth_t depth, uint32_t switches_off,
                        struct ablate_result *result)
{
    struct worker *worker = ablation->worker;
    struct memory *memory = ablation->memory;
    const struct rk_request request = {.size = sizeof request,
                                       .limits = {.depth = (uint32_t)depth}};
    REQUIRE(table_clear(ablation->table, 1) == RK_OK);
    memory_clear(memory);
    memory->switches_off = switches_off;
    worker->hooks =
        (struct worker_hooks){.check = on_check, .line = on_line, .iteration = on_iteration};
    worker->table = ablation->table;
    worker->memory = memory;
    worker->limits = request.limits;
    worker->multipv = 1;
    memset(&worker->eval_cache, 0, sizeof worker->eval_cache);
    const int64_t start_us = clock_thread_cpu_us();
    iterate_prepare(worker, &request);
    iterate_run(worker);
    result->time_us += clock_thread_cpu_us() - start_us;
    result->nodes += worker_nodes(worker);
    result->cutoffs += memory->cutoffs;
    result->first_cutoffs += memory->first_cutoffs;
}

enum rk_status ablate_run(struct ablation *ablation, const char *const *fens, size_t count,
                          depth_t depth, uint32_t switches_off, struct ablate_result *out_result)
{
    if (depth < 1 || depth > PLY_MAX || switches_off >> SWITCH_COUNT != 0)
        return RK_BAD_ARGUMENT;
    struct ablate_result result = {0};
    for (size_t i = 0; i < count; i++) {
        const enum rk_status status =
            rk_game_set_fen(&ablation->worker->game, fens[i], strlen(fens[i]));
        if (status != RK_OK)
            return status;
        game_search(ablation, depth, switches_off, &result);
    }
    *out_result = result;
    return RK_OK;
}
