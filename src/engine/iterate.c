/* Iterative deepening. Each iteration searches every line of the block in a window around what the
 * line scored before; a score outside the window widens it on that side and is searched again.
 * After a block the outcome is written, so that outcome and the block reported last never differ;
 * a stop within an iteration adds a line only when a better move has been searched fully.
 * Sources: Chess Programming Wiki, "Iterative Deepening", "Aspiration Windows", "Lazy SMP". */
#include "engine/iterate.h"

#include <string.h>

#include "base/random.h"
#include "engine/node.h"
#include "engine/rank.h"
#include "engine/search.h"
#include "engine/weaken.h"

enum {
    BOUND_LINE_NODES = 4000000, /* Bounds are told once a search has lasted. */
    PERMILLE = 1000,
    QUIET_MATE_DEPTH = 32 /* Beyond, a mate that does not change is not told again. */
};

/* A position that the game has seen twice is a draw to this search wherever the tree comes back to
 * it, and to no other: its scores are its own. 0: there is none. */
static zkey_t past_of(const struct worker *worker)
{
    uint64_t past = 0;
    for (int i = 0; i < worker->key_count; i++)
        for (int later = i + 4; later <= worker->key_count; later += 2)
            if (worker->keys[i] == worker->keys[later]) {
                past += worker->keys[i];
                break;
            }
    return past == 0 ? 0 : random_next(&past);
}

static void prepare_keys(struct worker *worker)
{
    const struct rk_game *game = &worker->game;
    const struct position *root = &game->position;
    worker->key_count = game->key_count;
    memcpy(worker->keys, game->keys, game->key_count * sizeof *game->keys);
    worker->keys[worker->key_count] = root->key;
    worker->key_mask = worker->salt * 0xd1342543de82ef95u ^ past_of(worker);
    worker->root_key = node_key(worker, root);
    /* A third repetition at the root is searched as if it were none: its scores are its own. */
    if (game_repetitions(game) >= 2)
        worker->root_key ^= 0x8e5a3c1f6b49d207u;
}

static void prepare_frames(struct worker *worker)
{
    memset(worker->frames_all, 0, sizeof worker->frames_all);
    for (int ply = -FRAMES_BEFORE; ply < 0; ply++) {
        struct frame *frame = worker_frame(worker, ply);
        frame->piece = PIECE_NONE;
        frame->eval = SCORE_NONE;
    }
    struct frame *root = worker_frame(worker, 0);
    root->since_null = UINT16_MAX / 2;
    const struct position *position = &worker->game.position;
    worker->root_raw = position->checkers != 0 ? SCORE_NONE : node_weigh(worker, position, 0);
    struct correction_cells corrections;
    node_find_corrections(worker, position, 0, &corrections);
    root->eval = worker->root_raw == SCORE_NONE
                     ? SCORE_NONE
                     : node_correct(position, &corrections, worker->root_raw);
}

static bool is_wanted(const struct rk_request *request, move_t move)
{
    if (!request->has_searchmoves)
        return true;
    for (unsigned i = 0; i < request->searchmove_count; i++)
        if (request->searchmoves[i] == move)
            return true;
    return false;
}

/* In the order an inner node would try them. */
static void prepare_root_moves(struct worker *worker, const struct rk_request *request)
{
    struct table_hit hit = {.move = MOVE_NONE};
    if (!table_probe(worker->table, worker->root_key, &hit))
        hit.move = MOVE_NONE;
    struct history_context context;
    struct picker picker;
    struct threats threats;
    node_find_threats(worker, &worker->game.position, 0, &threats);
    node_context(&context, worker, 0);
    picker_init(&picker, &worker->game.position, &context, hit.move);
    worker->root_count = 0;
    for (move_t move = picker_next(&picker); move != MOVE_NONE; move = picker_next(&picker)) {
        if (!is_wanted(request, move))
            continue;
        struct root_move *root = &worker->root_moves[worker->root_count++];
        *root = (struct root_move){.move = move,
                                   .score = -SCORE_INFINITE,
                                   .previous_score = -SCORE_INFINITE,
                                   .told = SCORE_NONE,
                                   .average = SCORE_NONE,
                                   .pv_count = 1,
                                   .pv = {move}};
    }
    worker->is_part = request->has_searchmoves;
}

/* Lines that the client is told. */
static int told_count(const struct worker *worker)
{
    const int wanted = worker->multipv > 1 ? (int)worker->multipv : 1;
    return wanted < worker->root_count ? wanted : worker->root_count;
}

/* The first block was told in part, and so would be all others. */
static bool is_cut(const struct worker *worker) { return worker->line_count < told_count(worker); }

static void prepare_lines(struct worker *worker)
{
    worker->line_count = told_count(worker);
    if (worker->elo == 0)
        return;
    const struct weakness weakness = weaken_to(worker->elo);
    if (worker->limits.nodes == 0 || worker->limits.nodes > weakness.nodes)
        worker->limits.nodes = weakness.nodes;
    if (worker->line_count < weakness.lines)
        worker->line_count =
            weakness.lines < worker->root_count ? weakness.lines : worker->root_count;
}

void iterate_prepare(struct worker *worker, const struct rk_request *request)
{
    worker->outcome = (struct outcome){.score = -SCORE_INFINITE};
    worker->facts = (struct timing_facts){0};
    worker->stopped = false;
    worker->stop_waits = false;
    atomic_store_explicit(&worker->nodes, 0, memory_order_relaxed);
    atomic_store_explicit(&worker->selective, 0, memory_order_relaxed);
    worker->root_depth = 0;
    worker->completed_depth = 0;
    worker->pv_index = 0;
    worker->null_move_ply = 0;
    prepare_keys(worker);
    prepare_frames(worker);
    prepare_root_moves(worker, request);
    rank_root_moves(worker, request);
    prepare_lines(worker);
    worker->check_at = NODES_PER_CLOCK_CHECK;
    if (worker->limits.nodes != 0 && worker->limits.nodes < worker->check_at)
        worker->check_at = worker->limits.nodes;
}

static bool is_better(const struct root_move *a, const struct root_move *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank;
    if (a->score != b->score)
        return a->score > b->score;
    return a->previous_score > b->previous_score;
}

/* Best first; equals keep the order of the iteration before. Insertion: it is stable and the list
 * is nearly in order. */
static void sort_root_moves(struct worker *worker, int from, int end)
{
    struct root_move *moves = worker->root_moves;
    for (int i = from + 1; i < end; i++) {
        int to = i;
        while (to > from && is_better(&moves[i], &moves[to - 1]))
            to--;
        if (to == i)
            continue;
        const struct root_move moved = moves[i];
        memmove(&moves[to + 1], &moves[to], (size_t)(i - to) * sizeof *moves);
        moves[to] = moved;
    }
}

/* Whether the game has been here, or the line has: a line is not led round in a circle. */
static bool is_seen(const struct worker *worker, const zkey_t *line, unsigned count, zkey_t key)
{
    for (unsigned i = 0; i < count; i++)
        if (line[i] == key)
            return true;
    for (int i = 0; i < worker->key_count; i++)
        if (worker->keys[i] == key)
            return true;
    return false;
}

/* Tables and searches end a line early: what the table knows continues it, while it is legal and
 * nothing repeats. */
static void lengthen_pv(struct worker *worker, struct rk_report *report)
{
    struct position positions[2];
    zkey_t seen[RK_PV_MAX + 1];
    struct position *position = &positions[0];
    positions[0] = worker->game.position;
    unsigned count = 0;
    while (count < RK_PV_MAX) {
        seen[count] = position->key;
        if (count >= report->pv_count) {
            struct table_hit hit;
            if (position->fifty >= FIFTY_PLIES || position_is_material_draw(position) ||
                !table_probe(worker->table, node_key(worker, position), &hit) ||
                hit.move == MOVE_NONE || !position_is_pseudo_legal(position, hit.move) ||
                !position_is_legal(position, hit.move) ||
                (count > 0 && is_seen(worker, seen, count, position->key)))
                return;
            report->pv[count] = hit.move;
            report->pv_count = (uint16_t)(count + 1);
        }
        struct position *next = position == &positions[0] ? &positions[1] : &positions[0];
        position_after(next, position, report->pv[count]);
        position = next;
        count++;
    }
}

static void report_score(const struct worker *worker, const struct root_move *root,
                         struct rk_report *report)
{
    score_t score = root->score;
    if (root->known != SCORE_NONE && abs(score) < SCORE_MATE_BOUND)
        score = root->known;
    if (abs(score) >= SCORE_MATE_BOUND) {
        report->is_mate = true;
        report->score = score > 0 ? (SCORE_MATE - score + 1) / 2 : -(SCORE_MATE + score) / 2;
        report->wdl[score > 0 ? 0 : 2] = PERMILLE;
        return;
    }
    if (abs(score) >= SCORE_TB_BOUND) {
        const int plies = SCORE_TB_WIN - abs(score);
        report->score = score > 0 ? CENTIPAWNS_WON - plies : plies - CENTIPAWNS_WON;
        report->wdl[score > 0 ? 0 : 2] = PERMILLE;
        return;
    }
    report->score = eval_centipawns(score);
    if (root->known == SCORE_DRAW)
        report->wdl[1] = PERMILLE;
    else
        eval_wdl(score, &worker->game.position, report->wdl);
}

void iterate_line(struct worker *worker, int index, struct rk_report *out_report)
{
    static const enum rk_bound BOUNDS[] = {[BOUND_NONE] = RK_BOUND_EXACT,
                                           [BOUND_UPPER] = RK_BOUND_UPPER,
                                           [BOUND_LOWER] = RK_BOUND_LOWER,
                                           [BOUND_EXACT] = RK_BOUND_EXACT};
    const struct root_move *root = &worker->root_moves[index];
    *out_report = (struct rk_report){.kind = RK_REPORT_LINE,
                                     .bound = BOUNDS[root->bound],
                                     .depth = (uint16_t)root->depth,
                                     .depth_selective = root->selective,
                                     .multipv = (uint16_t)(index + 1),
                                     .hashfull = (uint16_t)table_hashfull(worker->table),
                                     .nodes = worker_nodes(worker),
                                     .tb_hits = worker->tablebase_hits,
                                     .pv_count = root->pv_count};
    if (out_report->depth_selective < out_report->depth)
        out_report->depth_selective = out_report->depth;
    memcpy(out_report->pv, root->pv, root->pv_count * sizeof *root->pv);
    report_score(worker, root, out_report);
    lengthen_pv(worker, out_report);
}

/* The first line is what the search stands by now. */
static void outcome_set(struct worker *worker, const move_t *pv, unsigned pv_count)
{
    worker->outcome = (struct outcome){.best = pv[0],
                                       .ponder = pv_count > 1 ? pv[1] : MOVE_NONE,
                                       .score = worker->root_moves[0].score,
                                       .depth = worker->root_moves[0].depth};
}

/* The first line becomes the outcome; the block is told unless `is_silent`. Where nobody listens no
 * report is made: in a search of a thousand nodes it would cost a fortieth. */
static void report_block(struct worker *worker, bool is_silent)
{
    const int lines = is_cut(worker) ? worker->line_count : told_count(worker);
    struct rk_report report;
    if (worker->hooks.line == NULL) {
        outcome_set(worker, worker->root_moves[0].pv, worker->root_moves[0].pv_count);
        return;
    }
    for (int i = 0; i < lines; i++) {
        if (i > 0 && is_silent)
            return;
        iterate_line(worker, i, &report);
        report.block_end = i + 1 == lines;
        if (i == 0)
            outcome_set(worker, report.pv, report.pv_count);
        if (!is_silent)
            worker->hooks.line(worker, &report);
    }
}

/* One line's bound while its window is being widened. */
static void report_bound(struct worker *worker)
{
    if (worker->hooks.line == NULL || worker->line_count > 1 || worker->outcome.depth == 0 ||
        worker_nodes(worker) < BOUND_LINE_NODES)
        return;
    struct rk_report report;
    iterate_line(worker, 0, &report);
    report.block_end = true;
    worker->hooks.line(worker, &report);
}

/* Searches one line to `depth`, in as many windows as it takes. */
static void search_line(struct worker *worker, depth_t depth)
{
    const score_t middle = worker->root_moves[worker->pv_index].average;
    score_t alpha = -SCORE_INFINITE;
    score_t beta = SCORE_INFINITE;
    int delta = TUNE_ASPIRATION_DELTA;
    depth_t failed_high = 0;
    if (depth >= TUNE_ASPIRATION_DEPTH && middle != SCORE_NONE && abs(middle) < SCORE_TB_BOUND) {
        delta += abs(middle) / TUNE_ASPIRATION_DIVISOR;
        alpha = middle - delta;
        beta = middle + delta;
    }
    for (;;) {
        const depth_t reduced = depth - failed_high < 1 ? 1 : depth - failed_high;
        atomic_store_explicit(&worker->selective, 0, memory_order_relaxed);
        const score_t score = search_root(worker, alpha, beta, reduced);
        sort_root_moves(worker, worker->pv_index, worker->root_count);
        if (worker->stopped)
            return;
        if (score <= alpha) {
            beta = score_mix(beta, alpha, TUNE_ASPIRATION_LOW);
            alpha = delta > TUNE_ASPIRATION_DELTA_MAX || score < -SCORE_TB_BOUND ? -SCORE_INFINITE
                                                                                 : score - delta;
            failed_high = 0;
        } else if (score >= beta) {
            beta = delta > TUNE_ASPIRATION_DELTA_MAX || score > SCORE_TB_BOUND ? SCORE_INFINITE
                                                                               : score + delta;
            if (failed_high < TUNE_ASPIRATION_HIGH_MAX)
                failed_high++;
        } else {
            break;
        }
        delta += delta * TUNE_ASPIRATION_GROWTH / 100;
        report_bound(worker);
    }
    sort_root_moves(worker, 0, worker->pv_index + 1);
}

/* A stop fell into an iteration. */
static void finish_stopped(struct worker *worker)
{
    struct root_move *moves = worker->root_moves;
    const struct outcome *outcome = &worker->outcome;
    if (worker->line_count == 1 && moves[0].score != -SCORE_INFINITE &&
        moves[0].move != outcome->best) {
        /* Its window was still being widened: the bound is all that will be known, and the line
           told last must be that of the best move. */
        moves[0].bound = BOUND_EXACT;
        report_block(worker, false);
        return;
    }
    /* A block told in part would be no block, and a bound no score: those before stand. */
    int at = 0;
    while (at + 1 < worker->root_count && moves[at].move != outcome->best)
        at++;
    struct root_move best = moves[at];
    best.score = outcome->score;
    best.bound = BOUND_EXACT;
    memmove(&moves[1], &moves[0], (size_t)at * sizeof *moves);
    moves[0] = best;
}

/* A mate so near that deeper iterations can only repeat it. */
static bool is_settled(const struct worker *worker)
{
    const score_t score = worker->outcome.score;
    const int plies = SCORE_MATE - abs(score);
    return abs(score) >= SCORE_MATE_BOUND && worker->completed_depth > 2 * plies + 4;
}

static void gather_facts(struct worker *worker, move_t best_before, score_t middle)
{
    struct timing_facts *facts = &worker->facts;
    const uint64_t nodes = worker_nodes(worker);
    facts->stable_iterations =
        worker->outcome.best == best_before ? facts->stable_iterations + 1 : 0;
    facts->score_drop =
        middle == SCORE_NONE ? 0 : eval_centipawns(middle) - eval_centipawns(worker->outcome.score);
    facts->best_effort_permille =
        nodes == 0 ? 0 : (unsigned)(worker->root_moves[0].effort * 1000 / nodes);
    facts->single_reply = worker->root_count == 1;
    facts->is_mate = is_settled(worker);
}

static depth_t last_depth(const struct worker *worker)
{
    const uint32_t limit = worker->index == 0 ? worker->limits.depth : 0;
    return limit == 0 || limit >= PLY_MAX ? PLY_MAX - 1 : (depth_t)limit;
}

/* Helpers leave out runs of iterations, each its own, so that a crew looks at many depths. */
static bool is_skipped(const struct worker *worker, depth_t depth)
{
    if (worker->index == 0 || depth < TUNE_HELPER_SKIP_DEPTH)
        return false;
    const unsigned run = 1 + (worker->index - 1) / 2 % (unsigned)TUNE_HELPER_SKIP_KINDS;
    return ((unsigned)depth + worker->index) / run % 2 == 0;
}

static bool has_mate_asked_for(const struct worker *worker)
{
    const int plies = SCORE_MATE - worker->outcome.score;
    return worker->limits.mate != 0 && worker->outcome.score >= SCORE_MATE_BOUND &&
           (uint32_t)plies <= 2 * worker->limits.mate - 1;
}

/* One iteration; false: it was stopped. A stop that waits for the first block needs one line: the
 * block ends with the line that was being searched, or with those that a weak player chooses among.
 */
static bool iterate_once(struct worker *worker, depth_t depth)
{
    struct root_move *moves = worker->root_moves;
    worker->root_depth = depth;
    for (int i = 0; i < worker->root_count; i++) {
        moves[i].previous_score = moves[i].score;
        if (i > 0)
            moves[i].score = -SCORE_INFINITE;
    }
    const int least = worker->elo == 0 ? 1 : weaken_to(worker->elo).lines;
    for (worker->pv_index = 0; worker->pv_index < worker->line_count; worker->pv_index++) {
        search_line(worker, depth);
        if (worker->stopped)
            return false;
        if (worker->stop_waits && worker->pv_index + 1 >= least)
            worker->line_count = worker->pv_index + 1;
    }
    const int lines = worker->line_count;
    worker->pv_index = 0;
    worker->completed_depth = depth;
    for (int i = 0; i < lines; i++) {
        moves[i].depth = depth;
        /* What an earlier iteration thought of a move that was in no line since is no news. */
        moves[i].average = moves[i].told == SCORE_NONE
                               ? moves[i].score
                               : score_mix(moves[i].average, moves[i].score, TUNE_ASPIRATION_KEPT);
    }
    for (int i = 0; i < worker->root_count; i++)
        moves[i].told = i < lines ? moves[i].score : SCORE_NONE;
    return true;
}

static void deepen(struct worker *worker)
{
    const depth_t last = last_depth(worker);
    for (depth_t depth = 1; depth <= last && !worker->stopped; depth++) {
        if (is_skipped(worker, depth))
            continue;
        const struct outcome before = worker->outcome;
        const score_t middle = worker->root_moves[0].average;
        if (!iterate_once(worker, depth)) {
            finish_stopped(worker);
            return;
        }
        const bool is_quiet = told_count(worker) == 1 && depth > QUIET_MATE_DEPTH && depth < last &&
                              is_settled(worker) && worker->root_moves[0].score == before.score &&
                              worker->root_moves[0].move == before.best;
        report_block(worker, is_quiet || (depth > 1 && is_cut(worker)));
        gather_facts(worker, before.best, middle);
        if (worker->stop_waits && worker->elo == 0)
            worker->stopped = true;
        if (has_mate_asked_for(worker) ||
            (worker->hooks.iteration != NULL && worker->hooks.iteration(worker)))
            return;
    }
}

/* A weak player plays by what it sees, and tells it as its last block: scores of the last whole
 * iteration, whatever an unfinished one has left in its moves. */
static void weaken(struct worker *worker)
{
    const int noise = weaken_to(worker->elo).noise;
    if (noise == 0)
        return;
    weaken_see(worker, noise);
    sort_root_moves(worker, 0, worker->root_count);
    for (int i = 0; i < worker->line_count; i++) {
        worker->root_moves[i].bound = BOUND_EXACT;
        worker->root_moves[i].depth = is_cut(worker) ? 1 : worker->completed_depth;
    }
    report_block(worker, false);
}

void iterate_run(struct worker *worker)
{
    if (worker->root_count == 0)
        return;
    deepen(worker);
    if (worker->elo != 0)
        weaken(worker);
}
