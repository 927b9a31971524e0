#include "base/machine.h"

#include <unistd.h>

#include "base/suites.h"

START_TEST(memory_is_within_what_is_physical)
{
    const uint64_t physical = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    ck_assert(machine_memory_bytes() > 0);
    ck_assert(machine_memory_bytes() <= physical);
}
END_TEST

START_TEST(available_is_something_within_the_whole)
{
    ck_assert(machine_memory_available_bytes() > (uint64_t)1 << 20);
    ck_assert(machine_memory_available_bytes() <= machine_memory_bytes());
}
END_TEST

Suite *suite_machine(void)
{
    Suite *suite = suite_create("machine");
    TCase *tcase = tcase_create("machine");
    tcase_add_test(tcase, memory_is_within_what_is_physical);
    tcase_add_test(tcase, available_is_something_within_the_whole);
    suite_add_tcase(suite, tcase);
    return suite;
}
