/* Bots play whole games, both sides on one connection, so that each of them thinks all the time.
 * The clocks are kept here, from the `go` leaving to the bestmove arriving. Movers ask for one move
 * of a fixed time about one position after another. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "load/behaviours.h"

enum { US_PER_MS = 1000, GAME_PLIES_MAX = 300, MOVE_MS_MIN = 10, MOVE_MS_SPAN = 491 };

static void begin(struct peer *peer) { peer_uci(peer); }

/* -- Bots ------------------------------------------------------------------------------------- */

static void new_game(struct peer *peer)
{
    place_draw(&peer->place, &peer->random);
    peer->clock_us[0] = peer->clock_us[1] = (int64_t)peer->load->plan.clock_ms * US_PER_MS;
    peer_say(peer, "ucinewgame\n");
    peer_ping(peer);
}

static int side_of(const struct peer *peer)
{
    return rk_game_white_to_move(peer->place.game) ? 0 : 1;
}

static void ask(struct peer *peer)
{
    const uint32_t inc_ms = peer->load->plan.inc_ms;
    if (rk_game_outcome(peer->place.game) != RK_GAME_OPEN || peer->place.plies >= GAME_PLIES_MAX) {
        peer->load->tally.games++;
        new_game(peer);
        return;
    }
    struct question question = peer_question(peer);
    question.due_us = clock_now_us() + peer->clock_us[side_of(peer)];
    peer_say_place(peer);
    peer_go(peer, &question, "wtime %" PRId64 " btime %" PRId64 " winc %u binc %u",
            peer->clock_us[0] / US_PER_MS, peer->clock_us[1] / US_PER_MS, inc_ms, inc_ms);
}

/* False: the clock was overdrawn by more than the grace. */
static bool take_time(struct peer *peer, const struct answer *answer)
{
    struct tally *tally = &peer->load->tally;
    int64_t *clock_us = &peer->clock_us[side_of(peer)];
    char what[128];
    *clock_us -= answer->took_us;
    const int64_t left_us = *clock_us;
    tally->time_losses += left_us < 0 ? 1 : 0;
    if (left_us / US_PER_MS < tally->clock_least_ms)
        tally->clock_least_ms = left_us / US_PER_MS;
    *clock_us = left_us < 0 ? 0 : left_us;
    *clock_us += (int64_t)peer->load->plan.inc_ms * US_PER_MS;
    if (left_us >= -(int64_t)peer->load->plan.grace_ms * US_PER_MS)
        return true;
    (void)snprintf(what, sizeof(what), "lost on time: %.1f ms over, after %.1f ms",
                   (double)-left_us / US_PER_MS, (double)answer->took_us / US_PER_MS);
    peer_fault(peer, what);
    return false;
}

static void on_bot_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_UCI) {
        const uint32_t overhead_ms = peer->load->plan.overhead_ms;
        if (overhead_ms > 0)
            peer_say(peer, "setoption name Move Overhead value %u\n", overhead_ms);
        new_game(peer);
    } else if (event == LEDGER_READY) {
        ask(peer);
    } else if (event == LEDGER_BESTMOVE && take_time(peer, &peer->ledger.answer)) {
        place_play(&peer->place, peer->ledger.answer.move);
        ask(peer);
    }
}

const struct behaviour *behaviour_bot(void)
{
    static const struct behaviour BOT = {.begin = begin, .on_event = on_bot_event};
    return &BOT;
}

/* -- Movers ----------------------------------------------------------------------------------- */

static void ask_move(struct peer *peer)
{
    const uint32_t fixed_ms = peer->load->plan.move_ms;
    const uint64_t ms = fixed_ms > 0 ? fixed_ms : MOVE_MS_MIN + peer_draw(peer, MOVE_MS_SPAN);
    place_draw(&peer->place, &peer->random);
    struct question question = peer_question(peer);
    question.due_us = clock_now_us() + (int64_t)ms * US_PER_MS;
    peer_say_place(peer);
    peer_go(peer, &question, "movetime %" PRIu64, ms);
}

static void take_move(struct peer *peer, const struct answer *answer)
{
    struct share *share = &peer->load->tally.shares[peer->index];
    char what[128];
    spread_add(&peer->load->tally.latencies[LATENCY_LATE], answer->late_us);
    share->nodes += answer->nodes;
    share->ms += (uint64_t)answer->nodes_ms; /* When its newest line was told. */
    if (answer->late_us <= (int64_t)peer->load->plan.grace_ms * US_PER_MS) {
        ask_move(peer);
        return;
    }
    (void)snprintf(what, sizeof(what), "a movetime answered %.1f ms late, after %.1f ms%s",
                   (double)answer->late_us / US_PER_MS, (double)answer->took_us / US_PER_MS,
                   answer->was_queued ? ", queued" : "");
    peer_fault(peer, what);
}

static void on_mover_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_UCI) {
        if (peer->load->plan.move_ms > 0)
            peer_say(peer, "setoption name Threads value 1\n");
        peer_ping(peer);
    } else if (event == LEDGER_READY) {
        ask_move(peer);
    } else if (event == LEDGER_BESTMOVE) {
        take_move(peer, &peer->ledger.answer);
    }
}

const struct behaviour *behaviour_mover(void)
{
    static const struct behaviour MOVER = {.begin = begin, .on_event = on_mover_event};
    return &MOVER;
}
