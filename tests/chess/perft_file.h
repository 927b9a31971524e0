/* tests/chess/perft_file.h: the suites in tests/data/perft, line by line, and how much of them to
 * do: ROOKERY_PERFT is fast (the default of a debug build), ci (of a release) or full. Thread: any.
 */
#ifndef TESTS_CHESS_PERFT_FILE_H
#define TESTS_CHESS_PERFT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PERFT_DEPTH_MAX = 8, PERFT_FILES = 5 };

struct perft_line {
    char text[256]; /* Its FEN, with a final zero. */
    size_t length;
    uint64_t nodes[PERFT_DEPTH_MAX + 1]; /* By depth; 0: not told. */
};

struct perft_file {
    const char *name; /* Without folder and ending. */
    struct perft_line *lines;
    size_t count;
};

enum perft_effort { PERFT_FAST, PERFT_CI, PERFT_FULL };

const char *perft_name(size_t index); /* 0 to PERFT_FILES - 1 */

/* Fails the test when the file is missing or not understood. */
struct perft_file perft_file_read(const char *name);
void perft_file_free(struct perft_file *file);

enum perft_effort perft_effort(void);

#endif
