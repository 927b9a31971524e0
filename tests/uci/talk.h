/* tests/uci/talk.h: what a made-up host's client reads, as tests expect it.
 * Thread: the runner's. */
#ifndef TESTS_UCI_TALK_H
#define TESTS_UCI_TALK_H

#include "support/fake_host.h"

/* The next line is just this one. */
void talk_expect(struct fake_host *fake, const char *line);
void talk_expect_silence(struct fake_host *fake);
/* Skips to the next bestmove; fails when there is none, or when it is another move. */
void talk_expect_bestmove(struct fake_host *fake, const char *move);
void talk_skip(struct fake_host *fake);

#endif
