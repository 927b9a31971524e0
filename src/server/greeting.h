/* server/greeting.h: what a stranger speaks, by the first bytes that come.
 * Who speaks TLS or HTTP is told so and sent away: neither would ever see an answer, and a web page
 * could hide commands behind the first lines of a request.
 * Thread: any. */
#ifndef SERVER_GREETING_H
#define SERVER_GREETING_H

#include <stddef.h>

enum greeting {
    GREETING_UNCLEAR, /* Too few bytes to tell. */
    GREETING_UCI,     /* Or anything that does no harm. */
    GREETING_TLS,
    GREETING_HTTP
};

/* Of the first `length` bytes of a stream; the answer for more bytes is the same, once clear. */
enum greeting greeting_read(const char *bytes, size_t length);

/* What to send to one who speaks so, not a text for TLS, and why in words. UNCLEAR and UCI have
 * none. */
const char *greeting_refusal(enum greeting greeting, size_t *out_length);
const char *greeting_reason(enum greeting greeting);

#endif
