#include "lab/referee.h"

#include <stdlib.h>

void referee_begin(struct referee *out_referee, const struct game_rules *rules)
{
    *out_referee = (struct referee){.rules = rules};
}

static void count_on(unsigned *run, bool goes_on) { *run = goes_on ? *run + 1 : 0; }

void referee_note(struct referee *referee, color_t mover, int centipawns)
{
    const struct game_rules *rules = referee->rules;
    count_on(&referee->winning[mover], centipawns >= rules->resign_score);
    count_on(&referee->winning[mover ^ 1u], -centipawns >= rules->resign_score);
    count_on(&referee->even, abs(centipawns) <= rules->draw_score);
}

static bool is_over(const struct rk_game *game, enum game_end *out_end, unsigned *out_white_points)
{
    static const enum game_end ENDS[] = {[RK_GAME_CHECKMATE] = GAME_CHECKMATE,
                                         [RK_GAME_STALEMATE] = GAME_STALEMATE,
                                         [RK_GAME_REPETITION] = GAME_REPETITION,
                                         [RK_GAME_FIFTY] = GAME_FIFTY,
                                         [RK_GAME_MATERIAL] = GAME_MATERIAL};
    const enum rk_outcome outcome = rk_game_outcome(game);
    if (outcome == RK_GAME_OPEN)
        return false;
    *out_end = ENDS[outcome];
    if (outcome == RK_GAME_CHECKMATE)
        *out_white_points = game->position.side == WHITE ? 0 : 2;
    return true;
}

bool referee_ends(const struct referee *referee, const struct rk_game *game, unsigned played,
                  unsigned ply, enum game_end *out_end, unsigned *out_white_points)
{
    const struct game_rules *rules = referee->rules;
    *out_white_points = 1;
    if (is_over(game, out_end, out_white_points))
        return true;
    for (color_t color = WHITE; color <= BLACK && rules->resign_plies > 0; color++)
        if (referee->winning[color] >= rules->resign_plies) {
            *out_end = GAME_RESIGNED;
            *out_white_points = color == WHITE ? 2 : 0;
            return true;
        }
    *out_end = GAME_AGREED;
    if (rules->draw_plies > 0 && ply >= rules->draw_from && referee->even >= rules->draw_plies)
        return true;
    *out_end = GAME_TOO_LONG;
    return played >= rules->plies_max;
}
