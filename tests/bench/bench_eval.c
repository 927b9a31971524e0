/* Nanoseconds an evaluation takes, over the positions of random games from three starts: with the
 * pawn cache as a search finds it, and with every pawn structure new. Not a test: nothing is
 * asserted on time. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "engine/eval.h"

enum { POSITIONS = 4096, WALK_PLIES = 24, ROUNDS = 100, NS_A_US = 1000 };

static const char *const STARTS[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1",
    "2r2rk1/1p1nqppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR3R w - - 0 1",
    "8/pp3pk1/2p2np1/4r3/2P5/1P3B2/P4PPP/3R2K1 w - - 0 1",
};

static void fill(struct position *positions)
{
    struct rk_game *game;
    REQUIRE(rk_game_create(&game) == RK_OK);
    uint64_t seed = 1;
    for (size_t i = 0; i < POSITIONS; i++) {
        const char *fen = STARTS[i % (sizeof STARTS / sizeof *STARTS)];
        REQUIRE(rk_game_set_fen(game, fen, strlen(fen)) == RK_OK);
        for (uint64_t plies = random_below(&seed, WALK_PLIES); plies > 0; plies--) {
            move_t moves[MOVES_MAX];
            const size_t count = (size_t)(movegen_all(&game->position, moves) - moves);
            if (count == 0)
                break;
            game_play(game, moves[random_below(&seed, count)]);
        }
        positions[i] = game->position;
    }
    rk_game_destroy(game);
}

/* The best of ROUNDS, which other programs on the machine disturb least. */
static int64_t measure(const struct position *positions, struct evaluator *evaluator, bool is_cold,
                       int64_t *out_sum)
{
    int64_t best = INT64_MAX;
    for (size_t round = 0; round < ROUNDS; round++) {
        const int64_t start = clock_now_us();
        int64_t sum = 0;
        for (size_t i = 0; i < POSITIONS; i++) {
            if (is_cold)
                evaluator->cache.pawns[positions[i].pawn_key % EVAL_PAWN_ENTRIES].key = 0;
            sum += eval_position(&positions[i], evaluator);
        }
        const int64_t took = clock_now_us() - start;
        best = took < best ? took : best;
        *out_sum = sum;
    }
    return best * NS_A_US / POSITIONS;
}

int main(void)
{
    struct position *positions = memory_allocate(POSITIONS * sizeof *positions);
    struct evaluator *evaluator = memory_allocate(sizeof *evaluator);
    REQUIRE(positions != NULL && evaluator != NULL);
    fill(positions);
    int64_t warm_sum, cold_sum;
    (void)measure(positions, evaluator, false, &warm_sum);
    const int64_t warm = measure(positions, evaluator, false, &warm_sum);
    const int64_t cold = measure(positions, evaluator, true, &cold_sum);
    REQUIRE(warm_sum == cold_sum);
    printf("eval_ns_warm %" PRId64 "\neval_ns_cold %" PRId64 "\nchecksum %" PRId64 "\n", warm, cold,
           warm_sum);
    memory_free(evaluator);
    memory_free(positions);
    return 0;
}
