/* lab/checkpoint.h: a run of lab/tune.h as a text file, to go on with later.
 * Numbers are written in full, so a run that was read back is the run that was written. A file is
 * replaced whole: whoever is killed leaves the old one or the new one.
 * Thread: any. */
#ifndef LAB_CHECKPOINT_H
#define LAB_CHECKPOINT_H

#include "lab/tune.h"

enum { CHECKPOINT_BOOK_LINE = 10 }; /* Where the checksum of the openings stands. */

struct checkpoint_fault {
    unsigned line; /* From 1; one past the last when the file ends too early. */
    const char *what;
};

/* RK_SYSTEM with errno. */
enum rk_status checkpoint_write(const char *path, const struct tune *tune);

/* RK_SYSTEM with errno; RK_NO_MEMORY; RK_BAD_ARGUMENT: *out_fault tells what is wrong. */
enum rk_status checkpoint_read(const char *path, struct tune *out_tune,
                               struct checkpoint_fault *out_fault);

/* The same from a text. */
bool checkpoint_parse(struct slice text, struct tune *out_tune, struct checkpoint_fault *out_fault);

#endif
