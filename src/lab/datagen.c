#include "lab/datagen.h"

#include "base/memory.h"
#include "base/random.h"

enum { PERCENT_MAX = 100 };

/* What the hall's callbacks see. */
struct job {
    const struct datagen *datagen;
    struct gamefile_writer *writer;
    enum gamefile_fault fault;
    uint64_t nodes;
};

/* A thread's own. */
struct hand {
    struct player *player;
    const atomic_bool *stop;
};

void datagen_default(struct datagen *out_datagen)
{
    *out_datagen = (struct datagen){.threads = 1};
    datagame_rules_default(&out_datagen->rules);
}

/* Streams of random numbers that have nothing to do with their neighbours. */
static uint64_t game_seed(uint64_t seed, uint64_t number)
{
    uint64_t state = seed;
    state = random_next(&state) ^ number;
    return random_next(&state);
}

static void hand_close(void *hand)
{
    struct hand *own = hand;
    player_destroy(own->player);
    memory_free(own);
}

static enum rk_status hand_open(void *context, const atomic_bool *stop, void **out_hand)
{
    const struct job *job = context;
    struct hand *own = memory_allocate(sizeof *own);
    if (own == NULL)
        return RK_NO_MEMORY;
    own->stop = stop;
    const enum rk_status status = player_create(job->datagen->rules.hash_mib, stop, &own->player);
    if (status != RK_OK)
        hand_close(own);
    else
        *out_hand = own;
    return status;
}

static enum rk_status on_work(void *context, void *hand, uint64_t number, void *out_record)
{
    const struct job *job = context;
    const struct hand *own = hand;
    return datagame_play(own->player, &job->datagen->rules, game_seed(job->datagen->seed, number),
                         own->stop, out_record);
}

static bool is_enough(const struct datagen *datagen, const struct gamefile_summary *written)
{
    return (datagen->games_max > 0 && written->games >= datagen->games_max) ||
           (datagen->positions_max > 0 && written->positions >= datagen->positions_max);
}

static bool on_take(void *context, uint64_t number, const void *record)
{
    struct job *job = context;
    const struct datagame *game = record;
    (void)number;
    job->fault = gamefile_add(job->writer, &game->game, game->plies);
    job->nodes += game->nodes;
    return job->fault == GAMEFILE_FINE && !is_enough(job->datagen, gamefile_written(job->writer));
}

static bool on_tick(void *context)
{
    const struct job *job = context;
    const struct datagen *datagen = job->datagen;
    return datagen->tick == NULL || datagen->tick(datagen->context, gamefile_written(job->writer));
}

static bool is_good(const struct datagen *datagen)
{
    const struct datagame_rules *rules = &datagen->rules;
    return datagen->threads >= 1 && datagen->threads <= DATAGEN_THREADS_MAX && rules->nodes >= 1 &&
           rules->nodes <= DATAGAME_NODES_MAX && rules->hash_mib >= 1 &&
           rules->hash_mib <= PLAYER_HASH_MIB_MAX && rules->chess960_percent <= PERCENT_MAX &&
           rules->ends.plies_max >= 1 && rules->ends.plies_max <= GAMEFILE_PLIES_MAX;
}

enum rk_status datagen_run(const struct datagen *datagen, struct gamefile_writer *writer,
                           uint64_t *out_nodes, enum gamefile_fault *out_fault)
{
    *out_nodes = 0;
    *out_fault = GAMEFILE_FINE;
    if (!is_good(datagen))
        return RK_BAD_ARGUMENT;
    const struct gamefile_summary *written = gamefile_written(writer);
    if (is_enough(datagen, written))
        return RK_OK;
    struct job job = {.datagen = datagen, .writer = writer};
    const struct hall_plan plan = {.threads = datagen->threads,
                                   .first = written->games,
                                   .end = UINT64_MAX,
                                   .record_bytes = sizeof(struct datagame),
                                   .open = hand_open,
                                   .close = hand_close,
                                   .work = on_work,
                                   .take = on_take,
                                   .tick = on_tick,
                                   .context = &job};
    const enum rk_status status = hall_run(&plan);
    if (job.fault == GAMEFILE_FINE)
        job.fault = gamefile_flush(writer);
    *out_fault = job.fault;
    *out_nodes = job.nodes;
    return status == RK_OK && job.fault != GAMEFILE_FINE ? RK_SYSTEM : status;
}
