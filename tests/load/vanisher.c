/* Vanishers go in the middle of things: closed, reset, or half closed, which means that the answer
 * to what they asked is still wanted, and after it the end of the stream. */
#include "base/clock.h"
#include "load/behaviours.h"

enum {
    STAY_MS_MAX = 300,
    PAUSE_MS_MAX = 200,
    MOVE_MS_MAX = 200,
    DEPTH_MAX = 10,
    MOVES_AHEAD_MAX = 3,
    US_PER_MS = 1000
};

static void ask(struct peer *peer)
{
    struct question question = peer_question(peer);
    const unsigned ms = (unsigned)peer_draw(peer, MOVE_MS_MAX);
    switch (peer_draw(peer, 4)) {
    case 0:
        question.due_us = clock_now_us() + (int64_t)ms * US_PER_MS;
        peer_go(peer, &question, "movetime %u", ms);
        break;
    case 1: peer_go(peer, &question, "depth %u", 1 + (unsigned)peer_draw(peer, DEPTH_MAX)); break;
    default: question.is_open = true; peer_go(peer, &question, "infinite");
    }
}

static void begin(struct peer *peer)
{
    if (peer_draw(peer, 8) == 0) { /* Not a word. */
        peer_wait(peer, peer_draw(peer, STAY_MS_MAX));
        return;
    }
    if (peer_draw(peer, 2) == 0)
        peer_uci(peer);
    place_draw(&peer->place, &peer->random);
    peer_say_place(peer);
    for (uint64_t count = peer_draw(peer, MOVES_AHEAD_MAX + 1); count > 0; count--)
        ask(peer);
    if (peer_draw(peer, 4) == 0)
        peer_say(peer, "position startpos mo"); /* A line without its end. */
    peer_wait(peer, peer_draw(peer, STAY_MS_MAX));
}

static void on_time(struct peer *peer)
{
    const uint64_t pause_ms = peer_draw(peer, PAUSE_MS_MAX);
    switch (peer_draw(peer, 4)) {
    case 0: peer_leave(peer, LEAVE_CLOSE, pause_ms); break;
    case 1: peer_leave(peer, LEAVE_RESET, pause_ms); break;
    default: peer_half_close(peer, pause_ms);
    }
}

const struct behaviour *behaviour_vanisher(void)
{
    static const struct behaviour VANISHER = {
        .begin = begin, .on_time = on_time, .may_end = true, .patience = 2};
    return &VANISHER;
}
