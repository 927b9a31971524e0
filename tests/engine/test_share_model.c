/* A house in which time passes: searches end and are asked for anew, and some are urgent always. */
#include "base/limits.h"
#include "engine/share.h"
#include "engine/suites.h"

enum {
    PLAYERS_MAX = 64,
    STEP_US = 1000,
#ifdef ROOKERY_DEBUG
    MODEL_SECONDS = 6
#else
    MODEL_SECONDS = 60
#endif
};

struct model {
    unsigned cores;
    unsigned count;
    int64_t now_us;
    int64_t overdue_us; /* When one last became overdue. */
    uint64_t virtual_now;
    struct share_claim claims[PLAYERS_MAX];
    struct share_account accounts[PLAYERS_MAX];
    struct player {
        enum share_urgency urgency; /* Of one without a movetime. */
        int64_t search_us;          /* Its searches end after so much of a core; 0: never. */
        int64_t left_us;
        int64_t movetime_us; /* 0: none. */
        int64_t begin_us;
        bool is_fresh;
        bool is_overdue;
        int64_t slice_us; /* When its slice began. */
        int64_t run_us;
        int64_t longest_wait_us;
    } players[PLAYERS_MAX];
};

static void add_player(struct model *model, enum share_urgency urgency, unsigned weight,
                       int64_t search_us)
{
    ck_assert_uint_lt(model->count, PLAYERS_MAX);
    model->claims[model->count] =
        (struct share_claim){.workers_max = 1, .weight = weight, .waiting_us = model->now_us};
    model->players[model->count++] =
        (struct player){.urgency = urgency, .search_us = search_us, .left_us = search_us};
}

static void add_timed(struct model *model, int64_t movetime_us)
{
    add_player(model, SHARE_CALM, SHARE_WEIGHT_CLOCK, 0);
    struct player *player = &model->players[model->count - 1];
    player->movetime_us = movetime_us;
    player->begin_us = model->now_us;
    player->is_fresh = true;
}

/* As crews are: fresh for a slice, and then near their deadline. */
static enum share_urgency find_urgency(const struct player *player, int64_t now_us)
{
    if (player->is_overdue)
        return SHARE_OVERDUE;
    if (player->movetime_us == 0)
        return player->urgency;
    const int64_t left_us = player->begin_us + player->movetime_us - now_us;
    if (left_us <= 0)
        return SHARE_NOW;
    return player->is_fresh || left_us <= 2 * SLICE_US ? SHARE_SOON : SHARE_CALM;
}

static void choose_urgency(struct model *model)
{
    model->virtual_now = share_now(model->claims, model->count, model->virtual_now);
    for (unsigned i = 0; i < model->count; i++) {
        struct share_claim *claim = &model->claims[i];
        struct player *player = &model->players[i];
        claim->served = share_bound(claim->served, model->virtual_now);
        claim->is_slice_over = claim->held > 0 && model->now_us - player->slice_us >= SLICE_US;
        player->is_overdue = player->is_overdue && !claim->is_slice_over;
        player->is_fresh = player->is_fresh && !claim->is_slice_over;
    }
    const uint64_t soon_max = share_soon_max(model->claims, model->count);
    for (unsigned i = 0; i < model->count; i++) {
        struct share_claim *claim = &model->claims[i];
        claim->urgency = find_urgency(&model->players[i], model->now_us);
        if (claim->urgency == SHARE_SOON && claim->served > soon_max)
            claim->urgency = SHARE_CALM;
    }
    const unsigned overdue =
        share_overdue(model->cores, model->claims, model->count, model->now_us, model->overdue_us);
    if (overdue == model->count)
        return;
    model->players[overdue].is_overdue = true;
    model->claims[overdue].urgency = SHARE_OVERDUE;
    model->overdue_us = model->now_us;
}

/* Nobody waits who must be answered before one that runs. */
static void check_urgency(const struct model *model)
{
    enum share_urgency least = SHARE_OVERDUE, most = SHARE_CALM;
    unsigned dealt = 0;
    for (unsigned i = 0; i < model->count; i++) {
        const struct share_claim *claim = &model->claims[i];
        dealt += claim->dealt;
        if (claim->dealt > 0 && claim->urgency < least)
            least = claim->urgency;
        if (claim->dealt == 0 && claim->urgency > most)
            most = claim->urgency;
    }
    ck_assert_uint_eq(dealt, model->cores);
    ck_assert_int_le(most, least);
}

/* Its client asks again at once. */
static void begin_anew(struct model *model, unsigned index)
{
    struct share_claim *claim = &model->claims[index];
    share_note(model->accounts, PLAYERS_MAX, index + 1, claim->served);
    claim->held = 0;
    claim->served = share_start(model->accounts, PLAYERS_MAX, index + 1,
                                share_now(model->claims, model->count, model->virtual_now));
    claim->waiting_us = model->now_us;
    model->players[index].left_us = model->players[index].search_us;
    model->players[index].begin_us = model->now_us;
    model->players[index].is_fresh = true;
    model->players[index].is_overdue = false;
}

/* Its verdict is due, and it has the core that it needs for it. */
static bool is_over(const struct model *model, unsigned index)
{
    const struct player *player = &model->players[index];
    if (model->claims[index].held == 0)
        return false;
    if (player->movetime_us > 0)
        return model->now_us - player->begin_us >= player->movetime_us;
    return player->search_us > 0 && player->left_us <= 0;
}

static void run_model(struct model *model, int64_t until_us)
{
    for (; model->now_us < until_us; model->now_us += STEP_US) {
        choose_urgency(model);
        share_deal(model->cores, model->claims, model->count);
        check_urgency(model);
        for (unsigned i = 0; i < model->count; i++) {
            struct share_claim *claim = &model->claims[i];
            struct player *player = &model->players[i];
            if (claim->held > 0 && claim->dealt == 0)
                claim->waiting_us = model->now_us;
            else if (claim->dealt > 0 && (claim->held == 0 || claim->is_slice_over))
                player->slice_us = model->now_us;
            const int64_t wait_us = claim->dealt > 0 ? 0 : model->now_us - claim->waiting_us;
            if (wait_us > player->longest_wait_us)
                player->longest_wait_us = wait_us;
            claim->held = claim->dealt;
            if (claim->dealt == 0)
                continue;
            claim->served += share_cost(claim->weight, STEP_US);
            player->run_us += STEP_US;
            player->left_us -= STEP_US;
        }
        for (unsigned i = 0; i < model->count; i++)
            if (is_over(model, i))
                begin_anew(model, i);
    }
}

/* Searches that always must be answered now, or soon, and begin again and again: open ones, and
 * one on a long clock, still have a slice a second, and who must answer now waits for one slice
 * more. */
START_TEST(urgent_ones_starve_nobody)
{
    enum { OPEN = 8, URGENT = 6, SECONDS = MODEL_SECONDS, SECOND_US = 1000 * 1000 };
    static const enum share_urgency URGENCIES[] = {SHARE_SOON, SHARE_NOW};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned cores = 1; cores <= 3; cores++) {
            struct model model = {.cores = cores, .now_us = SECOND_US};
            for (unsigned j = 0; j < OPEN; j++)
                add_player(&model, SHARE_CALM, j == 0 ? SHARE_WEIGHT_CLOCK : SHARE_WEIGHT_OPEN, 0);
            for (unsigned j = 0; j < URGENT; j++)
                add_player(&model, URGENCIES[i], SHARE_WEIGHT_CLOCK, 4000);
            run_model(&model, (SECONDS + 1) * SECOND_US);
            int64_t urgent_us = 0;
            for (unsigned j = 0; j < model.count; j++) {
                const struct player *player = &model.players[j];
                if (j >= OPEN) {
                    urgent_us += player->run_us;
                    ck_assert_int_le(player->longest_wait_us,
                                     (URGENCIES[i] == SHARE_NOW ? URGENT + 2 : URGENT + OPEN) *
                                         SLICE_US);
                    continue;
                }
                const int64_t turns_us = (int64_t)OPEN * SHARE_OVERDUE_PART * SLICE_US / cores;
                ck_assert_int_le(player->longest_wait_us, SHARE_OVERDUE_US + turns_us);
                ck_assert_int_ge(player->run_us, SECONDS * SLICE_US * 3 / 4);
            }
            const int64_t all_us = (int64_t)SECONDS * SECOND_US * cores;
            if (URGENCIES[i] == SHARE_NOW)
                ck_assert_int_ge(urgent_us, all_us - all_us / SHARE_OVERDUE_PART);
            else /* Their weight's part. */
                ck_assert_int_ge(urgent_us, all_us * URGENT / (URGENT + 2) * 95 / 100);
        }
    }
}
END_TEST

/* Searches that end, and are asked for anew at once, get together what as many endless ones get. */
START_TEST(who_begins_anew_gets_no_more)
{
    enum { LONG = 12, SHORT = 4, SECONDS = MODEL_SECONDS, SECOND_US = 1000 * 1000 };
    static const int64_t SEARCH_US[] = {2 * STEP_US, SLICE_US, 12 * STEP_US};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned cores = 1; cores <= 3; cores++) {
            struct model model = {.cores = cores};
            for (unsigned j = 0; j < LONG; j++)
                add_player(&model, SHARE_CALM, SHARE_WEIGHT_OPEN, 0);
            for (unsigned j = 0; j < SHORT; j++)
                add_player(&model, SHARE_CALM, SHARE_WEIGHT_OPEN, SEARCH_US[i]);
            run_model(&model, (int64_t)SECONDS * SECOND_US);
            const int64_t part_us = (int64_t)SECONDS * SECOND_US * cores / (LONG + SHORT);
            for (unsigned j = 0; j < LONG + SHORT; j++) {
                ck_assert_int_ge(model.players[j].run_us, part_us * 97 / 100);
                ck_assert_int_le(model.players[j].run_us, part_us * 103 / 100);
            }
        }
    }
}
END_TEST

/* Clients that ask for 10 ms again and again are urgent all the time, and one on a long clock
 * beside them has its part all the same, whether its moves take a second or for ever. */
START_TEST(short_clocks_leave_a_long_one_its_part)
{
    enum { SHORT_MAX = 6, SECONDS = MODEL_SECONDS, SECOND_US = 1000 * 1000 };
    static const int64_t MOVETIME_US[] = {3600 * (int64_t)SECOND_US, SECOND_US};
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned cores = 1; cores <= 3; cores++) {
            for (unsigned others = cores; others <= SHORT_MAX; others++) {
                struct model model = {.cores = cores};
                add_timed(&model, MOVETIME_US[i]);
                for (unsigned j = 0; j < others; j++)
                    add_timed(&model, 10 * STEP_US);
                run_model(&model, (int64_t)SECONDS * SECOND_US);
                const int64_t part_us = (int64_t)SECONDS * SECOND_US * cores / (others + 1);
                ck_assert_int_ge(model.players[0].run_us, part_us * 95 / 100);
                for (unsigned j = 1; j <= others; j++) /* And nobody is answered late. */
                    ck_assert_int_le(model.players[j].longest_wait_us, 3 * SLICE_US);
            }
        }
    }
}
END_TEST

/* One who plays move after move is in no debt beside open searches, and has a core of two. */
START_TEST(a_clock_keeps_its_core_move_after_move)
{
    enum { OPEN = 32, SECONDS = MODEL_SECONDS, SECOND_US = 1000 * 1000 };
    static const int64_t MOVETIME_US[] = {SECOND_US, 100 * STEP_US, 10 * STEP_US};
    for (unsigned i = 0; i < 3; i++) {
        struct model model = {.cores = 2};
        for (unsigned j = 0; j < OPEN; j++)
            add_player(&model, SHARE_CALM, SHARE_WEIGHT_OPEN, 0);
        add_timed(&model, MOVETIME_US[i]);
        run_model(&model, (int64_t)SECONDS * SECOND_US);
        ck_assert_int_ge(model.players[OPEN].run_us, (int64_t)SECONDS * SECOND_US * 95 / 100);
        ck_assert_int_le(model.players[OPEN].longest_wait_us, OPEN / 2 * SLICE_US);
        for (unsigned j = 0; j < OPEN; j++)
            ck_assert_int_ge(model.players[j].run_us,
                             (int64_t)SECONDS * SECOND_US / OPEN * 95 / 100);
    }
}
END_TEST

Suite *suite_share_model(void)
{
    Suite *suite = suite_create("share_model");
    TCase *tcase = tcase_create("share_model");
    tcase_set_timeout(tcase, 60);
    tcase_set_tags(tcase, SUITE_TAG_ALONE);
    tcase_add_test(tcase, urgent_ones_starve_nobody);
    tcase_add_test(tcase, short_clocks_leave_a_long_one_its_part);
    tcase_add_test(tcase, a_clock_keeps_its_core_move_after_move);
    tcase_add_test(tcase, who_begins_anew_gets_no_more);
    suite_add_tcase(suite, tcase);
    return suite;
}
