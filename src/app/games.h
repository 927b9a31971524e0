/* app/games.h: what the commands that play games have in common: their words, their state in a
 * line, and Ctrl-C, which ends games without losing what was counted.
 * Thread: the main thread. */
#ifndef APP_GAMES_H
#define APP_GAMES_H

#include "lab/selfplay.h"

enum { GAMES_LINE_BYTES = 224, GAMES_ELO_BYTES = 64 };

/* "a,b,c" as numbers: how many, at most `max`; 0 when they are none, or more. */
unsigned games_numbers(const char *text, unsigned max, double *out_numbers);

/* "ELO0,ELO1" into the test; NULL: there is none. False after saying why. */
bool games_sprt(const char *command, const char *text, struct selfplay *selfplay);

/* So many games as pairs; says so when that is one game more. */
uint64_t games_pairs(const char *command, uint64_t games);

/* Tells the first text of a file that was left out, and how many there were. */
void games_book_faults(const char *command, const char *path, const struct book_faults *faults);

/* Openings from a file in the order of `seed`. False after saying why. */
bool games_book(const char *command, const char *path, unsigned plies_max, uint64_t seed,
                struct book **out_book);

/* An opening that comes again is the same pair again when both players are at full strength and
 * know no clock: then no more pairs are played than there are openings. Says so. The players and
 * the book are set. */
void games_bound_pairs(const char *command, struct selfplay *selfplay);

/* All cores. */
unsigned games_threads(void);

/* "+3.1 ± 12.0"; "+inf [+24.1, +inf]" where a bound is infinite; "-" without a pair. */
void games_elo_text(const struct pentanomial *pairs, char out_text[GAMES_ELO_BYTES]);

void games_state_line(const struct selfplay *selfplay, const struct selfplay_state *state,
                      char out_line[GAMES_LINE_BYTES]);

/* "open", "elo0 taken", "elo1 taken". */
const char *games_verdict(enum sprt_verdict verdict);

/* While held, Ctrl-C and SIGTERM do nothing but be seen by games_is_interrupted(). */
void games_hold_interrupts(bool holds);
bool games_is_interrupted(void);

#endif
