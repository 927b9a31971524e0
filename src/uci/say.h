/* uci/say.h: what is said to people: info strings, one line each, put together piece by piece.
 * Thread: the session's owner. */
#ifndef UCI_SAY_H
#define UCI_SAY_H

#include "base/text.h"
#include "rookery/session.h"

enum {
    SAY_BYTES_MAX = 240, /* Of an info string's text. */
    SAY_QUOTED_MAX = 32  /* Of what a client sent, in it. */
};

struct saying {
    struct text text;
    char bytes[sizeof "info string " + SAY_BYTES_MAX + sizeof "...\n"];
};

/* Then text_add... to saying->text, then say_end, which sends it as a promise. */
void say_begin(struct saying *saying, const char *words);
void say_end(struct saying *saying, const struct rk_host *host);

/* Words and no more. */
void say(const struct rk_host *host, const char *words);
/* What a client sent, in quotes and made harmless. */
void say_quoted(struct saying *saying, struct slice slice);

#endif
