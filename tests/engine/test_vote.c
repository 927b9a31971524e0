#include "engine/vote.h"

#include "base/random.h"
#include "engine/suites.h"

enum { ROUNDS = 20000, VOTERS_MAX = 9 };

START_TEST(a_vote_survives_its_word)
{
    uint64_t random = 1;
    for (int round = 0; round < ROUNDS; round++) {
        const struct vote vote = {.move = (move_t)random_next(&random),
                                  .score = (score_t)random_below(&random, 2 * SCORE_INFINITE + 1) -
                                           SCORE_INFINITE,
                                  .depth = (depth_t)random_below(&random, PLY_MAX + 1)};
        const struct vote back = vote_unpack(vote_pack(&vote));
        ck_assert_uint_eq(back.move, vote.move);
        ck_assert_int_eq(back.score, vote.score);
        ck_assert_int_eq(back.depth, vote.depth);
    }
    ck_assert_int_eq(vote_unpack(0).depth, 0);
}
END_TEST

START_TEST(the_leader_wins_ties_and_alone)
{
    const struct vote votes[] = {{1, 30, 10}, {2, 30, 10}, {3, 30, 10}};
    ck_assert_uint_eq(vote_winner(votes, 1), 0);
    ck_assert_uint_eq(vote_winner(votes, 3), 0);
}
END_TEST

START_TEST(two_that_agree_outvote_one)
{
    const struct vote votes[] = {{1, 30, 10}, {2, 30, 10}, {2, 31, 10}};
    ck_assert_uint_eq(vote_winner(votes, 3), 2);
}
END_TEST

START_TEST(deeper_and_better_counts_more)
{
    const struct vote deeper[] = {{1, 30, 10}, {2, 30, 12}};
    ck_assert_uint_eq(vote_winner(deeper, 2), 1);
    const struct vote better[] = {{1, 30, 10}, {2, 60, 10}};
    ck_assert_uint_eq(vote_winner(better, 2), 1);
    const struct vote worse[] = {{1, 60, 10}, {2, 30, 10}};
    ck_assert_uint_eq(vote_winner(worse, 2), 0);
}
END_TEST

/* Lent a moment ago, not yet through its first iteration, or of a loss: no vote. */
START_TEST(some_have_no_vote)
{
    const struct vote votes[] = {
        {1, 30, 10}, {2, 900, 8}, {3, 900, 0}, {MOVE_NONE, 900, 12}, {4, -SCORE_TB_BOUND, 30}};
    ck_assert_uint_eq(vote_winner(votes, 5), 0);
}
END_TEST

START_TEST(the_nearest_mate_wins)
{
    const struct vote votes[] = {
        {1, SCORE_MATE - 9, 10}, {2, SCORE_MATE - 5, 10}, {3, SCORE_MATE - 7, 20}, {4, 500, 40}};
    ck_assert_uint_eq(vote_winner(votes, 4), 1);
}
END_TEST

START_TEST(a_proved_loss_is_the_leaders_to_answer)
{
    const struct vote votes[] = {{1, 6 - SCORE_MATE, 10}, {2, 0, 10}, {2, 0, 11}};
    ck_assert_uint_eq(vote_winner(votes, 3), 0);
}
END_TEST

/* By hand, move by move: nobody has more support than the winner. */
START_TEST(nobody_has_more_support_than_the_winner)
{
    uint64_t random = 2;
    for (int round = 0; round < ROUNDS; round++) {
        struct vote votes[VOTERS_MAX];
        const unsigned count = 1 + (unsigned)random_below(&random, VOTERS_MAX);
        for (unsigned i = 0; i < count; i++)
            votes[i] = (struct vote){(move_t)(1 + random_below(&random, 3)),
                                     (score_t)random_below(&random, 100),
                                     10 + (depth_t)random_below(&random, 2)};
        const struct vote *winner = &votes[vote_winner(votes, count)];
        score_t worst = votes[0].score;
        for (unsigned i = 0; i < count; i++)
            worst = votes[i].score < worst && votes[i].depth + 1 >= votes[0].depth ? votes[i].score
                                                                                   : worst;
        int sums[4] = {0};
        for (unsigned i = 0; i < count; i++)
            sums[votes[i].move] += (votes[i].score - worst + 10) * votes[i].depth;
        for (int move = 1; move <= 3; move++)
            ck_assert_int_le(sums[move], sums[winner->move]);
    }
}
END_TEST

Suite *suite_vote(void)
{
    Suite *suite = suite_create("vote");
    TCase *tcase = tcase_create("vote");
    tcase_add_test(tcase, a_vote_survives_its_word);
    tcase_add_test(tcase, the_leader_wins_ties_and_alone);
    tcase_add_test(tcase, two_that_agree_outvote_one);
    tcase_add_test(tcase, deeper_and_better_counts_more);
    tcase_add_test(tcase, some_have_no_vote);
    tcase_add_test(tcase, the_nearest_mate_wins);
    tcase_add_test(tcase, a_proved_loss_is_the_leaders_to_answer);
    tcase_add_test(tcase, nobody_has_more_support_than_the_winner);
    suite_add_tcase(suite, tcase);
    return suite;
}
