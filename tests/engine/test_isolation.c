/* Clients share a table and nothing else: what one does changes no other's result. Searches here
 * are of one thread and without memory, so that they count the same to the node on tables that look
 * the same to them. */
#include <string.h>

#include "base/random.h"
#include "engine/crew.h"
#include "engine/owner.h"
#include "engine/suites.h"

enum { TABLE_MIB = 16, DEPTH = 9, STORM = 100, STORM_NODES = 100, ANALYST = 1, STRANGER = 2 };

static const char BUSY[] = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

/* White is lost but for a third repetition. */
static const char LOST[] = "8/8/8/8/8/6k1/5q2/K7 b - - 0 1";

static struct owner owner;

static void setup(void) { owner_init(&owner, 2, 1, TABLE_MIB); }
static void teardown(void) { owner_clear(&owner); }

static struct rk_request to_depth(uint32_t depth)
{
    struct rk_request request = owner_request();
    request.limits = (struct rk_limits){.depth = depth};
    return request;
}

/* Returns its nodes. */
static uint64_t search(struct rk_request *request, const char *fen)
{
    (void)owner_go(&owner, request, fen);
    owner_await(&owner, 0);
    return owner.last.nodes;
}

/* Returns the nodes of `fen` to `depth`, by nobody. */
static uint64_t nodes_of(const char *fen, uint32_t depth)
{
    struct rk_request request = to_depth(depth);
    return search(&request, fen);
}

static void empty_table(void) { ck_assert_int_eq(rk_engine_clear(owner.engine), RK_OK); }

static uint64_t nodes_on_empty_table(const char *fen, uint32_t depth)
{
    empty_table();
    return nodes_of(fen, depth);
}

static void play(struct rk_game *game, const char *fen, const char *moves)
{
    ck_assert_int_eq(rk_game_set_fen(game, fen, strlen(fen)), RK_OK);
    while (*moves != '\0') {
        const size_t length = strcspn(moves, " ");
        ck_assert_int_eq(rk_game_play(game, moves, length), RK_OK);
        moves += length;
        moves += strspn(moves, " ");
    }
}

/* Salted and limited searches leave the table as it was for everyone else, to the node. */
START_TEST(private_entries_are_seen_by_nobody_else)
{
    const uint64_t nodes = nodes_on_empty_table(BUSY, DEPTH);
    for (int way = 0; way < 3; way++) {
        empty_table();
        struct rk_request request = to_depth(DEPTH);
        request.salt = way != 1 ? 12345 : 0;
        request.elo = way != 0 ? 2000 : 0;
        ck_assert_uint_gt(search(&request, BUSY), 100);
        ck_assert_uint_eq(nodes_of(BUSY, DEPTH), nodes);
    }
}
END_TEST

/* What one has found is there for the next: from the second iteration on hardly more than the moves
 * at the root are looked at. */
START_TEST(neighbours_find_what_was_found)
{
    const uint64_t nodes = nodes_on_empty_table(BUSY, DEPTH);
    ck_assert_uint_lt(nodes_of(BUSY, DEPTH), nodes / 4);
}
END_TEST

/* Fifty-move counters and repetitions of another's game. */
START_TEST(another_past_is_another_position)
{
    struct rk_game *game = NULL;
    ck_assert_int_eq(rk_game_create(&game), RK_OK);
    const uint64_t nodes = nodes_on_empty_table(LOST, DEPTH);
    struct rk_request request = to_depth(DEPTH);
    request.game = game;
    /* Here a draw is at hand, and so it is wherever the tree leads back to a position that has
     * stood twice. */
    empty_table();
    play(game, LOST, "g3g4 a1b1 g4g3 b1a1 g3g4 a1b1 g4g3");
    (void)search(&request, NULL);
    ck_assert_uint_eq(nodes_of(LOST, DEPTH), nodes);
    ck_assert_uint_lt(nodes_of(LOST, DEPTH), nodes); /* The one before was everyone's. */
    rk_game_destroy(game);
}
END_TEST

/* Mate in two, were there two moves left: who has them says nothing to who has not. */
START_TEST(a_counter_near_its_end_is_part_of_the_position)
{
    static const char NOW[] = "k7/8/2K5/8/8/8/8/7R w - - 96 150";
    static const char LATE[] = "k7/8/2K5/8/8/8/8/7R w - - 98 150";
    for (int first = 0; first < 2; first++) {
        empty_table();
        for (int i = 0; i < 2; i++) {
            const char *fen = i == first ? NOW : LATE;
            (void)nodes_of(fen, 12);
            ck_assert_int_eq(owner.last_line.is_mate, fen == NOW);
        }
    }
}
END_TEST

/* A hundred new games, each forgotten and salted anew, of odd positions and limited strength. */
static uint64_t storm(void)
{
    static const char *const ODD[] = {
        "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w DFdf - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "8/8/8/3k4/8/8/1Q6/K7 w - - 99 150",
    };
    uint64_t nodes = 0;
    for (unsigned i = 0; i < STORM; i++) {
        struct rk_request request = owner_request();
        request.limits = (struct rk_limits){.nodes = STORM_NODES};
        request.session = STRANGER;
        request.salt = i % 3 == 0 ? 0 : i;
        request.elo = i % 4 == 0 ? 1500 : 0;
        request.multipv = 1 + i % 5;
        const unsigned running = owner.running;
        rk_engine_forget(owner.engine, STRANGER);
        (void)owner_go(&owner, &request, i % 5 < 3 ? ODD[i % 5] : BUSY);
        owner_await(&owner, running);
        nodes += owner.last.nodes;
    }
    return nodes;
}

START_TEST(a_storm_of_new_games_leaves_the_entries)
{
    const uint64_t nodes = nodes_on_empty_table(BUSY, DEPTH);
    (void)storm();
    ck_assert_uint_lt(nodes_of(BUSY, DEPTH), nodes / 2);
}
END_TEST

/* On one core: what the storm searches is less than the analysis beside it does meanwhile. */
START_TEST(a_storm_takes_no_more_than_its_share)
{
    struct rk_request request = owner_request();
    request.session = ANALYST;
    const rk_ticket_t ticket = owner_go(&owner, &request, BUSY);
    const uint64_t stormed = storm();
    owner_stop(&owner, ticket);
    owner_await(&owner, 0);
    ck_assert_uint_gt(owner.last.nodes, stormed);
}
END_TEST

static uint64_t table_sum(const struct table *table)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < table->bucket_count; i++)
        for (unsigned k = 0; k < TABLE_ENTRIES_PER_BUCKET; k++) {
            const struct table_entry *entry = &table->buckets[i].entries[k];
            sum = sum * 31 + atomic_load(&entry->check);
            sum = sum * 31 + atomic_load(&entry->data);
        }
    return sum;
}

/* So it takes the same time on a table of any size. */
START_TEST(forgetting_touches_no_word_of_the_table)
{
    (void)nodes_of(BUSY, DEPTH);
    const struct table *table = owner.engine->table;
    const uint64_t sum = table_sum(table);
    const uint32_t generation = atomic_load(&table->generation);
    ck_assert_uint_ne(sum, 0);
    for (unsigned i = 0; i < STORM; i++)
        rk_engine_forget(owner.engine, i % 3);
    ck_assert_uint_eq(table_sum(table), sum);
    ck_assert_uint_eq(atomic_load(&table->generation), generation);
}
END_TEST

Suite *suite_isolation(void)
{
    Suite *suite = suite_create("isolation");
    TCase *tcase = tcase_create("isolation");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, private_entries_are_seen_by_nobody_else);
    tcase_add_test(tcase, neighbours_find_what_was_found);
    tcase_add_test(tcase, another_past_is_another_position);
    tcase_add_test(tcase, a_counter_near_its_end_is_part_of_the_position);
    tcase_add_test(tcase, a_storm_of_new_games_leaves_the_entries);
    tcase_add_test(tcase, a_storm_takes_no_more_than_its_share);
    tcase_add_test(tcase, forgetting_touches_no_word_of_the_table);
    suite_add_tcase(suite, tcase);
    return suite;
}
