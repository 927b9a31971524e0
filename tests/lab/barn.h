/* tests/lab/barn.h: what tests of files of games begin with: one file that does not exist yet, and
 * the means to write and to read it. Thread: the test's own. */
#ifndef TESTS_LAB_BARN_H
#define TESTS_LAB_BARN_H

#include "lab/crop.h"

struct barn {
    char path[CROP_PATH_BYTES];
    struct gamefile *file;          /* As last reopened. */
    struct gamefile_cursor *cursor; /* For any use. */
    struct gamefile_writer *writer; /* Given up behind the test, if it still stands. */
    uint64_t cut_bytes;             /* As the last writer was told. */
};

/* Halves of a fixture. */
void barn_setup(struct barn *barn);
void barn_teardown(struct barn *barn);

/* Opens the file anew, which must be possible. */
const struct gamefile_summary *barn_reopen(struct barn *barn);
/* All games of the file are the crop's, from 0 on; how many. */
uint64_t barn_read_all(struct barn *barn, unsigned plies_max);

#endif
