/* Those who come when there is no place: over real sockets, with a stub engine and a stub session.
 */
#include "server/listener.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/suites.h"
#include "support/client.h"
#include "support/house.h"

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
    do
        house_connect(&house, &next);
    while (client_ask(&next, "isready\n", "readyok") == NULL);
    client_close(&next);
    client_expect_served(&clients[0]);
    client_close(&clients[0]);
    client_close(&clients[2]);
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
    do
        house_connect(&house, &next);
    while (client_ask(&next, "isready\n", "readyok") == NULL);
    client_close(&next);
    client_close(&first);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

Suite *suite_listener(void)
{
    Suite *suite = suite_create("listener");
    TCase *tests = tcase_create("listener");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_full_house_turns_away_with_a_word);
    tcase_add_test(tests, want_of_descriptors_is_survived);
    suite_add_tcase(suite, tests);
    return suite;
}
