#include "uci/say.h"

void say_begin(struct saying *saying, const char *words)
{
    text_init(&saying->text, saying->bytes, sizeof saying->bytes - 1);
    (void)text_add(&saying->text, "info string ");
    (void)text_add_quoted(&saying->text, slice_of(words), SAY_BYTES_MAX);
}

void say_end(struct saying *saying, const struct rk_host *host)
{
    saying->text.capacity = sizeof saying->bytes; /* The LF's byte was kept back. */
    saying->text.is_cut = false;
    (void)text_add_char(&saying->text, '\n');
    host->send(host->context, saying->text.bytes, saying->text.length, RK_PROMISE);
}

void say(const struct rk_host *host, const char *words)
{
    struct saying saying;
    say_begin(&saying, words);
    say_end(&saying, host);
}

void say_quoted(struct saying *saying, struct slice slice)
{
    (void)text_add_char(&saying->text, '\'');
    (void)text_add_quoted(&saying->text, slice, SAY_QUOTED_MAX);
    (void)text_add_char(&saying->text, '\'');
}
