/* A first reading counts, for each block, what will be learnt and what is held out. So every block
 * knows its place in the buffer beforehand, and threads that read blocks write where no other
 * does. */
#include "lab/samples.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"

enum { READ_BLOCKS = 64 }; /* At a time, some 4 MiB of a file: well below a second. */

struct samples_block {
    uint32_t file, number;
    uint32_t learnt, held;
    uint64_t place; /* Where its samples go in what is being read. */
    enum gamefile_fault fault;
    int error; /* errno, of the thread that read it. */
};

/* What one thread counts. */
struct samples_hand {
    struct gamefile_cursor *cursor;
    struct samples_summary seen;
};

struct samples {
    struct samples_rules rules;
    struct gang *gang;
    struct samples_watch watch;
    struct gamepile *pile;
    unsigned file_count;
    size_t block_count;
    struct samples_block *blocks;
    uint64_t *file_blocks; /* How many of each file. */
    struct samples_hand *hands;
    struct samples_summary summary;

    uint64_t capacity;
    struct sample *buffer;
    uint32_t *order;
    bool is_loaded; /* All there is stands in the buffer, for good. */

    struct sample *held;
    uint32_t *held_order;
    size_t held_count;

    uint64_t epoch;
    uint32_t *visits;     /* Blocks in the epoch's order. */
    size_t *chunk_visits; /* Where in it each chunk begins; one more tells the end. */
    uint64_t *chunk_before;
    unsigned chunks;
    size_t first_visit;  /* Of what is being read. */
    struct sample *into; /* And where to; NULL: it is only counted. */
    enum samples_fate side;
};

float samples_target(const struct samples_rules *rules, const struct gamefile_game *game,
                     const struct position *position, int score)
{
    const double expected = 1.0 / (1.0 + exp(-score / rules->scale));
    const unsigned halves = position->side == WHITE ? game->white_points : 2 - game->white_points;
    return (float)(rules->lambda * expected + (1.0 - rules->lambda) * halves / 2.0);
}

/* FATE_LEARNT: none of the filters keeps it out. */
static enum samples_fate fate_of(const struct samples_rules *rules,
                                 const struct gamefile_cursor *cursor, unsigned ply)
{
    if (ply < rules->plies_min)
        return FATE_PLY;
    if (abs(cursor->score) > GAMEFILE_SCORE_MAX)
        return FATE_MATE;
    if (!rules->takes_checks && cursor->position->checkers != 0)
        return FATE_CHECK;
    if (!rules->takes_noisy && move_is_noisy(cursor->move))
        return FATE_NOISY;
    return (unsigned)abs(cursor->score) > rules->score_max ? FATE_SCORE : FATE_LEARNT;
}

/* The plies of the game at hand, written from *into on if there is such a place. How many. */
static uint32_t game_read(const struct samples *samples, struct samples_hand *hand,
                          enum samples_fate side, struct sample *into)
{
    struct gamefile_cursor *cursor = hand->cursor;
    uint32_t count = 0;
    for (unsigned ply = 0; gamefile_next_ply(cursor); ply++) {
        enum samples_fate fate = fate_of(&samples->rules, cursor, ply);
        if (fate == FATE_LEARNT) {
            fate = side;
            if (into != NULL)
                sample_write(&into[count], cursor->position,
                             samples_target(&samples->rules, &cursor->game, cursor->position,
                                            cursor->score));
            count++;
        }
        hand->seen.fates[fate]++;
    }
    return count;
}

/* One block: counted, or its samples of one side put where they belong. */
static void block_read(void *context, unsigned piece, unsigned hand_number)
{
    struct samples *samples = context;
    struct samples_hand *hand = &samples->hands[hand_number];
    const bool counts = samples->into == NULL;
    const size_t visit = samples->first_visit + piece;
    const size_t index = counts ? visit : samples->visits[visit];
    struct samples_block *block = &samples->blocks[index];
    uint64_t place = block->place;
    block->fault =
        gamefile_load(gamepile_file(samples->pile, block->file), block->number, hand->cursor);
    while (block->fault == GAMEFILE_FINE && gamefile_next_game(hand->cursor)) {
        const uint64_t hash = gamefile_game_hash(hand->cursor);
        const bool is_held =
            gamepile_is_first(hash, samples->rules.held_permille, samples->rules.seed);
        const enum samples_fate side = is_held ? FATE_HELD : FATE_LEARNT;
        if (counts) {
            uint32_t *count = is_held ? &block->held : &block->learnt;
            *count += game_read(samples, hand, side, NULL);
            hand->seen.games++;
            hand->seen.held_games += is_held;
            hand->seen.print += hash;
        } else if (side == samples->side) {
            place += game_read(samples, hand, side, samples->into + place);
        }
    }
    if (block->fault == GAMEFILE_FINE)
        block->fault = gamefile_cursor_fault(hand->cursor);
    block->error = errno;
}

/* `count` blocks from visit `first` on. */
static enum gamefile_fault blocks_read(struct samples *samples, size_t first, size_t count,
                                       struct gamepile_place *out_place)
{
    const struct samples_watch *watch = &samples->watch;
    for (size_t done = 0; done < count; done += READ_BLOCKS) {
        if (watch->goes_on != NULL && !watch->goes_on(watch->context))
            return GAMEFILE_STOPPED;
        samples->first_visit = first + done;
        gang_run(samples->gang, (unsigned)(count - done < READ_BLOCKS ? count - done : READ_BLOCKS),
                 block_read, samples);
    }
    for (size_t i = 0; i < samples->block_count; i++) {
        const struct samples_block *block = &samples->blocks[i];
        if (block->fault == GAMEFILE_FINE)
            continue;
        *out_place = (struct gamepile_place){
            .file = block->file,
            .block = block->number,
            .offset =
                gamefile_block(gamepile_file(samples->pile, block->file), block->number)->offset};
        errno = block->error;
        return block->fault;
    }
    return GAMEFILE_FINE;
}

static void summary_gather(struct samples *samples)
{
    struct samples_summary *sum = &samples->summary;
    for (unsigned i = 0; i < gang_threads(samples->gang); i++) {
        const struct samples_summary *seen = &samples->hands[i].seen;
        sum->games += seen->games;
        sum->held_games += seen->held_games;
        sum->print += seen->print;
        for (unsigned fate = 0; fate < FATE_COUNT; fate++)
            sum->fates[fate] += seen->fates[fate];
    }
}

/* The held-out samples, block by block, as many whole blocks as there is room for. */
static enum gamefile_fault held_read(struct samples *samples, struct gamepile_place *out_place)
{
    size_t blocks = 0;
    for (; blocks < samples->block_count; blocks++) {
        struct samples_block *block = &samples->blocks[blocks];
        if (samples->held_count + block->held > SAMPLES_HELD_MAX)
            break;
        block->place = samples->held_count;
        samples->held_count += block->held;
        samples->visits[blocks] = (uint32_t)blocks;
    }
    samples->held = memory_allocate((samples->held_count + 1) * sizeof *samples->held);
    samples->held_order = memory_allocate((samples->held_count + 1) * sizeof *samples->held_order);
    if (samples->held == NULL || samples->held_order == NULL)
        return GAMEFILE_NO_MEMORY;
    for (size_t i = 0; i < samples->held_count; i++)
        samples->held_order[i] = (uint32_t)i;
    samples->into = samples->held;
    samples->side = FATE_HELD;
    return blocks_read(samples, 0, blocks, out_place);
}

static enum gamefile_fault blocks_list(struct samples *samples, const uint64_t *blocks)
{
    size_t count = 0;
    samples->file_blocks = memory_allocate(samples->file_count * sizeof *samples->file_blocks);
    if (samples->file_blocks == NULL)
        return GAMEFILE_NO_MEMORY;
    for (unsigned file = 0; file < samples->file_count; file++) {
        const uint64_t there = gamefile_summary(gamepile_file(samples->pile, file))->blocks;
        samples->file_blocks[file] = blocks != NULL && blocks[file] < there ? blocks[file] : there;
        count += samples->file_blocks[file];
    }
    samples->block_count = count;
    samples->blocks = memory_allocate((count + 1) * sizeof *samples->blocks);
    samples->visits = memory_allocate((count + 1) * sizeof *samples->visits);
    samples->chunk_visits = memory_allocate((count + 2) * sizeof *samples->chunk_visits);
    samples->chunk_before = memory_allocate((count + 2) * sizeof *samples->chunk_before);
    if (samples->blocks == NULL || samples->visits == NULL || samples->chunk_visits == NULL ||
        samples->chunk_before == NULL)
        return GAMEFILE_NO_MEMORY;
    struct samples_block *block = samples->blocks;
    for (unsigned file = 0; file < samples->file_count; file++)
        for (uint64_t i = 0; i < samples->file_blocks[file]; i++)
            *block++ = (struct samples_block){.file = file, .number = (uint32_t)i};
    return GAMEFILE_FINE;
}

/* The buffer holds what was asked for, but any one block, and no more than there is. */
static enum gamefile_fault buffer_make(struct samples *samples, uint64_t buffer)
{
    uint64_t greatest = 1;
    for (size_t i = 0; i < samples->block_count; i++)
        if (samples->blocks[i].learnt > greatest)
            greatest = samples->blocks[i].learnt;
    const uint64_t all = samples->summary.fates[FATE_LEARNT];
    uint64_t capacity = buffer < all ? buffer : all;
    capacity = capacity < greatest ? greatest : capacity;
    samples->capacity = capacity > UINT32_MAX ? UINT32_MAX : capacity;
    samples->buffer = memory_allocate(samples->capacity * sizeof *samples->buffer);
    samples->order = memory_allocate(samples->capacity * sizeof *samples->order);
    return samples->buffer == NULL || samples->order == NULL ? GAMEFILE_NO_MEMORY : GAMEFILE_FINE;
}

static enum gamefile_fault hands_open(struct samples *samples)
{
    const unsigned threads = gang_threads(samples->gang);
    samples->hands = memory_allocate(threads * sizeof *samples->hands);
    if (samples->hands == NULL)
        return GAMEFILE_NO_MEMORY;
    enum gamefile_fault fault = GAMEFILE_FINE;
    for (unsigned i = 0; i < threads && fault == GAMEFILE_FINE; i++)
        fault = gamefile_cursor_create(&samples->hands[i].cursor);
    return fault;
}

/* What is missing from a file is not left out silently. */
static enum gamefile_fault files_are_whole(const struct samples *samples,
                                           struct gamepile_place *out_place)
{
    for (unsigned file = 0; file < samples->file_count; file++) {
        const struct gamefile_summary *summary =
            gamefile_summary(gamepile_file(samples->pile, file));
        if (summary->gaps == 0 && !summary->is_tail_broken)
            continue;
        *out_place = (struct gamepile_place){
            .file = file, .offset = summary->gaps > 0 ? summary->first_gap : summary->bytes};
        return GAMEFILE_HEADER;
    }
    return GAMEFILE_FINE;
}

static enum gamefile_fault samples_fill(struct samples *samples, const uint64_t *blocks,
                                        uint64_t buffer, struct gamepile_place *out_place)
{
    enum gamefile_fault fault = files_are_whole(samples, out_place);
    if (fault == GAMEFILE_FINE)
        fault = hands_open(samples);
    if (fault == GAMEFILE_FINE)
        fault = blocks_list(samples, blocks);
    if (fault == GAMEFILE_FINE)
        fault = blocks_read(samples, 0, samples->block_count, out_place);
    if (fault != GAMEFILE_FINE)
        return fault;
    summary_gather(samples);
    fault = held_read(samples, out_place);
    return fault == GAMEFILE_FINE ? buffer_make(samples, buffer) : fault;
}

enum gamefile_fault samples_open(const char *const *paths, unsigned count, const uint64_t *blocks,
                                 const struct samples_rules *rules, uint64_t buffer,
                                 struct gang *gang, struct samples_watch watch,
                                 struct samples **out_samples, struct gamepile_place *out_place)
{
    struct samples *samples = memory_allocate(sizeof *samples);
    if (samples == NULL)
        return GAMEFILE_NO_MEMORY;
    samples->rules = *rules;
    samples->gang = gang;
    samples->watch = watch;
    samples->file_count = count;
    enum gamefile_fault fault = gamepile_open(paths, count, &samples->pile, out_place);
    if (fault == GAMEFILE_FINE)
        fault = samples_fill(samples, blocks, buffer, out_place);
    if (fault != GAMEFILE_FINE)
        samples_close(samples);
    else
        *out_samples = samples;
    return fault;
}

void samples_close(struct samples *samples)
{
    if (samples == NULL)
        return;
    if (samples->hands != NULL)
        for (unsigned i = 0; i < gang_threads(samples->gang); i++)
            gamefile_cursor_destroy(samples->hands[i].cursor);
    gamepile_close(samples->pile);
    memory_free(samples->hands);
    memory_free(samples->file_blocks);
    memory_free(samples->blocks);
    memory_free(samples->visits);
    memory_free(samples->chunk_visits);
    memory_free(samples->chunk_before);
    memory_free(samples->buffer);
    memory_free(samples->order);
    memory_free(samples->held);
    memory_free(samples->held_order);
    memory_free(samples);
}

const struct samples_summary *samples_summary(const struct samples *samples)
{
    return &samples->summary;
}

uint64_t samples_blocks(const struct samples *samples, unsigned file)
{
    return samples->file_blocks[file];
}

/* Numbers 0 to count - 1 mixed. */
static void numbers_mix(uint32_t *numbers, size_t count, uint64_t seed)
{
    uint64_t random = seed;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        const size_t other = bits_multiply_high(random_next(&random), i);
        const uint32_t number = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = number;
    }
}

/* One seed from three numbers. */
static uint64_t seed_of(uint64_t seed, uint64_t epoch, uint64_t chunk)
{
    uint64_t state = seed;
    state = random_next(&state) ^ epoch;
    state = random_next(&state) ^ chunk;
    return random_next(&state);
}

unsigned samples_begin(struct samples *samples, uint64_t epoch)
{
    const bool is_whole = samples->summary.fates[FATE_LEARNT] <= samples->capacity;
    samples->epoch = epoch;
    numbers_mix(samples->visits, samples->block_count,
                is_whole ? 0 : seed_of(samples->rules.seed, epoch, UINT64_MAX));
    uint64_t before = 0, in_chunk = 0;
    samples->chunks = 0;
    for (size_t i = 0; i < samples->block_count; i++) {
        const uint32_t learnt = samples->blocks[samples->visits[i]].learnt;
        if (i == 0 || in_chunk + learnt > samples->capacity) {
            samples->chunk_visits[samples->chunks] = i;
            samples->chunk_before[samples->chunks++] = before;
            in_chunk = 0;
        }
        before += learnt;
        in_chunk += learnt;
    }
    samples->chunk_visits[samples->chunks] = samples->block_count;
    samples->chunk_before[samples->chunks] = before;
    return samples->chunks;
}

uint64_t samples_before(const struct samples *samples, unsigned chunk)
{
    return samples->chunk_before[chunk];
}

enum gamefile_fault samples_load(struct samples *samples, unsigned chunk,
                                 struct samples_view *out_view, struct gamepile_place *out_place)
{
    const size_t first = samples->chunk_visits[chunk], end = samples->chunk_visits[chunk + 1];
    const uint64_t count = samples->chunk_before[chunk + 1] - samples->chunk_before[chunk];
    if (!samples->is_loaded) {
        uint64_t place = 0;
        for (size_t i = first; i < end; i++) {
            struct samples_block *block = &samples->blocks[samples->visits[i]];
            block->place = place;
            place += block->learnt;
        }
        samples->into = samples->buffer;
        samples->side = FATE_LEARNT;
        const enum gamefile_fault fault = blocks_read(samples, first, end - first, out_place);
        if (fault != GAMEFILE_FINE)
            return fault;
        samples->is_loaded = samples->chunks == 1;
    }
    numbers_mix(samples->order, count, seed_of(samples->rules.seed, samples->epoch, chunk));
    *out_view =
        (struct samples_view){.samples = samples->buffer, .order = samples->order, .count = count};
    return GAMEFILE_FINE;
}

struct samples_view samples_held(const struct samples *samples)
{
    return (struct samples_view){
        .samples = samples->held, .order = samples->held_order, .count = samples->held_count};
}
