#include "server/greeting.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "server/suites.h"

struct row {
    const char *bytes;
    size_t length;
    enum greeting greeting;
};

#define ROW(text, greeting)                                                                        \
    {                                                                                              \
        (text), sizeof(text) - 1, (greeting)                                                       \
    }

static const struct row ROWS[] = {
    ROW("", GREETING_UNCLEAR),
    ROW("u", GREETING_UCI),
    ROW("uci\n", GREETING_UCI),
    ROW("\n", GREETING_UCI),
    ROW("\xef\xbb\xbfuci\n", GREETING_UCI),
    ROW("go infinite\n", GREETING_UCI),
    ROW("position startpos\n", GREETING_UCI),
    ROW("Get / HTTP/1.1\n", GREETING_UCI),
    ROW("G", GREETING_UNCLEAR),
    ROW("GET", GREETING_UNCLEAR),
    ROW("GET\n", GREETING_UCI),
    ROW("GETS ", GREETING_UNCLEAR),
    ROW("GETS \n", GREETING_UCI),
    ROW("GET ", GREETING_HTTP),
    ROW("GET / HTTP/1.1\r\nHost: a\r\n\r\n", GREETING_HTTP),
    ROW("POST /x HTTP/1.0\r\n\r\nuci\n", GREETING_HTTP),
    ROW("P", GREETING_UNCLEAR),
    ROW("PA", GREETING_UNCLEAR),
    ROW("PAY ", GREETING_UNCLEAR),
    ROW("PAY / HTTP/1.1", GREETING_UNCLEAR),
    ROW("PAY / HTTP/1.1\nuci\n", GREETING_HTTP),
    ROW("PROPFIND /a HTTP/1.1\r\nHost: a\r\n", GREETING_HTTP),
    ROW("M-SEARCH * HTTP/1.1\r\n", GREETING_HTTP),
    ROW("A_B / HTTP/2\r\n", GREETING_HTTP),
    ROW("PROPFIND /a HTTP/1.\r\n", GREETING_UCI),
    ROW("PROPFIND /a HTTP/x.1\r\n", GREETING_UCI),
    ROW("A HTTP/1\n", GREETING_HTTP),
    ROW("A TTP/1\n", GREETING_UCI),
    ROW("A .1\n", GREETING_UCI),
    ROW("A\n", GREETING_UCI),
    ROW("JOHO isready\nGET / HTTP/1.1\r\n", GREETING_UCI),
    ROW("Propfind / HTTP/1.1\r\n", GREETING_UCI),
    ROW("-A / HTTP/1.1\r\n", GREETING_UCI),
    ROW("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", GREETING_HTTP),
    ROW("OPTIONS * HTTP/1.1\r\n", GREETING_HTTP),
    ROW("\x16", GREETING_UNCLEAR),
    ROW("\x16\x03", GREETING_UNCLEAR),
    ROW("\x16\x03\x01", GREETING_TLS),
    ROW("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", GREETING_TLS),
    ROW("\x16\x03\x09", GREETING_UCI),
    ROW("\x16uci\n", GREETING_UCI),
    ROW("\x00\x00\x00", GREETING_UCI),
    ROW("\xff\xfe", GREETING_UCI),
};

START_TEST(strangers_are_known_by_their_first_bytes)
{
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        /* In a block of just that size, so that a read past it is seen. */
        char *bytes = malloc(ROWS[i].length > 0 ? ROWS[i].length : 1);
        ck_assert_ptr_nonnull(bytes);
        memcpy(bytes, ROWS[i].bytes, ROWS[i].length);
        ck_assert_msg(greeting_read(bytes, ROWS[i].length) == ROWS[i].greeting, "row %zu", i);
        free(bytes);
    }
}
END_TEST

START_TEST(what_is_clear_stays_so)
{
    for (size_t i = 0; i < sizeof(ROWS) / sizeof(ROWS[0]); i++) {
        enum greeting before = GREETING_UNCLEAR;
        for (size_t length = 0; length <= ROWS[i].length; length++) {
            const enum greeting greeting = greeting_read(ROWS[i].bytes, length);
            ck_assert_msg(before == GREETING_UNCLEAR || greeting == before, "row %zu", i);
            before = greeting;
        }
    }
}
END_TEST

/* It would be looked at again with each byte that comes. */
START_TEST(a_first_line_is_not_awaited_for_ever)
{
    static char bytes[LINE_BYTES_INLINE + 16];
    memset(bytes, 'A', sizeof(bytes));
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(greeting_read(bytes, LINE_BYTES_INLINE - 1), GREETING_UNCLEAR);
        ck_assert_int_eq(greeting_read(bytes, LINE_BYTES_INLINE), GREETING_UCI);
        memcpy(bytes + LINE_BYTES_INLINE, " HTTP/1.1\r\n", 11);
        ck_assert_int_eq(greeting_read(bytes, sizeof(bytes)), GREETING_UCI);
        bytes[4] = ' ';
    }
}
END_TEST

START_TEST(the_refusals_are_what_they_say)
{
    size_t length = 0;
    const char *http = greeting_refusal(GREETING_HTTP, &length);
    ck_assert_ptr_nonnull(strstr(http, "HTTP/1.1 400 "));
    ck_assert_uint_eq(length, strlen(http));
    const char *body = strstr(http, "\r\n\r\n") + 4;
    ck_assert_uint_eq(strtoul(strstr(http, "Content-Length: ") + 16, NULL, 10), strlen(body));
    const char *tls = greeting_refusal(GREETING_TLS, &length);
    ck_assert_uint_eq(length, 7); /* A record of two bytes: type, version, length, alert. */
    ck_assert_int_eq(tls[0], 21);
    ck_assert_int_eq(tls[4], 2);
    ck_assert_ptr_nonnull(strstr(greeting_reason(GREETING_TLS), "TLS"));
    ck_assert_ptr_nonnull(strstr(greeting_reason(GREETING_HTTP), "HTTP"));
}
END_TEST

Suite *suite_greeting(void)
{
    Suite *suite = suite_create("greeting");
    TCase *tests = tcase_create("greeting");
    tcase_add_test(tests, strangers_are_known_by_their_first_bytes);
    tcase_add_test(tests, what_is_clear_stays_so);
    tcase_add_test(tests, a_first_line_is_not_awaited_for_ever);
    tcase_add_test(tests, the_refusals_are_what_they_say);
    suite_add_tcase(suite, tests);
    return suite;
}
