/* engine/terms.h: what the officers, the kings' safety, threats and passed pawns are worth.
 * One pass over the officers gathers their attacks; all other terms read those sets.
 * Thread: any. */
#ifndef ENGINE_TERMS_H
#define ENGINE_TERMS_H

#include "engine/eval.h"
#include "engine/weights.h"

/* White's less Black's, without what `pawns` already holds. */
pair_t terms_score(const struct position *position, const struct eval_pawn_entry *pawns);

#endif
