/* What behaviours say by: the words go into the peer's output, the promise into its ledger. */
#include <stdarg.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "load/peer.h"

size_t peer_room(const struct peer *peer) { return sizeof(peer->out) - peer->out_used; }

void peer_say_bytes(struct peer *peer, const void *bytes, size_t length)
{
    REQUIRE(length <= peer_room(peer));
    memcpy(peer->out + peer->out_used, bytes, length);
    peer->out_used += length;
}

void peer_say(struct peer *peer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(peer->out + peer->out_used, peer_room(peer), format, list);
    va_end(list);
    REQUIRE(length >= 0 && (size_t)length < peer_room(peer));
    peer->out_used += (size_t)length;
}

uint64_t peer_draw(struct peer *peer, uint64_t bound) { return random_below(&peer->random, bound); }

void peer_uci(struct peer *peer)
{
    ledger_uci(&peer->ledger, clock_now_us());
    peer_say(peer, "uci\n");
}

void peer_ping(struct peer *peer)
{
    const int64_t now_us = clock_now_us();
    if (peer->ledger.ready_owed == 0 && peer->ledger.count <= 1 && peer->behaviour->patience <= 1)
        peer->ping_us = now_us;
    ledger_ready(&peer->ledger, now_us);
    peer_say(peer, "isready\n");
}

void peer_stop(struct peer *peer)
{
    ledger_stop(&peer->ledger, clock_now_us());
    peer_say(peer, "stop\n");
}

void peer_say_place(struct peer *peer)
{
    peer_say_bytes(peer, peer->place.text, peer->place.length);
    peer_say(peer, "\n");
}

struct question peer_question(const struct peer *peer)
{
    return (struct question){.game = peer->place.game,
                             .lines = peer->lines,
                             .chess960 = peer->chess960,
                             .wdl = peer->wdl,
                             .is_limited = peer->is_limited,
                             .due_us = INT64_MAX};
}

void peer_go(struct peer *peer, const struct question *question, const char *words, ...)
{
    va_list list;
    char text[1024];
    va_start(list, words);
    (void)vsnprintf(text, sizeof(text), words, list);
    va_end(list);
    peer->load->tally.kinds[peer->id].goes++;
    ledger_go(&peer->ledger, question, clock_now_us());
    peer_say(peer, "go %s\n", text);
}

void peer_half_close(struct peer *peer, uint64_t pause_ms)
{
    const int64_t now_us = clock_now_us();
    ledger_end_of_input(&peer->ledger, now_us);
    peer->wants_shutdown = true;
    peer->pause_ms = (int64_t)pause_ms;
    peer->quit_us = now_us;
    peer->phase = PEER_QUITTING;
    (void)uv_timer_stop(&peer->timer);
}
