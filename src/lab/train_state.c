/* A checkpoint tells settings and data as text; a run goes on only where both are what they were.
 * Files may have grown meanwhile: the blocks that were there at the start are meant. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "lab/snapshot.h"
#include "lab/train_work.h"

enum train_end train_fail(struct train_work *work, enum train_end end, const char *path,
                          const char *suffix)
{
    (void)snprintf(work->result->path, sizeof work->result->path, "%s%s", path, suffix);
    return end;
}

enum train_end train_blame(struct train_work *work, enum gamefile_fault fault)
{
    work->result->fault = fault;
    return fault == GAMEFILE_FINE        ? TRAIN_DONE
           : fault == GAMEFILE_NO_MEMORY ? TRAIN_NO_MEMORY
           : fault == GAMEFILE_STOPPED   ? TRAIN_STOPPED
                                         : TRAIN_DATA;
}

/* The memory and the three rows of the optimizer. */
enum { PART_COUNT = 4 };
static void parts_list(const struct train_work *work, struct snapshot_part out_parts[PART_COUNT])
{
    const struct optimizer *optimizer = &work->optimizer;
    const size_t bytes = optimizer->layout.count * sizeof(float);
    out_parts[0] = (struct snapshot_part){work->memory, sizeof *work->memory};
    out_parts[1] = (struct snapshot_part){optimizer->values, bytes};
    out_parts[2] = (struct snapshot_part){optimizer->means, bytes};
    out_parts[3] = (struct snapshot_part){optimizer->powers, bytes};
}

static bool checkpoint_path(const struct train_work *work, char out_path[WHOLEFILE_PATH_BYTES])
{
    return snprintf(out_path, WHOLEFILE_PATH_BYTES, "%s%s", work->train->network,
                    TRAIN_STATE_SUFFIX) < WHOLEFILE_PATH_BYTES;
}

enum train_end train_state_save(struct train_work *work)
{
    char path[WHOLEFILE_PATH_BYTES];
    struct snapshot_part parts[PART_COUNT];
    errno = ENAMETOOLONG;
    if (!checkpoint_path(work, path))
        return train_fail(work, TRAIN_SYSTEM, work->train->network, "");
    work->memory->steps = work->optimizer.steps;
    parts_list(work, parts);
    const enum snapshot_fault fault = snapshot_write(path, parts, PART_COUNT);
    work->saved_us = clock_now_us();
    if (fault == SNAPSHOT_NO_MEMORY)
        return TRAIN_NO_MEMORY;
    return fault == SNAPSHOT_FINE ? TRAIN_DONE : train_fail(work, TRAIN_SYSTEM, path, "");
}

/* A checksum tells that a file is what was written, not by whom. */
static bool floats_are_sound(const struct train_work *work)
{
    const struct optimizer *optimizer = &work->optimizer;
    for (size_t i = 0; i < optimizer->layout.count; i++)
        if (!isfinite(optimizer->values[i]) || !isfinite(optimizer->means[i]) ||
            !isfinite(optimizer->powers[i]) || optimizer->powers[i] < 0.0f)
            return false;
    return isfinite(work->memory->errors);
}

static bool rows_are_sound(const struct train_memory *memory)
{
    uint64_t steps = 0;
    for (uint64_t i = 0; i < memory->epoch; steps = memory->rows[i++].steps) {
        const struct train_row *row = &memory->rows[i];
        if (row->epoch != i + 1 || row->steps <= steps || !isfinite(row->rate) ||
            !isfinite(row->learnt_loss) || !isfinite(row->held_loss))
            return false;
    }
    return memory->steps >= steps;
}

/* Chunk and batch of an epoch are such a place as this data has, and what was learnt led there. */
static bool place_is_sound(const struct train_work *work)
{
    const struct train_memory *memory = work->memory;
    uint64_t learnt = 0;
    if (memory->chunk >= samples_begin(work->samples, memory->epoch))
        return false;
    for (unsigned i = 0; i <= memory->chunk; i++) {
        const uint64_t count =
            samples_before(work->samples, i + 1) - samples_before(work->samples, i);
        const uint64_t size = train_batch(work, count);
        const uint64_t batches = size == 0 ? 0 : count / size;
        const uint64_t done = i < memory->chunk ? batches : memory->batch;
        if (done > batches)
            return false;
        learnt += done * size;
    }
    return memory->learnt == learnt;
}

/* Settings and data are known to be those of the checkpoint. */
static bool state_is_sound(const struct train_work *work)
{
    const struct train_memory *memory = work->memory;
    const uint64_t epochs = work->settings.epochs;
    return (memory->epoch < epochs ||
            (memory->epoch == epochs && memory->chunk == 0 && memory->batch == 0)) &&
           rows_are_sound(memory) && place_is_sound(work) && floats_are_sound(work);
}

/* Into the memory and the optimizer, if there is a checkpoint. */
static enum train_end state_load(struct train_work *work, bool *out_is_there)
{
    char path[WHOLEFILE_PATH_BYTES];
    struct snapshot_part parts[PART_COUNT];
    errno = ENAMETOOLONG;
    if (!checkpoint_path(work, path))
        return train_fail(work, TRAIN_SYSTEM, work->train->network, "");
    parts_list(work, parts);
    enum snapshot_fault fault = snapshot_read(path, parts, PART_COUNT);
    if (fault == SNAPSHOT_FINE && memchr(work->memory->text, 0, TRAIN_TEXT_BYTES) == NULL)
        fault = SNAPSHOT_BROKEN;
    *out_is_there = fault == SNAPSHOT_FINE;
    work->optimizer.steps = work->memory->steps;
    switch (fault) {
    case SNAPSHOT_FINE:
    case SNAPSHOT_NONE: return TRAIN_DONE;
    case SNAPSHOT_NO_MEMORY: return TRAIN_NO_MEMORY;
    case SNAPSHOT_SYSTEM: return train_fail(work, TRAIN_SYSTEM, path, "");
    case SNAPSHOT_BROKEN: return train_fail(work, TRAIN_BROKEN, path, "");
    default: return train_fail(work, TRAIN_OTHER, path, "");
    }
}

/* Reads the data that a checkpoint means, and compares. */
enum train_end train_data_open(struct train_work *work)
{
    const struct train *train = work->train;
    char text[TRAIN_TEXT_BYTES] = "", data[TRAIN_TITLE_BYTES]; /* All of it is kept. */
    bool is_resumed = false;
    const enum train_end end = state_load(work, &is_resumed);
    if (end != TRAIN_DONE)
        return end;
    const enum gamefile_fault fault =
        samples_open(train->paths, train->path_count, is_resumed ? work->memory->file_blocks : NULL,
                     &work->settings.rules, work->settings.buffer, work->gang,
                     (struct samples_watch){train->reading, train->context}, &work->samples,
                     &work->result->place);
    if (fault != GAMEFILE_FINE)
        return train_blame(work, fault);
    const struct samples_summary *summary = samples_summary(work->samples);
    if (summary->fates[FATE_LEARNT] == 0)
        return TRAIN_NOTHING;
    train_settings_text(&work->settings, text);
    (void)snprintf(data, sizeof data, "; %" PRIu64 " games, %" PRIu64 " positions, %016" PRIx64,
                   summary->games, summary->fates[FATE_LEARNT], summary->print);
    const size_t length = strlen(text);
    (void)snprintf(text + length, sizeof text - length, "%s", data);
    if (is_resumed && strncmp(text, work->memory->text, sizeof text) != 0) {
        memcpy(work->result->text, work->memory->text, sizeof work->result->text);
        return train_fail(work, TRAIN_OTHER, train->network, TRAIN_STATE_SUFFIX);
    }
    if (is_resumed && !state_is_sound(work))
        return train_fail(work, TRAIN_BROKEN, train->network, TRAIN_STATE_SUFFIX);
    memcpy(work->memory->text, text, sizeof text);
    for (unsigned i = 0; i < train->path_count; i++)
        work->memory->file_blocks[i] = samples_blocks(work->samples, i);
    if (!is_resumed)
        network_float_draw(&work->optimizer.layout, work->settings.rules.seed,
                           work->optimizer.values);
    return TRAIN_DONE;
}
