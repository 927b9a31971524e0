#include "server/caps.h"

#include "server/suites.h"

/* What is said about it; "" when nothing is cut. */
static const char *apply(struct caps caps, struct rk_request *request)
{
    static char bytes[192];
    struct rk_game *game = NULL;
    struct text text;
    ck_assert(rk_game_create(&game) == RK_OK);
    request->game = game;
    text_init(&text, bytes, sizeof(bytes));
    ck_assert_int_eq(caps_apply(&caps, request, &text), text.length > 0);
    ck_assert(!text.is_cut);
    rk_game_destroy(game);
    return bytes;
}

START_TEST(no_cap_cuts_nothing)
{
    struct rk_request request = {
        .limits = {.has_movetime = true, .movetime_ms = INT64_MAX, .depth = 239, .nodes = 1}};
    ck_assert_str_eq(apply((struct caps){0}, &request), "");
    ck_assert(request.limits.movetime_ms == INT64_MAX);
    struct rk_request open = {.limits.infinite = true};
    ck_assert_str_eq(apply((struct caps){0}, &open), "");
}
END_TEST

START_TEST(what_is_over_is_cut_and_told)
{
    const struct caps caps = {
        .movetime_max_ms = 5000, .depth_max = 20, .nodes_max = 1000, .infinite_max_s = 60};
    struct rk_request all = {
        .limits = {
            .has_movetime = true, .movetime_ms = 5001, .depth = 21, .nodes = (uint64_t)1 << 40}};
    ck_assert_str_eq(apply(caps, &all),
                     "limits of this server: movetime 5000 ms, depth 20, nodes 1000");
    ck_assert_int_eq(all.limits.movetime_ms, 5000);
    ck_assert_uint_eq(all.limits.depth, 20);
    ck_assert_uint_eq(all.limits.nodes, 1000);
    struct rk_request at = {.limits = {.has_movetime = true, .movetime_ms = 5000, .depth = 20}};
    ck_assert_str_eq(apply(caps, &at), "");
    struct rk_request open = {.limits.infinite = true};
    ck_assert_str_eq(apply(caps, &open),
                     "limits of this server: without a clock 60 s, then bestmove");
    struct rk_request perft = {.perft_depth = 30};
    (void)apply(caps, &perft);
    ck_assert_uint_eq(perft.perft_depth, 20);
    ck_assert_str_eq(apply(caps, &perft), "limits of this server: without a clock 60 s");
}
END_TEST

/* However long a client says its clock is, or both words at once. */
START_TEST(a_clock_is_no_way_around)
{
    const struct caps caps = {.movetime_max_ms = 5000, .infinite_max_s = 60};
    struct rk_request clock = {
        .limits = {.has_clock = {true, true}, .time_ms = {1000000000000, 1}, .overhead_ms = 30}};
    ck_assert_str_eq(apply(caps, &clock), "limits of this server: movetime 5000 ms");
    ck_assert_uint_eq(clock.limits.clock_max_ms, 5000);
    ck_assert(!clock.limits.has_movetime);
    ck_assert(clock.limits.time_ms[0] == 1000000000000); /* What it plans with is its own. */
    clock.limits.has_movetime = true;
    clock.limits.movetime_ms = 6000;
    ck_assert_str_eq(apply(caps, &clock), "limits of this server: movetime 5000 ms");
    ck_assert_int_eq(clock.limits.movetime_ms, 5000);
    struct rk_request shorter = {
        .limits = {.has_clock = {true, true}, .time_ms = {5030, INT64_MAX}, .overhead_ms = 30}};
    ck_assert_str_eq(apply(caps, &shorter), ""); /* It cannot take longer. */
    ck_assert_str_eq(apply((struct caps){.infinite_max_s = 60}, &clock), "");
}
END_TEST

Suite *suite_caps(void)
{
    Suite *suite = suite_create("caps");
    TCase *tests = tcase_create("caps");
    tcase_add_test(tests, no_cap_cuts_nothing);
    tcase_add_test(tests, what_is_over_is_cut_and_told);
    tcase_add_test(tests, a_clock_is_no_way_around);
    suite_add_tcase(suite, tests);
    return suite;
}
