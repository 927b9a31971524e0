#include "server/greeting.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"
#include "base/limits.h"

/* A record of a handshake in version 3.x, as every TLS hello begins. */
enum { TLS_HANDSHAKE = 22, TLS_MAJOR = 3, TLS_MINOR_MAX = 4, TLS_BYTES = 3 };

/* A request of HTTP, and nothing of UCI, begins with a word in capitals and ends its first line
 * with " HTTP/1.1\r" or the like: known methods are turned away before the line has ended. PRI is
 * the first of HTTP/2. */
static const char *const METHODS[] = {"GET ",     "HEAD ",    "POST ",  "PUT ",   "DELETE ",
                                      "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ", "PRI * "};
enum { METHOD_COUNT = sizeof(METHODS) / sizeof(METHODS[0]) };
static const char HTTP[] = " HTTP/"; /* And "1.1", or one digit. */
enum {
    HTTP_BYTES = sizeof(HTTP) - 1,
    REQUEST_BYTES_MAX = LINE_BYTES_INLINE /* No first line is looked at for longer. */
};

/* An alert: fatal, handshake_failure. */
static const char TLS_REFUSAL[] = "\x15\x03\x01\x00\x02\x02\x28";

static const char HTTP_REFUSAL[] =
    "HTTP/1.1 400 Bad Request\r\n"
    "Content-Type: text/plain\r\n"
    "Content-Length: 92\r\n"
    "Connection: close\r\n"
    "\r\n"
    "This port speaks UCI, the language of chess engines, over plain TCP. It does not know HTTP."
    "\n";

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static enum greeting read_tls(const unsigned char *bytes, size_t length)
{
    const bool fits = bytes[0] == TLS_HANDSHAKE && (length < 2 || bytes[1] == TLS_MAJOR) &&
                      (length < TLS_BYTES || bytes[2] <= TLS_MINOR_MAX);
    if (!fits)
        return GREETING_UCI;
    return length < TLS_BYTES ? GREETING_UNCLEAR : GREETING_TLS;
}

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/* With a CR behind it or without. */
static bool ends_with_version(const char *line, size_t length)
{
    length -= length > 0 && line[length - 1] == '\r' ? 1 : 0;
    if (length < HTTP_BYTES + 1 || !is_digit(line[length - 1]))
        return false;
    const bool has_minor = length >= HTTP_BYTES + 3 && line[length - 2] == '.';
    const size_t major = length - (has_minor ? 3 : 1);
    return is_digit(line[major]) && memcmp(line + major - HTTP_BYTES, HTTP, HTTP_BYTES) == 0;
}

/* A word of capitals (and '-', '_') and a blank; then what the first line ends with decides. */
static enum greeting read_request(const char *bytes, size_t length)
{
    size_t word = 0;
    length = smaller(length, REQUEST_BYTES_MAX);
    const enum greeting so_far = length < REQUEST_BYTES_MAX ? GREETING_UNCLEAR : GREETING_UCI;
    while (word < length && ((bytes[word] >= 'A' && bytes[word] <= 'Z') ||
                             (word > 0 && (bytes[word] == '-' || bytes[word] == '_'))))
        word++;
    if (word == length)
        return so_far;
    if (word == 0 || bytes[word] != ' ')
        return GREETING_UCI;
    const char *end = memchr(bytes, '\n', length);
    if (end == NULL)
        return so_far;
    return ends_with_version(bytes, (size_t)(end - bytes)) ? GREETING_HTTP : GREETING_UCI;
}

enum greeting greeting_read(const char *bytes, size_t length)
{
    if (length == 0)
        return GREETING_UNCLEAR;
    for (int i = 0; i < METHOD_COUNT; i++) {
        const size_t method_length = strlen(METHODS[i]);
        if (memcmp(bytes, METHODS[i], smaller(length, method_length)) == 0)
            return length < method_length ? GREETING_UNCLEAR : GREETING_HTTP;
    }
    if (bytes[0] == TLS_HANDSHAKE)
        return read_tls((const unsigned char *)bytes, length);
    return read_request(bytes, length);
}

const char *greeting_refusal(enum greeting greeting, size_t *out_length)
{
    ASSERT(greeting == GREETING_TLS || greeting == GREETING_HTTP);
    *out_length = greeting == GREETING_TLS ? sizeof(TLS_REFUSAL) - 1 : sizeof(HTTP_REFUSAL) - 1;
    return greeting == GREETING_TLS ? TLS_REFUSAL : HTTP_REFUSAL;
}

const char *greeting_reason(enum greeting greeting)
{
    ASSERT(greeting == GREETING_TLS || greeting == GREETING_HTTP);
    return greeting == GREETING_TLS ? "speaks TLS, not UCI" : "speaks HTTP, not UCI";
}
