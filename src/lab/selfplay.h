/* lab/selfplay.h: many pairs of games on all cores, counted in the order of their numbers.
 * With limits in nodes or depth all that is told, and where a test stops, is the same on one core
 * and on many (lab/hall.h).
 * Thread: one caller, who waits inside selfplay_run() and is called back there. */
#ifndef LAB_SELFPLAY_H
#define LAB_SELFPLAY_H

#include "lab/arena.h"
#include "lab/elo.h"
#include "lab/hall.h"

struct pair_record {
    uint64_t number; /* From first_pair. */
    unsigned points; /* Of the first player, in halves: 0 to 4. */
    struct game_record games[GAMES_PER_PAIR];
};

/* How it stands. */
struct selfplay_state {
    uint64_t pairs;
    struct pentanomial pentanomial;
    uint64_t wins, draws, losses; /* Games, of the first player. */
    uint64_t faults;              /* Games lost by time. */
    double llr;                   /* When there is a test. */
    enum sprt_verdict verdict;
    int64_t elapsed_us;
};

struct selfplay_hooks {
    /* After each pair, in order. False: enough. May be NULL. */
    bool (*pair)(void *context, const struct selfplay_state *state,
                 const struct pair_record *record);
    /* Several times a second. False: enough. May be NULL. */
    bool (*tick)(void *context, const struct selfplay_state *state);
    void *context;
};

struct selfplay {
    struct player_settings players[2];
    struct game_rules rules;
    const struct book
        *book; /* Read from its first opening on, round and round; NULL: random ones. */
    unsigned opening_plies; /* Of random openings. */
    uint64_t seed;
    uint64_t first_pair; /* Its number; so that games can be played in several runs. */
    uint64_t pairs_max;
    unsigned threads;
    bool has_sprt;
    struct sprt sprt;
    struct selfplay_hooks hooks;
};

enum {
    SELFPLAY_THREADS_MAX = HALL_THREADS_MAX,
    SELFPLAY_OPENING_PLIES = 8,
    SELFPLAY_PAIRS_MAX = 10000000,
    SELFPLAY_PAIRS = 500
};

/* The settings and rules by default; random openings, one thread, no test. */
void selfplay_default(struct selfplay *out_selfplay);

/* Plays until pairs_max, the test's end or a hook's word. RK_NO_MEMORY, RK_SYSTEM, RK_BAD_ARGUMENT.
 * *out_state is what was counted. */
enum rk_status selfplay_run(const struct selfplay *selfplay, struct selfplay_state *out_state);

#endif
