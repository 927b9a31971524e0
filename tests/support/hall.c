#include "support/hall.h"

#include <check.h>
#include <sys/socket.h>

enum { CLIENTS = 8, SEARCHES = 1, TURNS = 10 };

void hall_open(struct hall *hall)
{
    const struct rk_engine_options engine = {.size = sizeof(engine), .searches_max = SEARCHES + 1};
    const struct scheduler_options scheduler = {.clients_max = CLIENTS, .searches_max = SEARCHES};
    const struct connections_options options = {.clients_max = CLIENTS,
                                                .session.size = sizeof(options.session)};
    ck_assert_int_eq(uv_loop_init(&hall->loop), 0);
    ck_assert(rk_engine_create(&engine, &hall->engine) == RK_OK);
    ck_assert(scheduler_create(&hall->scheduler, hall->engine, &scheduler) == RK_OK);
    ck_assert(connections_create(&hall->connections, &hall->loop, &hall->scheduler, &options) ==
              RK_OK);
    hall_admit(hall, &hall->client);
    hall->connection = &hall->connections.all[0];
}

void hall_close(struct hall *hall)
{
    connections_close(&hall->connections, "the test is over");
    (void)uv_run(&hall->loop, UV_RUN_DEFAULT);
    ck_assert_uint_eq(connections_count(&hall->connections), 0);
    ck_assert_int_eq(uv_loop_close(&hall->loop), 0);
    connections_destroy(&hall->connections);
    scheduler_destroy(&hall->scheduler);
    rk_engine_destroy(hall->engine);
    client_close(&hall->client);
}

void hall_admit(struct hall *hall, struct client *out_client)
{
    const char *why = NULL;
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    ck_assert(connections_admit(&hall->connections, ends[0], NULL, &why) == RK_OK);
    *out_client = (struct client){.file = ends[1]};
}

void hall_read(struct hall *hall) { (void)uv_run(&hall->loop, UV_RUN_NOWAIT); }

void hall_work(struct hall *hall)
{
    while (connections_work(&hall->connections))
        continue;
}

void hall_turn(struct hall *hall)
{
    for (int i = 0; i < TURNS; i++) {
        hall_read(hall);
        hall_work(hall);
    }
}
