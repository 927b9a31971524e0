#include "base/log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/suites.h"

enum { TEXT_BYTES_MAX = 1 << 16 };

/* A pipe that the log writes to; reading never waits, since its far end is closed first. */
struct trap {
    int read_end;
    int write_end;
    char text[TEXT_BYTES_MAX];
};

static struct trap *trap_open(enum log_level level)
{
    static struct trap trap;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    trap.read_end = ends[0];
    trap.write_end = ends[1];
    log_open(ends[1], level);
    return &trap;
}

static const char *trap_close(struct trap *trap)
{
    log_open(STDERR_FILENO, LOG_SILENT);
    ck_assert_int_eq(close(trap->write_end), 0);
    size_t length = 0;
    ssize_t count = 0;
    while ((count = read(trap->read_end, trap->text + length, TEXT_BYTES_MAX - 1 - length)) > 0)
        length += (size_t)count;
    trap->text[length] = '\0';
    ck_assert_int_eq(close(trap->read_end), 0);
    return trap->text;
}

START_TEST(log_is_silent_until_opened)
{
    ck_assert(!log_is_open(LOG_ERROR));
    log_write(LOG_ERROR, "nobody reads this");
}
END_TEST

START_TEST(lines_up_to_the_level_are_written)
{
    struct trap *trap = trap_open(LOG_WARNING);
    ck_assert(log_is_open(LOG_WARNING));
    ck_assert(!log_is_open(LOG_INFO));
    ck_assert(!log_is_open(LOG_SILENT));
    log_write(LOG_ERROR, "a %d", 1);
    log_write(LOG_WARNING, "b");
    log_write(LOG_INFO, "c");
    ck_assert_str_eq(trap_close(trap), "error: a 1\nwarning: b\n");
}
END_TEST

START_TEST(a_long_line_is_cut_and_ends)
{
    char text[2 * LOG_LINE_BYTES_MAX];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    struct trap *trap = trap_open(LOG_INFO);
    log_write(LOG_INFO, "%s", text);
    const char *written = trap_close(trap);
    ck_assert_uint_lt(strlen(written), LOG_LINE_BYTES_MAX);
    ck_assert_int_eq(written[strlen(written) - 1], '\n');
    ck_assert_ptr_eq(strchr(written, '\n'), written + strlen(written) - 1);
}
END_TEST

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    return lines;
}

static void await_next_second(void)
{
    const int64_t second = clock_now_us() / 1000000;
    while (clock_now_us() / 1000000 == second)
        (void)usleep(1000);
}

static bool write_sort(unsigned sort)
{
    switch (sort % 5) {
    case 0: return log_write(LOG_WARNING, "%u a", sort);
    case 1: return log_write(LOG_WARNING, "%u b", sort);
    case 2: return log_write(LOG_WARNING, "%u c", sort);
    case 3: return log_write(LOG_WARNING, "%u d", sort);
    default: return log_write(LOG_WARNING, "%u e", sort);
    }
}

START_TEST(a_flood_is_bounded)
{
    struct trap *trap = trap_open(LOG_INFO);
    for (unsigned i = 0; i < 1000; i++)
        (void)write_sort(i);
    const unsigned lines = count_lines(trap_close(trap));
    /* A thousand lines take less than a second; a border between two may fall among them. */
    ck_assert_uint_ge(lines, LOG_LINES_PER_S_MAX);
    ck_assert_uint_le(lines, 2 * LOG_LINES_PER_S_MAX + 1);
}
END_TEST

/* What clients cause leaves room for what an operator must read: of its own level, and of others.
 */
START_TEST(a_flood_crowds_out_nothing_else)
{
    struct trap *trap = trap_open(LOG_INFO);
    unsigned written = 0;
    await_next_second();
    for (unsigned i = 0; i < 1000; i++)
        written += log_write(LOG_WARNING, "a stranger, %u", i);
    ck_assert(log_write(LOG_WARNING, "no file is left"));
    for (unsigned i = 0; i < 1000; i++)
        (void)write_sort(i);
    ck_assert(log_write(LOG_ERROR, "a promise is broken"));
    ck_assert(log_write(LOG_INFO, "a client comes"));
    ck_assert_uint_ge(written, LOG_SORT_PER_S_MAX);
    ck_assert_uint_le(written, 2 * LOG_SORT_PER_S_MAX);
    const char *text = trap_close(trap);
    ck_assert_ptr_nonnull(strstr(text, "warning: no file is left\n"));
    ck_assert_ptr_nonnull(strstr(text, "error: a promise is broken\n"));
}
END_TEST

START_TEST(one_format_has_room_at_each_level)
{
    static const char LEAVES[] = "a client leaves: %s";
    struct trap *trap = trap_open(LOG_INFO);
    await_next_second();
    for (unsigned i = 0; i < 1000; i++)
        (void)log_write(LOG_INFO, LEAVES, "done");
    ck_assert(log_write(LOG_WARNING, LEAVES, "reads nothing"));
    ck_assert_ptr_nonnull(strstr(trap_close(trap), "warning: a client leaves: reads nothing\n"));
}
END_TEST

START_TEST(what_is_left_out_is_counted_by_level)
{
    struct trap *trap = trap_open(LOG_INFO);
    unsigned left_out = 0;
    await_next_second();
    for (unsigned i = 0; i < LOG_SORT_PER_S_MAX + 7; i++)
        left_out += !log_write(LOG_WARNING, "a stranger");
    await_next_second();
    ck_assert(log_write(LOG_INFO, "a client comes"));
    char told[80];
    (void)snprintf(told, sizeof(told), "\nwarning: %u more lines of this level were not written\n",
                   left_out);
    const char *text = trap_close(trap);
    if (left_out > 0) /* None, when a second has ended in their midst. */
        ck_assert_ptr_nonnull(strstr(text, told));
    ck_assert_uint_eq(count_lines(text), LOG_SORT_PER_S_MAX + 7 - left_out + (left_out > 0) + 1);
}
END_TEST

/* This test would never end if a line waited for its reader. */
START_TEST(nobody_waits_for_a_full_pipe)
{
    enum { MORE = 100000 }; /* Bytes; a pipe holds fewer. */
    int ends[2];
    char bytes[4096] = {0};
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    for (int sent = 0; sent < MORE && write(ends[1], bytes, sizeof(bytes)) > 0;)
        sent += (int)sizeof(bytes);
    ck_assert_int_eq(fcntl(ends[1], F_SETFL, 0), 0);
    log_open(ends[1], LOG_INFO);
    ck_assert(!log_write(LOG_WARNING, "lost"));
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    while (read(ends[0], bytes, sizeof(bytes)) > 0)
        continue;
    await_next_second();
    ck_assert(log_write(LOG_WARNING, "heard"));
    log_open(STDERR_FILENO, LOG_SILENT);
    ck_assert_int_gt(read(ends[0], bytes, sizeof(bytes) - 1), 0);
    ck_assert_ptr_nonnull(strstr(bytes, "1 more lines of this level were not written"));
    ck_assert_ptr_nonnull(strstr(bytes, "heard"));
    (void)close(ends[0]);
    (void)close(ends[1]);
}
END_TEST

START_TEST(journald_gets_priorities)
{
    int ends[2];
    struct stat facts;
    char name[64];
    char text[64] = {0};
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(fstat(ends[1], &facts), 0);
    (void)snprintf(name, sizeof(name), "%ju:%ju", (uintmax_t)facts.st_dev, (uintmax_t)facts.st_ino);
    ck_assert_int_eq(setenv("JOURNAL_STREAM", name, 1), 0);
    ck_assert(log_is_journal(ends[1]));
    log_open(ends[1], LOG_INFO);
    log_write(LOG_WARNING, "w");
    log_write(LOG_INFO, "i");
    ck_assert_int_eq(setenv("JOURNAL_STREAM", "1:1", 1), 0);
    ck_assert(!log_is_journal(ends[1]));
    ck_assert_int_eq(setenv("JOURNAL_STREAM", "nonsense", 1), 0);
    ck_assert(!log_is_journal(ends[1]));
    ck_assert_int_eq(unsetenv("JOURNAL_STREAM"), 0);
    ck_assert(!log_is_journal(ends[1]));
    log_open(STDERR_FILENO, LOG_SILENT);
    ck_assert_int_gt(read(ends[0], text, sizeof(text) - 1), 0);
    ck_assert_str_eq(text, "<4>w\n<6>i\n");
    (void)close(ends[0]);
    (void)close(ends[1]);
}
END_TEST

Suite *suite_log(void)
{
    Suite *suite = suite_create("log");
    TCase *tests = tcase_create("log");
    tcase_add_test(tests, log_is_silent_until_opened);
    tcase_add_test(tests, lines_up_to_the_level_are_written);
    tcase_add_test(tests, a_long_line_is_cut_and_ends);
    tcase_add_test(tests, a_flood_is_bounded);
    tcase_add_test(tests, a_flood_crowds_out_nothing_else);
    tcase_add_test(tests, one_format_has_room_at_each_level);
    tcase_add_test(tests, what_is_left_out_is_counted_by_level);
    tcase_add_test(tests, nobody_waits_for_a_full_pipe);
    tcase_add_test(tests, journald_gets_priorities);
    suite_add_tcase(suite, tests);
    return suite;
}
