/* Turns. Each request gets a number when it comes: one above the last of its address, at least the
 * round that is being served. A lane is sorted by these numbers, those of one number by arrival.
 * So of fifty requests of one address one stands in each of the next fifty rounds, and the first
 * of another address in this one. An address that was served is behind all that waited then: among
 * those who wait nobody is passed over for ever. But who runs keeps its place: how soon a turn
 * comes is a matter of searches_per_address and infinite_max. When a lane is empty the past is
 * forgotten. */
#include "server/line.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "server/demand.h"

enum { CLOCK_RUN_MAX = 3 /* After so many on a clock an open one goes first. */ };

static size_t requests_bytes(const struct line *line)
{
    return (size_t)line->clients_max * sizeof(*line->requests);
}

static size_t games_bytes(const struct line *line) { return line->clients_max * rk_game_bytes(); }

static struct rk_game *game_of(const struct line *line, uint32_t client)
{
    return (struct rk_game *)(void *)(line->games + client * rk_game_bytes());
}

enum rk_status line_create(struct line *line, uint32_t clients_max)
{
    ASSERT(clients_max >= 1 && clients_max <= SESSIONS_MAX);
    *line = (struct line){.clients_max = clients_max};
    line->all = memory_allocate((size_t)clients_max * sizeof(*line->all));
    line->requests = memory_allocate_sparse(requests_bytes(line));
    line->games = memory_allocate_sparse(games_bytes(line));
    bool is_whole = line->all != NULL && line->requests != NULL && line->games != NULL;
    for (int i = 0; i < LANE_COUNT; i++) {
        struct lane *lane = &line->lanes[i];
        *lane = (struct lane){.round = 1, .highest = 1};
        lane->last_turns = memory_allocate((size_t)clients_max * sizeof(*lane->last_turns));
        lane->clients = memory_allocate((size_t)clients_max * sizeof(*lane->clients));
        is_whole = is_whole && lane->last_turns != NULL && lane->clients != NULL;
    }
    if (!is_whole) {
        line_destroy(line);
        return RK_NO_MEMORY;
    }
    return RK_OK;
}

void line_destroy(struct line *line)
{
    for (int i = 0; i < LANE_COUNT; i++) {
        memory_free(line->lanes[i].last_turns);
        memory_free(line->lanes[i].clients);
    }
    memory_free_sparse(line->games, games_bytes(line));
    memory_free_sparse(line->requests, requests_bytes(line));
    memory_free(line->all);
    *line = (struct line){0};
}

uint32_t line_count(const struct line *line)
{
    return line->lanes[LANE_CLOCK].count + line->lanes[LANE_OPEN].count;
}

struct waiting *line_of(const struct line *line, uint32_t client)
{
    return line->all[client].is_here ? &line->all[client] : NULL;
}

static uint32_t find_in_lane(const struct line *line, const struct waiting *waiting)
{
    const struct lane *lane = &line->lanes[waiting->lane];
    uint32_t at = 0;
    while (lane->clients[at] != waiting->client)
        at++;
    ASSERT(at < lane->count);
    return at;
}

uint32_t line_place(const struct line *line, const struct waiting *waiting)
{
    const uint32_t before = waiting->lane == LANE_OPEN ? line->lanes[LANE_CLOCK].count : 0;
    return before + find_in_lane(line, waiting) + 1;
}

struct waiting *line_at(const struct line *line, uint32_t place)
{
    ASSERT(place >= 1 && place <= line_count(line));
    const uint32_t clocks = line->lanes[LANE_CLOCK].count;
    return place <= clocks ? &line->all[line->lanes[LANE_CLOCK].clients[place - 1]]
                           : &line->all[line->lanes[LANE_OPEN].clients[place - 1 - clocks]];
}

uint32_t line_find_same(const struct line *line, const struct rk_request *request, uint32_t place)
{
    const uint64_t key = demand_key(request);
    const uint32_t clocks = line->lanes[LANE_CLOCK].count; /* Those are nobody else's. */
    const uint32_t count = line_count(line);
    for (uint32_t at = place > clocks ? place : clocks + 1; key != 0 && at <= count; at++) {
        const struct waiting *waiting = line_at(line, at);
        if (waiting->key == key && !waiting->is_stopped &&
            demand_is_same(waiting->request, request))
            return at;
    }
    return 0;
}

/* Moves the one at `at` forward, behind the last whose turn is not after its own. */
static void move_up(struct line *line, struct lane *lane, uint32_t at)
{
    const uint32_t client = lane->clients[at];
    for (; at > 0 && line->all[lane->clients[at - 1]].turn > line->all[client].turn; at--)
        lane->clients[at] = lane->clients[at - 1];
    lane->clients[at] = client;
}

static void enter_lane(struct line *line, struct waiting *waiting)
{
    line->changes++;
    waiting->due_us = demand_due_us(waiting->request);
    waiting->lane = waiting->due_us == INT64_MAX ? LANE_OPEN : LANE_CLOCK;
    struct lane *lane = &line->lanes[waiting->lane];
    uint64_t *last = &lane->last_turns[waiting->address];
    waiting->turn = *last + 1 > lane->round ? *last + 1 : lane->round;
    *last = waiting->turn;
    lane->highest = *last > lane->highest ? *last : lane->highest;
    lane->clients[lane->count++] = waiting->client;
    move_up(line, lane, lane->count - 1);
}

/* The turn of one who has left goes to the next of its address, and so on. */
static void hand_on_turn(struct line *line, struct lane *lane, uint32_t address, uint64_t turn,
                         uint32_t from)
{
    for (uint32_t i = from; i < lane->count; i++) {
        struct waiting *later = &line->all[lane->clients[i]];
        if (later->address != address)
            continue;
        const uint64_t own = later->turn;
        later->turn = turn;
        turn = own;
        move_up(line, lane, i);
    }
    lane->last_turns[address] = turn - 1;
}

static void leave_lane(struct line *line, const struct waiting *waiting, bool is_served)
{
    struct lane *lane = &line->lanes[waiting->lane];
    const uint32_t at = find_in_lane(line, waiting);
    line->changes++;
    lane->count--;
    memmove(&lane->clients[at], &lane->clients[at + 1],
            (lane->count - at) * sizeof(lane->clients[0]));
    if (!is_served)
        hand_on_turn(line, lane, waiting->address, waiting->turn, at);
    else if (waiting->turn > lane->round)
        lane->round = waiting->turn;
    if (lane->count == 0)
        lane->round = ++lane->highest;
}

void line_enter(struct line *line, uint32_t client, uint32_t address,
                const struct rk_request *request)
{
    struct waiting *waiting = &line->all[client];
    ASSERT(!waiting->is_here);
    *waiting = (struct waiting){.request = &line->requests[client],
                                .key = demand_key(request),
                                .client = client,
                                .address = address,
                                .is_here = true};
    *waiting->request = *request;
    rk_game_copy(game_of(line, client), request->game);
    waiting->request->game = game_of(line, client);
    enter_lane(line, waiting);
}

void line_leave(struct line *line, struct waiting *waiting, bool is_served)
{
    leave_lane(line, waiting, is_served);
    if (is_served && waiting->lane == LANE_CLOCK && line->lanes[LANE_OPEN].count > 0)
        line->clock_run++;
    else if (is_served)
        line->clock_run = 0;
    line->stopped_count -= waiting->is_stopped ? 1 : 0;
    waiting->is_here = false;
}

void line_stop(struct line *line, struct waiting *waiting)
{
    line->stopped_count += waiting->is_stopped ? 0 : 1;
    waiting->is_stopped = true;
    line->changes++;
}

void line_ponderhit(struct line *line, struct waiting *waiting, int64_t arrived_us)
{
    leave_lane(line, waiting, false);
    waiting->request->limits.ponder = false;
    waiting->request->arrived_us = arrived_us;
    waiting->key = demand_key(waiting->request);
    enter_lane(line, waiting);
}

/* -- Whose turn ------------------------------------------------------------------------------- */

static struct waiting *next_in_lane(const struct line *line, enum lane_kind kind,
                                    const uint32_t *counts, uint32_t most)
{
    const struct lane *lane = &line->lanes[kind];
    for (uint32_t i = 0; i < lane->count; i++) {
        struct waiting *waiting = &line->all[lane->clients[i]];
        if (most == 0 || counts[waiting->address] < most)
            return waiting;
    }
    return NULL;
}

struct waiting *line_next(const struct line *line, const uint32_t *counts, uint32_t most)
{
    struct waiting *clock = next_in_lane(line, LANE_CLOCK, counts, most);
    if (clock != NULL && line->clock_run < CLOCK_RUN_MAX)
        return clock;
    struct waiting *open = next_in_lane(line, LANE_OPEN, counts, most);
    return open != NULL ? open : clock;
}

struct waiting *line_due(const struct line *line, int64_t now_us, uint32_t *out_count)
{
    struct waiting *first = NULL;
    uint32_t count = 0;
    for (uint32_t place = line_count(line); place >= 1; place--) {
        struct waiting *waiting = line_at(line, place);
        if (waiting->is_stopped || waiting->due_us <= now_us) {
            first = waiting;
            count++;
        }
    }
    *out_count = count;
    return first;
}

int64_t line_due_us(const struct line *line)
{
    const struct lane *lane = &line->lanes[LANE_CLOCK]; /* Of the open ones none is ever due. */
    int64_t due_us = line->stopped_count > 0 ? 0 : INT64_MAX;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct waiting *waiting = &line->all[lane->clients[i]];
        due_us = waiting->due_us < due_us ? waiting->due_us : due_us;
    }
    return due_us;
}
