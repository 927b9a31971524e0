/* server/address.h: where to listen, as text and as the kernel wants it.
 * Numbers only: "127.0.0.1:9824", "[::1]:9824", "localhost:9824", "unix:/run/rookery/socket".
 * Thread: any. */
#ifndef SERVER_ADDRESS_H
#define SERVER_ADDRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "rookery/status.h"

enum {
    ADDRESS_HOST_MAX = 108, /* As long as a path of a unix socket may be, with its final zero. */
    ADDRESS_TEXT_MAX = ADDRESS_HOST_MAX + 16
};

enum address_kind { ADDRESS_IPV4, ADDRESS_IPV6, ADDRESS_UNIX };

struct address {
    enum address_kind kind;
    uint16_t port;               /* 0: the kernel chooses one. Not for ADDRESS_UNIX. */
    char host[ADDRESS_HOST_MAX]; /* Without brackets; the path of a unix socket. */
};

/* RK_BAD_ARGUMENT when the text is none of the above. */
enum rk_status address_parse(const char *text, struct address *out_address);
void address_print(const struct address *address, char out_text[ADDRESS_TEXT_MAX]);

/* Not for ADDRESS_UNIX. RK_BAD_ARGUMENT when the host is not a number of its kind. */
enum rk_status address_socket(const struct address *address, struct sockaddr_storage *out_socket);

#endif
