/* server/access.h: how many clients each address has. An address is an IPv4 number, the first 64
 * bits of an IPv6 one (what one customer is given), or "unix" for all who come by a unix socket.
 * Knows no sockets; each address in use has a number, so that others can count by it as well.
 * Thread: loop. */
#ifndef SERVER_ACCESS_H
#define SERVER_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "rookery/status.h"

/* Compared byte by byte. */
struct origin {
    uint8_t bytes[16];
};

/* NULL, or of a family that is none of the two: unix. */
struct origin origin_of(const struct sockaddr *name);

struct visitor {
    struct origin origin;
    uint32_t client_count; /* 0: free. */
    uint32_t next;         /* In its bucket, or of the free ones. */
};

struct access {
    uint32_t max;
    uint32_t clients_per_address; /* 0: no limit. */
    uint32_t free;                /* First of the free visitors. */
    uint64_t salt;                /* Nobody can choose addresses that share a bucket. */
    struct visitor *visitors;     /* `max` of them. */
    uint32_t *buckets;            /* Their first visitors. */
};

/* As many addresses as there can be clients. RK_NO_MEMORY. */
enum rk_status access_create(struct access *access, uint32_t clients_max,
                             uint32_t clients_per_address);
void access_destroy(struct access *access);

/* RK_BUSY: the address has all the clients it may have. */
enum rk_status access_enter(struct access *access, struct origin origin, uint32_t *out_address);
void access_leave(struct access *access, uint32_t address);

#endif
