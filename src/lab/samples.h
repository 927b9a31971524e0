/* lab/samples.h: what is learnt from: the positions of files of games, filtered, divided, mixed.
 * A game's own bytes decide whether it is held out, so no game is on both sides. What is learnt
 * passes by in epochs; an epoch in chunks, as many whole blocks as the buffer holds, in an order
 * drawn for the epoch; a chunk in an order drawn for it. Everything follows from the files, the
 * rules, epoch and chunk: a place can be come back to, and the number of threads does not matter.
 * Thread: one at a time. */
#ifndef LAB_SAMPLES_H
#define LAB_SAMPLES_H

#include "lab/gamepile.h"
#include "lab/gang.h"
#include "lab/sample.h"

struct samples_rules {
    bool takes_checks, takes_noisy; /* In check; the move played captures or promotes. */
    unsigned plies_min;             /* Of its game, before it. */
    unsigned score_max;             /* Further from 0: left out. Mates always are. */
    unsigned held_permille;
    double scale;  /* Units of the sigmoid: 1 / (1 + e^(-score / scale)) points are expected. */
    double lambda; /* The score's part in the target; the rest is the result's. */
    uint64_t seed;
};

/* What became of the positions. */
enum samples_fate {
    FATE_LEARNT,
    FATE_HELD,
    FATE_PLY,
    FATE_CHECK,
    FATE_NOISY,
    FATE_MATE,
    FATE_SCORE,
    FATE_COUNT
};

struct samples_summary {
    uint64_t games, held_games;
    uint64_t fates[FATE_COUNT];
    uint64_t print; /* Of all games: other data gives another number. */
};

enum { SAMPLES_HELD_MAX = 1 << 20 }; /* Held out beyond it are not looked at. */

struct samples;

/* Asked now and then while files are read, in samples_open() and samples_load(). False: they end
 * with GAMEFILE_STOPPED. Without `goes_on` they go on. */
struct samples_watch {
    bool (*goes_on)(void *context);
    void *context;
};

/* Reads all files once. `blocks` tells how many of each file are meant, NULL: all there are.
 * `buffer` samples are in memory at once, at least; a pile that fits is read into it once. With a
 * fault out_place tells where. */
enum gamefile_fault samples_open(const char *const *paths, unsigned count, const uint64_t *blocks,
                                 const struct samples_rules *rules, uint64_t buffer,
                                 struct gang *gang, struct samples_watch watch,
                                 struct samples **out_samples, struct gamepile_place *out_place);
void samples_close(struct samples *samples); /* NULL is fine. */

const struct samples_summary *samples_summary(const struct samples *samples);
uint64_t samples_blocks(const struct samples *samples, unsigned file);

/* Chunks of an epoch, which is then the one at hand. */
unsigned samples_begin(struct samples *samples, uint64_t epoch);
/* Samples of that epoch before chunk `chunk`. */
uint64_t samples_before(const struct samples *samples, unsigned chunk);

/* Samples in an order: samples[order[0]], … */
struct samples_view {
    const struct sample *samples;
    const uint32_t *order;
    size_t count;
};
/* Valid until the next call. */
enum gamefile_fault samples_load(struct samples *samples, unsigned chunk,
                                 struct samples_view *out_view, struct gamepile_place *out_place);
struct samples_view samples_held(const struct samples *samples);

/* What the side to move can expect of a position. */
float samples_target(const struct samples_rules *rules, const struct gamefile_game *game,
                     const struct position *position, int score);

#endif
