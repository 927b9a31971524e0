#include "app/owner.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"

/* Any thread. A full counter is already readable, so a failed write loses nothing. */
static void owner_wake(void *context)
{
    const struct owner *owner = context;
    const uint64_t one = 1;
    const ssize_t written = write(owner->wake_fd, &one, sizeof one);
    (void)written;
}

static bool owner_load(struct owner *owner, const char *eval_file)
{
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    owner->network = NULL;
    if (eval_file == NULL || rk_network_load(eval_file, &owner->network, error) == RK_OK)
        return true;
    fprintf(stderr, "rookery: network '%s': %s\n", eval_file, error);
    return false;
}

bool owner_open(struct owner *owner, uint64_t threads, uint64_t hash_mib, const char *eval_file)
{
    if (!owner_load(owner, eval_file))
        return false;
    owner->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (owner->wake_fd < 0) {
        fprintf(stderr, "rookery: no eventfd: %s\n", strerror(errno));
        rk_network_unload(owner->network);
        return false;
    }
    const struct rk_engine_options options = {
        .size = sizeof options,
        .searches_max = 1,
        .threads = (uint32_t)threads,
        .table_mib = (uint32_t)hash_mib,
        .wake = owner_wake,
        .wake_context = owner,
        .network = owner->network,
    };
    const enum rk_status status = rk_engine_create(&options, &owner->engine);
    if (status != RK_OK) {
        fprintf(stderr, "rookery: no engine with %u threads and %u MiB: %s\n", options.threads,
                options.table_mib, rk_status_text(status));
        close(owner->wake_fd);
        rk_network_unload(owner->network);
        return false;
    }
    return true;
}

void owner_close(struct owner *owner)
{
    rk_engine_destroy(owner->engine);
    rk_network_unload(owner->network);
    close(owner->wake_fd);
}

void owner_open_tablebases(struct owner *owner, const char *path)
{
    struct rk_tablebases tablebases;
    if (path == NULL)
        return;
    const enum rk_status status = rk_tablebases_open(owner->engine, path, &tablebases);
    if (status != RK_OK) {
        fprintf(stderr, "rookery: no tablebases: %s\n", rk_status_text(status));
        return;
    }
    for (const char *line = tablebases.faults, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1)
        fprintf(stderr, "rookery: %.*s\n", (int)(end - line), line);
    fprintf(stderr, "rookery: %u tablebases of up to %u men\n", tablebases.results, tablebases.men);
}

void owner_drain(struct owner *owner)
{
    uint64_t wakes;
    const ssize_t taken = read(owner->wake_fd, &wakes, sizeof wakes);
    REQUIRE(taken == sizeof wakes || errno == EAGAIN);
}

void owner_wait(struct owner *owner, struct rk_report *out_report)
{
    while (!rk_engine_poll(owner->engine, out_report)) {
        struct pollfd wake = {.fd = owner->wake_fd, .events = POLLIN};
        poll(&wake, 1, -1);
        owner_drain(owner);
    }
}
