#include "server/caps.h"

#include "server/demand.h"

static void add(struct text *text, const char *name, uint32_t number, const char *unit)
{
    (void)text_add(text, text->length == 0 ? "limits of this server: " : ", ");
    (void)text_add(text, name);
    (void)text_add_uint(text, number);
    (void)text_add(text, unit);
}

/* A clock may be cut as well: its move may not take longer than a movetime. */
static bool cut_time(struct rk_request *request, uint32_t most_ms)
{
    struct rk_limits *limits = &request->limits;
    const int side = rk_game_white_to_move(request->game) ? 0 : 1;
    const bool is_movetime_over = limits->has_movetime && limits->movetime_ms > (int64_t)most_ms;
    const bool is_clock_over =
        limits->has_clock[side] && limits->time_ms[side] > (int64_t)most_ms + limits->overhead_ms;
    if (is_movetime_over)
        limits->movetime_ms = most_ms;
    if (is_clock_over)
        limits->clock_max_ms = most_ms;
    return is_movetime_over || is_clock_over;
}

bool caps_apply(const struct caps *caps, struct rk_request *request, struct text *out_text)
{
    struct rk_limits *limits = &request->limits;
    if (caps->movetime_max_ms > 0 && cut_time(request, caps->movetime_max_ms))
        add(out_text, "movetime ", caps->movetime_max_ms, " ms");
    if (caps->depth_max > 0 && limits->depth > caps->depth_max) {
        limits->depth = caps->depth_max;
        add(out_text, "depth ", caps->depth_max, "");
    }
    if (caps->depth_max > 0 && request->perft_depth > caps->depth_max) {
        request->perft_depth = caps->depth_max;
        add(out_text, "perft ", caps->depth_max, "");
    }
    if (caps->nodes_max > 0 && limits->nodes > caps->nodes_max) {
        limits->nodes = caps->nodes_max;
        add(out_text, "nodes ", caps->nodes_max, "");
    }
    if (caps->infinite_max_s > 0 && demand_due_us(request) == INT64_MAX)
        add(out_text, "without a clock ", caps->infinite_max_s,
            request->perft_depth > 0 ? " s" : " s, then bestmove");
    return out_text->length > 0;
}
