/* lab/train.h: from games to a network: epochs of batches, a checkpoint and a network now and
 * then.
 * Weights follow from the settings and the data alone: not from the number of threads, nor from
 * where a run was ended and begun again. What is not in a checkpoint is computed anew.
 * Thread: one caller, who waits inside train_run() and is called back there. */
#ifndef LAB_TRAIN_H
#define LAB_TRAIN_H

#include <stdio.h>

#include "lab/optimizer.h"
#include "lab/samples.h"
#include "lab/wholefile.h"

enum {
    TRAIN_EPOCHS_MAX = 1000,
    TRAIN_BATCH_MAX = 1 << 20,
    TRAIN_TEXT_BYTES = 1024,
    TRAIN_FILES_MAX = 64
};

/* The checkpoint's name is the network's and this. */
#define TRAIN_STATE_SUFFIX ".state"

/* All that the weights depend on beside the data. */
struct train_settings {
    struct network_shape shape;
    struct samples_rules rules;
    struct optimizer_settings optimizer;
    unsigned batch, epochs;
    unsigned slices;
    uint64_t buffer; /* Samples. */
};

/* One epoch. Losses: mean squared errors of the expected points. */
struct train_row {
    uint64_t epoch; /* From 1. */
    uint64_t steps; /* So far. */
    double rate;    /* In its last step. */
    double learnt_loss, held_loss;
};

struct train_news {
    const struct samples_summary *data;
    uint64_t epoch;      /* From 1. */
    double share;        /* Of all epochs that is done. */
    double learnt_loss;  /* Of this epoch so far. */
    double held_loss;    /* After the last epoch; less than 0 before the first. */
    uint64_t positions;  /* Learnt in this run, not those before it was resumed. */
    int64_t learning_us; /* What that took, all but the first reading of the files. */
};

struct train {
    struct train_settings settings;
    const char *const *paths; /* Of files of games: 1 to TRAIN_FILES_MAX. */
    unsigned path_count;
    const char *network;   /* Where the network goes; the checkpoint is beside it. */
    const char *csv, *svg; /* Losses; or NULL. */
    unsigned threads;
    /* So long between checkpoints, and between networks, which are written when an epoch is over;
     * both at the end too. */
    int64_t checkpoint_us;
    /* After each step. False: enough; a checkpoint is written. */
    bool (*tick)(void *context, const struct train_news *news);
    /* Now and then while files are read, with the same answer. May be NULL. */
    bool (*reading)(void *context);
    /* When all files were read, and how many epochs and steps a checkpoint gave. May be NULL. */
    void (*begun)(void *context, const struct train_news *news, uint64_t epochs, uint64_t steps);
    void *context;
};

enum train_end {
    TRAIN_DONE,
    TRAIN_STOPPED, /* `tick` said so. */
    TRAIN_NO_MEMORY,
    TRAIN_THREADS, /* The kernel gives no threads. */
    TRAIN_SYSTEM,  /* A file that is written: errno and `path` tell. */
    TRAIN_DATA,    /* A file of games: fault and place tell. */
    TRAIN_NOTHING, /* No position is left to learn from. */
    TRAIN_SHAPE,   /* No such network. */
    TRAIN_BUSY,    /* Another process writes `path`. */
    TRAIN_BROKEN,  /* The checkpoint `path` is none. */
    TRAIN_OTHER    /* It is that of other settings or other data, as `text` tells. */
};

struct train_result {
    struct train_row row; /* The last epoch. */
    uint64_t positions;
    int64_t learning_us;
    /* For those ends that need them. */
    enum gamefile_fault fault;
    struct gamepile_place place;
    char path[WHOLEFILE_PATH_BYTES];
    char text[TRAIN_TEXT_BYTES];
};

/* The defaults, 768→128×2→1, as docs/network.md tells. */
void train_settings_default(struct train_settings *out_settings);

enum train_end train_run(const struct train *train, struct train_result *out_result);

/* All settings as text, the same for the same. */
void train_settings_text(const struct train_settings *settings, char out_text[TRAIN_TEXT_BYTES]);

/* Rows as a table and as a picture. */
void train_print_csv(FILE *file, const struct train_row *rows, unsigned count);
void train_print_svg(FILE *file, const struct train_row *rows, unsigned count, const char *title);

#endif
