/* Slow readers ask for five lines a depth and take a few hundred bytes at a time; the answer to
 * their stop must come all the same, and only whole lines before it. Some stop reading altogether
 * for a while, and then are gone or read on: the server may have ended the conversation. */
#include "load/behaviours.h"

enum {
    LINES = 5,
    RECEIVE_BYTES = 4096,
    READ_BYTES = 200,
    READ_EVERY_MS = 50,
    READS_BEFORE_STOP = 60,
    DEAF_MS_MAX = 8000,
    DEAF_ONE_IN = 4
};

enum step { STEP_HELLO, STEP_SEARCH, STEP_STOPPED, STEP_DEAF };

static void begin(struct peer *peer) { peer_uci(peer); }

static void ask(struct peer *peer)
{
    place_draw(&peer->place, &peer->random);
    peer->lines = LINES;
    struct question question = peer_question(peer);
    question.is_open = true;
    peer_say(peer, "setoption name MultiPV value %d\n", LINES);
    peer_say_place(peer);
    peer_go(peer, &question, "infinite");
    peer->left = READS_BEFORE_STOP / 2 + (uint32_t)peer_draw(peer, READS_BEFORE_STOP);
    peer->read_most = READ_BYTES;
    peer->step = STEP_SEARCH;
    peer_wait(peer, READ_EVERY_MS);
}

static void on_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_UCI)
        peer_ping(peer);
    else if (event == LEDGER_READY && peer->step == STEP_HELLO)
        ask(peer);
    else if (event == LEDGER_BESTMOVE)
        ask(peer);
}

static void on_time(struct peer *peer)
{
    if (peer->step == STEP_DEAF) {
        peer_leave(peer, peer_draw(peer, 2) == 0 ? LEAVE_CLOSE : LEAVE_RESET, 0);
        return;
    }
    peer_read(peer, true);
    if (peer->step == STEP_SEARCH && --peer->left == 0) {
        if (peer_draw(peer, DEAF_ONE_IN) == 0) {
            peer->step = STEP_DEAF;
            peer_read(peer, false);
            peer_wait(peer, peer_draw(peer, DEAF_MS_MAX));
            return;
        }
        peer->step = STEP_STOPPED;
        peer_stop(peer);
    }
    peer_wait(peer, READ_EVERY_MS);
}

const struct behaviour *behaviour_slow(void)
{
    static const struct behaviour SLOW_READER = {.begin = begin,
                                                 .on_event = on_event,
                                                 .on_time = on_time,
                                                 .patience = 30,
                                                 .receive_bytes = RECEIVE_BYTES};
    return &SLOW_READER;
}
