#include "uci/talk.h"

#include <string.h>

#include <check.h>

void talk_expect(struct fake_host *fake, const char *line)
{
    const char *got = fake_host_read(fake);
    ck_assert_ptr_nonnull(got);
    ck_assert_str_eq(got, line);
}

void talk_expect_silence(struct fake_host *fake)
{
    const char *got = fake_host_read(fake);
    ck_assert_msg(got == NULL, "%s", got);
}

void talk_expect_bestmove(struct fake_host *fake, const char *move)
{
    const char *got;
    do {
        got = fake_host_read(fake);
        ck_assert_msg(got != NULL, "no bestmove %s", move);
    } while (strncmp(got, "bestmove ", 9) != 0);
    ck_assert_msg(strncmp(got + 9, move, strlen(move)) == 0, "%s, not %s", got, move);
}

void talk_skip(struct fake_host *fake)
{
    while (fake_host_read(fake) != NULL)
        continue;
}
