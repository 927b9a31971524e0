#include "engine/prove.h"

#include "engine/tablebase.h"

static bool is_wanted(const struct node *node, unsigned men)
{
    const struct worker *worker = node->worker;
    return (men < worker->tablebase_men || node->depth >= worker->tablebase_depth) &&
           node->frame->excluded == MOVE_NONE && !position_has_rights(node->position);
}

static void store(const struct node *node, score_t score, bound_t bound)
{
    const depth_t depth = node->depth + TUNE_TABLEBASE_DEPTH; /* Worth more than its depth says. */
    const struct table_hit hit = {.move = MOVE_NONE,
                                  .score = score_to_table(score, node->ply),
                                  .eval = node->hit.eval,
                                  .depth = depth < PLY_MAX ? depth : PLY_MAX - 1,
                                  .bound = bound,
                                  .is_pv = node->was_pv};
    table_store(node->worker->table, node->key, &hit);
}

bool node_prove(struct node *node, unsigned men, score_t *out_score)
{
    struct worker *worker = node->worker;
    const score_t won = SCORE_TB_WIN - node->ply;
    int result;
    if (!is_wanted(node, men) || !tablebase_probe(node->position, &result))
        return false;
    worker->tablebase_hits++;
    if (abs(result) < TABLEBASE_WIN && !worker->tablebase_ignores_fifty)
        result = TABLEBASE_DRAW;
    if (result == TABLEBASE_DRAW || (result > 0 ? won >= node->beta : -won <= node->alpha)) {
        *out_score = result > 0 ? won : result < 0 ? -won : SCORE_DRAW;
        store(node, *out_score, result > 0 ? BOUND_LOWER : result < 0 ? BOUND_UPPER : BOUND_EXACT);
        return true;
    }
    if (node->is_pv && result < 0)
        node->ceiling = -won;
    if (node->is_pv && result > 0) {
        node->best_score = won;
        if (won > node->alpha)
            node->alpha = won;
    }
    return false;
}
