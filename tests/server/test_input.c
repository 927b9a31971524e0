#include "server/input.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "server/suites.h"

enum { POOL_COUNT = 2, ROUNDS = 400 };

struct fixture {
    struct line_pool pool;
    struct input input;
    char *inline_bytes; /* Of the input and POOL_COUNT others. */
};

static void open_fixture(struct fixture *fixture)
{
    ck_assert(line_pool_create(&fixture->pool, POOL_COUNT, 1 + POOL_COUNT) == RK_OK);
    fixture->inline_bytes = memory_allocate_sparse((1 + POOL_COUNT) * LINE_BYTES_INLINE);
    ck_assert_ptr_nonnull(fixture->inline_bytes);
    input_init(&fixture->input, &fixture->pool, fixture->inline_bytes);
}

static void close_fixture(struct fixture *fixture)
{
    input_clear(&fixture->input);
    ck_assert_uint_eq(fixture->pool.free_count, POOL_COUNT);
    line_pool_destroy(&fixture->pool);
    memory_free_sparse(fixture->inline_bytes, (1 + POOL_COUNT) * LINE_BYTES_INLINE);
}

/* Puts in as much as there is room for; returns how much. */
static size_t put(struct input *input, const char *bytes, size_t length)
{
    char *room = NULL;
    const size_t space = input_space(input, &room);
    const size_t count = space < length ? space : length;
    if (count > 0) {
        memcpy(room, bytes, count);
        input_commit(input, count);
    }
    return count;
}

static void expect_line(struct input *input, const char *line)
{
    const char *bytes = NULL;
    size_t length = 0;
    ck_assert_int_eq(input_peek(input, &bytes, &length), INPUT_LINE);
    ck_assert_uint_eq(length, strlen(line));
    ck_assert_mem_eq(bytes, line, length);
    input_pop(input);
}

static enum input_event peek(struct input *input)
{
    const char *bytes = NULL;
    size_t length = 0;
    return input_peek(input, &bytes, &length);
}

START_TEST(lines_come_out_as_they_went_in)
{
    struct fixture fixture;
    open_fixture(&fixture);
    ck_assert_int_eq(peek(&fixture.input), INPUT_NONE);
    (void)put(&fixture.input, "uci\n\nisready\r\ngo", 16);
    expect_line(&fixture.input, "uci");
    expect_line(&fixture.input, "");
    expect_line(&fixture.input, "isready\r");
    ck_assert_int_eq(peek(&fixture.input), INPUT_NONE);
    (void)put(&fixture.input, " depth 1\n", 9);
    ck_assert_int_eq(peek(&fixture.input), INPUT_LINE);
    expect_line(&fixture.input, "go depth 1");
    close_fixture(&fixture);
}
END_TEST

/* Feeds `length` bytes and a LF in pieces; the event that comes of it, and the line's length. */
static enum input_event feed_long(struct input *input, size_t length, size_t piece_max,
                                  uint64_t *random, size_t *out_length)
{
    char *text = malloc(length + 1);
    const char *line = NULL;
    ck_assert_ptr_nonnull(text);
    memset(text, 'm', length);
    text[length] = '\n';
    for (size_t at = 0; at < length + 1;) {
        const size_t piece = 1 + (size_t)random_below(random, piece_max);
        const size_t left = length + 1 - at;
        const size_t count = put(input, text + at, piece < left ? piece : left);
        ck_assert_uint_gt(count, 0);
        at += count;
    }
    free(text);
    return input_peek(input, &line, out_length);
}

START_TEST(long_lines_borrow_and_give_back)
{
    struct fixture fixture;
    uint64_t random = 1;
    static const size_t LENGTHS[] = {1,
                                     LINE_BYTES_INLINE - 2,
                                     LINE_BYTES_INLINE - 1,
                                     LINE_BYTES_INLINE,
                                     LINE_BYTES_INLINE + 1,
                                     3 * LINE_BYTES_INLINE,
                                     LINE_BYTES_MAX - 2,
                                     LINE_BYTES_MAX - 1};
    open_fixture(&fixture);
    for (size_t i = 0; i < sizeof(LENGTHS) / sizeof(LENGTHS[0]); i++) {
        size_t length = 0;
        ck_assert_int_eq(feed_long(&fixture.input, LENGTHS[i], 1000, &random, &length), INPUT_LINE);
        ck_assert_uint_eq(length, LENGTHS[i]);
        input_pop(&fixture.input);
        ck_assert_uint_eq(fixture.pool.free_count, POOL_COUNT);
    }
    close_fixture(&fixture);
}
END_TEST

START_TEST(too_long_a_line_is_dropped_whole)
{
    struct fixture fixture;
    uint64_t random = 2;
    static const size_t LENGTHS[] = {LINE_BYTES_MAX, LINE_BYTES_MAX + 1, 5 * LINE_BYTES_MAX};
    open_fixture(&fixture);
    for (size_t i = 0; i < sizeof(LENGTHS) / sizeof(LENGTHS[0]); i++) {
        size_t length = 0;
        ck_assert_int_eq(feed_long(&fixture.input, LENGTHS[i], 5000, &random, &length),
                         INPUT_TOO_LONG);
        ck_assert_uint_eq(fixture.pool.free_count, POOL_COUNT);
        (void)put(&fixture.input, "isready\n", 8);
        ck_assert_int_eq(peek(&fixture.input), INPUT_TOO_LONG);
        input_pop(&fixture.input);
        expect_line(&fixture.input, "isready");
        ck_assert_int_eq(peek(&fixture.input), INPUT_NONE);
    }
    close_fixture(&fixture);
}
END_TEST

/* More of a line than its own buffer holds; whether there was room for it. */
static bool begin_long(struct input *input)
{
    char part[LINE_BYTES_INLINE];
    memset(part, 'h', sizeof(part));
    if (input->end == input->start)
        ck_assert_uint_eq(put(input, part, sizeof(part)), sizeof(part));
    return put(input, part, 1) == 1;
}

START_TEST(without_a_buffer_a_long_line_waits_and_is_whole)
{
    struct fixture fixture;
    struct input others[POOL_COUNT];
    char *room = NULL;
    const char *line = NULL;
    size_t length = 0;
    open_fixture(&fixture);
    for (uint32_t i = 0; i < POOL_COUNT; i++) {
        input_init(&others[i], &fixture.pool,
                   fixture.inline_bytes + (size_t)(1 + i) * LINE_BYTES_INLINE);
        input_open(&others[i], 1 + i);
        ck_assert(begin_long(&others[i]));
    }
    ck_assert_uint_eq(fixture.pool.free_count, 0);
    ck_assert(!begin_long(&fixture.input));
    ck_assert_uint_eq(input_space(&fixture.input, &room), 0);
    ck_assert_int_eq(peek(&fixture.input), INPUT_NONE);
    ck_assert(!fixture.pool.has_lent);
    input_clear(&others[0]);
    ck_assert(fixture.pool.has_lent && input_is_long(&fixture.input));
    ck_assert_uint_eq(put(&fixture.input, "h\nuci\n", 6), 6);
    ck_assert_int_eq(input_peek(&fixture.input, &line, &length), INPUT_LINE);
    ck_assert_uint_eq(length, LINE_BYTES_INLINE + 1);
    input_pop(&fixture.input);
    expect_line(&fixture.input, "uci");
    for (int i = 0; i < POOL_COUNT; i++)
        input_clear(&others[i]);
    ck_assert_ptr_null(fixture.pool.first);
    close_fixture(&fixture);
}
END_TEST

/* One address has all it may have, and more of its lines wait: another's first goes before them. */
START_TEST(no_address_keeps_the_buffers_from_another)
{
    enum { COUNT = LONG_LINES_MIN, CROWD = COUNT + 2, NEIGHBOUR = CROWD - 1 };
    struct line_pool pool;
    struct input crowd[CROWD];
    char *bytes = memory_allocate_sparse(CROWD * LINE_BYTES_INLINE);
    ck_assert(line_pool_create(&pool, COUNT, CROWD) == RK_OK);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_lt(pool.per_address, COUNT);
    for (uint32_t i = 0; i < CROWD; i++) {
        input_init(&crowd[i], &pool, bytes + (size_t)i * LINE_BYTES_INLINE);
        input_open(&crowd[i], i < NEIGHBOUR ? i % 4 : NEIGHBOUR);
        ck_assert_int_eq(begin_long(&crowd[i]), i < COUNT);
    }
    ck_assert_uint_eq(pool.lent[0], pool.per_address);
    input_clear(&crowd[COUNT]); /* Who waits and goes leaves no place behind. */
    input_open(&crowd[COUNT], 0);
    ck_assert(!begin_long(&crowd[COUNT]));
    input_clear(&crowd[0]);
    ck_assert(input_is_long(&crowd[NEIGHBOUR]));
    input_clear(&crowd[1]);
    ck_assert(input_is_long(&crowd[COUNT]));
    input_clear(&crowd[COUNT]);
    input_open(&crowd[0], 2);
    ck_assert(!begin_long(&crowd[0])); /* A buffer is free, but not for this address. */
    ck_assert_uint_eq(pool.free_count, 1);
    for (uint32_t i = 0; i < CROWD; i++)
        input_clear(&crowd[i]);
    ck_assert_uint_eq(pool.free_count, COUNT);
    line_pool_destroy(&pool);
    memory_free_sparse(bytes, CROWD * LINE_BYTES_INLINE);
}
END_TEST

START_TEST(pages_are_given_back_when_nothing_is_held)
{
    struct fixture fixture;
    const char *held = NULL;
    char half[LINE_BYTES_INLINE + 1];
    open_fixture(&fixture);
    ck_assert_uint_eq(put(&fixture.input, "go", 2), 2);
    ck_assert_uint_eq(input_held(&fixture.input, &held), 2);
    ck_assert_mem_eq(held, "go", 2);
    ck_assert(!input_rest(&fixture.input)); /* A word is under way. */
    ck_assert_uint_eq(put(&fixture.input, "\n", 1), 1);
    ck_assert(!input_rest(&fixture.input)); /* The line is not taken. */
    expect_line(&fixture.input, "go");
    ck_assert(input_rest(&fixture.input));
    ck_assert_int_eq(fixture.inline_bytes[0], 0);
    ck_assert_uint_eq(put(&fixture.input, "stop\n", 5), 5); /* And they serve again. */
    expect_line(&fixture.input, "stop");
    memset(half, 'h', sizeof(half));
    ck_assert_uint_eq(put(&fixture.input, half, sizeof(half)), LINE_BYTES_INLINE);
    ck_assert(!input_is_long(&fixture.input));
    ck_assert_uint_eq(put(&fixture.input, half, 1), 1);
    ck_assert(input_is_long(&fixture.input));
    ck_assert(!input_rest(&fixture.input));
    close_fixture(&fixture);
}
END_TEST

/* A client that sends on and on behind a long line, or lets it wait, keeps no buffer for that. */
START_TEST(a_borrowed_buffer_is_for_one_line)
{
    static char text[LINE_BYTES_MAX];
    struct fixture fixture;
    open_fixture(&fixture);
    struct input *input = &fixture.input;
    memset(text, 's', sizeof(text));
    text[LINE_BYTES_INLINE + 99] = '\n';
    for (size_t at = LINE_BYTES_INLINE + 109; at < sizeof(text); at += 10)
        text[at] = '\n';
    size_t at = 0;
    for (size_t count = 1; count > 0; at += count)
        count = put(input, text + at, sizeof(text) - at);
    ck_assert(input_is_long(input));
    ck_assert_uint_eq(at, 2 * LINE_BYTES_INLINE + 100);
    ck_assert_int_eq(peek(input), INPUT_LINE);
    const char *line = NULL;
    size_t length = 0;
    unsigned ahead_count = 0;
    while (input_look_ahead(input, &line, &length)) /* What is urgent is seen all the same. */
        ahead_count++;
    ck_assert_uint_eq(ahead_count, LINE_BYTES_INLINE / 10);
    input_pop(input);
    ck_assert_uint_eq(fixture.pool.free_count, POOL_COUNT);
    for (unsigned i = 0; i < LINE_BYTES_INLINE / 10; i++)
        expect_line(input, "sssssssss");
    close_fixture(&fixture);
}
END_TEST

START_TEST(a_full_buffer_of_lines_takes_no_more)
{
    struct fixture fixture;
    char lines[LINE_BYTES_INLINE];
    char *room = NULL;
    open_fixture(&fixture);
    memset(lines, '\n', sizeof(lines));
    ck_assert_uint_eq(put(&fixture.input, lines, sizeof(lines)), sizeof(lines));
    ck_assert_uint_eq(input_space(&fixture.input, &room), 0);
    expect_line(&fixture.input, "");
    ck_assert_uint_eq(input_space(&fixture.input, &room), 1);
    ck_assert_uint_eq(fixture.pool.free_count, POOL_COUNT);
    close_fixture(&fixture);
}
END_TEST

/* Random lines in random pieces, popped at random moments, against what a plain array says. */
START_TEST(any_pieces_give_the_same_lines)
{
    static const size_t LENGTHS[] = {0, 1, 30, 300, 4094, 4096, 9000, 65535, 65536, 70000};
    struct fixture fixture;
    uint64_t random = 4;
    open_fixture(&fixture);
    for (int round = 0; round < ROUNDS; round++) {
        enum { LINES = 4 };
        size_t lengths[LINES];
        size_t total = 0;
        for (int i = 0; i < LINES; i++) {
            lengths[i] = LENGTHS[random_below(&random, sizeof(LENGTHS) / sizeof(LENGTHS[0]))];
            total += lengths[i] + 1;
        }
        char *text = malloc(total);
        ck_assert_ptr_nonnull(text);
        size_t at = 0;
        for (int i = 0; i < LINES; i++) {
            memset(text + at, 'a' + i, lengths[i]);
            text[at + lengths[i]] = '\n';
            at += lengths[i] + 1;
        }
        int next = 0;
        for (at = 0; next < LINES;) {
            const size_t piece = 1 + (size_t)random_below(&random, 8000);
            const size_t count =
                at < total ? put(&fixture.input, text + at, piece < total - at ? piece : total - at)
                           : 0;
            at += count;
            const char *line = NULL;
            size_t length = 0;
            while ((count == 0 || random_below(&random, 3) > 0) &&
                   peek(&fixture.input) != INPUT_NONE) {
                const enum input_event event = input_peek(&fixture.input, &line, &length);
                const bool is_kept = lengths[next] < LINE_BYTES_MAX;
                ck_assert_int_eq(event, is_kept ? INPUT_LINE : INPUT_TOO_LONG);
                if (is_kept) {
                    ck_assert_uint_eq(length, lengths[next]);
                    ck_assert(length == 0 ||
                              (line[0] == 'a' + next && line[length - 1] == line[0]));
                }
                input_pop(&fixture.input);
                next++;
                if (next == LINES)
                    break;
            }
        }
        ck_assert_uint_eq(at, total);
        ck_assert_int_eq(peek(&fixture.input), INPUT_NONE);
        free(text);
    }
    close_fixture(&fixture);
}
END_TEST

/* The next line that is looked at ahead; NULL: none. */
static const char *ahead(struct input *input)
{
    static char text[64];
    const char *line = NULL;
    size_t length = 0;
    if (!input_look_ahead(input, &line, &length))
        return NULL;
    ck_assert_uint_lt(length, sizeof(text));
    memcpy(text, line, length);
    text[length] = '\0';
    return text;
}

START_TEST(lines_are_looked_at_ahead_once)
{
    static const char FIRST[] = "go\nisready\n\nstop\nis";
    struct fixture fixture;
    open_fixture(&fixture);
    struct input *input = &fixture.input;
    (void)put(input, FIRST, sizeof(FIRST) - 1);
    ck_assert_int_eq(peek(input), INPUT_LINE);
    ck_assert_str_eq(ahead(input), "isready");
    input_drop_ahead(input);
    ck_assert_str_eq(ahead(input), "");
    ck_assert(!input_has_mark(input));
    ck_assert_str_eq(ahead(input), "stop");
    input_mark_ahead(input);
    ck_assert_ptr_null(ahead(input));
    (void)put(input, "ready\n", 6);
    ck_assert_str_eq(ahead(input), "isready");
    input_drop_ahead(input);
    ck_assert_ptr_null(ahead(input));
    ck_assert_uint_eq(input_held(input, &(const char *){NULL}), strlen("go\n\nstop\n"));
    static const char *const LEFT[] = {"go", "", "stop"};
    for (size_t i = 0; i < sizeof(LEFT) / sizeof(LEFT[0]); i++) {
        const char *line = NULL;
        size_t length = 0;
        ck_assert_int_eq(input_peek(input, &line, &length), INPUT_LINE);
        ck_assert_uint_eq(length, strlen(LEFT[i]));
        ck_assert_mem_eq(line, LEFT[i], length);
        ck_assert_int_eq(input_has_mark(input), i < 2);
        ck_assert_ptr_null(ahead(input));
        input_pop(input);
    }
    ck_assert_int_eq(peek(input), INPUT_NONE);
    close_fixture(&fixture);
}
END_TEST

/* Where lines stand in the buffer changes while they wait. */
START_TEST(what_was_looked_at_moves_along)
{
    struct fixture fixture;
    char filler[LINE_BYTES_INLINE];
    open_fixture(&fixture);
    struct input *input = &fixture.input;
    memset(filler, 'f', sizeof(filler));
    filler[2999] = '\n';
    (void)put(input, filler, 3000);
    (void)put(input, "go\nstop\n", 8);
    ck_assert_int_eq(peek(input), INPUT_LINE);
    ck_assert_str_eq(ahead(input), "go");
    ck_assert_str_eq(ahead(input), "stop");
    input_mark_ahead(input);
    input_pop(input);
    ck_assert_int_eq(peek(input), INPUT_LINE);
    filler[1499] = '\n';
    const size_t first = put(input, filler, 1500);
    ck_assert_uint_lt(first, 1500);
    (void)put(input, filler + first, 1500 - first); /* All is moved to the front. */
    ck_assert_uint_eq(input->start, 0);
    ck_assert(input_has_mark(input));
    const char *line = NULL;
    size_t length = 0;
    ck_assert(input_look_ahead(input, &line, &length));
    ck_assert_uint_eq(length, 1499);
    ck_assert(!input_look_ahead(input, &line, &length));
    input_pop(input);
    ck_assert_int_eq(peek(input), INPUT_LINE);
    ck_assert(!input_has_mark(input)); /* Its turn has come. */
    close_fixture(&fixture);
}
END_TEST

Suite *suite_input(void)
{
    Suite *suite = suite_create("input");
    TCase *tests = tcase_create("input");
    tcase_add_test(tests, lines_come_out_as_they_went_in);
    tcase_add_test(tests, long_lines_borrow_and_give_back);
    tcase_add_test(tests, too_long_a_line_is_dropped_whole);
    tcase_add_test(tests, without_a_buffer_a_long_line_waits_and_is_whole);
    tcase_add_test(tests, no_address_keeps_the_buffers_from_another);
    tcase_add_test(tests, pages_are_given_back_when_nothing_is_held);
    tcase_add_test(tests, a_borrowed_buffer_is_for_one_line);
    tcase_add_test(tests, a_full_buffer_of_lines_takes_no_more);
    tcase_add_test(tests, any_pieces_give_the_same_lines);
    tcase_add_test(tests, lines_are_looked_at_ahead_once);
    tcase_add_test(tests, what_was_looked_at_moves_along);
    suite_add_tcase(suite, tests);
    return suite;
}
