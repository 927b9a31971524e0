/* app/ablate.h: the words of `rookery ablate`, and its half that plays games.
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

/* Plays a match for each row that switches something off; the program's exit status. */
int ablate_games(const struct ablate_words *words, const struct ablate_table *table);

#endif
