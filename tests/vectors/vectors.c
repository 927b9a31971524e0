/* Every target's kernels against plain C, as far as this processor can run them, and what a network
 * says of some positions against what it said when this was written: the same on every machine. No
 * Check here, so that cross builds run it under their emulator. */
#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/chess.h"
#include "chess/movegen.h"
#include "engine/kernels.h"
#include "engine/nnue.h"
#include "support/paper_network.h"
#include "vectors/variant.h"

enum { ROUNDS = 400, GAMES = 20, PLIES = 60, VALUE_MAX = 900 };
static const uint64_t SUM_EXPECTED = 0x08d5f55f3d8c8763u;

struct bench {
    alignas(NETWORK_ALIGNMENT) int16_t rows[NETWORK_MEN_MAX * 2][NETWORK_UNITS_MAX];
    alignas(NETWORK_ALIGNMENT) int16_t from[NETWORK_UNITS_MAX];
    alignas(NETWORK_ALIGNMENT) int16_t weights[NETWORK_UNITS_MAX];
    alignas(NETWORK_ALIGNMENT) int16_t out[2][NETWORK_UNITS_MAX];
    uint8_t boards[2][SQUARE_COUNT];
};

static int16_t draw(uint64_t *seed, int most)
{
    return (int16_t)((int)random_below(seed, (uint64_t)(2 * most + 1)) - most);
}

static void fill(struct bench *bench, uint64_t *seed)
{
    for (unsigned row = 0; row < NETWORK_MEN_MAX * 2; row++)
        for (unsigned i = 0; i < NETWORK_UNITS_MAX; i++)
            bench->rows[row][i] = draw(seed, VALUE_MAX);
    for (unsigned i = 0; i < NETWORK_UNITS_MAX; i++) {
        bench->from[i] = draw(seed, VALUE_MAX);
        bench->weights[i] = (int16_t)(draw(seed, 127) - (int)random_below(seed, 2));
    }
    for (unsigned i = 0; i < SQUARE_COUNT; i++) {
        bench->boards[0][i] = (uint8_t)random_below(seed, PIECE_COUNT + 1);
        bench->boards[1][i] =
            random_below(seed, 4) == 0 ? (uint8_t)random_below(seed, 13) : bench->boards[0][i];
    }
}

static bool is_alike(const struct variant *plain, const struct variant *other, struct bench *bench,
                     uint64_t *seed)
{
    struct row_changes changes = {.added_count = (unsigned)random_below(seed, 4),
                                  .taken_count = (unsigned)random_below(seed, 4)};
    if (random_below(seed, 8) == 0)
        changes.added_count = changes.taken_count = NETWORK_MEN_MAX;
    for (unsigned i = 0; i < NETWORK_MEN_MAX; i++) {
        changes.added[i] = bench->rows[random_below(seed, (uint64_t)NETWORK_MEN_MAX * 2)];
        changes.taken[i] = bench->rows[random_below(seed, (uint64_t)NETWORK_MEN_MAX * 2)];
    }
    const unsigned width =
        NETWORK_TILE * (unsigned)(1 + random_below(seed, NETWORK_UNITS_MAX / NETWORK_TILE));
    plain->change(bench->out[0], bench->from, &changes, width);
    other->change(bench->out[1], bench->from, &changes, width);
    return memcmp(bench->out[0], bench->out[1], width * sizeof(int16_t)) == 0 &&
           plain->dot(bench->out[0], bench->weights, width) ==
               other->dot(bench->out[1], bench->weights, width) &&
           plain->changes(bench->boards[0], bench->boards[1]) ==
               other->changes(bench->boards[0], bench->boards[1]);
}

/* The greatest sums there can be, either way. */
static bool reaches(const struct variant *variant, struct bench *bench, int16_t weight)
{
    for (unsigned i = 0; i < NETWORK_UNITS_MAX; i++) {
        bench->from[i] = (int16_t)(i % 2 == 0 ? INT16_MAX : NETWORK_QA);
        bench->weights[i] = weight;
    }
    return variant->dot(bench->from, bench->weights, NETWORK_UNITS_MAX) ==
           (int64_t)NETWORK_UNITS_MAX * NETWORK_QA * NETWORK_QA * weight;
}

static bool check(const struct variant *variant, struct bench *bench)
{
    const struct variant *plain = variant_plain();
    uint64_t seed = 1;
    REQUIRE(strcmp(plain->name, "plain") == 0);
    bool is_right = reaches(variant, bench, 127) && reaches(variant, bench, -128);
    for (unsigned i = 0; i < ROUNDS && is_right; i++) {
        if (i % 16 == 0)
            fill(bench, &seed);
        is_right = is_alike(plain, variant, bench, &seed);
    }
    printf("%s: %s\n", variant->name, is_right ? "as plain C" : "NOT as plain C");
    return is_right;
}

/* What the network says of the positions of random games, all together. */
static uint64_t sum_up(void)
{
    size_t length;
    char error[RK_NETWORK_ERROR_BYTES_MAX];
    struct rk_network *network;
    uint8_t *bytes = paper_network(&PAPER_ODD, 1, &length);
    REQUIRE(network_parse(bytes, length, &network, error) == RK_OK);
    struct accumulators *accumulators = accumulators_create(network);
    REQUIRE(accumulators != NULL);
    uint64_t seed = 1, sum = 0;
    for (unsigned game = 0; game < GAMES; game++) {
        struct position position, before;
        zkey_t line[PLIES + 1];
        position_set_start(&position);
        for (int ply = 0; ply < PLIES; ply++) {
            move_t moves[MOVES_MAX];
            line[ply] = position.key;
            const score_t score = nnue_at(accumulators, &position, line, ply);
            REQUIRE(score == nnue_alone(network, &position));
            sum = (sum ^ (uint64_t)(int64_t)score) * 0x100000001b3u;
            const size_t count = (size_t)(movegen_all(&position, moves) - moves);
            if (count == 0)
                break;
            before = position;
            position_after(&position, &before, moves[random_below(&seed, count)]);
        }
    }
    accumulators_destroy(accumulators);
    network_destroy(network);
    memory_free(bytes);
    return sum;
}

int main(void)
{
    struct bench *bench = memory_allocate(sizeof *bench);
    REQUIRE(bench != NULL);
    chess_init();
    bool is_right = check(variant_baseline(), bench);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        is_right &= check(variant_avx2(), bench);
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        is_right &= check(variant_avx512(), bench);
    if (__builtin_cpu_supports("avx512vnni"))
        is_right &= check(variant_vnni(), bench);
#endif
    const uint64_t sum = sum_up();
    printf("network: %016" PRIx64 ", %016" PRIx64 " is right\n", sum, SUM_EXPECTED);
    memory_free(bench);
    return is_right && sum == SUM_EXPECTED ? 0 : 1;
}
