/* load: many clients of one rookeryd at once, each behaving in its own way, and whether the server
 * keeps its promises to all of them. `load --help` tells the options; docs/testing.md the rest. */
#include "load/load.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/machine.h"
#include "base/memory.h"
#include "load/behaviours.h"
#include "load/peer.h"

enum {
    US_PER_S = 1000000,
    US_PER_MS = 1000,
    LOOK_MS = 100,
    END_PATIENCE_US = 30 * US_PER_S, /* For the last answers, after which all are cut off. */
    SPARE_FILES = 64,
    GROWTH_MIB_MAX = 16,
    GROWTH_PART = 20, /* And one part of so many. */
    SETTLE_TRIES = 50 /* Looks at whether the server has let go of everything. */
};

static void start_peers(struct load *load)
{
    for (uint32_t i = 0; i < load->plan.clients; i++)
        peer_connect(&load->peers[i]);
}

/* -- While it runs ---------------------------------------------------------------------------- */

static void show_progress(const struct load *load, int64_t now_us)
{
    const int64_t gone_s = (now_us - load->start_us) / US_PER_S;
    const int64_t left_s = (int64_t)load->plan.seconds - gone_s;
    uint64_t answers = 0;
    for (int id = 0; id < BEHAVIOUR_COUNT; id++)
        answers += load->tally.kinds[id].answers;
    (void)fprintf(stderr,
                  "\r%3" PRId64 " s, %" PRIu64 " answers, %" PRIu64 " faults; %" PRId64 " s to go ",
                  gone_s, answers, load->tally.faults, left_s > 0 ? left_s : 0);
    (void)fflush(stderr);
}

static uint32_t count_busy(const struct load *load)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < load->plan.clients; i++)
        count += load->peers[i].phase != PEER_AWAY ? 1 : 0;
    return count;
}

static void begin_end(struct load *load)
{
    load->is_ending = true;
    for (uint32_t i = 0; i < load->plan.clients; i++)
        peer_finish(&load->peers[i]);
}

static void on_tick(uv_timer_t *timer)
{
    struct load *load = timer->data;
    const int64_t now_us = clock_now_us();
    const int64_t lag_us = now_us - load->tick_us - (int64_t)LOOK_MS * US_PER_MS;
    load->own_lag_us = lag_us > load->own_lag_us ? lag_us : load->own_lag_us;
    load->tick_us = now_us;
    if (isatty(STDERR_FILENO) == 1)
        show_progress(load, now_us);
    for (uint32_t i = 0; i < load->plan.clients; i++)
        peer_look(&load->peers[i], now_us);
    if (!load->has_half && now_us > load->start_us + (load->end_us - load->start_us) / 2)
        load->has_half = house_measure(&load->house, &load->half);
    if (!load->is_ending && now_us >= load->end_us)
        begin_end(load);
    if (!load->is_ending)
        return;
    if (now_us >= load->end_us + END_PATIENCE_US)
        for (uint32_t i = 0; i < load->plan.clients; i++)
            peer_fault(&load->peers[i], "not at an end long after the run");
    if (count_busy(load) == 0)
        uv_stop(&load->loop);
}

/* -- What the server holds -------------------------------------------------------------------- */

static void print_size(const char *when, const struct house_size *size)
{
    (void)printf("server_%s %" PRIu64 " KiB, %" PRIu64 " threads, %" PRIu64 " files\n", when,
                 size->resident_bytes / 1024, size->threads, size->files);
}

/* Threads and descriptors must be what they were before; memory, if asked for, what it was at half
 * time. What clients held is given back within a moment of their going. */
static bool check_size(struct load *load)
{
    bool is_same = false;
    if (load->house.process <= 0)
        return true;
    for (int i = 0; i < SETTLE_TRIES && !is_same; i++) {
        if (i > 0)
            (void)usleep(LOOK_MS * US_PER_MS);
        is_same = house_measure(&load->house, &load->after) &&
                  load->after.threads == load->before.threads &&
                  load->after.files == load->before.files;
    }
    print_size("before", &load->before);
    print_size("half", &load->half);
    print_size("after", &load->after);
    const uint64_t allowed = load->half.resident_bytes + load->half.resident_bytes / GROWTH_PART +
                             ((uint64_t)GROWTH_MIB_MAX << 20);
    const bool has_grown = load->plan.checks_growth && load->after.resident_bytes > allowed;
    if (!is_same)
        (void)printf("fault: the server holds more threads or files than before\n");
    if (has_grown)
        (void)printf("fault: the server's memory grows\n");
    return is_same && !has_grown;
}

/* -- Life ------------------------------------------------------------------------------------- */

static bool parse_address(struct load *load)
{
    char host[64];
    const char *colon = strrchr(load->house.address, ':');
    int64_t port = 0;
    const size_t length = colon == NULL ? 0 : (size_t)(colon - load->house.address);
    if (colon == NULL || length >= sizeof(host) ||
        number_parse(slice_of(colon + 1), 1, UINT16_MAX, &port) != NUMBER_OK)
        return false;
    memcpy(host, load->house.address, length);
    host[length] = '\0';
    return uv_ip4_addr(host, (int)port, &load->address) == 0;
}

static bool create(struct load *load)
{
    uint32_t index = 0;
    REQUIRE(uv_loop_init(&load->loop) == 0);
    REQUIRE(uv_timer_init(&load->loop, &load->tick) == 0);
    load->tick.data = load;
    (void)signal(SIGPIPE, SIG_IGN);
    if (machine_raise_files(load->plan.clients + SPARE_FILES) < load->plan.clients + SPARE_FILES)
        return false;
    load->peers = memory_allocate(load->plan.clients * sizeof(*load->peers));
    if (load->peers == NULL || tally_create(&load->tally, load->plan.clients) != RK_OK)
        return false;
    for (int id = 0; id < BEHAVIOUR_COUNT; id++) {
        for (uint32_t i = 0; i < load->plan.mix[id]; i++) {
            struct peer *peer = &load->peers[index];
            peer->behaviour = behaviour_of((enum behaviour_id)id);
            if (peer_create(peer, load, (enum behaviour_id)id, index++) != RK_OK)
                return false;
        }
    }
    return true;
}

static void destroy(struct load *load)
{
    for (uint32_t i = 0; i < load->plan.clients; i++)
        peer_close_handles(&load->peers[i]);
    uv_close((uv_handle_t *)&load->tick, NULL);
    (void)uv_run(&load->loop, UV_RUN_DEFAULT);
    for (uint32_t i = 0; i < load->plan.clients; i++)
        peer_destroy(&load->peers[i]);
    (void)uv_loop_close(&load->loop);
    tally_destroy(&load->tally);
    memory_free(load->peers);
}

static void run(struct load *load)
{
    (void)house_measure(&load->house, &load->before);
    load->start_us = load->tick_us = clock_now_us();
    load->end_us = load->start_us + (int64_t)load->plan.seconds * US_PER_S;
    REQUIRE(uv_timer_start(&load->tick, on_tick, LOOK_MS, LOOK_MS) == 0);
    start_peers(load);
    (void)uv_run(&load->loop, UV_RUN_DEFAULT);
    if (isatty(STDERR_FILENO) == 1)
        (void)fputc('\n', stderr);
}

int main(int count, char **words)
{
    struct load *load = memory_allocate(sizeof(*load));
    if (load == NULL || !plan_read(count, words, &load->plan)) {
        (void)fputs(plan_usage(), stderr);
        memory_free(load);
        return EXIT_FAILURE;
    }
    if (!create(load)) {
        (void)fprintf(stderr, "load: no memory or too few open files for %u clients\n",
                      load->plan.clients);
        return EXIT_FAILURE;
    }
    bool is_good = house_open(&load->house, &load->plan) && parse_address(load) &&
                   house_greet(&load->house, &load->address);
    if (is_good) {
        run(load);
        is_good = load->tally.faults == 0;
        is_good = check_size(load) && is_good;
        tally_print(&load->tally, &load->plan, stdout);
        (void)printf("own_lag %.1f ms\n", (double)load->own_lag_us / US_PER_MS);
        (void)fflush(stdout);
    }
    is_good = house_close(&load->house) && is_good;
    destroy(load);
    memory_free(load);
    return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
