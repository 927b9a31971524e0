#include "load/tally.h"

#include <inttypes.h>

#include "base/memory.h"

enum { MS_PER_S = 1000 };
static const double US_PER_MS = 1000.0;

static const char *const LATENCY_NAMES[LATENCY_COUNT] = {
    [LATENCY_UCIOK] = "connect_uciok",
    [LATENCY_READYOK] = "isready_readyok",
    [LATENCY_STOP] = "stop_bestmove",
    [LATENCY_LATE] = "movetime_late",
};

enum rk_status tally_create(struct tally *tally, uint32_t clients)
{
    *tally = (struct tally){.clock_least_ms = INT64_MAX};
    tally->shares = memory_allocate(clients * sizeof(*tally->shares));
    return tally->shares == NULL ? RK_NO_MEMORY : RK_OK;
}

void tally_destroy(struct tally *tally)
{
    memory_free(tally->shares);
    *tally = (struct tally){0};
}

static double rate_of(const struct share *share)
{
    return share->ms == 0 ? 0 : (double)share->nodes * MS_PER_S / (double)share->ms;
}

double tally_fairness(const struct tally *tally, uint32_t first, uint32_t count)
{
    double sum = 0;
    double squares = 0;
    for (uint32_t i = first; i < first + count; i++) {
        const double rate = rate_of(&tally->shares[i]);
        sum += rate;
        squares += rate * rate;
    }
    return squares > 0 ? sum * sum / ((double)count * squares) : 0;
}

static void print_kinds(const struct tally *tally, const struct plan *plan, FILE *file)
{
    (void)fprintf(file, "%-16s %8s %14s %8s %8s %8s %8s\n", "kind", "clients", "conversations",
                  "goes", "answers", "ended", "faults");
    for (int id = 0; id < BEHAVIOUR_COUNT; id++) {
        const struct behaviour_tally *kind = &tally->kinds[id];
        if (plan->mix[id] == 0)
            continue;
        (void)fprintf(file,
                      "%-16s %8" PRIu32 " %14" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64
                      " %8" PRIu64 "\n",
                      behaviour_name((enum behaviour_id)id), plan->mix[id], kind->conversations,
                      kind->goes, kind->answers, kind->ended, kind->faults);
    }
}

static void print_latencies(const struct tally *tally, FILE *file)
{
    (void)fprintf(file, "%-16s %8s %9s %9s %9s %9s\n", "ms", "count", "50 %", "90 %", "99 %",
                  "most");
    for (int i = 0; i < LATENCY_COUNT; i++) {
        const struct spread *spread = &tally->latencies[i];
        if (spread->count == 0)
            continue;
        (void)fprintf(
            file, "%-16s %8" PRIu64 " %9.2f %9.2f %9.2f %9.2f\n", LATENCY_NAMES[i], spread->count,
            (double)spread_at(spread, 500) / US_PER_MS, (double)spread_at(spread, 900) / US_PER_MS,
            (double)spread_at(spread, 990) / US_PER_MS, (double)spread->most_us / US_PER_MS);
    }
}

static void print_shares(const struct tally *tally, const struct plan *plan, FILE *file)
{
    uint32_t first = 0;
    for (int id = 0; id < BEHAVIOUR_COUNT; id++) {
        struct share all = {0};
        const char *name = behaviour_name((enum behaviour_id)id);
        for (uint32_t i = first; i < first + plan->mix[id]; i++) {
            all.nodes += tally->shares[i].nodes;
            all.ms += tally->shares[i].ms;
        }
        if (all.ms > 0)
            (void)fprintf(file, "%s_rate %.0f nodes a second each\n", name, rate_of(&all));
        if (id == ANALYSTS && all.ms > 0 && plan->mix[id] > 1)
            (void)fprintf(file, "%s_fairness %.4f (Jain, of %" PRIu32 ")\n", name,
                          tally_fairness(tally, first, plan->mix[id]), plan->mix[id]);
        first += plan->mix[id];
    }
}

void tally_print(const struct tally *tally, const struct plan *plan, FILE *file)
{
    (void)fprintf(file, "load: seed %" PRIu64 ", %" PRIu32 " clients, %" PRIu32 " s\n", plan->seed,
                  plan->clients, plan->seconds);
    print_kinds(tally, plan, file);
    print_latencies(tally, file);
    print_shares(tally, plan, file);
    if (plan->mix[BOTS] > 0 && tally->clock_least_ms < INT64_MAX)
        (void)fprintf(
            file, "time_losses %" PRIu64 "\ngames_ended %" PRIu64 "\nclock_least %" PRId64 " ms\n",
            tally->time_losses, tally->games, tally->clock_least_ms);
    (void)fprintf(file,
                  "lines %" PRIu64 "\nqueued %" PRIu64 "\noverloaded %" PRIu64 "\nrefused %" PRIu64
                  "\nfaults %" PRIu64 "\n",
                  tally->lines, tally->queued, tally->overloaded, tally->refused, tally->faults);
}
