/* The root: every move is searched, none is pruned, and no score comes from the table;
 * where tablebases rank them, those of one rank at a time. Each keeps
 * its own score, line and effort, so that iterations can order them and report them. */
#include "engine/node.h"
#include "engine/search.h"

/* Plies a root move that comes late is searched less deeply. */
static depth_t root_reduction(const struct worker *worker, depth_t depth, int count, move_t move)
{
    if (depth < TUNE_ROOT_REDUCTION_DEPTH || count <= TUNE_ROOT_REDUCTION_MOVES)
        return 0;
    const bool is_quiet = !move_is_noisy(move);
    int reduction = is_quiet ? reduction_quiet(depth, count) : reduction_noisy(depth, count);
    reduction -= TUNE_REDUCTION_PV;
    if (position_gives_check(&worker->game.position, move))
        reduction -= TUNE_REDUCTION_CHECK;
    const depth_t plies = reduction / PLY_ONE;
    return plies < 0 ? 0 : plies;
}

static score_t search_root_move(struct worker *worker, move_t move, score_t alpha, score_t beta,
                                depth_t depth, int count)
{
    struct position next;
    struct frame *frame = worker_frame(worker, 0);
    node_make(worker, &worker->game.position, move, 0, &next);
    frame[1].extensions = 0;
    if (count > 1) {
        const depth_t reduction = root_reduction(worker, depth, count, move);
        score_t score =
            -search_node(worker, &next, -alpha - 1, -alpha, depth - 1 - reduction, 1, true);
        if (reduction > 0 && score > alpha && !worker->stopped)
            score = -search_node(worker, &next, -alpha - 1, -alpha, depth - 1, 1, false);
        if (score <= alpha || worker->stopped)
            return score;
    }
    frame[1].pv_count = 0;
    return -search_node(worker, &next, -beta, -alpha, depth - 1, 1, false);
}

static void root_move_keep(struct worker *worker, struct root_move *root, score_t score,
                           bound_t bound, depth_t depth)
{
    struct frame *frame = worker_frame(worker, 0);
    frame_set_pv(frame, root->move);
    root->score = score;
    root->bound = bound;
    root->depth = depth;
    root->selective = (uint16_t)atomic_load_explicit(&worker->selective, memory_order_relaxed);
    root->pv_count = frame->pv_count < RK_PV_MAX ? frame->pv_count : RK_PV_MAX;
    for (unsigned i = 0; i < root->pv_count; i++)
        root->pv[i] = frame->pv[i];
}

static void root_store(struct worker *worker, score_t score, bound_t bound, move_t best,
                       depth_t depth)
{
    if (worker->pv_index != 0 || worker->is_part)
        return;
    const struct table_hit hit = {.move = best,
                                  .score = score_to_table(score, 0),
                                  .eval = worker->root_raw,
                                  .depth = depth,
                                  .bound = bound,
                                  .is_pv = true};
    table_store(worker->table, worker->root_key, &hit);
}

score_t search_root(struct worker *worker, score_t alpha, score_t beta, depth_t depth)
{
    ASSERT(alpha < beta && depth > 0 && worker->pv_index < worker->root_count);
    const score_t alpha_start = alpha;
    score_t best_score = -SCORE_INFINITE;
    move_t best_move = MOVE_NONE;
    move_t quiets[QUIETS_TRIED_MAX], captures[CAPTURES_TRIED_MAX];
    unsigned quiet_count = 0, capture_count = 0;
    struct history_context context;
    struct threats threats;
    node_find_threats(worker, &worker->game.position, 0, &threats);
    node_context(&context, worker, 0);
    worker_frame(worker, 2)->cutoffs = 0;

    const int rank = worker->root_moves[worker->pv_index].rank;
    for (int i = worker->pv_index; i < worker->root_count; i++) {
        struct root_move *root = &worker->root_moves[i];
        if (root->rank != rank)
            break; /* Worse, whatever a search may say. */
        const uint64_t nodes_before = worker_nodes(worker);
        const int count = i - worker->pv_index + 1;
        const score_t score = search_root_move(worker, root->move, alpha, beta, depth, count);
        root->effort += worker_nodes(worker) - nodes_before;
        if (worker->stopped)
            return best_score;
        if (count == 1 || score > alpha)
            root_move_keep(worker, root, score,
                           score >= beta    ? BOUND_LOWER
                           : score <= alpha ? BOUND_UPPER
                                            : BOUND_EXACT,
                           depth);
        else
            root->score = -SCORE_INFINITE;
        if (score > best_score)
            best_score = score;
        if (score > alpha) {
            best_move = root->move;
            if (score >= beta) {
                history_cutoff(&context, &worker->game.position, depth, best_move, quiets,
                               quiet_count, captures, capture_count);
                break;
            }
            alpha = score;
        } else if (!move_is_noisy(root->move)) {
            if (quiet_count < QUIETS_TRIED_MAX)
                quiets[quiet_count++] = root->move;
        } else if (capture_count < CAPTURES_TRIED_MAX) {
            captures[capture_count++] = root->move;
        }
    }
    if (best_score > alpha_start && best_score < beta)
        history_exact(&context, &worker->game.position, depth, best_move, quiets, quiet_count);
    root_store(worker, best_score,
               best_score >= beta          ? BOUND_LOWER
               : best_score <= alpha_start ? BOUND_UPPER
                                           : BOUND_EXACT,
               best_move, depth);
    return best_score;
}
