/* Strangers do not speak UCI: they send a request of the web, the beginning of TLS, bytes at random
 * or a line far over the limit. The server may send them away; who may stay must be served. */
#include "load/behaviours.h"

#include <string.h>

enum {
    LONG_BYTES_MIN = 60000,
    LONG_BYTES_SPAN = 40000,
    RANDOM_BYTES_MAX = 4000,
    STAY_MS_MAX = 500,
    PAUSE_MS_MAX = 500
};

/* Such a client hears a page that says no. */
static void say_request(struct peer *peer)
{
    peer->is_foreign = true;
    peer_say(peer, "GET / HTTP/1.1\r\nHost: chess.example\r\nAccept: */*\r\n\r\n");
}

static void say_hello_of_tls(struct peer *peer)
{
    peer->is_foreign = true;
    static const unsigned char HELLO[] = {0x16, 0x03, 0x01, 0x00, 0x2f, 0x01, 0x00, 0x00, 0x2b,
                                          0x03, 0x03, 0x00, 0x0a, 0x0d, 0x00, 0x00, 0x02, 0x13};
    peer_say_bytes(peer, HELLO, sizeof(HELLO));
}

static void say_random(struct peer *peer)
{
    for (uint64_t count = peer_draw(peer, RANDOM_BYTES_MAX); count > 0; count--) {
        const unsigned char byte = (unsigned char)peer_draw(peer, 256);
        if (byte != 'g') /* "go" is likely enough to come about. */
            peer_say_bytes(peer, &byte, 1);
    }
}

static void say_long(struct peer *peer)
{
    char letters[1000];
    memset(letters, 'x', sizeof(letters));
    for (uint64_t left = LONG_BYTES_MIN + peer_draw(peer, LONG_BYTES_SPAN); left > sizeof(letters);
         left -= sizeof(letters))
        peer_say_bytes(peer, letters, sizeof(letters));
}

static void begin(struct peer *peer)
{
    switch (peer_draw(peer, 4)) {
    case 0: say_request(peer); break;
    case 1: say_hello_of_tls(peer); break;
    case 2: say_random(peer); break;
    default: say_long(peer);
    }
    peer->pause_ms = (int64_t)peer_draw(peer, PAUSE_MS_MAX);
    peer_say(peer, "\n");
    peer_ping(peer);
}

static void on_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_READY)
        peer_wait(peer, peer_draw(peer, STAY_MS_MAX));
}

static void on_time(struct peer *peer)
{
    peer_leave(peer, LEAVE_CLOSE, peer_draw(peer, PAUSE_MS_MAX));
}

const struct behaviour *behaviour_stranger(void)
{
    static const struct behaviour STRANGER = {
        .begin = begin, .on_event = on_event, .on_time = on_time, .may_end = true};
    return &STRANGER;
}
