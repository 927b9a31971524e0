/* A whole conversation from bytes: what a client sends, against a made-up host that aborts when a
 * promise is broken. The first byte says what kind of host it is; the byte 0x1e in the stream lets
 * the host's clock tick. */
#include <stdlib.h>
#include <string.h>

#include "support/fake_host.h"

enum { TICK = 0x1e, BLOCKS_MAX = 40 };

static void talk(struct fake_host *fake, const char *bytes, size_t size)
{
    while (size > 0 && !fake->has_quit) {
        const char *tick = memchr(bytes, TICK, size);
        const size_t length = tick == NULL ? size : (size_t)(tick - bytes);
        fake_host_receive(fake, bytes, length);
        if (tick != NULL)
            fake_host_tick(fake);
        while (fake_host_read(fake) != NULL)
            continue;
        const size_t taken = tick == NULL ? length : length + 1;
        bytes += taken;
        size -= taken;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fake_host *hosts[2];
    if (size == 0)
        return 0;
    const uint8_t kind = data[0];
    struct fake_host **fake = &hosts[kind & 1];
    if (*fake == NULL)
        *fake = fake_host_create((kind & 1) != 0);
    fake_host_reset(*fake);
    (*fake)->sends_bounds = (kind & 2) != 0;
    (*fake)->sends_nothing = (kind & 4) != 0;
    (*fake)->go_status = (kind & 8) != 0 ? RK_BUSY : RK_OK;
    (*fake)->resize_status = (kind & 16) != 0 ? RK_NO_MEMORY : RK_OK;
    (*fake)->blocks_per_tick = (kind & 32) != 0 ? BLOCKS_MAX : 1;
    (*fake)->tick_us = (kind & 64) != 0 ? 1000000 : 1000;
    talk(*fake, (const char *)data + 1, size - 1);
    if (!(*fake)->has_quit)
        fake_host_end_of_input(*fake); /* The last line may be a quit: then nothing is owed. */
    if (!(*fake)->has_quit) {
        fake_host_tick_until_idle(*fake);
        if (rk_session_is_searching((*fake)->session))
            abort(); /* A bestmove is owed, and nobody will give it. */
    }
    return 0;
}
