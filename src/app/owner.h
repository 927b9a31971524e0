/* app/owner.h: an engine and the descriptor that its wake makes readable: the tool's side of the
 * door. Thread: the main thread. */
#ifndef APP_OWNER_H
#define APP_OWNER_H

#include "rookery/engine.h"

enum {
    OWNER_HASH_MIB = 16, /* What engines start with; a GUI sets its own. */
    OWNER_THREADS = 1
};

struct owner {
    struct rk_engine *engine;
    struct rk_network *network; /* NULL: what is built in evaluates. */
    int wake_fd;
};

/* One search at a time. `eval_file` is a network's, or NULL. False after saying why on stderr. */
bool owner_open(struct owner *owner, uint64_t threads, uint64_t hash_mib, const char *eval_file);
void owner_close(struct owner *owner);

/* NULL: none are asked for. What is wrong with them is told on stderr, and no reason to stop. */
void owner_open_tablebases(struct owner *owner, const char *path);

/* Takes one report, waiting for it. */
void owner_wait(struct owner *owner, struct rk_report *out_report);

/* Forgets the wakes so far: before polling the engine until it is empty. */
void owner_drain(struct owner *owner);

#endif
