#include "app/games.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/machine.h"

enum { ELO_MAX = 1000 };

unsigned games_numbers(const char *text, unsigned max, double *out_numbers)
{
    unsigned count = 0;
    for (;;) {
        char *end;
        if (count == max)
            return 0;
        out_numbers[count++] = strtod(text, &end);
        if (end == text || (*end != ',' && *end != '\0'))
            return 0;
        if (*end == '\0')
            return count;
        text = end + 1;
    }
}

bool games_sprt(const char *command, const char *text, struct selfplay *selfplay)
{
    double elo[2];
    if (text == NULL)
        return true;
    if (games_numbers(text, 2, elo) != 2 || !(elo[0] < elo[1]) || !(elo[0] >= -ELO_MAX) ||
        !(elo[1] <= ELO_MAX)) {
        fprintf(stderr, "rookery %s: --sprt needs ELO0,ELO1, the smaller first, not '%s'\n",
                command, text);
        return false;
    }
    selfplay->has_sprt = true;
    selfplay->sprt.elo0 = elo[0];
    selfplay->sprt.elo1 = elo[1];
    return true;
}

uint64_t games_pairs(const char *command, uint64_t games)
{
    const uint64_t pairs = (games + 1) / GAMES_PER_PAIR;
    if (games != pairs * GAMES_PER_PAIR)
        fprintf(stderr,
                "rookery %s: each opening is played twice: %" PRIu64 " games, not %" PRIu64 "\n",
                command, pairs * GAMES_PER_PAIR, games);
    return pairs;
}

void games_book_faults(const char *command, const char *path, const struct book_faults *faults)
{
    if (faults->count > 0)
        fprintf(stderr, "rookery %s: %s:%u: %s; left out, %u in all\n", command, path,
                faults->first_line, faults->first_why, faults->count);
}

bool games_book(const char *command, const char *path, unsigned plies_max, uint64_t seed,
                struct book **out_book)
{
    struct book_faults faults = {0};
    const enum rk_status status = book_read(path, BOOK_OPENINGS, plies_max, out_book, &faults);
    games_book_faults(command, path, &faults);
    if (status != RK_OK) {
        fprintf(stderr, "rookery %s: %s: %s\n", command, path,
                status == RK_SYSTEM         ? file_error_text(errno)
                : status == RK_BAD_ARGUMENT ? "nothing in it is an opening"
                                            : rk_status_text(status));
        return false;
    }
    book_shuffle(*out_book, seed);
    return true;
}

static bool is_repeatable(const struct player_settings *settings)
{
    const struct player_limits *limits = &settings->limits;
    return limits->movetime_ms == 0 && limits->time_ms == 0 && settings->elo == 0;
}

void games_bound_pairs(const char *command, struct selfplay *selfplay)
{
    if (selfplay->book == NULL || book_count(selfplay->book) >= selfplay->pairs_max)
        return;
    const size_t openings = book_count(selfplay->book);
    const bool is_same =
        is_repeatable(&selfplay->players[0]) && is_repeatable(&selfplay->players[1]);
    fprintf(stderr, "rookery %s: %zu openings for %" PRIu64 " pairs: %s\n", command, openings,
            selfplay->pairs_max,
            is_same ? "they would only be played again as they were; each is played once"
                    : "they come again");
    if (is_same)
        selfplay->pairs_max = openings;
}

unsigned games_threads(void)
{
    struct machine machine;
    machine_read(&machine);
    return machine.cores < SELFPLAY_THREADS_MAX ? machine.cores : SELFPLAY_THREADS_MAX;
}

void games_elo_text(const struct pentanomial *pairs, char out_text[GAMES_ELO_BYTES])
{
    struct elo_estimate estimate;
    if (!elo_estimate(pairs, &estimate))
        snprintf(out_text, GAMES_ELO_BYTES, "-");
    else if (isfinite(estimate.error))
        snprintf(out_text, GAMES_ELO_BYTES, "%+.1f ± %.1f", estimate.elo, estimate.error);
    else
        snprintf(out_text, GAMES_ELO_BYTES, "%+.1f [%+.1f, %+.1f]", estimate.elo, estimate.low,
                 estimate.high);
}

void games_state_line(const struct selfplay *selfplay, const struct selfplay_state *state,
                      char out_line[GAMES_LINE_BYTES])
{
    char elo[GAMES_ELO_BYTES];
    games_elo_text(&state->pentanomial, elo);
    const int length =
        snprintf(out_line, GAMES_LINE_BYTES,
                 "%" PRIu64 " games +%" PRIu64 " -%" PRIu64 " =%" PRIu64 ", Elo %s",
                 state->pairs * GAMES_PER_PAIR, state->wins, state->losses, state->draws, elo);
    if (selfplay->has_sprt && length > 0 && length < GAMES_LINE_BYTES)
        snprintf(out_line + length, (size_t)(GAMES_LINE_BYTES - length), ", LLR %.2f [%.2f, %.2f]",
                 state->llr, sprt_low(&selfplay->sprt), sprt_high(&selfplay->sprt));
}

const char *games_verdict(enum sprt_verdict verdict)
{
    static const char *const VERDICTS[] = {
        [SPRT_OPEN] = "open", [SPRT_TAKES_ELO0] = "elo0 taken", [SPRT_TAKES_ELO1] = "elo1 taken"};
    return VERDICTS[verdict];
}

static sigset_t interrupt_set(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void games_hold_interrupts(bool holds)
{
    const sigset_t set = interrupt_set();
    while (!holds && games_is_interrupted())
        continue; /* It ends what has ended. */
    pthread_sigmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

/* errno stays: it may yet have to say why a file could not be written. */
bool games_is_interrupted(void)
{
    const int error = errno;
    const sigset_t set = interrupt_set();
    const struct timespec now = {0, 0};
    const bool is_interrupted = sigtimedwait(&set, NULL, &now) > 0;
    errno = error;
    return is_interrupted;
}
