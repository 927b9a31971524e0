/* Who has work stands in one of two rings. Whoever has something new is in the first, and a portion
 * of what it sent is taken in the next turn, or in the one after if the news before it is much. Who
 * holds a line of many kilobytes, or has more than a portion, goes on in the second. Of that ring
 * at least one is served a turn, so whoever comes does not wait for the costly portions of
 * everybody. What the engine said to either goes out before any line is taken. Each ring is served
 * from its front and joined at its end: nobody is passed over for ever. */
#include "server/connections.h"

#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "server/host.h"

enum {
    LONG_LINES_SHARE = 4, /* One buffer for a long line for so many clients. */
    WORK_US = 4000        /* Of one turn: then no more portions are begun but one of the kept. */
};

static uint32_t long_lines_for(uint32_t clients_max)
{
    const uint32_t count = clients_max / LONG_LINES_SHARE;
    if (count < LONG_LINES_MIN)
        return LONG_LINES_MIN;
    return count > LONG_LINES_MAX ? LONG_LINES_MAX : count;
}

static enum rk_status create_sessions(struct connections *connections)
{
    for (uint32_t i = 0; i < connections->options.clients_max; i++) {
        struct connection *connection = &connections->all[i];
        const struct rk_host host = host_of(connection);
        const enum rk_status status = rk_session_create(&host, &connection->session);
        if (status != RK_OK)
            return status;
        connection->connections = connections;
        connection->index = i;
        output_init(&connection->output, connections->output_bytes + (size_t)i * OUTPUT_BYTES_MAX);
        input_init(&connection->input, &connections->long_lines,
                   connections->input_bytes + (size_t)i * LINE_BYTES_INLINE);
        connections->free[connections->free_count++] = connections->options.clients_max - 1 - i;
    }
    return RK_OK;
}

enum rk_status connections_create(struct connections *connections, uv_loop_t *loop,
                                  struct scheduler *scheduler,
                                  const struct connections_options *options)
{
    const uint32_t count = options->clients_max;
    ASSERT(count >= 1 && count <= SESSIONS_MAX);
    *connections = (struct connections){.loop = loop, .scheduler = scheduler, .options = *options};
    connections->all = memory_allocate_sparse(count * sizeof(*connections->all));
    connections->output_bytes = memory_allocate_sparse((size_t)count * OUTPUT_BYTES_MAX);
    connections->free = memory_allocate(count * sizeof(*connections->free));
    connections->input_bytes = memory_allocate_sparse((size_t)count * LINE_BYTES_INLINE);
    connections->noted.indexes = memory_allocate(count * sizeof(*connections->noted.indexes));
    connections->kept.indexes = memory_allocate(count * sizeof(*connections->kept.indexes));
    connections->attended = memory_allocate(count * sizeof(*connections->attended));
    enum rk_status status =
        access_create(&connections->access, count, options->clients_per_address);
    if (status == RK_OK)
        status = line_pool_create(&connections->long_lines, long_lines_for(count), count);
    if (connections->all == NULL || connections->output_bytes == NULL ||
        connections->input_bytes == NULL || connections->free == NULL ||
        connections->noted.indexes == NULL || connections->kept.indexes == NULL ||
        connections->attended == NULL)
        status = RK_NO_MEMORY;
    if (status == RK_OK)
        status = create_sessions(connections);
    if (status != RK_OK)
        connections_destroy(connections);
    return status;
}

void connections_destroy(struct connections *connections)
{
    const size_t count = connections->options.clients_max;
    for (size_t i = 0; connections->all != NULL && i < count; i++)
        if (connections->all[i].session != NULL)
            rk_session_destroy(connections->all[i].session);
    access_destroy(&connections->access);
    line_pool_destroy(&connections->long_lines);
    memory_free(connections->attended);
    memory_free(connections->kept.indexes);
    memory_free(connections->noted.indexes);
    memory_free(connections->free);
    memory_free_sparse(connections->input_bytes, count * LINE_BYTES_INLINE);
    memory_free_sparse(connections->output_bytes, count * OUTPUT_BYTES_MAX);
    memory_free_sparse(connections->all, count * sizeof(*connections->all));
    connections->all = NULL;
}

uint32_t connections_count(const struct connections *connections)
{
    return connections->options.clients_max - connections->free_count;
}

bool connections_are_full(const struct connections *connections)
{
    return connections->free_count == 0;
}

bool connections_wait_for_one(const struct connections *connections)
{
    return connections->free_count == 0 && connections->closing_count > 0;
}

static void on_refused(uv_handle_t *handle)
{
    struct connection *connection = handle->data;
    connection->connections->closing_count--;
    connection->phase = CONNECTION_FREE;
    connections_release(connection->connections, connection);
}

enum rk_status connections_admit(struct connections *connections, int file,
                                 const struct sockaddr *from, const char **out_why)
{
    static const char FULL[] = "all places are taken (clients_max)";
    static const char CROWDED[] = "an address has all the places it may have (clients_per_address)";
    uint32_t address = NOBODY;
    *out_why = connections->free_count == 0 ? FULL : CROWDED;
    if (connections->free_count == 0 ||
        access_enter(&connections->access, origin_of(from), &address) != RK_OK)
        return RK_BUSY;
    struct connection *connection =
        &connections->all[connections->free[connections->free_count - 1]];
    connection->address = address;
    if (from == NULL)
        REQUIRE(uv_pipe_init(connections->loop, &connection->socket.pipe, 0) == 0);
    else
        REQUIRE(uv_tcp_init(connections->loop, &connection->socket.tcp) == 0);
    connections->free_count--;
    connection->socket.handle.data = connection;
    connection->write.data = connection->shutdown.data = connection;
    const int answer = from == NULL ? uv_pipe_open(&connection->socket.pipe, file)
                                    : uv_tcp_open(&connection->socket.tcp, file);
    if (answer < 0) {
        (void)close(file);
        access_leave(&connections->access, address);
        connection->phase = CONNECTION_CLOSING;
        connections->closing_count++;
        uv_close(&connection->socket.handle, on_refused);
        return RK_SYSTEM;
    }
    struct rk_session_options options = connections->options.session;
    options.session = ++connections->last_number;
    rk_session_reset(connection->session, &options);
    connection->phase = CONNECTION_OPEN;
    connection_open(connection, options.session);
    return RK_OK;
}

static void push(const struct connections *connections, struct ring *ring,
                 const struct connection *connection)
{
    const uint32_t places = connections->options.clients_max;
    ASSERT(ring->count < places);
    ring->indexes[(ring->first + ring->count++) % places] = connection->index;
}

static struct connection *pop(const struct connections *connections, struct ring *ring)
{
    ASSERT(ring->count > 0);
    const uint32_t index = ring->indexes[ring->first];
    ring->first = (ring->first + 1) % connections->options.clients_max;
    ring->count--;
    return &connections->all[index];
}

void connections_note(struct connections *connections, struct connection *connection)
{
    if (connection->is_noted)
        return;
    connection->is_noted = true;
    push(connections, &connections->noted, connection);
}

void connections_attend(struct connections *connections, struct connection *connection)
{
    if (connection->is_attended)
        return;
    ASSERT(connections->attended_count < connections->options.clients_max);
    connection->is_attended = true;
    connections->attended[connections->attended_count++] = connection->index;
}

void connections_release(struct connections *connections, struct connection *connection)
{
    ASSERT(connection->phase == CONNECTION_FREE);
    ASSERT(connections->free_count < connections->options.clients_max);
    rk_engine_forget(connections->scheduler->engine, connection->number);
    connections->free[connections->free_count++] = connection->index;
    if (connections->is_draining && connections_count(connections) == 0)
        uv_stop(connections->loop); /* The last one has left. */
}

/* Who is gone leaves the ring. (Cut after this, a place taken by the next poll stands in it once.)
 */
static void flush_all(const struct connections *connections, struct ring *ring)
{
    for (uint32_t left = ring->count; left > 0; left--) {
        struct connection *connection = pop(connections, ring);
        connection_flush(connection);
        connection->is_noted =
            connection->phase != CONNECTION_FREE && connection->phase != CONNECTION_CLOSING;
        if (connection->is_noted)
            push(connections, ring, connection);
    }
}

/* It counts as noted while it works: its own notes then are not news. */
static void serve(struct connections *connections, struct connection *connection)
{
    connection->is_noted = connection_work(connection);
    if (connection->is_noted)
        push(connections, &connections->kept, connection);
}

/* One who waited for a long buffer has it, and is read on. */
static void note_lent(struct connections *connections)
{
    connections->long_lines.has_lent = false;
    for (uint32_t i = 0; i < connections->attended_count; i++) {
        struct connection *connection = &connections->all[connections->attended[i]];
        if (!connection->is_reading && input_is_long(&connection->input))
            connections_note(connections, connection);
    }
}

bool connections_work(struct connections *connections)
{
    if (connections->long_lines.has_lent)
        note_lent(connections);
    flush_all(connections, &connections->noted);
    flush_all(connections, &connections->kept);
    const int64_t end_us = clock_now_us() + WORK_US;
    const uint32_t kept = connections->kept.count; /* Who joins them now has the next turn. */
    const uint32_t noted = connections->noted.count;
    for (uint32_t i = 0; i < noted && (i == 0 || clock_now_us() < end_us); i++) {
        struct connection *connection = pop(connections, &connections->noted);
        if (connection_is_costly(connection))
            push(connections, &connections->kept, connection);
        else
            serve(connections, connection);
    }
    for (uint32_t i = 0; i < kept && (i == 0 || clock_now_us() < end_us); i++)
        serve(connections, pop(connections, &connections->kept));
    return connections_have_work(connections);
}

bool connections_have_work(const struct connections *connections)
{
    return connections->noted.count > 0 || connections->kept.count > 0 ||
           connections->long_lines.has_lent;
}

void connections_tell(struct connections *connections, const struct notice *notice)
{
    connection_tell(&connections->all[notice->client], notice);
}

static void tick_attended(struct connections *connections, int64_t now_us)
{
    for (uint32_t i = connections->attended_count; i-- > 0;) {
        struct connection *connection = &connections->all[connections->attended[i]];
        connection->is_attended = patience_tick(connection, now_us);
        if (!connection->is_attended)
            connections->attended[i] = connections->attended[--connections->attended_count];
    }
}

void connections_tick(struct connections *connections, int64_t now_us)
{
    const uint32_t count = connections->options.clients_max;
    tick_attended(connections, now_us);
    for (uint32_t i = 0; i < count / SWEEP_TICKS + 1; i++) {
        connections->swept = (connections->swept + 1) % count;
        patience_sweep(&connections->all[connections->swept], &connections->options.patience,
                       now_us);
    }
}

void connections_drain(struct connections *connections)
{
    connections->is_draining = true;
    for (uint32_t i = 0; i < connections->options.clients_max; i++)
        if (connections->all[i].phase == CONNECTION_OPEN)
            connections_note(connections, &connections->all[i]);
}

void connections_close(struct connections *connections, const char *reason)
{
    for (uint32_t i = 0; i < connections->options.clients_max; i++)
        if (connections->all[i].phase != CONNECTION_FREE)
            connection_close(&connections->all[i], reason);
}
