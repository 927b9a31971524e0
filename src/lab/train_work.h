/* lab/train_work.h: what the parts of lab/train.h share: a run as it goes.
 * Thread: one at a time; gang work reads it and writes its own slice. */
#ifndef LAB_TRAIN_WORK_H
#define LAB_TRAIN_WORK_H

#include "lab/train.h"

enum { TRAIN_TITLE_BYTES = 128 };

/* What is remembered, numbers only. `text` is compared, and they are examined, before they
 * are used. */
struct train_memory {
    char text[TRAIN_TEXT_BYTES]; /* Settings and data. */
    uint64_t file_blocks[TRAIN_FILES_MAX];
    uint64_t epoch, chunk, batch; /* Where to go on. */
    uint64_t steps;
    uint64_t learnt; /* Positions of this epoch, and their squared errors. */
    double errors;
    struct train_row rows[TRAIN_EPOCHS_MAX];
};

struct train_work {
    const struct train *train;
    struct train_settings settings;
    struct train_result *result;
    struct train_news news;
    const struct kernels *kernels;
    struct gang *gang;
    struct samples *samples;
    struct samples_view view;
    struct optimizer optimizer;
    struct train_memory *memory;
    int64_t start_us, saved_us;
    int64_t told_us; /* When network, table and picture were written. */
    /* The batch at hand. */
    size_t first, count;
    double errors[OPTIMIZER_SLICES_MAX];
};

/* Positions a step, of a chunk of `count`. */
static inline uint64_t train_batch(const struct train_work *work, uint64_t count)
{
    return count < work->settings.batch ? count : work->settings.batch;
}

/* The end, with the path that it is about: `path` and `suffix` joined. */
enum train_end train_fail(struct train_work *work, enum train_end end, const char *path,
                          const char *suffix);
/* TRAIN_DONE when all is fine. */
enum train_end train_blame(struct train_work *work, enum gamefile_fault fault);

/* Reads the checkpoint, if there is one, and the data that it means; compares both with what is
 * asked for. */
enum train_end train_data_open(struct train_work *work);
enum train_end train_state_save(struct train_work *work);

/* All that is made of the epochs so far: network, table, picture. */
enum train_end train_results_save(struct train_work *work);

#endif
