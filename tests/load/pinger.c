/* Pingers ask whether the server is ready, and again when it has said so. */
#include "load/behaviours.h"

static void begin(struct peer *peer) { peer_uci(peer); }

static void on_time(struct peer *peer) { peer_ping(peer); }

static void on_event(struct peer *peer, enum ledger_event event)
{
    const uint32_t pause_ms = peer->load->plan.pause_ms;
    if (event != LEDGER_UCI && event != LEDGER_READY)
        return;
    if (pause_ms == 0)
        peer_ping(peer);
    else
        peer_wait(peer, peer_draw(peer, pause_ms + 1));
}

const struct behaviour *behaviour_pinger(void)
{
    static const struct behaviour PINGER = {
        .begin = begin, .on_event = on_event, .on_time = on_time};
    return &PINGER;
}
