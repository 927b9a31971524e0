/* Addresses and ends of a server, over real sockets, with a stub engine and a stub session. */
#include "server/server.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/suites.h"
#include "support/client.h"
#include "support/house.h"

/* -- Addresses -------------------------------------------------------------------------------- */

START_TEST(every_kind_of_address_serves)
{
    struct house house;
    struct server_options options = house_options();
    char path[64];
    char text[80];
    (void)snprintf(path, sizeof(path), "/tmp/rookery-test-%d.socket", (int)getpid());
    (void)snprintf(text, sizeof(text), "unix:%s", path);
    ck_assert(address_parse("[::1]:0", &options.listen[1]) == RK_OK);
    ck_assert(address_parse(text, &options.listen[2]) == RK_OK);
    options.listen_count = 3;
    house_open(&house, &options);
    char *rest = house.address;
    for (int i = 0; i < 3; i++) {
        char *comma = strchr(rest, ',');
        struct client client;
        if (comma != NULL)
            *comma = '\0';
        ck_assert_msg(client_connect(&client, rest), "%s", rest);
        ck_assert_ptr_nonnull(client_ask(&client, "uci\n", "uciok"));
        client_close(&client);
        rest = comma == NULL ? rest : comma + 2;
    }
    ck_assert_int_eq(house_close(&house), RK_OK);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(an_address_in_use_is_told)
{
    struct house house;
    struct server *second = NULL;
    struct server_options options = house_options();
    char error[SERVER_ERROR_BYTES_MAX] = "";
    house_open_small(&house);
    ck_assert(address_parse(house.address, &options.listen[0]) == RK_OK);
    ck_assert(server_create(&options, &second, error) == RK_BUSY);
    ck_assert_ptr_nonnull(strstr(error, house.address));
    ck_assert_ptr_nonnull(strstr(error, "--listen"));
    ck_assert(address_parse("203.0.113.1:1", &options.listen[0]) == RK_OK); /* Not ours. */
    ck_assert(server_create(&options, &second, error) == RK_SYSTEM);
    ck_assert_ptr_null(second);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_dead_socket_file_is_replaced_a_live_one_is_not)
{
    struct house house;
    struct server *second = NULL;
    struct server_options options = house_options();
    char error[SERVER_ERROR_BYTES_MAX] = "";
    char text[80];
    (void)snprintf(text, sizeof(text), "unix:/tmp/rookery-dead-%d.socket", (int)getpid());
    ck_assert(address_parse(text, &options.listen[0]) == RK_OK);
    house_open(&house, &options);
    ck_assert(server_create(&options, &second, error) == RK_BUSY);
    house_expect_guest(&house);
    /* A copy of the name survives its server, as after a crash. */
    char dead[96];
    (void)snprintf(dead, sizeof(dead), "%s.kept", text + 5);
    ck_assert_int_eq(link(text + 5, dead), 0);
    ck_assert_int_eq(house_close(&house), RK_OK);
    ck_assert_int_eq(rename(dead, text + 5), 0);
    house_open(&house, &options);
    house_expect_guest(&house);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_file_that_is_no_socket_is_kept)
{
    struct server *server = NULL;
    struct server_options options = house_options();
    char error[SERVER_ERROR_BYTES_MAX] = "";
    char text[80];
    (void)snprintf(text, sizeof(text), "unix:/tmp/rookery-games-%d.pgn", (int)getpid());
    (void)unlink(text + 5); /* What a run that failed may have left. */
    FILE *file = fopen(text + 5, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_gt(fprintf(file, "1. e4 *\n"), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(address_parse(text, &options.listen[0]) == RK_OK);
    ck_assert(server_create(&options, &server, error) == RK_BUSY);
    ck_assert_ptr_nonnull(strstr(error, text));
    ck_assert_int_eq(access(text + 5, F_OK), 0);
    (void)unlink(text + 5);
}
END_TEST

/* Its name is taken away and given to another: then the end of the first takes nothing. */
START_TEST(an_old_server_leaves_its_successor_the_socket)
{
    struct house old, successor;
    struct server_options options = house_options();
    char text[80];
    (void)snprintf(text, sizeof(text), "unix:/tmp/rookery-heir-%d.socket", (int)getpid());
    ck_assert(address_parse(text, &options.listen[0]) == RK_OK);
    house_open(&old, &options);
    ck_assert_int_eq(unlink(text + 5), 0);
    house_open(&successor, &options);
    ck_assert_int_eq(house_close(&old), RK_OK);
    house_expect_guest(&successor);
    ck_assert_int_eq(house_close(&successor), RK_OK);
    ck_assert_int_ne(access(text + 5, F_OK), 0);
}
END_TEST

/* -- Ends ------------------------------------------------------------------------------------- */

START_TEST(a_drain_keeps_every_promise)
{
    struct house house;
    struct client idle;
    struct client timed;
    struct client open;
    struct server_options options = house_options();
    char address[64]; /* None that another test may be given when it is free. */
    (void)snprintf(address, sizeof(address), "unix:/tmp/rookery-drain-%d.socket", (int)getpid());
    ck_assert(address_parse(address, &options.listen[0]) == RK_OK);
    house_open(&house, &options);
    house_connect(&house, &idle);
    house_connect(&house, &timed);
    house_connect(&house, &open);
    client_expect_served(&idle);
    ck_assert_ptr_nonnull(client_ask(&timed, "go movetime 600\n", "info nodes"));
    ck_assert_ptr_nonnull(client_ask(&open, "go infinite\n", "info nodes"));
    server_drain(house.server);
    ck_assert_ptr_nonnull(client_wait(&open, "bestmove"));
    ck_assert(client_is_ended(&open));
    ck_assert_ptr_nonnull(client_wait(&idle, "info string the server is shutting down"));
    ck_assert(client_is_ended(&idle));
    struct client late;
    ck_assert(!client_connect(&late, house.address));
    ck_assert_ptr_nonnull(client_wait(&timed, "bestmove"));
    ck_assert(client_is_ended(&timed));
    client_close(&idle);
    client_close(&timed);
    client_close(&open);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

/* While a search that has an end of its own is waited for, its client is heard. */
START_TEST(a_drain_hears_who_is_waited_for)
{
    struct house house;
    struct client client;
    house_open_small(&house);
    house_connect(&house, &client);
    ck_assert_ptr_nonnull(client_ask(&client, "go movetime 3600000\n", "info nodes"));
    server_drain(house.server);
    ck_assert_ptr_nonnull(client_wait(&client, "info string the server is shutting down"));
    ck_assert_ptr_nonnull(client_ask(&client, "isready\n", "readyok"));
    ck_assert_ptr_nonnull(client_ask(&client, "stop\n", "bestmove"));
    ck_assert(client_is_ended(&client));
    client_close(&client);
    ck_assert_int_eq(house_close(&house), RK_OK);
}
END_TEST

START_TEST(a_drain_has_an_end)
{
    struct house house;
    struct client timed;
    struct server_options options = house_options();
    options.drain_ms = 200;
    house_open(&house, &options);
    house_connect(&house, &timed);
    ck_assert_ptr_nonnull(client_ask(&timed, "go movetime 3600000\n", "info nodes"));
    server_drain(house.server);
    ck_assert_ptr_nonnull(client_wait(&timed, "bestmove"));
    ck_assert(client_is_ended(&timed));
    client_close(&timed);
    (void)house_close(&house); /* It may have had to cut off who was answered this late. */
}
END_TEST

static unsigned files_open(void)
{
    enum { FILES_LOOKED_AT = 1024 };
    unsigned count = 0;
    for (int file = 0; file < FILES_LOOKED_AT; file++)
        count += fcntl(file, F_GETFD) != -1;
    return count;
}

/* Everything begins and ends, while threads of the engine have something to say to clients who are
 * there, who go, or who are gone. */
START_TEST(a_thousand_starts_leave_nothing)
{
    enum { STARTS = 1000 };
    unsigned files = 0;
    for (int i = 0; i < STARTS; i++) {
        if (i == 1) /* What libuv keeps for the process is there now. */
            files = files_open();
        struct house house;
        struct client client;
        house_open_small(&house);
        house_connect(&house, &client);
        ck_assert(client_send(&client, i % 2 == 0 ? "go infinite\n" : "go nodes 9\n"));
        if (i % 4 < 2)
            ck_assert_ptr_nonnull(client_wait(&client, "info nodes"));
        if (i % 3 == 0)
            client_reset(&client);
        server_drain(house.server);
        if (i % 3 != 0)
            client_close(&client);
        ck_assert_int_eq(house_close(&house), RK_OK);
    }
    ck_assert_uint_eq(files_open(), files);
}
END_TEST

Suite *suite_server(void)
{
    Suite *suite = suite_create("server");
    TCase *tests = tcase_create("server");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_kind_of_address_serves);
    tcase_add_test(tests, an_address_in_use_is_told);
    tcase_add_test(tests, a_dead_socket_file_is_replaced_a_live_one_is_not);
    tcase_add_test(tests, a_file_that_is_no_socket_is_kept);
    tcase_add_test(tests, an_old_server_leaves_its_successor_the_socket);
    tcase_add_test(tests, a_drain_keeps_every_promise);
    tcase_add_test(tests, a_drain_hears_who_is_waited_for);
    tcase_add_test(tests, a_drain_has_an_end);
    tcase_add_test(tests, a_thousand_starts_leave_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
