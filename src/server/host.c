#include "server/host.h"

#include <stdio.h>

#include "server/connections.h"

static void host_send(void *context, const char *line, size_t length, enum rk_weight weight)
{
    connection_send(context, line, length, weight);
}

/* Why one waits though the house may have room. */
static void say_limit(struct connection *connection)
{
    const struct scheduler *scheduler = connection->connections->scheduler;
    char words[96];
    (void)snprintf(words, sizeof(words),
                   "limit of this server: searches of your address at once %u",
                   scheduler->options.searches_per_address);
    if (scheduler_is_at_limit(scheduler, connection->address))
        connection_say(connection, words);
}

static enum rk_status host_go(void *context, const struct rk_request *request)
{
    struct connection *connection = context;
    const struct connections *connections = connection->connections;
    struct rk_request capped = *request;
    char bytes[192];
    struct text text;
    uint32_t place = 0;
    text_init(&text, bytes, sizeof(bytes));
    if (connection->phase != CONNECTION_OPEN || connections->is_draining)
        return RK_BUSY;
    if (caps_apply(&connections->options.caps, &capped, &text))
        connection_say(connection, bytes);
    if (connection->phase != CONNECTION_OPEN) /* The words did not fit: it has been cut. */
        return RK_BUSY;
    const enum rk_status status = scheduler_submit(connections->scheduler, connection->index,
                                                   connection->address, &capped, &place);
    if (status != RK_OK)
        return status;
    connection->has_search = true;
    if (place > 0) {
        say_limit(connection);
        connection_say_place(connection, place);
    }
    return RK_OK;
}

static void host_stop(void *context) { connection_stop(context); }

static void host_ponderhit(void *context, int64_t arrived_us)
{
    struct connection *connection = context;
    if (connection->has_search)
        scheduler_ponderhit(connection->connections->scheduler, connection->index, arrived_us);
}

static void host_new_game(void *context, uint64_t session, bool clear)
{
    const struct connection *connection = context;
    (void)clear; /* The table is everyone's; the session has taken a new salt. */
    rk_engine_forget(connection->connections->scheduler->engine, session);
}

struct rk_host host_of(struct connection *connection)
{
    return (struct rk_host){.context = connection,
                            .go = host_go,
                            .stop = host_stop,
                            .ponderhit = host_ponderhit,
                            .new_game = host_new_game,
                            .send = host_send};
}
