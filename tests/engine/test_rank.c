/* The search with tablebases: 4 men, so that roots of 4 are ranked and roots of 5 are a capture
 * away from what is known. */
#include "engine/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tbprobe.h>

#include "base/random.h"
#include "engine/analyst.h"
#include "engine/owner.h"
#include "engine/suites.h"
#include "engine/tablebase.h"

#define TABLES TESTS_DATA "/syzygy"

enum {
#ifdef ROOKERY_DEBUG
    GAMES = 20, /* Of each ending: sanitizers are slow, and the release plays all. */
#else
    GAMES = 100,
#endif
    GAME_NODES = 200,
    PLIES_TO_MATE_MAX = 250,
    CENTIPAWNS_SURE = 19000 /* Told for a win by tablebase; evaluations stay far below. */
};

static const char QUEEN_ROOK[] = "KQkr"; /* Men, White's in capitals. */
static const char BISHOP_KNIGHT[] = "KBNk";

static struct analyst *analyst;

static void open_tables(const char *path)
{
    struct rk_tablebases told;
    ck_assert_int_eq(rk_tablebases_open(NULL, path, &told), RK_OK);
    ck_assert_uint_eq(told.fault_count, 0);
}

static void setup(void)
{
    analyst = analyst_create();
    open_tables(TABLES);
}
static void teardown(void)
{
    analyst_destroy(analyst);
    open_tables("");
}

/* ---- positions ---- */

/* The men on random squares, legal; False when it did not come to that. */
static bool scatter(struct rk_game *out_game, const char *men, char side, uint64_t *random)
{
    char squares[64] = {0};
    char fen[128];
    size_t length = 0;
    for (const char *man = men; *man != '\0'; man++) {
        const uint64_t at = random_below(random, 64);
        if (squares[at] != 0)
            return false;
        squares[at] = *man;
    }
    for (int rank = 7; rank >= 0; rank--) {
        for (int file = 0; file < 8; file++) {
            const char man = squares[rank * 8 + file];
            fen[length++] = man == 0 ? '1' : man;
        }
        fen[length++] = rank > 0 ? '/' : ' ';
    }
    (void)snprintf(fen + length, sizeof fen - length, "%c - - 0 1", side);
    return rk_game_set_fen(out_game, fen, strlen(fen)) == RK_OK;
}

/* A random position that is won, by result, for the side to move. */
static void scatter_win(struct rk_game *out_game, const char *men, uint64_t *random)
{
    int result = TABLEBASE_DRAW;
    while (!scatter(out_game, men, 'w', random) || !tablebase_probe(&out_game->position, &result) ||
           result != TABLEBASE_WIN) {
    }
}

/* By Fathom's older door: the distance to the next capture or pawn move, and the move that keeps it
 * short for the winner or long for the loser. */
static unsigned ask_fathom(const struct position *position, move_t *out_move)
{
    const bitboard_t *kinds = position->kinds;
    const unsigned result =
        tb_probe_root(position->colors[WHITE], position->colors[BLACK], kinds[KING], kinds[QUEEN],
                      kinds[ROOK], kinds[BISHOP], kinds[KNIGHT], kinds[PAWN], position->fifty, 0, 0,
                      position->side == WHITE, NULL);
    ck_assert_uint_ne(result, TB_RESULT_FAILED);
    move_t moves[MOVES_MAX];
    const move_t *end = movegen_all(position, moves);
    *out_move = MOVE_NONE;
    for (const move_t *move = moves; move < end; move++)
        if (move_from(*move) == TB_GET_FROM(result) && move_to(*move) == TB_GET_TO(result))
            *out_move = *move;
    return TB_GET_DTZ(result);
}

static bool is_win(const struct rk_report *line)
{
    return line->is_mate ? line->score > 0 : line->score >= CENTIPAWNS_SURE;
}
static bool is_loss(const struct rk_report *line)
{
    return line->is_mate ? line->score <= 0 : line->score <= -CENTIPAWNS_SURE;
}

static const char *fen_of(const struct rk_game *game)
{
    static char fen[RK_FEN_BYTES_MAX];
    (void)rk_game_fen(game, false, fen);
    return fen;
}

/* ---- a won ending is won ---- */

/* The engine is White; Black resists as long as can be. */
static void play_win(const char *men, uint64_t *random)
{
    scatter_win(&analyst->game, men, random);
    char start[RK_FEN_BYTES_MAX];
    (void)snprintf(start, sizeof start, "%s", fen_of(&analyst->game));
    for (int plies = 0; rk_game_outcome(&analyst->game) == RK_GAME_OPEN; plies++) {
        move_t move;
        ck_assert_msg(plies < PLIES_TO_MATE_MAX, "%s", start);
        if (analyst->game.position.side == WHITE) {
            analyst->request.limits = (struct rk_limits){.nodes = GAME_NODES};
            analyst_search(analyst);
            ck_assert_msg(is_win(analyst_last(analyst)), "%s at %s: %d", start,
                          fen_of(&analyst->game), analyst_last(analyst)->score);
            move = analyst->worker->outcome.best;
        } else {
            (void)ask_fathom(&analyst->game.position, &move);
            ck_assert_msg(move != MOVE_NONE, "%s at %s", start, fen_of(&analyst->game));
        }
        game_play(&analyst->game, move);
    }
    ck_assert_msg(rk_game_outcome(&analyst->game) == RK_GAME_CHECKMATE &&
                      analyst->game.position.side == BLACK,
                  "%s ends at %s", start, fen_of(&analyst->game));
}

START_TEST(queen_against_rook_is_won)
{
    uint64_t random = 1;
    for (int i = 0; i < GAMES; i++)
        play_win(QUEEN_ROOK, &random);
}
END_TEST

START_TEST(bishop_and_knight_win)
{
    uint64_t random = 2;
    for (int i = 0; i < GAMES; i++)
        play_win(BISHOP_KNIGHT, &random);
}
END_TEST

/* One search of `game` with so many plies on the fifty-move counter. */
static const struct rk_report *search_at(const struct rk_game *game, unsigned fifty,
                                         bool ignores_fifty)
{
    analyst_clear(analyst);
    analyst->game = *game;
    analyst->game.position.fifty = (uint8_t)fifty;
    analyst->request.limits = (struct rk_limits){.nodes = GAME_NODES};
    analyst->request.tablebase_ignores_fifty = ignores_fifty;
    analyst_search(analyst);
    return analyst_last(analyst);
}

static bool is_told_a_draw(const struct rk_report *line)
{
    return !line->is_mate && line->score == 0 && line->wdl[1] == 1000;
}

/* Late in the counter only the quickest way wins, and a ply more is too late. */
START_TEST(a_win_too_late_is_no_win)
{
    enum { POSITIONS = 100 };
    uint64_t random = 3;
    for (int i = 0; i < POSITIONS; i++) {
        struct rk_game game;
        move_t move;
        scatter_win(&game, i % 2 == 0 ? QUEEN_ROOK : BISHOP_KNIGHT, &random);
        const unsigned distance = ask_fathom(&game.position, &move);
        ck_assert_msg(is_win(search_at(&game, 99 - distance, false)), "%s", fen_of(&game));
        if (distance < 3)
            continue;
        /* At a hundred just so all depends on a ply that distances leave open. */
        for (unsigned plies = 101; plies <= 104 && plies < 100 + distance; plies++)
            ck_assert_msg(is_told_a_draw(search_at(&game, plies - distance, false)), "%s + %u",
                          fen_of(&game), plies - distance);
        ck_assert(is_win(search_at(&game, 101 - distance, true)));
    }
}
END_TEST

/* What Black loses is lost, and a draw again when the counter saves it. */
START_TEST(a_loss_too_late_is_no_loss)
{
    uint64_t random = 4;
    unsigned seen = 0;
    while (seen < 30) {
        struct rk_game game;
        move_t move;
        int result = TABLEBASE_DRAW;
        if (!scatter(&game, BISHOP_KNIGHT, 'b', &random) || rk_game_outcome(&game) != 0 ||
            !tablebase_probe(&game.position, &result) || result != TABLEBASE_LOSS)
            continue;
        const unsigned distance = ask_fathom(&game.position, &move);
        if (distance < 10)
            continue;
        ck_assert_msg(is_loss(search_at(&game, 98 - distance, false)), "%s", fen_of(&game));
        ck_assert_msg(is_told_a_draw(search_at(&game, 101 - distance, false)), "%s", fen_of(&game));
        ck_assert(is_loss(search_at(&game, 101 - distance, true)));
        seen++;
    }
}
END_TEST

/* ---- repetitions ---- */

/* White has shuffled; a move that brings a position back for the third time is no win. */
START_TEST(a_third_repetition_is_no_win)
{
    analyst_set(analyst, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
                "b1b2 e5e6 b2b1 e6e5 b1c1 e5e6 c1b1 e6d5 b1d1 d5e6");
    analyst->request.has_searchmoves = true;
    analyst->request.searchmove_count = 1;
    analyst->request.searchmoves[0] = analyst_move(analyst, "d1b1");
    analyst->request.limits = (struct rk_limits){.depth = 4};
    analyst_search(analyst);
    ck_assert(is_told_a_draw(analyst_last(analyst)));
    analyst->request.has_searchmoves = false;
    analyst_search(analyst);
    ck_assert(is_win(analyst_last(analyst)));
    ck_assert_uint_ne(analyst->worker->outcome.best, analyst_move(analyst, "d1b1"));
}
END_TEST

/* ---- lines, moves, options ---- */

START_TEST(lines_come_in_the_order_of_ranks)
{
    uint64_t random = 5;
    for (int i = 0; i < 40; i++) {
        analyst_clear(analyst);
        while (!scatter(&analyst->game, QUEEN_ROOK, i % 2 == 0 ? 'w' : 'b', &random) ||
               rk_game_outcome(&analyst->game) != RK_GAME_OPEN) {
        }
        analyst->request.multipv = RK_MOVES_MAX;
        analyst_search_depth(analyst, 3);
        const int count = analyst->worker->root_count;
        const struct rk_report *lines = &analyst->lines[analyst->line_count - (unsigned)count];
        for (int at = 0; at < count; at++) {
            struct rk_game after = analyst->game;
            int result;
            analyst_check_line(analyst, &lines[at]);
            game_play(&after, lines[at].pv[0]);
            ck_assert(tablebase_probe(&after.position, &result));
            const int told = is_win(&lines[at]) ? -2 : is_loss(&lines[at]) ? 2 : 0;
            ck_assert_msg(told == result, "%s: %d", fen_of(&after), lines[at].score);
            ck_assert_int_eq(lines[at].multipv, at + 1);
            if (at > 0)
                ck_assert(is_win(&lines[at - 1]) || !is_win(&lines[at]));
            if (at > 0)
                ck_assert(is_loss(&lines[at]) || !is_loss(&lines[at - 1]));
        }
    }
}
END_TEST

/* The search of `men`, told through the tables' hits alone. */
static uint64_t hits(const char *fen)
{
    analyst_set(analyst, fen, "");
    analyst->request.limits = (struct rk_limits){.depth = 6};
    analyst_search(analyst);
    const uint64_t found = analyst_last(analyst)->tb_hits;
    analyst_clear(analyst);
    return found;
}

START_TEST(who_may_not_look_does_not)
{
    static const char FOUR[] = "8/8/8/4k3/8/8/8/KQ5r w - - 0 1";
    static const char FIVE[] = "8/8/3n4/8/5k2/8/7r/K2Q4 w - - 0 1";
    ck_assert_uint_gt(hits(FOUR), 0);
    const uint64_t all = hits(FIVE);
    ck_assert_uint_gt(all, 0);
    analyst->request.tablebase_men_max = 1;
    ck_assert_uint_eq(hits(FOUR), 0);
    analyst->request.tablebase_men_max = 1;
    ck_assert_uint_eq(hits(FIVE), 0);
    analyst->request.tablebase_men_max = 3;
    const uint64_t fewer = hits(FOUR); /* In the tree, behind a capture. */
    ck_assert_uint_gt(fewer, 0);
    analyst->request.tablebase_depth = 100;
    ck_assert_uint_lt(hits(FIVE), all);
    analyst->request.elo = 1500;
    ck_assert_uint_eq(hits(FIVE), 0);
    /* Castling rights: at the root, and in the tree. */
    ck_assert_uint_eq(hits("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), 0);
    ck_assert_uint_gt(hits("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), 0);
    ck_assert_uint_eq(hits("1k6/8/8/8/8/8/8/2K2R2 w F - 0 1"), 0);
    open_tables("");
    ck_assert_uint_eq(hits(FOUR), 0);
    ck_assert_uint_eq(hits(FIVE), 0);
}
END_TEST

/* ---- in the tree ---- */

/* A capture into what is known is worth just that. */
START_TEST(a_capture_away_the_score_is_right)
{
    enum { CAPTURES = 300 };
    uint64_t random = 6;
    unsigned seen[3] = {0};
    for (unsigned count = 0; count < CAPTURES;) {
        move_t moves[MOVES_MAX];
        const char *men = count % 3 == 0 ? "KQRkr" : count % 3 == 1 ? "KQNkr" : "KBNkq";
        if (!scatter(&analyst->game, men, random_below(&random, 2) == 0 ? 'w' : 'b', &random))
            continue;
        const move_t *end = movegen_all(&analyst->game.position, moves);
        for (const move_t *move = moves; move < end; move++) {
            struct rk_game after = analyst->game;
            int result;
            game_play(&after, *move);
            if (!move_is_capture(*move) || !tablebase_probe(&after.position, &result))
                continue;
            const struct rk_game kept = analyst->game;
            analyst_clear(analyst);
            analyst->game = kept;
            analyst->request.has_searchmoves = true;
            analyst->request.searchmove_count = 1;
            analyst->request.searchmoves[0] = *move;
            analyst_search_depth(analyst, 2 + count % 4);
            const struct rk_report *line = analyst_last(analyst);
            const int told = is_win(line) ? -2 : is_loss(line) ? 2 : 0;
            ck_assert_msg(told == result && (told != 0 || line->score == 0), "%s: %d for %d",
                          fen_of(&after), line->score, result);
            seen[result > 0 ? 2 : result == 0]++;
            count++;
        }
    }
    ck_assert(seen[0] > 10 && seen[1] > 10 && seen[2] > 10);
}
END_TEST

START_TEST(a_search_of_five_men_finds_the_way_down)
{
    /* Takes the knight, whatever an evaluation may say, as that alone is known to win. */
    analyst_set(analyst, "8/8/3n4/8/5k2/8/7r/K2Q4 w - - 0 1", "");
    analyst_search_depth(analyst, 8);
    ck_assert(is_win(analyst_last(analyst)));
    analyst_check_line(analyst, analyst_last(analyst));
}
END_TEST

/* ---- crews ---- */

START_TEST(crews_probe_at_once)
{
    enum { SEARCHES = 6, CORES = 4 };
    static const char *const FENS[] = {
        "8/8/3n4/4k3/8/8/8/KQ5r w - - 0 1",  "8/8/8/4k3/8/8/8/KQ5r w - - 0 1",
        "8/8/8/4k1q1/8/8/8/KBN5 w - - 0 1",  "4k3/8/8/8/8/3B4/8/K1N5 w - - 0 1",
        "8/5r2/8/4k3/8/2R5/8/KQ6 b - - 0 1", "8/8/8/4k3/3r4/8/8/KQB5 w - - 0 1"};
    struct owner owner;
    struct rk_tablebases told;
    uint64_t found = 0;
    owner_init(&owner, SEARCHES, CORES, 4);
    for (int round = 0; round < 4; round++) {
        for (unsigned i = 0; i < SEARCHES; i++) {
            struct rk_request request = owner_request();
            request.limits = (struct rk_limits){.nodes = 20000};
            owner_go(&owner, &request, FENS[i]);
        }
        ck_assert_int_eq(rk_tablebases_open(owner.engine, TABLES, &told), RK_BUSY);
        for (unsigned left = SEARCHES; left-- > 0; found += owner.last.tb_hits > 0)
            owner_await(&owner, left);
        ck_assert_int_eq(rk_tablebases_open(owner.engine, TABLES, &told), RK_OK);
    }
    ck_assert_uint_gt(found, SEARCHES);
    owner_clear(&owner);
}
END_TEST

/* One set for the process: a second engine finds what is open, and keeps it from being changed. */
START_TEST(two_engines_share_one_set)
{
    struct owner owners[2];
    struct rk_tablebases told;
    owner_init(&owners[0], 1, 2, 1);
    owner_init(&owners[1], 1, 2, 1);
    struct rk_request request = owner_request();
    const rk_ticket_t ticket = owner_go(&owners[1], &request, "8/8/8/4k3/8/8/8/KQ5r w - - 0 1");
    while (owners[1].last_line.tb_hits == 0) {
        owner_nap();
        owner_read(&owners[1]);
    }
    ck_assert_int_eq(rk_tablebases_open(owners[0].engine, "", &told), RK_BUSY);
    ck_assert_uint_eq(tablebase_men(), 4);
    owner_stop(&owners[1], ticket);
    owner_await(&owners[1], 0);
    owner_clear(&owners[1]);
    ck_assert_int_eq(rk_tablebases_open(owners[0].engine, "", &told), RK_OK);
    owner_clear(&owners[0]);
}
END_TEST

Suite *suite_rank(void)
{
    Suite *suite = suite_create("rank");
    TCase *search = tcase_create("search");
    tcase_add_checked_fixture(search, setup, teardown);
    tcase_add_test(search, a_third_repetition_is_no_win);
    tcase_add_test(search, lines_come_in_the_order_of_ranks);
    tcase_add_test(search, who_may_not_look_does_not);
    tcase_add_test(search, a_search_of_five_men_finds_the_way_down);
    tcase_add_test(search, crews_probe_at_once);
    tcase_add_test(search, two_engines_share_one_set);
    suite_add_tcase(suite, search);
    TCase *alone = tcase_create("alone");
    tcase_add_checked_fixture(alone, setup, teardown);
    tcase_set_tags(alone, SUITE_TAG_ALONE);
    tcase_add_test(alone, a_win_too_late_is_no_win);
    tcase_add_test(alone, a_loss_too_late_is_no_loss);
    tcase_add_test(alone, a_capture_away_the_score_is_right);
    tcase_add_test(alone, queen_against_rook_is_won);
    tcase_add_test(alone, bishop_and_knight_win);
    suite_add_tcase(suite, alone);
    return suite;
}
