/* Analysts search without end and say stop at a random moment; every other search is asked in the
 * middle whether it is ready, every fourth is kept to a few moves. Watchers do the same on one
 * position that all of them share for a while, and some of them just go. */
#include "base/clock.h"
#include "base/random.h"
#include "load/behaviours.h"

enum {
    BROADCAST_US = 5000000, /* The position that is watched changes so often. */
    FEW_MOVES_MAX = 3,
    LEAVE_ONE_IN = 8,
    LEAVE_PAUSE_MS = 300
};

enum step { STEP_HELLO, STEP_SEARCH, STEP_PING };

static void begin(struct peer *peer) { peer_uci(peer); }

static void wait_for_part(struct peer *peer)
{
    peer_wait(peer, 1 + peer_draw(peer, peer->load->plan.think_ms));
}

/* The newest line tells nodes and time: what the search got until then. */
static void take_share(struct peer *peer)
{
    struct share *share = &peer->load->tally.shares[peer->index];
    share->nodes += peer->ledger.answer.nodes;
    share->ms += (uint64_t)peer->ledger.answer.nodes_ms;
}

/* -- Analysts --------------------------------------------------------------------------------- */

/* Some of the legal moves, each once; returns how many. */
static uint32_t draw_moves(struct peer *peer, rk_move_t out_moves[RK_MOVES_MAX])
{
    const uint32_t count = (uint32_t)rk_game_moves(peer->place.game, out_moves);
    uint32_t wanted = 1 + (uint32_t)peer_draw(peer, FEW_MOVES_MAX);
    wanted = wanted < count ? wanted : count;
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t from = i + (uint32_t)peer_draw(peer, count - i);
        const rk_move_t move = out_moves[from];
        out_moves[from] = out_moves[i];
        out_moves[i] = move;
    }
    return wanted;
}

static void ask_about_few(struct peer *peer, struct question *question)
{
    rk_move_t moves[RK_MOVES_MAX];
    char words[FEW_MOVES_MAX * RK_MOVE_BYTES_MAX + 1] = "";
    struct text text;
    text_init(&text, words, sizeof(words));
    question->searchmoves = moves;
    question->searchmove_count = draw_moves(peer, moves);
    for (uint32_t i = 0; i < question->searchmove_count; i++) {
        char word[RK_MOVE_BYTES_MAX];
        (void)rk_move_text(moves[i], peer->chess960, word);
        (void)text_add_char(&text, ' ');
        (void)text_add(&text, word);
    }
    peer_go(peer, question, "infinite searchmoves%s", words);
}

static void ask(struct peer *peer)
{
    place_draw(&peer->place, &peer->random);
    struct question question = peer_question(peer);
    question.is_open = true;
    peer_say_place(peer);
    if (peer_draw(peer, 4) == 0)
        ask_about_few(peer, &question);
    else
        peer_go(peer, &question, "infinite");
    peer->step = STEP_SEARCH;
    wait_for_part(peer);
}

static void on_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_UCI)
        peer_ping(peer);
    else if (event == LEDGER_READY && peer->step == STEP_HELLO)
        ask(peer);
    else if (event == LEDGER_BESTMOVE) {
        take_share(peer);
        ask(peer);
    }
}

static void on_time(struct peer *peer)
{
    if (peer->step == STEP_SEARCH && peer_draw(peer, 2) == 0) {
        peer->step = STEP_PING;
        peer_ping(peer);
        wait_for_part(peer);
    } else {
        peer_stop(peer);
    }
}

const struct behaviour *behaviour_analyst(void)
{
    static const struct behaviour ANALYST = {
        .begin = begin, .on_event = on_event, .on_time = on_time};
    return &ANALYST;
}

/* -- Watchers --------------------------------------------------------------------------------- */

static void watch(struct peer *peer)
{
    const struct load *load = peer->load;
    uint64_t state = load->plan.seed;
    state = random_next(&state) + (uint64_t)((clock_now_us() - load->start_us) / BROADCAST_US);
    place_draw(&peer->place, &state);
    struct question question = peer_question(peer);
    question.is_open = true;
    peer_say_place(peer);
    peer_go(peer, &question, "infinite");
    peer->step = STEP_SEARCH;
    wait_for_part(peer);
}

static void on_watcher_event(struct peer *peer, enum ledger_event event)
{
    if (event == LEDGER_UCI)
        peer_ping(peer);
    else if ((event == LEDGER_READY && peer->step == STEP_HELLO) || event == LEDGER_BESTMOVE)
        watch(peer);
}

static void on_watcher_time(struct peer *peer)
{
    if (peer_draw(peer, LEAVE_ONE_IN) == 0)
        peer_leave(peer, LEAVE_CLOSE, peer_draw(peer, LEAVE_PAUSE_MS));
    else
        peer_stop(peer);
}

const struct behaviour *behaviour_watcher(void)
{
    static const struct behaviour WATCHER = {
        .begin = begin, .on_event = on_watcher_event, .on_time = on_watcher_time};
    return &WATCHER;
}
