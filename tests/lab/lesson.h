/* tests/lab/lesson.h: something to learn: games whose scores count the men, and positions of them.
 * Thread: any. */
#ifndef TESTS_LAB_LESSON_H
#define TESTS_LAB_LESSON_H

#include "lab/gamefile.h"
#include "lab/sample.h"

/* Games first to end - 1 of tests/lab/crop.h, with material for scores (a pawn is 100) and the
 * side ahead at the end for the winner, added to a file. */
void lesson_write(const char *path, uint64_t first, uint64_t end, uint32_t block_bytes);

/* Material as the side to move sees it. */
int lesson_score(const struct position *position);

/* The first `count` positions of games from `first` on. */
void lesson_positions(uint64_t first, size_t count, struct position *out_positions);
/* The same as samples, with material for their targets. */
void lesson_samples(uint64_t first, size_t count, struct sample *out_samples);

#endif
