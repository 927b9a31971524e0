#include "engine/share.h"

#include "base/limits.h"
#include "base/random.h"
#include "engine/suites.h"

enum {
    CLAIMS_MAX = 40,
    CORES_MAX = 12,
    SLICES = 20000,
#ifdef ROOKERY_DEBUG
    ROUNDS = 5000 /* Sanitizers are slow, and find what they look for in fewer. */
#else
    ROUNDS = 20000
#endif
};

static unsigned at_most(unsigned a, unsigned b) { return a < b ? a : b; }

/* A state that an engine could be in: together they hold no more than there are. */
static unsigned draw_claims(uint64_t *random, unsigned cores, struct share_claim *claims)
{
    const unsigned count = (unsigned)random_below(random, CLAIMS_MAX + 1);
    unsigned left = cores;
    for (unsigned i = 0; i < count; i++) {
        const unsigned workers_max = (unsigned)random_below(random, cores + 2);
        const unsigned held = random_below(random, 2) == 0
                                  ? 0
                                  : (unsigned)random_below(random, at_most(left, workers_max) + 1);
        left -= held;
        claims[i] = (struct share_claim){
            .workers_max = workers_max,
            .held = held,
            .urgency = random_below(random, 4) == 0
                           ? (enum share_urgency)random_below(random, SHARE_OVERDUE + 1)
                           : SHARE_CALM,
            .is_slice_over = held > 0 && random_below(random, 2) == 0,
            .served = random_below(random, 6),
            .waiting_us = (int64_t)random_below(random, 1000),
            .dealt = 99,
        };
    }
    return count;
}

static unsigned count_wanting(const struct share_claim *claims, unsigned count)
{
    unsigned wanting = 0;
    for (unsigned i = 0; i < count; i++)
        wanting += claims[i].workers_max > 0;
    return wanting;
}

/* Never more than there are, never more than asked for, none idle that somebody can use. */
static void check_bounds(unsigned cores, const struct share_claim *claims, unsigned count)
{
    unsigned dealt = 0, usable = 0;
    for (unsigned i = 0; i < count; i++) {
        ck_assert_uint_le(claims[i].dealt, claims[i].workers_max);
        dealt += claims[i].dealt;
        usable += claims[i].workers_max;
    }
    ck_assert_uint_le(dealt, cores);
    ck_assert_uint_eq(dealt, at_most(usable, cores));
}

/* What everybody has who can use it, before the last round that not all have a part in. */
static unsigned find_level(unsigned cores, const struct share_claim *claims, unsigned count)
{
    for (unsigned level = 1;; level++) {
        unsigned needed = 0, usable = 0;
        for (unsigned i = 0; i < count; i++) {
            needed += at_most(claims[i].workers_max, level);
            usable += claims[i].workers_max;
        }
        if (needed > cores || (level > cores && needed == usable))
            return level - 1;
    }
}

/* Of all fair deals none takes fewer cores away: beyond the level a core is kept by as many of
 * those that have one there as the last round has cores. */
static void check_fewest_moves(unsigned cores, const struct share_claim *claims, unsigned count)
{
    const unsigned level = find_level(cores, claims, count);
    unsigned left = cores, keepers = 0, least = 0, lost = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct share_claim *claim = &claims[i];
        const unsigned sure = at_most(claim->workers_max, level);
        left -= sure;
        keepers += claim->workers_max > level && claim->held > level;
        least += claim->held > sure ? claim->held - sure : 0;
        lost += claim->held > claim->dealt ? claim->held - claim->dealt : 0;
    }
    ck_assert_uint_eq(lost, least - at_most(left, keepers));
}

/* One that has less than another by two could not use more; and of two that would do as well with
 * each other's part, none got more while it held less. */
static void check_plenty(const struct share_claim *claims, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct share_claim *a = &claims[i];
        if (a->workers_max > 0)
            ck_assert_uint_ge(a->dealt, 1);
        for (unsigned j = 0; j < count; j++) {
            const struct share_claim *b = &claims[j];
            if (a->dealt < a->workers_max)
                ck_assert_uint_le(b->dealt, a->dealt + 1);
            if (a->dealt + 1 == b->dealt && a->workers_max > a->dealt && b->held < b->dealt)
                ck_assert_uint_le(a->held, a->dealt);
        }
    }
}

/* Nobody without a core has a better right than one with a core; who lost one lost it to somebody.
 */
static void check_scarce(unsigned cores, const struct share_claim *claims, unsigned count)
{
    unsigned held = 0, lost = 0, won = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct share_claim *waiter = &claims[i];
        ck_assert_uint_le(waiter->dealt, 1);
        held += waiter->held > 0;
        lost += waiter->held > 0 && waiter->dealt == 0;
        won += waiter->held == 0 && waiter->dealt > 0;
        if (waiter->workers_max == 0 || waiter->dealt > 0 || waiter->held > 0)
            continue;
        for (unsigned j = 0; j < count; j++) {
            const struct share_claim *runner = &claims[j];
            if (runner->dealt == 0)
                continue;
            ck_assert_int_le(waiter->urgency, runner->urgency);
            const bool is_equal = waiter->urgency == runner->urgency;
            const bool is_over = runner->held == 0 || runner->is_slice_over;
            if (is_equal && is_over)
                ck_assert_uint_ge(waiter->served, runner->served);
        }
    }
    const unsigned was_free = cores - held;
    ck_assert_uint_eq(lost, won > was_free ? won - was_free : 0);
}

/* A core taken before its slice is over was taken by one that is more urgent. */
static void check_slices(const struct share_claim *claims, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct share_claim *loser = &claims[i];
        if (loser->held == 0 || loser->dealt > 0 || loser->is_slice_over)
            continue;
        unsigned more_urgent = 0;
        for (unsigned j = 0; j < count; j++)
            more_urgent +=
                claims[j].held == 0 && claims[j].dealt > 0 && claims[j].urgency > loser->urgency;
        ck_assert_uint_gt(more_urgent, 0);
    }
}

START_TEST(every_deal_is_fair_and_moves_few)
{
    uint64_t random = 7;
    unsigned scarce = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct share_claim claims[CLAIMS_MAX];
        const unsigned cores = 1 + (unsigned)random_below(&random, CORES_MAX);
        const unsigned count = draw_claims(&random, cores, claims);
        share_deal(cores, claims, count);
        check_bounds(cores, claims, count);
        if (count_wanting(claims, count) > cores) {
            scarce++;
            check_scarce(cores, claims, count);
            check_slices(claims, count);
        } else {
            check_plenty(claims, count);
            check_fewest_moves(cores, claims, count);
        }
    }
    ck_assert_uint_gt(scarce, ROUNDS / 10);
    ck_assert_uint_lt(scarce, ROUNDS * 9 / 10);
}
END_TEST

/* A deal that has been carried out is not changed by dealing again. */
START_TEST(a_deal_that_stands_moves_nothing)
{
    uint64_t random = 8;
    for (int round = 0; round < ROUNDS; round++) {
        struct share_claim claims[CLAIMS_MAX];
        const unsigned cores = 1 + (unsigned)random_below(&random, CORES_MAX);
        const unsigned count = draw_claims(&random, cores, claims);
        share_deal(cores, claims, count);
        for (unsigned i = 0; i < count; i++) {
            claims[i].held = claims[i].dealt;
            claims[i].is_slice_over = false;
        }
        share_deal(cores, claims, count);
        for (unsigned i = 0; i < count; i++)
            ck_assert_uint_eq(claims[i].dealt, claims[i].held);
    }
}
END_TEST

START_TEST(one_alone_has_all_it_asks_for)
{
    struct share_claim claim = {.workers_max = 100};
    share_deal(8, &claim, 1);
    ck_assert_uint_eq(claim.dealt, 8);
    claim.workers_max = 3;
    share_deal(8, &claim, 1);
    ck_assert_uint_eq(claim.dealt, 3);
}
END_TEST

/* Cores that go to whoever is dealt them, a slice at a time. */
static void run_slices(unsigned cores, struct share_claim *claims, const unsigned *weights,
                       unsigned count, uint64_t *out_run_us)
{
    for (int slice = 0; slice < SLICES; slice++) {
        const uint64_t now = share_now(claims, count, 0);
        for (unsigned i = 0; i < count; i++) {
            claims[i].served = share_bound(claims[i].served, now);
            claims[i].is_slice_over = claims[i].held > 0;
        }
        share_deal(cores, claims, count);
        for (unsigned i = 0; i < count; i++) {
            if (claims[i].held > 0 && claims[i].dealt == 0)
                claims[i].waiting_us = (int64_t)slice * SLICE_US;
            claims[i].held = claims[i].dealt;
            if (claims[i].dealt == 0)
                continue;
            claims[i].served += share_cost(weights[i], SLICE_US);
            out_run_us[i] += SLICE_US;
        }
    }
}

START_TEST(equals_differ_by_a_slice_at_most)
{
    for (unsigned cores = 1; cores <= 5; cores++) {
        struct share_claim claims[7] = {0};
        unsigned weights[7];
        uint64_t run_us[7] = {0};
        for (unsigned i = 0; i < 7; i++) {
            claims[i] = (struct share_claim){.workers_max = 4, .waiting_us = i};
            weights[i] = SHARE_WEIGHT_OPEN;
        }
        run_slices(cores, claims, weights, 7, run_us);
        uint64_t least = UINT64_MAX, most = 0;
        for (unsigned i = 0; i < 7; i++) {
            least = run_us[i] < least ? run_us[i] : least;
            most = run_us[i] > most ? run_us[i] : most;
        }
        ck_assert_uint_le(most - least, SLICE_US);
    }
}
END_TEST

/* Thirty-two analyses beside a game on two cores: the game has a core, the others share one. */
START_TEST(a_clock_has_its_core_and_starves_nobody)
{
    enum { OPEN = 32 };
    struct share_claim claims[OPEN + 1] = {0};
    unsigned weights[OPEN + 1];
    uint64_t run_us[OPEN + 1] = {0};
    for (unsigned i = 0; i <= OPEN; i++) {
        claims[i] = (struct share_claim){.workers_max = 2, .waiting_us = i};
        weights[i] = i == OPEN ? SHARE_WEIGHT_CLOCK : SHARE_WEIGHT_OPEN;
    }
    run_slices(2, claims, weights, OPEN + 1, run_us);
    const uint64_t all_us = (uint64_t)SLICES * SLICE_US;
    ck_assert_uint_ge(run_us[OPEN], all_us * 95 / 100);
    for (unsigned i = 0; i < OPEN; i++) {
        ck_assert_uint_ge(run_us[i] + 2 * SLICE_US, all_us / OPEN);
        ck_assert_uint_le(run_us[i], all_us / OPEN + 5 * SLICE_US);
    }
}
END_TEST

/* On a single core the game has 64 parts of 96. */
START_TEST(weights_share_a_single_core)
{
    enum { OPEN = 32 };
    struct share_claim claims[OPEN + 1] = {0};
    unsigned weights[OPEN + 1];
    uint64_t run_us[OPEN + 1] = {0};
    for (unsigned i = 0; i <= OPEN; i++) {
        claims[i] = (struct share_claim){.workers_max = 1, .waiting_us = i};
        weights[i] = i == OPEN ? SHARE_WEIGHT_CLOCK : SHARE_WEIGHT_OPEN;
    }
    run_slices(1, claims, weights, OPEN + 1, run_us);
    const uint64_t all_us = (uint64_t)SLICES * SLICE_US;
    ck_assert_uint_ge(run_us[OPEN], all_us * 64 / 96 * 98 / 100);
    ck_assert_uint_le(run_us[OPEN], all_us * 64 / 96 * 102 / 100);
}
END_TEST

/* However many wait for long, one at a time and not too often is put before those who are urgent.
 */
START_TEST(overdue_is_the_oldest_and_one_at_a_time)
{
    const int64_t now_us = 10 * (int64_t)SHARE_OVERDUE_US;
    const int64_t old_us = now_us - SHARE_OVERDUE_US;
    const int64_t pause_us = SHARE_OVERDUE_PART * SLICE_US / 2;
    struct share_claim claims[] = {
        {.workers_max = 1, .waiting_us = old_us + 1},
        {.workers_max = 1, .waiting_us = old_us},
        {.workers_max = 1, .waiting_us = old_us - 1, .urgency = SHARE_NOW},
        {.workers_max = 1, .waiting_us = 1, .held = 1},
        {.workers_max = 0, .waiting_us = 1},
        {.workers_max = 1, .waiting_us = 1, .urgency = SHARE_OVERDUE},
    };
    ck_assert_uint_eq(share_overdue(2, claims, 6, now_us, now_us - pause_us), 2);
    ck_assert_uint_eq(share_overdue(2, claims, 6, now_us, now_us - pause_us + 1), 6);
    ck_assert_uint_eq(share_overdue(2, claims, 2, now_us, 0), 1);
    ck_assert_uint_eq(share_overdue(2, claims, 1, now_us, 0), 1);
    ck_assert_uint_eq(share_overdue(2, claims, 0, now_us, 0), 0);
}
END_TEST

/* A slice more than another has had is too much for who is soon; who can use no core does not
 * count. */
START_TEST(who_comes_on_a_clock_goes_before_open_ones_beside_it)
{
    const struct share_claim open = {.weight = SHARE_WEIGHT_OPEN, .served = 7, .waiting_us = 1};
    const struct share_claim clock = {.weight = SHARE_WEIGHT_CLOCK, .served = 7, .waiting_us = 9};
    ck_assert(share_is_owed_more(&clock, &open));
    ck_assert(!share_is_owed_more(&open, &clock));
    /* What an open search owes is little when it goes on as a clock. */
    const uint64_t slice = share_cost(SHARE_WEIGHT_OPEN, SLICE_US);
    ck_assert_uint_eq(share_as_clock(1000 + slice, 1000),
                      1000 + share_cost(SHARE_WEIGHT_CLOCK, SLICE_US));
    ck_assert_uint_eq(share_as_clock(900, 1000), 900);
}
END_TEST

START_TEST(who_is_in_debt_is_not_soon)
{
    const struct share_claim claims[] = {
        {.workers_max = 1, .weight = SHARE_WEIGHT_CLOCK, .served = 7 * SLICE_US},
        {.workers_max = 1, .weight = SHARE_WEIGHT_CLOCK, .served = 3 * SLICE_US, .held = 1},
        {.workers_max = 2, .weight = SHARE_WEIGHT_OPEN, .served = 1},
        {.workers_max = 0, .weight = SHARE_WEIGHT_CLOCK, .served = 1}};
    ck_assert_uint_eq(share_soon_max(claims, 4), 4 * SLICE_US);
    ck_assert_uint_eq(share_soon_max(claims, 1), 8 * SLICE_US);
    ck_assert_uint_eq(share_soon_max(claims + 2, 2), 1 + share_cost(SHARE_WEIGHT_OPEN, SLICE_US));
    ck_assert_uint_eq(share_soon_max(claims + 3, 1), UINT64_MAX);
}
END_TEST

/* Too few accounts: whose debt is least is forgotten first, and nobody's is kept. */
START_TEST(accounts_are_bounded)
{
    const uint64_t debt = share_cost(SHARE_WEIGHT_OPEN, SHARE_DEBT_US);
    struct share_account accounts[2] = {{0}};
    share_note(accounts, 2, 0, 100);
    ck_assert_uint_eq(share_start(accounts, 2, 0, 7), 7);
    share_note(accounts, 2, 1, 10);
    share_note(accounts, 2, 2, 20);
    share_note(accounts, 2, 3, 5);
    ck_assert_uint_eq(share_start(accounts, 2, 3, 0), 0);
    share_note(accounts, 2, 3, 15);
    ck_assert_uint_eq(share_start(accounts, 2, 1, 0), 0);
    ck_assert_uint_eq(share_start(accounts, 2, 3, 0), 15);
    ck_assert_uint_eq(share_start(accounts, 2, 2, 18), 20);
    ck_assert_uint_eq(share_start(accounts, 2, 2, 21), 21);
    share_note(accounts, 2, 2, 2 * debt);
    ck_assert_uint_eq(share_start(accounts, 2, 2, 1), debt + 1);
    share_note(accounts, 2, 2, 30); /* The older of two at once has ended. */
    ck_assert_uint_eq(share_start(accounts, 2, 2, debt), 2 * debt);
}
END_TEST

/* What could not be used is not saved up: a long lead is worth one slice. What was too much is paid
 * back for a second at most. */
START_TEST(debts_are_bounded)
{
    const uint64_t slice = share_cost(SHARE_WEIGHT_OPEN, SLICE_US);
    ck_assert_uint_eq(share_bound(0, 100 * slice), 99 * slice);
    ck_assert_uint_eq(share_bound(99 * slice + 1, 100 * slice), 99 * slice + 1);
    ck_assert_uint_eq(share_bound(200 * slice, 100 * slice), 200 * slice);
    ck_assert_uint_eq(share_bound(301 * slice, 100 * slice), 300 * slice);
    ck_assert_uint_eq(
        share_cost(SHARE_WEIGHT_CLOCK, SLICE_US) * (SHARE_WEIGHT_CLOCK / SHARE_WEIGHT_OPEN), slice);
}
END_TEST

/* A newcomer starts where the one waits that is owed most, not where a laggard runs; and when
 * nobody can use a core, where time stood last. */
START_TEST(now_is_where_one_waits)
{
    const struct share_claim claims[] = {{.workers_max = 1, .held = 1, .served = 5},
                                         {.workers_max = 1, .held = 0, .served = 9},
                                         {.workers_max = 1, .held = 0, .served = 8},
                                         {.workers_max = 0, .held = 0, .served = 1}};
    ck_assert_uint_eq(share_now(claims, 4, 7), 8);
    ck_assert_uint_eq(share_now(claims, 1, 7), 5);
    ck_assert_uint_eq(share_now(claims, 0, 7), 7);
    ck_assert_uint_eq(share_now(claims + 3, 1, 7), 7);
}
END_TEST

Suite *suite_share(void)
{
    Suite *suite = suite_create("share");
    TCase *tcase = tcase_create("share");
    tcase_set_timeout(tcase, 60);
    tcase_set_tags(tcase, SUITE_TAG_ALONE);
    tcase_add_test(tcase, every_deal_is_fair_and_moves_few);
    tcase_add_test(tcase, a_deal_that_stands_moves_nothing);
    tcase_add_test(tcase, one_alone_has_all_it_asks_for);
    tcase_add_test(tcase, equals_differ_by_a_slice_at_most);
    tcase_add_test(tcase, a_clock_has_its_core_and_starves_nobody);
    tcase_add_test(tcase, weights_share_a_single_core);
    tcase_add_test(tcase, overdue_is_the_oldest_and_one_at_a_time);
    tcase_add_test(tcase, who_comes_on_a_clock_goes_before_open_ones_beside_it);
    tcase_add_test(tcase, who_is_in_debt_is_not_soon);
    tcase_add_test(tcase, accounts_are_bounded);
    tcase_add_test(tcase, debts_are_bounded);
    tcase_add_test(tcase, now_is_where_one_waits);
    suite_add_tcase(suite, tcase);
    return suite;
}
