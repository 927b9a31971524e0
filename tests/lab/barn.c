#include "lab/barn.h"

#include <check.h>
#include <unistd.h>

void barn_setup(struct barn *barn)
{
    barn->file = NULL;
    barn->writer = NULL;
    crop_path(barn->path);
    ck_assert_int_eq(gamefile_cursor_create(&barn->cursor), GAMEFILE_FINE);
}

void barn_teardown(struct barn *barn)
{
    gamefile_abandon(barn->writer);
    gamefile_close(barn->file);
    gamefile_cursor_destroy(barn->cursor);
    unlink(barn->path);
}

const struct gamefile_summary *barn_reopen(struct barn *barn)
{
    gamefile_close(barn->file);
    barn->file = NULL;
    ck_assert_int_eq(gamefile_open(barn->path, &barn->file), GAMEFILE_FINE);
    return gamefile_summary(barn->file);
}

uint64_t barn_read_all(struct barn *barn, unsigned plies_max)
{
    uint64_t number = 0;
    for (size_t i = 0; i < gamefile_summary(barn->file)->blocks; i++) {
        ck_assert_int_eq(gamefile_load(barn->file, i, barn->cursor), GAMEFILE_FINE);
        for (; gamefile_next_game(barn->cursor); number++)
            ck_assert_msg(crop_is(barn->cursor, number, plies_max), "game %u", (unsigned)number);
        ck_assert_int_eq(gamefile_cursor_fault(barn->cursor), GAMEFILE_FINE);
    }
    return number;
}
