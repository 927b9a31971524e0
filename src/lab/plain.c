/* The switches work here as they do in the engine, since the picker and the histories are the
 * engine's own. Scores are fail-soft. The table cuts off wherever depth and bound suffice, below
 * the root. Quiescence looks at captures and promotions, whatever they lose, for a few plies, also
 * in check, and uses no table; it is short, since on boards full of men it would not end.
 *
 * History learns from every node that found a best move, not from those alone that a move refuted:
 * a plain search has open windows all over the tree.
 *
 * Sources: Chess Programming Wiki, "Alpha-Beta", "Quiescence Search", "Transposition Table";
 * Schaeffer, "The History Heuristic", 1983. */
#include "lab/plain.h"

#include "engine/node.h"
#include "engine/search.h"

enum {
    QUIET_PLIES = 3,      /* Of quiescence. */
    EXCHANGE_ANY = -30000 /* Below what any exchange can lose. */
};

struct plain_node {
    struct worker *worker;
    const struct position *position;
    struct history_context context;
    score_t alpha, beta;
    depth_t depth;
    int ply;
    unsigned quiet_count, capture_count;
    move_t quiets[QUIETS_TRIED_MAX], captures[CAPTURES_TRIED_MAX];
};

static score_t plain_node(struct worker *worker, const struct position *position, score_t alpha,
                          score_t beta, depth_t depth, int ply);

static bool plain_enter(struct worker *worker, const struct position *position, int ply,
                        score_t *out_score)
{
    worker->keys[worker->key_count + ply] = position->key;
    *out_score = SCORE_DRAW;
    if (node_is_drawn(worker, position, ply))
        return true;
    if (ply < PLY_MAX - 1)
        return false;
    *out_score = node_at_limit(worker, position, ply);
    return true;
}

/* `plies` of quiescence are left. */
static score_t plain_quiet(struct worker *worker, const struct position *position, score_t alpha,
                           score_t beta, int plies, int ply)
{
    score_t score;
    if (plain_enter(worker, position, ply, &score))
        return score;
    score_t best = node_fade(position, node_weigh(worker, position, ply));
    if (best >= beta || plies == 0)
        return best;
    if (best > alpha)
        alpha = best;
    struct history_context context;
    struct picker picker;
    node_context(&context, worker, ply);
    picker_init_noisy(&picker, position, &context, MOVE_NONE, EXCHANGE_ANY);
    picker.noisy_only = true; /* In check, too. */
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        struct position next;
        node_make(worker, position, move, ply, &next);
        score = -plain_quiet(worker, &next, -beta, -alpha, plies - 1, ply + 1);
        if (score > best)
            best = score;
        if (score > alpha)
            alpha = score;
        if (alpha >= beta)
            break;
    }
    return best;
}

/* A move did not refute. */
static void plain_note(struct plain_node *node, move_t move)
{
    if (!move_is_noisy(move)) {
        if (node->quiet_count < QUIETS_TRIED_MAX)
            node->quiets[node->quiet_count++] = move;
    } else if (node->capture_count < CAPTURES_TRIED_MAX) {
        node->captures[node->capture_count++] = move;
    }
}

/* Tries one move; its score. */
static score_t plain_move(struct plain_node *node, move_t move)
{
    struct position next;
    node_prefetch(node->worker, node->position, move);
    node_make(node->worker, node->position, move, node->ply, &next);
    return -plain_node(node->worker, &next, -node->beta, -node->alpha, node->depth - 1,
                       node->ply + 1);
}

static void plain_refuted(const struct plain_node *node, move_t move)
{
    history_cutoff(&node->context, node->position, node->depth, move, node->quiets,
                   node->quiet_count, node->captures, node->capture_count);
}

/* The best of all moves, within the window. */
static void plain_settled(const struct plain_node *node, move_t move)
{
    if (!move_is_noisy(move))
        history_quiet_change(&node->context, node->position->board[move_from(move)], move,
                             history_bonus(node->depth));
}

static void plain_begin(struct plain_node *node, struct worker *worker,
                        const struct position *position, int ply)
{
    node->worker = worker;
    node->position = position;
    node->ply = ply;
    node->quiet_count = node->capture_count = 0;
    node_context(&node->context, worker, ply);
    worker->memory->killers[ply + 2][0] = MOVE_NONE; /* Of another branch. */
    worker->memory->killers[ply + 2][1] = MOVE_NONE;
}

static score_t plain_node(struct worker *worker, const struct position *position, score_t alpha,
                          score_t beta, depth_t depth, int ply)
{
    score_t score;
    if (depth <= 0)
        return plain_quiet(worker, position, alpha, beta, QUIET_PLIES, ply);
    if (plain_enter(worker, position, ply, &score))
        return score;
    const zkey_t key = node_key(worker, position);
    struct table_hit hit = {.move = MOVE_NONE, .depth = -1};
    if (table_probe(worker->table, key, &hit) && hit.depth >= depth) {
        score = score_from_table(hit.score, ply, position->fifty);
        if (hit.bound == BOUND_EXACT || (hit.bound == BOUND_LOWER && score >= beta) ||
            (hit.bound == BOUND_UPPER && score <= alpha))
            return score;
    }
    struct plain_node node = {.alpha = alpha, .beta = beta, .depth = depth};
    struct picker picker;
    plain_begin(&node, worker, position, ply);
    picker_init(&picker, position, &node.context, hit.move);
    score_t best = -SCORE_INFINITE;
    move_t best_move = MOVE_NONE;
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        score = plain_move(&node, move);
        if (score > best)
            best = score;
        if (score > node.alpha) {
            node.alpha = score;
            best_move = move;
        }
        if (node.alpha >= beta) {
            plain_refuted(&node, move);
            break;
        }
        plain_note(&node, move);
    }
    if (best_move != MOVE_NONE && best < beta)
        plain_settled(&node, best_move);
    if (best == -SCORE_INFINITE)
        return position->checkers != 0 ? score_mated_in(ply) : SCORE_DRAW;
    const struct table_hit found = {.move = best_move,
                                    .score = score_to_table(best, ply),
                                    .eval = SCORE_NONE,
                                    .depth = depth,
                                    .bound = best >= beta    ? BOUND_LOWER
                                             : best <= alpha ? BOUND_UPPER
                                                             : BOUND_EXACT};
    table_store(worker->table, key, &found);
    return best;
}

static struct root_move *root_move_of(struct worker *worker, move_t move)
{
    for (int i = 0; i < worker->root_count; i++)
        if (worker->root_moves[i].move == move)
            return &worker->root_moves[i];
    return NULL;
}

/* To the front; those before it keep their order. */
static void root_bring_forward(struct worker *worker, move_t move)
{
    struct root_move *place = root_move_of(worker, move);
    const struct root_move found = *place;
    for (; place > worker->root_moves; place--)
        *place = place[-1];
    *place = found;
}

/* The root is ordered like any node, the best of the iteration before as its table move: what is
 * switched off is so here, too. */
static void plain_root(struct worker *worker, depth_t depth)
{
    const struct position *position = &worker->game.position;
    struct plain_node node = {.alpha = -SCORE_INFINITE, .beta = SCORE_INFINITE, .depth = depth};
    struct picker picker;
    plain_begin(&node, worker, position, 0);
    picker_init(&picker, position, &node.context,
                depth > 1 ? worker->root_moves[0].move : MOVE_NONE);
    move_t best_move = MOVE_NONE;
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        struct root_move *root = root_move_of(worker, move);
        if (root == NULL)
            continue; /* Not among those asked about. */
        root->score = plain_move(&node, move);
        if (root->score > node.alpha) {
            node.alpha = root->score;
            best_move = move;
        }
    }
    plain_settled(&node, best_move);
    root_bring_forward(worker, best_move);
}

void plain_run(struct worker *worker, depth_t depth)
{
    for (depth_t reached = 1; reached <= depth && worker->root_count > 0; reached++) {
        plain_root(worker, reached);
        worker->root_moves[0].depth = reached;
        worker->root_moves[0].bound = BOUND_EXACT;
        worker->outcome = (struct outcome){.best = worker->root_moves[0].move,
                                           .score = worker->root_moves[0].score,
                                           .depth = reached};
    }
}
