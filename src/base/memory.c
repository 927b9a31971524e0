#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"

enum { CACHE_LINE_BYTES = 64 };
static const size_t HUGE_PAGE_BYTES = (size_t)2 << 20;

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* calloc takes large blocks from the kernel, already zero and untouched. What it returned stands
 * just before the block. */
void *memory_allocate(size_t size)
{
    REQUIRE(size > 0);
    if (size > SIZE_MAX - CACHE_LINE_BYTES - sizeof(void *))
        return NULL;
    char *raw = calloc(1, size + CACHE_LINE_BYTES + sizeof(void *));
    if (raw == NULL)
        return NULL;
    const size_t least = (uintptr_t)raw + sizeof(void *);
    char *block = raw + sizeof(void *) + (round_up(least, CACHE_LINE_BYTES) - least);
    memcpy(block - sizeof(void *), &raw, sizeof raw);
    return block;
}

void memory_free(void *block)
{
    if (block == NULL)
        return;
    void *raw;
    memcpy(&raw, (char *)block - sizeof(void *), sizeof raw);
    free(raw);
}

/* Maps one huge page more than asked, then gives back what lies outside the aligned part. */
void *memory_allocate_large(size_t size)
{
    REQUIRE(size > 0);
    if (size > SIZE_MAX / 2 - HUGE_PAGE_BYTES)
        return NULL;
    const size_t rounded = round_up(size, HUGE_PAGE_BYTES);
    const size_t mapped = rounded + HUGE_PAGE_BYTES;
    char *raw = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    const size_t before = round_up((uintptr_t)raw, HUGE_PAGE_BYTES) - (uintptr_t)raw;
    const size_t after = mapped - before - rounded;
    char *block = raw + before;
    if (before > 0)
        (void)munmap(raw, before);
    if (after > 0)
        (void)munmap(block + rounded, after);
    (void)madvise(block, rounded,
                  MADV_HUGEPAGE); /* A wish: without huge pages all works, a little slower. */
    return block;
}

void memory_free_large(void *block, size_t size)
{
    if (block != NULL)
        (void)munmap(block, round_up(size, HUGE_PAGE_BYTES));
}

void *memory_allocate_sparse(size_t size)
{
    REQUIRE(size > 0);
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    (void)madvise(block, size, MADV_NOHUGEPAGE);
    return block;
}

void memory_free_sparse(void *block, size_t size)
{
    if (block != NULL)
        (void)munmap(block, size);
}

void memory_rest_sparse(void *part, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t before = round_up((uintptr_t)part, page) - (uintptr_t)part;
    if (size >= before + page)
        (void)madvise((char *)part + before, (size - before) / page * page, MADV_DONTNEED);
}
