/* What somebody else's program is: the doors, and nothing of the house. Two engines live in it. */
#include <rookery/rookery.h>

#include <stdio.h>
#include <string.h>

static rk_move_t best_move(struct rk_engine *engine, const struct rk_game *game)
{
    const struct rk_request request = {.size = sizeof request, .game = game, .limits.depth = 6};
    struct rk_report report = {0};
    rk_ticket_t ticket;
    if (rk_engine_start(engine, &request, &ticket) != RK_OK)
        return RK_MOVE_NONE;
    while (!rk_engine_poll(engine, &report) || report.kind != RK_REPORT_VERDICT)
        ; /* A program with work to do would sleep until `wake`. */
    return report.best_move;
}

int main(void)
{
    static const char FEN[] = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    const struct rk_engine_options options = {
        .size = sizeof options, .searches_max = 1, .threads = 1, .table_mib = 1};
    struct rk_engine *engines[2];
    struct rk_game *game;
    if (rk_engine_create(&options, &engines[0]) != RK_OK ||
        rk_engine_create(&options, &engines[1]) != RK_OK || rk_game_create(&game) != RK_OK ||
        rk_game_set_fen(game, FEN, strlen(FEN)) != RK_OK)
        return 1;
    char first[RK_MOVE_BYTES_MAX];
    char second[RK_MOVE_BYTES_MAX];
    rk_move_text(best_move(engines[0], game), false, first);
    rk_move_text(best_move(engines[1], game), false, second);
    printf("%s: %s and %s\n", rk_build_text(), first, second);
    rk_game_destroy(game);
    rk_engine_destroy(engines[0]);
    rk_engine_destroy(engines[1]);
    return strcmp(first, "a1a8") == 0 && strcmp(second, "a1a8") == 0 ? 0 : 1;
}
