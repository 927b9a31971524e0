/* load/behaviours.h: the kinds of clients, one file each.
 * Thread: one. */
#ifndef TESTS_LOAD_BEHAVIOURS_H
#define TESTS_LOAD_BEHAVIOURS_H

#include "load/peer.h"

const struct behaviour *behaviour_of(enum behaviour_id id);

const struct behaviour *behaviour_bot(void);
const struct behaviour *behaviour_mover(void);
const struct behaviour *behaviour_analyst(void);
const struct behaviour *behaviour_watcher(void);
const struct behaviour *behaviour_pinger(void);
const struct behaviour *behaviour_pipeliner(void);
const struct behaviour *behaviour_tinkerer(void);
const struct behaviour *behaviour_slow(void);
const struct behaviour *behaviour_vanisher(void);
const struct behaviour *behaviour_stranger(void);

#endif
