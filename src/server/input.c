#include "server/input.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

/* Of all buffers, one address has one in so many at most. */
enum { ADDRESS_SHARE = 4 };

enum rk_status line_pool_create(struct line_pool *pool, uint32_t count, uint32_t addresses_max)
{
    ASSERT(count >= 1 && count <= LONG_LINES_MAX);
    *pool = (struct line_pool){
        .count = count,
        .free_count = count,
        .per_address = (count + ADDRESS_SHARE - 1) / ADDRESS_SHARE,
        .bytes = memory_allocate_sparse((size_t)count * LINE_BYTES_MAX),
        .lent = memory_allocate(addresses_max * sizeof(*pool->lent)),
    };
    if (pool->bytes == NULL || pool->lent == NULL) {
        line_pool_destroy(pool);
        return RK_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++)
        pool->free[i] = (uint16_t)(count - 1 - i); /* The lowest first. */
    return RK_OK;
}

void line_pool_destroy(struct line_pool *pool)
{
    memory_free(pool->lent);
    memory_free_sparse(pool->bytes, (size_t)pool->count * LINE_BYTES_MAX);
    pool->lent = NULL;
    pool->bytes = NULL;
}

static bool may_borrow(const struct input *input)
{
    const struct line_pool *pool = input->pool;
    return pool->free_count > 0 && pool->lent[input->address] < pool->per_address;
}

static void borrow(struct input *input)
{
    struct line_pool *pool = input->pool;
    char *longer = pool->bytes + (size_t)pool->free[--pool->free_count] * LINE_BYTES_MAX;
    ASSERT(!input_is_long(input));
    pool->lent[input->address]++;
    memcpy(longer, input->bytes, input->end);
    input->bytes = longer;
    input->capacity = LINE_BYTES_MAX;
}

static void wait_for_buffer(struct input *input)
{
    struct line_pool *pool = input->pool;
    if (input->is_waiting)
        return;
    input->is_waiting = true;
    input->before = pool->last;
    input->after = NULL;
    *(pool->last == NULL ? &pool->first : &pool->last->after) = input;
    pool->last = input;
}

static void wait_no_more(struct input *input)
{
    struct line_pool *pool = input->pool;
    if (!input->is_waiting)
        return;
    input->is_waiting = false;
    *(input->before == NULL ? &pool->first : &input->before->after) = input->after;
    *(input->after == NULL ? &pool->last : &input->after->before) = input->before;
}

/* One buffer makes room for one who waits: before, none was free for any of them. */
static void lend(struct line_pool *pool)
{
    struct input *next = NULL;
    for (struct input *input = pool->first; input != NULL; input = input->after)
        if (may_borrow(input) &&
            (next == NULL || pool->lent[input->address] < pool->lent[next->address]))
            next = input;
    if (next == NULL)
        return;
    wait_no_more(next);
    borrow(next);
    pool->has_lent = true;
}

static void give_back(struct input *input)
{
    struct line_pool *pool = input->pool;
    const size_t index = (size_t)(input->bytes - pool->bytes) / LINE_BYTES_MAX;
    ASSERT(pool->free_count < pool->count && pool->lent[input->address] > 0);
    pool->free[pool->free_count++] = (uint16_t)index;
    pool->lent[input->address]--;
    lend(pool);
}

void input_init(struct input *input, struct line_pool *pool, char *inline_bytes)
{
    *input = (struct input){.pool = pool, .inline_bytes = inline_bytes, .bytes = inline_bytes};
    input_clear(input);
}

void input_open(struct input *input, uint32_t address)
{
    input_clear(input);
    input->address = address;
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
    give_back(input);
    input->bytes = input->inline_bytes;
    input->capacity = LINE_BYTES_INLINE;
    shift(input);
}

void input_clear(struct input *input)
{
    forget_all(input);
    input->is_losing = input->has_lost = false;
    wait_no_more(input);
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
static void lose(struct input *input)
{
    forget_all(input);
    input->is_losing = true;
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
        if (find_line_end(input) || input->has_lost)
            return 0;
        if (input_is_long(input)) {
            lose(input);
        } else if (may_borrow(input)) { /* So nobody who waits could. */
            borrow(input);
        } else {
            wait_for_buffer(input);
            return 0;
        }
    }
    *out_bytes = input->bytes + input->end;
    return find_room(input);
}

void input_commit(struct input *input, size_t count)
{
    ASSERT(count <= input->capacity - input->end);
    input->end += (uint32_t)count;
    if (!input->is_losing)
        return;
    const bool has_ended = find_line_end(input);
    input->start = has_ended ? ++input->scanned : input->end;
    if (has_ended) {
        input->has_lost = true;
        input->is_losing = false;
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
    if (input->has_lost)
        return INPUT_TOO_LONG;
    if (input->is_losing || !find_line_end(input))
        return INPUT_NONE;
    *out_line = input->bytes + input->start;
    *out_length = input->scanned - input->start;
    return INPUT_LINE;
}

void input_pop(struct input *input)
{
    if (input->has_lost) {
        input->has_lost = false;
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
    uint32_t from = input->looked - 1; /* Its LF. */
    while (from > input->scanned + 1 && input->bytes[from - 1] != '\n')
        from--;
    memmove(input->bytes + from, input->bytes + input->looked, input->end - input->looked);
    input->end -= input->looked - from;
    input->looked = from;
}

void input_mark_ahead(struct input *input) { input->marked = input->looked; }

bool input_has_mark(const struct input *input) { return input->marked > input->scanned + 1; }
