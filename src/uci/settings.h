/* uci/settings.h: the options of one session, what the house has, and the chores that wait until no
 * search of the session runs.
 * Thread: the session's owner. */
#ifndef UCI_SETTINGS_H
#define UCI_SETTINGS_H

#include "rookery/session.h"
#include "uci/command.h"
#include "uci/options.h"

/* What must be done while no search runs. */
struct chores {
    bool forgets;                /* ucinewgame or Clear Hash: histories. */
    bool clears;                 /* The table, too. */
    uint32_t table_mib, threads; /* What the engine should have, when it is the client's to set. */
};

struct settings {
    struct options options;
    struct rk_session_options house; /* table_mib and threads are those in force. */
    struct chores chores;            /* To do before the next `go` that comes. */
    uint64_t clear_count;            /* Clear Hash so often. */
};

void settings_init(struct settings *settings, const struct rk_session_options *house);

/* Records a value and tells the client what is wrong with it. Chores are only noted down.
 * `is_idle`: no search of the session runs. */
void settings_set(struct settings *settings, const struct command_setoption *given, bool is_idle,
                  const struct rk_host *host);
void settings_forget(struct settings *settings, bool clears);

/* The chores noted so far, for a `go` that must wait; what comes later is kept apart. */
struct chores settings_take_chores(struct settings *settings);
/* Does chores; no search of the session may run. */
void settings_do(struct settings *settings, const struct chores *chores,
                 const struct rk_host *host);

/* Threads a search asks for. */
uint32_t settings_threads(const struct settings *settings);
/* What the table's keys are salted with: 0, like everyone, before a Clear Hash on a shared table.
 */
uint64_t settings_salt(const struct settings *settings);

#endif
