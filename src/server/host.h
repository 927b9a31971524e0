/* server/host.h: what a session asks of the world, answered for its connection: searches from the
 * scheduler, within the limits of the house, which it is told of before they are felt.
 * Thread: loop. */
#ifndef SERVER_HOST_H
#define SERVER_HOST_H

#include "rookery/session.h"
#include "server/connection.h"

struct rk_host host_of(struct connection *connection);

#endif
