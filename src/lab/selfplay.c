/* A pair has an index in this run, and the slot index % window. A thread takes the next index if
 * its slot is free, plays outside the gate, and leaves the record in the slot; the caller takes
 * slots in order and frees them. So a slow pair holds up at most a window of others. */
#include "lab/selfplay.h"

#include <pthread.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/gate.h"
#include "base/memory.h"
#include "base/random.h"

enum {
    SLOTS_PER_THREAD = 4,
    TICK_US = 200000,
    STACK_BYTES = 8 * 1024 * 1024 /* Sanitizers make the search's frames large. */
};

struct slot {
    bool is_done;
    struct pair_record record;
};

struct table_hand {
    struct hall *hall;
    struct arena *arena;
    struct bell bell;
    pthread_t thread;
    bool has_bell, has_thread;
};

struct hall {
    const struct selfplay *selfplay;
    struct gate gate;
    struct bell bell; /* The caller's: a pair is done, or something failed. */
    atomic_bool stop;
    /* Behind the gate. */
    uint64_t next;  /* To be begun. */
    uint64_t taken; /* Counted by the caller: all below. */
    enum rk_status status;
    /* Set before threads start. A slot that is not done is its thread's. */
    unsigned window;
    struct slot *slots;
    struct table_hand *hands;
};

void selfplay_default(struct selfplay *out_selfplay)
{
    *out_selfplay = (struct selfplay){.opening_plies = SELFPLAY_OPENING_PLIES,
                                      .pairs_max = SELFPLAY_PAIRS,
                                      .threads = 1,
                                      .sprt = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.05}};
    player_settings_default(&out_selfplay->players[0]);
    player_settings_default(&out_selfplay->players[1]);
    arena_rules_default(&out_selfplay->rules);
}

/* Streams of random numbers that have nothing to do with their neighbours. */
static uint64_t pair_seed(const struct selfplay *selfplay, uint64_t number)
{
    uint64_t state = selfplay->seed;
    state = random_next(&state) ^ number;
    return random_next(&state);
}

static enum rk_status pair_play(const struct selfplay *selfplay, struct arena *arena,
                                uint64_t index, struct pair_record *record)
{
    struct opening opening;
    const uint64_t number = selfplay->first_pair + index;
    const uint64_t seed = pair_seed(selfplay, number);
    record->number = number;
    if (selfplay->book != NULL)
        book_opening(selfplay->book, number % book_count(selfplay->book), &opening);
    else
        arena_opening(arena, selfplay->opening_plies, seed, &opening);
    return arena_play_pair(arena, selfplay->players, &selfplay->rules, &opening, seed,
                           record->games, &record->points);
}

static bool is_stopped(const struct hall *hall)
{
    return atomic_load_explicit(&hall->stop, memory_order_relaxed);
}

static void *hand_run(void *context)
{
    struct table_hand *hand = context;
    struct hall *hall = hand->hall;
    gate_lock(&hall->gate);
    while (!is_stopped(hall) && hall->next < hall->selfplay->pairs_max) {
        if (hall->next >= hall->taken + hall->window) {
            gate_park(&hall->gate, &hand->bell);
            continue;
        }
        const uint64_t index = hall->next++;
        struct slot *slot = &hall->slots[index % hall->window];
        gate_unlock(&hall->gate);
        const enum rk_status status = pair_play(hall->selfplay, hand->arena, index, &slot->record);
        gate_lock(&hall->gate);
        if (status != RK_OK) {
            hall->status = status;
            atomic_store_explicit(&hall->stop, true, memory_order_relaxed);
        } else if (!is_stopped(hall)) {
            slot->is_done = true;
        }
        gate_ring(&hall->bell);
    }
    gate_unlock(&hall->gate);
    return NULL;
}

static void count_pair(const struct selfplay *selfplay, const struct pair_record *record,
                       struct selfplay_state *state)
{
    state->pairs++;
    state->pentanomial.counts[record->points]++;
    for (unsigned i = 0; i < GAMES_PER_PAIR; i++) {
        const struct game_record *game = &record->games[i];
        const int points = game->is_first_white ? game->white_points : 2 - game->white_points;
        state->wins += points == 2;
        state->draws += points == 1;
        state->losses += points == 0;
        state->faults += game->end == GAME_TIME;
    }
    if (!selfplay->has_sprt)
        return;
    state->llr = elo_llr(&state->pentanomial, selfplay->sprt.elo0, selfplay->sprt.elo1);
    state->verdict = sprt_verdict(&selfplay->sprt, state->llr);
}

/* Takes the pairs as they come; returns when it is enough. With the gate locked. */
static void hall_watch(struct hall *hall, struct selfplay_state *state)
{
    const struct selfplay *selfplay = hall->selfplay;
    const struct selfplay_hooks *hooks = &selfplay->hooks;
    const int64_t start_us = clock_now_us();
    int64_t tick_us = start_us + TICK_US;
    bool goes_on = true;
    while (goes_on && !is_stopped(hall) && hall->taken < selfplay->pairs_max) {
        struct slot *slot = &hall->slots[hall->taken % hall->window];
        const bool is_done = slot->is_done;
        if (!is_done)
            (void)gate_park_until(&hall->gate, &hall->bell, tick_us);
        gate_unlock(&hall->gate);
        state->elapsed_us = clock_now_us() - start_us;
        if (is_done) {
            count_pair(selfplay, &slot->record, state);
            goes_on = (hooks->pair == NULL || hooks->pair(hooks->context, state, &slot->record)) &&
                      state->verdict == SPRT_OPEN;
        }
        if (clock_now_us() >= tick_us) {
            goes_on &= hooks->tick == NULL || hooks->tick(hooks->context, state);
            tick_us = clock_now_us() + TICK_US;
        }
        gate_lock(&hall->gate);
        if (!is_done)
            continue;
        slot->is_done = false;
        hall->taken++;
        for (unsigned i = 0; i < selfplay->threads; i++)
            gate_ring(&hall->hands[i].bell);
    }
}

static enum rk_status hand_start(struct hall *hall, struct table_hand *hand)
{
    hand->hall = hall;
    enum rk_status status = bell_init(&hand->bell);
    if (status != RK_OK)
        return status;
    hand->has_bell = true;
    status = arena_create(&hall->stop, &hand->arena);
    if (status != RK_OK)
        return status;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return RK_SYSTEM;
    hand->has_thread = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                       pthread_create(&hand->thread, &attributes, hand_run, hand) == 0;
    (void)pthread_attr_destroy(&attributes);
    return hand->has_thread ? RK_OK : RK_SYSTEM;
}

static void hand_end(struct table_hand *hand)
{
    if (hand->has_thread)
        REQUIRE(pthread_join(hand->thread, NULL) == 0);
    if (hand->has_bell)
        bell_clear(&hand->bell);
    arena_destroy(hand->arena);
}

/* The gate stays locked until every hand has its bell, so that none is rung too early. */
static enum rk_status hall_run(struct hall *hall, struct selfplay_state *state)
{
    const unsigned threads = hall->selfplay->threads;
    gate_lock(&hall->gate);
    enum rk_status status = RK_OK;
    for (unsigned i = 0; i < threads && status == RK_OK; i++)
        status = hand_start(hall, &hall->hands[i]);
    if (status == RK_OK)
        hall_watch(hall, state);
    else
        hall->status = status;
    atomic_store_explicit(&hall->stop, true, memory_order_relaxed);
    for (unsigned i = 0; i < threads; i++)
        if (hall->hands[i].has_bell)
            gate_ring(&hall->hands[i].bell);
    gate_unlock(&hall->gate);
    for (unsigned i = 0; i < threads; i++)
        hand_end(&hall->hands[i]);
    return hall->status;
}

static enum rk_status hall_open(struct hall *hall, struct selfplay_state *state)
{
    hall->window = SLOTS_PER_THREAD * hall->selfplay->threads;
    hall->slots = memory_allocate(hall->window * sizeof *hall->slots);
    hall->hands = memory_allocate(hall->selfplay->threads * sizeof *hall->hands);
    if (hall->slots == NULL || hall->hands == NULL)
        return RK_NO_MEMORY;
    enum rk_status status = gate_init(&hall->gate);
    if (status != RK_OK)
        return status;
    status = bell_init(&hall->bell);
    if (status == RK_OK) {
        status = hall_run(hall, state);
        bell_clear(&hall->bell);
    }
    gate_clear(&hall->gate);
    return status;
}

static bool settings_are_good(const struct player_settings *settings)
{
    const struct player_limits *limits = &settings->limits;
    return settings->hash_mib >= 1 && settings->hash_mib <= PLAYER_HASH_MIB_MAX &&
           settings->switches_off >> SWITCH_COUNT == 0 &&
           (limits->nodes > 0 || limits->depth > 0 || limits->movetime_ms > 0 ||
            limits->time_ms > 0);
}

enum rk_status selfplay_run(const struct selfplay *selfplay, struct selfplay_state *out_state)
{
    const struct arena_rules *rules = &selfplay->rules;
    if (selfplay->threads < 1 || selfplay->threads > SELFPLAY_THREADS_MAX ||
        selfplay->pairs_max < 1 || selfplay->pairs_max > SELFPLAY_PAIRS_MAX ||
        selfplay->opening_plies > OPENING_PLIES_MAX || rules->plies_max < 1 ||
        rules->plies_max > GAME_PLIES_MAX || !settings_are_good(&selfplay->players[0]) ||
        !settings_are_good(&selfplay->players[1]))
        return RK_BAD_ARGUMENT;
    struct hall hall = {.selfplay = selfplay};
    *out_state = (struct selfplay_state){.pairs = 0};
    const enum rk_status status = hall_open(&hall, out_state);
    memory_free(hall.slots);
    memory_free(hall.hands);
    return status;
}
