#include "load/place.h"

#include <string.h>

#include "base/check.h"
#include "base/random.h"
#include "base/text.h"

enum { WALK_PLIES_MIN = 2, WALK_PLIES_SPAN = 24, FILES = 8 };

#define START_COMMAND "position startpos"

enum rk_status place_create(struct place *place)
{
    *place = (struct place){0};
    return rk_game_create(&place->game);
}

void place_destroy(struct place *place)
{
    if (place->game != NULL)
        rk_game_destroy(place->game);
    *place = (struct place){0};
}

static void set_text(struct place *place, const char *start, const char *fen)
{
    struct text text;
    text_init(&text, place->text, sizeof(place->text));
    (void)text_add(&text, start);
    (void)text_add(&text, fen);
    place->length = text.length;
    place->plies = 0;
}

void place_play(struct place *place, rk_move_t move)
{
    char word[RK_MOVE_BYTES_MAX];
    struct text text = {place->text, place->length, sizeof(place->text), false};
    REQUIRE(place->plies < PLACE_PLIES_MAX);
    const size_t length = rk_move_text(move, place->chess960, word);
    (void)text_add(&text, place->plies == 0 ? " moves " : " ");
    (void)text_add(&text, word);
    REQUIRE(!text.is_cut && rk_game_play(place->game, word, length) == RK_OK);
    place->length = text.length;
    place->plies++;
}

/* False when the game ended on the way. */
static bool walk(struct place *place, uint64_t *random)
{
    const uint64_t plies = WALK_PLIES_MIN + random_below(random, WALK_PLIES_SPAN);
    for (uint64_t ply = 0; ply < plies; ply++) {
        rk_move_t moves[RK_MOVES_MAX];
        const size_t count = rk_game_moves(place->game, moves);
        if (count == 0)
            return false;
        place_play(place, moves[random_below(random, count)]);
    }
    return rk_game_outcome(place->game) == RK_GAME_OPEN;
}

static void tell_as_fen(struct place *place)
{
    char fen[RK_FEN_BYTES_MAX];
    (void)rk_game_fen(place->game, place->chess960, fen);
    set_text(place, "position fen ", fen);
    REQUIRE(rk_game_set_fen(place->game, fen, strlen(fen)) == RK_OK);
}

void place_draw(struct place *place, uint64_t *random)
{
    place->chess960 = false;
    do {
        rk_game_set_start(place->game);
        set_text(place, START_COMMAND, "");
    } while (!walk(place, random));
    if (random_below(random, 2) == 0)
        tell_as_fen(place);
}

/* Puts `piece` on the `index`-th free file. */
static void put(char rank[FILES], char piece, uint64_t index)
{
    for (unsigned file = 0; file < FILES; file++) {
        if (rank[file] != '.')
            continue;
        if (index == 0) {
            rank[file] = piece;
            return;
        }
        index--;
    }
}

static void draw_rank(char rank[FILES + 1], uint64_t *random)
{
    memcpy(rank, "........", FILES + 1);
    rank[2 * random_below(random, 4)] = 'b';
    rank[2 * random_below(random, 4) + 1] = 'b';
    put(rank, 'q', random_below(random, 6));
    put(rank, 'n', random_below(random, 5));
    put(rank, 'n', random_below(random, 4));
    put(rank, 'r', 0);
    put(rank, 'k', 0);
    put(rank, 'r', 0);
}

void place_draw_960(struct place *place, uint64_t *random)
{
    place->chess960 = true;
    do {
        char rank[FILES + 1];
        char white[FILES + 1];
        char fen[RK_FEN_BYTES_MAX];
        struct text text;
        draw_rank(rank, random);
        for (unsigned file = 0; file <= FILES; file++)
            white[file] = (char)(rank[file] == '\0' ? '\0' : rank[file] - 'a' + 'A');
        text_init(&text, fen, sizeof(fen));
        (void)text_add(&text, rank);
        (void)text_add(&text, "/pppppppp/8/8/8/8/PPPPPPPP/");
        (void)text_add(&text, white);
        (void)text_add(&text, " w KQkq - 0 1");
        REQUIRE(rk_game_set_fen(place->game, fen, text.length) == RK_OK);
        set_text(place, "position fen ", fen);
    } while (!walk(place, random));
    if (random_below(random, 2) == 0)
        tell_as_fen(place);
}
