#include "server/access.h"

#include <netinet/in.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"

static const uint32_t NONE = UINT32_MAX;

enum {
    PREFIX_BYTES = 8,  /* Of an IPv6 number. */
    MAPPED_BYTES = 12, /* Before an IPv4 number in an IPv6 one. */
    KIND_BYTE = 15,    /* Tells the kinds apart: no number that is kept reaches so far. */
    KIND_IPV4 = 1,
    KIND_IPV6 = 2
};

static struct origin of_ipv4(const void *number)
{
    struct origin origin = {{0}};
    memcpy(origin.bytes, number, sizeof(struct in_addr));
    origin.bytes[KIND_BYTE] = KIND_IPV4;
    return origin;
}

struct origin origin_of(const struct sockaddr *name)
{
    struct origin origin = {{0}};
    if (name != NULL && name->sa_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, name, sizeof(ipv4));
        return of_ipv4(&ipv4.sin_addr);
    }
    if (name != NULL && name->sa_family == AF_INET6) {
        struct sockaddr_in6 ipv6;
        memcpy(&ipv6, name, sizeof(ipv6));
        if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr))
            return of_ipv4(ipv6.sin6_addr.s6_addr + MAPPED_BYTES);
        memcpy(origin.bytes, &ipv6.sin6_addr, PREFIX_BYTES);
        origin.bytes[KIND_BYTE] = KIND_IPV6;
    }
    return origin;
}

enum rk_status access_create(struct access *access, uint32_t clients_max,
                             uint32_t clients_per_address)
{
    *access = (struct access){.max = clients_max,
                              .clients_per_address = clients_per_address,
                              .salt = (uint64_t)clock_now_us()};
    access->visitors = memory_allocate((size_t)clients_max * sizeof(*access->visitors));
    access->buckets = memory_allocate((size_t)clients_max * sizeof(*access->buckets));
    if (access->visitors == NULL || access->buckets == NULL) {
        access_destroy(access);
        return RK_NO_MEMORY;
    }
    for (uint32_t i = 0; i < clients_max; i++) {
        access->visitors[i].next = i + 1 < clients_max ? i + 1 : NONE;
        access->buckets[i] = NONE;
    }
    return RK_OK;
}

void access_destroy(struct access *access)
{
    memory_free(access->buckets);
    memory_free(access->visitors);
    *access = (struct access){0};
}

static uint32_t *bucket_of(const struct access *access, const struct origin *origin)
{
    uint64_t halves[2];
    memcpy(halves, origin->bytes, sizeof(halves));
    uint64_t state = access->salt ^ halves[0];
    state = random_next(&state) ^ halves[1];
    return &access->buckets[random_next(&state) % access->max];
}

static uint32_t find(const struct access *access, const struct origin *origin)
{
    uint32_t at = *bucket_of(access, origin);
    while (at != NONE && memcmp(&access->visitors[at].origin, origin, sizeof(*origin)) != 0)
        at = access->visitors[at].next;
    return at;
}

enum rk_status access_enter(struct access *access, struct origin origin, uint32_t *out_address)
{
    uint32_t at = find(access, &origin);
    if (at == NONE) {
        at = access->free;
        REQUIRE(at != NONE); /* Each has a client, and there are no more than `max`. */
        struct visitor *visitor = &access->visitors[at];
        uint32_t *bucket = bucket_of(access, &origin);
        access->free = visitor->next;
        *visitor = (struct visitor){.origin = origin, .next = *bucket};
        *bucket = at;
    }
    struct visitor *visitor = &access->visitors[at];
    if (access->clients_per_address > 0 && visitor->client_count >= access->clients_per_address)
        return RK_BUSY;
    visitor->client_count++;
    *out_address = at;
    return RK_OK;
}

void access_leave(struct access *access, uint32_t address)
{
    struct visitor *visitor = &access->visitors[address];
    ASSERT(address < access->max && visitor->client_count > 0);
    if (--visitor->client_count > 0)
        return;
    uint32_t *link = bucket_of(access, &visitor->origin);
    while (*link != address)
        link = &access->visitors[*link].next;
    *link = visitor->next;
    visitor->next = access->free;
    access->free = address;
}
