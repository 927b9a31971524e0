/* A position and what the search thinks of it: board on top, one row a line beneath. On a terminal
 * the picture is drawn again over itself as the search goes on; elsewhere it is drawn once, at the
 * end. */
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/arguments.h"
#include "app/board.h"
#include "app/command.h"
#include "app/owner.h"
#include "base/limits.h"

enum {
    ANALYSE_LINES_MAX = 16,
    ANALYSE_LINES = 3,
    ANALYSE_MS = 5000,
    ROW_BYTES_MAX = 512,
    COLUMNS = 100, /* When the terminal does not tell. */
    COLUMNS_BEFORE_MOVES = 18,
    REDRAW_US = 100000,
    FACT_COUNT = 6
};

struct view {
    const struct rk_game *game;
    bool chess960;
    bool is_terminal;
    int columns;
    int rows_drawn; /* To go back over. */
    int64_t drawn_us;
    unsigned line_count;
    struct rk_report lines[ANALYSE_LINES_MAX];
};

struct analyse_settings {
    uint64_t time_ms;
    uint64_t depth;
    uint64_t nodes;
    uint64_t lines;
    uint64_t threads;
    uint64_t hash_mib;
    const char *syzygy;
    const char *eval_file;
    bool chess960;
};

static void view_row(struct view *view, const char *text)
{
    printf(view->is_terminal ? "%s\033[K\n" : "%s\n", text);
    view->rows_drawn++;
}

static void fact_print(const struct view *view, int fact, size_t size, char *out_text)
{
    const struct rk_report *report = &view->lines[0];
    const uint64_t time_us = report->time_us > 0 ? report->time_us : 1;
    switch (fact) {
    case 0:
        snprintf(out_text, size, "%s to move",
                 rk_game_white_to_move(view->game) ? "White" : "Black");
        break;
    case 1:
        snprintf(out_text, size, "depth   %u/%u", report->depth, report->depth_selective);
        break;
    case 2: snprintf(out_text, size, "nodes   %" PRIu64, report->nodes); break;
    case 3: snprintf(out_text, size, "nps     %" PRIu64, report->nodes * 1000000 / time_us); break;
    case 4: snprintf(out_text, size, "time    %.1f s", (double)report->time_us / 1e6); break;
    case 5: snprintf(out_text, size, "hash    %.1f %%", report->hashfull / 10.0); break;
    default: out_text[0] = '\0'; break;
    }
}

static void score_print(const struct rk_report *report, size_t size, char *out_text)
{
    if (report->is_mate)
        snprintf(out_text, size, "mate %d", report->score);
    else
        snprintf(out_text, size, "%+.2f", report->score / 100.0);
}

static void view_line(struct view *view, unsigned number)
{
    const struct rk_report *report = &view->lines[number];
    char score[16];
    char row[ROW_BYTES_MAX];
    score_print(report, sizeof score, score);
    int length = snprintf(row, sizeof row, "%2u  %8s  %3u ", number + 1, score, report->depth);
    for (unsigned i = 0; i < report->pv_count; i++) {
        char move[RK_MOVE_BYTES_MAX];
        const int move_length = (int)rk_move_text(report->pv[i], view->chess960, move);
        if (length + 1 + move_length > view->columns)
            break;
        length += snprintf(row + length, sizeof row - (size_t)length, " %s", move);
    }
    view_row(view, row);
}

static void view_draw(struct view *view)
{
    if (view->is_terminal && view->rows_drawn > 0)
        printf("\033[%dA", view->rows_drawn);
    view->rows_drawn = 0;
    for (int i = 0; i < BOARD_LINES; i++) {
        char board[BOARD_LINE_BYTES];
        char fact[64];
        char row[ROW_BYTES_MAX];
        board_line(view->game, i, board);
        fact_print(view, i, sizeof fact, fact);
        snprintf(row, sizeof row, i < FACT_COUNT ? "%s     %s" : "%s", board, fact);
        view_row(view, row);
    }
    view_row(view, "");
    view_row(view, "      score  depth  line");
    for (unsigned i = 0; i < view->line_count; i++)
        view_line(view, i);
    fflush(stdout);
}

static void view_take(struct view *view, const struct rk_report *report)
{
    if (report->kind != RK_REPORT_LINE || report->bound != RK_BOUND_EXACT ||
        report->multipv > ANALYSE_LINES_MAX)
        return;
    const unsigned index = report->multipv > 0 ? report->multipv - 1u : 0;
    view->lines[index] = *report;
    if (view->line_count <= index)
        view->line_count = index + 1;
    const int64_t now_us = rk_now_us();
    if (view->is_terminal && report->block_end && now_us - view->drawn_us >= REDRAW_US) {
        view->drawn_us = now_us;
        view_draw(view);
    }
}

static int analyse_search(const struct rk_game *game, const struct analyse_settings *settings)
{
    struct owner owner;
    if (!owner_open(&owner, settings->threads, settings->hash_mib, settings->eval_file))
        return EXIT_FAILED;
    owner_open_tablebases(&owner, settings->syzygy);
    struct view view = {.game = game, .chess960 = settings->chess960, .columns = COLUMNS};
    struct winsize window;
    view.is_terminal = isatty(STDOUT_FILENO);
    if (view.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
        window.ws_col > COLUMNS_BEFORE_MOVES)
        view.columns = window.ws_col < ROW_BYTES_MAX ? window.ws_col : ROW_BYTES_MAX - 1;
    const bool is_bounded = settings->depth > 0 || settings->nodes > 0;
    const struct rk_request request = {
        .size = sizeof request,
        .game = game,
        .arrived_us = rk_now_us(),
        .multipv = (uint32_t)settings->lines,
        .limits = {.depth = (uint32_t)settings->depth,
                   .nodes = settings->nodes,
                   .has_movetime = settings->time_ms > 0 || !is_bounded,
                   .movetime_ms = settings->time_ms > 0 ? (int64_t)settings->time_ms : ANALYSE_MS},
    };
    rk_ticket_t ticket;
    const enum rk_status status = rk_engine_start(owner.engine, &request, &ticket);
    if (status == RK_OK) {
        struct rk_report report;
        do {
            owner_wait(&owner, &report);
            view_take(&view, &report);
        } while (report.kind != RK_REPORT_VERDICT);
        view_draw(&view);
        char best[RK_MOVE_BYTES_MAX];
        rk_move_text(report.best_move, settings->chess960, best);
        printf("\nbest %s\n", report.best_move == RK_MOVE_NONE ? "(none)" : best);
    } else {
        fprintf(stderr, "rookery analyse: %s\n", rk_status_text(status));
    }
    owner_close(&owner);
    return status == RK_OK && fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

int command_analyse(int count, char **words)
{
    struct analyse_settings settings = {
        .lines = ANALYSE_LINES, .threads = OWNER_THREADS, .hash_mib = OWNER_HASH_MIB};
    const struct argument arguments[] = {
        {.name = "--time", .min = 1, .max = INT32_MAX, .value = &settings.time_ms},
        {.name = "--depth", .min = 1, .max = PLY_MAX - 1, .value = &settings.depth},
        {.name = "--nodes", .min = 1, .max = INT64_MAX, .value = &settings.nodes},
        {.name = "--lines", .min = 1, .max = ANALYSE_LINES_MAX, .value = &settings.lines},
        {.name = "--threads", .min = 1, .max = RK_THREADS_MAX, .value = &settings.threads},
        {.name = "--hash", .min = 1, .max = RK_TABLE_MIB_MAX, .value = &settings.hash_mib},
        {.name = "--syzygy", .text = &settings.syzygy},
        {.name = "--eval-file", .text = &settings.eval_file},
        {.name = "--chess960", .flag = &settings.chess960},
    };
    const int rest =
        arguments_parse("analyse", arguments, sizeof arguments / sizeof arguments[0], count, words);
    if (rest < 0)
        return EXIT_USAGE;
    struct rk_game *game;
    int exit_status = arguments_game("analyse", rest, words, &game);
    if (exit_status != 0)
        return exit_status;
    exit_status = analyse_search(game, &settings);
    rk_game_destroy(game);
    return exit_status;
}
