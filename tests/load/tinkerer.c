/* Tinkerers set options before and during searches, begin new games by the hundred, play Chess960
 * and ponder: none of which may show in a neighbour's answers, and all of it in their own. */
#include "base/clock.h"
#include "load/behaviours.h"

enum {
    LINES_MAX = 4,
    STORM = 100,
    THINK_MS_MAX = 400,
    PAUSE_MS_MAX = 100,
    DEPTH_MAX = 8,
    MOVE_MS = 30,
    PONDER_CLOCK_MS = 3000,
    US_PER_MS = 1000
};

enum step { STEP_IDLE, STEP_BOUNDED, STEP_OPEN, STEP_PONDER, STEP_PONDERHIT };

static void begin(struct peer *peer) { peer_uci(peer); }

static const char *truth(bool is_true) { return is_true ? "true" : "false"; }

/* In force at the next go, whatever runs now. */
static void set_some(struct peer *peer)
{
    for (uint64_t count = peer_draw(peer, 4); count > 0; count--) {
        switch (peer_draw(peer, 8)) {
        case 0:
            peer->lines = 1 + (uint32_t)peer_draw(peer, LINES_MAX);
            peer_say(peer, "setoption name MultiPV value %u\n", peer->lines);
            break;
        case 1:
            peer->wdl = !peer->wdl;
            peer_say(peer, "setoption name UCI_ShowWDL value %s\n", truth(peer->wdl));
            break;
        case 2:
            peer->chess960 = !peer->chess960;
            peer_say(peer, "setoption name UCI_Chess960 value %s\n", truth(peer->chess960));
            break;
        case 3:
            peer->is_limited = !peer->is_limited;
            peer_say(peer, "setoption name UCI_LimitStrength value %s\n", truth(peer->is_limited));
            break;
        case 4:
            peer_say(peer, "setoption name UCI_Elo value %u\n",
                     1000 + (unsigned)peer_draw(peer, 1801));
            break;
        case 5:
            peer_say(peer, "setoption name Threads value %u\n", 1 + (unsigned)peer_draw(peer, 8));
            break;
        case 6:
            peer_say(peer, "setoption name Hash value %u\n", 1 + (unsigned)peer_draw(peer, 1000));
            break;
        default: peer_say(peer, "setoption name Clear Hash\n"); break;
        }
    }
    if (peer_draw(peer, 8) == 0)
        for (int i = 0; i < STORM; i++)
            peer_say(peer, "ucinewgame\n");
}

static void ask_open(struct peer *peer, struct question *question)
{
    question->is_open = true;
    peer->step = peer_draw(peer, 2) == 0 ? STEP_OPEN : STEP_PONDER;
    if (peer->step == STEP_OPEN)
        peer_go(peer, question, "infinite");
    else
        peer_go(peer, question, "ponder wtime %d btime %d", PONDER_CLOCK_MS, PONDER_CLOCK_MS);
    peer_wait(peer, 1 + peer_draw(peer, THINK_MS_MAX));
}

static void ask(struct peer *peer)
{
    if (peer_draw(peer, 2) == 0)
        place_draw_960(&peer->place, &peer->random);
    else
        place_draw(&peer->place, &peer->random);
    set_some(peer);
    peer_say_place(peer);
    struct question question = peer_question(peer);
    peer->step = STEP_BOUNDED;
    switch (peer_draw(peer, 4)) {
    case 0: peer_go(peer, &question, "depth %u", 1 + (unsigned)peer_draw(peer, DEPTH_MAX)); break;
    case 1:
        question.due_us = clock_now_us() + (int64_t)MOVE_MS * US_PER_MS;
        peer_go(peer, &question, "movetime %d", MOVE_MS);
        break;
    default: ask_open(peer, &question);
    }
}

static void on_time(struct peer *peer)
{
    if (peer->step == STEP_IDLE) {
        ask(peer);
        return;
    }
    set_some(peer);
    if (peer->step == STEP_PONDER && peer_draw(peer, 2) == 0) {
        peer->step = STEP_PONDERHIT;
        ledger_ponderhit(&peer->ledger, clock_now_us() + (int64_t)PONDER_CLOCK_MS * US_PER_MS);
        peer_say(peer, "ponderhit\n");
    } else {
        peer_stop(peer);
    }
}

static void on_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_UCI)
        peer_ping(peer);
    if (event != LEDGER_BESTMOVE && event != LEDGER_READY)
        return;
    if (peer->step == STEP_PONDERHIT &&
        peer->ledger.answer.late_us > (int64_t)peer->load->plan.grace_ms * US_PER_MS) {
        peer_fault(peer, "lost on time after ponderhit");
        return;
    }
    peer->step = STEP_IDLE;
    peer_wait(peer, peer_draw(peer, PAUSE_MS_MAX));
}

const struct behaviour *behaviour_tinkerer(void)
{
    static const struct behaviour TINKERER = {
        .begin = begin, .on_event = on_event, .on_time = on_time};
    return &TINKERER;
}
