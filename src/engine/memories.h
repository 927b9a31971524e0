/* engine/memories.h: the bounded pool of sessions' histories, lent to the leaders that search for
 * them. Least recently used goes first; a search that finds none free brings its own.
 * Thread: under the engine's gate; what is lent is the leader's alone. */
#ifndef ENGINE_MEMORIES_H
#define ENGINE_MEMORIES_H

#include "engine/history.h"
#include "rookery/status.h"

struct memories;

/* RK_NO_MEMORY. Costs little until they are used. */
enum rk_status memories_create(unsigned count, struct memories **out_memories);
void memories_destroy(struct memories *memories);

/* The memory of `session`, or NULL: session 0, or one that is lent already, or all are lent. When
 * out_is_fresh the borrower must clear it first, else age it. */
struct memory *memories_lend(struct memories *memories, uint64_t session, bool *out_is_fresh);
void memories_return(struct memories *memories, const struct memory *memory); /* NULL is fine. */

/* The session's next search starts afresh. */
void memories_forget(struct memories *memories, uint64_t session);

#endif
