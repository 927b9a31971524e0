#include "lab/referee.h"

#include "lab/suites.h"

static const struct game_rules RULES = {.plies_max = 100,
                                        .resign_score = 500,
                                        .resign_plies = 3,
                                        .draw_score = 10,
                                        .draw_plies = 3,
                                        .draw_from = 0};
enum { SIGHTS = 5 };

/* Whether the game is called after these scores, White's the first and each of its own side. */
static bool is_called(const int scores[SIGHTS], enum game_end *out_end, unsigned *out_white_points)
{
    struct referee referee;
    struct rk_game game;
    rk_game_set_start(&game);
    referee_begin(&referee, &RULES);
    for (unsigned i = 0; i < SIGHTS; i++)
        referee_note(&referee, i % 2 == 0 ? WHITE : BLACK, scores[i]);
    return referee_ends(&referee, &game, SIGHTS, SIGHTS, out_end, out_white_points);
}

START_TEST(both_sides_must_agree_to_the_end)
{
    static const struct {
        int scores[SIGHTS];
        bool is_called;
        enum game_end end;
        unsigned white_points;
    } CASES[] = {
        {{0, 0, 500, -500, 500}, true, GAME_RESIGNED, 2},
        {{0, 0, -500, 500, -500}, true, GAME_RESIGNED, 0},
        {{0, 0, 499, -500, 500}, false, GAME_TOO_LONG, 1},
        {{500, -500, 499, -500, 500},
         false,
         GAME_TOO_LONG,
         1}, /* What was before does not count. */
        {{500, -500, 500, -500, 499}, false, GAME_TOO_LONG, 1},
        {{0, 0, 500, 500, 500}, false, GAME_TOO_LONG, 1}, /* Each sees itself ahead. */
        {{900, -900, 10, -10, 10}, true, GAME_AGREED, 1},
        {{0, 0, 11, 0, 0}, false, GAME_TOO_LONG, 1},
        {{0, 0, 0, 0, -11}, false, GAME_TOO_LONG, 1},
        {{0, 0, 0, 0, -300}, false, GAME_TOO_LONG, 1}, /* As far from even as ahead is. */
    };
    for (unsigned i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        enum game_end end;
        unsigned white_points;
        ck_assert_msg(is_called(CASES[i].scores, &end, &white_points) == CASES[i].is_called,
                      "case %u", i);
        if (!CASES[i].is_called)
            continue;
        ck_assert_int_eq(end, CASES[i].end);
        ck_assert_uint_eq(white_points, CASES[i].white_points);
    }
}
END_TEST

Suite *suite_referee(void)
{
    Suite *suite = suite_create("referee");
    TCase *tcase = tcase_create("referee");
    tcase_add_test(tcase, both_sides_must_agree_to_the_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
