#include "lab/ablate.h"

#include "base/memory.h"
#include "chess/chess.h"
#include "lab/player.h"

struct ablation {
    struct player *player;
    uint32_t table_mib;
};

enum rk_status ablation_create(uint32_t table_mib, struct ablation **out_ablation)
{
    struct ablation *ablation = memory_allocate(sizeof *ablation);
    if (ablation == NULL)
        return RK_NO_MEMORY;
    ablation->table_mib = table_mib;
    const enum rk_status status = player_create(table_mib, NULL, &ablation->player);
    if (status != RK_OK)
        memory_free(ablation);
    else
        *out_ablation = ablation;
    return status;
}

void ablation_destroy(struct ablation *ablation)
{
    if (ablation == NULL)
        return;
    player_destroy(ablation->player);
    memory_free(ablation);
}

enum rk_status ablate_position(struct ablation *ablation, const struct book *book, size_t index,
                               const struct ablate_way *way, struct ablate_result *result)
{
    if (way->depth < 1 || way->depth >= PLY_MAX || way->switches_off >> SWITCH_COUNT != 0 ||
        index >= book_count(book))
        return RK_BAD_ARGUMENT;
    const struct player_settings settings = {.hash_mib = ablation->table_mib,
                                             .switches_off = way->switches_off};
    const struct rk_limits limits = {.depth = way->depth};
    struct player_answer answer;
    struct opening opening;
    struct rk_game game;
    book_opening(book, index, &opening);
    opening_end(&opening, &game);
    const enum rk_status status = player_begin(ablation->player, &settings, 0);
    if (status != RK_OK)
        return status;
    if (way->is_plain)
        player_think_plain(ablation->player, &game, way->depth, &answer);
    else
        player_think(ablation->player, &game, &limits, &answer);
    result->nodes += answer.nodes;
    result->time_us += answer.cpu_us;
    result->cutoffs += answer.cutoffs;
    result->first_cutoffs += answer.first_cutoffs;
    return RK_OK;
}
