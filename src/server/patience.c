/* Two walks, so that ten thousand silent clients cost next to nothing: a short list of those for
 * whom a fraction of a second matters, and a slow sweep over all for what is counted in seconds. */
#include "server/patience.h"

#include "base/limits.h"

enum {
    US_PER_MS = 1000,
    US_PER_S = 1000000,
    PROBE_AFTER_US = 400000 /* With two ticks more a second is not reached. */
};

static bool is_over(int64_t since_us, uint32_t limit_s, int64_t now_us)
{
    return limit_s > 0 && now_us - since_us > (int64_t)limit_s * US_PER_S;
}

/* -- Each tick --------------------------------------------------------------------------------- */

/* The kernel tells of a reader's end by itself; of others it must be asked. A client that has
 * closed altogether looks as one that has just nothing more to say, until something is sent to it:
 * so a word to those whose search goes on. */
static void look_for_client(struct connection *connection, int64_t now_us)
{
    const enum socket_state state = socket_look(&connection->socket);
    if (state == SOCKET_OPEN)
        return;
    if (state == SOCKET_GONE) {
        connection_close(connection, "vanished");
    } else if (!connection->has_ended) {
        connection_stop_open(connection); /* Its end of input stands behind lines that wait. */
    } else if (!connection->was_probed && now_us - connection->ended_us >= PROBE_AFTER_US) {
        connection->was_probed = true;
        rk_session_say(connection->session, "end of input: bestmove will be the last word");
    }
}

bool patience_tick(struct connection *connection, int64_t now_us)
{
    if (connection->phase == CONNECTION_OPEN) {
        if (!connection->is_reading)
            look_for_client(connection, now_us);
        return connection->phase == CONNECTION_OPEN && !connection->is_reading;
    }
    if (connection->phase != CONNECTION_FLUSHING && connection->phase != CONNECTION_LINGERING)
        return false;
    if (now_us < connection->deadline_us)
        return true;
    if (connection->phase == CONNECTION_LINGERING)
        connection_close(connection, connection->reason);
    else
        connection_cut(connection, "does not read to the end");
    return false;
}

/* -- The sweep --------------------------------------------------------------------------------- */

static void say_farewell(struct connection *connection, const char *text, const char *reason)
{
    rk_session_say(connection->session, text);
    if (connection->phase == CONNECTION_OPEN)
        connection_finish(connection, reason);
}

/* The long buffers are few: who does not finish a line that holds one, or finishes it and lets it
 * wait behind searches, denies it to others. */
static bool is_hogging(struct connection *connection, int64_t now_us)
{
    const bool holds = input_is_long(&connection->input);
    if (!holds)
        connection->long_us = 0;
    else if (connection->long_us == 0)
        connection->long_us = now_us;
    return holds && now_us - connection->long_us > (int64_t)LONG_LINE_MS_MAX * US_PER_MS;
}

static void give_pages_back(struct connection *connection, int64_t now_us)
{
    if (connection->is_quiet || now_us - connection->active_us < (int64_t)QUIET_MS * US_PER_MS ||
        now_us - connection->read_us < (int64_t)QUIET_MS * US_PER_MS)
        return;
    connection->is_quiet = output_rest(&connection->output) && input_rest(&connection->input);
}

void patience_sweep(struct connection *connection, const struct patience *patience, int64_t now_us)
{
    if (connection->phase != CONNECTION_OPEN && connection->phase != CONNECTION_FLUSHING)
        return;
    if (connection->output.used > 0 && is_over(connection->read_us, patience->unread_s, now_us)) {
        connection_cut(connection, "reads nothing");
        return;
    }
    if (connection->phase != CONNECTION_OPEN)
        return;
    if (connection->input.is_waiting)
        connection->opened_us = connection->active_us = now_us; /* What it says is not read yet. */
    if (is_hogging(connection, now_us))
        say_farewell(connection, "a long line took too long", "holds a long line for too long");
    else if (!connection->has_spoken && is_over(connection->opened_us, patience->hello_s, now_us))
        say_farewell(connection, "nothing was said for too long", "never spoke");
    else if (!rk_session_is_searching(connection->session) &&
             is_over(connection->active_us, patience->idle_s, now_us))
        say_farewell(connection, "nothing was asked for too long", "was idle");
    else
        give_pages_back(connection, now_us);
}
