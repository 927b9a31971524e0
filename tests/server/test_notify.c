#include "server/notify.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limits.h"
#include "server/suites.h"

static void set(const char *name, const char *value)
{
    ck_assert_int_eq(value == NULL ? unsetenv(name) : setenv(name, value, 1), 0);
}

/* Binds a datagram socket to `path`, '@' for abstract, and has notify find it. */
static int open_manager(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int file = socket(AF_UNIX, SOCK_DGRAM, 0);
    ck_assert_int_ge(file, 0);
    memcpy(name.sun_path, path, strlen(path));
    if (path[0] == '@')
        name.sun_path[0] = '\0';
    const socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    ck_assert_int_eq(bind(file, (const struct sockaddr *)&name, length), 0);
    set("NOTIFY_SOCKET", path);
    return file;
}

static void expect_heard(int file, const char *text)
{
    char heard[64] = {0};
    ck_assert_int_eq(recv(file, heard, sizeof(heard) - 1, MSG_DONTWAIT), (int)strlen(text));
    ck_assert_str_eq(heard, text);
}

/* What one says who opens, sends and closes. */
static void say_once(const char *state)
{
    struct notify notify;
    notify_open(&notify);
    notify_send(&notify, state);
    notify_close(&notify);
}

START_TEST(the_manager_hears_the_state)
{
    char path[64];
    struct notify notify;
    (void)snprintf(path, sizeof(path), "@rookery-test-%d", (int)getpid());
    const int file = open_manager(path);
    notify_open(&notify);
    notify_send(&notify, "READY=1");
    expect_heard(file, "READY=1");
    (void)close(file);
    ck_assert(notify_send(&notify, "STOPPING=1")); /* Nobody there any more: no harm. */
    notify_close(&notify);
    (void)snprintf(path, sizeof(path), "/tmp/rookery-test-%d", (int)getpid());
    const int other = open_manager(path);
    say_once("WATCHDOG=1");
    expect_heard(other, "WATCHDOG=1");
    (void)close(other);
    (void)unlink(path);
}
END_TEST

/* Clients hold every descriptor: the watchdog must be heard all the same. */
START_TEST(no_descriptor_is_needed_to_be_heard)
{
    char path[64];
    struct notify notify;
    struct rlimit limit;
    (void)snprintf(path, sizeof(path), "@rookery-files-%d", (int)getpid());
    const int file = open_manager(path);
    notify_open(&notify);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    ck_assert_int_eq(dup(file), -1);
    notify_send(&notify, "WATCHDOG=1");
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    expect_heard(file, "WATCHDOG=1");
    ck_assert_int_eq(fcntl(notify.file, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    notify_close(&notify);
    (void)close(file);
}
END_TEST

/* More than the manager's queue holds: this test would never end if sending waited. */
START_TEST(a_manager_that_does_not_read_holds_nobody_up)
{
    enum { MORE = 10000 };
    char path[64];
    struct notify notify;
    (void)snprintf(path, sizeof(path), "@rookery-full-%d", (int)getpid());
    const int file = open_manager(path);
    notify_open(&notify);
    bool is_heard = true;
    for (int i = 0; i < MORE; i++)
        is_heard = notify_send(&notify, "WATCHDOG=1");
    ck_assert(!is_heard);
    expect_heard(file, "WATCHDOG=1");
    ck_assert(notify_send(&notify, "WATCHDOG=1")); /* There is room for one again. */
    notify_close(&notify);
    (void)close(file);
}
END_TEST

/* There is nobody to ask what was heard: that no address is taken for one that it is not, or for
 * longer than it may be, is what the sanitizers see. */
START_TEST(nobody_asked_nobody_hears)
{
    set("NOTIFY_SOCKET", NULL);
    say_once("READY=1");
    set("NOTIFY_SOCKET", "relative");
    say_once("READY=1");
    char path[300];
    memset(path, '/', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    set("NOTIFY_SOCKET", path);
    say_once("READY=1");
}
END_TEST

START_TEST(the_watchdog_is_ours_or_nobodys)
{
    char self[16];
    (void)snprintf(self, sizeof(self), "%d", (int)getpid());
    set("WATCHDOG_USEC", NULL);
    set("WATCHDOG_PID", NULL);
    ck_assert_int_eq(notify_watchdog_us(), 0);
    set("WATCHDOG_USEC", "30000000");
    ck_assert_int_eq(notify_watchdog_us(), 30000000);
    set("WATCHDOG_PID", "1");
    ck_assert_int_eq(notify_watchdog_us(), 0);
    set("WATCHDOG_PID", self);
    ck_assert_int_eq(notify_watchdog_us(), 30000000);
    set("WATCHDOG_USEC", "soon");
    ck_assert_int_eq(notify_watchdog_us(), 0);
}
END_TEST

START_TEST(sockets_are_ours_or_nobodys)
{
    char self[16];
    (void)snprintf(self, sizeof(self), "%d", (int)getpid());
    set("LISTEN_FDS", "2");
    set("LISTEN_PID", NULL);
    ck_assert_uint_eq(notify_sockets(), 0);
    set("LISTEN_PID", "1");
    ck_assert_uint_eq(notify_sockets(), 0);
    set("LISTEN_PID", self);
    ck_assert_uint_eq(notify_sockets(), 2);
    set("LISTEN_FDS", "999");
    ck_assert_uint_eq(notify_sockets(), LISTENERS_MAX);
    set("LISTEN_FDS", "-1");
    ck_assert_uint_eq(notify_sockets(), 0);
    set("LISTEN_FDS", "x");
    ck_assert_uint_eq(notify_sockets(), 0);
    set("LISTEN_FDS", NULL);
    ck_assert_uint_eq(notify_sockets(), 0);
}
END_TEST

Suite *suite_notify(void)
{
    Suite *suite = suite_create("notify");
    TCase *tests = tcase_create("notify");
    tcase_add_test(tests, the_manager_hears_the_state);
    tcase_add_test(tests, no_descriptor_is_needed_to_be_heard);
    tcase_add_test(tests, a_manager_that_does_not_read_holds_nobody_up);
    tcase_add_test(tests, nobody_asked_nobody_hears);
    tcase_add_test(tests, the_watchdog_is_ours_or_nobodys);
    tcase_add_test(tests, sockets_are_ours_or_nobodys);
    suite_add_tcase(suite, tests);
    return suite;
}
