/* Openings as text: lines of FEN and EPD, and games in PGN. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/random.h"
#include "chess/chess.h"
#include "chess/movegen.h"
#include "lab/book.h"
#include "lab/san.h"

enum { FEN_WORDS_MAX = 6, FEN_WORDS_EPD = 4 };

void opening_end(const struct opening *opening, struct rk_game *out_game)
{
    *out_game = opening->start;
    for (unsigned i = 0; i < opening->count; i++)
        game_play(out_game, opening->moves[i]);
}

bool opening_draw(struct opening *opening, unsigned plies, uint64_t *seed, struct rk_game *out_end)
{
    opening->count = 0;
    *out_end = opening->start;
    while (opening->count < plies) {
        move_t moves[MOVES_MAX];
        const unsigned count = (unsigned)(movegen_all(&out_end->position, moves) - moves);
        if (count == 0)
            return false;
        opening->moves[opening->count] = moves[random_below(seed, count)];
        game_play(out_end, opening->moves[opening->count++]);
    }
    return rk_game_outcome(out_end) == RK_GAME_OPEN;
}

/* Puts a man on the empty place with so many empty ones to its left. */
static void place_put(char row[], unsigned empty, char man)
{
    unsigned place = 0;
    while (row[place] != ' ' || empty-- > 0)
        place++;
    row[place] = man;
}

/* The numbering is Scharnagl's, published with his book of 2004: the bishops' squares, the queen,
 * the knights' pair, the last digit first; rook, king, rook fill the rest. */
void opening_array(unsigned number, struct rk_game *out_start)
{
    static const uint8_t KNIGHTS[][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                         {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    enum { FILES = 8 };
    char row[FILES], fen[RK_FEN_BYTES_MAX];
    REQUIRE(number < CHESS960_ARRAYS);
    memset(row, ' ', sizeof row);
    row[number % 4 * 2 + 1] = 'b';
    row[number / 4 % 4 * 2] = 'b';
    place_put(row, number / 16 % 6, 'q');
    const uint8_t *knights = KNIGHTS[number / 96];
    place_put(row, knights[1], 'n'); /* The right one first: it leaves the left one's count. */
    place_put(row, knights[0], 'n');
    place_put(row, 0, 'r');
    place_put(row, 0, 'k');
    place_put(row, 0, 'r');
    char white[FILES];
    for (unsigned i = 0; i < FILES; i++)
        white[i] = (char)(row[i] - 'a' + 'A');
    const int length =
        snprintf(fen, sizeof fen, "%.8s/pppppppp/8/8/8/8/PPPPPPPP/%.8s w KQkq - 0 1", row, white);
    REQUIRE(rk_game_set_fen(out_start, fen, (size_t)length) == RK_OK);
}

/* Adds one move to an opening that has come to `game`. */
static bool opening_add(struct opening *opening, struct rk_game *game, struct slice word)
{
    const move_t move = san_parse(&game->position, word);
    if (move == MOVE_NONE)
        return false;
    opening->moves[opening->count++] = move;
    game_play(game, move);
    return true;
}

static bool is_digits(struct slice word)
{
    for (size_t i = 0; i < word.length; i++)
        if (word.bytes[i] < '0' || word.bytes[i] > '9')
            return false;
    return word.length > 0;
}

/* How many bytes of the line are its FEN: four words, and two numbers if they follow. */
static size_t fen_length(struct slice line)
{
    struct slice rest = line;
    size_t length = 0;
    for (unsigned i = 0; i < FEN_WORDS_MAX; i++) {
        const struct slice word = slice_next_word(&rest);
        if (word.length == 0 || slice_equal(word, "moves") ||
            (i >= FEN_WORDS_EPD && !is_digits(word)))
            break;
        length = (size_t)(word.bytes + word.length - line.bytes);
    }
    return length;
}

enum rk_status opening_parse_line(struct slice line, struct opening *out_opening)
{
    chess_init();
    line = slice_trim(line);
    struct opening opening = {.count = 0};
    const size_t length = fen_length(line);
    const enum rk_status status = rk_game_set_fen(&opening.start, line.bytes, length);
    if (status != RK_OK)
        return status;
    struct slice rest = {line.bytes + length, line.length - length};
    struct rk_game game = opening.start;
    if (slice_equal(slice_next_word(&rest), "moves"))
        for (struct slice word = slice_next_word(&rest); word.length > 0;
             word = slice_next_word(&rest))
            if (opening.count == OPENING_PLIES_MAX || !opening_add(&opening, &game, word))
                return RK_BAD_MOVE;
    *out_opening = opening;
    return RK_OK;
}

static char byte_at(struct slice text, size_t at)
{
    return at < text.length ? text.bytes[at] : '\0';
}

/* The first byte from `at` on that is `wanted`, or the end. */
static size_t find_byte(struct slice text, size_t at, char wanted)
{
    while (at < text.length && text.bytes[at] != wanted)
        at++;
    return at;
}

/* Past a variation in parentheses, which may hold others. */
static size_t skip_variation(struct slice text, size_t at)
{
    unsigned depth = 0;
    for (; at < text.length; at++) {
        if (text.bytes[at] == '{')
            at = find_byte(text, at, '}');
        else if (text.bytes[at] == '(')
            depth++;
        else if (text.bytes[at] == ')' && --depth == 0)
            return at + 1;
    }
    return text.length;
}

/* Past the tags; the start is the FEN tag's when there is one. */
static enum rk_status parse_tags(struct slice game, struct opening *opening, size_t *at)
{
    static const char FEN_TAG[] = "[FEN \"";
    rk_game_set_start(&opening->start);
    for (;;) {
        while (*at < game.length && (unsigned char)game.bytes[*at] <= ' ')
            (*at)++;
        if (byte_at(game, *at) != '[')
            return RK_OK;
        const size_t end = find_byte(game, *at, '\n');
        const size_t begin = *at + sizeof FEN_TAG - 1;
        if (begin < end && memcmp(game.bytes + *at, FEN_TAG, sizeof FEN_TAG - 1) == 0) {
            const enum rk_status status = rk_game_set_fen(&opening->start, game.bytes + begin,
                                                          find_byte(game, begin, '"') - begin);
            if (status != RK_OK)
                return status;
        }
        *at = end;
    }
}

/* The next word of the main line from `at` on; length 0 at the end. Numbers of moves are no words,
 * also when they lean on one: "1.e4". */
static struct slice next_move_word(struct slice game, size_t *at)
{
    for (;;) {
        const char c = byte_at(game, *at);
        if (*at >= game.length)
            return (struct slice){game.bytes, 0};
        if (c == '{')
            *at = find_byte(game, *at, '}') + 1;
        else if (c == ';')
            *at = find_byte(game, *at, '\n');
        else if (c == '(')
            *at = skip_variation(game, *at);
        else if ((unsigned char)c <= ' ' || c == '.' || c == ')' || c == '}')
            (*at)++;
        else
            break;
    }
    const size_t begin = *at;
    while (*at < game.length && (unsigned char)game.bytes[*at] > ' ' &&
           strchr("{}();.", game.bytes[*at]) == NULL)
        (*at)++;
    return (struct slice){game.bytes + begin, *at - begin};
}

static bool is_result(struct slice word)
{
    return slice_equal(word, "*") || slice_equal(word, "1-0") || slice_equal(word, "0-1") ||
           slice_equal(word, "1/2-1/2");
}

enum rk_status opening_parse_pgn(struct slice game, unsigned plies_max, struct opening *out_opening)
{
    chess_init();
    struct opening opening = {.count = 0};
    size_t at = 0;
    const enum rk_status status = parse_tags(game, &opening, &at);
    if (status != RK_OK)
        return status;
    struct rk_game now = opening.start;
    const unsigned limit = plies_max < OPENING_PLIES_MAX ? plies_max : OPENING_PLIES_MAX;
    while (opening.count < limit) {
        const struct slice word = next_move_word(game, &at);
        if (word.length == 0 || is_result(word))
            break;
        if (is_digits(word) || word.bytes[0] == '$')
            continue;
        if (!opening_add(&opening, &now, word))
            return RK_BAD_MOVE;
    }
    *out_opening = opening;
    return RK_OK;
}
