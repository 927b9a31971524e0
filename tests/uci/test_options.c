#include "uci/options.h"

#include <stdio.h>
#include <string.h>

#include "uci/suites.h"

enum { HASH_MIB = 4096, THREADS = 3, DOC_BYTES_MAX = 64 * 1024 };

static struct options options;
static enum option_id id;

static void setup(void)
{
    options_init(&options, HASH_MIB, THREADS);
    id = OPTION_COUNT;
}

static enum option_answer set(const char *name, const char *value)
{
    return options_set(&options, slice_of(name), slice_of(value), &id);
}

START_TEST(names_fold_case_and_blanks)
{
    ck_assert(set("move  OVERHEAD", "200") == OPTION_ACCEPTED);
    ck_assert(id == OPTION_MOVE_OVERHEAD);
    ck_assert_int_eq(options.values[OPTION_MOVE_OVERHEAD], 200);
    ck_assert(set("\tMove\tOverhead ", "300") == OPTION_ACCEPTED);
    ck_assert(set("MoveOverhead", "400") == OPTION_UNKNOWN);
    ck_assert(set("Move", "400") == OPTION_UNKNOWN);
    ck_assert(set("Move Overhead Now", "400") == OPTION_UNKNOWN);
    ck_assert(set("", "400") == OPTION_UNKNOWN);
    ck_assert_int_eq(options.values[OPTION_MOVE_OVERHEAD], 300);
}
END_TEST

START_TEST(spins_are_clamped)
{
    ck_assert(set("MultiPV", "0") == OPTION_CLAMPED);
    ck_assert_int_eq(options.values[OPTION_MULTIPV], 1);
    ck_assert(set("MultiPV", "99999999999999999999") == OPTION_CLAMPED);
    ck_assert_int_eq(options.values[OPTION_MULTIPV], 256);
    ck_assert(set("Hash", "33554432") == OPTION_ACCEPTED);
    ck_assert(set("Hash", "33554433") == OPTION_CLAMPED);
    ck_assert_int_eq(options.values[OPTION_HASH], 33554432);
    ck_assert(set("Hash", "abc") == OPTION_REFUSED);
    ck_assert(set("Hash", "") == OPTION_REFUSED);
    ck_assert_int_eq(options.values[OPTION_HASH], 33554432);
}
END_TEST

START_TEST(checks_are_true_or_false)
{
    ck_assert(set("UCI_ShowWDL", "TRUE") == OPTION_ACCEPTED);
    ck_assert_int_eq(options.values[OPTION_SHOW_WDL], 1);
    ck_assert(set("UCI_ShowWDL", "yes") == OPTION_REFUSED);
    ck_assert(set("UCI_ShowWDL", "") == OPTION_REFUSED);
    ck_assert_int_eq(options.values[OPTION_SHOW_WDL], 1);
    ck_assert(set("UCI_ShowWDL", "false") == OPTION_ACCEPTED);
    ck_assert_int_eq(options.values[OPTION_SHOW_WDL], 0);
}
END_TEST

START_TEST(buttons_and_strings_take_anything)
{
    ck_assert(set("Clear Hash", "") == OPTION_ACCEPTED);
    ck_assert(set("clear hash", "now") == OPTION_ACCEPTED);
    ck_assert(set("SyzygyPath", "a;b;") == OPTION_ACCEPTED);
    ck_assert(set("UCI_Opponent", "GM 2800 human A B") == OPTION_ACCEPTED);
}
END_TEST

/* What a stock bot sets must lie within what is announced, or it does not start. */
START_TEST(ranges_are_as_wide_as_bots_need)
{
    ck_assert_int_ge(option_row(OPTION_THREADS)->max, 4);
    ck_assert_int_ge(option_row(OPTION_HASH)->max, 512);
    ck_assert_int_le(option_row(OPTION_MOVE_OVERHEAD)->min, 0);
    ck_assert_int_ge(option_row(OPTION_MOVE_OVERHEAD)->max, 5000);
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row((enum option_id)i);
        ck_assert_msg(row->min <= row->max, "%s", row->name);
        ck_assert_msg(options.values[i] >= row->min && options.values[i] <= row->max, "%s",
                      row->name);
    }
}
END_TEST

static void announce(enum option_id which, char *buffer, size_t capacity)
{
    struct text text;
    text_init(&text, buffer, capacity);
    options_print(&options, which, &text);
}

START_TEST(announcements_tell_the_house_s_defaults)
{
    char line[256];
    announce(OPTION_HASH, line, sizeof line);
    ck_assert_str_eq(line, "option name Hash type spin default 4096 min 1 max 33554432\n");
    announce(OPTION_THREADS, line, sizeof line);
    ck_assert_str_eq(line, "option name Threads type spin default 3 min 1 max 1024\n");
    announce(OPTION_CLEAR_HASH, line, sizeof line);
    ck_assert_str_eq(line, "option name Clear Hash type button\n");
    announce(OPTION_SYZYGY_PATH, line, sizeof line);
    ck_assert_str_eq(line, "option name SyzygyPath type string default <empty>\n");
    /* A default is not what was set meanwhile. */
    ck_assert(set("UCI_Chess960", "true") == OPTION_ACCEPTED);
    announce(OPTION_CHESS960, line, sizeof line);
    ck_assert_str_eq(line, "option name UCI_Chess960 type check default false\n");
}
END_TEST

START_TEST(a_house_beyond_the_range_is_clamped)
{
    options_init(&options, UINT32_MAX, UINT32_MAX);
    ck_assert_int_eq(options.values[OPTION_HASH], option_row(OPTION_HASH)->max);
    ck_assert_int_eq(options.values[OPTION_THREADS], option_row(OPTION_THREADS)->max);
    options_init(&options, 0, 0);
    ck_assert_int_eq(options.values[OPTION_HASH], 1);
}
END_TEST

/* docs/uci.md says of each option what the table says. */
START_TEST(the_document_agrees)
{
    static char doc[DOC_BYTES_MAX];
    FILE *file = fopen(DOCS "/uci.md", "r");
    ck_assert_ptr_nonnull(file);
    doc[fread(doc, 1, sizeof doc - 1, file)] = '\0';
    (void)fclose(file);
    unsigned rows = 0;
    for (const char *at = doc; (at = strstr(at, "\n| `")) != NULL; at++)
        rows++;
    ck_assert_uint_ge(rows, OPTION_COUNT);
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *row = option_row((enum option_id)i);
        char start[128];
        if (row->type == OPTION_CHECK)
            (void)snprintf(start, sizeof start, "\n| `%s` | check | %s | |", row->name,
                           row->initial != 0 ? "true" : "false");
        else if (row->type == OPTION_BUTTON)
            (void)snprintf(start, sizeof start, "\n| `%s` | button | | |", row->name);
        else if (row->type == OPTION_STRING)
            (void)snprintf(start, sizeof start, "\n| `%s` | string | empty | |", row->name);
        else if (row->use == OPTION_TO_HOUSE)
            (void)snprintf(start, sizeof start, "\n| `%s` | spin | the house's | %d to %d |",
                           row->name, row->min, row->max);
        else
            (void)snprintf(start, sizeof start, "\n| `%s` | spin | %d | %d to %d |", row->name,
                           row->initial, row->min, row->max);
        ck_assert_msg(strstr(doc, start) != NULL, "docs/uci.md has no row:%s", start);
    }
}
END_TEST

Suite *suite_options(void)
{
    Suite *suite = suite_create("options");
    TCase *values = tcase_create("values");
    tcase_add_checked_fixture(values, setup, NULL);
    tcase_add_test(values, names_fold_case_and_blanks);
    tcase_add_test(values, spins_are_clamped);
    tcase_add_test(values, checks_are_true_or_false);
    tcase_add_test(values, buttons_and_strings_take_anything);
    tcase_add_test(values, ranges_are_as_wide_as_bots_need);
    tcase_add_test(values, announcements_tell_the_house_s_defaults);
    tcase_add_test(values, a_house_beyond_the_range_is_clamped);
    tcase_add_test(values, the_document_agrees);
    suite_add_tcase(suite, values);
    return suite;
}
