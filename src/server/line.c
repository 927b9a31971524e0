/* Turns. Each request gets a number when it comes: one above the last of its address, at least the
 * round that is being served. A lane is sorted by these numbers, those of one number by arrival.
 * So of fifty requests of one address one stands in each of the next fifty rounds, and the first
 * of another address in this one. An address that was served is behind all that waited then, so
 * nobody waits forever. When a lane is empty the past is forgotten. */
#include "server/line.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "server/demand.h"

enum {
    CLOCK_RUN_MAX = 3,    /* After so many on a clock an open one goes first. */
    OPEN_QUARTERS_MAX = 3 /* Of a line that not all clients fit into. */
};

enum rk_status line_create(struct line *line, uint32_t clients_max, uint32_t max)
{
    ASSERT(max >= 1 && max <= WAITING_MAX && max < LINE_NOBODY);
    *line = (struct line){.max = max};
    line->open_max = clients_max > max ? (max * OPEN_QUARTERS_MAX + 3) / 4 : max;
    line->pool = memory_allocate((size_t)max * sizeof(*line->pool));
    line->by_client = memory_allocate((size_t)clients_max * sizeof(*line->by_client));
    bool is_whole = line->pool != NULL && line->by_client != NULL;
    for (int i = 0; i < LANE_COUNT; i++) {
        struct lane *lane = &line->lanes[i];
        *lane = (struct lane){.round = 1, .highest = 1};
        lane->last_turns = memory_allocate((size_t)clients_max * sizeof(*lane->last_turns));
        lane->indexes = memory_allocate((size_t)max * sizeof(*lane->indexes));
        is_whole = is_whole && lane->last_turns != NULL && lane->indexes != NULL;
    }
    for (uint32_t i = 0; is_whole && i < max; i++) {
        is_whole = rk_game_create(&line->pool[i].game) == RK_OK;
        line->free[line->free_count++] = (uint16_t)(max - 1 - i);
    }
    if (!is_whole) {
        line_destroy(line);
        return RK_NO_MEMORY;
    }
    memset(line->by_client, UINT8_MAX, (size_t)clients_max * sizeof(*line->by_client));
    return RK_OK;
}

void line_destroy(struct line *line)
{
    for (uint32_t i = 0; line->pool != NULL && i < line->max; i++)
        if (line->pool[i].game != NULL)
            rk_game_destroy(line->pool[i].game);
    for (int i = 0; i < LANE_COUNT; i++) {
        memory_free(line->lanes[i].last_turns);
        memory_free(line->lanes[i].indexes);
    }
    memory_free(line->by_client);
    memory_free(line->pool);
    *line = (struct line){0};
}

uint32_t line_count(const struct line *line)
{
    return line->lanes[LANE_CLOCK].count + line->lanes[LANE_OPEN].count;
}

struct waiting *line_of(const struct line *line, uint32_t client)
{
    const uint16_t index = line->by_client[client];
    return index == LINE_NOBODY ? NULL : &line->pool[index];
}

static uint32_t find_in_lane(const struct line *line, const struct waiting *waiting)
{
    const struct lane *lane = &line->lanes[waiting->lane];
    uint32_t at = 0;
    while (&line->pool[lane->indexes[at]] != waiting)
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
    return place <= clocks ? &line->pool[line->lanes[LANE_CLOCK].indexes[place - 1]]
                           : &line->pool[line->lanes[LANE_OPEN].indexes[place - 1 - clocks]];
}

struct waiting *line_slot(const struct line *line, uint32_t index)
{
    ASSERT(index < line->max);
    struct waiting *waiting = &line->pool[index];
    return line->by_client[waiting->client] == index ? waiting : NULL;
}

/* Moves the one at `at` forward, behind the last whose turn is not after its own. */
static void move_up(struct line *line, struct lane *lane, uint32_t at)
{
    const uint16_t index = lane->indexes[at];
    for (; at > 0 && line->pool[lane->indexes[at - 1]].turn > line->pool[index].turn; at--)
        lane->indexes[at] = lane->indexes[at - 1];
    lane->indexes[at] = index;
}

static void enter_lane(struct line *line, struct waiting *waiting)
{
    line->changes++;
    waiting->due_us = demand_due_us(&waiting->request);
    waiting->lane = waiting->due_us == INT64_MAX ? LANE_OPEN : LANE_CLOCK;
    struct lane *lane = &line->lanes[waiting->lane];
    uint64_t *last = &lane->last_turns[waiting->address];
    waiting->turn = *last + 1 > lane->round ? *last + 1 : lane->round;
    *last = waiting->turn;
    lane->highest = *last > lane->highest ? *last : lane->highest;
    lane->indexes[lane->count++] = (uint16_t)(waiting - line->pool);
    move_up(line, lane, lane->count - 1);
}

/* The turn of one who has left goes to the next of its address, and so on. */
static void hand_on_turn(struct line *line, struct lane *lane, uint32_t address, uint64_t turn,
                         uint32_t from)
{
    for (uint32_t i = from; i < lane->count; i++) {
        struct waiting *later = &line->pool[lane->indexes[i]];
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
    memmove(&lane->indexes[at], &lane->indexes[at + 1],
            (lane->count - at) * sizeof(lane->indexes[0]));
    if (!is_served)
        hand_on_turn(line, lane, waiting->address, waiting->turn, at);
    else if (waiting->turn > lane->round)
        lane->round = waiting->turn;
    if (lane->count == 0)
        lane->round = ++lane->highest;
}

enum rk_status line_enter(struct line *line, uint32_t client, uint32_t address,
                          const struct rk_request *request)
{
    ASSERT(line->by_client[client] == LINE_NOBODY);
    const bool is_open = demand_due_us(request) == INT64_MAX;
    if (line->free_count == 0 || (is_open && line->lanes[LANE_OPEN].count >= line->open_max))
        return RK_BUSY;
    const uint16_t index = line->free[--line->free_count];
    struct waiting *waiting = &line->pool[index];
    struct rk_game *game = waiting->game;
    *waiting =
        (struct waiting){.request = *request, .game = game, .client = client, .address = address};
    rk_game_copy(game, request->game);
    waiting->request.game = game;
    line->by_client[client] = index;
    enter_lane(line, waiting);
    return RK_OK;
}

void line_leave(struct line *line, struct waiting *waiting, bool is_served)
{
    leave_lane(line, waiting, is_served);
    if (is_served && waiting->lane == LANE_CLOCK && line->lanes[LANE_OPEN].count > 0)
        line->clock_run++;
    else if (is_served)
        line->clock_run = 0;
    line->by_client[waiting->client] = LINE_NOBODY;
    line->free[line->free_count++] = (uint16_t)(waiting - line->pool);
}

void line_stop(struct line *line, struct waiting *waiting)
{
    waiting->is_stopped = true;
    line->changes++;
}

void line_ponderhit(struct line *line, struct waiting *waiting, int64_t arrived_us)
{
    leave_lane(line, waiting, false);
    waiting->request.limits.ponder = false;
    waiting->request.arrived_us = arrived_us;
    enter_lane(line, waiting);
}

/* -- Whose turn ------------------------------------------------------------------------------- */

static struct waiting *next_in_lane(const struct line *line, enum lane_kind kind,
                                    const uint32_t *counts, uint32_t most)
{
    const struct lane *lane = &line->lanes[kind];
    for (uint32_t i = 0; i < lane->count; i++) {
        struct waiting *waiting = &line->pool[lane->indexes[i]];
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
    int64_t due_us = INT64_MAX;
    for (uint32_t place = line_count(line); place >= 1; place--) {
        const struct waiting *waiting = line_at(line, place);
        const int64_t this_us = waiting->is_stopped ? 0 : waiting->due_us;
        due_us = this_us < due_us ? this_us : due_us;
    }
    return due_us;
}
