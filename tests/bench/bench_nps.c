/* What a second core brings: nodes a second, and time to a depth, of two threads over one. Each
 * figure is the median of interleaved pairs, so that a machine that slows down slows down both,
 * with the interval that holds the median at 95 %.
 *
 *     bench_nps [PAIRS] [MILLISECONDS A POSITION] [DEPTH]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "bench/asker.h"

enum { PAIRS_DEFAULT = 11, PAIRS_MAX = 99, MS_DEFAULT = 250, DEPTH_DEFAULT = 13, TABLE_MIB = 64 };

static const char *const POSITIONS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 9",
    "8/5pk1/4p1p1/3pP2p/p2P3P/P1r2PP1/5K2/3R4 w - - 0 40"};
enum { POSITION_COUNT = sizeof POSITIONS / sizeof *POSITIONS };

struct total {
    double nodes, time_us;
};

static struct total search_all(struct asker *asker, const struct rk_limits *limits)
{
    struct total total = {0, 0};
    struct rk_game *game;
    REQUIRE(rk_game_create(&game) == RK_OK);
    for (int i = 0; i < POSITION_COUNT; i++) {
        REQUIRE(rk_game_set_fen(game, POSITIONS[i], strlen(POSITIONS[i])) == RK_OK);
        asker_forget(asker);
        const struct answer answer = asker_ask(asker, game, limits);
        total.nodes += (double)answer.nodes;
        total.time_us += (double)answer.time_us;
    }
    rk_game_destroy(game);
    return total;
}

static int compare(const void *a, const void *b)
{
    const double *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

/* Ranks that hold the median in 95 of 100 samples of this size (the sign test): for 11 the second
 * and the last but one. */
static unsigned interval_rank(unsigned count)
{
    double probability = 1, below = 0; /* Of so many heads in `count` throws. */
    for (unsigned i = 0; i < count; i++)
        probability /= 2;
    unsigned rank = 0;
    for (; rank < count / 2 && below + probability <= 0.025; rank++) {
        below += probability;
        probability = probability * (count - rank) / (rank + 1);
    }
    return rank > 0 ? rank - 1 : 0;
}

static void print_ratio(const char *what, double *ratios, unsigned count)
{
    qsort(ratios, count, sizeof *ratios, compare);
    const unsigned rank = interval_rank(count);
    printf("%s: %.3f (%.3f to %.3f)\n", what, ratios[count / 2], ratios[rank],
           ratios[count - 1 - rank]);
}

int main(int count, char **arguments)
{
    const unsigned pairs = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : PAIRS_DEFAULT;
    const long ms = count > 2 ? strtol(arguments[2], NULL, 10) : MS_DEFAULT;
    const long depth = count > 3 ? strtol(arguments[3], NULL, 10) : DEPTH_DEFAULT;
    if (pairs == 0 || pairs > PAIRS_MAX || ms <= 0 || depth <= 0) {
        (void)fprintf(stderr, "bench_nps [PAIRS to 99] [MILLISECONDS A POSITION] [DEPTH]\n");
        return EXIT_FAILURE;
    }
    const struct rk_limits timed = {.has_movetime = true, .movetime_ms = ms};
    const struct rk_limits deep = {.depth = (uint32_t)depth};
    struct asker one, two;
    asker_init(&one, 1, TABLE_MIB);
    asker_init(&two, 2, TABLE_MIB);
    double nps[PAIRS_MAX], speed[PAIRS_MAX];
    for (unsigned pair = 0; pair < pairs; pair++) {
        const struct total one_timed = search_all(&one, &timed);
        const struct total two_timed = search_all(&two, &timed);
        const struct total one_deep = search_all(&one, &deep);
        const struct total two_deep = search_all(&two, &deep);
        nps[pair] = two_timed.nodes / two_timed.time_us / (one_timed.nodes / one_timed.time_us);
        speed[pair] = one_deep.time_us / two_deep.time_us;
        printf("pair %u: nodes a second %.3f, time to depth %ld: %.3f\n", pair + 1, nps[pair],
               depth, speed[pair]);
        (void)fflush(stdout);
    }
    print_ratio("nodes a second, two threads over one", nps, pairs);
    print_ratio("speed to depth, two threads over one", speed, pairs);
    asker_clear(&two);
    asker_clear(&one);
    return EXIT_SUCCESS;
}
