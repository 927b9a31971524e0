#include "support/referee.h"

#include <check.h>
#include <string.h>

static const char BESTMOVE[] = "bestmove ";
static const char PONDER[] = "ponder ";

bool referee_allows(const struct rk_game *game, const char *moves)
{
    struct rk_game *copy = NULL;
    bool is_legal = *moves != '\0';
    ck_assert(rk_game_create(&copy) == RK_OK);
    rk_game_copy(copy, game);
    while (is_legal && *moves != '\0') {
        if (strncmp(moves, PONDER, strlen(PONDER)) == 0)
            moves += strlen(PONDER);
        const size_t length = strcspn(moves, " ");
        is_legal = rk_game_play(copy, moves, length) == RK_OK;
        moves += length;
        moves += strspn(moves, " ");
    }
    rk_game_destroy(copy);
    return is_legal;
}

bool referee_allows_at(const char *fen, const char *line)
{
    struct rk_game *game = NULL;
    if (strncmp(line, BESTMOVE, strlen(BESTMOVE)) != 0)
        return false;
    ck_assert(rk_game_create(&game) == RK_OK);
    ck_assert(rk_game_set_fen(game, fen, strlen(fen)) == RK_OK);
    const bool is_legal = referee_allows(game, line + strlen(BESTMOVE));
    rk_game_destroy(game);
    return is_legal;
}
