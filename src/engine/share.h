/* engine/share.h: deals cores to searches. Pure: no thread, no clock, no lock is known here.
 * While there are cores enough each search gets one and the spare ones are lent evenly. When there
 * are not, one each goes to those owed most, by weighted virtual time. Thread: any. */
#ifndef ENGINE_SHARE_H
#define ENGINE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/* Who goes first when there are not enough cores. Each takes a core from the one below it at once;
 * among equals a core changes hands only at the end of a slice. */
enum share_urgency {
    SHARE_CALM,
    SHARE_SOON,   /* A clock has just begun to run, or its deadline is near: see share_soon_max. */
    SHARE_NOW,    /* Stopped, or past its deadline: only its verdict is missing. */
    SHARE_OVERDUE /* It has had nothing for long, see share_overdue. Lasts for one slice. */
};

enum {
    SHARE_OVERDUE_US = 1000 * 1000, /* So long is long: above the turns of many equals. */
    SHARE_DEBT_US = 1000 * 1000,    /* Of an open search: so much served too much is remembered. */
    SHARE_OVERDUE_PART = 8 /* At most one part of so many of all cores' time goes to these. */
};

/* A search on a clock is owed so many times what an open one is: beside 32 analyses on two cores a
 * game still has a core of its own, and the analyses are never starved. */
enum { SHARE_WEIGHT_OPEN = 1, SHARE_WEIGHT_CLOCK = 64 };

struct share_claim {
    unsigned workers_max; /* Cores it can use now; 0: none, it neither runs nor waits. */
    unsigned held;        /* Cores it has, without those it was already asked to give back. */
    enum share_urgency urgency;
    bool is_slice_over; /* Of one that holds a core. */
    unsigned weight;    /* SHARE_WEIGHT_OPEN to SHARE_WEIGHT_CLOCK. */
    uint64_t served;    /* Virtual time: least is owed most. */
    int64_t waiting_us; /* Since when it waits, of one that holds none. Ties go to the oldest. */
    unsigned dealt;     /* Out: cores it is to have. Never more than workers_max. */
};

/* Sets `dealt` of each claim; together at most `cores`. Few claims move: nobody loses a core that
 * another has no better right to. */
void share_deal(unsigned cores, struct share_claim *claims, unsigned count);

/* Who has waited so long that the next slice is its own, whatever the others' urgency: short clocks
 * and stops, one after another, would else keep the cores for ever. One at a time, and not again
 * soon after the last at last_us: they hold one core of eight, or of fewer, so that who must answer
 * now waits for a slice at most. `count`: nobody. */
unsigned share_overdue(unsigned cores, const struct share_claim *claims, unsigned count,
                       int64_t now_us, int64_t last_us);

/* Who was served more than this may be SHARE_SOON no longer: another that wants a core has had less
 * than it, and would have had less with one slice more. It is calm until its debt is paid, or its
 * deadline over. So short clocks, one after another, get no more than their part. A clock that
 * begins to run after a pause is served at once; beside one that is behind with a core of its own,
 * when a slice ends. */
uint64_t share_soon_max(const struct share_claim *claims, unsigned count);

/* Whether a has a better right to a core than b; both wait. */
bool share_is_owed_more(const struct share_claim *a, const struct share_claim *b);

/* Virtual time that passes while a search of this weight runs for elapsed_us. */
uint64_t share_cost(unsigned weight, uint64_t elapsed_us);

/* The virtual time that counts as "now": a newcomer starts there, and whoever could not use all it
 * was owed falls behind it by no more than a slice. While nobody wants a core it stands still at
 * `before`, what it was last. */
uint64_t share_now(const struct share_claim *claims, unsigned count, uint64_t before);

/* `served`, or the least or the most that may be kept at virtual time `now`. */
uint64_t share_bound(uint64_t served, uint64_t now);

/* The same of an open search that goes on as one on a clock: its debt was run up at an open one's
 * rate. */
uint64_t share_as_clock(uint64_t served, uint64_t now);

/* What a session has been served outlives its searches: who asks again begins where it was, and
 * gets no more than who asks once for all, but for verdicts that are due. A new session has no
 * debt. */
struct share_account {
    uint64_t session; /* 0: nobody's. */
    uint64_t served;
};

/* When a search of `session` ends. An account is found for it if another is owed more. */
void share_note(struct share_account *accounts, unsigned count, uint64_t session, uint64_t served);

/* Where a search of `session` begins at virtual time `now`. */
uint64_t share_start(const struct share_account *accounts, unsigned count, uint64_t session,
                     uint64_t now);

#endif
