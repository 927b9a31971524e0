/* app/remote.h: where a server is, as people write it, and the way there.
 * "HOST:PORT", "HOST", "[IPv6]:PORT", or the path of a unix socket (anything with a slash).
 * Thread: any. Blocks. */
#ifndef APP_REMOTE_H
#define APP_REMOTE_H

#define REMOTE_DEFAULT "127.0.0.1:9824"

/* 0, or the exit status after saying why on stderr. The socket does not block. */
int remote_connect(const char *address, int *out_socket);

#endif
