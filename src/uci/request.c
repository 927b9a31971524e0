#include "uci/request.h"

#include "base/limits.h"

/* Kept free for promises when a whole block of MultiPV lines waits for a slow reader. */
enum { PROMISES_BYTES = 4096 };

static_assert((OUTPUT_BYTES_MAX - PROMISES_BYTES) / RK_MOVES_MAX >= PRINT_LINE_BYTES_MIN,
              "a block of as many lines as a position has moves fits");

/* A mate may never be found. */
static bool is_sure_to_end(const struct rk_limits *limits)
{
    return limits->has_clock[0] || limits->has_clock[1] || limits->has_movetime ||
           limits->depth > 0 || limits->nodes > 0;
}

static bool is_bounded(const struct rk_limits *limits)
{
    return is_sure_to_end(limits) || limits->mate > 0;
}

bool request_is_open(const struct rk_request *request)
{
    const struct rk_limits *limits = &request->limits;
    if (request->perft_depth > 0)
        return false;
    return limits->infinite || limits->ponder || !is_sure_to_end(limits);
}

/* Clients that tell the clock of one side only mean the one that is to move. */
static void fill_clock(struct rk_limits *limits)
{
    for (unsigned side = 0; side < 2; side++) {
        if (!limits->has_clock[side] && limits->has_clock[1 - side]) {
            limits->has_clock[side] = true;
            limits->time_ms[side] = limits->time_ms[1 - side];
        }
    }
}

static bool has_move(const struct rk_request *request, rk_move_t move)
{
    for (unsigned i = 0; i < request->searchmove_count; i++)
        if (request->searchmoves[i] == move)
            return true;
    return false;
}

static void add_searchmoves(struct rk_request *request, struct slice words,
                            struct slice *out_ignored)
{
    for (;;) {
        const struct slice word = slice_next_word(&words);
        if (word.length == 0)
            return;
        rk_move_t move;
        if (rk_game_parse_move(request->game, word.bytes, word.length, &move) != RK_OK) {
            if (out_ignored->length == 0 && !slice_equal(word, "0000"))
                *out_ignored = word;
        } else if (!has_move(request, move)) {
            ASSERT(request->searchmove_count < RK_SEARCHMOVES_MAX);
            request->searchmoves[request->searchmove_count++] = move;
        }
    }
}

static uint32_t lines_of(const struct rk_request *request)
{
    if (request->multipv <= 1)
        return 1;
    rk_move_t moves[RK_MOVES_MAX];
    const size_t count =
        request->has_searchmoves ? request->searchmove_count : rk_game_moves(request->game, moves);
    const uint32_t lines = count < request->multipv ? (uint32_t)count : request->multipv;
    return lines > 0 ? lines : 1;
}

static size_t line_bytes_max(uint32_t lines)
{
    const size_t share = (OUTPUT_BYTES_MAX - PROMISES_BYTES) / lines;
    return share < OUTPUT_LINE_BYTES_MAX ? share : OUTPUT_LINE_BYTES_MAX;
}

void request_build(struct search *out_search, const struct command_go *go,
                   const struct rk_game *game, const struct options *options,
                   struct request_origin origin, struct slice *out_ignored)
{
    const int32_t *values = options->values;
    *out_ignored = (struct slice){NULL, 0};
    *out_search = (struct search){.style.chess960 = values[OPTION_CHESS960] != 0,
                                  .style.wdl = values[OPTION_SHOW_WDL] != 0};
    struct rk_request *request = &out_search->request;
    request->size = sizeof *request;
    request->game = game;
    request->limits = go->limits;
    request->limits.overhead_ms = (uint32_t)values[OPTION_MOVE_OVERHEAD];
    fill_clock(&request->limits);
    if (go->perft_depth > 0) /* Its end is its own: no total waits for a stop. */
        request->limits.infinite = request->limits.ponder = false;
    else if (!is_bounded(&request->limits)) {
        /* A limit that says nothing is the least there is, so that the bestmove comes. */
        if (go->has_void_limit && !request->limits.infinite)
            request->limits.depth = 1;
        else
            request->limits.infinite |= !request->limits.ponder;
    }
    request->arrived_us = origin.arrived_us;
    request->session = origin.session;
    request->salt = origin.salt;
    request->threads = origin.threads;
    request->multipv = (uint32_t)values[OPTION_MULTIPV];
    if (values[OPTION_LIMIT_STRENGTH] != 0)
        request->elo = (uint32_t)values[OPTION_ELO];
    const int32_t men_max = values[OPTION_SYZYGY_LIMIT];
    request->tablebase_men_max = men_max > 1 ? (uint32_t)men_max : 1;
    request->tablebase_depth = (uint32_t)values[OPTION_SYZYGY_DEPTH];
    request->tablebase_ignores_fifty = values[OPTION_SYZYGY_FIFTY] == 0;
    request->perft_depth = go->perft_depth;
    request->has_searchmoves = go->has_searchmoves;
    if (go->has_searchmoves)
        add_searchmoves(request, go->searchmoves, out_ignored);
    out_search->lines = lines_of(request);
    out_search->style.bytes_max = line_bytes_max(out_search->lines);
}
