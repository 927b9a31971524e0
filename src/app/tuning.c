/* A run that goes on from a checkpoint may find a CSV file that is ahead of it: lines of iterations
 * that will be played again are cut off first, so that the file is as if nothing had happened. */
#include "app/tuning.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/command.h"
#include "app/games.h"
#include "app/progress.h"
#include "base/file.h"
#include "lab/checkpoint.h"

enum { TEXT_BYTES = 256, SHOWN_MAX = 3, CSV_LINE_BYTES = 8192 };

static const uint64_t NOT_SAVED = UINT64_MAX;

struct run {
    struct tuning *tuning;
    struct progress progress;
    FILE *csv;
    uint64_t begun; /* Iterations done before this run. */
    uint64_t saved; /* Iterations in the checkpoint, or NOT_SAVED. */
    bool was_interrupted;
};

static bool complain(const char *path)
{
    fprintf(stderr, "rookery tune: %s: %s\n", path, strerror(errno));
    return false;
}

/* `pairs` of the iteration under way have been played. */
static void show(struct run *run, uint64_t pairs)
{
    const struct tune *tune = &run->tuning->tune;
    const struct spsa *spsa = &tune->spsa;
    const double done = (double)(spsa->done - run->begun) + (double)pairs / (double)tune->pairs;
    char bytes[TEXT_BYTES];
    int length = snprintf(bytes, sizeof bytes, "iteration %" PRIu64 " of %" PRIu64, spsa->done,
                          spsa->iterations);
    for (unsigned i = 0; i < spsa->count && i < SHOWN_MAX && length < TEXT_BYTES; i++)
        length += snprintf(bytes + length, (size_t)(TEXT_BYTES - length), ", %s %.1f",
                           row_at(tune->rows[i])->name, spsa->values[i]);
    progress_show(&run->progress, done / (double)(spsa->iterations - run->begun), bytes);
    run->was_interrupted |= games_is_interrupted();
}

static bool on_tick(void *context, const struct selfplay_state *state)
{
    struct run *run = context;
    show(run, state->pairs);
    return !run->was_interrupted;
}

static bool save(struct run *run)
{
    const struct tuning *tuning = run->tuning;
    const uint64_t done = tuning->tune.spsa.done;
    if (tuning->checkpoint == NULL || run->saved == done)
        return true;
    if (checkpoint_write(tuning->checkpoint, &tuning->tune) != RK_OK)
        return complain(tuning->checkpoint);
    run->saved = done;
    return true;
}

/* Leaves of the file what is before iteration `done` + 1; where it ends so is where it goes on. */
static bool csv_cut(FILE *csv, uint64_t done)
{
    char line[CSV_LINE_BYTES];
    long end = 0;
    while (fgets(line, sizeof line, csv) != NULL && strchr(line, '\n') != NULL &&
           (end == 0 || strtoull(line, NULL, 10) <= done))
        end = ftell(csv);
    return ferror(csv) == 0 && end >= 0 && fseek(csv, end, SEEK_SET) == 0 &&
           ftruncate(fileno(csv), end) == 0;
}

static bool csv_open(struct run *run)
{
    const struct tuning *tuning = run->tuning;
    const struct tune *tune = &tuning->tune;
    if (tuning->csv == NULL)
        return true;
    if (run->begun > 0)
        run->csv = fopen(tuning->csv, "r+");
    if (run->csv != NULL && !csv_cut(run->csv, run->begun))
        return complain(tuning->csv);
    if (run->csv == NULL && (run->csv = fopen(tuning->csv, "w")) == NULL)
        return complain(tuning->csv);
    if (ftell(run->csv) > 0)
        return true;
    fputs("iteration,wins,draws,losses", run->csv);
    for (unsigned i = 0; i < tune->spsa.count; i++)
        fprintf(run->csv, ",%s", row_at(tune->rows[i])->name);
    return fputc('\n', run->csv) == '\n' || complain(tuning->csv);
}

static bool csv_write(const struct run *run, const struct selfplay_state *state)
{
    const struct spsa *spsa = &run->tuning->tune.spsa;
    if (run->csv == NULL)
        return true;
    fprintf(run->csv, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, spsa->done, state->wins,
            state->draws, state->losses);
    for (unsigned i = 0; i < spsa->count; i++)
        fprintf(run->csv, ",%.4f", spsa->values[i]);
    fputc('\n', run->csv);
    return (fflush(run->csv) == 0 && ferror(run->csv) == 0) || complain(run->tuning->csv);
}

/* Iterations until the last, an interrupt or a failure, which has been told. */
static bool iterate(struct run *run)
{
    struct tuning *tuning = run->tuning;
    struct tune *tune = &tuning->tune;
    while (tune->spsa.done < tune->spsa.iterations && !run->was_interrupted) {
        struct selfplay_state state;
        const enum rk_status status = tune_iterate(tune, &tuning->selfplay, &state);
        if (status != RK_OK) {
            fprintf(stderr, "rookery tune: %s\n", rk_status_text(status));
            return false;
        }
        if (state.pairs < tune->pairs)
            break;
        if (!csv_write(run, &state) || (tune->spsa.done % tuning->every == 0 && !save(run)))
            return false;
        show(run, 0);
    }
    return save(run);
}

static void result_print(const struct tune *tune)
{
    const struct spsa *spsa = &tune->spsa;
    printf("iterations %" PRIu64 " of %" PRIu64 ", games %" PRIu64 "\n\n%-28s %8s %10s %8s %8s\n",
           spsa->done, spsa->iterations, spsa->done * tune->pairs * GAMES_PER_PAIR, "row", "start",
           "value", "low", "high");
    for (unsigned i = 0; i < spsa->count; i++)
        printf("%-28s %8g %10.2f %8g %8g\n", row_at(tune->rows[i])->name, spsa->rows[i].start,
               spsa->values[i], spsa->rows[i].low, spsa->rows[i].high);
    puts("\nAs rows of src/engine/tune.h:");
    for (unsigned i = 0; i < spsa->count; i++) {
        const struct row *row = row_at(tune->rows[i]);
        printf("    ROW(%s, %d, %d, %d)\n", row->name, tune_value(tune, i), row->low, row->high);
    }
    puts("\nAs a file of options for a player:");
    for (unsigned i = 0; i < spsa->count; i++)
        printf("%s=%d\n", row_at(tune->rows[i])->name, tune_value(tune, i));
}

/* Before the first game, so that a path which cannot be written is told at once and not when hours
 * have been played. */
static bool files_begin(struct run *run)
{
    const struct tuning *tuning = run->tuning;
    if (!save(run))
        return false;
    if (csv_open(run))
        return true;
    if (tuning->is_new && tuning->checkpoint != NULL)
        (void)unlink(tuning->checkpoint);
    return false;
}

int tuning_run(struct tuning *tuning)
{
    const uint64_t done = tuning->tune.spsa.done;
    struct run run = {.tuning = tuning, .begun = done, .saved = NOT_SAVED};
    tuning->selfplay.hooks = (struct selfplay_hooks){.tick = on_tick, .context = &run};
    games_hold_interrupts(true);
    const bool has_begun = files_begin(&run);
    bool is_well = has_begun;
    if (has_begun) {
        progress_begin(&run.progress);
        is_well = iterate(&run);
        progress_hide(&run.progress);
    }
    games_hold_interrupts(false);
    if (has_begun)
        result_print(&tuning->tune);
    if (run.csv != NULL && !file_close(run.csv))
        is_well = complain(tuning->csv);
    return fflush(stdout) == 0 && is_well ? 0 : EXIT_FAILED;
}
