/* Games for training: the same for the same words on any number of threads and over any number of
 * runs; each legal, ended as it says, from a start that is about even. */
#include "lab/datagen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "chess/chess.h"
#include "engine/eval.h"
#include "lab/book.h"
#include "lab/crop.h"
#include "lab/gameblock.h"
#include "lab/suites.h"

enum { NODES = 60, GAMES = 12 };

static struct datagen datagen;
static char path[CROP_PATH_BYTES];
static enum gamefile_fault fault;

static void setup(void)
{
    chess_init();
    datagen_default(&datagen);
    datagen.rules.nodes = NODES;
    datagen.rules.hash_mib = 1;
    datagen.games_max = GAMES;
    datagen.seed = 5;
    crop_path(path);
}

static void teardown(void) { unlink(path); }

static enum rk_status generate(void)
{
    struct gamefile_writer *writer;
    uint64_t cut_bytes, nodes;
    ck_assert_int_eq(gamefile_append(path, GAMEFILE_BLOCK_BYTES, &writer, &cut_bytes),
                     GAMEFILE_FINE);
    const enum rk_status status = datagen_run(&datagen, writer, &nodes, &fault);
    ck_assert_int_eq(gamefile_finish(writer), GAMEFILE_FINE);
    return status;
}

/* The payloads of all blocks, one behind the other: where blocks end is of no matter. */
static uint8_t *games_bytes(size_t *out_length, uint64_t *out_games)
{
    struct gamefile *file;
    ck_assert_int_eq(gamefile_open(path, &file), GAMEFILE_FINE);
    const struct gamefile_summary *summary = gamefile_summary(file);
    uint8_t *bytes = memory_allocate(summary->bytes + 1);
    *out_length = 0;
    *out_games = summary->games;
    for (size_t i = 0; i < summary->blocks; i++) {
        const struct gamefile_block *block = gamefile_block(file, i);
        ck_assert_int_eq(gamefile_bytes_at(file, block->offset + BLOCK_HEADER_BYTES, block->bytes,
                                           bytes + *out_length),
                         GAMEFILE_FINE);
        *out_length += block->bytes;
    }
    gamefile_close(file);
    return bytes;
}

START_TEST(the_same_words_make_the_same_games)
{
    size_t lengths[2];
    uint64_t games;
    ck_assert_int_eq(generate(), RK_OK);
    uint8_t *alone = games_bytes(&lengths[0], &games);
    ck_assert_uint_eq(games, GAMES);
    ck_assert_uint_gt(lengths[0], GAMES * (40 + 4 * 20));
    /* Three threads. */
    unlink(path);
    datagen.threads = 3;
    ck_assert_int_eq(generate(), RK_OK);
    uint8_t *many = games_bytes(&lengths[1], &games);
    ck_assert_uint_eq(lengths[1], lengths[0]);
    ck_assert_mem_eq(many, alone, lengths[0]);
    memory_free(many);
    /* In three runs. */
    unlink(path);
    for (datagen.games_max = 3; datagen.games_max <= GAMES; datagen.games_max += 3)
        ck_assert_int_eq(generate(), RK_OK);
    many = games_bytes(&lengths[1], &games);
    ck_assert_uint_eq(lengths[1], lengths[0]);
    ck_assert_mem_eq(many, alone, lengths[0]);
    memory_free(many);
    /* Enough is enough. */
    datagen.games_max = GAMES;
    ck_assert_int_eq(generate(), RK_OK);
    memory_free(games_bytes(&lengths[1], &games));
    ck_assert_uint_eq(games, GAMES);
    /* Another seed. */
    unlink(path);
    datagen.seed++;
    ck_assert_int_eq(generate(), RK_OK);
    many = games_bytes(&lengths[1], &games);
    ck_assert(lengths[1] != lengths[0] || memcmp(many, alone, lengths[0]) != 0);
    memory_free(many);
    memory_free(alone);
}
END_TEST

static void end_is_true(const struct gamefile_cursor *cursor, const struct rk_game *last)
{
    const struct gamefile_game *game = &cursor->game;
    const enum rk_outcome outcome = rk_game_outcome(last);
    switch (game->end) {
    case GAMEFILE_CHECKMATE:
        ck_assert_int_eq(outcome, RK_GAME_CHECKMATE);
        ck_assert_uint_eq(game->white_points, last->position.side == WHITE ? 0 : 2);
        return;
    case GAMEFILE_STALEMATE: ck_assert_int_eq(outcome, RK_GAME_STALEMATE); break;
    case GAMEFILE_REPETITION: ck_assert_int_eq(outcome, RK_GAME_REPETITION); break;
    case GAMEFILE_FIFTY: ck_assert_int_eq(outcome, RK_GAME_FIFTY); break;
    case GAMEFILE_MATERIAL: ck_assert_int_eq(outcome, RK_GAME_MATERIAL); break;
    case GAMEFILE_RESIGNED:
        ck_assert_int_eq(outcome, RK_GAME_OPEN);
        ck_assert_uint_ne(game->white_points, 1);
        return;
    case GAMEFILE_AGREED:
    case GAMEFILE_TOO_LONG: ck_assert_int_eq(outcome, RK_GAME_OPEN); break;
    default: ck_abort();
    }
    ck_assert_uint_eq(game->white_points, 1);
}

/* One game to its end; the score that its winner saw last. */
static void game_is_good(struct gamefile_cursor *cursor)
{
    const struct gamefile_game *game = &cursor->game;
    struct rk_game now = {.position = game->start};
    int16_t score = 0;
    ck_assert_uint_gt(game->plies, 0);
    ck_assert_uint_le(game->plies, datagen.rules.ends.plies_max);
    ck_assert_uint_eq(game->nodes, datagen.rules.nodes);
    ck_assert_int_eq(eval_centipawns((score_t)game->pawn), 100);
    ck_assert(game->start.move_number == 5);
    for (unsigned i = 0; gamefile_next_ply(cursor); i++) {
        score = cursor->score;
        ck_assert(abs(score) <= GAMEFILE_SCORE_MAX || abs(score) == GAMEFILE_SCORE_MATE);
        if (i == 0)
            ck_assert_int_le(abs(eval_centipawns(score)), datagen.rules.opening_score);
        ck_assert_int_eq(rk_game_outcome(&now), RK_GAME_OPEN);
        game_play(&now, cursor->move);
    }
    ck_assert_int_eq(gamefile_cursor_fault(cursor), GAMEFILE_FINE);
    end_is_true(cursor, &now);
    if (game->end == GAMEFILE_RESIGNED) {
        const bool is_white = now.position.side == BLACK; /* Who moved last. */
        ck_assert_int_eq((score > 0) == is_white, game->white_points == 2);
        ck_assert_int_ge(abs(eval_centipawns(score)), datagen.rules.ends.resign_score);
    }
}

struct tally {
    unsigned games, chess960, black_first, ends[GAMEFILE_END_COUNT];
};

static struct tally read_all(void)
{
    struct gamefile *file;
    struct gamefile_cursor *cursor;
    struct tally tally = {0};
    ck_assert_int_eq(gamefile_open(path, &file), GAMEFILE_FINE);
    ck_assert_int_eq(gamefile_cursor_create(&cursor), GAMEFILE_FINE);
    for (size_t i = 0; i < gamefile_summary(file)->blocks; i++) {
        ck_assert_int_eq(gamefile_load(file, i, cursor), GAMEFILE_FINE);
        for (; gamefile_next_game(cursor); tally.games++) {
            tally.chess960 += cursor->game.is_chess960;
            tally.black_first += cursor->game.start.side == BLACK;
            tally.ends[cursor->game.end]++;
            game_is_good(cursor);
        }
    }
    gamefile_cursor_destroy(cursor);
    gamefile_close(file);
    return tally;
}

START_TEST(games_are_what_they_say)
{
    datagen.rules.nodes = 30;
    datagen.rules.chess960_percent = 50;
    datagen.games_max = 120;
    datagen.threads = 2;
    ck_assert_int_eq(generate(), RK_OK);
    const struct tally tally = read_all();
    ck_assert_uint_eq(tally.games, 120);
    /* Six standard deviations around half. */
    ck_assert_uint_gt(tally.chess960, 27);
    ck_assert_uint_lt(tally.chess960, 93);
    ck_assert_uint_gt(tally.black_first, 27);
    ck_assert_uint_lt(tally.black_first, 93);
    ck_assert_uint_gt(tally.ends[GAMEFILE_RESIGNED], 0);
}
END_TEST

START_TEST(chess960_is_a_share)
{
    datagen.rules.nodes = 1;
    datagen.rules.ends.plies_max = 2;
    datagen.games_max = 40;
    for (unsigned percent = 0; percent <= 100; percent += 100) {
        datagen.rules.chess960_percent = percent;
        ck_assert_int_eq(generate(), RK_OK);
        const struct tally tally = read_all();
        ck_assert_uint_eq(tally.games, 40);
        ck_assert_uint_eq(tally.chess960, percent == 0 ? 0 : 40);
        ck_assert_uint_gt(tally.ends[GAMEFILE_TOO_LONG], 30); /* The others were mated. */
        unlink(path);
    }
}
END_TEST

START_TEST(games_are_played_out_when_nobody_calls_them)
{
    datagen.rules.ends.resign_plies = datagen.rules.ends.draw_plies = 0;
    ck_assert_int_eq(generate(), RK_OK);
    const struct tally tally = read_all();
    ck_assert_uint_eq(tally.ends[GAMEFILE_RESIGNED] + tally.ends[GAMEFILE_AGREED], 0);
    ck_assert_uint_gt(tally.ends[GAMEFILE_CHECKMATE], 0);
}
END_TEST

START_TEST(positions_are_counted)
{
    uint64_t games;
    size_t length;
    datagen.games_max = 0;
    datagen.positions_max = 500;
    ck_assert_int_eq(generate(), RK_OK);
    memory_free(games_bytes(&length, &games));
    const size_t positions = (length - games * 40) / 4;
    ck_assert_uint_ge(positions, 500);
    ck_assert_uint_lt(positions, 500 + datagen.rules.ends.plies_max);
}
END_TEST

static bool on_tick(void *context, const struct gamefile_summary *written)
{
    unsigned *ticks = context;
    (void)written;
    return --*ticks > 0;
}

/* What was played is in the file, and the next run goes on. */
START_TEST(a_word_ends_it)
{
    unsigned ticks = 2;
    datagen.games_max = 0;
    datagen.tick = on_tick;
    datagen.context = &ticks;
    ck_assert_int_eq(generate(), RK_OK);
    ck_assert_uint_eq(ticks, 0);
    const unsigned games = read_all().games;
    datagen.tick = NULL;
    datagen.games_max = games + 2;
    ck_assert_int_eq(generate(), RK_OK);
    ck_assert_uint_eq(read_all().games, games + 2);
}
END_TEST

START_TEST(what_makes_no_sense_is_refused)
{
    const struct datagen good = datagen;
    datagen.threads = 0;
    ck_assert_int_eq(generate(), RK_BAD_ARGUMENT);
    datagen = good;
    datagen.rules.nodes = 0;
    ck_assert_int_eq(generate(), RK_BAD_ARGUMENT);
    datagen = good;
    datagen.rules.chess960_percent = 101;
    ck_assert_int_eq(generate(), RK_BAD_ARGUMENT);
    datagen = good;
    datagen.rules.ends.plies_max = GAMEFILE_PLIES_MAX + 1;
    ck_assert_int_eq(generate(), RK_BAD_ARGUMENT);
}
END_TEST

/* 960 arrays, all different, and the one of chess where it belongs. */
START_TEST(arrays_are_all_there)
{
    static struct rk_game arrays[CHESS960_ARRAYS];
    struct rk_game start;
    for (unsigned i = 0; i < CHESS960_ARRAYS; i++) {
        opening_array(i, &arrays[i]);
        for (unsigned k = 0; k < i; k++)
            ck_assert(!rk_game_equal(&arrays[i], &arrays[k]));
        const struct position *position = &arrays[i].position;
        const square_t king = position_king(position, WHITE);
        ck_assert(position->castle_rook[WHITE][0] < king && king < position->castle_rook[WHITE][1]);
        const bitboard_t bishops = position_men(position, WHITE, BISHOP);
        ck_assert_uint_ne(bits_lowest(bishops) % 2, bits_highest(bishops) % 2);
    }
    rk_game_set_start(&start);
    ck_assert(rk_game_equal(&arrays[518], &start));
    char fen[RK_FEN_BYTES_MAX];
    rk_game_fen(&arrays[0], false, fen);
    ck_assert_str_eq(fen, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    rk_game_fen(&arrays[959], false, fen);
    ck_assert_str_eq(fen, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
}
END_TEST

static struct player_answer answer_at_depth(struct player *player,
                                            const struct player_settings *settings, uint32_t depth)
{
    struct rk_game game;
    struct player_answer answer;
    const struct rk_limits limits = {.depth = depth};
    rk_game_set_start(&game);
    ck_assert_int_eq(player_begin(player, settings, 0), RK_OK);
    player_think(player, &game, &limits, &answer);
    return answer;
}

/* The search is whole iterations, and ends before the first of which more than the rest would be
 * needed if it cost as much as the one before it. */
START_TEST(soft_nodes_end_between_iterations)
{
    enum { SOFT_NODES = 500 };
    struct player *player;
    struct rk_game game;
    const struct rk_limits none = {.nodes = 1000000};
    struct player_settings settings;
    struct player_answer soft;
    ck_assert_int_eq(player_create(1, NULL, &player), RK_OK);
    rk_game_set_start(&game);
    player_settings_default(&settings);
    settings.hash_mib = 1;
    settings.limits = (struct player_limits){.soft_nodes = SOFT_NODES};
    ck_assert_int_eq(player_begin(player, &settings, 0), RK_OK);
    player_think(player, &game, &none, &soft);
    ck_assert_uint_gt(soft.depth, 3);
    settings.limits.soft_nodes = 0;
    struct player_answer before[3]; /* The same depth, one less, two less. */
    for (uint32_t i = 0; i < 3; i++)
        before[i] = answer_at_depth(player, &settings, soft.depth - i);
    ck_assert_uint_eq(before[0].nodes, soft.nodes);
    ck_assert_uint_eq(before[0].move, soft.move);
    ck_assert_int_eq(before[0].value, soft.value);
    ck_assert_uint_gt(2 * before[0].nodes - before[1].nodes, SOFT_NODES);
    ck_assert_uint_le(2 * before[1].nodes - before[2].nodes, SOFT_NODES);
    player_destroy(player);
}
END_TEST

Suite *suite_datagen(void)
{
    Suite *suite = suite_create("datagen");
    TCase *tcase = tcase_create("datagen");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_same_words_make_the_same_games);
    tcase_add_test(tcase, games_are_what_they_say);
    tcase_add_test(tcase, chess960_is_a_share);
    tcase_add_test(tcase, games_are_played_out_when_nobody_calls_them);
    tcase_add_test(tcase, positions_are_counted);
    tcase_add_test(tcase, a_word_ends_it);
    tcase_add_test(tcase, what_makes_no_sense_is_refused);
    tcase_add_test(tcase, arrays_are_all_there);
    tcase_add_test(tcase, soft_nodes_end_between_iterations);
    suite_add_tcase(suite, tcase);
    return suite;
}
