/* Quiescence: the side to move may stand pat or try noisy moves that lose no material, until the
 * position is quiet enough to be evaluated; in check all evasions are tried. Moves that could not
 * lift the score to alpha even with what they take (delta) are left out.
 * Source: Chess Programming Wiki, "Quiescence Search", "Delta Pruning". */
#include "chess/see.h"
#include "engine/node.h"
#include "engine/search.h"

enum { DEPTH_QUIESCENCE = 0, TAUGHT_MAX = 8 };

struct quiet_node {
    struct worker *worker;
    const struct position *position;
    struct frame *frame;
    score_t alpha, beta;
    int ply;
    bool is_pv, in_check;
    zkey_t key;
    struct table_hit hit;
    score_t raw, best_score, base; /* base: what delta pruning adds a capture's value to. */
    move_t best_move;
    unsigned failed_count; /* Noisy moves that did not refute, as many as are taught. */
    move_t failed[TAUGHT_MAX];
};

static inline bool quiet_enter(struct quiet_node *node, score_t *out_score)
{
    struct worker *worker = node->worker;
    if (node->is_pv) {
        node->frame->pv_count = 0;
        if ((uint32_t)node->ply > atomic_load_explicit(&worker->selective, memory_order_relaxed))
            atomic_store_explicit(&worker->selective, (uint32_t)node->ply, memory_order_relaxed);
    }
    worker->keys[worker->key_count + node->ply] = node->position->key;
    if (worker->stopped || node_is_drawn(worker, node->position, node->ply)) {
        *out_score = SCORE_DRAW;
        return true;
    }
    if (node->alpha < SCORE_DRAW && node_can_repeat(worker, node->position, node->ply)) {
        node->alpha = SCORE_DRAW;
        if (node->alpha >= node->beta) {
            *out_score = node->alpha;
            return true;
        }
    }
    if (node->ply >= PLY_MAX - 1) {
        *out_score = node_at_limit(worker, node->position, node->ply);
        return true;
    }
    node->key = node_key(worker, node->position);
    if (!table_probe(worker->table, node->key, &node->hit)) {
        node->hit = (struct table_hit){.score = SCORE_NONE, .eval = SCORE_NONE, .depth = -1};
        return false;
    }
    node->hit.score = score_from_table(node->hit.score, node->ply, node->position->fifty);
    if (node->is_pv || node->hit.score == SCORE_NONE || node->hit.depth < DEPTH_QUIESCENCE)
        return false;
    const bound_t needed = node->hit.score >= node->beta ? BOUND_LOWER : BOUND_UPPER;
    *out_score = node->hit.score;
    return (node->hit.bound & needed) != 0;
}

static inline void quiet_store(const struct quiet_node *node, bound_t bound)
{
    const struct table_hit hit = {.move = node->best_move,
                                  .score = score_to_table(node->best_score, node->ply),
                                  .eval = node->raw,
                                  .depth = DEPTH_QUIESCENCE,
                                  .bound = bound,
                                  .is_pv = node->is_pv || node->hit.is_pv};
    table_store(node->worker->table, node->key, &hit);
}

/* Stands pat; true: that is enough. */
static inline bool quiet_stand(struct quiet_node *node)
{
    struct frame *frame = node->frame;
    if (node->in_check) {
        node->raw = SCORE_NONE;
        frame->eval = SCORE_NONE;
        return false;
    }
    const bool is_known = node->hit.eval != SCORE_NONE;
    node->raw = is_known ? node->hit.eval : node_weigh(node->worker, node->position, node->ply);
    struct correction_cells corrections;
    node_find_corrections(node->worker, node->position, node->ply, &corrections);
    frame->eval = node_correct(node->position, &corrections, node->raw);
    node->best_score = frame->eval;
    if (node->hit.score != SCORE_NONE) {
        const bound_t needed = node->hit.score > frame->eval ? BOUND_LOWER : BOUND_UPPER;
        if ((node->hit.bound & needed) != 0)
            node->best_score = node->hit.score;
    }
    if (node->best_score >= node->beta) {
        if (node->hit.depth < DEPTH_QUIESCENCE)
            quiet_store(node, BOUND_LOWER);
        return true;
    }
    if (node->best_score > node->alpha)
        node->alpha = node->best_score;
    node->base = frame->eval + TUNE_DELTA_MARGIN;
    return false;
}

/* Whether a noisy move cannot matter. */
static inline bool quiet_prune(struct quiet_node *node, move_t move)
{
    if (node->base > node->alpha || move_is_promotion(move))
        return false;
    const piece_t taken = position_captured(node->position, move);
    score_t reach = node->base + see_value(piece_kind(taken));
    if ((reach > node->alpha && see_at_least(node->position, move, 1)) ||
        position_gives_check(node->position, move))
        return false;
    if (reach > node->alpha)
        reach = node->base; /* The exchange brings nothing. */
    if (reach > node->best_score)
        node->best_score = reach;
    return true;
}

/* Most captures are searched here: what they do below depth 0 orders them above it. */
static inline void quiet_teach(const struct quiet_node *node)
{
    struct memory *memory = node->worker->memory;
    if (move_is_noisy(node->best_move))
        history_capture_change(memory, node->position, node->best_move, TUNE_HISTORY_QUIESCENCE);
    for (unsigned i = 0; i < node->failed_count; i++)
        history_capture_change(memory, node->position, node->failed[i], -TUNE_HISTORY_QUIESCENCE);
}

/* Takes a move's score; true: it refutes. */
static inline bool quiet_accept(struct quiet_node *node, move_t move, score_t score)
{
    if (score < node->beta && move_is_noisy(move) && node->failed_count < TAUGHT_MAX)
        node->failed[node->failed_count++] = move;
    if (score <= node->best_score)
        return false;
    node->best_score = score;
    if (score <= node->alpha)
        return false;
    node->best_move = move;
    if (node->is_pv)
        frame_set_pv(node->frame, move);
    if (score < node->beta) {
        node->alpha = score;
        return false;
    }
    quiet_teach(node);
    return true;
}

score_t quiesce(struct worker *worker, const struct position *position, score_t alpha, score_t beta,
                int ply)
{
    struct quiet_node node = {.worker = worker,
                              .position = position,
                              .frame = worker_frame(worker, ply),
                              .alpha = alpha,
                              .beta = beta,
                              .ply = ply,
                              .is_pv = beta - alpha > 1,
                              .in_check = position->checkers != 0,
                              .best_score = -SCORE_INFINITE};
    score_t score;
    if (quiet_enter(&node, &score))
        return score;
    if (quiet_stand(&node))
        return node.best_score;

    struct history_context context;
    struct picker picker;
    struct threats threats;
    if (node.in_check)
        node_find_threats(worker, position, ply, &threats);
    node_context(&context, worker, ply);
    picker_init_noisy(&picker, position, &context, node.hit.move, TUNE_QUIESCENCE_SEE);
    if (node.in_check)
        picker.threats = &threats;
    int move_count = 0;
    int quiet_count = 0;
    move_t move;
    while ((move = picker_next(&picker)) != MOVE_NONE) {
        node_prefetch(worker, position, move);
        move_count++;
        if (node.best_score > -SCORE_TB_BOUND) {
            if (!move_is_noisy(move)) {
                if (++quiet_count >= TUNE_QUIET_EVASIONS)
                    break;
            } else if (!node.in_check && quiet_prune(&node, move)) {
                continue;
            }
        }
        struct position next;
        node_make(worker, position, move, ply, &next);
        score = -quiesce(worker, &next, -beta, -node.alpha, ply + 1);
        if (worker->stopped)
            return SCORE_DRAW;
        if (quiet_accept(&node, move, score))
            break;
    }
    if (node.in_check && move_count == 0)
        return score_mated_in(ply);
    quiet_store(&node, node.best_score >= beta ? BOUND_LOWER : BOUND_UPPER);
    return node.best_score;
}
