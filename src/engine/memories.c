#include "engine/memories.h"

#include <stddef.h>

#include "base/check.h"
#include "base/memory.h"

struct shelf {
    uint64_t session; /* 0: nobody's. */
    uint64_t used_at; /* The pool's count of loans at the last one. */
    bool is_lent;
    bool is_forgotten;
};

struct memories {
    unsigned count;
    uint64_t loans;
    struct memory *blocks; /* blocks[i] stands on shelves[i]. */
    struct shelf *shelves;
};

enum rk_status memories_create(unsigned count, struct memories **out_memories)
{
    REQUIRE(count > 0);
    struct memories *memories = memory_allocate(sizeof *memories);
    if (memories == NULL)
        return RK_NO_MEMORY;
    memories->count = count;
    memories->blocks = memory_allocate(count * sizeof *memories->blocks);
    memories->shelves = memory_allocate(count * sizeof *memories->shelves);
    if (memories->blocks == NULL || memories->shelves == NULL) {
        memories_destroy(memories);
        return RK_NO_MEMORY;
    }
    *out_memories = memories;
    return RK_OK;
}

void memories_destroy(struct memories *memories)
{
    if (memories == NULL)
        return;
    memory_free(memories->blocks);
    memory_free(memories->shelves);
    memory_free(memories);
}

static struct shelf *shelf_of(struct memories *memories, uint64_t session)
{
    for (unsigned i = 0; i < memories->count; i++)
        if (memories->shelves[i].session == session)
            return &memories->shelves[i];
    return NULL;
}

static struct shelf *shelf_least_used(struct memories *memories)
{
    struct shelf *least = NULL;
    for (unsigned i = 0; i < memories->count; i++) {
        struct shelf *shelf = &memories->shelves[i];
        if (!shelf->is_lent && (least == NULL || shelf->used_at < least->used_at))
            least = shelf;
    }
    return least;
}

struct memory *memories_lend(struct memories *memories, uint64_t session, bool *out_is_fresh)
{
    if (session == 0)
        return NULL;
    struct shelf *shelf = shelf_of(memories, session);
    bool is_fresh = false;
    if (shelf == NULL) {
        shelf = shelf_least_used(memories);
        is_fresh = true;
    }
    if (shelf == NULL || shelf->is_lent)
        return NULL;
    *out_is_fresh = is_fresh || shelf->is_forgotten;
    *shelf = (struct shelf){.session = session, .used_at = ++memories->loans, .is_lent = true};
    return &memories->blocks[shelf - memories->shelves];
}

void memories_return(struct memories *memories, const struct memory *memory)
{
    if (memory == NULL)
        return;
    struct shelf *shelf = &memories->shelves[memory - memories->blocks];
    ASSERT(shelf->is_lent);
    shelf->is_lent = false;
}

void memories_forget(struct memories *memories, uint64_t session)
{
    struct shelf *shelf = session == 0 ? NULL : shelf_of(memories, session);
    if (shelf != NULL)
        shelf->is_forgotten = true;
}
