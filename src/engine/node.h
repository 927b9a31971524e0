/* engine/node.h: the facts of one node, so that the steps of the search can be functions; and what
 * every kind of node does: keys, draws, frames, principal variations.
 * Thread: the worker's own. */
#ifndef ENGINE_NODE_H
#define ENGINE_NODE_H

#include "chess/cycle.h"
#include "engine/picker.h"
#include "engine/prune.h"
#include "engine/threats.h"
#include "engine/worker.h"

struct node {
    struct worker *worker;
    const struct position *position;
    struct frame *frame;
    struct history_context context;
    score_t alpha, beta;
    depth_t depth;
    int ply;
    bool is_pv;
    bool is_cut; /* A cutoff is expected. */
    bool in_check;
    bool is_improving;      /* Static evaluation has risen since the side's last turn. */
    bool is_opponent_worse; /* The opponent's last move has cost it by the static evaluation. */
    bool was_pv;            /* The table has seen it in a principal variation. */
    bool has_hit;
    bool is_exact; /* alpha has been raised. */
    struct table_hit
        hit; /* Its score counted from the root. Move and score are none without hit. */
    zkey_t key;
    struct correction_cells corrections;
    score_t raw;      /* Evaluation as the table keeps it. */
    score_t estimate; /* Static evaluation, corrected by the table's bound. */
    score_t best_score;
    score_t ceiling; /* What tablebases prove it not to exceed. */
    move_t best_move;
    int move_count;
    unsigned quiet_count, capture_count; /* Tried without success. */
    move_t quiets[QUIETS_TRIED_MAX];
    move_t captures[CAPTURES_TRIED_MAX];
};

enum {
    FIFTY_BUCKET_FROM = 64, /* The counter enters the key from here on, in steps. */
    FIFTY_BUCKET_PLIES = 8,
    FIFTY_EXACT_FROM = 88 /* So near its end a ply more or less is a win or a draw. */
};

/* What the table knows the position by: near the end of the fifty-move counter the counter counts,
 * and salt and past of a search part it from others. Past the hundredth ply (a game nobody claimed)
 * all is one bucket. */
static inline zkey_t node_key(const struct worker *worker, const struct position *position)
{
    const zkey_t key = position->key ^ worker->key_mask;
    if (position->fifty < FIFTY_BUCKET_FROM)
        return key;
    const unsigned plies = position->fifty < FIFTY_PLIES ? position->fifty : 2 * FIFTY_PLIES;
    const unsigned bucket =
        plies < FIFTY_EXACT_FROM ? (plies - FIFTY_BUCKET_FROM) / FIFTY_BUCKET_PLIES + 1 : plies;
    return key ^ bucket * 0x9e3779b97f4a7c15u;
}

/* How many plies back a position could stand that this one repeats. */
static inline int node_repeat_reach(const struct worker *worker, const struct position *position,
                                    int ply)
{
    int reach = worker->frames_all[FRAMES_BEFORE + ply].since_null;
    if (position->fifty < reach)
        reach = position->fifty;
    return worker->key_count + ply < reach ? worker->key_count + ply : reach;
}

/* Whether the side to move can repeat a position of the tree with its next move, so that it has a
 * draw at least. */
static inline bool node_can_repeat(const struct worker *worker, const struct position *position,
                                   int ply)
{
    const zkey_t *newest = &worker->keys[worker->key_count + ply];
    const int reach = TUNE_REPETITION_AHEAD == 0 ? 0 : node_repeat_reach(worker, position, ply);
    for (int back = 3; back <= reach && back < ply; back += 2)
        if (cycle_closes(position, newest[0] ^ newest[-back]))
            return true;
    return false;
}

/* Whether the position at `ply` repeats: once within the tree below the root, or twice with the
 * game's past. Its key has been written to worker->keys. */
static inline bool node_repeats(const struct worker *worker, const struct position *position,
                                int ply)
{
    const zkey_t *newest = &worker->keys[worker->key_count + ply];
    const int reach = node_repeat_reach(worker, position, ply);
    bool is_seen = false;
    for (int back = 4; back <= reach; back += 2) {
        if (newest[-back] != position->key)
            continue;
        if (back < ply || is_seen)
            return true;
        is_seen = true;
    }
    return false;
}

/* Draws by rule. Checkmate on the hundredth ply goes before the fifty-move rule, which a root that
 * stands past it has shown that nobody claims. */
static inline bool node_is_drawn(const struct worker *worker, const struct position *position,
                                 int ply)
{
    if (position->fifty >= FIFTY_PLIES && worker->game.position.fifty < FIFTY_PLIES)
        return position->checkers == 0 || movegen_has_any(position);
    return position_is_material_draw(position) || node_repeats(worker, position, ply);
}

/* Finds what threatens at `ply`, and writes it down for ordering, here and below. */
static inline void node_find_threats(struct worker *worker, const struct position *position,
                                     int ply, struct threats *out_threats)
{
    threats_find(position, out_threats);
    worker_frame(worker, ply)->attacked = out_threats->attacked;
}

/* Fills what the children's ordering looks back at. What is attacked must be known where quiet
 * moves are ordered or taught. */
static inline void node_context(struct history_context *out_context, struct worker *worker, int ply)
{
    static const int BACK[CONTINUATIONS] = {1, 2, 4};
    const struct frame *before = worker_frame(worker, ply - 1);
    out_context->memory = worker->memory;
    out_context->ply = ply;
    out_context->attacked = worker_frame(worker, ply)->attacked;
    out_context->previous = before->move;
    out_context->previous_piece = before->piece;
    for (unsigned i = 0; i < CONTINUATIONS; i++)
        out_context->continuation[i] = worker_frame(worker, ply - BACK[i])->continuation;
}

/* Called as soon as a move is known: memory answers while the move is being weighed. */
static inline void node_prefetch(const struct worker *worker, const struct position *position,
                                 move_t move)
{
    table_prefetch(worker->table, position_key_after(position, move) ^ worker->key_mask);
}

/* Writes down that `move` is made at `ply`, counts it, and makes it. */
static inline void node_make(struct worker *worker, const struct position *position, move_t move,
                             int ply, struct position *out_next)
{
    struct frame *frame = worker_frame(worker, ply);
    frame->move = move;
    frame->piece = position->board[move_from(move)];
    frame->continuation = &worker->memory->continuations[frame->piece][move_to(move)];
    frame[1].since_null = (uint16_t)(frame->since_null + 1);
    worker_count_node(worker);
    position_after(out_next, position, move);
}

/* The line of `frame` becomes `move` and the line of the frame below. */
static inline void frame_set_pv(struct frame *frame, move_t move)
{
    const struct frame *below = frame + 1;
    unsigned count = below->pv_count < PLY_MAX ? below->pv_count : PLY_MAX;
    frame->pv[0] = move;
    for (unsigned i = 0; i < count; i++)
        frame->pv[i + 1] = below->pv[i];
    frame->pv_count = (uint16_t)(count + 1);
}

/* The cells of the corrections that a node at `ply` reads. */
static inline void node_find_corrections(struct worker *worker, const struct position *position,
                                         int ply, struct correction_cells *out_cells)
{
    const struct frame *last = worker_frame(worker, ply - 1), *before = last - 1;
    uint64_t moves = 0;
    if (last->move != MOVE_NONE && before->move != MOVE_NONE)
        moves = 1 + (uint64_t)last->piece + 16u * move_to(last->move) +
                1024u * (before->piece + 16u * move_to(before->move));
    correction_find(&worker->memory->corrections, position, moves, out_cells);
}

/* An evaluation fades as the fifty-move rule comes near. */
static inline score_t node_fade(const struct position *position, score_t raw)
{
    const int fifty = position->fifty < FIFTY_PLIES ? position->fifty : FIFTY_PLIES;
    return raw * (TUNE_FIFTY_FADE - fifty) / TUNE_FIFTY_FADE;
}

/* The static evaluation in play: faded, and corrected by what searches have found. */
static inline score_t node_correct(const struct position *position,
                                   const struct correction_cells *cells, score_t raw)
{
    const score_t score = node_fade(position, raw) + correction_read(cells);
    if (score > SCORE_EVAL_MAX)
        return SCORE_EVAL_MAX;
    return score < -SCORE_EVAL_MAX ? -SCORE_EVAL_MAX : score;
}

/* The evaluation as it is, of the position at `ply`, whose key and those before it have been
 * written to worker->keys. */
static inline score_t node_weigh(struct worker *worker, const struct position *position, int ply)
{
    return eval_in_line(position, &worker->evaluator, &worker->keys[worker->key_count], ply);
}

/* A score that ends a search of fewer plies than the tree is deep. */
static inline score_t node_at_limit(struct worker *worker, const struct position *position, int ply)
{
    return position->checkers != 0 ? SCORE_DRAW : node_weigh(worker, position, ply);
}

#endif
