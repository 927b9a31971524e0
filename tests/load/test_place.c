#include "load/place.h"

#include <string.h>

#include "base/text.h"
#include "load/suites.h"

enum { DRAWS = 300 };

/* Plays the text of a place from its beginning. */
static void check_text(const struct place *place)
{
    struct rk_game *game = NULL;
    ck_assert(rk_game_create(&game) == RK_OK);
    struct slice rest = {place->text, place->length};
    ck_assert(slice_equal(slice_next_word(&rest), "position"));
    struct slice word = slice_next_word(&rest);
    if (slice_equal(word, "fen")) {
        const char *moves = strstr(place->text, " moves ");
        const char *end = moves == NULL ? place->text + place->length : moves;
        ck_assert(rk_game_set_fen(game, rest.bytes + 1, (size_t)(end - rest.bytes - 1)) == RK_OK);
        rest = (struct slice){end, (size_t)(place->text + place->length - end)};
    }
    word = slice_next_word(&rest);
    ck_assert(word.length == 0 || slice_equal(word, "moves"));
    for (word = slice_next_word(&rest); word.length > 0; word = slice_next_word(&rest))
        ck_assert(rk_game_play(game, word.bytes, word.length) == RK_OK);
    ck_assert(rk_game_equal(game, place->game));
    ck_assert(rk_game_outcome(game) == RK_GAME_OPEN);
    rk_game_destroy(game);
}

START_TEST(the_text_tells_the_position)
{
    struct place place;
    uint64_t random = 1;
    ck_assert(place_create(&place) == RK_OK);
    for (int i = 0; i < DRAWS; i++) {
        place_draw(&place, &random);
        check_text(&place);
        place_draw_960(&place, &random);
        check_text(&place);
    }
    place_destroy(&place);
}
END_TEST

START_TEST(a_seed_draws_the_same_again)
{
    struct place places[2];
    for (int i = 0; i < 2; i++) {
        uint64_t random = 7;
        ck_assert(place_create(&places[i]) == RK_OK);
        for (int j = 0; j < 10; j++)
            place_draw_960(&places[i], &random);
    }
    ck_assert_str_eq(places[0].text, places[1].text);
    place_destroy(&places[0]);
    place_destroy(&places[1]);
}
END_TEST

Suite *suite_place(void)
{
    Suite *suite = suite_create("place");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, the_text_tells_the_position);
    tcase_add_test(tcase, a_seed_draws_the_same_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
