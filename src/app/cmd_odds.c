/* What a score is worth, by the games of files: the constants of src/engine/odds.h, and how well
 * they tell the games' results. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/arguments.h"
#include "app/command.h"
#include "base/memory.h"
#include "lab/oddsfit.h"

static const char HELP[] =
    "rookery odds FILE…: what scores are worth, from the games of files that `rookery datagen`\n"
    "made: the constants of src/engine/odds.h, for centipawns and UCI_ShowWDL, and a table of "
    "what\n"
    "they foretell beside what came. A few games do not tell: then it says so and fails.\n";

/* Scores in the table, in pawns, from -ROWS to ROWS. */
enum { ROWS = 4, POINTS = 3 };

static int complain(const char *path, enum gamefile_fault fault)
{
    fprintf(stderr, "rookery odds: %s: %s\n", path,
            fault == GAMEFILE_SYSTEM ? strerror(errno) : gamefile_fault_text(fault));
    return EXIT_FAILED;
}

/* Half a pawn about a score: what came, and what was foretold of it, in percent. */
static void row_print(const struct oddsfit_counts *counts, const struct oddsfit *fit, double score)
{
    double came[POINTS] = {0}, told[POINTS] = {0}, whole = 0;
    for (int phase = 0; phase <= EVAL_PHASE_MAX; phase++)
        for (int bin = 0; bin < ODDSFIT_BINS; bin++) {
            const double units = bin * ODDSFIT_BIN_UNITS - ODDSFIT_SCORE_MAX;
            const uint64_t *cell = counts->cells[phase][bin];
            const double positions = (double)(cell[0] + cell[1] + cell[2]);
            double chances[POINTS];
            if (positions < 1 || fabs(units - score) > fit->pawn / 2)
                continue;
            oddsfit_chances(&fit->curve, units, phase, chances);
            whole += positions;
            for (unsigned points = 0; points < POINTS; points++) {
                came[points] += (double)cell[points];
                told[points] += chances[points] * positions;
            }
        }
    printf("%+6.2f %10.0f ", score / fit->pawn, whole);
    for (int points = POINTS - 1; points >= 0 && whole > 0; points--)
        printf(" %6.1f", 100.0 * came[points] / whole);
    printf("   ");
    for (int points = POINTS - 1; points >= 0 && whole > 0; points--)
        printf(" %6.1f", 100.0 * told[points] / whole);
    putchar('\n');
}

static void fit_print(const struct oddsfit_counts *counts, const struct oddsfit *fit)
{
    const struct oddsfit_curve *curve = &fit->curve;
    puts(" score  positions   won, drawn, lost %     foretold %");
    for (int pawns = -ROWS; pawns <= ROWS; pawns++)
        row_print(counts, fit, pawns * fit->pawn);
    printf("positions %" PRIu64 "\nloss %.5f\nunits_a_pawn %.0f\n", counts->positions, fit->loss,
           fit->pawn);
    printf("half_opening %.0f\nhalf_ending %.0f\n", curve->half[0], curve->half[1]);
    printf("spread_opening %.0f\nspread_ending %.0f\n", curve->spread[0], curve->spread[1]);
}

static int fit_counts(const struct oddsfit_counts *counts)
{
    struct oddsfit fit;
    const char *lack = counts->positions == 0 ? "there are no positions to learn from"
                       : oddsfit_solve(counts, &fit)
                           ? NULL
                           : "these games do not tell what a pawn is; it takes more of them, won, "
                             "drawn and lost";
    if (lack != NULL) {
        fprintf(stderr, "rookery odds: %s\n", lack);
        return EXIT_FAILED;
    }
    fit_print(counts, &fit);
    return fflush(stdout) == 0 ? 0 : EXIT_FAILED;
}

static int fit_files(char **files, unsigned count)
{
    struct gamepile *pile = NULL;
    struct gamepile_place place = {0};
    struct oddsfit_counts *counts = memory_allocate(sizeof *counts);
    enum gamefile_fault fault =
        counts == NULL ? GAMEFILE_NO_MEMORY
                       : gamepile_open((const char *const *)files, count, &pile, &place);
    if (fault == GAMEFILE_FINE)
        fault = oddsfit_count(pile, counts, &place);
    const int status =
        fault == GAMEFILE_FINE ? fit_counts(counts) : complain(files[place.file], fault);
    gamepile_close(pile);
    memory_free(counts);
    return status;
}

int command_odds(int count, char **words)
{
    bool wants_help = false;
    const struct argument arguments[] = {{.name = "--help", .flag = &wants_help}};
    const int rest =
        arguments_parse("odds", arguments, sizeof arguments / sizeof *arguments, count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (wants_help)
        return fputs(HELP, stdout) < 0 ? EXIT_FAILED : 0;
    if (rest == 0 || rest > GAMEPILE_FILES_MAX) {
        fprintf(stderr, "rookery odds: 1 to %d files are needed; `rookery odds --help` tells\n",
                GAMEPILE_FILES_MAX);
        return EXIT_USAGE;
    }
    return fit_files(words, (unsigned)rest);
}
