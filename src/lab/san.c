#include "lab/san.h"

#include "chess/movegen.h"
#include "chess/notation.h"

static const char LETTERS[] = "PNBRQK"; /* By kind. */

enum { ANY = 8 }; /* A file or rank that is not told. */

/* What a word tells of a move. */
struct san {
    kind_t kind, promoted;
    unsigned from_file, from_rank;
    square_t to;
};

static bool is_file(char c) { return c >= 'a' && c <= 'h'; }
static bool is_rank(char c) { return c >= '1' && c <= '8'; }

static bool castles_to_h_side(move_t move) { return move_to(move) > move_from(move); }

/* Which of file and rank a reader needs to tell the move from others of its kind. */
static void print_origin(const struct position *position, move_t move, struct text *text)
{
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    const square_t from = move_from(move);
    bool is_shared = false, shares_file = false, shares_rank = false;
    for (const move_t *other = moves; other != end; other++) {
        const square_t origin = move_from(*other);
        if (origin == from || move_to(*other) != move_to(move) || move_is_castle(*other) ||
            position->board[origin] != position->board[from])
            continue;
        is_shared = true;
        shares_file |= square_file(origin) == square_file(from);
        shares_rank |= square_rank(origin) == square_rank(from);
    }
    if (is_shared && (!shares_file || shares_rank))
        text_add_char(text, (char)('a' + square_file(from)));
    if (shares_file)
        text_add_char(text, (char)('1' + square_rank(from)));
}

static void print_plain(const struct position *position, move_t move, struct text *text)
{
    const kind_t kind = piece_kind(position->board[move_from(move)]);
    if (kind != PAWN) {
        text_add_char(text, LETTERS[kind]);
        print_origin(position, move, text);
    } else if (move_is_capture(move)) {
        text_add_char(text, (char)('a' + square_file(move_from(move))));
    }
    if (move_is_capture(move))
        text_add_char(text, 'x');
    text_add_char(text, (char)('a' + square_file(move_to(move))));
    text_add_char(text, (char)('1' + square_rank(move_to(move))));
    if (move_is_promotion(move)) {
        text_add_char(text, '=');
        text_add_char(text, LETTERS[move_promoted(move)]);
    }
}

size_t san_print(const struct position *position, move_t move, char out_text[SAN_BYTES_MAX])
{
    struct text text;
    text_init(&text, out_text, SAN_BYTES_MAX);
    if (move_is_castle(move))
        text_add(&text, castles_to_h_side(move) ? "O-O" : "O-O-O");
    else
        print_plain(position, move, &text);
    if (position_gives_check(position, move)) {
        struct position next;
        position_after(&next, position, move);
        text_add_char(&text, movegen_has_any(&next) ? '+' : '#');
    }
    return text.length;
}

/* Marks of check, mate and opinion behind a move say nothing about which it is. */
static struct slice without_marks(struct slice word)
{
    while (word.length > 0) {
        const char last = word.bytes[word.length - 1];
        if (last != '+' && last != '#' && last != '!' && last != '?')
            break;
        word.length--;
    }
    return word;
}

static kind_t kind_of(char letter)
{
    for (kind_t kind = PAWN; kind < KIND_COUNT; kind++)
        if (LETTERS[kind] == letter)
            return kind;
    return KIND_COUNT;
}

/* "Nbd7", "exd8=Q", "R1a3", "Qh4e1": read from behind. */
static bool parse_parts(struct slice word, struct san *out_san)
{
    struct san san = {.kind = PAWN, .promoted = PAWN, .from_file = ANY, .from_rank = ANY};
    size_t begin = 0, end = word.length;
    if (end >= 3 && kind_of(word.bytes[end - 1]) != KIND_COUNT) {
        san.promoted = kind_of(word.bytes[--end]);
        end -= word.bytes[end - 1] == '=';
    }
    if (end > 0 && kind_of(word.bytes[0]) != KIND_COUNT)
        san.kind = kind_of(word.bytes[begin++]);
    if (end < begin + 2 || !is_file(word.bytes[end - 2]) || !is_rank(word.bytes[end - 1]))
        return false;
    san.to =
        square_make((unsigned)(word.bytes[end - 2] - 'a'), (unsigned)(word.bytes[end - 1] - '1'));
    end -= 2;
    end -= end > begin && (word.bytes[end - 1] == 'x' || word.bytes[end - 1] == '-');
    if (begin < end && is_file(word.bytes[begin]))
        san.from_file = (unsigned)(word.bytes[begin++] - 'a');
    if (begin < end && is_rank(word.bytes[begin]))
        san.from_rank = (unsigned)(word.bytes[begin++] - '1');
    *out_san = san;
    return begin == end;
}

static bool is_meant(const struct position *position, move_t move, const struct san *san)
{
    const square_t from = move_from(move);
    return !move_is_castle(move) && move_to(move) == san->to &&
           piece_kind(position->board[from]) == san->kind &&
           (san->from_file == ANY || san->from_file == square_file(from)) &&
           (san->from_rank == ANY || san->from_rank == square_rank(from)) &&
           (move_is_promotion(move) ? move_promoted(move) : PAWN) == san->promoted;
}

move_t san_parse(const struct position *position, struct slice word)
{
    word = without_marks(word);
    const bool is_short = slice_equal(word, "O-O") || slice_equal(word, "0-0");
    const bool is_long = slice_equal(word, "O-O-O") || slice_equal(word, "0-0-0");
    struct san san = {.kind = PAWN};
    if (!is_short && !is_long && !parse_parts(word, &san))
        return notation_parse(position, word.bytes, word.length);
    move_t moves[MOVES_MAX], found = MOVE_NONE;
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        const bool is_it = is_short || is_long
                               ? move_is_castle(*move) && castles_to_h_side(*move) == is_short
                               : is_meant(position, *move, &san);
        if (!is_it)
            continue;
        if (found != MOVE_NONE)
            return MOVE_NONE; /* It names two. */
        found = *move;
    }
    return found != MOVE_NONE || is_short || is_long
               ? found
               : notation_parse(position, word.bytes, word.length);
}
