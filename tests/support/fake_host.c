#include "support/fake_host.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum {
    SESSION_NUMBER = 7,
    TABLE_MIB = 64,
    TABLE_MIB_MAX = 1024,
    THREADS = 4,
    THREADS_PER_SEARCH = 2,
    NODES_PER_DEPTH = 1000,
    TICKS_MAX = 1000000,
    PERFT_DEPTH_MAX = 3
};

/* ---- what the session asks of the world ---- */

static enum rk_status host_go(void *context, const struct rk_request *request)
{
    struct fake_host *fake = context;
    REQUIRE(!fake->is_searching); /* One search a session at a time. */
    REQUIRE(request->size == sizeof *request && request->session == SESSION_NUMBER);
    REQUIRE(request->arrived_us <= fake->now_us);
    if (fake->go_status != RK_OK)
        return fake->go_status;
    rk_game_copy(fake->game, request->game);
    fake->request = *request;
    fake->request.game = fake->game;
    fake->is_searching = true;
    fake->is_stopped = false;
    fake->depth = 0;
    fake->ticket++;
    fake->goes++;
    return RK_OK;
}

static void host_stop(void *context)
{
    struct fake_host *fake = context;
    REQUIRE(fake->is_searching);
    fake->is_stopped = true;
    fake->stops++;
}

static void host_ponderhit(void *context, int64_t arrived_us)
{
    struct fake_host *fake = context;
    REQUIRE(fake->is_searching && fake->request.limits.ponder);
    fake->request.limits.ponder = false;
    fake->request.arrived_us = arrived_us;
    fake->ponderhits++;
}

static void host_new_game(void *context, uint64_t session, bool clear)
{
    struct fake_host *fake = context;
    REQUIRE(session == SESSION_NUMBER);
    REQUIRE(!fake->is_searching);
    fake->new_games++;
    fake->clears += clear;
}

static enum rk_status host_resize(void *context, uint32_t table_mib, uint32_t threads)
{
    struct fake_host *fake = context;
    REQUIRE(!fake->is_searching);
    fake->resizes++;
    if (fake->resize_status != RK_OK || table_mib > TABLE_MIB_MAX)
        return fake->resize_status != RK_OK ? fake->resize_status : RK_NO_MEMORY;
    fake->table_mib = table_mib;
    fake->threads = threads;
    return RK_OK;
}

static enum rk_status host_open_tablebases(void *context, const char *path,
                                           struct rk_tablebases *out_tablebases)
{
    struct fake_host *fake = context;
    REQUIRE(!fake->is_searching && strlen(path) < sizeof fake->tablebases_path);
    memcpy(fake->tablebases_path, path, strlen(path) + 1);
    *out_tablebases = fake->tablebases;
    if (*path != '\0' && fake->tablebases.men == 0) {
        static const char FAULT[] = "is not there\n";
        out_tablebases->fault_count = 1;
        memcpy(out_tablebases->faults, FAULT, sizeof FAULT);
    }
    fake->opens++;
    return fake->tablebases_status;
}

static bool begins(const char *line, size_t length, const char *word)
{
    return length >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

static void watch(struct fake_host *fake, const char *line, size_t length, enum rk_weight weight)
{
    REQUIRE(length >= 2 && length <= OUTPUT_LINE_BYTES_MAX);
    REQUIRE(memchr(line, '\n', length) == line + length - 1);
    for (size_t i = 0; i + 1 < length; i++)
        REQUIRE(line[i] >= ' ' && line[i] <= '~');
    REQUIRE(!begins(line, length, " "));
    const bool is_bound = memmem(line, length, " lowerbound ", 12) != NULL ||
                          memmem(line, length, " upperbound ", 12) != NULL;
    if (begins(line, length, "info depth ")) {
        fake->info_lines++;
        fake->has_score |= !is_bound;
    } else {
        REQUIRE(weight >= RK_PROMISE);
        fake->info_strings += begins(line, length, "info string ");
        fake->readyoks += begins(line, length, "readyok\n");
        fake->ucioks += begins(line, length, "uciok\n");
        fake->perft_totals += begins(line, length, "Nodes searched: ");
    }
    if (begins(line, length, "bestmove ")) {
        REQUIRE(fake->has_score);
        fake->has_score = false;
        fake->bestmoves++;
    }
    fake->promises += weight >= RK_PROMISE;
}

static void host_send(void *context, const char *line, size_t length, enum rk_weight weight)
{
    struct fake_host *fake = context;
    watch(fake, line, length, weight);
    if (fake->output_read == fake->output_length)
        fake->output_read = fake->output_length = 0;
    REQUIRE(length <= sizeof fake->output - fake->output_length);
    memcpy(fake->output + fake->output_length, line, length);
    fake->output_length += length;
}

/* ---- life ---- */

struct fake_host *fake_host_create(bool owns_engine)
{
    struct fake_host *fake = memory_allocate(sizeof *fake);
    REQUIRE(fake != NULL);
    REQUIRE(rk_game_create(&fake->game) == RK_OK);
    fake->owns_engine = owns_engine;
    const struct rk_host host = {.context = fake,
                                 .go = host_go,
                                 .stop = host_stop,
                                 .ponderhit = host_ponderhit,
                                 .new_game = host_new_game,
                                 .resize = owns_engine ? host_resize : NULL,
                                 .open_tablebases = owns_engine ? host_open_tablebases : NULL,
                                 .send = host_send};
    REQUIRE(rk_session_create(&host, &fake->session) == RK_OK);
    fake_host_reset(fake);
    return fake;
}

void fake_host_reset(struct fake_host *fake)
{
    struct rk_session *session = fake->session;
    struct rk_game *game = fake->game;
    const bool owns_engine = fake->owns_engine;
    memset(fake, 0, offsetof(struct fake_host, input)); /* The buffers need no clearing. */
    fake->session = session;
    fake->game = game;
    fake->owns_engine = owns_engine;
    fake->output_length = fake->output_read = 0;
    fake->now_us = 1000000;
    fake->tick_us = 1000;
    fake->blocks_per_tick = 1;
    fake->depth_max = PLY_MAX;
    const struct rk_session_options options = {.size = sizeof options,
                                               .session = SESSION_NUMBER,
                                               .owns_engine = fake->owns_engine,
                                               .table_mib = TABLE_MIB,
                                               .threads = THREADS,
                                               .threads_per_search = THREADS_PER_SEARCH};
    rk_session_reset(fake->session, &options);
}

void fake_host_destroy(struct fake_host *fake)
{
    rk_session_destroy(fake->session);
    rk_game_destroy(fake->game);
    memory_free(fake);
}

/* ---- the connection ---- */

static void take_lines(struct fake_host *fake)
{
    size_t start = 0;
    while (!fake->is_later && !fake->has_quit) {
        const char *line = fake->input + start;
        const size_t left = fake->input_length - start;
        const char *end = memchr(line, '\n', left);
        if (end == NULL && (!fake->has_ended || left == 0))
            break;
        const size_t length = end == NULL ? left : (size_t)(end - line);
        if (!fake->is_skipping) {
            const enum rk_take take = rk_session_line(fake->session, line, length, fake->now_us);
            fake->is_later = take == RK_LATER;
            fake->has_quit = take == RK_QUIT;
        }
        fake->is_skipping = false;
        if (!fake->is_later)
            start += end == NULL ? length : length + 1;
    }
    fake->input_length -= start;
    memmove(fake->input, fake->input + start, fake->input_length);
    if (fake->has_ended && !fake->is_later && fake->input_length == 0)
        rk_session_end_of_input(fake->session);
}

void fake_host_receive(struct fake_host *fake, const char *bytes, size_t length)
{
    while (length > 0) {
        const size_t room = sizeof fake->input - fake->input_length;
        const size_t taken = length < room ? length : room;
        memcpy(fake->input + fake->input_length, bytes, taken);
        fake->input_length += taken;
        bytes += taken;
        length -= taken;
        take_lines(fake);
        if (fake->has_quit)
            return;
        if (fake->is_later && fake->input_length == sizeof fake->input)
            fake_host_tick_until_idle(fake); /* A socket would not be read meanwhile. */
        else if (fake->input_length == sizeof fake->input) {
            if (!fake->is_skipping)
                rk_session_say(fake->session, "a line longer than 65536 bytes was dropped");
            fake->is_skipping = true;
            fake->input_length = 0;
        }
    }
}

void fake_host_line(struct fake_host *fake, const char *line)
{
    fake_host_receive(fake, line, strlen(line));
    fake_host_receive(fake, "\n", 1);
}

void fake_host_end_of_input(struct fake_host *fake)
{
    fake->has_ended = true;
    take_lines(fake);
}

const char *fake_host_read(struct fake_host *fake)
{
    if (fake->output_read == fake->output_length)
        return NULL;
    char *line = fake->output + fake->output_read;
    char *end = memchr(line, '\n', fake->output_length - fake->output_read);
    REQUIRE(end != NULL);
    *end = '\0';
    fake->output_read = (size_t)(end + 1 - fake->output);
    return line;
}

/* ---- the search ---- */

static size_t root_moves(const struct fake_host *fake, rk_move_t moves[RK_MOVES_MAX])
{
    if (!fake->request.has_searchmoves)
        return rk_game_moves(fake->game, moves);
    memcpy(moves, fake->request.searchmoves,
           fake->request.searchmove_count * sizeof fake->request.searchmoves[0]);
    return fake->request.searchmove_count;
}

static struct rk_report report_of(const struct fake_host *fake, enum rk_report_kind kind)
{
    struct rk_report report = {.ticket = fake->ticket,
                               .kind = kind,
                               .depth = fake->depth,
                               .depth_selective = (uint16_t)(fake->depth + 2),
                               .multipv = 1,
                               .block_end = true,
                               .nodes = (uint64_t)fake->depth * NODES_PER_DEPTH,
                               .wdl = {200, 700, 100},
                               .time_us = (uint64_t)(fake->now_us - fake->request.arrived_us)};
    if (fake->request.limits.nodes > 0 && report.nodes > fake->request.limits.nodes)
        report.nodes = fake->request.limits.nodes;
    return report;
}

static void send_block(struct fake_host *fake)
{
    rk_move_t moves[RK_MOVES_MAX];
    const size_t count = root_moves(fake, moves);
    if (count == 0) {
        fake->depth = 0;
        struct rk_report report = report_of(fake, RK_REPORT_LINE);
        report.is_mate = rk_game_outcome(fake->game) == RK_GAME_CHECKMATE;
        rk_session_report(fake->session, &report);
        fake->depth = fake->depth_max; /* Nothing is left to search. */
        return;
    }
    fake->depth++;
    struct rk_report report = report_of(fake, RK_REPORT_LINE);
    report.pv_count = 1;
    if (fake->sends_bounds) {
        report.bound = RK_BOUND_LOWER;
        report.score = 40;
        report.pv[0] = moves[0];
        rk_session_report(fake->session, &report);
        report.bound = RK_BOUND_EXACT;
    }
    const size_t wanted = fake->request.multipv > 0 ? fake->request.multipv : 1;
    const size_t lines = wanted < count ? wanted : count;
    for (size_t i = 0; i < lines; i++) {
        report.multipv = (uint16_t)(i + 1);
        report.block_end = i + 1 == lines;
        report.score = 30 - 5 * (int32_t)i;
        report.pv[0] = moves[i];
        rk_session_report(fake->session, &report);
    }
}

static bool is_enough(const struct fake_host *fake)
{
    const struct rk_limits *limits = &fake->request.limits;
    const int64_t spent_ms = (fake->now_us - fake->request.arrived_us) / 1000;
    const unsigned side = rk_game_white_to_move(fake->game) ? 0 : 1;
    return fake->sends_nothing || fake->depth >= fake->depth_max ||
           (limits->depth > 0 && fake->depth >= limits->depth) ||
           (limits->nodes > 0 && fake->depth * (uint64_t)NODES_PER_DEPTH >= limits->nodes) ||
           (limits->mate > 0 && fake->depth >= 2 * limits->mate) ||
           (limits->has_movetime && spent_ms >= limits->movetime_ms) ||
           (limits->has_clock[side] && spent_ms >= limits->time_ms[side] / 20);
}

static void send_verdict(struct fake_host *fake)
{
    rk_move_t moves[RK_MOVES_MAX];
    const size_t count = root_moves(fake, moves);
    struct rk_report report = report_of(fake, RK_REPORT_VERDICT);
    report.best_move = count > 0 ? moves[0] : RK_MOVE_NONE;
    fake->is_searching = false;
    fake->is_later = false;
    rk_session_report(fake->session, &report);
    take_lines(fake);
}

static void send_perft(struct fake_host *fake)
{
    const unsigned depth =
        fake->request.perft_depth < PERFT_DEPTH_MAX ? fake->request.perft_depth : PERFT_DEPTH_MAX;
    struct rk_perft_move moves[RK_MOVES_MAX];
    size_t count = 0;
    struct rk_report report = report_of(fake, RK_REPORT_PERFT_MOVE);
    uint64_t total = 0;
    REQUIRE(rk_game_perft(fake->game, depth, NULL, moves, &count, &total) == RK_OK);
    for (size_t i = 0; i < count; i++) {
        report.best_move = moves[i].move;
        report.nodes = moves[i].nodes;
        rk_session_report(fake->session, &report);
    }
    report.kind = RK_REPORT_PERFT_TOTAL;
    report.nodes = total;
    fake->is_searching = false;
    fake->is_later = false;
    rk_session_report(fake->session, &report);
    take_lines(fake);
}

void fake_host_tick(struct fake_host *fake)
{
    fake->now_us += fake->tick_us;
    if (!fake->is_searching)
        return;
    const struct rk_limits *limits = &fake->request.limits;
    const bool is_open = limits->infinite || limits->ponder;
    if (fake->request.perft_depth > 0) {
        if (fake->is_stopped || !is_open) /* As the engine: it withholds the total, too. */
            send_perft(fake);
        return;
    }
    for (unsigned i = 0; i < fake->blocks_per_tick; i++) {
        const bool is_first = fake->depth == 0;
        if (fake->sends_nothing || fake->depth >= fake->depth_max || (is_enough(fake) && !is_first))
            break;
        if (!fake->is_stopped || is_first)
            send_block(fake);
    }
    if (fake->is_stopped || (!is_open && is_enough(fake)))
        send_verdict(fake);
}

void fake_host_tick_until_idle(struct fake_host *fake)
{
    for (int i = 0; i < TICKS_MAX && fake->is_searching; i++)
        fake_host_tick(fake);
    REQUIRE(!fake->is_searching);
}
