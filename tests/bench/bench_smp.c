/* A match of two threads against one, each thread with the same number of nodes a move: what a
 * second core is worth, whatever the machine. Openings are random, the same in each run, and each
 * is played twice with sides changed. Prints wins, draws, losses, and Elo with its 95 % error, from
 * the scores of the pairs.
 *
 *     bench_smp [GAMES] [NODES_A_THREAD]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/random.h"
#include "bench/asker.h"

enum {
    GAMES_DEFAULT = 100,
    NODES_DEFAULT = 20000,
    TABLE_MIB = 16,
    OPENING_PLIES = 8,
    OPENING_CENTIPAWNS_MAX = 120, /* Openings that are decided tell nothing. */
    OPENING_NODES = 5000,
    PLIES_MAX = 300,
    WON_CENTIPAWNS = 1000, /* When both say so, the game is not played out. */
    SEED = 2026
};

static void play(struct rk_game *game, rk_move_t move)
{
    char text[RK_MOVE_BYTES_MAX];
    const size_t length = rk_move_text(move, true, text);
    REQUIRE(rk_game_play(game, text, length) == RK_OK);
}

static bool draw_opening(struct rk_game *game, uint64_t *random)
{
    rk_game_set_start(game);
    for (int ply = 0; ply < OPENING_PLIES; ply++) {
        rk_move_t moves[RK_MOVES_MAX];
        const size_t count = rk_game_moves(game, moves);
        if (count == 0)
            return false;
        play(game, moves[random_below(random, count)]);
    }
    return rk_game_outcome(game) == RK_GAME_OPEN;
}

static void find_opening(struct rk_game *game, uint64_t *random, struct asker *judge)
{
    const struct rk_limits limits = {.nodes = OPENING_NODES};
    for (;;) {
        if (!draw_opening(game, random))
            continue;
        asker_forget(judge);
        if (abs(asker_ask(judge, game, &limits).centipawns) <= OPENING_CENTIPAWNS_MAX)
            return;
    }
}

/* Half points of White. */
static int play_game(struct rk_game *game, struct asker *sides[2], const uint64_t nodes[2])
{
    int32_t white_centipawns[2] = {0, 0}; /* What each side thinks of White's game. */
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        const bool is_white = rk_game_white_to_move(game);
        const enum rk_outcome outcome = rk_game_outcome(game);
        if (outcome == RK_GAME_CHECKMATE)
            return is_white ? 0 : 2;
        if (outcome != RK_GAME_OPEN)
            return 1;
        const unsigned side = is_white ? 0 : 1;
        const struct rk_limits limits = {.nodes = nodes[side]};
        const struct answer answer = asker_ask(sides[side], game, &limits);
        white_centipawns[side] = is_white ? answer.centipawns : -answer.centipawns;
        if (white_centipawns[0] >= WON_CENTIPAWNS && white_centipawns[1] >= WON_CENTIPAWNS)
            return 2;
        if (white_centipawns[0] <= -WON_CENTIPAWNS && white_centipawns[1] <= -WON_CENTIPAWNS)
            return 0;
        play(game, answer.move);
    }
    return 1;
}

static double elo(double share)
{
    const double least = 0.001;
    const double bounded = share < least ? least : share > 1 - least ? 1 - least : share;
    return -400 * log10(1 / bounded - 1);
}

static void print_match(const unsigned counts[3], unsigned pairs, double sum, double squares)
{
    const double mean = sum / pairs;
    const double variance = pairs > 1 ? (squares - sum * mean) / (pairs - 1) : 0;
    const double error = 1.96 * sqrt(variance / pairs);
    printf("two threads against one: +%u =%u -%u, score %.1f %%, Elo %+.0f (%+.0f to %+.0f)\n",
           counts[2], counts[1], counts[0], 100 * mean, elo(mean), elo(mean - error),
           elo(mean + error));
}

int main(int count, char **arguments)
{
    const unsigned pairs =
        (count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : GAMES_DEFAULT) / 2;
    const uint64_t nodes = count > 2 ? strtoull(arguments[2], NULL, 10) : NODES_DEFAULT;
    if (pairs == 0 || nodes == 0) {
        (void)fprintf(stderr, "bench_smp [GAMES] [NODES_A_THREAD]: at least 2 and 1\n");
        return EXIT_FAILURE;
    }
    struct asker one, two;
    struct rk_game *opening, *game;
    asker_init(&one, 1, TABLE_MIB);
    asker_init(&two, 2, TABLE_MIB);
    REQUIRE(rk_game_create(&opening) == RK_OK && rk_game_create(&game) == RK_OK);
    unsigned counts[3] = {0};
    double sum = 0, squares = 0;
    uint64_t random = SEED;
    for (unsigned pair = 1; pair <= pairs; pair++) {
        find_opening(opening, &random, &one);
        double score = 0;
        for (unsigned is_black = 0; is_black < 2; is_black++) {
            struct asker *sides[2] = {is_black ? &one : &two, is_black ? &two : &one};
            const uint64_t limits[2] = {is_black ? nodes : 2 * nodes, is_black ? 2 * nodes : nodes};
            asker_forget(&one);
            asker_forget(&two);
            rk_game_copy(game, opening);
            const int white = play_game(game, sides, limits);
            const int points = is_black ? 2 - white : white;
            counts[points]++;
            score += points / 4.0;
        }
        sum += score;
        squares += score * score;
        if (pair % 10 == 0 || pair == pairs)
            print_match(counts, pair, sum, squares);
        (void)fflush(stdout);
    }
    rk_game_destroy(game);
    rk_game_destroy(opening);
    asker_clear(&two);
    asker_clear(&one);
    return EXIT_SUCCESS;
}
