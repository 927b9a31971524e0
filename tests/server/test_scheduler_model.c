/* Random clients against a slow model of what each of them is owed. */
#include "base/clock.h"
#include "base/random.h"
#include "server/scheduler.h"
#include "server/stub_engine.h"
#include "server/suites.h"

enum {
    CLIENTS = 24,
    ADDRESSES = 5,
    POSITIONS = 6,
    SEARCHES = 3,
    PER_ADDRESS = 2,
    STEPS = 10000,
    SEEDS = 4
};

enum owed { OWED_NOTHING, OWED_LATER, OWED_NOW };

struct model {
    struct rk_engine *engine;
    struct rk_game *game;
    struct scheduler scheduler;
    uint64_t random;
    int64_t now_us;
    enum owed owed[CLIENTS];
    bool has_line[CLIENTS]; /* It was told a line since it asked. */
    uint64_t position[CLIENTS];
    struct rk_limits limits[CLIENTS];
};

/* Some of the clients have an address of their own, many share the first. */
static uint32_t address_of(uint32_t client)
{
    return client < CLIENTS / 2 ? 0 : client % ADDRESSES;
}

static uint32_t draw(struct model *model, uint32_t bound)
{
    return (uint32_t)random_below(&model->random, bound);
}

static struct rk_limits draw_limits(struct model *model)
{
    switch (draw(model, 8)) {
    case 0: return (struct rk_limits){.has_movetime = true, .movetime_ms = 1000000};
    case 1: return (struct rk_limits){.has_clock = {true, true}, .time_ms = {-5, 7}};
    case 2:
        return (struct rk_limits){
            .ponder = true, .has_clock = {true, true}, .time_ms = {1 << 30, 9}};
    case 3: return (struct rk_limits){.nodes = 1 + draw(model, 3)};
    case 4: return (struct rk_limits){.depth = 4};
    default: return (struct rk_limits){.infinite = true};
    }
}

static void submit(struct model *model, uint32_t client)
{
    const struct rk_request request = {.size = sizeof(request),
                                       .game = model->game,
                                       .limits = draw_limits(model),
                                       .arrived_us = model->now_us};
    uint32_t place = 0;
    model->position[client] = draw(model, POSITIONS);
    stub_game_set(model->game, model->position[client]);
    ck_assert(scheduler_submit(&model->scheduler, client, address_of(client), &request, &place) ==
              RK_OK);
    model->owed[client] = OWED_LATER;
    model->has_line[client] = false;
    model->limits[client] = request.limits;
}

static bool can_end_by_itself(const struct rk_limits *limits)
{
    return !limits->infinite && !limits->ponder;
}

static void poll_all(struct model *model)
{
    struct notice notice;
    while (scheduler_poll(&model->scheduler, model->now_us, &notice)) {
        const uint32_t client = notice.client;
        if (client >= CLIENTS || model->owed[client] == OWED_NOTHING ||
            stub_engine_counts(model->engine).running > SEARCHES + 1)
            ck_abort_msg("client %u is told what it is not owed", client);
        if (notice.kind != NOTICE_REPORT)
            continue;
        const struct rk_report *report = &notice.report;
        if (report->kind == RK_REPORT_LINE) {
            ck_assert_uint_eq(report->pv[0], stub_move(model->position[client]));
            model->has_line[client] = true;
            continue;
        }
        ck_assert(model->has_line[client]);
        ck_assert_uint_eq(report->best_move, stub_move(model->position[client]));
        ck_assert(model->owed[client] == OWED_NOW || can_end_by_itself(&model->limits[client]));
        model->owed[client] = OWED_NOTHING;
    }
}

static void stop(struct model *model, uint32_t client)
{
    scheduler_stop(&model->scheduler, client);
    if (model->owed[client] != OWED_NOTHING)
        model->owed[client] = OWED_NOW;
}

/* An address gets a search beyond its limit only when no other that watches it had room. */
static void leave(struct model *model, uint32_t client)
{
    const struct searches *searches = &model->scheduler.searches;
    const struct search *search = searches_of(searches, client);
    const bool was_payer = search != NULL && search->first == client;
    scheduler_leave(&model->scheduler, client);
    model->owed[client] = OWED_NOTHING;
    if (!was_payer || search->phase != SEARCH_RUNNING || search->is_rescue ||
        search->first == NOBODY || searches->paid[address_of(search->first)] <= PER_ADDRESS)
        return;
    for (uint32_t other = search->first; other != NOBODY; other = searches->watchers[other].after)
        ck_assert_uint_ge(searches->paid[address_of(other)], PER_ADDRESS);
}

static void step(struct model *model)
{
    const uint32_t client = draw(model, CLIENTS);
    model->now_us += draw(model, 5000);
    switch (draw(model, 8)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (model->owed[client] == OWED_NOTHING)
            submit(model, client);
        break;
    case 4: stop(model, client); break;
    case 5: leave(model, client); break;
    case 6:
        if (model->limits[client].ponder) {
            scheduler_ponderhit(&model->scheduler, client, model->now_us);
            model->limits[client].ponder = false;
        }
        break;
    default: scheduler_tick(&model->scheduler, model->now_us); break;
    }
}

/* What must hold whatever came before. */
static void check_limits(const struct model *model)
{
    const struct scheduler *scheduler = &model->scheduler;
    uint32_t paid[CLIENTS] = {0};
    uint32_t crews = 0;
    for (uint32_t i = 0; i < scheduler->searches.max; i++) {
        const struct search *search = &scheduler->searches.all[i];
        if (search->phase != SEARCH_RUNNING || search->is_rescue)
            continue;
        crews++;
        if (search->first != NOBODY)
            paid[address_of(search->first)]++;
    }
    ck_assert_uint_le(crews, SEARCHES);
    ck_assert_uint_eq(crews, scheduler->crew_count);
    ck_assert_mem_eq(paid, scheduler->searches.paid, sizeof(paid));
}

/* After all was polled: who was to be answered is, and who waits cannot be served. */
static void check_rest(const struct model *model)
{
    const struct scheduler *scheduler = &model->scheduler;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        const struct waiting *waiting = line_of(&scheduler->line, client);
        const bool is_here = waiting != NULL || searches_of(&scheduler->searches, client) != NULL;
        const bool can_run = waiting != NULL && scheduler->crew_count < SEARCHES &&
                             scheduler->searches.paid[waiting->address] < PER_ADDRESS;
        const bool can_join =
            waiting != NULL && searches_find(&scheduler->searches, waiting->request) != NULL;
        /* Each ck_assert costs a system call. */
        if (model->owed[client] != (is_here ? OWED_LATER : OWED_NOTHING) || can_run || can_join)
            ck_abort_msg("client %u: owed %d, here %d, could run %d, could join %d", client,
                         model->owed[client], is_here, can_run, can_join);
    }
}

START_TEST(every_request_gets_one_verdict)
{
    struct model model = {.random = (uint64_t)_i + 1, .now_us = clock_now_us()};
    const struct rk_engine_options options = {.size = sizeof(options),
                                              .searches_max = SEARCHES + 1};
    const struct scheduler_options house = {
        .clients_max = CLIENTS, .searches_max = SEARCHES, .searches_per_address = PER_ADDRESS};
    ck_assert(rk_engine_create(&options, &model.engine) == RK_OK);
    ck_assert(rk_game_create(&model.game) == RK_OK);
    ck_assert(scheduler_create(&model.scheduler, model.engine, &house) == RK_OK);
    for (int i = 0; i < STEPS; i++) {
        step(&model);
        check_limits(&model);
        if (draw(&model, 3) != 0)
            continue;
        poll_all(&model);
        check_limits(&model);
        check_rest(&model);
    }
    scheduler_stop_all(&model.scheduler);
    for (uint32_t client = 0; client < CLIENTS; client++)
        if (model.owed[client] != OWED_NOTHING)
            model.owed[client] = OWED_NOW;
    poll_all(&model);
    check_rest(&model);
    ck_assert_uint_eq(model.scheduler.crew_count, 0);
    ck_assert_uint_eq(model.scheduler.searches.free_count, SEARCHES + 1);
    ck_assert_uint_eq(line_count(&model.scheduler.line), 0);
    ck_assert_uint_eq(stub_engine_counts(model.engine).running, 0);
    scheduler_destroy(&model.scheduler);
    rk_game_destroy(model.game);
    rk_engine_destroy(model.engine);
}
END_TEST

Suite *suite_scheduler_model(void)
{
    Suite *suite = suite_create("scheduler_model");
    TCase *tests = tcase_create("scheduler_model");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_request_gets_one_verdict, 0, SEEDS);
    suite_add_tcase(suite, tests);
    return suite;
}
