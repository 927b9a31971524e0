#include "engine/weaken.h"

#include "engine/analyst.h"
#include "engine/suites.h"

static struct analyst *analyst;

static void setup(void) { analyst = analyst_create(); }
static void teardown(void) { analyst_destroy(analyst); }

START_TEST(weakness_falls_as_the_rating_rises)
{
    struct weakness below = weaken_to(WEAKEN_ELO_MIN);
    for (unsigned elo = WEAKEN_ELO_MIN + 1; elo <= WEAKEN_ELO_MAX; elo++) {
        const struct weakness weakness = weaken_to(elo);
        ck_assert_uint_ge(weakness.nodes, below.nodes);
        ck_assert_int_le(weakness.noise, below.noise);
        ck_assert_int_le(weakness.lines, below.lines);
        ck_assert_int_ge(weakness.lines, 1);
        ck_assert_uint_ge(weakness.nodes, 1);
        below = weakness;
    }
}
END_TEST

START_TEST(ratings_outside_are_held)
{
    ck_assert_int_eq(weaken_to(0).noise, weaken_to(WEAKEN_ELO_MIN).noise);
    ck_assert_uint_eq(weaken_to(4000).nodes, weaken_to(WEAKEN_ELO_MAX).nodes);
}
END_TEST

/* Different draws choose different moves; the same draw the same one. */
START_TEST(the_seed_draws_the_choice)
{
    enum { SEEDS = 30 };
    move_t first = MOVE_NONE;
    unsigned others = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        move_t choice[2];
        for (int i = 0; i < 2; i++) {
            analyst_clear(analyst);
            analyst->request.elo = WEAKEN_ELO_MIN;
            analyst->worker->seed = seed;
            analyst_search(analyst);
            choice[i] = analyst->worker->outcome.best;
        }
        ck_assert_uint_eq(choice[0], choice[1]);
        first = seed == 0 ? choice[0] : first;
        others += choice[0] != first;
    }
    ck_assert_uint_gt(others, SEEDS / 4);
}
END_TEST

START_TEST(a_weak_search_ends_by_itself_and_tells_what_it_plays)
{
    for (unsigned elo = WEAKEN_ELO_MIN; elo <= WEAKEN_ELO_MAX; elo += 300)
        for (unsigned multipv = 1; multipv <= 3; multipv++) {
            analyst_clear(analyst);
            analyst->request.elo = elo;
            analyst->request.multipv = multipv;
            analyst->request.limits = (struct rk_limits){.infinite = true};
            analyst_search(analyst);
            ck_assert_uint_eq(analyst->line_count % multipv, 0);
            const struct rk_report *line = &analyst->lines[analyst->line_count - multipv];
            ck_assert_uint_eq(line->multipv, 1);
            ck_assert_uint_eq(line->pv[0], analyst->worker->outcome.best);
            for (unsigned i = 0; i < multipv; i++) {
                analyst_check_line(analyst, &line[i]);
                ck_assert_int_eq(line[i].bound, RK_BOUND_EXACT);
                ck_assert_uint_eq(line[i].multipv, i + 1);
                ck_assert_uint_eq(line[i].depth, line[0].depth);
            }
        }
}
END_TEST

START_TEST(even_the_weakest_mates_in_one)
{
    for (unsigned seed = 0; seed < 10; seed++) {
        analyst_clear(analyst);
        analyst->request.elo = WEAKEN_ELO_MIN;
        analyst->worker->seed = seed;
        analyst_set(analyst, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "");
        analyst_search(analyst);
        ck_assert_uint_eq(analyst->worker->outcome.best, analyst_move(analyst, "a1a8"));
    }
}
END_TEST

Suite *suite_weaken(void)
{
    Suite *suite = suite_create("weaken");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, weakness_falls_as_the_rating_rises);
    tcase_add_test(tcase, ratings_outside_are_held);
    tcase_add_test(tcase, the_seed_draws_the_choice);
    tcase_add_test(tcase, a_weak_search_ends_by_itself_and_tells_what_it_plays);
    tcase_add_test(tcase, even_the_weakest_mates_in_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
