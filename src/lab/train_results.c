#include <inttypes.h>
#include <math.h>

#include "base/memory.h"
#include "lab/network_file.h"
#include "lab/train_work.h"

static enum train_end network_save(struct train_work *work)
{
    const struct train_memory *memory = work->memory;
    char description[2 * TRAIN_TEXT_BYTES];
    const struct train_row *row = &memory->rows[memory->epoch - 1];
    (void)snprintf(description, sizeof description,
                   "rookery train: %s; epoch %" PRIu64 ", losses %.6f learnt, %.6f held out",
                   memory->text, memory->epoch, row->learnt_loss, row->held_loss);
    const struct network_file file = {.layout = &work->optimizer.layout,
                                      .values = work->optimizer.values,
                                      .scale = (unsigned)lrint(work->settings.rules.scale),
                                      .description = description};
    const size_t size = network_file_size(&file);
    uint8_t *bytes = memory_allocate(size);
    if (bytes == NULL)
        return TRAIN_NO_MEMORY;
    network_file_fill(&file, bytes);
    const bool is_good = wholefile_write(work->train->network, bytes, size);
    memory_free(bytes);
    return is_good ? TRAIN_DONE : train_fail(work, TRAIN_SYSTEM, work->train->network, "");
}

static enum train_end print_save(struct train_work *work, const char *path, bool is_picture)
{
    const struct train_memory *memory = work->memory;
    if (path == NULL)
        return TRAIN_DONE;
    FILE *file = wholefile_begin(path);
    if (file == NULL)
        return train_fail(work, TRAIN_SYSTEM, path, "");
    const struct network_shape *shape = &work->settings.shape;
    char title[TRAIN_TITLE_BYTES];
    (void)snprintf(title, sizeof title, "%u→%u×2→%u, %" PRIu64 " positions an epoch",
                   shape->areas * NETWORK_INPUTS_PER_AREA, shape->hidden, shape->buckets,
                   samples_summary(work->samples)->fates[FATE_LEARNT]);
    if (is_picture)
        train_print_svg(file, memory->rows, (unsigned)memory->epoch, title);
    else
        train_print_csv(file, memory->rows, (unsigned)memory->epoch);
    return wholefile_end(file, path) ? TRAIN_DONE : train_fail(work, TRAIN_SYSTEM, path, "");
}

enum train_end train_results_save(struct train_work *work)
{
    enum train_end end = network_save(work);
    if (end == TRAIN_DONE)
        end = print_save(work, work->train->csv, false);
    return end == TRAIN_DONE ? print_save(work, work->train->svg, true) : end;
}
