/* server/input.h: bytes to lines. A line lives in the connection while it is short, in a borrowed
 * buffer while it is long; one over the limit is dropped whole, with a reason, never cut and run.
 * When no buffer can be lent, the line waits for one: nothing is read, so nothing is lost.
 * Thread: loop. */
#ifndef SERVER_INPUT_H
#define SERVER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "rookery/status.h"

struct input;

/* Buffers of LINE_BYTES_MAX for the few that need one. No address has more than its part of them,
 * and one that comes back goes to the address that has fewest, so no crowd keeps a neighbour from
 * its first. */
struct line_pool {
    char *bytes;
    uint16_t *lent; /* To each address. */
    uint32_t count;
    uint32_t per_address; /* At most, of `lent`. */
    uint32_t free_count;
    struct input *first; /* Of those who wait for one, in the order they came. */
    struct input *last;
    bool has_lent; /* To one who waited: until the owner of the inputs has seen it. */
    uint16_t free[LONG_LINES_MAX]; /* Stack of indexes. */
};

/* count is 1 to LONG_LINES_MAX; addresses are below addresses_max. RK_NO_MEMORY. */
enum rk_status line_pool_create(struct line_pool *pool, uint32_t count, uint32_t addresses_max);
void line_pool_destroy(struct line_pool *pool);

enum input_event {
    INPUT_NONE,    /* No whole line. */
    INPUT_LINE,    /* A line, without its LF. */
    INPUT_TOO_LONG /* A line of LINE_BYTES_MAX bytes or more was dropped. */
};

struct input {
    struct line_pool *pool;
    char *bytes; /* inline_bytes, or a buffer of the pool. */
    uint32_t capacity;
    uint32_t start;   /* First byte not yet taken. */
    uint32_t scanned; /* No LF stands in [start, scanned). */
    uint32_t end;     /* After the last byte. */
    uint32_t looked;  /* After the last line that was looked at ahead of its turn; 0: none. */
    uint32_t marked;  /* After the last of them that was marked; 0: none. */
    uint32_t address; /* Whose buffers are counted together. */
    bool is_losing;   /* The rest of the current line is being dropped. */
    bool has_lost;    /* A line before `start` was dropped, until told. */
    bool is_waiting;  /* For a buffer; between these two. */
    struct input *before;
    struct input *after;
    char *inline_bytes; /* LINE_BYTES_INLINE of a sparse block, the owner's. */
};

void input_init(struct input *input, struct line_pool *pool, char *inline_bytes);
void input_open(struct input *input, uint32_t address); /* A clear one, for a new client. */
void input_clear(struct input *input);                  /* Gives a borrowed buffer back. */

/* Where the next bytes go. 0 when lines wait to be taken first, or a long one for its buffer: read
 * no more. */
size_t input_space(struct input *input, char **out_bytes);
void input_commit(struct input *input, size_t count);

/* What came and was not taken yet; 0 while a line is being dropped, too. */
size_t input_held(const struct input *input, const char **out_bytes);
/* Whether it holds a borrowed buffer. */
bool input_is_long(const struct input *input);
/* Gives the pages of inline_bytes back; false when they are needed. */
bool input_rest(struct input *input);

/* Looks at the next line or loss; the same again until input_pop. */
enum input_event input_peek(struct input *input, const char **out_line, size_t *out_length);
void input_pop(struct input *input);

/* Lines behind the next one, while that one waits: each is shown once, in order. False: no more. */
bool input_look_ahead(struct input *input, const char **out_line, size_t *out_length);
/* What was looked at last is taken out, which makes room; or it is marked, until its turn comes. */
void input_drop_ahead(struct input *input);
void input_mark_ahead(struct input *input);
bool input_has_mark(const struct input *input);

#endif
