#include "lab/selfplay.h"

#include "base/clock.h"
#include "base/random.h"
#include "lab/hall.h"
#include "lab/player_options.h"

/* What the hall's callbacks see. */
struct match {
    const struct selfplay *selfplay;
    struct selfplay_state *state;
    int64_t start_us;
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

static void count_pair(const struct selfplay *selfplay, const struct pair_record *record,
                       struct selfplay_state *state)
{
    state->pairs++;
    state->pentanomial.counts[record->points]++;
    for (unsigned i = 0; i < GAMES_PER_PAIR; i++) {
        const struct game_record *game = &record->games[i];
        const unsigned points = game->is_first_white ? game->white_points : 2 - game->white_points;
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

static enum rk_status hand_open(void *context, const atomic_bool *stop, void **out_hand)
{
    struct arena *arena;
    (void)context;
    const enum rk_status status = arena_create(stop, &arena);
    if (status == RK_OK)
        *out_hand = arena;
    return status;
}

static void hand_close(void *hand) { arena_destroy(hand); }

static enum rk_status on_work(void *context, void *hand, uint64_t number, void *out_record)
{
    const struct match *match = context;
    return pair_play(match->selfplay, hand, number, out_record);
}

static bool on_take(void *context, uint64_t number, const void *record)
{
    const struct match *match = context;
    const struct selfplay_hooks *hooks = &match->selfplay->hooks;
    (void)number;
    match->state->elapsed_us = clock_now_us() - match->start_us;
    count_pair(match->selfplay, record, match->state);
    return (hooks->pair == NULL || hooks->pair(hooks->context, match->state, record)) &&
           match->state->verdict == SPRT_OPEN;
}

static bool on_tick(void *context)
{
    const struct match *match = context;
    const struct selfplay_hooks *hooks = &match->selfplay->hooks;
    match->state->elapsed_us = clock_now_us() - match->start_us;
    return hooks->tick == NULL || hooks->tick(hooks->context, match->state);
}

static bool settings_are_good(const struct player_settings *settings)
{
    const struct player_limits *limits = &settings->limits;
    return player_increment_is_of_use(settings) && settings->hash_mib >= 1 &&
           settings->hash_mib <= PLAYER_HASH_MIB_MAX &&
           settings->switches_off >> SWITCH_COUNT == 0 &&
           (limits->nodes > 0 || limits->depth > 0 || limits->movetime_ms > 0 ||
            limits->time_ms > 0);
}

enum rk_status selfplay_run(const struct selfplay *selfplay, struct selfplay_state *out_state)
{
    const struct game_rules *rules = &selfplay->rules;
    if (selfplay->threads < 1 || selfplay->threads > SELFPLAY_THREADS_MAX ||
        selfplay->pairs_max < 1 || selfplay->pairs_max > SELFPLAY_PAIRS_MAX ||
        selfplay->opening_plies > OPENING_PLIES_MAX || rules->plies_max < 1 ||
        rules->plies_max > GAME_PLIES_MAX || !settings_are_good(&selfplay->players[0]) ||
        !settings_are_good(&selfplay->players[1]))
        return RK_BAD_ARGUMENT;
    *out_state = (struct selfplay_state){.pairs = 0};
    struct match match = {.selfplay = selfplay, .state = out_state, .start_us = clock_now_us()};
    const struct hall_plan plan = {.threads = selfplay->threads,
                                   .end = selfplay->pairs_max,
                                   .record_bytes = sizeof(struct pair_record),
                                   .open = hand_open,
                                   .close = hand_close,
                                   .work = on_work,
                                   .take = on_take,
                                   .tick = on_tick,
                                   .context = &match};
    return hall_run(&plan);
}
