/* app/outputs.h: files that a command makes, before it makes them: none may be one that it reads,
 * nor two of them one.
 * Thread: the main thread. */
#ifndef APP_OUTPUTS_H
#define APP_OUTPUTS_H

#include <stdbool.h>

#include "lab/wholefile.h"

enum { OUTPUTS_MAX = 9 };

struct outputs {
    char paths[OUTPUTS_MAX][WHOLEFILE_PATH_BYTES];
    unsigned count;
};

/* What wholefile_begin() makes of the path, unfinished and in the end. NULL is fine. */
void outputs_add(struct outputs *outputs, const char *path);
/* The path and a suffix alone; NULL is fine. A path too long is cut: making it fails for itself. */
void outputs_add_beside(struct outputs *outputs, const char *path, const char *suffix);

/* False after saying which are the same, under whatever names. An input may be NULL. */
bool outputs_are_apart(const struct outputs *outputs, const char *command,
                       const char *const *inputs, unsigned input_count);

/* Whether nothing is there, or a network. False after saying that something else is. */
bool outputs_may_be_network(const char *command, const char *path);

#endif
