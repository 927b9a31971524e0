/* support/house.h: a server in a thread of the test, and its address.
 * Thread: the test's. */
#ifndef TESTS_SUPPORT_HOUSE_H
#define TESTS_SUPPORT_HOUSE_H

#include <pthread.h>

#include "server/server.h"
#include "support/client.h"

struct house {
    struct server *server;
    pthread_t thread;
    enum rk_status status; /* Of server_run. */
    char address[SERVER_TEXT_BYTES_MAX];
};

/* Small: 16 clients, 2 searches on 2 threads over 16 MiB, any port of 127.0.0.1, 10 s to drain. */
struct server_options house_options(void);

void house_open(struct house *house, const struct server_options *options);
void house_open_small(struct house *house); /* With house_options(). */
/* Drains when nobody else has; what server_run answered. */
enum rk_status house_close(struct house *house);

void house_connect(const struct house *house, struct client *client);
/* Again and again, until it is served: places may have yet to come free. */
void house_connect_served(const struct house *house, struct client *client);
void client_expect_served(struct client *client);   /* It answers isready. */
void house_expect_guest(const struct house *house); /* A new client is served. */

#endif
