/* uci/request.h: what a `go`, the game and the options come to: one search.
 * Thread: the session's owner. */
#ifndef UCI_REQUEST_H
#define UCI_REQUEST_H

#include "uci/command.h"
#include "uci/options.h"
#include "uci/print.h"

struct search {
    struct rk_request request;
    struct print_style style;
    uint32_t lines;  /* The most lines a block can have. */
    bool is_stopped; /* The verdict has been asked for. */
    bool is_refused; /* The host would not: the session owes the answer itself. */
};

/* What the session knows besides. */
struct request_origin {
    uint64_t session;
    uint64_t salt; /* 0 for everyone, or what the last Clear Hash drew. */
    uint32_t threads;
    int64_t arrived_us;
};

/* out_ignored: the first of searchmoves that is not legal and not "0000"; length 0 when none. */
void request_build(struct search *out_search, const struct command_go *go,
                   const struct rk_game *game, const struct options *options,
                   struct request_origin origin, struct slice *out_ignored);

/* Whether nobody but the client is sure to end it: infinite, pondering, for a mate alone, or
 * without any limit. */
bool request_is_open(const struct rk_request *request);

#endif
