#include "engine/memories.h"

#include "base/random.h"
#include "engine/suites.h"

enum { STEPS = 50000, PLACES = 5, SESSIONS = 9 };

START_TEST(a_session_gets_its_own_back)
{
    struct memories *memories = NULL;
    ck_assert_int_eq(memories_create(2, &memories), RK_OK);
    bool is_fresh = false;
    struct memory *first = memories_lend(memories, 100, &is_fresh);
    ck_assert_ptr_nonnull(first);
    ck_assert(is_fresh);
    first->killers[0][0] = 4711;
    memories_return(memories, first);
    ck_assert_ptr_eq(memories_lend(memories, 100, &is_fresh), first);
    ck_assert(!is_fresh);
    ck_assert_uint_eq(first->killers[0][0], 4711);
    memories_destroy(memories);
}
END_TEST

START_TEST(nobody_and_a_second_search_get_none)
{
    struct memories *memories = NULL;
    ck_assert_int_eq(memories_create(2, &memories), RK_OK);
    bool is_fresh = true;
    ck_assert_ptr_null(memories_lend(memories, 0, &is_fresh));
    const struct memory *first = memories_lend(memories, 7, &is_fresh);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(memories_lend(memories, 7, &is_fresh));
    ck_assert_ptr_nonnull(memories_lend(memories, 8, &is_fresh));
    ck_assert_ptr_null(memories_lend(memories, 9, &is_fresh));
    memories_return(memories, first);
    ck_assert_ptr_eq(memories_lend(memories, 9, &is_fresh), first);
    memories_return(memories, NULL);
    memories_destroy(memories);
}
END_TEST

START_TEST(forgetting_starts_afresh_even_while_lent)
{
    struct memories *memories = NULL;
    ck_assert_int_eq(memories_create(1, &memories), RK_OK);
    bool is_fresh = false;
    const struct memory *memory = memories_lend(memories, 7, &is_fresh);
    memories_forget(memories, 7);
    memories_forget(memories, 0);
    memories_forget(memories, 12);
    memories_return(memories, memory);
    ck_assert_ptr_eq(memories_lend(memories, 7, &is_fresh), memory);
    ck_assert(is_fresh);
    memories_return(memories, memory);
    ck_assert_ptr_eq(memories_lend(memories, 7, &is_fresh), memory);
    ck_assert(!is_fresh);
    memories_destroy(memories);
}
END_TEST

/* Against a plain list, newest first: the sessions remembered are those used last. */
START_TEST(the_least_recently_used_goes)
{
    struct memories *memories = NULL;
    ck_assert_int_eq(memories_create(PLACES, &memories), RK_OK);
    uint64_t list[PLACES] = {0}, random = 5;
    for (int step = 0; step < STEPS; step++) {
        const uint64_t session = 1 + random_below(&random, SESSIONS);
        unsigned at = 0;
        while (at < PLACES && list[at] != session)
            at++;
        const bool is_known = at < PLACES;
        for (at = is_known ? at : PLACES - 1; at > 0; at--)
            list[at] = list[at - 1];
        list[0] = session;
        bool is_fresh = false;
        const struct memory *memory = memories_lend(memories, session, &is_fresh);
        ck_assert_ptr_nonnull(memory);
        ck_assert_int_eq(is_fresh, !is_known);
        memories_return(memories, memory);
    }
    memories_destroy(memories);
}
END_TEST

Suite *suite_memories(void)
{
    Suite *suite = suite_create("memories");
    TCase *tcase = tcase_create("memories");
    tcase_add_test(tcase, a_session_gets_its_own_back);
    tcase_add_test(tcase, nobody_and_a_second_search_get_none);
    tcase_add_test(tcase, forgetting_starts_afresh_even_while_lent);
    tcase_add_test(tcase, the_least_recently_used_goes);
    suite_add_tcase(suite, tcase);
    return suite;
}
