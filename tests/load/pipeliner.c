/* Pipeliners send bursts of up to ten thousand commands without waiting for anything but room, then
 * a stop, and look whether every promise among them was kept. */
#include "load/behaviours.h"

enum {
    BURST_MAX = 10000,
    COMMAND_BYTES_MAX = 512,
    PAUSE_MS_MAX = 2000,
    LINES_MAX = 4,
    DEPTH_MAX = 5,
    NODES_MAX = 2000,
    MOVETIME_MS_MAX = 5
};

enum step { STEP_HELLO, STEP_BURST, STEP_WAIT };

static void begin(struct peer *peer) { peer_uci(peer); }

static void say_go(struct peer *peer)
{
    struct question question = peer_question(peer);
    const unsigned number = 1 + (unsigned)peer_draw(peer, NODES_MAX);
    if (!ledger_has_room(&peer->ledger))
        return;
    switch (peer_draw(peer, 4)) {
    case 0: peer_go(peer, &question, "depth %u", 1 + number % DEPTH_MAX); break;
    case 1: peer_go(peer, &question, "nodes %u", number); break;
    case 2: peer_go(peer, &question, "movetime %u", number % MOVETIME_MS_MAX); break;
    default: question.is_open = true; peer_go(peer, &question, "infinite");
    }
}

static void say_option(struct peer *peer)
{
    switch (peer_draw(peer, 5)) {
    case 0:
        peer->lines = 1 + (uint32_t)peer_draw(peer, LINES_MAX);
        peer_say(peer, "setoption name MultiPV value %u\n", peer->lines);
        break;
    case 1:
        peer->wdl = !peer->wdl;
        peer_say(peer, "setoption name UCI_ShowWDL value %s\n", peer->wdl ? "true" : "false");
        break;
    case 2:
        peer->chess960 = !peer->chess960;
        peer_say(peer, "setoption name UCI_Chess960 value %s\n", peer->chess960 ? "true" : "false");
        break;
    case 3: peer_say(peer, "setoption name Clear Hash\n"); break;
    default: peer_say(peer, "setoption name Hash value 77\n"); break;
    }
}

static void say_any(struct peer *peer)
{
    static const char *const NOISE[] = {"ucinewgame\n", "debug off\n",      "joho isready2\n",
                                        " \t \n",       "register later\n", "ponderhit\n",
                                        "\r\n",         "setoption\n"};
    enum { NOISE_COUNT = sizeof(NOISE) / sizeof(NOISE[0]) };
    const uint64_t draw = peer_draw(peer, 100);
    if (draw < 50)
        peer_ping(peer);
    else if (draw < 62)
        peer_say(peer, "%s", NOISE[peer_draw(peer, NOISE_COUNT)]);
    else if (draw < 72)
        say_option(peer);
    else if (draw < 78)
        peer_stop(peer);
    else if (draw < 79)
        peer_uci(peer);
    else if (draw < 88)
        say_go(peer);
    else {
        place_draw(&peer->place, &peer->random);
        peer_say_place(peer);
    }
}

static void pump(struct peer *peer)
{
    if (peer->step != STEP_BURST)
        return;
    while (peer->left > 0 && peer_room(peer) > COMMAND_BYTES_MAX) {
        say_any(peer);
        peer->left--;
    }
    if (peer->left == 0 && peer_room(peer) > COMMAND_BYTES_MAX) {
        peer_stop(peer);
        peer_ping(peer);
        peer->step = STEP_WAIT;
    }
}

static void on_time(struct peer *peer)
{
    uint32_t bound = BURST_MAX;
    while (bound > 10 && peer_draw(peer, 3) != 0)
        bound /= 2;
    peer->left = 1 + (uint32_t)peer_draw(peer, bound);
    peer->step = STEP_BURST;
    pump(peer);
}

static void on_event(struct peer *peer, enum ledger_event event)
{
    const bool is_answer = event == LEDGER_BESTMOVE || event == LEDGER_READY || event == LEDGER_UCI;
    if (!is_answer || !ledger_is_settled(&peer->ledger) || peer->step == STEP_BURST)
        return;
    if (peer->step == STEP_HELLO) {
        place_draw(&peer->place, &peer->random);
        peer_say_place(peer);
    }
    peer_wait(peer, peer_draw(peer, PAUSE_MS_MAX));
}

const struct behaviour *behaviour_pipeliner(void)
{
    static const struct behaviour PIPELINER = {
        .begin = begin, .on_event = on_event, .on_time = on_time, .on_room = pump, .patience = 10};
    return &PIPELINER;
}
