#include "chess/fen.h"

#include <string.h>

#include "base/check.h"
#include "chess/attacks.h"

static const char PIECE_LETTERS[] = "PNBRQKpnbrqk";

enum {
    FIFTY_READ_MAX = 9999, /* Far beyond what a game can reach; held at 255 on the board. */
    FIFTY_HELD = 255,
    MOVE_NUMBER_MAX = 65535,
    MEN_A_SIDE = 16,
    PAWNS_A_SIDE = 8,
    CHECKERS_MAX = 2
};

struct field {
    const char *text;
    size_t length;
};

struct reader {
    const char *next, *end;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The next word; of length 0 at the end. */
static struct field next_field(struct reader *reader)
{
    while (reader->next != reader->end && is_blank(*reader->next))
        reader->next++;
    struct field field = {reader->next, 0};
    while (reader->next != reader->end && !is_blank(*reader->next)) {
        reader->next++;
        field.length++;
    }
    return field;
}

static bool is_dash(struct field field) { return field.length == 1 && field.text[0] == '-'; }

static piece_t piece_from_letter(char letter)
{
    const char *found = letter == '\0' ? NULL : strchr(PIECE_LETTERS, letter);
    return found == NULL ? PIECE_NONE : (piece_t)(found - PIECE_LETTERS);
}

static enum rk_status check_ranks(struct field field)
{
    unsigned ranks = 1;
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.text[i];
        ranks += c == '/';
        if (c != '/' && (c < '1' || c > '8') && piece_from_letter(c) == PIECE_NONE)
            return RK_FEN_BOARD;
    }
    return ranks == 8 ? RK_OK : RK_FEN_RANKS;
}

static enum rk_status parse_board(struct field field, struct position *p)
{
    if (field.length == 0 || memchr(field.text, '/', field.length) == NULL)
        return RK_FEN_EMPTY;
    const enum rk_status status = check_ranks(field);
    if (status != RK_OK)
        return status;
    unsigned file = 0, rank = 7;
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.text[i];
        if (c == '/') {
            if (file != 8)
                return RK_FEN_BOARD;
            file = 0;
            rank--;
        } else if (c >= '1' && c <= '8') {
            file += (unsigned)(c - '0');
        } else if (file < 8) {
            position_put(p, square_make(file++, rank), piece_from_letter(c));
        } else {
            return RK_FEN_BOARD;
        }
        if (file > 8)
            return RK_FEN_BOARD;
    }
    return file == 8 ? RK_OK : RK_FEN_BOARD;
}

static unsigned men_beyond(const struct position *p, color_t color, kind_t kind, unsigned first)
{
    const unsigned count = bits_count(position_men(p, color, kind));
    return count > first ? count - first : 0;
}

enum rk_status fen_check_men(const struct position *p)
{
    for (unsigned i = WHITE; i < COLOR_COUNT; i++)
        if (bits_count(position_men(p, (color_t)i, KING)) != 1)
            return RK_FEN_KINGS;
    for (unsigned i = WHITE; i < COLOR_COUNT; i++) {
        const color_t color = (color_t)i;
        const unsigned pawns = bits_count(position_men(p, color, PAWN));
        const unsigned promoted = men_beyond(p, color, KNIGHT, 2) +
                                  men_beyond(p, color, BISHOP, 2) + men_beyond(p, color, ROOK, 2) +
                                  men_beyond(p, color, QUEEN, 1);
        if (bits_count(p->colors[color]) > MEN_A_SIDE || pawns > PAWNS_A_SIDE ||
            promoted > PAWNS_A_SIDE - pawns)
            return RK_FEN_TOO_MANY_PIECES;
    }
    return (p->kinds[PAWN] & (RANK_1 | RANK_8)) == 0 ? RK_OK : RK_FEN_PAWN_RANK;
}

static enum rk_status parse_side(struct field field, struct position *p)
{
    if (field.length == 0)
        return RK_OK;
    if (field.length != 1 || (field.text[0] != 'w' && field.text[0] != 'b'))
        return RK_FEN_SIDE;
    p->side = field.text[0] == 'b';
    return RK_OK;
}

/* The rook a right's letter means, or SQUARE_NONE: by file, or the outermost on that side. */
static square_t find_rook(const struct position *p, color_t color, char lower)
{
    const square_t king = position_king(p, color);
    const bitboard_t rank = color == WHITE ? RANK_1 : RANK_8;
    const bitboard_t rooks = position_men(p, color, ROOK) & rank;
    if ((square_bit(king) & rank) == 0)
        return SQUARE_NONE;
    if (lower != 'k' && lower != 'q') {
        const square_t rook = square_make((unsigned)(lower - 'a'), square_rank(king));
        return (rooks & square_bit(rook)) != 0 ? rook : SQUARE_NONE;
    }
    if (rooks == 0)
        return SQUARE_NONE;
    const square_t outermost = lower == 'k' ? bits_highest(rooks) : bits_lowest(rooks);
    return (outermost > king) == (lower == 'k') ? outermost : SQUARE_NONE;
}

static enum rk_status parse_castling(struct field field, struct position *p)
{
    if (field.length == 0 || is_dash(field))
        return RK_OK;
    for (size_t i = 0; i < field.length; i++) {
        const char letter = field.text[i];
        const color_t color = letter >= 'a' ? BLACK : WHITE;
        const char lower = (char)(letter | 0x20);
        const bool is_letter = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
        if (!is_letter || (lower > 'h' && lower != 'k' && lower != 'q'))
            return RK_FEN_CASTLING;
        const square_t rook = find_rook(p, color, lower);
        if (rook != SQUARE_NONE)
            p->castle_rook[color][rook > position_king(p, color)] = rook;
    }
    return RK_OK;
}

static enum rk_status parse_en_passant(struct field field, struct position *p)
{
    if (field.length == 0 || is_dash(field))
        return RK_OK;
    if (field.length != 2 || field.text[0] < 'a' || field.text[0] > 'h' ||
        field.text[1] != (p->side == WHITE ? '6' : '3'))
        return RK_FEN_EN_PASSANT;
    p->en_passant = square_make((unsigned)(field.text[0] - 'a'), p->side == WHITE ? 5 : 2);
    return RK_OK;
}

static bool parse_number(struct field field, unsigned max, unsigned *out_number)
{
    unsigned number = 0;
    for (size_t i = 0; i < field.length; i++) {
        if (field.text[i] < '0' || field.text[i] > '9')
            return false;
        number = number * 10 + (unsigned)(field.text[i] - '0');
        if (number > max)
            return false;
    }
    *out_number = number;
    return true;
}

static enum rk_status parse_clocks(struct field fifty_field, struct field number_field,
                                   struct position *p)
{
    unsigned fifty = 0, number = 0;
    if (!parse_number(fifty_field, FIFTY_READ_MAX, &fifty) ||
        !parse_number(number_field, MOVE_NUMBER_MAX, &number))
        return RK_FEN_CLOCK;
    p->fifty = (uint8_t)(fifty < FIFTY_HELD ? fifty : FIFTY_HELD);
    p->move_number = (uint16_t)(number > 0 ? number : 1);
    return RK_OK;
}

static enum rk_status check_checks(struct position *p)
{
    const color_t us = p->side;
    if (position_is_attacked(p, position_king(p, us ^ 1u), us, position_all(p)))
        return RK_FEN_OPPONENT_IN_CHECK;
    position_set_checks(p);
    return bits_count(p->checkers) <= CHECKERS_MAX ? RK_OK : RK_FEN_TOO_MANY_CHECKERS;
}

/* Whether a pawn can just have passed over the square. */
static bool is_passed(const struct position *p, square_t target)
{
    if (target >= SQUARE_COUNT || rank_of(p->side, target) != 5)
        return false;
    const square_t origin = p->side == WHITE ? target + 8 : target - 8;
    const square_t pawn = p->side == WHITE ? target - 8 : target + 8;
    return p->board[target] == PIECE_NONE && p->board[origin] == PIECE_NONE &&
           p->board[pawn] == piece_make(p->side ^ 1u, PAWN);
}

enum rk_status fen_finish(struct position *p)
{
    const enum rk_status status = check_checks(p);
    if (status != RK_OK)
        return status;
    if (!is_passed(p, p->en_passant))
        p->en_passant = SQUARE_NONE;
    if (p->en_passant != SQUARE_NONE)
        position_trim_en_passant(p);
    position_set_keys(p);
    return RK_OK;
}

static enum rk_status parse_fields(struct reader *reader, struct position *p)
{
    enum rk_status status = parse_board(next_field(reader), p);
    if (status == RK_OK)
        status = fen_check_men(p);
    if (status == RK_OK)
        status = parse_side(next_field(reader), p);
    if (status == RK_OK)
        status = parse_castling(next_field(reader), p);
    if (status == RK_OK)
        status = parse_en_passant(next_field(reader), p);
    if (status != RK_OK)
        return status;
    const struct field fifty = next_field(reader), number = next_field(reader);
    status = parse_clocks(fifty, number, p);
    if (status != RK_OK)
        return status;
    return next_field(reader).length == 0 ? RK_OK : RK_FEN_TRAILING;
}

enum rk_status fen_parse(const char *fen, size_t length, struct position *out_position)
{
    struct reader reader = {fen, fen + length};
    struct position p = {.en_passant = SQUARE_NONE};
    memset(p.board, PIECE_NONE, sizeof p.board);
    memset(p.castle_rook, SQUARE_NONE, sizeof p.castle_rook);
    enum rk_status status = parse_fields(&reader, &p);
    if (status == RK_OK)
        status = fen_finish(&p);
    if (status == RK_OK)
        *out_position = p;
    return status;
}

struct writer {
    char *text;
    size_t length;
};

static void put(struct writer *writer, char c)
{
    ASSERT(writer->length < RK_FEN_BYTES_MAX - 1);
    writer->text[writer->length++] = c;
}

static void put_number(struct writer *writer, unsigned number)
{
    if (number >= 10)
        put_number(writer, number / 10);
    put(writer, (char)('0' + number % 10));
}

static void put_board(struct writer *writer, const struct position *p)
{
    for (unsigned rank = 8; rank-- > 0;) {
        unsigned empty = 0;
        for (unsigned file = 0; file < 8; file++) {
            const piece_t piece = p->board[square_make(file, rank)];
            if (piece == PIECE_NONE) {
                empty++;
                continue;
            }
            if (empty > 0)
                put_number(writer, empty);
            empty = 0;
            put(writer, PIECE_LETTERS[piece]);
        }
        if (empty > 0)
            put_number(writer, empty);
        put(writer, rank > 0 ? '/' : ' ');
    }
}

static void put_castling(struct writer *writer, const struct position *p, bool chess960)
{
    const size_t start = writer->length;
    for (unsigned color = WHITE; color < COLOR_COUNT; color++)
        for (unsigned wing = 2; wing-- > 0;) {
            const square_t rook = p->castle_rook[color][wing];
            if (rook == SQUARE_NONE)
                continue;
            char letter = wing ? 'k' : 'q';
            if (chess960 || find_rook(p, (color_t)color, letter) != rook)
                letter = (char)('a' + square_file(rook));
            put(writer, color == WHITE ? (char)(letter - 0x20) : letter);
        }
    if (writer->length == start)
        put(writer, '-');
}

size_t fen_print(const struct position *p, bool chess960, char out_fen[RK_FEN_BYTES_MAX])
{
    struct writer writer = {out_fen, 0};
    put_board(&writer, p);
    put(&writer, p->side == WHITE ? 'w' : 'b');
    put(&writer, ' ');
    put_castling(&writer, p, chess960);
    put(&writer, ' ');
    if (p->en_passant == SQUARE_NONE) {
        put(&writer, '-');
    } else {
        put(&writer, (char)('a' + square_file(p->en_passant)));
        put(&writer, (char)('1' + square_rank(p->en_passant)));
    }
    put(&writer, ' ');
    put_number(&writer, p->fifty);
    put(&writer, ' ');
    put_number(&writer, p->move_number);
    out_fen[writer.length] = '\0';
    return writer.length;
}
