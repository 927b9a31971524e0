/* What techniques of ordering are worth in games: the whole engine against itself without one. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/ablate.h"
#include "app/command.h"
#include "app/games.h"
#include "app/progress.h"
#include "base/file.h"
#include "lab/player_options.h"

enum { BOOK_PLIES = 16 };

struct matches {
    struct selfplay selfplay;
    struct progress progress;
    const struct ablate_table *table;
    const struct ablate_words *words;
    struct ablate_files files;
    unsigned row, row_count;
    bool was_interrupted;
};

static bool on_tick(void *context, const struct selfplay_state *state)
{
    struct matches *matches = context;
    char line[GAMES_LINE_BYTES];
    char text[GAMES_LINE_BYTES + ABLATE_NAME_BYTES];
    games_state_line(&matches->selfplay, state, line);
    const double share =
        (matches->row + (double)state->pairs / (double)matches->selfplay.pairs_max) /
        matches->row_count;
    snprintf(text, sizeof text, "without %s: %s", matches->table->rows[matches->row + 1].name,
             line);
    progress_show(&matches->progress, share, text);
    matches->was_interrupted |= games_is_interrupted();
    return !matches->was_interrupted;
}

static void row_print(struct matches *matches, const struct ablate_row *row,
                      const struct selfplay_state *state)
{
    struct elo_estimate estimate;
    const uint64_t *counts = state->pentanomial.counts;
    const char *verdict = matches->selfplay.has_sprt ? games_verdict(state->verdict) : "none";
    (void)elo_estimate(&state->pentanomial, &estimate);
    if (matches->files.text != NULL)
        fprintf(matches->files.text,
                "%-30s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64
                " %+8.1f %+8.1f %+8.1f %7.2f  %s\n",
                row->name, state->pairs * GAMES_PER_PAIR, state->wins, state->losses, state->draws,
                estimate.elo, estimate.low, estimate.high, state->llr, verdict);
    if (matches->files.csv != NULL)
        fprintf(matches->files.csv,
                "%s,off,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.2f,%.2f,%.2f,%.2f,%.2f,%s\n",
                row->name, state->pairs * GAMES_PER_PAIR, state->wins, state->losses, state->draws,
                counts[0], counts[1], counts[2], counts[3], counts[4], estimate.elo, estimate.error,
                estimate.low, estimate.high, state->llr, verdict);
    (void)ablate_files_flush(matches->words, &matches->files);
}

static enum rk_status row_play(struct matches *matches)
{
    const struct ablate_row *row = &matches->table->rows[matches->row + 1]; /* After "nothing". */
    struct selfplay_state state;
    matches->selfplay.players[1].switches_off = row->techniques;
    const enum rk_status status = selfplay_run(&matches->selfplay, &state);
    if (status == RK_OK && state.pairs > 0) {
        progress_hide(&matches->progress);
        row_print(matches, row, &state);
    }
    return status;
}

static bool rows_play(struct matches *matches)
{
    enum rk_status status = RK_OK;
    if (matches->files.text != NULL)
        fprintf(matches->files.text, "%-30s %6s %6s %6s %6s %8s %8s %8s %7s  %s\n",
                "whole against without", "games", "won", "lost", "drawn", "elo", "low", "high",
                "llr", "sprt");
    if (matches->files.csv != NULL)
        fputs("technique,mode,games,wins,losses,draws,pairs_0,pairs_half,pairs_1,pairs_1_half,"
              "pairs_2,"
              "elo,elo_error_95,elo_low_95,elo_high_95,llr,sprt\n",
              matches->files.csv);
    (void)ablate_files_flush(matches->words, &matches->files);
    progress_begin(&matches->progress);
    games_hold_interrupts(true);
    for (; matches->row < matches->row_count && status == RK_OK && !matches->was_interrupted &&
           !matches->files.has_failed;
         matches->row++)
        status = row_play(matches);
    games_hold_interrupts(false);
    progress_hide(&matches->progress);
    if (matches->was_interrupted)
        fputs("rookery ablate: interrupted: the last row has fewer games, those after it none\n",
              stderr);
    if (status != RK_OK)
        fprintf(stderr, "rookery ablate: %s\n", rk_status_text(status));
    return status == RK_OK;
}

int ablate_games(const struct ablate_words *words, const struct ablate_table *table)
{
    struct matches matches = {.table = table, .words = words};
    struct selfplay *selfplay = &matches.selfplay;
    struct book *book = NULL;
    selfplay_default(selfplay);
    selfplay->threads = (unsigned)words->threads;
    selfplay->seed = words->seed;
    selfplay->pairs_max = games_pairs("ablate", words->games);
    selfplay->players[0].limits.nodes = selfplay->players[1].limits.nodes = words->nodes;
    selfplay->hooks = (struct selfplay_hooks){.tick = on_tick, .context = &matches};
    matches.row_count = table->count / ABLATE_MODE_COUNT - 1;
    if (!games_sprt("ablate", words->sprt, selfplay) ||
        (words->openings != NULL &&
         !games_book("ablate", words->openings, BOOK_PLIES, words->seed, &book)))
        return EXIT_USAGE;
    selfplay->book = book;
    games_bound_pairs("ablate", selfplay);
    bool is_good = ablate_files_open(words, &matches.files);
    if (is_good) {
        is_good = rows_play(&matches);
        is_good = ablate_files_close(words, &matches.files) && is_good;
    }
    book_destroy(book);
    return is_good ? 0 : EXIT_FAILED;
}
