#include "engine/share.h"

#include <stddef.h>

#include "base/check.h"
#include "base/limits.h"

/* Cores enough: every claim rises together, a core each a round, until it has what it can use or
 * the cores are gone. In the round that cannot be finished those that hold more now keep it. */
static void deal_plenty(unsigned cores, struct share_claim *claims, unsigned count)
{
    bool is_rising = true;
    for (unsigned level = 0; is_rising; level++) {
        is_rising = false;
        for (int pass = 0; pass < 2; pass++) {
            for (unsigned i = 0; i < count && cores > 0; i++) {
                struct share_claim *claim = &claims[i];
                const bool keeps = claim->held > level;
                if (claim->dealt != level || claim->workers_max <= level || keeps != (pass == 0))
                    continue;
                claim->dealt++;
                cores--;
                is_rising = true;
            }
        }
    }
}

bool share_is_owed_more(const struct share_claim *a, const struct share_claim *b)
{
    if (a->urgency != b->urgency)
        return a->urgency > b->urgency;
    if (a->served != b->served)
        return a->served < b->served;
    if (a->weight != b->weight)
        return a->weight > b->weight; /* A newcomer begins level with who is owed most. */
    return a->waiting_us < b->waiting_us;
}

/* Whether a should lose its core before b; both run. */
static bool yields_first(const struct share_claim *a, const struct share_claim *b)
{
    if (a->urgency != b->urgency)
        return a->urgency < b->urgency;
    if (a->is_slice_over != b->is_slice_over)
        return a->is_slice_over;
    return a->served > b->served;
}

/* Whether one that waits may take the core of one that runs. */
static bool takes_from(const struct share_claim *waiter, const struct share_claim *runner)
{
    if (waiter->urgency != runner->urgency)
        return waiter->urgency > runner->urgency;
    return runner->is_slice_over && waiter->served < runner->served;
}

/* Fewer cores than claims: those that run keep theirs, then one change at a time while there is a
 * better right. One that lost its core is not looked at again, so this ends. */
static void deal_scarce(unsigned cores, struct share_claim *claims, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        claims[i].dealt = claims[i].workers_max > 0 && claims[i].held > 0 && cores > 0;
        cores -= claims[i].dealt;
    }
    for (;;) {
        struct share_claim *waiter = NULL, *runner = NULL;
        for (unsigned i = 0; i < count; i++) {
            struct share_claim *claim = &claims[i];
            if (claim->workers_max == 0)
                continue;
            if (claim->held == 0 && claim->dealt == 0) {
                if (waiter == NULL || share_is_owed_more(claim, waiter))
                    waiter = claim;
            } else if (claim->held > 0 && claim->dealt > 0) {
                if (runner == NULL || yields_first(claim, runner))
                    runner = claim;
            }
        }
        if (waiter == NULL)
            return;
        if (cores > 0)
            cores--;
        else if (runner != NULL && takes_from(waiter, runner))
            runner->dealt = 0;
        else
            return;
        waiter->dealt = 1;
    }
}

void share_deal(unsigned cores, struct share_claim *claims, unsigned count)
{
    unsigned wanting = 0;
    for (unsigned i = 0; i < count; i++) {
        claims[i].dealt = 0;
        wanting += claims[i].workers_max > 0;
    }
    if (wanting <= cores)
        deal_plenty(cores, claims, count);
    else
        deal_scarce(cores, claims, count);
}

unsigned share_overdue(unsigned cores, const struct share_claim *claims, unsigned count,
                       int64_t now_us, int64_t last_us)
{
    unsigned oldest = count;
    if ((now_us - last_us) * cores < (int64_t)SHARE_OVERDUE_PART * SLICE_US)
        return count;
    for (unsigned i = 0; i < count; i++) {
        const struct share_claim *claim = &claims[i];
        if (claim->workers_max == 0 || claim->held > 0 || claim->urgency == SHARE_OVERDUE ||
            now_us - claim->waiting_us < SHARE_OVERDUE_US)
            continue;
        if (oldest == count || claim->waiting_us < claims[oldest].waiting_us)
            oldest = i;
    }
    return oldest;
}

static_assert(SHARE_WEIGHT_CLOCK % SHARE_WEIGHT_OPEN == 0, "virtual time is a whole number");

uint64_t share_cost(unsigned weight, uint64_t elapsed_us)
{
    ASSERT(weight > 0 && weight <= SHARE_WEIGHT_CLOCK);
    return elapsed_us * (SHARE_WEIGHT_CLOCK / weight);
}

uint64_t share_now(const struct share_claim *claims, unsigned count, uint64_t before)
{
    uint64_t least_waiting = UINT64_MAX, least_running = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        if (claims[i].workers_max == 0)
            continue;
        uint64_t *least = claims[i].held == 0 ? &least_waiting : &least_running;
        if (claims[i].served < *least)
            *least = claims[i].served;
    }
    if (least_waiting != UINT64_MAX)
        return least_waiting;
    return least_running != UINT64_MAX ? least_running : before;
}

uint64_t share_soon_max(const struct share_claim *claims, unsigned count)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        if (claims[i].workers_max == 0)
            continue;
        const uint64_t after = claims[i].served + share_cost(claims[i].weight, SLICE_US);
        least = after < least ? after : least;
    }
    return least;
}

uint64_t share_bound(uint64_t served, uint64_t now)
{
    const uint64_t credit = share_cost(SHARE_WEIGHT_OPEN, SLICE_US);
    const uint64_t debt = share_cost(SHARE_WEIGHT_OPEN, SHARE_DEBT_US);
    if (served + credit < now)
        return now - credit;
    return served > now + debt ? now + debt : served;
}

uint64_t share_as_clock(uint64_t served, uint64_t now)
{
    return served > now ? now + (served - now) / (SHARE_WEIGHT_CLOCK / SHARE_WEIGHT_OPEN) : served;
}

void share_note(struct share_account *accounts, unsigned count, uint64_t session, uint64_t served)
{
    struct share_account *least = NULL;
    if (session == 0)
        return;
    for (unsigned i = 0; i < count; i++) {
        struct share_account *account = &accounts[i];
        if (account->session == session) {
            least = account;
            break;
        }
        if (least == NULL || account->served < least->served)
            least = account;
    }
    if (least != NULL && (least->session == 0 || least->served < served))
        *least = (struct share_account){session, served};
}

uint64_t share_start(const struct share_account *accounts, unsigned count, uint64_t session,
                     uint64_t now)
{
    uint64_t served = 0;
    for (unsigned i = 0; i < count && session != 0; i++)
        if (accounts[i].session == session)
            served = accounts[i].served;
    return share_bound(served > now ? served : now, now);
}
