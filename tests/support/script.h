/* tests/support/script.h: plays a conversation with a UCI engine, whatever stands behind it.
 * The same script is played against the fake host, a subprocess and a socket.
 *
 * A script is lines; the first characters tell what each is:
 *
 *   # words        a comment; blank lines are nothing, too
 *   > text         sends text and LF. \t \r \n \\ and \xHH stand for bytes
 *   >> text        sends text alone: the next `>` or `>>` goes on
 *   >* N text      sends " text" N times, without LF (long lists of moves)
 *                  What is sent by lines without anything between them is one segment.
 *   < pattern      the next line must match, after those that may be skipped
 *   <* pattern     until the next `<` has matched, lines that match this are skipped
 *   <! pattern     from here to the end of the script no line may match; a blank line never may
 *   ! wait MS      lets time pass
 *   ! silence MS   for so long nothing may arrive, but what `<*` allows
 *   ! within MS    how long each `<` waits from here on (30000 at first)
 *   ! flush        ends a segment
 *   ! close        no more input will come
 *   ! end          the engine must close the conversation; lines that `<*` allows may come before
 *
 * In a pattern `*` is any bytes or none, `#` a whole number, `@` a move; all else is itself.
 * Thread: one. */
#ifndef TESTS_SUPPORT_SCRIPT_H
#define TESTS_SUPPORT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum script_got { SCRIPT_LINE, SCRIPT_SILENCE, SCRIPT_END };

/* The engine's side of the conversation. */
struct script_peer {
    void *context;
    bool (*send)(void *context, const char *bytes, size_t length);
    void (*close_input)(void *context);
    /* Waits at most wait_ms for a line; without its LF, with a final zero. */
    enum script_got (*receive)(void *context, int64_t wait_ms, char *out_line, size_t capacity);
    void (*wait)(void *context, int64_t wait_ms);
};

struct script_failure {
    unsigned line; /* Of the script, from 1; 0: the script could not be read. */
    char message[1024];
};

/* split_seed 0: a segment is one write; else it is cut at random points drawn from the seed. */
bool script_play(const char *path, const struct script_peer *peer, uint64_t split_seed,
                 struct script_failure *out_failure);

/* Whether a whole line matches. */
bool script_match(const char *pattern, const char *line);

#endif
