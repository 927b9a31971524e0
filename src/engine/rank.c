/* A root of few men. Moves that win for certain within the fifty-move rule all have one rank, so
 * that the search may choose the pretty one; when a position has come twice, or the counter runs
 * out, the distance to the next capture or pawn move parts them, and only the quickest is left.
 * What the game's past turns into a draw by repetition counts as one. With distances at hand
 * nothing below the root is looked up: that a position is won is known, the search is there to find
 * how. Source: the root ranking that Stockfish and Fathom publish. */
#include "engine/rank.h"

#include "engine/node.h"
#include "engine/tablebase.h"

static unsigned men_wanted(const struct rk_request *request)
{
    const unsigned men = tablebase_men();
    const uint32_t most = request->tablebase_men_max;
    if (request->elo != 0 || request->perft_depth != 0 || most == 1)
        return 0; /* A weak player knows no endings by heart. */
    return most != 0 && most < men ? most : men;
}

/* Of the past and the root. */
static int times_seen(const struct worker *worker, zkey_t key)
{
    int times = 0;
    for (int i = 0; i <= worker->key_count; i++)
        times += worker->keys[i] == key;
    return times;
}

static bool has_repeated(const struct worker *worker)
{
    for (int i = 0; i <= worker->key_count; i++)
        if (times_seen(worker, worker->keys[i]) > 1)
            return true;
    return false;
}

/* Whether a move, or the reply to it, would bring a position for the third time. */
static bool is_third(const struct worker *worker, move_t move, bool or_reply)
{
    struct position after, later;
    move_t replies[MOVES_MAX];
    position_after(&after, &worker->game.position, move);
    if (after.fifty == 0)
        return false;
    if (times_seen(worker, after.key) >= 2)
        return true;
    if (!or_reply)
        return false;
    const move_t *end = movegen_all(&after, replies);
    for (const move_t *reply = replies; reply < end; reply++) {
        position_after(&later, &after, *reply);
        if (later.fifty != 0 && times_seen(worker, later.key) >= 2)
            return true;
    }
    return false;
}

/* What a rank proves. Distances may be one ply short, so one that comes to a hundred plies just so
 * proves nothing, unless it is a single ply. */
static score_t known_of(const struct worker *worker, int rank, bool uses_fifty)
{
    const int bound = uses_fifty ? TABLEBASE_RANK_BOUND : 1;
    const score_t won = SCORE_TB_WIN - 1;
    if (uses_fifty && abs(rank) == bound && worker->game.position.fifty != FIFTY_PLIES - 1)
        return SCORE_NONE;
    if (abs(rank) < bound)
        return SCORE_DRAW;
    return rank > 0 ? won : -won;
}

/* Best rank first; those of one rank keep their order. */
static void sort_by_rank(struct root_move *moves, int count)
{
    for (int i = 1; i < count; i++) {
        const struct root_move moved = moves[i];
        int to = i;
        for (; to > 0 && moves[to - 1].rank < moved.rank; to--)
            moves[to] = moves[to - 1];
        moves[to] = moved;
    }
}

static void take_ranks(struct worker *worker, const struct tablebase_move *ranked,
                       enum tablebase_answer answer, bool uses_fifty, bool is_repeated)
{
    for (int i = 0; i < worker->root_count; i++) {
        struct root_move *root = &worker->root_moves[i];
        root->rank = ranked[i].rank;
        if (is_repeated && root->rank != 0 && is_third(worker, root->move, root->rank > 0))
            root->rank = 0;
        if (answer == TABLEBASE_DISTANCES || root->rank == 0)
            root->known = known_of(worker, root->rank, uses_fifty);
    }
    sort_by_rank(worker->root_moves, worker->root_count);
    const struct root_move *moves = worker->root_moves;
    worker->is_part |= moves[worker->root_count - 1].rank != moves[0].rank;
}

void rank_root_moves(struct worker *worker, const struct rk_request *request)
{
    const struct position *root = &worker->game.position;
    worker->tablebase_men = men_wanted(request);
    worker->tablebase_depth =
        (depth_t)(request->tablebase_depth < PLY_MAX ? request->tablebase_depth : PLY_MAX);
    worker->tablebase_ignores_fifty = request->tablebase_ignores_fifty;
    worker->tablebase_hits = 0;
    for (int i = 0; i < worker->root_count; i++) {
        worker->root_moves[i].rank = 0;
        worker->root_moves[i].known = SCORE_NONE;
    }
    if (worker->root_count == 0 || bits_count(position_all(root)) > worker->tablebase_men ||
        position_has_rights(root))
        return;

    /* A game that has gone on past the hundredth ply has shown that nobody claims the draw. */
    const bool uses_fifty = !request->tablebase_ignores_fifty && root->fifty < FIFTY_PLIES;
    const bool is_repeated = has_repeated(worker);
    struct tablebase_move ranked[MOVES_MAX];
    for (int i = 0; i < worker->root_count; i++)
        ranked[i].move = worker->root_moves[i].move;
    const enum tablebase_answer answer =
        tablebase_rank(root, is_repeated, uses_fifty, ranked, worker->root_count);
    if (answer == TABLEBASE_UNKNOWN)
        return;
    worker->tablebase_hits = (uint64_t)worker->root_count;
    take_ranks(worker, ranked, answer, uses_fifty, is_repeated);
    if (answer == TABLEBASE_DISTANCES || worker->root_moves[0].rank <= 0)
        worker->tablebase_men = 0;
}
