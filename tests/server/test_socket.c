#include "server/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "server/suites.h"

struct fixture {
    uv_loop_t loop;
    union connection_socket socket;
    int file;  /* Of `socket`. */
    int other; /* The client's end. */
};

/* A connection over loopback, its server's end in libuv's hands. */
static void open_tcp(struct fixture *fixture)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(name);
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (const struct sockaddr *)&name, length), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&name, &length), 0);
    fixture->other = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(fixture->other, (const struct sockaddr *)&name, length), 0);
    fixture->file = accept(listener, NULL, NULL);
    ck_assert_int_ge(fixture->file, 0);
    (void)close(listener);
    ck_assert_int_eq(uv_loop_init(&fixture->loop), 0);
    ck_assert_int_eq(uv_tcp_init(&fixture->loop, &fixture->socket.tcp), 0);
    ck_assert_int_eq(uv_tcp_open(&fixture->socket.tcp, fixture->file), 0);
}

static void close_fixture(struct fixture *fixture)
{
    uv_close(&fixture->socket.handle, NULL);
    ck_assert_int_eq(uv_run(&fixture->loop, UV_RUN_DEFAULT), 0);
    ck_assert_int_eq(uv_loop_close(&fixture->loop), 0);
    if (fixture->other >= 0)
        (void)close(fixture->other);
}

static int option(const struct fixture *fixture, int level, int name)
{
    int value = -1;
    socklen_t length = sizeof(value);
    ck_assert_int_eq(getsockopt(fixture->file, level, name, &value, &length), 0);
    return value;
}

START_TEST(the_kernel_is_told)
{
    struct fixture fixture;
    open_tcp(&fixture);
    socket_tune(&fixture.socket, 60);
    ck_assert_int_eq(option(&fixture, SOL_SOCKET, SO_KEEPALIVE), 1);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_USER_TIMEOUT), 60000);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_KEEPIDLE), 20);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_KEEPINTVL), 10);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_KEEPCNT), 4);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_NOTSENT_LOWAT), UNSENT_BYTES_MAX);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_NODELAY), 1);
    ck_assert_int_le(option(&fixture, SOL_SOCKET, SO_SNDBUF), 2 * SEND_BUFFER_BYTES);
    close_fixture(&fixture);
}
END_TEST

/* Whatever the patience, probes are lost before it ends, and a peer that is gone is noticed. */
START_TEST(one_lost_probe_is_no_end)
{
    static const uint32_t UNREAD_S[] = {6, 60, 119, 120, 300, 86400};
    struct fixture fixture;
    open_tcp(&fixture);
    for (size_t i = 0; i < sizeof(UNREAD_S) / sizeof(UNREAD_S[0]); i++) {
        socket_tune(&fixture.socket, UNREAD_S[i]);
        const int idle_s = option(&fixture, IPPROTO_TCP, TCP_KEEPIDLE);
        const int interval_s = option(&fixture, IPPROTO_TCP, TCP_KEEPINTVL);
        ck_assert_int_le(idle_s + 3 * interval_s, (int)UNREAD_S[i]);
        ck_assert_int_le(idle_s, 60);
        ck_assert_int_le(interval_s, 15);
    }
    socket_tune(&fixture.socket, 0);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_USER_TIMEOUT), 0);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_KEEPIDLE), 60);
    ck_assert_int_eq(option(&fixture, IPPROTO_TCP, TCP_KEEPINTVL), 15);
    close_fixture(&fixture);
}
END_TEST

/* What the other end does arrives when the kernel has gone round. */
static void expect_look(const struct fixture *fixture, enum socket_state state)
{
    const int64_t end_us = clock_now_us() + 1000 * INT64_C(20000);
    while (socket_look(&fixture->socket) != state)
        ck_assert_int_lt(clock_now_us(), end_us);
}

START_TEST(the_kernel_is_asked)
{
    struct fixture fixture;
    open_tcp(&fixture);
    ck_assert_int_eq(socket_look(&fixture.socket), SOCKET_OPEN);
    ck_assert_int_eq(shutdown(fixture.other, SHUT_WR), 0);
    expect_look(&fixture, SOCKET_HALF);
    const struct linger now = {.l_onoff = 1, .l_linger = 0};
    ck_assert_int_eq(setsockopt(fixture.other, SOL_SOCKET, SO_LINGER, &now, sizeof(now)), 0);
    (void)close(fixture.other);
    fixture.other = -1;
    expect_look(&fixture, SOCKET_GONE);
    close_fixture(&fixture);
}
END_TEST

Suite *suite_socket(void)
{
    Suite *suite = suite_create("socket");
    TCase *tests = tcase_create("socket");
    tcase_add_test(tests, the_kernel_is_told);
    tcase_add_test(tests, one_lost_probe_is_no_end);
    tcase_add_test(tests, the_kernel_is_asked);
    suite_add_tcase(suite, tests);
    return suite;
}
