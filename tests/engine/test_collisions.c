/* What a stranger could do who knows the keys, and that it fails when they are drawn.
 *
 * Two boards have the same key when the numbers of all men in which they differ add up to zero. Let
 * each of eight blocks of six squares hold two officers: a block can change from one filling to
 * another in some hundred thousand ways, and one change a block is wanted such that eight numbers
 * of 64 bits cancel. That is the generalised birthday problem (David Wagner, "A Generalized
 * Birthday Problem", 2002): pairs of lists are merged so that 17 low bits vanish, the results so
 * that 34 do, and of what is left some cancel wholly. A second's work where trying pairs of boards
 * would be 2^32 of them. Kings stand walled in, so that neither board is illegal by a check. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/memory.h"
#include "chess/chess.h"
#include "chess/zobrist.h"
#include "engine/suites.h"
#include "engine/table.h"
#include "rookery/game.h"

enum {
    BLOCKS = 8,
    BLOCK_SQUARES = 6,
    MERGE_BITS = 17,
    MERGED_MAX = 1 << 18,
    LEVELS = 3, /* Of merging eight lists into one. */
    DRAWS = 16  /* Keys drawn anew so many times. */
};
#define NONE UINT32_MAX

/* Kings in their corners behind men that are on both boards; squares that a knight would check from
 * stay empty. */
static const char WALLS[SQUARE_COUNT + 1] = "KR......"
                                            "PP-....."
                                            ".-......"
                                            "........"
                                            "........"
                                            "......-."
                                            ".....-pp"
                                            "......rk";
static const char LETTERS[] = "PNBRQKpnbrqk";
static const piece_t OFFICERS[] = {1, 2, 3, 4, 7, 8, 9, 10}; /* NBRQnbrq */

enum { OFFICER_COUNT = sizeof OFFICERS, BLOCK_MEN = BLOCK_SQUARES * OFFICER_COUNT };

/* A man on a square of a block. */
struct man {
    square_t square;
    piece_t piece;
};

/* Of a block's list: two men that one board has there and two that the other has. Of a merged one:
 * which of each list below. */
struct change {
    zkey_t key;
    union {
        struct man men[4]; /* By turns the first board's and the second's. */
        uint32_t below[2];
    };
};

struct list {
    uint32_t count;
    struct change changes[MERGED_MAX];
};

struct attack {
    struct list lists[2 * BLOCKS - 1]; /* The blocks', then four, two, one. */
    uint32_t heads[1 << MERGE_BITS];
    uint32_t nexts[MERGED_MAX];
};

/* Neighbours in `men` stand on one square or on two in order, so that a board has two men on one
 * square only if three of the four are there. */
static void list_add(struct list *list, const struct man men[BLOCK_MEN], const unsigned at[4])
{
    struct change *change = &list->changes[list->count];
    change->key = 0;
    for (unsigned i = 0; i < 4; i++) {
        change->men[i] = men[at[i]];
        change->key ^= zobrist_get()->men[men[at[i]].piece][men[at[i]].square];
    }
    if (men[at[0]].square != men[at[2]].square && men[at[1]].square != men[at[3]].square)
        list->count++;
}

/* Every set of four men once, or keys would come in crowds. */
static void list_changes(struct list *list, const square_t squares[BLOCK_SQUARES])
{
    struct man men[BLOCK_MEN];
    unsigned at[4];
    for (unsigned i = 0; i < BLOCK_MEN; i++)
        men[i] = (struct man){squares[i / OFFICER_COUNT], OFFICERS[i % OFFICER_COUNT]};
    list->count = 0;
    for (at[0] = 0; at[0] < BLOCK_MEN; at[0]++)
        for (at[1] = at[0] + 1; at[1] < BLOCK_MEN; at[1]++)
            for (at[2] = at[1] + 1; at[2] < BLOCK_MEN; at[2]++)
                for (at[3] = at[2] + 1; at[3] < BLOCK_MEN; at[3]++)
                    list_add(list, men, at);
}

static void list_blocks(struct attack *attack)
{
    square_t squares[SQUARE_COUNT];
    unsigned count = 0;
    for (unsigned square = 0; square < SQUARE_COUNT; square++)
        if (WALLS[square] == '.')
            squares[count++] = (square_t)square;
    REQUIRE(count >= BLOCKS * BLOCK_SQUARES);
    for (unsigned block = 0; block < BLOCKS; block++)
        list_changes(&attack->lists[block], &squares[block * BLOCK_SQUARES]);
}

/* Pairs whose keys agree in MERGE_BITS bits from `shift` on, those below being gone already, or
 * wholly when is_last. Their sum has none of these bits. */
static void merge(struct attack *attack, const struct list *a, const struct list *b,
                  struct list *out, unsigned shift, bool is_last)
{
    memset(attack->heads, 0xff, sizeof attack->heads);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t *head = &attack->heads[a->changes[i].key >> shift & ((1 << MERGE_BITS) - 1)];
        attack->nexts[i] = *head;
        *head = i;
    }
    out->count = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        const zkey_t key = b->changes[k].key;
        for (uint32_t i = attack->heads[key >> shift & ((1 << MERGE_BITS) - 1)]; i != NONE;
             i = attack->nexts[i]) {
            if (out->count == MERGED_MAX || (is_last && a->changes[i].key != key))
                continue;
            out->changes[out->count++] =
                (struct change){.key = a->changes[i].key ^ key, .below = {i, k}};
        }
    }
}

/* Fills the last list: changes, one a block, that together leave a key as it is. */
static void find_changes(struct attack *attack)
{
    list_blocks(attack);
    struct list *below = attack->lists;
    struct list *out = attack->lists + BLOCKS;
    for (unsigned level = 0; level < LEVELS; level++) {
        const unsigned lists = BLOCKS >> level;
        for (unsigned i = 0; i < lists; i += 2)
            merge(attack, &below[i], &below[i + 1], out++, level * MERGE_BITS, level + 1 == LEVELS);
        below += lists;
    }
}

/* Puts what the blocks below the `index`th change of a list hold on the two boards. */
static void put_changes(const struct attack *attack, unsigned list, uint32_t index,
                        char boards[2][SQUARE_COUNT])
{
    const struct change *change = &attack->lists[list].changes[index];
    if (list >= BLOCKS) {
        for (unsigned i = 0; i < 2; i++)
            put_changes(attack, 2 * (list - BLOCKS) + i, change->below[i], boards);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        boards[i % 2][change->men[i].square] = LETTERS[change->men[i].piece];
}

static void board_print(const char board[SQUARE_COUNT], char fen[RK_FEN_BYTES_MAX])
{
    char *to = fen;
    for (unsigned rank = 8; rank-- > 0;) {
        for (unsigned file = 0; file < 8; file++) {
            const char man = board[rank * 8 + file];
            *to++ = man == '.' || man == '-' ? '1' : man;
        }
        *to++ = rank > 0 ? '/' : ' ';
    }
    (void)snprintf(to, 16, "w - - 0 1");
}

struct pair {
    char fens[2][RK_FEN_BYTES_MAX];
    zkey_t keys[2];
};

static bool pair_read(struct pair *pair)
{
    bool is_legal = true;
    struct rk_game *game = NULL;
    REQUIRE(rk_game_create(&game) == RK_OK);
    for (unsigned i = 0; i < 2; i++) {
        is_legal = is_legal && rk_game_set_fen(game, pair->fens[i], strlen(pair->fens[i])) == RK_OK;
        pair->keys[i] = rk_game_key(game);
    }
    rk_game_destroy(game);
    return is_legal;
}

/* The first of the changes that makes two legal positions. */
static bool find_pair(const struct attack *attack, struct pair *pair)
{
    const struct list *changes = &attack->lists[2 * BLOCKS - 2];
    for (uint32_t i = 0; i < changes->count; i++) {
        char boards[2][SQUARE_COUNT];
        memcpy(boards[0], WALLS, sizeof boards[0]);
        memcpy(boards[1], WALLS, sizeof boards[1]);
        put_changes(attack, 2 * BLOCKS - 2, i, boards);
        board_print(boards[0], pair->fens[0]);
        board_print(boards[1], pair->fens[1]);
        if (strcmp(pair->fens[0], pair->fens[1]) != 0 && pair_read(pair))
            return true;
    }
    return false;
}

/* -- Keys are drawn once a process, so each draw has a process of its own ---------------------- */

static void attack_known(struct pair *pair)
{
    struct attack *attack = memory_allocate(sizeof *attack);
    REQUIRE(attack != NULL);
    chess_init();
    find_changes(attack);
    REQUIRE(find_pair(attack, pair));
    memory_free(attack);
}

/* As rookeryd does. */
static void read_drawn(struct pair *pair)
{
    uint64_t seed;
    REQUIRE(getrandom(&seed, sizeof seed, 0) == sizeof seed && rk_seed_keys(seed) == RK_OK);
    REQUIRE(pair_read(pair));
}

static void in_child(void (*work)(struct pair *), struct pair *pair)
{
    int ends[2], status = 1;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        work(pair);
        _exit(write(ends[1], pair, sizeof *pair) == sizeof *pair ? 0 : 1);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], pair, sizeof *pair), sizeof *pair);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

/* With the fixed seed of the tool two positions are one to the table; with any keys of the daemon
 * they are two, as every pair is that was found without knowing them. */
START_TEST(drawn_keys_escape_what_known_keys_do_not)
{
    struct pair pair;
    in_child(attack_known, &pair);
    ck_assert_uint_eq(pair.keys[0], pair.keys[1]);

    const struct table_hit lie = {.move = 77, .score = 900, .eval = 5, .bound = BOUND_EXACT};
    struct table_hit hit;
    struct table *table = NULL;
    ck_assert_int_eq(table_create(1, 1, &table), RK_OK);
    table_store(table, pair.keys[0], &lie);
    ck_assert(table_probe(table, pair.keys[1], &hit));
    ck_assert_int_eq(hit.score, lie.score);

    for (int draw = 0; draw < DRAWS; draw++) {
        const zkey_t known = pair.keys[0];
        in_child(read_drawn, &pair);
        ck_assert_uint_ne(pair.keys[0], known);
        ck_assert_uint_ne(pair.keys[0], pair.keys[1]);
        table_store(table, pair.keys[0], &lie);
        ck_assert(!table_probe(table, pair.keys[1], &hit));
    }
    table_destroy(table);
}
END_TEST

Suite *suite_collisions(void)
{
    Suite *suite = suite_create("collisions");
    TCase *tcase = tcase_create("collisions");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, drawn_keys_escape_what_known_keys_do_not);
    suite_add_tcase(suite, tcase);
    return suite;
}
