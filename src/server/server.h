/* server/server.h: the daemon's inside: listeners, connections, scheduler, engine, one loop.
 * Thread: one for all calls, which becomes the loop's, but for server_drain: any. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "rookery/status.h"
#include "server/address.h"
#include "server/caps.h"

struct server;
struct rk_network;

enum {
    SERVER_ERROR_BYTES_MAX = 320,
    SERVER_TEXT_BYTES_MAX = (LISTENERS_MAX + 1) * (ADDRESS_TEXT_MAX + 2) /* Of server_addresses. */
};

struct server_options {
    struct address listen[LISTENERS_MAX];
    uint32_t listen_count;
    uint32_t inherited_count; /* Sockets of the service manager. At most LISTENERS_MAX in all. */
    uint32_t threads;
    uint32_t table_mib;
    uint32_t searches_max;         /* At once; more wait in line. 1 to SEARCHES_MAX - 1. */
    uint32_t searches_per_client;  /* 1 or 2: a `go` behind the one that is searched. */
    uint32_t searches_per_address; /* 0: no limit. */
    uint32_t clients_per_address;  /* 0: no limit. */
    struct caps caps;
    uint32_t memories_max; /* Sessions whose histories are kept. */
    uint32_t threads_per_search;
    uint32_t clients_max; /* 1 to SESSIONS_MAX. */
    uint32_t hello_s;     /* A client that has said nothing yet is sent away; 0: never. */
    uint32_t idle_s;      /* A client silent for so long is sent away; 0: never. */
    uint32_t unread_s;    /* A client that reads nothing for so long is cut off; 0: never. */
    uint32_t drain_ms;    /* How long a shutdown may take. At most DRAIN_MS_MAX. */
    bool has_signals;     /* SIGTERM and SIGINT drain; a second one ends at once. */
    const struct rk_network *network; /* Evaluates; outlives the server. NULL: what is built in. */
};

/* Everything is allocated, every listener open. On failure out_error tells a person what to do:
 * RK_BUSY (an address is in use), RK_NO_MEMORY, RK_SYSTEM. Blocks while the table is cleared. */
enum rk_status server_create(const struct server_options *options, struct server **out_server,
                             char out_error[SERVER_ERROR_BYTES_MAX]);

/* Serves until drained. RK_OK: every promise was kept; RK_BUSY: some client or search had to be cut
 * off. */
enum rk_status server_run(struct server *server);
void server_destroy(struct server *server);

/* Begins the end: listeners close, timed searches finish, open ones are stopped. */
void server_drain(struct server *server);

/* The addresses listened at, parted by ", ", ports as bound. */
void server_addresses(const struct server *server, char out_text[SERVER_TEXT_BYTES_MAX]);

#endif
