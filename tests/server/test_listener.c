/* Those who come when there is no place: over real sockets, with a stub engine and a stub session.
 */
#include "server/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/log.h"
#include "server/suites.h"
#include "support/client.h"
#include "support/house.h"

/* -- What the kernel answers ------------------------------------------------------------------ */

/* The linker leads the listener's accept4 here (--wrap), since a system without a file left cannot
 * be had for one test alone. */
static struct {
    atomic_int error; /* What accept4 fails with; 0: it does not. */
    atomic_uint calls;
} kernel;

int __real_accept4(int file, struct sockaddr *name, socklen_t *length, int flags);
int __wrap_accept4(int file, struct sockaddr *name, socklen_t *length, int flags);

int __wrap_accept4(int file, struct sockaddr *name, socklen_t *length, int flags)
{
    const int error = atomic_load(&kernel.error);
    atomic_fetch_add(&kernel.calls, 1);
    if (error == 0)
        return __real_accept4(file, name, length, flags);
    errno = error;
    return -1;
}

/* -- Those who come --------------------------------------------------------------------------- */

START_TEST(a_full_house_turns_away_with_a_word)
{
    enum { CLIENTS = 3 };
    struct house house;
    struct client clients[CLIENTS];
    struct server_options options = house_options();
    options.clients_max = CLIENTS;
    house_open(&house, &options);
    for (int i = 0; i < CLIENTS; i++) {
        house_connect(&house, &clients[i]);
        client_expect_served(&clients[i]);
    }
    for (int i = 0; i < 50; i++) {
        struct client late;
        house_connect(&house, &late);
        ck_assert_ptr_nonnull(client_wait(&late, "info string the server is full"));
        ck_assert(client_is_ended(&late));
        client_close(&late);
    }
    client_close(&clients[1]);
    struct client next;
    house_connect_served(&house, &next);
    client_close(&next);
    client_expect_served(&clients[0]);
    client_close(&clients[0]);
    client_close(&clients[2]);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* The house has room, and says what it is that it has none of. */
START_TEST(a_crowd_of_one_address_is_told_so)
{
    struct house house;
    struct client first, late;
    struct server_options options = house_options();
    options.clients_per_address = 1;
    house_open(&house, &options);
    house_connect(&house, &first);
    client_expect_served(&first);
    house_connect(&house, &late);
    ck_assert_ptr_nonnull(client_wait(&late, "info string too many connections from your address"));
    ck_assert(client_is_ended(&late));
    client_close(&late);
    client_close(&first);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* One who leaves in its own way and comes back at once is not in its own way. */
START_TEST(who_comes_back_at_once_finds_its_place)
{
    enum { ROUNDS = 200 };
    struct house house;
    struct server_options options = house_options();
    options.clients_per_address = 1;
    house_open(&house, &options);
    for (int round = 0; round < ROUNDS; round++) {
        struct client client;
        house_connect(&house, &client);
        ck_assert_ptr_nonnull(client_ask(&client, "isready\n", ""));
        ck_assert_str_eq(client.line, "readyok");
        if (_i == 0) {
            ck_assert(client_send(&client, "quit\n"));
            ck_assert(client_is_ended(&client));
        }
        if (_i == 2)
            client_reset(&client);
        else
            client_close(&client);
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* Who resets before it is let in comes from its own address all the same, and not by the unix
 * socket. They come while the house is busy with a line. */
START_TEST(who_is_gone_at_once_takes_no_others_place)
{
    enum { RESETS = 4, BUSY_US = 300000 };
    struct house house;
    struct client busy, gone, guest;
    struct server_options options = house_options();
    char text[80], line[32];
    (void)snprintf(text, sizeof(text), "unix:/tmp/rookery-gone-%d.socket", (int)getpid());
    ck_assert(address_parse(text, &options.listen[1]) == RK_OK);
    options.listen_count = 2;
    options.clients_per_address = RESETS;
    house_open(&house, &options);
    *strchr(house.address, ',') = '\0';
    house_connect(&house, &busy);
    client_expect_served(&busy);
    (void)snprintf(line, sizeof(line), "work %d\n", BUSY_US);
    ck_assert(client_send(&busy, line));
    ck_assert(client_is_silent(&busy, 50));
    for (int i = 0; i < RESETS; i++) {
        house_connect(&house, &gone);
        client_reset(&gone);
    }
    ck_assert(client_connect(&guest, text));
    client_expect_served(&guest);
    client_close(&guest);
    client_close(&busy);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* Lines enough for a second, so that the log takes no more. */
static void flood_log(void)
{
    for (int i = 0; i < LOG_LINES_PER_S_MAX; i++) {
        (void)log_write(LOG_WARNING, "a %d", i);
        (void)log_write(LOG_WARNING, "b %d", i);
        (void)log_write(LOG_WARNING, "c %d", i);
    }
}

/* What the log had no room for is told later: the first line counts all who were turned away. */
START_TEST(all_who_are_turned_away_are_counted)
{
    static char text[1 << 16];
    struct house house;
    struct client client;
    struct server_options options = house_options();
    int ends[2];
    unsigned late_count = 0, told_count = 0;
    size_t length = 0;
    options.clients_max = 1;
    house_open(&house, &options);
    house_connect(&house, &client);
    client_expect_served(&client);
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
    log_open(ends[1], LOG_WARNING);
    flood_log();
    while (told_count == 0) {
        struct client late;
        house_connect(&house, &late);
        ck_assert(client_is_ended(&late));
        client_close(&late);
        late_count++;
        client_expect_served(&client); /* So the log has been told of it. */
        const ssize_t count = read(ends[0], text + length, sizeof(text) - 1 - length);
        length += count > 0 ? (size_t)count : 0;
        const char *line = strstr(text, "clients turned away: ");
        if (line != NULL)
            ck_assert_int_eq(sscanf(line, "clients turned away: %u;", &told_count), 1);
    }
    log_open(STDERR_FILENO, LOG_SILENT);
    ck_assert_uint_eq(told_count, late_count);
    (void)close(ends[0]);
    (void)close(ends[1]);
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* Not a descriptor is left when clients come: the server must neither end nor spin. */
START_TEST(want_of_descriptors_is_survived)
{
    enum { FILES = 64, LATE = 4 };
    struct house house;
    struct client first;
    int fillers[FILES];
    int filler_count = 0;
    int late[LATE];
    const struct rlimit few = {.rlim_cur = FILES, .rlim_max = FILES};
    house_open_small(&house);
    house_connect(&house, &first);
    client_expect_served(&first);
    struct sockaddr_in name = {.sin_family = AF_INET};
    name.sin_port = htons((uint16_t)strtoul(strrchr(house.address, ':') + 1, NULL, 10));
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < LATE; i++)
        late[i] = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (int file = 0; filler_count < FILES && (file = dup(first.file)) >= 0;)
        fillers[filler_count++] = file;
    for (int i = 0; i < LATE; i++)
        ck_assert_int_eq(connect(late[i], (const struct sockaddr *)&name, sizeof(name)), 0);
    for (int i = 0; i < 20; i++)
        client_expect_served(&first);
    for (int i = 0; i < LATE; i++) {
        struct client refused = {.file = late[i]};
        ck_assert_ptr_nonnull(client_wait(&refused, "info string the server is full"));
        ck_assert(client_is_ended(&refused));
    }
    for (int i = 0; i < LATE; i++) /* Not before: each would be a descriptor for the next. */
        (void)close(late[i]);
    while (filler_count > 0)
        (void)close(fillers[--filler_count]);
    struct client next;
    house_connect_served(&house, &next);
    client_close(&next);
    client_close(&first);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* The kernel has nothing for a new client, not even by the spare descriptor: clients wait, nothing
 * spins, who is there is served, and all are let in once there is something. */
static void wait_for_the_kernel(int error)
{
    enum { LATE = 4, TRIES = 3, CALLS_PER_TICK = 2 };
    struct house house;
    struct client first;
    struct client late[LATE];
    house_open_small(&house);
    house_connect(&house, &first);
    client_expect_served(&first);
    atomic_store(&kernel.error, error);
    atomic_store(&kernel.calls, 0);
    const int64_t start_us = clock_now_us();
    for (int i = 0; i < LATE; i++) {
        house_connect(&house, &late[i]); /* The kernel does this alone. */
        ck_assert(client_send(&late[i], "isready\n"));
    }
    while (atomic_load(&kernel.calls) < TRIES * CALLS_PER_TICK)
        client_expect_served(&first);
    const unsigned calls = atomic_load(&kernel.calls);
    const int64_t ticks = (clock_now_us() - start_us) / ((int64_t)TICK_MS * 1000);
    ck_assert_int_le(calls, (ticks + 2) * CALLS_PER_TICK);
    atomic_store(&kernel.error, 0);
    for (int i = 0; i < LATE; i++) {
        ck_assert_str_eq(client_line(&late[i], CLIENT_PATIENCE_MS), "readyok");
        client_close(&late[i]);
    }
    client_close(&first);
    ck_assert_int_eq(house_close(&house), RK_OK);
}

START_TEST(want_of_files_in_the_system_is_waited_out) { wait_for_the_kernel(ENFILE); }
END_TEST

START_TEST(so_is_want_of_memory_in_the_kernel)
{
    wait_for_the_kernel(ENOBUFS);
    wait_for_the_kernel(ENOMEM);
}
END_TEST

Suite *suite_listener(void)
{
    Suite *suite = suite_create("listener");
    TCase *tests = tcase_create("listener");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_full_house_turns_away_with_a_word);
    tcase_add_test(tests, a_crowd_of_one_address_is_told_so);
    tcase_add_test(tests, who_is_gone_at_once_takes_no_others_place);
    tcase_add_loop_test(tests, who_comes_back_at_once_finds_its_place, 0, 3);
    tcase_add_test(tests, all_who_are_turned_away_are_counted);
    tcase_add_test(tests, want_of_descriptors_is_survived);
    tcase_add_test(tests, want_of_files_in_the_system_is_waited_out);
    tcase_add_test(tests, so_is_want_of_memory_in_the_kernel);
    suite_add_tcase(suite, tests);
    return suite;
}
