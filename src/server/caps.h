/* server/caps.h: how much one request may ask for. What is cut is told to its client before it is
 * searched.
 * Thread: any. */
#ifndef SERVER_CAPS_H
#define SERVER_CAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "rookery/engine.h"

/* 0: no limit. */
struct caps {
    uint32_t movetime_max_ms; /* For a move on a clock, too. */
    uint32_t depth_max;
    uint32_t nodes_max;
    uint32_t infinite_max_s; /* For what is on no clock; the scheduler ends it. */
};

/* Cuts the request. True: something was, or will be, and `out_text` has got the words for it. */
bool caps_apply(const struct caps *caps, struct rk_request *request, struct text *out_text);

#endif
