#include "base/random.h"

#include "base/suites.h"

enum { DRAWS = 100000, FACES = 7 };

/* The published sequence for the seed 1234567. */
START_TEST(the_sequence_is_splitmix64)
{
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                        9817491932198370423u, 4593380528125082431u,
                                        16408922859458223821u};
    uint64_t state = 1234567;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_uint_eq(random_next(&state), expected[i]);
}
END_TEST

START_TEST(draws_stay_below_their_bound_and_reach_all_of_it)
{
    uint64_t state = 1;
    unsigned counts[FACES] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const uint64_t face = random_below(&state, FACES);
        ck_assert_uint_lt(face, FACES);
        counts[face]++;
    }
    for (int face = 0; face < FACES; face++) {
        ck_assert_uint_gt(counts[face], DRAWS / FACES * 9 / 10);
        ck_assert_uint_lt(counts[face], DRAWS / FACES * 11 / 10);
    }
    ck_assert_uint_eq(random_below(&state, 1), 0);
}
END_TEST

Suite *suite_random(void)
{
    Suite *suite = suite_create("random");
    TCase *tcase = tcase_create("random");
    tcase_add_test(tcase, the_sequence_is_splitmix64);
    tcase_add_test(tcase, draws_stay_below_their_bound_and_reach_all_of_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
