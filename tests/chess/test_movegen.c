#include "chess/movegen.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "chess/fen.h"
#include "chess/mailbox.h"
#include "chess/perft_file.h"
#include "chess/suites.h"
#include "chess/wander.h"

enum { TEXTS_MAX = 256 };

struct texts {
    char moves[TEXTS_MAX][RK_MOVE_BYTES_MAX];
    size_t count;
};

static int compare_texts(const void *a, const void *b) { return memcmp(a, b, RK_MOVE_BYTES_MAX); }

static void sort(struct texts *texts)
{
    qsort(texts->moves, texts->count, sizeof texts->moves[0], compare_texts);
}

static struct texts texts_of_position(const struct position *position)
{
    struct texts texts = {.count = 0};
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++)
        rk_move_text(*move, true, texts.moves[texts.count++]);
    sort(&texts);
    return texts;
}

static void print_mailbox_move(struct mailbox_move move, char text[RK_MOVE_BYTES_MAX])
{
    text[0] = (char)('a' + move.from % 8);
    text[1] = (char)('1' + move.from / 8);
    text[2] = (char)('a' + move.to % 8);
    text[3] = (char)('1' + move.to / 8);
    text[4] = move.promoted;
}

static struct texts texts_of_mailbox(const struct mailbox *box)
{
    struct texts texts = {.count = 0};
    struct mailbox_move moves[MAILBOX_MOVES_MAX];
    const size_t count = mailbox_moves(box, moves);
    for (size_t i = 0; i < count; i++)
        print_mailbox_move(moves[i], texts.moves[texts.count++]);
    sort(&texts);
    return texts;
}

static void check_against_mailbox(const struct position *position, const struct mailbox *box)
{
    char fen[RK_FEN_BYTES_MAX];
    fen_print(position, true, fen);
    const struct texts ours = texts_of_position(position), theirs = texts_of_mailbox(box);
    if (ours.count != theirs.count)
        ck_abort_msg("%s: %zu moves, not %zu", fen, ours.count, theirs.count);
    for (size_t i = 0; i < ours.count; i++)
        if (strcmp(ours.moves[i], theirs.moves[i]) != 0)
            ck_abort_msg("%s: %s, not %s", fen, ours.moves[i], theirs.moves[i]);
    ck_assert_int_eq(position->checkers != 0, mailbox_in_check(box));
}

/* Both play the same game, each by its own rules of what a move changes. */
static void play_beside_mailbox(const char *text, unsigned plies, uint64_t *random)
{
    char fen[RK_FEN_BYTES_MAX];
    struct position position = wander_parse(text);
    fen_print(&position, true, fen);
    struct mailbox box = mailbox_parse(fen);
    for (unsigned ply = 0; ply < plies; ply++) {
        struct mailbox_move theirs[MAILBOX_MOVES_MAX];
        move_t moves[MOVES_MAX];
        check_against_mailbox(&position, &box);
        const size_t count = (size_t)(movegen_all(&position, moves) - moves);
        if (count == 0)
            return;
        const move_t chosen = moves[random_below(random, count)];
        char chosen_text[RK_MOVE_BYTES_MAX] = "", their_text[RK_MOVE_BYTES_MAX] = "";
        rk_move_text(chosen, true, chosen_text);
        mailbox_moves(&box, theirs);
        size_t index = 0;
        do
            print_mailbox_move(theirs[index++], their_text);
        while (strcmp(their_text, chosen_text) != 0);
        ck_assert_int_eq(theirs[index - 1].is_capture, move_is_capture(chosen));
        box = mailbox_play(&box, theirs[index - 1]);
        const struct position before = position;
        position_after(&position, &before, chosen);
    }
}

START_TEST(legal_moves_are_the_models)
{
    enum { PLIES = 40, STRIDE = 3 };
    uint64_t random = 3;
    for (size_t i = 0; i < PERFT_FILES; i++) {
        struct perft_file file = perft_file_read(perft_name(i));
        for (size_t line = 0; line < file.count; line += STRIDE)
            play_beside_mailbox(file.lines[line].text, PLIES, &random);
        perft_file_free(&file);
    }
}
END_TEST

/* Noisy by the board alone, without the move's own word for it. */
static bool is_noisy_on_board(const struct position *p, move_t move)
{
    const piece_t piece = p->board[move_from(move)], target = p->board[move_to(move)];
    if (target != PIECE_NONE && piece_color(target) != p->side)
        return true;
    if (piece_kind(piece) != PAWN)
        return false;
    return rank_of(p->side, move_to(move)) == 7 ||
           square_file(move_from(move)) != square_file(move_to(move));
}

enum mark { ABSENT, LISTED, IN_NOISY, IN_QUIET };
static _Thread_local uint8_t marks[1 << 16];

static void mark_class(const move_t *moves, const move_t *end, enum mark mark)
{
    for (const move_t *move = moves; move != end; move++) {
        if (marks[*move] != LISTED)
            ck_abort_msg("move %04x is %s", *move,
                         marks[*move] == ABSENT ? "not legal" : "there twice");
        marks[*move] = (uint8_t)mark;
    }
}

static void check_classes(const struct position *position)
{
    move_t all[MOVES_MAX], noisy[MOVES_MAX], quiet[MOVES_MAX];
    const move_t *all_end = movegen_all(position, all);
    for (const move_t *move = all; move != all_end; move++) {
        if (marks[*move] != ABSENT)
            ck_abort_msg("move %04x is there twice", *move);
        marks[*move] = LISTED;
    }
    mark_class(noisy, movegen_noisy(position, noisy), IN_NOISY);
    mark_class(quiet, movegen_quiet(position, quiet), IN_QUIET);
    for (const move_t *move = all; move != all_end; move++) {
        const bool is_noisy = is_noisy_on_board(position, *move);
        if (marks[*move] != (is_noisy ? IN_NOISY : IN_QUIET) || move_is_noisy(*move) != is_noisy)
            ck_abort_msg("move %04x is in the wrong class", *move);
        marks[*move] = ABSENT;
    }
    const unsigned count = (unsigned)(all_end - all);
    if (movegen_count(position) != count || movegen_has_any(position) != (count > 0))
        ck_abort_msg("%u moves counted, not %u", movegen_count(position), count);
}

static void check_tree(const struct position *position, unsigned plies)
{
    check_classes(position);
    if (plies == 0)
        return;
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    for (const move_t *move = moves; move != end; move++) {
        struct position after;
        position_after(&after, position, *move);
        check_tree(&after, plies - 1);
    }
}

START_TEST(noisy_and_quiet_are_all)
{
    enum { STRIDE_FAST = 10, PLIES = 2 };
    const size_t stride = perft_effort() == PERFT_FAST ? STRIDE_FAST : 1;
    struct perft_file file = perft_file_read(perft_name((size_t)_i));
    for (size_t line = 0; line < file.count; line += stride) {
        const struct position position = wander_parse(file.lines[line].text);
        check_tree(&position, PLIES);
    }
    perft_file_free(&file);
}
END_TEST

START_TEST(the_most_moves_there_are)
{
    const struct position most =
        wander_parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    ck_assert_uint_eq(movegen_count(&most), 218);
    check_classes(&most);
}
END_TEST

Suite *suite_movegen(void)
{
    Suite *suite = suite_create("movegen");
    TCase *tcase = tcase_create("movegen");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_test(tcase, legal_moves_are_the_models);
    tcase_add_loop_test(tcase, noisy_and_quiet_are_all, 0, PERFT_FILES);
    tcase_add_test(tcase, the_most_moves_there_are);
    suite_add_tcase(suite, tcase);
    return suite;
}
