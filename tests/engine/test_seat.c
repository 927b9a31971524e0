#include "engine/seat.h"

#include "engine/owner.h"
#include "engine/suites.h"

enum { PONDERED_DEPTH = 12, SEEN_DEPTH = 5, AGREED_DEPTH = 12, ROUNDS = 5, CLOCK_MS = 600 * 1000 };

/* One ply sees a queen's quiet move, five see the piece that another one wins. */
static const char DEEPER[] = "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1";

/* The leader's own call, after its first line: holds it until a helper has seen more. */
static void await_better(void *context)
{
    struct owner *owner = context;
    const struct rk_engine *engine = owner->engine;
    const struct outcome *outcome = &engine->crews[0]->leader->worker.outcome;
    struct vote vote = {MOVE_NONE, 0, 0};
    /* (A leader that woke late has read it in the table.) */
    while (vote.depth < (vote.move == outcome->best ? AGREED_DEPTH : SEEN_DEPTH)) {
        vote = vote_unpack(atomic_load_explicit(&engine->helpers[0]->result, memory_order_acquire));
        owner_nap();
    }
    (void)sem_post(&owner->woken);
}

/* Helpers know no limit, so that what they say is no answer to one of so many plies. */
START_TEST(an_answer_is_from_no_depth_beyond_its_limit)
{
    struct owner owner;
    owner_init(&owner, 1, 2, 1);
    owner.engine->wake = await_better;
    struct rk_request request = owner_request();
    request.limits = (struct rk_limits){.depth = 1};
    owner_go(&owner, &request, DEEPER);
    owner_await(&owner, 0);
    ck_assert_uint_eq(owner.last_line.depth, 1);
    owner_clear(&owner);
}
END_TEST

/* With one move to choose from the clock that begins to run has run enough: the iteration that the
 * hit falls into is told no more. (It may just have ended, but not each time.) */
START_TEST(a_hit_ends_an_iteration_that_nobody_needs)
{
    struct owner owner;
    owner_init(&owner, 1, 1, 4);
    struct rk_request request = owner_request();
    request.limits = (struct rk_limits){
        .ponder = true, .has_clock = {true, true}, .time_ms = {CLOCK_MS, CLOCK_MS}};
    request.has_searchmoves = true;
    request.searchmove_count = 1;
    ck_assert_int_eq(rk_game_parse_move(owner.asked[0].game, "e2e4", 4, &request.searchmoves[0]),
                     RK_OK);
    bool is_prompt = false;
    for (unsigned round = 0; round < ROUNDS && !is_prompt; round++) {
        owner.last_line.depth = 0;
        const rk_ticket_t ticket = owner_go(&owner, &request, NULL);
        while (owner.last_line.depth < PONDERED_DEPTH) {
            owner_read(&owner);
            owner_nap();
        }
        const unsigned lines = owner.asked[0].lines;
        owner_ponderhit(&owner, ticket);
        owner_await(&owner, 0);
        is_prompt = owner.asked[0].lines == lines;
    }
    ck_assert(is_prompt);
    owner_clear(&owner);
}
END_TEST

static void await_staying(struct owner *owner, const struct crew *crew, unsigned staying)
{
    for (;;) {
        gate_lock(owner->engine->gate);
        const bool is_so = crew->leader->state == SEAT_RUNNING && crew->staying == staying;
        gate_unlock(owner->engine->gate);
        if (is_so)
            return;
        owner_read(owner);
        owner_nap();
    }
}

/* What is learnt in a search that a forgotten session has left behind is nobody's. */
START_TEST(a_helper_of_a_search_left_behind_learns_for_nobody)
{
    enum { FORGOTTEN = 5, OTHER = 6 };
    struct owner owner;
    owner_init(&owner, 2, 2, 1);
    struct rk_request request = owner_request();
    request.session = FORGOTTEN;
    const rk_ticket_t left = owner_go(&owner, &request, NULL);
    const struct crew *crew = owner.engine->crews[left % SEARCHES_MAX];
    const struct seat *helper = owner.engine->helpers[0];
    await_staying(&owner, crew, 1);
    ck_assert_uint_eq(helper->session, FORGOTTEN);
    rk_engine_forget(owner.engine, FORGOTTEN);
    request.session = OTHER;
    const rk_ticket_t other = owner_go(&owner, &request, NULL);
    await_staying(&owner, crew, 0);
    owner_stop(&owner, other);
    owner_await(&owner, 1);
    await_staying(&owner, crew, 1);
    ck_assert_uint_ne(helper->session, FORGOTTEN);
    owner_stop(&owner, left);
    owner_await(&owner, 0);
    owner_clear(&owner);
}
END_TEST

Suite *suite_seat(void)
{
    Suite *suite = suite_create("seat");
    TCase *tcase = tcase_create("seat");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, an_answer_is_from_no_depth_beyond_its_limit);
    tcase_add_test(tcase, a_hit_ends_an_iteration_that_nobody_needs);
    tcase_add_test(tcase, a_helper_of_a_search_left_behind_learns_for_nobody);
    suite_add_tcase(suite, tcase);
    return suite;
}
