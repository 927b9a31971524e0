/* app/row_options.h: the search's numbers as UCI options of `rookery uci`, in a build for tuning.
 * In every other there are none. Thread: the main thread. */
#ifndef APP_ROW_OPTIONS_H
#define APP_ROW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "rookery/session.h"
#include "rookery/tune.h"

enum { ROW_OPTION_BYTES = 256 };

#ifdef ROOKERY_TUNE
/* The line that announces option `index`, from 0; false: there are no more. */
bool row_options_line(const struct rk_engine *engine, uint32_t index,
                      char out_line[ROW_OPTION_BYTES]);

/* Whether the line sets one; what is wrong with the value is said in the session. */
bool row_options_take(struct rk_engine *engine, struct rk_session *session, const char *line,
                      size_t length);
#else
static inline bool row_options_line(const struct rk_engine *engine, uint32_t index,
                                    char out_line[ROW_OPTION_BYTES])
{
    (void)engine;
    (void)index;
    (void)out_line;
    return false;
}
static inline bool row_options_take(struct rk_engine *engine, struct rk_session *session,
                                    const char *line, size_t length)
{
    (void)engine;
    (void)session;
    (void)line;
    (void)length;
    return false;
}
#endif

#endif
