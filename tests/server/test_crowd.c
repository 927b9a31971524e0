/* More clients wait than there are searches, by far: over real sockets, with a stub engine and a
 * stub session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "server/suites.h"
#include "support/client.h"
#include "support/house.h"

enum { CROWD = 1100, FILES = 3 * CROWD };

/* Its next bestmove, and none after it. */
static void expect_one_bestmove(struct client *client)
{
    ck_assert_ptr_nonnull(client_wait(client, "bestmove"));
    ck_assert(client_send(client, "isready\n"));
    for (;;) {
        const char *line = client_line(client, CLIENT_PATIENCE_MS);
        ck_assert_ptr_nonnull(line);
        ck_assert(strncmp(line, "bestmove", 8) != 0);
        if (strcmp(line, "readyok") == 0)
            return;
    }
}

/* One address fills the house: all wait behind one search. Whoever comes from another address is
 * next, on a clock or not; and each of the crowd, however many it is, has its one answer. */
START_TEST(a_crowd_of_one_address_waits_and_blocks_nobody)
{
    struct house house;
    struct client holder;
    struct client open;
    struct client timed;
    struct server_options options = house_options();
    struct client *crowd = calloc(CROWD, sizeof(*crowd));
    ck_assert_ptr_nonnull(crowd);
    ck_assert_uint_ge(machine_raise_files(FILES), FILES); /* Both ends are in this process. */
    options.clients_max = CROWD + 3;
    options.searches_max = 1;
    ck_assert(address_parse("[::1]:0", &options.listen[1]) == RK_OK);
    options.listen_count = 2;
    house_open(&house, &options);
    char *second = strstr(house.address, ", ");
    ck_assert_ptr_nonnull(second);
    *second = '\0';
    house_connect(&house, &holder);
    ck_assert_ptr_nonnull(client_ask(&holder, "go infinite\n", "info nodes"));
    for (int i = 0; i < CROWD; i++) {
        char queued[32];
        (void)snprintf(queued, sizeof(queued), "info string queued %d", i + 1);
        house_connect(&house, &crowd[i]);
        ck_assert_str_eq(client_ask(&crowd[i], "go infinite\n", "info string"), queued);
    }
    ck_assert(client_connect(&open, second + 2));
    ck_assert_str_eq(client_ask(&open, "go infinite\n", "info string"), "info string queued 2");
    ck_assert(client_connect(&timed, second + 2));
    ck_assert_str_eq(client_ask(&timed, "go movetime 60\n", "info string"), "info string queued 1");
    ck_assert_ptr_nonnull(client_wait(&timed, "info string overloaded"));
    expect_one_bestmove(&timed);
    for (int i = 0; i < CROWD; i++) {
        if (i % 4 == 3)
            client_reset(&crowd[i]);
        else
            ck_assert(client_send(&crowd[i], "stop\n"));
    }
    for (int i = 0; i < CROWD; i++)
        if (i % 4 != 3)
            expect_one_bestmove(&crowd[i]);
    ck_assert_ptr_nonnull(client_ask(&holder, "stop\n", "bestmove"));
    ck_assert_ptr_nonnull(client_wait(&open, "info nodes"));
    ck_assert(client_send(&open, "stop\n"));
    expect_one_bestmove(&open);
    for (int i = 0; i < CROWD; i++)
        if (i % 4 != 3)
            client_close(&crowd[i]);
    client_close(&holder);
    client_close(&open);
    client_close(&timed);
    ck_assert_int_eq(house_close(&house), RK_OK);
    free(crowd);
}
END_TEST

/* Crews are free, but not for this address: it hears why before it hears that it waits. */
START_TEST(an_address_hears_why_it_waits)
{
    struct house house;
    struct client first, second;
    struct server_options options = house_options();
    options.searches_max = 4;
    options.searches_per_address = 1;
    house_open(&house, &options);
    house_connect(&house, &first);
    house_connect(&house, &second);
    ck_assert_ptr_nonnull(client_ask(&first, "position 1\ngo infinite\n", "info nodes"));
    ck_assert_str_eq(client_ask(&second, "position 2\ngo infinite\n", "info string"),
                     "info string limit of this server: searches of your address at once 1");
    ck_assert_str_eq(client_line(&second, CLIENT_PATIENCE_MS), "info string queued 1");
    ck_assert_ptr_nonnull(client_ask(&first, "stop\n", "bestmove"));
    ck_assert_ptr_nonnull(client_wait(&second, "info nodes"));
    ck_assert_ptr_nonnull(client_ask(&second, "stop\n", "bestmove"));
    client_close(&first);
    client_close(&second);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

Suite *suite_crowd(void)
{
    Suite *suite = suite_create("crowd");
    TCase *tests = tcase_create("crowd");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_crowd_of_one_address_waits_and_blocks_nobody);
    tcase_add_test(tests, an_address_hears_why_it_waits);
    suite_add_tcase(suite, tests);
    return suite;
}
