#include "server/address.h"

#include <string.h>

#include "server/suites.h"

static void expect_kept(const char *text, enum address_kind kind, const char *printed)
{
    struct address address;
    char out_text[ADDRESS_TEXT_MAX];
    ck_assert_msg(address_parse(text, &address) == RK_OK, "%s", text);
    ck_assert_int_eq(address.kind, kind);
    address_print(&address, out_text);
    ck_assert_str_eq(out_text, printed);
}

START_TEST(addresses_are_read_and_printed)
{
    expect_kept("127.0.0.1:9824", ADDRESS_IPV4, "127.0.0.1:9824");
    expect_kept("0.0.0.0:0", ADDRESS_IPV4, "0.0.0.0:0");
    expect_kept("localhost:1", ADDRESS_IPV4, "127.0.0.1:1");
    expect_kept("[::1]:65535", ADDRESS_IPV6, "[::1]:65535");
    expect_kept("[::]:9824", ADDRESS_IPV6, "[::]:9824");
    expect_kept("unix:/run/rookery/socket", ADDRESS_UNIX, "unix:/run/rookery/socket");
    expect_kept("unix:/odd:name", ADDRESS_UNIX, "unix:/odd:name");
}
END_TEST

START_TEST(what_is_no_address_is_refused)
{
    static const char *const TEXTS[] = {"",
                                        ":",
                                        "9824",
                                        "127.0.0.1",
                                        "127.0.0.1:",
                                        "127.0.0.1:x",
                                        ":9824",
                                        "1.2.3:4",
                                        "::1:9824",
                                        "[::1]",
                                        "[::1]:65536",
                                        "[127.0.0.1]:1",
                                        "[]:1",
                                        "[:1",
                                        "host:9824",
                                        "127.0.0.1:-1",
                                        "unix:",
                                        "unix:relative",
                                        "256.1.1.1:1",
                                        "1.2.3.4:99999999999",
                                        "[::g]:1",
                                        "127.0.0.1 :1"};
    struct address address = {.port = 77};
    for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++)
        ck_assert_msg(address_parse(TEXTS[i], &address) == RK_BAD_ARGUMENT, "%s", TEXTS[i]);
    ck_assert_uint_eq(address.port, 77);
}
END_TEST

START_TEST(a_path_has_its_limit)
{
    char text[256] = "unix:/";
    struct address address;
    memset(text + 6, 'a', 106);
    ck_assert(address_parse(text, &address) == RK_OK);
    text[6 + 106] = 'a';
    ck_assert(address_parse(text, &address) == RK_BAD_ARGUMENT);
}
END_TEST

Suite *suite_address(void)
{
    Suite *suite = suite_create("address");
    TCase *tests = tcase_create("address");
    tcase_add_test(tests, addresses_are_read_and_printed);
    tcase_add_test(tests, what_is_no_address_is_refused);
    tcase_add_test(tests, a_path_has_its_limit);
    suite_add_tcase(suite, tests);
    return suite;
}
