/* app/ablate.h: the words of `rookery ablate`, its files, and its half that plays games.
 * Thread: the main thread. */
#ifndef APP_ABLATE_H
#define APP_ABLATE_H

#include "lab/ablate_table.h"

struct ablate_words {
    const char *fens, *csv, *svg, *openings, *sprt;
    uint64_t depth, hash_mib, repeat_ms;
    uint64_t games, nodes, seed, threads; /* games 0: positions, no games. */
    bool is_plain, is_markdown, wants_help;
};

/* What is written. One failure is told, the first; after it there is no use in going on. */
struct ablate_files {
    FILE *text; /* NULL: stdout is the CSV's. */
    FILE *csv, *svg;
    bool has_failed;
};

/* All that the words name, before the work: false, and nothing is open, after saying why not. */
bool ablate_files_open(const struct ablate_words *words, struct ablate_files *out_files);
/* After each row, since rows take long: whether all of the tables has arrived so far. */
bool ablate_files_flush(const struct ablate_words *words, struct ablate_files *files);
/* Whether all has arrived in the end. */
bool ablate_files_close(const struct ablate_words *words, struct ablate_files *files);

/* Plays a match for each row that switches something off; the program's exit status. */
int ablate_games(const struct ablate_words *words, const struct ablate_table *table);

#endif
