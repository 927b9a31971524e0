/* base/memory.h: blocks that live as long as their owner; the only malloc in the program.
 * All are zeroed. Large ones come from mmap, untouched pages cost nothing, and huge pages are
 * advised. Thread: any. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* NULL when there is none. Aligned to 64 bytes at least. size at least 1. */
void *memory_allocate(size_t size);
void memory_free(void *block); /* NULL is fine. */

/* For the table: aligned to 2 MiB, huge pages advised. */
void *memory_allocate_large(size_t size);
void memory_free_large(void *block, size_t size);

/* For many buffers of which few are ever used: a page costs nothing until it is touched, and no
 * huge page makes it touch its neighbours. */
void *memory_allocate_sparse(size_t size);
void memory_free_sparse(void *block, size_t size); /* NULL is fine. */
/* Gives back the whole pages of a part of such a block: they hold zeroes and cost nothing again. */
void memory_rest_sparse(void *part, size_t size);

#endif
