/* engine/outbox.h: a crew's ring of reports, from its leader to the engine's owner.
 * One writer, one reader, no lock. Progress may be dropped when the ring is full, a whole block at
 * a time; the verdict never, nor the newest exact line before it and a bound told since: three
 * places are kept for them.
 * Thread: push and open, the leader; pop, the owner. */
#ifndef ENGINE_OUTBOX_H
#define ENGINE_OUTBOX_H

#include "base/limits.h"
#include "rookery/engine.h"

struct outbox;

struct outbox *outbox_create(void); /* NULL: no memory. Costs little until it has been filled. */
void outbox_destroy(struct outbox *outbox);

/* A new search begins: what the last one left behind for its verdict is forgotten. The verdict of
 * the last one has been read. */
void outbox_open(struct outbox *outbox);

/* Lines of a block become visible together, when the one with block_end is pushed. */
void outbox_push_line(struct outbox *outbox, const struct rk_report *line);

/* One report of a perft: never dropped while a search pushes no more than OUTBOX_REPORTS - 3. */
void outbox_push_count(struct outbox *outbox, const struct rk_report *count);

/* Ends a search: the newest exact line and a newer bound, if they were dropped, then the verdict.
 */
void outbox_push_verdict(struct outbox *outbox, const struct rk_report *verdict);

/* The oldest report; false when there is none. */
bool outbox_pop(struct outbox *outbox, struct rk_report *out_report);

#endif
