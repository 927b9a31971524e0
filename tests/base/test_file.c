#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suites.h"

START_TEST(an_ordinary_file_is_read)
{
    char path[] = "/tmp/rookery-file-XXXXXX";
    char bytes[8];
    const int made = mkstemp(path);
    ck_assert_int_ge(made, 0);
    ck_assert_int_eq(write(made, "words", 5), 5);
    ck_assert_int_eq(close(made), 0);
    const int descriptor = file_open(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
    ck_assert_int_eq(read(descriptor, bytes, sizeof bytes), 5);
    ck_assert_int_eq(close(descriptor), 0);
    FILE *stream = file_open_stream(path);
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, stream), 5);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

static void expect_refused(const char *path, int error)
{
    errno = 0;
    ck_assert_int_eq(file_open(path), -1);
    ck_assert_int_eq(errno, error);
    errno = 0;
    ck_assert_ptr_null(file_open_stream(path));
    ck_assert_int_eq(errno, error);
}

/* A pipe into which nobody writes is not waited for. */
START_TEST(what_is_no_ordinary_file_is_refused_at_once)
{
    char folder[] = "/tmp/rookery-file-XXXXXX";
    char path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/pipe", folder);
    expect_refused(path, ENOENT);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_refused(path, ESPIPE);
    expect_refused(folder, EISDIR);
    expect_refused("/dev/null", ESPIPE);
    ck_assert_str_eq(file_error_text(ESPIPE), "it is no ordinary file");
    ck_assert_str_eq(file_error_text(ENOENT), strerror(ENOENT));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(a_name_may_be_another_files_by_now)
{
    char path[] = "/tmp/rookery-file-XXXXXX", moved[64];
    const int made = mkstemp(path);
    ck_assert_int_ge(made, 0);
    (void)snprintf(moved, sizeof moved, "%s.moved", path);
    ck_assert(file_has_name(made, path));
    ck_assert_int_eq(rename(path, moved), 0);
    ck_assert(!file_has_name(made, path));
    const int other = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ck_assert_int_ge(other, 0);
    ck_assert(!file_has_name(made, path) && file_has_name(made, moved));
    ck_assert_int_eq(close(other), 0);
    ck_assert_int_eq(close(made), 0);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(unlink(moved), 0);
}
END_TEST

Suite *suite_file(void)
{
    Suite *suite = suite_create("file");
    TCase *tests = tcase_create("tests");
    tcase_add_test(tests, an_ordinary_file_is_read);
    tcase_add_test(tests, what_is_no_ordinary_file_is_refused_at_once);
    tcase_add_test(tests, a_name_may_be_another_files_by_now);
    suite_add_tcase(suite, tests);
    return suite;
}
