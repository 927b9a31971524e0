/* engine/ending.h: endings whose result the count of men does not tell.
 * Drawn ones are scaled towards 0, won ones against a bare king are led to the mate.
 * Thread: any. */
#ifndef ENGINE_ENDING_H
#define ENGINE_ENDING_H

#include "chess/position.h"
#include "engine/score.h"

enum { ENDING_SCALE_FULL = 64 };

/* How much of a lead `strong` can hope to turn into a win: 0 to ENDING_SCALE_FULL. */
int ending_scale(const struct position *position, color_t strong);

/* Against a bare king, with men enough to mate: what drives that king to where it is mated, above
 * all other scores of such positions. 0 in every other position. */
score_t ending_drive(const struct position *position, color_t strong);

#endif
