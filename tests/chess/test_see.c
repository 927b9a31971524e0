#include "chess/see.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/suites.h"
#include "chess/wander.h"

/* The model: the exchange as a recursive game on a board of letters. */
struct model {
    char board[64];
    bool was_pinned[64]; /* When the exchange began. */
    int target;
};

static bool is_white(char man) { return isupper((unsigned char)man) != 0; }
static char upper(char man) { return (char)toupper((unsigned char)man); }

static int value(char man)
{
    switch (upper(man)) {
    case 'P': return 100;
    case 'N':
    case 'B': return 300;
    case 'R': return 500;
    case 'Q': return 900;
    default: return 0;
    }
}

static int sign(int number) { return (number > 0) - (number < 0); }

static bool is_slider_attack(const char board[64], int from, int to)
{
    const int files = to % 8 - from % 8, ranks = to / 8 - from / 8;
    const char man = upper(board[from]);
    const bool is_straight = files == 0 || ranks == 0, is_diagonal = abs(files) == abs(ranks);
    if (from == to || !((is_straight && (man == 'R' || man == 'Q')) ||
                        (is_diagonal && (man == 'B' || man == 'Q'))))
        return false;
    const int step = sign(ranks) * 8 + sign(files);
    for (int at = from + step; at != to; at += step)
        if (board[at] != '.')
            return false;
    return true;
}

static bool is_attack(const char board[64], int from, int to)
{
    const int files = to % 8 - from % 8, ranks = to / 8 - from / 8;
    const int distance = files * files + ranks * ranks;
    switch (upper(board[from])) {
    case 'P': return distance == 2 && ranks == (is_white(board[from]) ? 1 : -1);
    case 'N': return distance == 5;
    case 'K': return distance == 1 || distance == 2;
    default: return is_slider_attack(board, from, to);
    }
}

/* Whether the king of the man on `square` would be attacked by a slider without that man. */
static bool is_shield(const struct model *model, int square, bool target_counts)
{
    char board[64];
    memcpy(board, model->board, sizeof board);
    const bool white = is_white(board[square]);
    const int king = (int)((const char *)memchr(board, white ? 'K' : 'k', 64) - board);
    board[square] = '.';
    for (int from = 0; from < 64; from++)
        if (board[from] != '.' && is_white(board[from]) != white &&
            (target_counts || from != model->target) && is_slider_attack(board, from, king) &&
            !(target_counts && is_slider_attack(model->board, from, king)))
            return true;
    return false;
}

/* The man that takes next, or -1. */
static int find_taker(const struct model *model, bool white)
{
    bool is_guarded = false;
    for (int from = 0; from < 64; from++)
        is_guarded |= from != model->target && model->board[from] != '.' &&
                      is_white(model->board[from]) != white &&
                      is_attack(model->board, from, model->target);
    for (const char *man = "PNBRQK"; *man != '\0'; man++)
        for (int from = 0; from < 64; from++) {
            if (from == model->target || upper(model->board[from]) != *man ||
                is_white(model->board[from]) != white ||
                !is_attack(model->board, from, model->target))
                continue;
            if (*man == 'K' ? is_guarded : model->was_pinned[from] && is_shield(model, from, false))
                continue;
            return from;
        }
    return -1;
}

static int best(struct model model, bool white)
{
    const int from = find_taker(&model, white);
    if (from < 0)
        return 0;
    const int standing = value(model.board[model.target]);
    model.board[model.target] = model.board[from];
    model.board[from] = '.';
    const int gain = standing - best(model, !white);
    return gain > 0 ? gain : 0;
}

static int see_slowly(const struct position *position, move_t move)
{
    struct model model = {.target = move_to(move)};
    const int from = move_from(move), to = move_to(move);
    const bool white = position->side == WHITE;
    for (int square = 0; square < 64; square++)
        model.board[square] = "PNBRQKpnbrqk."[position->board[square]];
    for (int square = 0; square < 64; square++)
        model.was_pinned[square] = model.board[square] != '.' &&
                                   upper(model.board[square]) != 'K' &&
                                   is_shield(&model, square, true);
    int gain = value(model.board[to]);
    if (upper(model.board[from]) == 'P' && from % 8 != to % 8 && model.board[to] == '.') {
        model.board[to + (white ? -8 : 8)] = '.';
        gain = value('P');
    }
    model.board[to] = model.board[from];
    model.board[from] = '.';
    if (move_is_promotion(move)) {
        const char promoted = "nbrq"[move_promoted(move) - KNIGHT];
        model.board[to] = white ? upper(promoted) : promoted;
        gain += value(model.board[to]) - value('P');
    }
    return gain - best(model, !white);
}

static void check_against_model(const struct position *position)
{
    static const int distances[] = {1, 100, 250, 700, 2000};
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        if (move_is_castle(*move))
            continue;
        const int expected = see_slowly(position, *move);
        bool is_right = see_at_least(position, *move, expected);
        for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
            is_right = is_right && see_at_least(position, *move, expected - distances[i]) &&
                       !see_at_least(position, *move, expected + distances[i]);
        if (is_right)
            continue;
        char fen[RK_FEN_BYTES_MAX], text[RK_MOVE_BYTES_MAX];
        fen_print(position, true, fen);
        rk_move_text(*move, true, text);
        ck_abort_msg("%s %s is %d, or so says the model", fen, text, expected);
    }
}

START_TEST(every_exchange_is_the_models) { wander(16, 25, check_against_model); }
END_TEST

struct row {
    const char *fen, *move;
    int value;
};

static const struct row ROWS[] = {
    {"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100}, /* Undefended. */
    {"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200},
    {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100}, /* En passant. */
    {"4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0}, /* And taken back. */
    {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800},
    {"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100}, /* The new queen falls. */
    {"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 1300},
    {"4k3/8/8/3p4/8/8/8/R2RK3 w Q - 0 1", "d1d5", 100},
    {"3rk3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", -400},
    {"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100}, /* With help from behind. */
    {"4k3/8/8/3n4/8/1B6/8/4K3 w - - 0 1", "b3d5", 300},
    {"4k3/6r1/8/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", 100}, /* Nobody guards it. */
    {"4k3/4p3/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", -200},
    {"4k3/8/4p3/3p4/8/2N5/8/4RK2 w - - 0 1", "c3d5", 100}, /* The guard is pinned. */
    {"8/8/4k3/3p4/8/2N5/8/3RK3 w - - 0 1", "c3d5", 100},   /* A king cannot take into guard. */
    {"8/8/4k3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", -200},
    {"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1d2", 100},
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 0},
    {"4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3c4", -300}, /* Quiet, into a pawn's reach. */
};

START_TEST(known_exchanges)
{
    const struct row *row = &ROWS[_i];
    const struct position position = wander_parse(row->fen);
    const move_t move = notation_parse(&position, row->move, strlen(row->move));
    ck_assert_uint_ne(move, MOVE_NONE);
    ck_assert(see_at_least(&position, move, row->value));
    ck_assert(!see_at_least(&position, move, row->value + 1));
}
END_TEST

START_TEST(castling_exchanges_nothing)
{
    const struct position position = wander_parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    const move_t move = notation_parse(&position, "e1g1", 4);
    ck_assert(see_at_least(&position, move, 0));
    ck_assert(!see_at_least(&position, move, 1));
}
END_TEST

Suite *suite_see(void)
{
    Suite *suite = suite_create("see");
    TCase *tcase = tcase_create("see");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_test(tcase, every_exchange_is_the_models);
    tcase_add_loop_test(tcase, known_exchanges, 0, sizeof ROWS / sizeof *ROWS);
    tcase_add_test(tcase, castling_exchanges_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
