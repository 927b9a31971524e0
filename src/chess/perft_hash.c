#include "chess/perft_hash.h"

#include "base/memory.h"

enum { MIB_BITS = 20 };

bool perft_hash_create(struct perft_hash *hash, unsigned mib)
{
    size_t entries = 1;
    while (entries * 2 * sizeof(struct perft_entry) <= (size_t)mib << MIB_BITS)
        entries *= 2;
    hash->bytes = entries * sizeof(struct perft_entry);
    hash->mask = entries - 1;
    hash->entries = memory_allocate_large(hash->bytes);
    return hash->entries != NULL;
}

void perft_hash_destroy(struct perft_hash *hash)
{
    if (hash->entries != NULL)
        memory_free_large(hash->entries, hash->bytes);
    hash->entries = NULL;
}
