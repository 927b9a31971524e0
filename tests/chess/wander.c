#include "chess/wander.h"

#include <check.h>
#include <string.h>

#include "base/random.h"
#include "chess/chess.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/perft_file.h"

static void play(const struct position *start, unsigned plies, uint64_t *random,
                 void (*visit)(const struct position *))
{
    struct position position = *start;
    for (unsigned ply = 0;; ply++) {
        move_t moves[MOVES_MAX];
        visit(&position);
        const uint64_t count = (uint64_t)(movegen_all(&position, moves) - moves);
        if (count == 0 || ply == plies)
            return;
        const struct position before = position;
        position_after(&position, &before, moves[random_below(random, count)]);
    }
}

void wander(unsigned stride, unsigned plies, void (*visit)(const struct position *position))
{
    uint64_t random = 1;
    for (size_t i = 0; i < PERFT_FILES; i++) {
        struct perft_file file = perft_file_read(perft_name(i));
        for (size_t line = 0; line < file.count; line += stride) {
            const struct position start = wander_parse(file.lines[line].text);
            play(&start, plies, &random, visit);
        }
        perft_file_free(&file);
    }
}

struct position wander_parse(const char *fen)
{
    struct position position;
    chess_init();
    if (fen_parse(fen, strlen(fen), &position) != RK_OK)
        ck_abort_msg("%s", fen);
    return position;
}
