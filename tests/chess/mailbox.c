#include "chess/mailbox.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const int KING_STEPS[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                     {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static const int KNIGHT_STEPS[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                       {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

/* The square a step away, or -1. */
static int beside(int square, int files, int ranks)
{
    const int file = square % 8 + files, rank = square / 8 + ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : rank * 8 + file;
}

static bool is_man_of(char man, bool white)
{
    return man != '.' && (isupper((unsigned char)man) != 0) == white;
}
static bool is(char man, bool white, char upper)
{
    return man == (white ? upper : (char)tolower((unsigned char)upper));
}

static int find_king(const struct mailbox *box, bool white)
{
    return (int)((const char *)memchr(box->board, white ? 'K' : 'k', 64) - box->board);
}

bool mailbox_is_attacked(const struct mailbox *box, int square, bool by_white)
{
    for (int i = 0; i < 8; i++) {
        const int knight = beside(square, KNIGHT_STEPS[i][0], KNIGHT_STEPS[i][1]);
        if (knight >= 0 && is(box->board[knight], by_white, 'N'))
            return true;
        const int files = KING_STEPS[i][0], ranks = KING_STEPS[i][1];
        int at = beside(square, files, ranks);
        if (at >= 0 && is(box->board[at], by_white, 'K'))
            return true;
        if (at >= 0 && files != 0 && ranks == (by_white ? -1 : 1) &&
            is(box->board[at], by_white, 'P'))
            return true;
        while (at >= 0 && box->board[at] == '.')
            at = beside(at, files, ranks);
        if (at >= 0 && (is(box->board[at], by_white, 'Q') ||
                        is(box->board[at], by_white, files != 0 && ranks != 0 ? 'B' : 'R')))
            return true;
    }
    return false;
}

bool mailbox_in_check(const struct mailbox *box)
{
    return mailbox_is_attacked(box, find_king(box, box->is_white), !box->is_white);
}

struct mailbox mailbox_parse(const char *fen)
{
    struct mailbox box = {.is_white = true, .castle_rook = {{-1, -1}, {-1, -1}}, .en_passant = -1};
    int square = 56;
    memset(box.board, '.', sizeof box.board);
    for (; *fen != ' '; fen++) {
        if (*fen == '/')
            square -= 16;
        else if (isdigit((unsigned char)*fen))
            square += *fen - '0';
        else
            box.board[square++] = *fen;
    }
    box.is_white = *++fen == 'w';
    for (fen += 2; *fen != ' '; fen++) {
        if (*fen == '-')
            continue;
        const bool white = isupper((unsigned char)*fen) != 0;
        const int first = white ? 0 : 56, king = find_king(&box, white);
        const char letter = (char)tolower((unsigned char)*fen);
        int rook = letter == 'k' ? first + 7 : letter == 'q' ? first : first + letter - 'a';
        while (!is(box.board[rook], white, 'R'))
            rook += letter == 'k' ? -1 : 1;
        box.castle_rook[!white][rook > king] = rook;
    }
    if (*++fen != '-')
        box.en_passant = (fen[1] - '1') * 8 + fen[0] - 'a';
    return box;
}

static void castle(struct mailbox *box, struct mailbox_move move)
{
    const bool white = box->is_white;
    const int first = move.from / 8 * 8, h_side = move.to > move.from;
    box->board[move.from] = '.';
    box->board[move.to] = '.';
    box->board[first + (h_side ? 6 : 2)] = white ? 'K' : 'k';
    box->board[first + (h_side ? 5 : 3)] = white ? 'R' : 'r';
}

struct mailbox mailbox_play(const struct mailbox *before, struct mailbox_move move)
{
    struct mailbox box = *before;
    const bool white = box.is_white;
    const char man = box.board[move.from];
    const bool is_castle = is(man, white, 'K') && is(box.board[move.to], white, 'R');
    if (is_castle) {
        castle(&box, move);
    } else {
        if (is(man, white, 'P') && move.to == box.en_passant)
            box.board[move.to + (white ? -8 : 8)] = '.';
        box.board[move.to] = man;
        box.board[move.from] = '.';
        if (move.promoted)
            box.board[move.to] =
                white ? (char)toupper((unsigned char)move.promoted) : move.promoted;
    }
    for (int color = 0; color < 2; color++)
        for (int wing = 0; wing < 2; wing++)
            if (box.castle_rook[color][wing] == move.from ||
                box.castle_rook[color][wing] == move.to || (is(man, white, 'K') && color == !white))
                box.castle_rook[color][wing] = -1;
    box.en_passant = -1;
    if (is(man, white, 'P') && abs(move.to - move.from) == 16)
        box.en_passant = (move.to + move.from) / 2;
    box.is_white = !white;
    return box;
}

struct list {
    const struct mailbox *box;
    struct mailbox_move *moves;
    size_t count;
};

/* Adds a move unless it leaves the own king attacked. */
static void add(struct list *list, struct mailbox_move move)
{
    const struct mailbox after = mailbox_play(list->box, move);
    if (!mailbox_is_attacked(&after, find_king(&after, !after.is_white), after.is_white))
        list->moves[list->count++] = move;
}

static void add_pawn(struct list *list, int from, int to, bool is_capture)
{
    if (to / 8 != 0 && to / 8 != 7) {
        add(list, (struct mailbox_move){from, to, 0, is_capture});
        return;
    }
    for (const char *promoted = "nbrq"; *promoted; promoted++)
        add(list, (struct mailbox_move){from, to, *promoted, is_capture});
}

static void add_pawn_moves(struct list *list, int from)
{
    const struct mailbox *box = list->box;
    const int up = box->is_white ? 1 : -1;
    const int one = beside(from, 0, up);
    if (box->board[one] == '.') {
        add_pawn(list, from, one, false);
        const int two = beside(one, 0, up);
        if (from / 8 == (box->is_white ? 1 : 6) && box->board[two] == '.')
            add_pawn(list, from, two, false);
    }
    for (int side = -1; side <= 1; side += 2) {
        const int to = beside(from, side, up);
        if (to >= 0 && (is_man_of(box->board[to], !box->is_white) || to == box->en_passant))
            add_pawn(list, from, to, true);
    }
}

static void add_officer_moves(struct list *list, int from, char upper)
{
    const struct mailbox *box = list->box;
    const bool is_slider = upper != 'N' && upper != 'K';
    for (int i = 0; i < 8; i++) {
        const int *step = upper == 'N' ? KNIGHT_STEPS[i] : KING_STEPS[i];
        const bool is_diagonal = step[0] != 0 && step[1] != 0;
        if ((upper == 'B' && !is_diagonal) || (upper == 'R' && is_diagonal))
            continue;
        for (int to = beside(from, step[0], step[1]); to >= 0; to = beside(to, step[0], step[1])) {
            const bool is_capture = is_man_of(box->board[to], !box->is_white);
            if (is_man_of(box->board[to], box->is_white))
                break;
            add(list, (struct mailbox_move){from, to, 0, is_capture});
            if (is_capture || !is_slider)
                break;
        }
    }
}

static int step_towards(int from, int to) { return (to > from) - (to < from); }

static void add_castling(struct list *list, int rook)
{
    const struct mailbox *box = list->box;
    const int king = find_king(box, box->is_white), first = king / 8 * 8;
    const int king_to = first + (rook > king ? 6 : 2), rook_to = first + (rook > king ? 5 : 3);
    for (int at = king;; at += step_towards(king, king_to)) {
        if ((box->board[at] != '.' && at != king && at != rook) ||
            mailbox_is_attacked(box, at, !box->is_white))
            return;
        if (at == king_to)
            break;
    }
    for (int at = rook; at != rook_to;) {
        at += step_towards(rook, rook_to);
        if (box->board[at] != '.' && at != king)
            return;
    }
    add(list, (struct mailbox_move){king, rook, 0, false});
}

size_t mailbox_moves(const struct mailbox *box, struct mailbox_move moves[MAILBOX_MOVES_MAX])
{
    struct list list = {box, moves, 0};
    for (int from = 0; from < 64; from++) {
        if (!is_man_of(box->board[from], box->is_white))
            continue;
        const char upper = (char)toupper((unsigned char)box->board[from]);
        if (upper == 'P')
            add_pawn_moves(&list, from);
        else
            add_officer_moves(&list, from, upper);
    }
    for (int wing = 0; wing < 2; wing++)
        if (box->castle_rook[!box->is_white][wing] >= 0)
            add_castling(&list, box->castle_rook[!box->is_white][wing]);
    return list.count;
}
