#include "load/spread.h"

#include "load/suites.h"

START_TEST(small_values_are_exact)
{
    struct spread spread = {0};
    for (int64_t us = 1; us <= 100; us++)
        spread_add(&spread, us);
    ck_assert_int_eq(spread_at(&spread, 500), 50);
    ck_assert_int_eq(spread_at(&spread, 990), 99);
    ck_assert_int_eq(spread_at(&spread, 1000), 100);
    ck_assert_int_eq(spread_at(&spread, 0), 1);
}
END_TEST

START_TEST(large_ones_to_a_part_in_64_and_never_too_low)
{
    for (int64_t us = 1; us < INT64_C(1) << 39; us = us * 3 / 2 + 1) {
        struct spread spread = {0};
        spread_add(&spread, us);
        spread_add(&spread, us * 2);
        ck_assert_int_ge(spread_at(&spread, 500), us);
        ck_assert_int_le(spread_at(&spread, 500), us + us / 64);
        ck_assert_int_eq(spread_at(&spread, 1000), us * 2);
    }
}
END_TEST

START_TEST(ends_are_held)
{
    struct spread spread = {0};
    ck_assert_int_eq(spread_at(&spread, 990), 0);
    spread_add(&spread, -5);
    ck_assert_int_eq(spread_at(&spread, 1000), 0);
    spread_add(&spread, INT64_MAX);
    ck_assert_int_eq(spread_at(&spread, 1000), (INT64_C(1) << 40) - 1);
    ck_assert_uint_eq(spread.count, 2);
}
END_TEST

Suite *suite_spread(void)
{
    Suite *suite = suite_create("spread");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, small_values_are_exact);
    tcase_add_test(tcase, large_ones_to_a_part_in_64_and_never_too_low);
    tcase_add_test(tcase, ends_are_held);
    suite_add_tcase(suite, tcase);
    return suite;
}
