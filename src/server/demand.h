/* server/demand.h: what a request demands of the house: how it ends, how long it can wait, and
 * whether it asks for just what another one does.
 * Thread: any. */
#ifndef SERVER_DEMAND_H
#define SERVER_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "rookery/engine.h"

/* Only a stop ends it, or a ponderhit changes it: infinite, ponder, or without any limit. */
bool demand_is_endless(const struct rk_request *request);
/* Would end by itself once a pondered move is played. */
bool demand_is_limited(const struct rk_request *request);

/* When a clock wants an answer, however long the line; INT64_MAX for what is on no clock. */
int64_t demand_due_us(const struct rk_request *request);
/* How many ms a search from now_us on may take: what is left of movetime or half of what is left of
 * the clock, whichever is less, at least 0; INT64_MAX for what is on no clock. */
int64_t demand_left_ms(const struct rk_request *request, int64_t now_us);

/* clock_max_ms of a search that begins now: it bounds a search and not its wait in line, while
 * clocks count from the request's arrival; that of a ponder search from its ponderhit. */
uint32_t demand_clock_max_ms(const struct rk_request *request, int64_t now_us);

/* 0 unless others may watch it: whole strength, and no clock in it, now or later. Two that
 * are the same have the same. */
uint64_t demand_key(const struct rk_request *request);
/* Two of that kind that every line and move would be the same for. */
bool demand_is_same(const struct rk_request *a, const struct rk_request *b);

#endif
