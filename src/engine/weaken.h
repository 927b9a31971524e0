/* engine/weaken.h: playing to a rating. A weaker player looks at fewer positions and does not see
 * exactly which of its best moves is best: a budget of nodes and a noise upon the choice.
 * Both were set so that each step of 200 scores about three points in four against the one below.
 * Thread: the worker's own. */
#ifndef ENGINE_WEAKEN_H
#define ENGINE_WEAKEN_H

#include "engine/worker.h"

enum { WEAKEN_ELO_MIN = RK_ELO_MIN, WEAKEN_ELO_MAX = RK_ELO_MAX };

struct weakness {
    uint64_t nodes; /* A move. */
    int noise;      /* Standard deviation, evaluation units. */
    int lines;      /* Moves that are looked at exactly, to choose among. */
};

/* elo is held within the range. */
struct weakness weaken_to(unsigned elo);

/* Root moves get the scores that a weak player sees: what they were told to be, blurred by noise
 * that worker->seed draws. Mates stay what they are; moves of no line fall to the end. */
void weaken_see(struct worker *worker, int noise);

#endif
