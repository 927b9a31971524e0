#include "rookery/status.h"

#include <string.h>

#include "base/suites.h"

START_TEST(every_status_has_its_own_phrase)
{
    for (int a = RK_OK; a < RK_STATUS_COUNT; a++) {
        const char *text = rk_status_text((enum rk_status)a);
        ck_assert_uint_gt(strlen(text), 0);
        ck_assert_int_ne(text[strlen(text) - 1], '.');
        ck_assert_str_ne(text, rk_status_text(RK_STATUS_COUNT));
        for (int b = RK_OK; b < a; b++)
            ck_assert_str_ne(text, rk_status_text((enum rk_status)b));
    }
}
END_TEST

START_TEST(an_unknown_status_has_a_text_too)
{
    ck_assert_str_eq(rk_status_text((enum rk_status)(RK_STATUS_COUNT + 1)),
                     rk_status_text(RK_STATUS_COUNT));
}
END_TEST

Suite *suite_status(void)
{
    Suite *suite = suite_create("status");
    TCase *tcase = tcase_create("status");
    tcase_add_test(tcase, every_status_has_its_own_phrase);
    tcase_add_test(tcase, an_unknown_status_has_a_text_too);
    suite_add_tcase(suite, tcase);
    return suite;
}
