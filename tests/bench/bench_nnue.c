/* Evaluations a second by a network on one thread: step by step along lines as a search walks them,
 * and each from nothing. The network is made up (bench_nnue [UNITS]); what it says has no meaning,
 * what it costs has. Not a test: nothing is asserted on time. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/chess.h"
#include "chess/movegen.h"
#include "engine/nnue.h"
#include "support/paper_network.h"

enum { LINES = 4, PLIES = 64, ROUNDS = 1000, CHILDREN = 2, UNITS = 128, US_A_S = 1000000 };

/* A random game, and beside each position the children that are evaluated there. */
struct line {
    int plies;
    zkey_t keys[PLIES];
    struct position positions[PLIES];
    struct position children[PLIES][CHILDREN];
};

static void fill(struct line *line, uint64_t *seed)
{
    position_set_start(&line->positions[0]);
    for (line->plies = 0; line->plies < PLIES; line->plies++) {
        const struct position *position = &line->positions[line->plies];
        move_t moves[MOVES_MAX];
        const size_t count = (size_t)(movegen_all(position, moves) - moves);
        if (count == 0)
            return;
        line->keys[line->plies] = position->key;
        for (unsigned i = 0; i < CHILDREN; i++)
            position_after(&line->children[line->plies][i], position,
                           moves[random_below(seed, count)]);
        if (line->plies + 1 < PLIES)
            line->positions[line->plies + 1] = line->children[line->plies][0];
    }
}

static int64_t walk(const struct line *lines, struct accumulators *accumulators, int64_t *out_count)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < LINES; i++)
        for (int ply = 0; ply < lines[i].plies; ply++) {
            sum += nnue_at(accumulators, &lines[i].positions[ply], lines[i].keys, ply);
            for (unsigned child = 1; child < CHILDREN; child++)
                sum +=
                    nnue_at(accumulators, &lines[i].children[ply][child], lines[i].keys, ply + 1);
            *out_count += CHILDREN;
        }
    return sum;
}

static int64_t sum_all(const struct line *lines, const struct rk_network *network,
                       int64_t *out_count)
{
    int64_t sum = 0;
    for (unsigned i = 0; i < LINES; i++)
        for (int ply = 0; ply < lines[i].plies; ply++) {
            sum += nnue_alone(network, &lines[i].positions[ply]);
            for (unsigned child = 1; child < CHILDREN; child++)
                sum += nnue_alone(network, &lines[i].children[ply][child]);
            *out_count += CHILDREN;
        }
    return sum;
}

int main(int count, char **words)
{
    struct paper_shape shape = {1, UNITS, 1, 400, "for the bench", 300};
    if (count > 1)
        shape.units = (unsigned)strtoul(words[1], NULL, 10);
    size_t length;
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    struct rk_network *network;
    chess_init();
    uint8_t *bytes = paper_network(&shape, 1, &length);
    REQUIRE(network_parse(bytes, length, &network, error) == RK_OK);
    struct accumulators *accumulators = accumulators_create(network);
    struct line *lines = memory_allocate(LINES * sizeof *lines);
    REQUIRE(accumulators != NULL && lines != NULL);
    uint64_t seed = 1;
    for (unsigned i = 0; i < LINES; i++)
        fill(&lines[i], &seed);
    double best[2] = {0, 0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        int64_t counts[2] = {0, 0}, sums[2];
        const int64_t start = clock_now_us();
        sums[0] = walk(lines, accumulators, &counts[0]);
        const int64_t middle = clock_now_us();
        sums[1] = sum_all(lines, network, &counts[1]);
        const int64_t end = clock_now_us();
        REQUIRE(sums[0] == sums[1]);
        const double rates[2] = {(double)counts[0] * US_A_S / (double)(middle - start + 1),
                                 (double)counts[1] * US_A_S / (double)(end - middle + 1)};
        for (unsigned i = 0; i < 2; i++)
            best[i] = rates[i] > best[i] ? rates[i] : best[i];
    }
    printf("units %u\nincremental %.0f\nscratch %.0f\nratio %.2f\n", shape.units, best[0], best[1],
           best[0] / best[1]);
    memory_free(lines);
    accumulators_destroy(accumulators);
    network_destroy(network);
    memory_free(bytes);
    return 0;
}
