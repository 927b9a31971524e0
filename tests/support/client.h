/* support/client.h: a client of a server under test: lines over a real socket, blocking, with a
 * patience after which a test fails instead of hanging.
 * Thread: any, one at a time for each client. */
#ifndef TESTS_SUPPORT_CLIENT_H
#define TESTS_SUPPORT_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLIENT_LINE_BYTES_MAX = 4096, CLIENT_PATIENCE_MS = 20000 };

struct client {
    int file;
    size_t start;
    size_t end;
    char bytes[2 * CLIENT_LINE_BYTES_MAX];
    char line[CLIENT_LINE_BYTES_MAX];
};

/* "127.0.0.1:9824", "[::1]:9824", "unix:/path". False when nobody answers. */
bool client_connect(struct client *client, const char *address);
void client_close(struct client *client);
void client_reset(struct client *client);      /* RST instead of FIN. */
void client_half_close(struct client *client); /* No more will be sent. */

bool client_send_bytes(struct client *client, const void *bytes, size_t length);
/* Text as it is: LFs are the caller's. */
bool client_send(struct client *client, const char *text);
/* One segment a piece, pieces of 1 to 7 bytes. */
bool client_send_split(struct client *client, const char *text, uint64_t *random);

/* The next line without its LF; NULL at the end of the stream or after patience_ms. */
const char *client_line(struct client *client, int patience_ms);
/* Reads on to a line that starts with `start`; NULL when none comes. */
const char *client_wait(struct client *client, const char *start);
/* Sends, then waits. */
const char *client_ask(struct client *client, const char *text, const char *start);
/* Whether the server ends the stream within CLIENT_PATIENCE_MS, whatever it says before. */
bool client_is_ended(struct client *client);
/* Whether nothing arrives for so long. */
bool client_is_silent(struct client *client, int ms);

#endif
