#include "server/address.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

enum { PORT_MAX = 65535 };

static bool parse_port(const char *text, uint16_t *out_port)
{
    unsigned port = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        port = port * 10 + (unsigned)(*text - '0');
        if (port > PORT_MAX)
            return false;
    }
    *out_port = (uint16_t)port;
    return true;
}

static bool copy_host(struct address *address, const char *text, size_t length)
{
    if (length == 0 || length >= sizeof(address->host))
        return false;
    memcpy(address->host, text, length);
    address->host[length] = '\0';
    return true;
}

enum rk_status address_parse(const char *text, struct address *out_address)
{
    static const char UNIX_PREFIX[] = "unix:";
    struct address address = {0};
    if (strncmp(text, UNIX_PREFIX, sizeof(UNIX_PREFIX) - 1) == 0) {
        const char *path = text + sizeof(UNIX_PREFIX) - 1;
        address.kind = ADDRESS_UNIX;
        if (*path != '/' || !copy_host(&address, path, strlen(path)))
            return RK_BAD_ARGUMENT;
        *out_address = address;
        return RK_OK;
    }
    const char *colon = strrchr(text, ':');
    if (colon == NULL || !parse_port(colon + 1, &address.port))
        return RK_BAD_ARGUMENT;
    const size_t length = (size_t)(colon - text);
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        address.kind = ADDRESS_IPV6;
        if (!copy_host(&address, text + 1, length - 2))
            return RK_BAD_ARGUMENT;
    } else {
        static const char LOCALHOST[] = "localhost";
        const bool is_local =
            length == sizeof(LOCALHOST) - 1 && strncmp(text, LOCALHOST, length) == 0;
        address.kind = ADDRESS_IPV4;
        if (is_local ? !copy_host(&address, "127.0.0.1", 9) : !copy_host(&address, text, length))
            return RK_BAD_ARGUMENT;
    }
    struct sockaddr_storage unused;
    if (address_socket(&address, &unused) != RK_OK)
        return RK_BAD_ARGUMENT;
    *out_address = address;
    return RK_OK;
}

void address_print(const struct address *address, char out_text[ADDRESS_TEXT_MAX])
{
    switch (address->kind) {
    case ADDRESS_IPV4:
        (void)snprintf(out_text, ADDRESS_TEXT_MAX, "%s:%u", address->host, address->port);
        return;
    case ADDRESS_IPV6:
        (void)snprintf(out_text, ADDRESS_TEXT_MAX, "[%s]:%u", address->host, address->port);
        return;
    case ADDRESS_UNIX: (void)snprintf(out_text, ADDRESS_TEXT_MAX, "unix:%s", address->host); return;
    }
}

enum rk_status address_socket(const struct address *address, struct sockaddr_storage *out_socket)
{
    struct sockaddr_storage storage = {0};
    int answer = UV_EINVAL;
    if (address->kind == ADDRESS_IPV4)
        answer = uv_ip4_addr(address->host, address->port, (struct sockaddr_in *)&storage);
    else if (address->kind == ADDRESS_IPV6)
        answer = uv_ip6_addr(address->host, address->port, (struct sockaddr_in6 *)&storage);
    if (answer != 0)
        return RK_BAD_ARGUMENT;
    *out_socket = storage;
    return RK_OK;
}
