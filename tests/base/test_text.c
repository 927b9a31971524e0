#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/suites.h"

enum { ROUNDS = 20000 };

START_TEST(words_are_what_stands_between_blanks)
{
    static const char line[] = "  go\t depth \r 3\0x ";
    struct slice rest = {line, sizeof line - 1};
    ck_assert(slice_equal(slice_next_word(&rest), "go"));
    ck_assert(slice_equal(slice_next_word(&rest), "depth"));
    ck_assert(slice_equal(slice_next_word(&rest), "3"));
    ck_assert(slice_equal(slice_next_word(&rest), "x"));
    ck_assert_uint_eq(slice_next_word(&rest).length, 0);
    ck_assert_uint_eq(slice_next_word(&rest).length, 0);
}
END_TEST

START_TEST(nothing_has_no_words)
{
    struct slice rest = {NULL, 0};
    ck_assert_uint_eq(slice_next_word(&rest).length, 0);
    ck_assert_uint_eq(slice_trim(rest).length, 0);
    ck_assert(slice_equal(rest, ""));
    ck_assert(!slice_equal(rest, "a"));
}
END_TEST

START_TEST(high_bytes_are_part_of_words)
{
    struct slice rest = slice_of(" \xff\xfe\x80 a");
    ck_assert_uint_eq(slice_next_word(&rest).length, 3);
    ck_assert(slice_equal(slice_next_word(&rest), "a"));
}
END_TEST

START_TEST(case_is_folded_only_when_asked)
{
    ck_assert(slice_equal_fold(slice_of("mOVE oVERHEAD"), "Move Overhead"));
    ck_assert(!slice_equal(slice_of("hash"), "Hash"));
    ck_assert(!slice_equal_fold(slice_of("Hash "), "Hash"));
    ck_assert(!slice_equal_fold(slice_of("@"), "`"));
}
END_TEST

START_TEST(trim_takes_both_ends)
{
    ck_assert(slice_equal(slice_trim(slice_of(" \t a  b \r")), "a  b"));
    ck_assert_uint_eq(slice_trim(slice_of(" \t ")).length, 0);
}
END_TEST

static void expect_number(const char *digits, int64_t min, int64_t max, enum number result,
                          int64_t value)
{
    int64_t number = 77;
    ck_assert_msg(number_parse(slice_of(digits), min, max, &number) == result, "%s", digits);
    ck_assert_msg(number == value, "%s gave %" PRId64, digits, number);
}

START_TEST(numbers_are_read_or_clamped)
{
    expect_number("0", -5, 5, NUMBER_OK, 0);
    expect_number("-0", -5, 5, NUMBER_OK, 0);
    expect_number("+3", -5, 5, NUMBER_OK, 3);
    expect_number("-5", -5, 5, NUMBER_OK, -5);
    expect_number("6", -5, 5, NUMBER_HIGH, 5);
    expect_number("-6", -5, 5, NUMBER_LOW, -5);
    expect_number("0000000000000000000000000007", 0, 9, NUMBER_OK, 7);
    expect_number("9223372036854775807", INT64_MIN, INT64_MAX, NUMBER_OK, INT64_MAX);
    expect_number("9223372036854775808", INT64_MIN, INT64_MAX, NUMBER_HIGH, INT64_MAX);
    expect_number("-9223372036854775808", INT64_MIN, INT64_MAX, NUMBER_OK, INT64_MIN);
    expect_number("-9223372036854775809", INT64_MIN, INT64_MAX, NUMBER_LOW, INT64_MIN);
    expect_number("99999999999999999999999999999999999", 1, 1000, NUMBER_HIGH, 1000);
    expect_number("-99999999999999999999999999999999999", 1, 1000, NUMBER_LOW, 1);
}
END_TEST

START_TEST(what_is_no_number_is_refused)
{
    static const char *const bad[] = {"",   "-",   "+",   "--1",  "+-1", "abc", "1a",
                                      "a1", "1.0", "1e3", "0x10", "1 ",  " 1",  "1,000"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect_number(bad[i], -1000000, 1000000, NUMBER_NONE, 77);
    /* However long: a letter after many digits is no number, not a large one. */
    expect_number("99999999999999999999999999999x", 0, 10, NUMBER_NONE, 77);
}
END_TEST

START_TEST(numbers_come_back_as_they_went)
{
    uint64_t state = 1;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t number = (int64_t)(random_next(&state) >> random_below(&state, 64)) *
                               (random_below(&state, 2) == 0 ? 1 : -1);
        char ours[32], theirs[32];
        struct text text;
        text_init(&text, ours, sizeof ours);
        ck_assert(text_add_int(&text, number));
        (void)snprintf(theirs, sizeof theirs, "%" PRId64, number);
        ck_assert_str_eq(ours, theirs);
        int64_t back;
        ck_assert(number_parse((struct slice){ours, text.length}, INT64_MIN, INT64_MAX, &back) ==
                  NUMBER_OK);
        ck_assert(back == number);
    }
}
END_TEST

START_TEST(largest_unsigned_number)
{
    char buffer[32];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    ck_assert(text_add_uint(&text, UINT64_MAX));
    ck_assert_str_eq(buffer, "18446744073709551615");
}
END_TEST

START_TEST(a_piece_is_added_whole_or_not_at_all)
{
    char buffer[8];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    ck_assert(text_add(&text, "abc"));
    ck_assert(text_add_int(&text, -123));
    ck_assert_str_eq(buffer, "abc-123");
    ck_assert(!text_add_char(&text, 'd'));
    ck_assert(text.is_cut);
    ck_assert_str_eq(buffer, "abc-123");

    text_init(&text, buffer, sizeof buffer);
    ck_assert(!text_add_int(&text, -1234567));
    ck_assert_str_eq(buffer, "");
    /* Nothing after the gap: a line with a hole would say something else. */
    ck_assert(!text_add(&text, "a"));
    ck_assert_str_eq(buffer, "");
}
END_TEST

START_TEST(no_buffer_is_overrun)
{
    static const char piece[] = "0123456789";
    for (size_t capacity = 1; capacity < 40; capacity++) {
        char *buffer = malloc(capacity); /* The sanitizer watches its end. */
        struct text text;
        text_init(&text, buffer, capacity);
        for (int i = 0; i < 5; i++)
            (void)text_add(&text, piece);
        ck_assert_uint_lt(text.length, capacity);
        ck_assert_uint_eq(text.length, strlen(buffer));
        free(buffer);
    }
}
END_TEST

START_TEST(strangers_bytes_are_made_harmless)
{
    char buffer[64];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    ck_assert(text_add_quoted(&text, (struct slice){"a\n\0\xff~", 5}, 10));
    ck_assert_str_eq(buffer, "a???~");
    text_init(&text, buffer, sizeof buffer);
    ck_assert(text_add_quoted(&text, slice_of("abcdef"), 3));
    ck_assert_str_eq(buffer, "abc...");
    text_init(&text, buffer, 5);
    ck_assert(!text_add_quoted(&text, slice_of("abcdef"), 6));
}
END_TEST

Suite *suite_text(void)
{
    Suite *suite = suite_create("text");
    TCase *slices = tcase_create("slices");
    tcase_add_test(slices, words_are_what_stands_between_blanks);
    tcase_add_test(slices, nothing_has_no_words);
    tcase_add_test(slices, high_bytes_are_part_of_words);
    tcase_add_test(slices, case_is_folded_only_when_asked);
    tcase_add_test(slices, trim_takes_both_ends);
    suite_add_tcase(suite, slices);
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, numbers_are_read_or_clamped);
    tcase_add_test(numbers, what_is_no_number_is_refused);
    tcase_add_test(numbers, numbers_come_back_as_they_went);
    tcase_add_test(numbers, largest_unsigned_number);
    suite_add_tcase(suite, numbers);
    TCase *builder = tcase_create("builder");
    tcase_add_test(builder, a_piece_is_added_whole_or_not_at_all);
    tcase_add_test(builder, no_buffer_is_overrun);
    tcase_add_test(builder, strangers_bytes_are_made_harmless);
    suite_add_tcase(suite, builder);
    return suite;
}
