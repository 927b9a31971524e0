#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chess/suites.h"
#include "rookery/game.h"

/* Keys are drawn once a process, so each question is asked in a process of its own. */
enum question { DEFAULT_SEED, SEED_1, SEED_2, SEED_TOO_LATE, SEED_TWICE };

struct answer {
    enum rk_status status;
    uint64_t key;
};

static struct answer ask_here(enum question question)
{
    struct answer answer = {.status = RK_OK};
    struct rk_game *game = NULL;
    if (question == SEED_1 || question == SEED_TWICE)
        answer.status = rk_seed_keys(1);
    if (question == SEED_2)
        answer.status = rk_seed_keys(2);
    if (question == SEED_TWICE)
        answer.status = rk_seed_keys(1);
    if (rk_game_create(&game) != RK_OK)
        return (struct answer){.status = RK_NO_MEMORY};
    if (question == SEED_TOO_LATE)
        answer.status = rk_seed_keys(2);
    answer.key = rk_game_key(game);
    rk_game_destroy(game);
    return answer;
}

static struct answer ask(enum question question)
{
    int ends[2];
    struct answer answer;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        answer = ask_here(question);
        _exit(write(ends[1], &answer, sizeof answer) == sizeof answer ? 0 : 1);
    }
    ck_assert_int_eq(read(ends[0], &answer, sizeof answer), sizeof answer);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    close(ends[0]);
    close(ends[1]);
    return answer;
}

START_TEST(another_seed_draws_other_keys)
{
    const struct answer standard = ask(DEFAULT_SEED), one = ask(SEED_1), two = ask(SEED_2);
    ck_assert_int_eq(one.status, RK_OK);
    ck_assert_int_eq(two.status, RK_OK);
    ck_assert_uint_ne(standard.key, one.key);
    ck_assert_uint_ne(one.key, two.key);
}
END_TEST

START_TEST(the_same_seed_draws_the_same_keys)
{
    ck_assert_uint_eq(ask(SEED_1).key, ask(SEED_1).key);
    ck_assert_uint_eq(ask(DEFAULT_SEED).key, ask(DEFAULT_SEED).key);
}
END_TEST

START_TEST(keys_in_use_are_not_drawn_again)
{
    const struct answer late = ask(SEED_TOO_LATE), twice = ask(SEED_TWICE);
    ck_assert_int_eq(late.status, RK_BUSY);
    ck_assert_uint_eq(late.key, ask(DEFAULT_SEED).key);
    ck_assert_int_eq(twice.status, RK_BUSY);
    ck_assert_uint_eq(twice.key, ask(SEED_1).key);
}
END_TEST

static void *first_key(void *out_key)
{
    struct rk_game *game = NULL;
    if (rk_game_create(&game) == RK_OK)
        *(uint64_t *)out_key = rk_game_key(game);
    rk_game_destroy(game);
    return NULL;
}

START_TEST(many_may_be_the_first_at_once)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    uint64_t keys[THREADS] = {0};
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, first_key, &keys[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_uint_eq(keys[i], keys[0]);
    ck_assert_uint_ne(keys[0], 0);
}
END_TEST

Suite *suite_seed(void)
{
    Suite *suite = suite_create("seed");
    TCase *tcase = tcase_create("seed");
    tcase_set_timeout(tcase, SUITE_SECONDS_MAX);
    tcase_add_test(tcase, another_seed_draws_other_keys);
    tcase_add_test(tcase, the_same_seed_draws_the_same_keys);
    tcase_add_test(tcase, keys_in_use_are_not_drawn_again);
    tcase_add_test(tcase, many_may_be_the_first_at_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
