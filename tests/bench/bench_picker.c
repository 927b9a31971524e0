/* Nanoseconds a picker takes over the positions of random games: all moves of the main search, the
 * first three, and the noisy moves of quiescence. Not a test: nothing is asserted on time. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "chess/game.h"
#include "engine/picker.h"

enum { POSITIONS = 2048, WALK_PLIES = 24, ROUNDS = 60, NS_A_US = 1000, FEW = 3 };

static const char *const STARTS[] = {
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/pp3pk1/2p2np1/4r3/2P5/1P3B2/P4PPP/3R2K1 w - - 0 1",
};

static void fill(struct position *positions, struct memory *memory)
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
    int16_t *quiets = &memory->quiets[0][0][0][0][0];
    for (size_t i = 0; i < sizeof memory->quiets / sizeof *quiets; i++)
        quiets[i] = (int16_t)random_below(&seed, HISTORY_MAX);
}

struct measure {
    double ns_a_position;
    double moves_a_position;
};

static struct measure picker_measure(const struct position *positions,
                                     const struct history_context *context, bool is_noisy,
                                     unsigned moves_max)
{
    uint64_t given = 0;
    const int64_t start = clock_thread_cpu_us();
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < POSITIONS; i++) {
            struct picker picker;
            if (is_noisy)
                picker_init_noisy(&picker, &positions[i], context, MOVE_NONE, 0);
            else
                picker_init(&picker, &positions[i], context, MOVE_NONE);
            for (unsigned k = 0; k < moves_max && picker_next(&picker) != MOVE_NONE; k++)
                given++;
        }
    const double nodes = (double)ROUNDS * POSITIONS;
    return (struct measure){(double)(clock_thread_cpu_us() - start) * NS_A_US / nodes,
                            (double)given / nodes};
}

static void measure_print(const char *name, struct measure measure)
{
    printf("%-12s %7.1f ns a position, %5.1f moves, %5.1f ns a move\n", name, measure.ns_a_position,
           measure.moves_a_position, measure.ns_a_position / measure.moves_a_position);
}

int main(void)
{
    struct position *positions = memory_allocate(POSITIONS * sizeof *positions);
    struct memory *memory = memory_allocate(sizeof *memory);
    REQUIRE(positions != NULL && memory != NULL);
    fill(positions, memory);
    const struct history_context context = {.memory = memory,
                                            .continuation = {&memory->continuations[0][20],
                                                             &memory->continuations[7][30],
                                                             &memory->continuations[1][40]}};
    measure_print("all moves", picker_measure(positions, &context, false, MOVES_MAX));
    measure_print("first three", picker_measure(positions, &context, false, FEW));
    measure_print("noisy", picker_measure(positions, &context, true, MOVES_MAX));
    memory_free(memory);
    memory_free(positions);
    return 0;
}
