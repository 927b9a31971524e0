#include "support/house.h"

#include <check.h>

struct server_options house_options(void)
{
    struct server_options options = {.listen_count = 1,
                                     .threads = 2,
                                     .table_mib = 16,
                                     .searches_max = 2,
                                     .memories_max = 2,
                                     .threads_per_search = 2,
                                     .searches_per_client = 2,
                                     .clients_max = 16,
                                     .drain_ms = 10000};
    ck_assert(address_parse("127.0.0.1:0", &options.listen[0]) == RK_OK);
    return options;
}

static void *serve(void *context)
{
    struct house *house = context;
    house->status = server_run(house->server);
    return NULL;
}

void house_open(struct house *house, const struct server_options *options)
{
    char error[SERVER_ERROR_BYTES_MAX] = "";
    ck_assert_msg(server_create(options, &house->server, error) == RK_OK, "%s", error);
    server_addresses(house->server, house->address);
    ck_assert_int_eq(pthread_create(&house->thread, NULL, serve, house), 0);
}

enum rk_status house_close(struct house *house)
{
    server_drain(house->server);
    ck_assert_int_eq(pthread_join(house->thread, NULL), 0);
    server_destroy(house->server);
    return house->status;
}

void house_open_small(struct house *house)
{
    const struct server_options options = house_options();
    house_open(house, &options);
}

void house_connect(const struct house *house, struct client *client)
{
    ck_assert(client_connect(client, house->address));
}

void house_connect_served(const struct house *house, struct client *client)
{
    for (;;) {
        house_connect(house, client);
        if (client_ask(client, "isready\n", "readyok") != NULL)
            return;
        client_close(client);
    }
}

void client_expect_served(struct client *client)
{
    ck_assert_ptr_nonnull(client_ask(client, "isready\n", "readyok"));
}

void house_expect_guest(const struct house *house)
{
    struct client client;
    house_connect(house, &client);
    client_expect_served(&client);
    client_close(&client);
}
