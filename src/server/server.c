/* One turn of the loop:
 *
 *   timers and writes that ended    take note
 *   on_prepare (uv_prepare)         if there is work, the poll must not wait: uv_idle runs
 *   libuv polls the kernel          callbacks of sockets and the wake of the engine take note
 *   on_turn (uv_check)              reports of the engine to their sessions, lines to sessions,
 *                                   output to sockets, arrivals
 *
 * The wake carries no data: it only ends the poll. Every turn polls the engine until it has no more
 * to report, so coalesced wakes lose nothing. */
#include "server/server.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <uv.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/thread.h"
#include "server/connections.h"
#include "server/listener.h"
#include "server/notify.h"
#include "server/scheduler.h"

enum {
    US_PER_MS = 1000,
    DRAIN_TICKS = 20,           /* At least so many looks at the clock in drain_ms. */
    DRAIN_PATIENCE_PERCENT = 75 /* Of drain_ms; then timed searches are stopped as well. */
};

enum drain {
    DRAIN_NOT,
    DRAIN_WAITING,  /* Timed searches go on. */
    DRAIN_STOPPING, /* All have been stopped. */
    DRAIN_CUT       /* Whoever is left is cut off. */
};

struct server {
    /* Loop thread. */
    uv_loop_t loop;
    uv_async_t wake;
    uv_prepare_t prepare;
    uv_check_t turn;
    uv_idle_t idle;
    uv_timer_t tick;
    uv_timer_t due; /* Of a rescue in the waiting line. */
    uv_signal_t signals[2];
    struct server_options options;
    struct rk_engine *engine;
    struct scheduler scheduler;
    struct connections connections;
    struct listener listeners[LISTENERS_MAX];
    uint32_t listener_count;
    enum drain drain;
    int64_t drain_stop_us;
    int64_t drain_end_us;
    struct notify notify;
    int64_t watchdog_us;
    int64_t watchdog_due_us;
    int64_t due_us;      /* What `due` is set to, INT64_MAX: nothing. */
    bool has_more;       /* The next turn has work, whatever the kernel says. */
    const char *unheard; /* A state that the manager's queue had no room for; NULL: none. */

    /* Any thread. */
    atomic_bool is_drain_wanted;
};

/* -- Turns ------------------------------------------------------------------------------------ */

static void on_tick(uv_timer_t *timer);
static void on_due(uv_timer_t *timer);

static void on_wake(uv_async_t *async) { (void)async; }
static void on_idle(uv_idle_t *idle) { (void)idle; }

static void wake(void *context)
{
    struct server *server = context;
    (void)uv_async_send(&server->wake);
}

/* True: there may be more. */
static bool drain_notices(struct server *server)
{
    struct notice notice;
    for (int count = 0; count < NOTICES_PER_TURN_MAX; count++) {
        if (!scheduler_poll(&server->scheduler, clock_now_us(), &notice))
            return false;
        connections_tell(&server->connections, &notice);
    }
    return true;
}

static void set_due(struct server *server)
{
    const int64_t due_us = scheduler_due_us(&server->scheduler);
    if (due_us == server->due_us)
        return;
    server->due_us = due_us;
    if (due_us == INT64_MAX) {
        (void)uv_timer_stop(&server->due);
        return;
    }
    const int64_t wait_us = due_us - clock_now_us();
    (void)uv_timer_start(&server->due, on_due,
                         (wait_us > 0 ? (uint64_t)(wait_us / US_PER_MS) : 0) + 1, 0);
}

/* libuv counts from the beginning of the turn that set it: after a long one that was too early, and
 * on_prepare sets it again. */
static void on_due(uv_timer_t *timer)
{
    struct server *server = timer->data;
    server->due_us = INT64_MAX;
    server->has_more = true;
}

/* What the manager has no room for is told in a later tick; a newer state takes its place. */
static void tell_manager(struct server *server, const char *state)
{
    server->unheard = notify_send(&server->notify, state) ? NULL : state;
}

static void cut(struct server *server, const char *reason)
{
    server->drain = DRAIN_CUT;
    scheduler_stop_all(&server->scheduler);
    connections_close(&server->connections, reason);
}

static void begin_drain(struct server *server)
{
    if (server->drain != DRAIN_NOT)
        return;
    const int64_t now_us = clock_now_us();
    const int64_t drain_us = (int64_t)server->options.drain_ms * US_PER_MS;
    tell_manager(server, "STOPPING=1");
    log_write(LOG_INFO, "shutting down");
    server->drain = DRAIN_WAITING;
    server->drain_stop_us = now_us + drain_us / 100 * DRAIN_PATIENCE_PERCENT;
    server->drain_end_us = now_us + drain_us;
    const uint64_t tick_ms = server->options.drain_ms / DRAIN_TICKS + 1;
    if (tick_ms < TICK_MS)
        (void)uv_timer_start(&server->tick, on_tick, tick_ms, tick_ms);
    for (uint32_t i = 0; i < server->listener_count; i++)
        listener_close(&server->listeners[i]);
    connections_drain(&server->connections);
}

/* An end that has begun takes its next step when it is time. */
static void step_drain(struct server *server, int64_t now_us)
{
    if (server->drain == DRAIN_WAITING && now_us >= server->drain_stop_us) {
        server->drain = DRAIN_STOPPING;
        scheduler_stop_all(&server->scheduler);
    }
    if (server->drain == DRAIN_STOPPING && now_us >= server->drain_end_us)
        cut(server, "the shutdown took too long");
}

static bool is_drained(const struct server *server)
{
    return server->drain != DRAIN_NOT && connections_count(&server->connections) == 0;
}

static void on_turn(uv_check_t *check)
{
    struct server *server = check->data;
    if (atomic_load_explicit(&server->is_drain_wanted, memory_order_relaxed))
        begin_drain(server);
    (void)drain_notices(server);
    bool has_more = connections_work(&server->connections);
    has_more |= drain_notices(server); /* A stopped client in line may have a free crew now. */
    server->has_more = has_more;
    for (uint32_t i = 0; i < server->listener_count; i++)
        listener_admit(&server->listeners[i]);
    if (is_drained(server))
        uv_stop(&server->loop);
}

/* The last word before the poll: what timers and ended writes have left to do does not wait for
 * something to happen in the kernel. */
static void on_prepare(uv_prepare_t *prepare)
{
    struct server *server = prepare->data;
    if (server->has_more || connections_have_work(&server->connections))
        (void)uv_idle_start(&server->idle, on_idle);
    else
        (void)uv_idle_stop(&server->idle);
    set_due(server);
}

/* No earlier than half of its period, and again in the next tick if there was no room for it. */
static void feed_watchdog(struct server *server, int64_t now_us)
{
    if (server->watchdog_us > 0 && now_us >= server->watchdog_due_us &&
        notify_send(&server->notify, "WATCHDOG=1"))
        server->watchdog_due_us = now_us + server->watchdog_us / 2;
}

static void on_tick(uv_timer_t *timer)
{
    struct server *server = timer->data;
    const int64_t now_us = clock_now_us();
    connections_tick(&server->connections, now_us);
    for (uint32_t i = 0; i < server->listener_count; i++)
        listener_tick(&server->listeners[i]);
    scheduler_tick(&server->scheduler, now_us);
    step_drain(server, now_us);
    if (server->unheard != NULL)
        tell_manager(server, server->unheard);
    feed_watchdog(server, now_us);
    server->has_more = true;
}

static void on_signal(uv_signal_t *signal, int number)
{
    struct server *server = signal->data;
    (void)number;
    if (server->drain == DRAIN_NOT)
        begin_drain(server);
    else if (server->drain != DRAIN_CUT)
        cut(server, "a second signal");
}

/* -- Life ------------------------------------------------------------------------------------- */

static void open_loop(struct server *server)
{
    static const int NUMBERS[] = {SIGTERM, SIGINT};
    REQUIRE(uv_loop_init(&server->loop) == 0);
    REQUIRE(uv_async_init(&server->loop, &server->wake, on_wake) == 0);
    REQUIRE(uv_prepare_init(&server->loop, &server->prepare) == 0);
    REQUIRE(uv_check_init(&server->loop, &server->turn) == 0);
    REQUIRE(uv_idle_init(&server->loop, &server->idle) == 0);
    REQUIRE(uv_timer_init(&server->loop, &server->tick) == 0);
    REQUIRE(uv_timer_init(&server->loop, &server->due) == 0);
    server->wake.data = server->turn.data = server->idle.data = server->prepare.data = server;
    server->tick.data = server->due.data = server;
    REQUIRE(uv_prepare_start(&server->prepare, on_prepare) == 0);
    REQUIRE(uv_check_start(&server->turn, on_turn) == 0);
    REQUIRE(uv_timer_start(&server->tick, on_tick, TICK_MS, TICK_MS) == 0);
    for (int i = 0; i < 2; i++) {
        REQUIRE(uv_signal_init(&server->loop, &server->signals[i]) == 0);
        server->signals[i].data = server;
        if (server->options.has_signals)
            REQUIRE(uv_signal_start(&server->signals[i], on_signal, NUMBERS[i]) == 0);
    }
}

/* Its threads inherit a mask that leaves every signal to the loop. */
static enum rk_status create_engine(struct server *server)
{
    const struct rk_engine_options options = {
        .size = sizeof(options),
        .searches_max = server->options.searches_max + 1, /* One for rescues. */
        .threads = server->options.threads,
        .table_mib = server->options.table_mib,
        .memories_max = server->options.memories_max,
        .wake = wake,
        .wake_context = server,
        .network = server->options.network,
    };
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    REQUIRE(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
    const enum rk_status status = rk_engine_create(&options, &server->engine);
    REQUIRE(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    return status;
}

static enum rk_status create_rooms(struct server *server, char out_error[SERVER_ERROR_BYTES_MAX])
{
    const struct server_options *options = &server->options;
    const struct connections_options connections = {
        .clients_max = options->clients_max,
        .clients_per_address = options->clients_per_address,
        .caps = options->caps,
        .patience = {.hello_s = options->hello_s,
                     .idle_s = options->idle_s,
                     .unread_s = options->unread_s},
        .session = {.size = sizeof(connections.session),
                    .owns_engine = false,
                    .table_mib = options->table_mib,
                    .threads = options->threads,
                    .threads_per_search = options->threads_per_search,
                    .searches_per_client = options->searches_per_client},
    };
    enum rk_status status = create_engine(server);
    if (status != RK_OK) {
        (void)snprintf(out_error, SERVER_ERROR_BYTES_MAX,
                       "an engine with %u threads and hash %u MiB cannot be had: %s; "
                       "try smaller ones (--threads N, --hash MIB)",
                       options->threads, options->table_mib, rk_status_text(status));
        return status;
    }
    const struct scheduler_options scheduler = {.clients_max = options->clients_max,
                                                .searches_max = options->searches_max,
                                                .searches_per_address =
                                                    options->searches_per_address,
                                                .infinite_max_s = options->caps.infinite_max_s};
    status = scheduler_create(&server->scheduler, server->engine, &scheduler);
    if (status == RK_OK)
        status = connections_create(&server->connections, &server->loop, &server->scheduler,
                                    &connections);
    if (status != RK_OK)
        (void)snprintf(out_error, SERVER_ERROR_BYTES_MAX,
                       "%u clients cannot be had: %s; try fewer (clients_max)",
                       options->clients_max, rk_status_text(status));
    return status;
}

static enum rk_status open_listener(struct server *server, const struct address *address,
                                    char out_error[SERVER_ERROR_BYTES_MAX])
{
    int error = 0;
    char text[ADDRESS_TEXT_MAX];
    const enum rk_status status =
        listener_open(&server->listeners[server->listener_count], &server->loop,
                      &server->connections, address, &error);
    if (status == RK_OK) {
        server->listener_count++;
        return RK_OK;
    }
    address_print(address, text);
    if (status == RK_BUSY)
        (void)snprintf(out_error, SERVER_ERROR_BYTES_MAX,
                       "%s is in use: another server listens there; stop it or choose another "
                       "address (--listen ADDR:PORT)",
                       text);
    else
        (void)snprintf(out_error, SERVER_ERROR_BYTES_MAX, "cannot listen on %s: %s%s", text,
                       uv_strerror(error),
                       error == UV_ENOENT ? "; its directory must be there" : "");
    return status;
}

static enum rk_status adopt_listener(struct server *server, int descriptor,
                                     char out_error[SERVER_ERROR_BYTES_MAX])
{
    int error = 0;
    const enum rk_status status =
        listener_adopt(&server->listeners[server->listener_count], &server->loop,
                       &server->connections, descriptor, &error);
    if (status == RK_OK)
        server->listener_count++;
    else
        (void)snprintf(out_error, SERVER_ERROR_BYTES_MAX,
                       "descriptor %d, passed by the service manager, is no listening socket: %s",
                       descriptor, uv_strerror(error));
    return status;
}

enum rk_status server_create(const struct server_options *options, struct server **out_server,
                             char out_error[SERVER_ERROR_BYTES_MAX])
{
    REQUIRE(options->listen_count + options->inherited_count <= LISTENERS_MAX);
    ASSERT(options->drain_ms <= DRAIN_MS_MAX);
    struct server *server = memory_allocate(sizeof(*server));
    if (server == NULL) {
        (void)snprintf(out_error, SERVER_ERROR_BYTES_MAX, "%s", rk_status_text(RK_NO_MEMORY));
        return RK_NO_MEMORY;
    }
    server->options = *options;
    server->due_us = INT64_MAX;
    server->watchdog_us = notify_watchdog_us();
    notify_open(&server->notify);
    (void)signal(SIGPIPE, SIG_IGN);
    open_loop(server);
    /* Before the table, which takes a while: an address in use is told at once, and who comes
     * meanwhile waits in the kernel. */
    enum rk_status status = RK_OK;
    for (uint32_t i = 0; status == RK_OK && i < options->inherited_count; i++)
        status = adopt_listener(server, NOTIFY_SOCKET_FIRST + (int)i, out_error);
    for (uint32_t i = 0; status == RK_OK && i < options->listen_count; i++)
        status = open_listener(server, &options->listen[i], out_error);
    if (status == RK_OK)
        status = create_rooms(server, out_error);
    if (status != RK_OK) {
        server_destroy(server);
        return status;
    }
    *out_server = server;
    return RK_OK;
}

enum rk_status server_run(struct server *server)
{
    (void)thread_hurry(); /* A `stop` must not wait for a worker's slice to end. */
    tell_manager(server, "READY=1");
    do
        (void)uv_run(&server->loop, UV_RUN_DEFAULT);
    while (!is_drained(server));
    return server->drain == DRAIN_CUT ? RK_BUSY : RK_OK;
}

static void close_handle(uv_handle_t *handle, void *context)
{
    (void)context;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* The threads are joined before the handle that they wake closes. */
void server_destroy(struct server *server)
{
    if (server->engine != NULL)
        rk_engine_destroy(server->engine);
    for (uint32_t i = 0; i < server->listener_count; i++)
        listener_close(&server->listeners[i]);
    uv_walk(&server->loop, close_handle, NULL);
    (void)uv_check_stop(&server->turn);
    (void)uv_run(&server->loop, UV_RUN_DEFAULT);
    REQUIRE(uv_loop_close(&server->loop) == 0);
    if (server->connections.all != NULL)
        connections_destroy(&server->connections);
    scheduler_destroy(&server->scheduler);
    notify_close(&server->notify);
    memory_free(server);
}

void server_drain(struct server *server)
{
    atomic_store_explicit(&server->is_drain_wanted, true, memory_order_relaxed);
    (void)uv_async_send(&server->wake);
}

void server_addresses(const struct server *server, char out_text[SERVER_TEXT_BYTES_MAX])
{
    struct text text;
    text_init(&text, out_text, SERVER_TEXT_BYTES_MAX);
    for (uint32_t i = 0; i < server->listener_count; i++) {
        char address[ADDRESS_TEXT_MAX];
        address_print(&server->listeners[i].address, address);
        (void)text_add(&text, i > 0 ? ", " : "");
        (void)text_add(&text, address);
    }
}
