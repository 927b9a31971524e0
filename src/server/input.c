#include "server/input.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

enum rk_status line_pool_create(struct line_pool *pool, uint32_t count)
{
    ASSERT(count >= 1 && count <= LONG_LINES_MAX);
    pool->bytes = memory_allocate_sparse((size_t)count * LINE_BYTES_MAX);
    if (pool->bytes == NULL)
        return RK_NO_MEMORY;
    pool->count = pool->free_count = count;
    for (uint32_t i = 0; i < count; i++)
        pool->free[i] = (uint16_t)(count - 1 - i); /* The lowest first. */
    return RK_OK;
}

void line_pool_destroy(struct line_pool *pool)
{
    memory_free_sparse(pool->bytes, (size_t)pool->count * LINE_BYTES_MAX);
    pool->bytes = NULL;
}

static char *borrow(struct line_pool *pool)
{
    if (pool->free_count == 0)
        return NULL;
    return pool->bytes + (size_t)pool->free[--pool->free_count] * LINE_BYTES_MAX;
}

static void give_back(struct line_pool *pool, const char *bytes)
{
    ASSERT(pool->free_count < pool->count);
    pool->free[pool->free_count++] = (uint16_t)((size_t)(bytes - pool->bytes) / LINE_BYTES_MAX);
}

void input_init(struct input *input, struct line_pool *pool, char *inline_bytes)
{
    input->pool = pool;
    input->inline_bytes = inline_bytes;
    input->bytes = inline_bytes;
    input_clear(input);
}

static uint32_t shifted(uint32_t offset, uint32_t by) { return offset > by ? offset - by : 0; }

/* All that is held moves to the front. */
static void shift(struct input *input)
{
    const uint32_t by = input->start;
    input->scanned -= by;
    input->end -= by;
    input->looked = shifted(input->looked, by);
    input->marked = shifted(input->marked, by);
    input->start = 0;
}

static void forget_all(struct input *input)
{
    input->start = input->scanned = input->end = input->looked = input->marked = 0;
}

/* Back into the connection's own buffer, which must be large enough. */
static void move_inline(struct input *input)
{
    const uint32_t held = input->end - input->start;
    if (input->bytes == input->inline_bytes)
        return;
    ASSERT(held <= LINE_BYTES_INLINE);
    memcpy(input->inline_bytes, input->bytes + input->start, held);
    give_back(input->pool, input->bytes);
    input->bytes = input->inline_bytes;
    input->capacity = LINE_BYTES_INLINE;
    shift(input);
}

void input_clear(struct input *input)
{
    forget_all(input);
    input->losing = input->lost = INPUT_NONE;
    move_inline(input);
    input->capacity = LINE_BYTES_INLINE;
}

static bool find_line_end(struct input *input)
{
    const char *from = input->bytes + input->scanned;
    const char *found = memchr(from, '\n', input->end - input->scanned);
    input->scanned = found == NULL ? input->end : (uint32_t)(found - input->bytes);
    return found != NULL;
}

/* The line that fills the whole buffer is lost: forget what is there and what will come of it. */
static void lose(struct input *input, enum input_event reason)
{
    forget_all(input);
    input->losing = reason;
    move_inline(input);
}

/* Behind a long line comes no more than the connection's own buffer holds, so that a borrowed one
 * is never lent for longer than one line. */
static size_t find_room(struct input *input)
{
    uint32_t limit = input->capacity;
    if (input_is_long(input))
        limit = LINE_BYTES_INLINE + (find_line_end(input) ? input->scanned + 1 : input->end);
    return (limit < input->capacity ? limit : input->capacity) - input->end;
}

size_t input_space(struct input *input, char **out_bytes)
{
    if (input->end == input->capacity && input->start > 0) {
        memmove(input->bytes, input->bytes + input->start, input->end - input->start);
        shift(input);
    }
    if (input->end == input->capacity) {
        if (find_line_end(input) || input->lost != INPUT_NONE)
            return 0;
        char *longer = input->capacity == LINE_BYTES_INLINE ? borrow(input->pool) : NULL;
        if (longer != NULL) {
            memcpy(longer, input->bytes, input->end);
            input->bytes = longer;
            input->capacity = LINE_BYTES_MAX;
        } else {
            lose(input, input->capacity == LINE_BYTES_MAX ? INPUT_TOO_LONG : INPUT_NO_BUFFER);
        }
    }
    *out_bytes = input->bytes + input->end;
    return find_room(input);
}

void input_commit(struct input *input, size_t count)
{
    ASSERT(count <= input->capacity - input->end);
    input->end += (uint32_t)count;
    if (input->losing == INPUT_NONE)
        return;
    const bool has_ended = find_line_end(input);
    input->start = has_ended ? ++input->scanned : input->end;
    if (has_ended) {
        input->lost = input->losing;
        input->losing = INPUT_NONE;
    }
    if (input->start == input->end)
        forget_all(input);
}

size_t input_held(const struct input *input, const char **out_bytes)
{
    *out_bytes = input->bytes + input->start;
    return input->end - input->start;
}

bool input_is_long(const struct input *input) { return input->bytes != input->inline_bytes; }

bool input_rest(struct input *input)
{
    if (input_is_long(input) || input->end > input->start)
        return false;
    memory_rest_sparse(input->inline_bytes, LINE_BYTES_INLINE);
    return true;
}

enum input_event input_peek(struct input *input, const char **out_line, size_t *out_length)
{
    if (input->lost != INPUT_NONE)
        return input->lost;
    if (input->losing != INPUT_NONE || !find_line_end(input))
        return INPUT_NONE;
    *out_line = input->bytes + input->start;
    *out_length = input->scanned - input->start;
    return INPUT_LINE;
}

void input_pop(struct input *input)
{
    if (input->lost != INPUT_NONE) {
        input->lost = INPUT_NONE;
        return;
    }
    ASSERT(input->scanned < input->end && input->bytes[input->scanned] == '\n');
    input->start = ++input->scanned;
    if (input->start == input->end)
        forget_all(input);
    move_inline(input);
}

bool input_look_ahead(struct input *input, const char **out_line, size_t *out_length)
{
    ASSERT(input->scanned < input->end && input->bytes[input->scanned] == '\n');
    const uint32_t from = input->looked > input->scanned ? input->looked : input->scanned + 1;
    const char *line = input->bytes + from;
    const char *line_end = memchr(line, '\n', input->end - from);
    if (line_end == NULL)
        return false;
    *out_line = line;
    *out_length = (size_t)(line_end - line);
    input->looked = (uint32_t)(line_end + 1 - input->bytes);
    return true;
}

void input_drop_ahead(struct input *input)
{
    char *at = input->bytes + input->looked - 1; /* Its LF. */
    while (at > input->bytes + input->scanned + 1 && at[-1] != '\n')
        *--at = ' ';
}

void input_mark_ahead(struct input *input) { input->marked = input->looked; }

bool input_has_mark(const struct input *input) { return input->marked > input->scanned + 1; }
