#include "engine/tablebase.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "engine/suites.h"
#include "engine/tablefile.h"
#include "engine/tables.h"

enum { PATH_BYTES = 512, UNKNOWN = 9, TABLE_COUNT = 7 };

static struct rk_tablebases told;
static char folder[PATH_BYTES];

static void open_path(const char *path)
{
    ck_assert_int_eq(rk_tablebases_open(NULL, path, &told), RK_OK);
}

/* The result for the side to move, or UNKNOWN. */
static int result_of(const char *fen)
{
    static struct rk_game game;
    int result = UNKNOWN;
    ck_assert_int_eq(rk_game_set_fen(&game, fen, strlen(fen)), RK_OK);
    return tablebase_probe(&game.position, &result) ? result : UNKNOWN;
}

/* ---- a folder of one's own ---- */

static void path_in_folder(const char *name, char out_path[PATH_BYTES])
{
    ck_assert_int_lt(snprintf(out_path, PATH_BYTES, "%s/%s", folder, name), PATH_BYTES);
}

static void write_file(const char *name, const void *bytes, size_t length)
{
    char path[PATH_BYTES];
    path_in_folder(name, path);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

/* Calls `visit` with the name of each table. */
static void each_table(void (*visit)(const char *name))
{
    DIR *stream = opendir(TABLES);
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] == 'K')
            visit(entry->d_name);
    (void)closedir(stream);
}

static void copy_table(const char *name)
{
    static uint8_t bytes[TABLE_BYTES_MAX];
    write_file(name, bytes, table_read(name, bytes));
}

static void setup(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/rookery-tables-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    each_table(copy_table);
}

static void teardown(void)
{
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;)
        if (entry->d_name[0] != '.')
            ck_assert_int_eq(
                unlinkat(dirfd(stream), entry->d_name, entry->d_type == DT_DIR ? AT_REMOVEDIR : 0),
                0);
    (void)closedir(stream);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* ---- tests ---- */

START_TEST(results_are_those_of_chess)
{
    static const struct {
        const char *fen;
        int result;
    } cases[] = {{"8/8/8/4k3/8/8/8/KQ6 w - - 0 1", 2},   {"8/8/8/4k3/8/8/8/KQ6 b - - 0 1", -2},
                 {"8/8/8/4K3/8/8/8/kq6 b - - 0 1", 2},   {"k7/8/1Q6/8/8/8/8/7K b - - 0 1", 0},
                 {"8/8/8/4k3/8/8/8/KB6 w - - 0 1", 0},   {"8/8/4k3/8/8/8/8/KBN5 w - - 0 1", 2},
                 {"kr6/8/8/8/8/8/8/1Q5K w - - 0 1", 2},  {"4k3/8/8/8/8/8/1r6/KQ6 b - - 0 1", 0},
                 {"8/P7/8/8/8/8/4k3/K7 w - - 0 1", 2},   {"8/8/8/8/8/k7/p7/K7 w - - 0 1", 0},
                 {"8/8/8/8/8/1k6/8/K2r3Q w - - 0 1", 2}, {"8/8/8/8/8/8/4k3/K7 w - - 0 1", 0}};
    open_path(TABLES);
    ck_assert_uint_eq(told.men, 4);
    ck_assert_uint_eq(told.results, TABLE_COUNT);
    ck_assert_uint_eq(told.distances, TABLE_COUNT);
    ck_assert_uint_eq(told.fault_count, 0);
    ck_assert_str_eq(told.faults, "");
    ck_assert_uint_eq(tablebase_men(), 4);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(result_of(cases[i].fen) == cases[i].result, "%s: %d", cases[i].fen,
                      result_of(cases[i].fen));
    /* No table, or one that leads to none. */
    ck_assert_int_eq(result_of("8/8/8/4k3/8/8/8/KNN5 w - - 0 1"), UNKNOWN);
    ck_assert_int_eq(result_of("8/8/8/4k3/8/8/8/KQN5 w - - 0 1"), UNKNOWN);
    open_path("");
    ck_assert_uint_eq(tablebase_men(), 0);
}
END_TEST

START_TEST(what_is_missing_is_named)
{
    char path[4 * PATH_BYTES];
    open_path("/no/such/folder");
    ck_assert_uint_eq(told.men, 0);
    ck_assert_uint_eq(told.fault_count, 1);
    ck_assert_str_eq(told.faults, "/no/such/folder cannot be opened: No such file or directory\n");
    open_path("/dev/null");
    ck_assert_str_eq(told.faults, "/dev/null cannot be opened: Not a directory\n");
    open_path("/dev");
    ck_assert_str_eq(told.faults, "/dev holds no tablebases\n");
    open_path("a;b;");
    ck_assert_str_eq(
        told.faults,
        "a;b; cannot be opened: No such file or directory; folders are parted by ':'\n");
    /* Blanks between separators are no folders; the rest is used. */
    (void)snprintf(path, sizeof path, "::/no/such/folder:%s::%s:", TABLES, folder);
    open_path(path);
    ck_assert_uint_eq(told.men, 4);
    ck_assert_uint_eq(told.results, TABLE_COUNT);
    ck_assert_uint_eq(told.fault_count, 1);
    static char endless[RK_TABLEBASE_PATH_BYTES_MAX + 1];
    memset(endless, ':', sizeof endless - 1);
    ck_assert_int_eq(rk_tablebases_open(NULL, endless, &told), RK_BAD_ARGUMENT);
    ck_assert_uint_eq(tablebase_men(), 4); /* Nothing has changed. */
    endless[RK_TABLEBASE_PATH_BYTES_MAX - 1] = '\0';
    open_path(endless);
    ck_assert_uint_eq(told.men, 0);
}
END_TEST

START_TEST(more_faults_than_fit_are_counted)
{
    static char path[RK_TABLEBASE_PATH_BYTES_MAX];
    size_t length = 0;
    unsigned folders = 0;
    for (; length + 40 < sizeof path; folders++)
        length +=
            (size_t)snprintf(path + length, sizeof path - length, "/no/such/folder/%u:", folders);
    open_path(path);
    ck_assert_uint_eq(told.fault_count, folders);
    ck_assert_uint_lt(strlen(told.faults), sizeof told.faults);
    ck_assert_int_eq(told.faults[strlen(told.faults) - 1], '\n');
}
END_TEST

/* Cut at every kind of length, those among them that look whole to who only counts to 64. */
static void expect_cut_told(const char *name, const uint8_t *bytes, size_t length)
{
    char expected[2 * PATH_BYTES];
    const size_t lengths[] = {0,
                              1,
                              16,
                              79,
                              80,
                              length / 2,
                              length - 1,
                              length - 16,
                              length - 64,
                              length / 128 * 64 + 16,
                              length - 4096};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        if (lengths[i] >= length)
            continue;
        write_file(name, bytes, lengths[i]);
        open_path(folder);
        (void)snprintf(expected, sizeof expected, "%s/%s is %s\n", folder, name,
                       lengths[i] == 0 ? "empty" : "cut off");
        ck_assert_uint_eq(told.fault_count, 1);
        ck_assert_str_eq(told.faults, expected);
    }
    write_file(name, bytes, length);
}

START_TEST(a_file_cut_off_is_named_and_kept_away_from)
{
    static uint8_t bytes[TABLE_BYTES_MAX];
    static const char BOTH_FEN[] = "kr6/8/8/8/8/8/8/1Q5K w - - 0 1";
    static const char QUEEN_FEN[] = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";
    static const char ROOK_FEN[] = "8/8/8/4k3/8/8/8/KR6 w - - 0 1";
    size_t length = table_read("KQvKR.rtbw", bytes);
    expect_cut_told("KQvKR.rtbw", bytes, length);
    write_file("KQvKR.rtbw", bytes, 64 * 100 + 16);
    open_path(folder);
    ck_assert_int_eq(result_of(BOTH_FEN), UNKNOWN);
    ck_assert_int_eq(result_of(QUEEN_FEN), 2);
    ck_assert_int_eq(result_of(ROOK_FEN), 2);
    write_file("KQvKR.rtbw", bytes, length);

    /* Whoever could come down to a broken table is not looked up. */
    length = table_read("KRvK.rtbw", bytes);
    write_file("KRvK.rtbw", bytes, length - 64);
    open_path(folder);
    ck_assert_uint_eq(told.results, TABLE_COUNT - 1);
    ck_assert_int_eq(result_of(ROOK_FEN), UNKNOWN);
    ck_assert_int_eq(result_of(BOTH_FEN), UNKNOWN);
    ck_assert_int_eq(result_of(QUEEN_FEN), 2);
    write_file("KRvK.rtbw", bytes, length);
    open_path(folder);
    ck_assert_int_eq(result_of(BOTH_FEN), 2);
}
END_TEST

/* Ranks the moves of a position; the list's end is marked by MOVE_NONE. */
static enum tablebase_answer rank(const char *fen, struct tablebase_move out_moves[MOVES_MAX + 1])
{
    static struct rk_game game;
    move_t legal[MOVES_MAX];
    ck_assert_int_eq(rk_game_set_fen(&game, fen, strlen(fen)), RK_OK);
    const int count = (int)(movegen_all(&game.position, legal) - legal);
    for (int i = 0; i < count; i++)
        out_moves[i].move = legal[i];
    out_moves[count].move = MOVE_NONE;
    return tablebase_rank(&game.position, false, true, out_moves, count);
}

/* Distances that are broken leave results, and a root is ranked by those. */
START_TEST(broken_distances_leave_results)
{
    static uint8_t bytes[TABLE_BYTES_MAX];
    static const char FEN[] = "kr6/8/8/8/8/8/8/1Q5K w - - 0 1";
    struct tablebase_move moves[MOVES_MAX + 1];
    const size_t length = table_read("KQvKR.rtbz", bytes);
    open_path(folder);
    ck_assert_int_eq(rank(FEN, moves), TABLEBASE_DISTANCES);
    expect_cut_told("KQvKR.rtbz", bytes, length);
    write_file("KQvKR.rtbz", bytes, length - 64);
    open_path(folder);
    ck_assert_uint_eq(told.distances, TABLE_COUNT - 1);
    ck_assert_int_eq(rank(FEN, moves), TABLEBASE_RESULTS);
    int best = -TABLEBASE_RANK_SURE;
    for (const struct tablebase_move *move = moves; move->move != MOVE_NONE; move++)
        best = move->rank > best ? move->rank : best;
    ck_assert_int_eq(best, TABLEBASE_RANK_SURE);
    write_file("KQvKR.rtbw", bytes, 64 * 100 + 16);
    open_path(folder);
    ck_assert_int_eq(rank(FEN, moves), TABLEBASE_UNKNOWN);
}
END_TEST

START_TEST(promotions_are_told_apart)
{
    struct tablebase_move moves[MOVES_MAX + 1];
    unsigned promotions = 0;
    open_path(TABLES);
    ck_assert_int_eq(rank("8/P7/8/8/8/8/4k3/K7 w - - 0 1", moves), TABLEBASE_DISTANCES);
    for (const struct tablebase_move *move = moves; move->move != MOVE_NONE; move++) {
        if (!move_is_promotion(move->move))
            continue;
        const kind_t kind = move_promoted(move->move);
        ck_assert_int_eq(move->rank, kind >= ROOK ? TABLEBASE_RANK_SURE : 0);
        promotions++;
    }
    ck_assert_uint_eq(promotions, 4);
}
END_TEST

static void fill_with_garbage(const char *name)
{
    static uint8_t bytes[TABLE_BYTES_MAX];
    const size_t length = table_read(name, bytes);
    uint64_t random = length;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)random_next(&random);
    write_file(name, bytes, length);
}

START_TEST(a_folder_of_garbage_is_survived)
{
    each_table(fill_with_garbage);
    open_path(folder);
    ck_assert_uint_eq(told.men, 0);
    ck_assert_uint_eq(told.fault_count, 2 * TABLE_COUNT);
    ck_assert_int_eq(strncmp(told.faults + strlen(folder), "/K", 2), 0);
    ck_assert_ptr_nonnull(strstr(told.faults, ".rtbw is not what its name says\n"));
}
END_TEST

START_TEST(what_is_no_table_is_left_alone)
{
    char path[PATH_BYTES];
    write_file("README.rtbw", "x", 1);
    write_file("KQvKR.rtbw.part", "x", 1);
    write_file("KQQQQQQvK.rtbw", "x", 1); /* More men than there are tables of. */
    path_in_folder("KQQvK.rtbw", path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    path_in_folder("KRRvK.rtbw", path);
    ck_assert_int_eq(symlink("nowhere", path), 0);
    open_path(folder);
    ck_assert_uint_eq(told.results, TABLE_COUNT);
    ck_assert_uint_eq(told.fault_count, 2);
    ck_assert_ptr_nonnull(strstr(told.faults, "/KQQvK.rtbw is no file\n"));
    ck_assert_ptr_nonnull(strstr(told.faults, "/KRRvK.rtbw No such file or directory\n"));
}
END_TEST

/* A head in which some bytes are others is told, or adds up: it never makes the reader stumble. */
static void spoil_head(const char *name)
{
    enum { HEAD = 200, ROUNDS = 2000 };
    static uint8_t bytes[TABLE_BYTES_MAX];
    struct tablefile_men men;
    enum tablefile_kind kind;
    bool is_wide;
    const size_t length = table_read(name, bytes);
    ck_assert(tablefile_parse(name, &men, &kind));
    ck_assert_ptr_null(tablefile_fault(bytes, length, &men, kind, &is_wide));
    uint64_t random = 7;
    unsigned told_of = 0;
    for (int i = 0; i < ROUNDS; i++) {
        const size_t at = (size_t)random_below(&random, length < HEAD ? length : HEAD);
        const uint8_t before = bytes[at];
        bytes[at] = (uint8_t)random_next(&random);
        told_of += tablefile_fault(bytes, length, &men, kind, &is_wide) != NULL;
        bytes[at] = before;
    }
    ck_assert_uint_gt(told_of, 0);
}

START_TEST(spoilt_heads_are_survived) { each_table(spoil_head); }
END_TEST

/* Asks about many positions of three and four men, at the root and below. */
static void ask_around(uint64_t *random)
{
    enum { ROUNDS = 20 };
    static const char *const MEN[] = {"Q", "R", "P", "BN", "Qr"};
    static struct rk_game game;
    struct tablebase_move moves[MOVES_MAX + 1];
    for (int i = 0; i < ROUNDS; i++) {
        const char *men = MEN[random_below(random, 5)];
        char board[SQUARE_COUNT + 1], fen[2 * SQUARE_COUNT];
        memset(board, '1', SQUARE_COUNT);
        board[random_below(random, SQUARE_COUNT)] = 'K';
        board[random_below(random, SQUARE_COUNT)] = 'k';
        for (; *men != '\0'; men++)
            board[8 + random_below(random, SQUARE_COUNT - 16)] = *men;
        size_t length = 0;
        for (size_t square = 0; square < SQUARE_COUNT; square++) {
            fen[length++] = board[square];
            if (square % 8 == 7 && square < SQUARE_COUNT - 1)
                fen[length++] = '/';
        }
        (void)snprintf(fen + length, sizeof fen - length, " %c - - 0 1", "wb"[i % 2]);
        if (rk_game_set_fen(&game, fen, strlen(fen)) != RK_OK)
            continue;
        const int result = result_of(fen);
        ck_assert(result == UNKNOWN || (result >= -2 && result <= 2));
        (void)rank(fen, moves);
    }
}

/* One byte before the blocks is another: such a file is refused, or can be asked. */
static void spoil_and_ask(const char *name)
{
    enum { ROUNDS = 25, SMALL = 8000, HEAD = 2600 };
    static uint8_t bytes[TABLE_BYTES_MAX];
    struct tablefile_men men;
    enum tablefile_kind kind;
    bool is_wide;
    const size_t length = table_read(name, bytes);
    ck_assert(tablefile_parse(name, &men, &kind));
    uint64_t random = length;
    for (int i = 0; i < ROUNDS && length < SMALL; i++) {
        const size_t at = (size_t)random_below(&random, length < HEAD ? length : HEAD);
        const uint8_t before = bytes[at];
        bytes[at] = (uint8_t)random_next(&random);
        if (tablefile_fault(bytes, length, &men, kind, &is_wide) == NULL) {
            write_file(name, bytes, length);
            open_path(folder);
            ask_around(&random);
        }
        bytes[at] = before;
    }
    copy_table(name);
}

START_TEST(one_bad_byte_is_refused_or_survived) { each_table(spoil_and_ask); }
END_TEST

/* Fathom's words go nowhere, ours arrive. */
START_TEST(nothing_is_printed)
{
    char path[PATH_BYTES];
    struct stat facts;
    write_file("KQvKR.rtbw", "x", 1);
    path_in_folder("said", path);
    (void)fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    const int said = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert(kept >= 0 && said >= 0);
    ck_assert_int_ge(dup2(said, STDOUT_FILENO), 0);
    printf("before");
    open_path(folder);
    printf("after");
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(kept, STDOUT_FILENO), 0);
    ck_assert_int_eq(fstat(said, &facts), 0);
    (void)close(said);
    (void)close(kept);
    ck_assert_uint_eq(told.fault_count, 1);
    ck_assert_int_eq(facts.st_size, sizeof "beforeafter" - 1);
}
END_TEST

Suite *suite_tablebase(void)
{
    Suite *suite = suite_create("tablebase");
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, setup, teardown);
    tcase_add_test(files, results_are_those_of_chess);
    tcase_add_test(files, what_is_missing_is_named);
    tcase_add_test(files, more_faults_than_fit_are_counted);
    tcase_add_test(files, a_file_cut_off_is_named_and_kept_away_from);
    tcase_add_test(files, broken_distances_leave_results);
    tcase_add_test(files, promotions_are_told_apart);
    tcase_add_test(files, a_folder_of_garbage_is_survived);
    tcase_add_test(files, what_is_no_table_is_left_alone);
    tcase_add_test(files, nothing_is_printed);
    suite_add_tcase(suite, files);
    TCase *alone = tcase_create("alone");
    tcase_add_checked_fixture(alone, setup, teardown);
    tcase_set_tags(alone, SUITE_TAG_ALONE);
    tcase_add_test(alone, spoilt_heads_are_survived);
    tcase_add_test(alone, one_bad_byte_is_refused_or_survived);
    suite_add_tcase(suite, alone);
    return suite;
}
