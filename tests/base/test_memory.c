#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/suites.h"

enum { CACHE_LINE = 64, BLOCKS = 200 };
static const size_t HUGE_PAGE = (size_t)2 << 20;

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Sizes around every power of two; each block is dirtied, so that one reused must be zeroed. */
START_TEST(blocks_are_aligned_and_zero)
{
    for (int round = 0; round < 3; round++) {
        for (size_t power = 1; power <= (size_t)1 << 20; power *= 2) {
            for (size_t size = power; size <= power + 1; size++) {
                unsigned char *block = memory_allocate(size);
                ck_assert_ptr_nonnull(block);
                ck_assert_uint_eq((uintptr_t)block % CACHE_LINE, 0);
                ck_assert(is_zero(block, size));
                memset(block, 0xa5, size);
                memory_free(block);
            }
        }
    }
}
END_TEST

START_TEST(blocks_do_not_overlap)
{
    unsigned char *blocks[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = memory_allocate(i + 1);
        ck_assert_ptr_nonnull(blocks[i]);
        memset(blocks[i], (int)i, i + 1);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t at = 0; at <= i; at++)
            ck_assert_uint_eq(blocks[i][at], i);
        memory_free(blocks[i]);
    }
}
END_TEST

START_TEST(what_cannot_be_had_is_null)
{
    ck_assert_ptr_null(memory_allocate(SIZE_MAX));
    ck_assert_ptr_null(memory_allocate(SIZE_MAX - CACHE_LINE));
    ck_assert_ptr_null(memory_allocate_large(SIZE_MAX));
    ck_assert_ptr_null(memory_allocate_large(SIZE_MAX / 4));
    memory_free(NULL);
    memory_free_large(NULL, 1);
}
END_TEST

START_TEST(large_blocks_are_aligned_zero_and_writable_to_the_end)
{
    const size_t sizes[] = {1, HUGE_PAGE - 1, HUGE_PAGE, HUGE_PAGE + 1, 3 * HUGE_PAGE};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *block = memory_allocate_large(sizes[i]);
        ck_assert_ptr_nonnull(block);
        ck_assert_uint_eq((uintptr_t)block % HUGE_PAGE, 0);
        ck_assert(is_zero(block, sizes[i]));
        memset(block, 1, sizes[i]);
        memory_free_large(block, sizes[i]);
    }
}
END_TEST

START_TEST(sparse_blocks_are_zero_and_writable)
{
    const size_t size = (size_t)64 << 20;
    unsigned char *block = memory_allocate_sparse(size);
    ck_assert_ptr_nonnull(block);
    ck_assert(block[0] == 0 && block[size - 1] == 0);
    block[size - 1] = 1;
    memory_free_sparse(block, size);
    memory_free_sparse(NULL, size);
    ck_assert_ptr_null(memory_allocate_sparse(SIZE_MAX / 2));
}
END_TEST

Suite *suite_memory(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");
    tcase_add_test(tcase, blocks_are_aligned_and_zero);
    tcase_add_test(tcase, blocks_do_not_overlap);
    tcase_add_test(tcase, what_cannot_be_had_is_null);
    tcase_add_test(tcase, large_blocks_are_aligned_zero_and_writable_to_the_end);
    tcase_add_test(tcase, sparse_blocks_are_zero_and_writable);
    suite_add_tcase(suite, tcase);
    return suite;
}
