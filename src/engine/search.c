/* One inner node as a page of steps. Facts live in struct node; a step that can end the node
 * returns true and writes the score; search_node alone decides what follows what.
 *
 *   node_enter      limits, draws, mate distance
 *   node_probe      the table's answer
 *   node_probe_tablebase   what is known of few men
 *   node_evaluate   static evaluation, improving
 *   node_hindsight  a depth that the parent reduced too far, or too little
 *   node_prune      razoring, static null move, null move, ProbCut
 *   search_node     internal iterative reduction
 *   for each move:  move_prune, move_extend, move_search, node_accept
 *   node_leave      mate and stalemate, table
 *
 * Sources: docs/search.md. */
#include "engine/search.h"
#include "chess/see.h"
#include "engine/candidate.h"
#include "engine/node.h"
#include "engine/prove.h"
#include "engine/teach.h"

/* So that no extension leads past PLY_MAX: what a move adds, and what hindsight does below it. */
enum { DEPTH_EXTENDED_MAX = PLY_MAX - 2 };
static_assert(DEPTH_EXTENDED_MAX + GREATEST_EXTENSION_DOUBLE - 2 < PLY_MAX, "depths fit");

static inline bool node_enter(struct node *node, score_t *out_score)
{
    struct worker *worker = node->worker;
    const int ply = node->ply;
    if (node->is_pv) {
        node->frame->pv_count = 0;
        if ((uint32_t)ply > atomic_load_explicit(&worker->selective, memory_order_relaxed))
            atomic_store_explicit(&worker->selective, (uint32_t)ply, memory_order_relaxed);
    }
    worker->keys[worker->key_count + ply] = node->position->key;
    if (worker->stopped || node_is_drawn(worker, node->position, ply)) {
        *out_score = SCORE_DRAW;
        return true;
    }
    if (ply >= PLY_MAX - 1) {
        *out_score = node_at_limit(worker, node->position, ply);
        return true;
    }
    if (node->alpha < SCORE_DRAW && node_can_repeat(worker, node->position, ply))
        node->alpha = SCORE_DRAW;
    /* A mate nearer to the root is known: nothing here can matter. */
    if (node->alpha < score_mated_in(ply))
        node->alpha = score_mated_in(ply);
    if (node->beta > score_mate_in(ply + 1))
        node->beta = score_mate_in(ply + 1);
    *out_score = node->alpha;
    return node->alpha >= node->beta;
}

/* Whether an exact score may end a node of the principal variation. It makes what one client has
 * found nearly free for the next. But the score knows nothing of this path: where moves could lead
 * back into it, a perpetual check would be overlooked. So only behind a move that cannot be taken
 * back, or right below the root, which never stands in its own way. */
static inline bool node_may_end_pv(const struct node *node)
{
    return node->hit.bound == BOUND_EXACT && (node->ply == 1 || node->position->fifty == 0);
}

static inline bool node_probe(struct node *node, score_t *out_score)
{
    node->hit = (struct table_hit){.score = SCORE_NONE, .eval = SCORE_NONE};
    node->was_pv = node->is_pv;
    if (node->frame->excluded != MOVE_NONE)
        return false;
    node->key = node_key(node->worker, node->position);
    node->has_hit = table_probe(node->worker->table, node->key, &node->hit);
    if (!node->has_hit)
        return false;
    node->hit.score = score_from_table(node->hit.score, node->ply, node->position->fifty);
    node->was_pv |= node->hit.is_pv;
    if (node->hit.depth < node->depth || node->hit.score == SCORE_NONE)
        return false;
    *out_score = node->hit.score;
    if (node->is_pv)
        return node_may_end_pv(node);
    const bound_t needed = node->hit.score >= node->beta ? BOUND_LOWER : BOUND_UPPER;
    if ((node->hit.bound & needed) == 0)
        return false;
    node_teach_hit(node);
    return true;
}

static inline void node_evaluate(struct node *node)
{
    struct frame *frame = node->frame;
    if (node->in_check) {
        node->raw = SCORE_NONE;
        node->estimate = SCORE_NONE;
        frame->eval = SCORE_NONE;
        return;
    }
    if (frame->excluded != MOVE_NONE) {
        node->estimate = frame->eval; /* Of the node that asks. */
    } else {
        const bool is_known = node->hit.eval != SCORE_NONE;
        node->raw = is_known ? node->hit.eval : node_weigh(node->worker, node->position, node->ply);
        node_find_corrections(node->worker, node->position, node->ply, &node->corrections);
        frame->eval = node_correct(node->position, &node->corrections, node->raw);
        node->estimate = frame->eval;
        if (!node->has_hit) {
            const struct table_hit fresh = {.score = SCORE_NONE,
                                            .eval = node->raw,
                                            .depth = -1,
                                            .bound = BOUND_NONE,
                                            .is_pv = node->was_pv};
            table_store(node->worker->table, node->key, &fresh);
        } else if (node->hit.score != SCORE_NONE) {
            const bound_t needed = node->hit.score > frame->eval ? BOUND_LOWER : BOUND_UPPER;
            if ((node->hit.bound & needed) != 0)
                node->estimate = node->hit.score;
        }
    }
    if (frame->excluded == MOVE_NONE)
        node_teach_eval(node);
    score_t before = frame[-2].eval;
    if (before == SCORE_NONE)
        before = frame[-4].eval;
    node->is_improving = before == SCORE_NONE || frame->eval > before;
    node->is_opponent_worse = frame[-1].eval != SCORE_NONE && frame->eval > -frame[-1].eval;
}

/* The parent's reduction is judged by what the static evaluation says now: it took too much when
 * the opponent's move has not made things worse for it, too little when it was far too good.
 * Source: as published with Stockfish. */
static inline void node_hindsight(struct node *node)
{
    const struct frame *before = node->frame - 1;
    if (node->in_check || node->frame->excluded != MOVE_NONE || before->eval == SCORE_NONE)
        return;
    if (before->reduction >= TUNE_HINDSIGHT_REDUCTION && !node->is_opponent_worse)
        node->depth++;
    else if (before->reduction >= TUNE_HINDSIGHT_MORE && node->depth >= TUNE_HINDSIGHT_DEPTH &&
             node->frame->eval + before->eval > TUNE_HINDSIGHT_EVAL)
        node->depth--;
}

/* Passing the turn still fails high: so would a move. Where zugzwang is to be feared, or much
 * depends on it, a search without null moves must agree.
 * Source: Chess Programming Wiki, "Null Move Pruning". */
static inline bool node_prune_null(struct node *node, score_t *out_score)
{
    struct worker *worker = node->worker;
    struct frame *frame = node->frame;
    if (node->depth < TUNE_NULL_DEPTH || frame[-1].move == MOVE_NONE ||
        node->ply < worker->null_move_ply || node->estimate < node->beta ||
        frame->eval < node->beta + null_static_margin(node->depth) ||
        !position_has_officers(node->position, node->position->side))
        return false;
    const depth_t depth = node->depth - null_reduction(node->depth, node->estimate - node->beta);
    struct position next;
    frame->move = MOVE_NONE;
    frame->piece = PIECE_NONE;
    frame->continuation = NULL;
    frame[1].since_null = 0;
    frame[1].extensions = frame->extensions;
    position_after_null(&next, node->position);
    table_prefetch(worker->table, next.key ^ worker->key_mask);
    score_t score =
        -search_node(worker, &next, -node->beta, 1 - node->beta, depth, node->ply + 1, false);
    if (worker->stopped || score < node->beta)
        return worker->stopped;
    if (score >= SCORE_TB_BOUND)
        score = node->beta; /* Passing the turn proves no mate. */
    *out_score = score;
    if (node->depth < TUNE_NULL_VERIFY_DEPTH || worker->null_move_ply != 0)
        return true;
    worker->null_move_ply = node->ply + TUNE_NULL_VERIFY_REACH * depth / 16 + 1;
    const score_t verified =
        search_node(worker, node->position, node->beta - 1, node->beta, depth, node->ply, false);
    worker->null_move_ply = 0;
    return worker->stopped || verified >= node->beta;
}

/* A capture that wins by a margin in a shallower search will win in this one.
 * Source: Michael Buro, "ProbCut", 1995; Chess Programming Wiki. */
static inline bool node_prune_probcut(struct node *node, score_t *out_score)
{
    struct worker *worker = node->worker;
    const score_t bound = node->beta + TUNE_PROBCUT_MARGIN;
    if (node->depth < TUNE_PROBCUT_DEPTH || bound >= SCORE_TB_BOUND)
        return false;
    const depth_t depth = node->depth - TUNE_PROBCUT_REDUCTION;
    if (node->hit.score != SCORE_NONE && node->hit.depth >= depth && node->hit.score < bound)
        return false;
    struct picker picker;
    picker_init_noisy(&picker, node->position, &node->context, node->hit.move,
                      bound - node->frame->eval);
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        struct position next;
        node_prefetch(worker, node->position, move);
        node_make(worker, node->position, move, node->ply, &next);
        node->frame[1].extensions = node->frame->extensions;
        score_t score = -quiesce(worker, &next, -bound, 1 - bound, node->ply + 1);
        if (score >= bound && !worker->stopped)
            score =
                -search_node(worker, &next, -bound, 1 - bound, depth, node->ply + 1, !node->is_cut);
        if (worker->stopped)
            return true;
        if (score >= bound) {
            const struct table_hit hit = {.move = move,
                                          .score = score_to_table(score, node->ply),
                                          .eval = node->raw,
                                          .depth = depth + 1,
                                          .bound = BOUND_LOWER,
                                          .is_pv = node->was_pv};
            table_store(worker->table, node->key, &hit);
            *out_score = score;
            return true;
        }
    }
    return false;
}

static inline bool node_prune(struct node *node, score_t *out_score)
{
    if (node->is_pv || node->in_check || node->frame->excluded != MOVE_NONE)
        return false;
    const score_t estimate = node->estimate;
    /* Razoring: so far below that only captures could help. */
    if (node->depth <= TUNE_RAZOR_DEPTH && estimate + razor_margin(node->depth) <= node->alpha) {
        *out_score = quiesce(node->worker, node->position, node->alpha, node->beta, node->ply);
        if (node->worker->stopped || *out_score <= node->alpha)
            return true;
    }
    if (score_is_decided(node->beta))
        return false;
    /* Static null move (reverse futility): so far above that a quiet move will hold it. */
    if (node->depth <= TUNE_STATIC_NULL_DEPTH && estimate < SCORE_TB_BOUND &&
        estimate >= node->beta &&
        estimate - static_null_margin(node->depth, node->is_improving, node->is_opponent_worse) >=
            node->beta) {
        *out_score = score_mix(estimate, node->beta, TUNE_STATIC_NULL_TRUST);
        return true;
    }
    return node_prune_null(node, out_score) || node_prune_probcut(node, out_score);
}

/* Singular extension: the table move stands far above all others, so it is searched deeper. When
 * the others reach beta too, several moves refute and the node is cut (multi-cut).
 * Source: Anantharaman, Campbell and Hsu, 1988; Chess Programming Wiki, "Singular Extensions". */
static inline bool move_extend_singular(struct node *node, struct candidate *move,
                                        score_t *out_score)
{
    const struct table_hit *hit = &node->hit;
    const score_t bound = hit->score - TUNE_SINGULAR_MARGIN * node->depth;
    struct frame *frame = node->frame;
    frame->excluded = move->move;
    const score_t score =
        search_node(node->worker, node->position, bound - 1, bound,
                    (node->depth - 1) * TUNE_SINGULAR_SEARCH / 16, node->ply, node->is_cut);
    frame->excluded = MOVE_NONE;
    if (node->worker->stopped)
        return true;
    if (score < bound) {
        const bool is_double = !node->is_pv && score < bound - TUNE_SINGULAR_DOUBLE &&
                               frame->extensions < TUNE_SINGULAR_DOUBLE_MAX;
        move->extension = is_double ? TUNE_EXTENSION_DOUBLE : TUNE_EXTENSION_SINGULAR;
        return false;
    }
    if (TUNE_MULTI_CUT != 0 && bound >= node->beta) {
        *out_score = bound;
        return true;
    }
    if (hit->score >= node->beta)
        move->extension = node->is_pv ? TUNE_EXTENSION_HIGH_PV : TUNE_EXTENSION_HIGH;
    else if (node->is_cut)
        move->extension = TUNE_EXTENSION_CUT;
    return false;
}

static inline bool move_extend(struct node *node, struct candidate *move, score_t *out_score)
{
    move->extension = 0;
    if (node->ply >= TUNE_EXTENSION_REACH * node->worker->root_depth ||
        node->depth >= DEPTH_EXTENDED_MAX)
        return false;
    const struct table_hit *hit = &node->hit;
    if (move->move == hit->move && node->depth >= TUNE_SINGULAR_DEPTH &&
        node->frame->excluded == MOVE_NONE &&
        hit->depth >= node->depth - TUNE_SINGULAR_TABLE_DEPTH && (hit->bound & BOUND_LOWER) != 0 &&
        !score_is_decided(hit->score))
        return move_extend_singular(node, move, out_score);
    if (move->gives_check && see_at_least(node->position, move->move, TUNE_EXTENSION_CHECK_SEE))
        move->extension = TUNE_EXTENSION_CHECK;
    return false;
}

/* Late moves are tried reduced and with no window; what surprises is searched again.
 * Source: Chess Programming Wiki, "Late Move Reductions", "Principal Variation Search". */
static inline score_t move_search(struct node *node, const struct candidate *move)
{
    struct worker *worker = node->worker;
    const int ply = node->ply + 1;
    depth_t depth = node->depth - 1 + move->extension;
    struct position next;
    node_make(worker, node->position, move->move, node->ply, &next);
    node->frame[1].extensions = (uint16_t)(node->frame->extensions + (move->extension > 1 ? 1 : 0));

    const score_t alpha = node->alpha;
    score_t score = 0;
    bool is_full = !node->is_pv || node->move_count > 1;
    if (node->depth >= TUNE_REDUCTION_DEPTH &&
        node->move_count > TUNE_REDUCTION_MOVES + (node->is_pv ? TUNE_REDUCTION_MOVES_PV : 0)) {
        depth_t reduced = depth - move_reduction(node, move) / PLY_ONE;
        if (reduced > depth)
            reduced = depth;
        if (reduced < 1)
            reduced = 1;
        node->frame->reduction = depth - reduced;
        score = -search_node(worker, &next, -alpha - 1, -alpha, reduced, ply, true);
        node->frame->reduction = 0;
        is_full = score > alpha && reduced < depth;
        if (is_full) {
            depth += score > node->best_score + TUNE_DEEPER_MARGIN + TUNE_DEEPER_SLOPE * depth;
            depth -= score < node->best_score + TUNE_SHALLOWER_SLOPE * depth;
            is_full = reduced < depth;
        }
    }
    if (is_full && !worker->stopped)
        score = -search_node(worker, &next, -alpha - 1, -alpha, depth, ply, !node->is_cut);
    if (node->is_pv && !worker->stopped && (node->move_count == 1 || score > alpha)) {
        node->frame[1].pv_count = 0;
        score = -search_node(worker, &next, -node->beta, -alpha, depth, ply, false);
    }
    return score;
}

/* Takes a move's score; true: it refutes. */
static inline bool node_accept(struct node *node, const struct candidate *move, score_t score)
{
    if (score > node->best_score) {
        node->best_score = score;
        if (score > node->alpha) {
            node->best_move = move->move;
            if (node->is_pv)
                frame_set_pv(node->frame, move->move);
            if (score >= node->beta) {
                node->frame->cutoffs++;
                history_cutoff(&node->context, node->position, node->depth, move->move,
                               node->quiets, node->quiet_count, node->captures,
                               node->capture_count);
                return true;
            }
            node->is_exact = true;
            node->alpha = score;
            return false;
        }
    }
    if (move->is_quiet) {
        if (node->quiet_count < QUIETS_TRIED_MAX)
            node->quiets[node->quiet_count++] = move->move;
    } else if (node->capture_count < CAPTURES_TRIED_MAX) {
        node->captures[node->capture_count++] = move->move;
    }
    return false;
}

static inline score_t node_leave(struct node *node)
{
    const bool is_excluded = node->frame->excluded != MOVE_NONE;
    if (node->move_count == 0) {
        if (is_excluded)
            return node->alpha;
        return node->in_check ? score_mated_in(node->ply) : SCORE_DRAW;
    }
    if (is_excluded)
        return node->best_score;
    if (node->best_score > node->ceiling)
        node->best_score = node->ceiling;
    const bound_t bound = node->best_score >= node->beta ? BOUND_LOWER
                          : node->is_exact               ? BOUND_EXACT
                                                         : BOUND_UPPER;
    const struct table_hit hit = {.move = node->best_move,
                                  .score = score_to_table(node->best_score, node->ply),
                                  .eval = node->raw,
                                  .depth = node->depth,
                                  .bound = bound,
                                  .is_pv = node->was_pv};
    if (bound == BOUND_EXACT)
        history_exact(&node->context, node->position, node->depth, node->best_move, node->quiets,
                      node->quiet_count);
    else if (bound == BOUND_UPPER)
        node_teach_refuted(node);
    node_teach_corrections(node, bound);
    table_store(node->worker->table, node->key, &hit);
    return node->best_score;
}

score_t search_node(struct worker *worker, const struct position *position, score_t alpha,
                    score_t beta, depth_t depth, int ply, bool is_cut)
{
    if (depth <= 0)
        return quiesce(worker, position, alpha, beta, ply);
    ASSERT(alpha < beta && ply > 0);

    struct node node;
    node.worker = worker;
    node.position = position;
    node.frame = worker_frame(worker, ply);
    node.alpha = alpha;
    node.beta = beta;
    node.depth = depth;
    node.ply = ply;
    node.is_pv = beta - alpha > 1;
    node.is_cut = is_cut;
    node.in_check = position->checkers != 0;
    node.is_improving = false;
    node.is_opponent_worse = false;
    node.has_hit = false;
    node.is_exact = false;
    node.best_score = -SCORE_INFINITE;
    node.best_move = MOVE_NONE;
    node.move_count = 0;
    node.quiet_count = 0;
    node.capture_count = 0;

    score_t score;
    if (node_enter(&node, &score) || node_probe(&node, &score) ||
        node_probe_tablebase(&node, &score))
        return score;
    node_evaluate(&node);
    node_context(&node.context, worker, ply);
    node.frame[2].cutoffs = 0;
    worker->memory->killers[ply + 2][0] = MOVE_NONE; /* Of another branch. */
    worker->memory->killers[ply + 2][1] = MOVE_NONE;
    node_hindsight(&node);
    if (node_prune(&node, &score))
        return score;
    /* Internal iterative reduction: without a table move the order is poor; come back deeper. */
    if (node.hit.move == MOVE_NONE && node.depth >= TUNE_IIR_DEPTH && (node.is_pv || is_cut) &&
        node.frame->excluded == MOVE_NONE)
        node.depth--;

    struct picker picker;
    struct threats threats;
    node_find_threats(worker, position, ply, &threats);
    node.context.attacked = threats.attacked;
    picker_init(&picker, position, &node.context, node.hit.move);
    picker.threats = &threats;
    struct candidate move;
    while ((move.move = picker_next(&picker)) != MOVE_NONE) {
        if (move.move == node.frame->excluded)
            continue;
        node.move_count++;
        node_prefetch(worker, position, move.move);
        move.is_quiet = !move_is_noisy(move.move);
        move.stage = picker.given;
        move.gives_check = checks_by(&threats.checks, position, move.move);
        move.history = move.is_quiet ? history_quiet(&node.context, position, move.move)
                                     : history_capture(worker->memory, position, move.move);
        if (node.best_score > -SCORE_TB_BOUND && position_has_officers(position, position->side) &&
            move_prune(&node, &picker, &move))
            continue;
        if (move_extend(&node, &move, &score))
            return score;
        score = move_search(&node, &move);
        if (worker->stopped)
            return SCORE_DRAW;
        if (node_accept(&node, &move, score))
            break;
    }
    return node_leave(&node);
}
