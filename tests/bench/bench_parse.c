/* Nanoseconds it takes to read a line and to print one, and to play a long list of moves. Not a
 * test: nothing is asserted on time. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/limits.h"
#include "uci/parse.h"
#include "uci/print.h"

enum { ROUNDS = 200000, REPEATS = 7, NS_A_US = 1000, GAME_PLIES = 3000, BYTES_A_PLY = 5 };

static int64_t ns_each(int64_t took_us, int64_t count) { return took_us * NS_A_US / count; }

/* The best of REPEATS, which other programs on the machine disturb least. */
static void bench_line(const char *line)
{
    const struct slice slice = slice_of(line);
    int64_t best = INT64_MAX;
    uint64_t sum = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const int64_t start = clock_now_us();
        for (int i = 0; i < ROUNDS; i++) {
            struct command command;
            parse_command(slice, &command);
            sum += (uint64_t)command.kind;
        }
        const int64_t took = clock_now_us() - start;
        best = took < best ? took : best;
    }
    printf("parse  %6" PRId64 " ns  %.40s (%" PRIu64 ")\n", ns_each(best, ROUNDS), line, sum);
}

static void bench_print(uint16_t pv_count)
{
    struct rk_report report = {.kind = RK_REPORT_LINE,
                               .depth = 24,
                               .depth_selective = 31,
                               .multipv = 1,
                               .score = 31,
                               .nodes = 12345678,
                               .time_us = 9876543,
                               .pv_count = pv_count};
    struct rk_game *game;
    if (rk_game_create(&game) != RK_OK)
        return;
    for (unsigned i = 0; i < pv_count; i++)
        (void)rk_game_parse_move(game, "e2e4", 4, &report.pv[i]);
    rk_game_destroy(game);
    const struct print_style style = {.bytes_max = OUTPUT_LINE_BYTES_MAX};
    int64_t best = INT64_MAX;
    size_t length = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const int64_t start = clock_now_us();
        for (int i = 0; i < ROUNDS; i++) {
            char buffer[OUTPUT_LINE_BYTES_MAX];
            struct text text;
            text_init(&text, buffer, sizeof buffer);
            print_line(&text, &report, style);
            length = text.length;
        }
        const int64_t took = clock_now_us() - start;
        best = took < best ? took : best;
    }
    printf("print  %6" PRId64 " ns  a line of %zu bytes, %u moves\n", ns_each(best, ROUNDS), length,
           (unsigned)pv_count);
}

/* A game of 3,000 plies as clients send it: the words, and each move played. */
static void bench_game(void)
{
    static const char *const cycle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    static char line[32 + GAME_PLIES * BYTES_A_PLY];
    size_t length = (size_t)snprintf(line, sizeof line, "position startpos moves");
    for (unsigned i = 0; i < GAME_PLIES; i++)
        length += (size_t)snprintf(line + length, sizeof line - length, " %s", cycle[i % 4]);
    struct rk_game *game;
    if (rk_game_create(&game) != RK_OK)
        return;
    int64_t best_us = INT64_MAX;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const int64_t start = clock_now_us();
        struct command command;
        parse_command((struct slice){line, length}, &command);
        struct slice words = command.position.moves;
        rk_game_set_start(game);
        for (struct slice word; (word = slice_next_word(&words)).length > 0;)
            (void)rk_game_play(game, word.bytes, word.length);
        const int64_t took = clock_now_us() - start;
        best_us = took < best_us ? took : best_us;
    }
    rk_game_destroy(game);
    printf("play   %6" PRId64 " us  a position line of %d moves\n", best_us, GAME_PLIES);
}

int main(void)
{
    bench_line("isready");
    bench_line("go wtime 60000 btime 60000 winc 1000 binc 1000");
    bench_line("setoption name Move Overhead value 100");
    bench_line("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6");
    bench_line("this line is nothing that anybody understands");
    bench_print(1);
    bench_print(16);
    bench_print(RK_PV_MAX);
    bench_game();
    return 0;
}
