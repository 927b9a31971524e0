/* The place of a run is a batch of a chunk of an epoch. A checkpoint holds it with the weights, the
 * optimizer's memory of them and the rows so far; order and rate follow from the place. */
#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "lab/train_work.h"

enum { TELL_PIECE = 4096 };

static void slice_learn(void *context, unsigned slice, unsigned hand)
{
    struct train_work *work = context;
    const unsigned slices = work->optimizer.slices;
    const size_t from = work->count * slice / slices, to = work->count * (slice + 1) / slices;
    (void)hand;
    work->errors[slice] = work->kernels->learn(
        &work->optimizer.layout, work->optimizer.values, work->view.samples,
        work->view.order + work->first + from, to - from, work->optimizer.gradients[slice]);
}

/* Epochs and the part of one that are over. */
static double epochs_over(const struct train_work *work)
{
    const double all = (double)samples_summary(work->samples)->fates[FATE_LEARNT];
    return (double)work->memory->epoch + (double)work->memory->learnt / all;
}

static double rate_now(const struct train_work *work)
{
    return optimizer_rate(&work->settings.optimizer, work->optimizer.steps + 1, epochs_over(work),
                          work->settings.epochs);
}

static void batch_learn(struct train_work *work)
{
    struct train_memory *memory = work->memory;
    const double rate = rate_now(work);
    gang_run(work->gang, work->optimizer.slices, slice_learn, work);
    for (unsigned i = 0; i < work->optimizer.slices; i++)
        memory->errors += work->errors[i];
    optimizer_step(&work->optimizer, work->kernels, work->gang, rate, work->count);
    memory->learnt += work->count;
    memory->rows[memory->epoch].rate = rate;
    work->news.positions += work->count;
}

/* Squared errors of held-out samples, a piece each. */
struct exam {
    struct train_work *work;
    struct samples_view view;
    double *errors;
};

static void exam_piece(void *context, unsigned piece, unsigned hand)
{
    const struct exam *exam = context;
    const struct train_work *work = exam->work;
    float logits[TELL_PIECE];
    const size_t from = (size_t)piece * TELL_PIECE;
    const size_t count =
        exam->view.count - from < TELL_PIECE ? exam->view.count - from : TELL_PIECE;
    (void)hand;
    work->kernels->tell(&work->optimizer.layout, work->optimizer.values, exam->view.samples,
                        exam->view.order + from, count, logits);
    exam->errors[piece] = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double points = 1.0 / (1.0 + exp(-(double)logits[i]));
        const double error = points - (double)exam->view.samples[exam->view.order[from + i]].target;
        exam->errors[piece] += error * error;
    }
}

/* The mean of the held-out ones; 0 when there are none. */
static enum train_end held_examine(struct train_work *work, double *out_loss)
{
    struct exam exam = {.work = work, .view = samples_held(work->samples)};
    const size_t pieces = (exam.view.count + TELL_PIECE - 1) / TELL_PIECE;
    *out_loss = 0.0;
    if (pieces == 0)
        return TRAIN_DONE;
    exam.errors = memory_allocate(pieces * sizeof *exam.errors);
    if (exam.errors == NULL)
        return TRAIN_NO_MEMORY;
    gang_run(work->gang, (unsigned)pieces, exam_piece, &exam);
    for (size_t i = 0; i < pieces; i++)
        *out_loss += exam.errors[i];
    *out_loss /= (double)exam.view.count;
    memory_free(exam.errors);
    return TRAIN_DONE;
}

static void news_set(struct train_work *work)
{
    const struct train_memory *memory = work->memory;
    struct train_news *news = &work->news;
    news->data = samples_summary(work->samples);
    news->epoch = memory->epoch + 1;
    news->share = epochs_over(work) / work->settings.epochs;
    news->learnt_loss = memory->learnt == 0 ? 0.0 : memory->errors / (double)memory->learnt;
    news->held_loss = memory->epoch == 0 ? -1.0 : memory->rows[memory->epoch - 1].held_loss;
    news->learning_us = clock_now_us() - work->start_us;
}

/* After a step: whether to stop, and a checkpoint if it is time. */
static enum train_end step_end(struct train_work *work)
{
    news_set(work);
    const bool goes_on = work->train->tick(work->train->context, &work->news);
    enum train_end end = TRAIN_DONE;
    if (!goes_on || clock_now_us() - work->saved_us >= work->train->checkpoint_us)
        end = train_state_save(work);
    return end == TRAIN_DONE && !goes_on ? TRAIN_STOPPED : end;
}

static enum train_end stop(struct train_work *work)
{
    const enum train_end end = train_state_save(work);
    return end == TRAIN_DONE ? TRAIN_STOPPED : end;
}

/* From the batch at hand on. What does not fill a batch is left to another epoch's order. */
static enum train_end chunk_learn(struct train_work *work)
{
    struct train_memory *memory = work->memory;
    const enum gamefile_fault fault =
        samples_load(work->samples, (unsigned)memory->chunk, &work->view, &work->result->place);
    if (fault != GAMEFILE_FINE)
        return fault == GAMEFILE_STOPPED ? stop(work) : train_blame(work, fault);
    const size_t batch = train_batch(work, work->view.count);
    const size_t batches = batch == 0 ? 0 : work->view.count / batch;
    enum train_end end = TRAIN_DONE;
    while (memory->batch < batches && end == TRAIN_DONE) {
        work->first = memory->batch * batch;
        work->count = batch;
        batch_learn(work);
        memory->batch++;
        end = step_end(work);
    }
    return end;
}

/* The next epoch's beginning; what was made is written if it is time, or all is done. */
static enum train_end epoch_end(struct train_work *work)
{
    struct train_memory *memory = work->memory;
    struct train_row *row = &memory->rows[memory->epoch];
    enum train_end end = held_examine(work, &row->held_loss);
    if (end != TRAIN_DONE)
        return end;
    row->epoch = memory->epoch + 1;
    row->steps = work->optimizer.steps;
    row->learnt_loss = memory->errors / (double)memory->learnt;
    memory->epoch++;
    memory->chunk = memory->batch = memory->learnt = 0;
    memory->errors = 0.0;
    const int64_t now_us = clock_now_us();
    if (memory->epoch < work->settings.epochs &&
        now_us - work->told_us < work->train->checkpoint_us)
        return TRAIN_DONE;
    work->told_us = now_us;
    end = train_state_save(work);
    return end == TRAIN_DONE ? train_results_save(work) : end;
}

static enum train_end epoch_learn(struct train_work *work)
{
    struct train_memory *memory = work->memory;
    const unsigned chunks = samples_begin(work->samples, memory->epoch);
    while (memory->chunk < chunks) {
        const enum train_end end = chunk_learn(work);
        if (end != TRAIN_DONE)
            return end;
        memory->chunk++;
        memory->batch = 0;
    }
    return epoch_end(work);
}

static enum train_end work_run(struct train_work *work)
{
    struct train_memory *memory = work->memory;
    enum train_end end = train_data_open(work);
    if (end != TRAIN_DONE)
        return end;
    work->start_us = work->saved_us = work->told_us = clock_now_us();
    news_set(work);
    if (work->train->begun != NULL)
        work->train->begun(work->train->context, &work->news, memory->epoch, memory->steps);
    /* Who was killed between a checkpoint and what is made of it finds it made now. */
    if (memory->epoch > 0 && memory->chunk == 0 && memory->batch == 0)
        end = train_results_save(work);
    while (memory->epoch < work->settings.epochs && end == TRAIN_DONE)
        end = epoch_learn(work);
    if (memory->epoch > 0)
        work->result->row = memory->rows[memory->epoch - 1];
    work->result->positions = work->news.positions;
    work->result->learning_us = clock_now_us() - work->start_us;
    return end;
}

/* Two at once would take each other's checkpoints and unfinished files. */
static enum train_end locked_run(struct train_work *work)
{
    const char *network = work->train->network;
    const int lock = wholefile_lock(network);
    if (lock < 0)
        return errno == EWOULDBLOCK ? train_fail(work, TRAIN_BUSY, network, "")
                                    : train_fail(work, TRAIN_SYSTEM, network, WHOLEFILE_LOCK);
    const enum train_end end = work_run(work);
    wholefile_unlock(lock, network);
    return end;
}

enum train_end train_run(const struct train *train, struct train_result *out_result)
{
    struct network_layout layout;
    struct train_work work = {.train = train,
                              .settings = train->settings,
                              .result = out_result,
                              .kernels = kernels_best()};
    *out_result = (struct train_result){.fault = GAMEFILE_FINE};
    REQUIRE(train->path_count >= 1 && train->path_count <= TRAIN_FILES_MAX &&
            train->settings.epochs <= TRAIN_EPOCHS_MAX);
    if (!network_layout_init(&layout, &train->settings.shape))
        return TRAIN_SHAPE;
    work.memory = memory_allocate(sizeof *work.memory);
    enum rk_status status = work.memory == NULL ? RK_NO_MEMORY : RK_OK;
    if (status == RK_OK)
        status = optimizer_init(&work.optimizer, &layout, &work.settings.optimizer,
                                work.settings.slices);
    if (status == RK_OK)
        status = gang_create(train->threads, &work.gang);
    const enum train_end end = status == RK_OK          ? locked_run(&work)
                               : status == RK_NO_MEMORY ? TRAIN_NO_MEMORY
                                                        : TRAIN_THREADS;
    samples_close(work.samples);
    gang_destroy(work.gang);
    optimizer_clear(&work.optimizer);
    memory_free(work.memory);
    return end;
}
