/* engine/prove.h: what tablebases prove of a node.
 * They are asked behind a capture or a pawn move, where the fifty-move counter is nought as they
 * take it to be. Thread: the worker's own. */
#ifndef ENGINE_PROVE_H
#define ENGINE_PROVE_H

#include "engine/node.h"

/* Of a node with at most tablebase_men men: as node_probe_tablebase. */
bool node_prove(struct node *node, unsigned men, score_t *out_score);

/* True: the node's score is proved. Else what is proved bounds it from below (its best score) or
 * above (its ceiling), where its line is wanted. */
static inline bool node_probe_tablebase(struct node *node, score_t *out_score)
{
    node->ceiling = SCORE_INFINITE;
    if (node->worker->tablebase_men == 0 || node->position->fifty != 0)
        return false;
    const unsigned men = bits_count(position_all(node->position));
    return men <= node->worker->tablebase_men && node_prove(node, men, out_score);
}

#endif
