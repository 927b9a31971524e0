#include <inttypes.h>
#include <stdio.h>

#include "app/arguments.h"
#include "app/bench_positions.h"
#include "app/command.h"
#include "lab/ablate.h"
#include "rookery/engine.h"

enum { ABLATE_DEPTH = 10, ABLATE_DEPTH_MAX = 64, ABLATE_HASH_MIB = 16 };

static void row_print(const char *technique, const struct ablate_result *result,
                      const struct ablate_result *whole)
{
    const double cutoffs = result->cutoffs > 0 ? (double)result->cutoffs : 1.0;
    printf("%-22s %12" PRIu64 "  %6.3f  %8" PRId64 "  %5.1f %%\n", technique, result->nodes,
           (double)result->nodes / (double)whole->nodes, result->time_us / 1000,
           100.0 * (double)result->first_cutoffs / cutoffs);
    fflush(stdout);
}

/* The whole search, then without each technique in turn. */
static enum rk_status ablate_all(struct ablation *ablation, depth_t depth)
{
    struct ablate_result whole = {0};
    enum rk_status status =
        ablate_run(ablation, BENCH_POSITIONS, BENCH_POSITION_COUNT, depth, 0, &whole);
    if (status != RK_OK)
        return status;
    printf("%-22s %12s  %6s  %8s  %7s\n", "without", "nodes", "ratio", "time_ms", "first");
    row_print("nothing", &whole, &whole);
    for (int technique = 0; technique < SWITCH_COUNT && status == RK_OK; technique++) {
        struct ablate_result result = {0};
        status = ablate_run(ablation, BENCH_POSITIONS, BENCH_POSITION_COUNT, depth,
                            ablate_bit((enum ordering_switch)technique), &result);
        if (status == RK_OK)
            row_print(switch_name((enum ordering_switch)technique), &result, &whole);
    }
    return status;
}

int command_ablate(int count, char **words)
{
    uint64_t depth = ABLATE_DEPTH;
    uint64_t hash_mib = ABLATE_HASH_MIB;
    const struct argument arguments[] = {
        {.name = "--depth", .min = 1, .max = ABLATE_DEPTH_MAX, .value = &depth},
        {.name = "--hash", .min = 1, .max = RK_TABLE_MIB_MAX, .value = &hash_mib},
    };
    const int rest =
        arguments_parse("ablate", arguments, sizeof arguments / sizeof arguments[0], count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (rest > 0) {
        fprintf(stderr, "rookery ablate: '%s' is not an option; `rookery help` lists them\n",
                words[0]);
        return EXIT_USAGE;
    }
    struct ablation *ablation;
    enum rk_status status = ablation_create((uint32_t)hash_mib, &ablation);
    if (status == RK_OK) {
        status = ablate_all(ablation, (depth_t)depth);
        ablation_destroy(ablation);
    }
    if (status != RK_OK)
        fprintf(stderr, "rookery ablate: %s\n", rk_status_text(status));
    return status == RK_OK ? 0 : EXIT_FAILED;
}
