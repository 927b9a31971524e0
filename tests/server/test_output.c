#include "server/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "server/suites.h"

enum { ROUNDS = 60 };

static char buffer[OUTPUT_BYTES_MAX];

static bool push(struct output *output, const char *text, enum rk_weight weight)
{
    return output_push(output, text, strlen(text), weight);
}

static void expect_sendable(struct output *output, const char *text)
{
    ck_assert_uint_eq(output_sendable(output), strlen(text));
    ck_assert_mem_eq(output->bytes, text, strlen(text));
}

START_TEST(whole_blocks_and_promises_may_be_sent)
{
    struct output output;
    output_init(&output, buffer);
    ck_assert_uint_eq(output_sendable(&output), 0);
    ck_assert(push(&output, "info a1\n", RK_PROGRESS));
    ck_assert_uint_eq(output_sendable(&output), 0);
    ck_assert(push(&output, "info a2\n", RK_PROGRESS_END));
    expect_sendable(&output, "info a1\ninfo a2\n");
    ck_assert(push(&output, "info b1\n", RK_PROGRESS));
    expect_sendable(&output, "info a1\ninfo a2\n");
    ck_assert(push(&output, "readyok\n", RK_PROMISE));
    expect_sendable(&output, "info a1\ninfo a2\ninfo b1\nreadyok\n");
    output_consume(&output, 8);
    expect_sendable(&output, "info a2\ninfo b1\nreadyok\n");
    output_consume(&output, output_sendable(&output));
    ck_assert_uint_eq(output.used, 0);
}
END_TEST

START_TEST(a_part_with_the_kernel_stays_in_place)
{
    struct output output;
    output_init(&output, buffer);
    ck_assert(push(&output, "bestmove e2e4\n", RK_PROMISE));
    ck_assert_uint_eq(output_begin(&output), 14);
    ck_assert(push(&output, "info a\n", RK_PROGRESS_END));
    ck_assert_uint_eq(output_sendable(&output), 0);
    ck_assert_mem_eq(output.bytes, "bestmove e2e4\ninfo a\n", 21);
    output_end(&output);
    expect_sendable(&output, "info a\n");
}
END_TEST

/* Fills a line of `length` bytes that ends in its number. */
static void make_line(char *out_line, size_t length, unsigned number)
{
    char tail[16];
    const int tail_length = snprintf(tail, sizeof(tail), " %06u\n", number);
    memset(out_line, 'i', length - (size_t)tail_length);
    memcpy(out_line + length - tail_length, tail, (size_t)tail_length + 1);
}

/* docs/uci.md: "The first 32 depths of a search are all shown", and the last there can be. */
START_TEST(a_burst_between_two_writes_is_kept)
{
    struct output output;
    char line[512];
    output_init(&output, buffer);
    for (unsigned depth = 1; depth <= 33; depth++) {
        make_line(line, 300, depth);
        ck_assert(push(&output, line, RK_PROGRESS_END));
    }
    ck_assert_uint_eq(output.dropped_count, 0);
    ck_assert_uint_eq(output_sendable(&output), 33 * 300);
}
END_TEST

START_TEST(a_slow_reader_gets_the_newest_blocks)
{
    struct output output;
    char line[512];
    output_init(&output, buffer);
    ck_assert(push(&output, "first\n", RK_PROMISE));
    (void)output_begin(&output);
    for (unsigned i = 0; i < 1000; i++) {
        make_line(line, 300, i);
        ck_assert(push(&output, line, i % 5 == 4 ? RK_PROGRESS_END : RK_PROGRESS));
    }
    ck_assert(push(&output, "bestmove e2e4\n", RK_PROMISE));
    output_end(&output);
    ck_assert_uint_eq(output_sendable(&output), OUTPUT_BLOCKS_SLOW_MAX * 5 * 300 + 14);
    make_line(line, 300, 1000 - OUTPUT_BLOCKS_SLOW_MAX * 5);
    ck_assert_mem_eq(output.bytes, line, 300);
    make_line(line, 300, 999);
    ck_assert_mem_eq(output.bytes + output_sendable(&output) - 14 - 300, line, 300);
    ck_assert_uint_eq(output.dropped_count, 200 - OUTPUT_BLOCKS_SLOW_MAX);
    /* One block waits, and beside it the next until it is whole; "first" is with the kernel. */
    ck_assert_uint_eq(output.used_most, 6 + (OUTPUT_BLOCKS_SLOW_MAX + 1) * 5 * 300);
    output_clear(&output);
    ck_assert_uint_eq(output.used_most, 0);
}
END_TEST

/* The bestmove of a search that is over keeps its score, whatever later searches drop. */
START_TEST(an_answer_keeps_its_block)
{
    enum { SEARCHES = 40 };
    struct output output;
    char line[512];
    output_init(&output, buffer);
    ck_assert(push(&output, "first\n", RK_PROMISE));
    (void)output_begin(&output);
    for (unsigned i = 0; i < SEARCHES; i++) {
        for (unsigned depth = 0; depth < 40; depth++) {
            make_line(line, 200, depth);
            ck_assert(push(&output, line, RK_PROGRESS_END));
        }
        ck_assert(push(&output, "readyok\n", RK_PROMISE));
        ck_assert(push(&output, "bestmove e2e4\n", RK_ANSWER));
    }
    ck_assert_uint_eq(output.block_count, OUTPUT_BLOCKS_SLOW_MAX - 1);
    output_end(&output);
    const char *at = output.bytes;
    make_line(line, 200, 39);
    for (unsigned i = 0; i < SEARCHES; i++) {
        const char *answer = strstr(at, "bestmove e2e4\n");
        ck_assert_ptr_nonnull(answer);
        ck_assert_mem_eq(answer - 8 - 200, line, 200);
        at = answer + 1;
    }
}
END_TEST

START_TEST(a_block_that_cannot_fit_is_dropped_whole)
{
    struct output output;
    char line[1024];
    output_init(&output, buffer);
    make_line(line, 1000, 0);
    for (unsigned i = 0; i < 100; i++)
        ck_assert(push(&output, line, i == 99 ? RK_PROGRESS_END : RK_PROGRESS));
    ck_assert_uint_eq(output.used, 0);
    ck_assert(push(&output, "info next\n", RK_PROGRESS_END));
    expect_sendable(&output, "info next\n");
}
END_TEST

START_TEST(a_block_of_the_most_moves_fits)
{
    struct output output;
    char line[512];
    output_init(&output, buffer);
    make_line(line, 300, 0);
    for (unsigned i = 0; i < 218; i++)
        ck_assert(push(&output, line, i == 217 ? RK_PROGRESS_END : RK_PROGRESS));
    ck_assert_uint_eq(output_sendable(&output), 218 * 300);
}
END_TEST

START_TEST(a_promise_drops_progress_and_then_fails)
{
    struct output output;
    char line[1024];
    unsigned promises = 0;
    output_init(&output, buffer);
    make_line(line, 1000, 7);
    for (unsigned i = 0; i < 20; i++)
        ck_assert(push(&output, line, RK_PROGRESS_END));
    ck_assert(push(&output, line, RK_PROGRESS)); /* An open block goes last. */
    while (push(&output, line, RK_PROMISE))
        promises++;
    ck_assert_uint_eq(promises,
                      OUTPUT_BYTES_MAX / 1000 - 1); /* The first took the open block in. */
    ck_assert_uint_eq(output.block_count, 0);
    ck_assert_uint_eq(output_sendable(&output), OUTPUT_BYTES_MAX / 1000 * 1000);
    ck_assert(push(&output, line, RK_PROGRESS_END)); /* Dropped, which is no failure. */
    ck_assert_uint_eq(output_sendable(&output), OUTPUT_BYTES_MAX / 1000 * 1000);
}
END_TEST

/* Only what cannot be dropped takes the room of answers: progress never does, unless it is begun
 * and fills nearly all. */
START_TEST(progress_takes_no_room_from_answers)
{
    enum { LINE = 1000 };
    struct output output;
    char line[LINE + 1];
    output_init(&output, buffer);
    make_line(line, LINE, 7);
    for (unsigned i = 0; i < 60; i++) {
        ck_assert(output_has_room(&output));
        ck_assert(push(&output, line, i % 30 == 29 ? RK_PROGRESS_END : RK_PROGRESS));
    }
    ck_assert(output_has_room(&output)); /* Two blocks wait. */
    output_consume(&output, LINE);
    (void)output_begin(&output);
    ck_assert(output_has_room(&output)); /* One is begun. */
    output_clear(&output);
    for (unsigned i = 0; i < 60; i++)
        ck_assert(push(&output, line, i == 59 ? RK_PROGRESS_END : RK_PROGRESS));
    (void)output_begin(&output);
    ck_assert(!output_has_room(&output)); /* An answer might not fit. */
    output_end(&output);
    output_consume(&output, 4 * LINE);
    ck_assert(output_has_room(&output));
    for (unsigned i = 0; i < 8; i++)
        ck_assert(push(&output, line, RK_PROMISE));
    output_clear(&output);
    unsigned promises = 0;
    for (; output_has_room(&output); promises++)
        ck_assert(push(&output, line, RK_PROMISE));
    ck_assert_uint_eq(promises, OUTPUT_BYTES_MAX / 2 / LINE + 1);
    output_consume(&output, LINE);
    ck_assert(output_has_room(&output));
}
END_TEST

/* What a reader has seen of a random conversation: promises all and in order, blocks whole and in
 * order, the last block before the end always there. Lines are "KIND BLOCK LINE". */
struct seen {
    char text[1 << 20];
    size_t length;
};

static void take(struct seen *seen, const struct output *output, size_t count)
{
    memcpy(seen->text + seen->length, output->bytes, count);
    seen->length += count;
}

static void check_seen(const struct seen *seen, unsigned promises, unsigned last_block)
{
    unsigned next_promise = 0;
    unsigned open_left = 0;
    unsigned open_block = 0;
    unsigned newest_block = 0;
    const char *at = seen->text;
    while (at < seen->text + seen->length) {
        char kind = 0;
        unsigned number = 0;
        unsigned line = 0;
        unsigned lines = 0;
        ck_assert_int_eq(sscanf(at, "%c %u %u/%u", &kind, &number, &line, &lines), 4);
        if (kind == 'p') {
            ck_assert_uint_eq(number, next_promise++);
        } else {
            ck_assert(open_left == 0 || number == open_block);
            ck_assert_uint_eq(line, open_left == 0 ? 0 : lines - open_left);
            ck_assert(open_left > 0 || number > newest_block);
            open_block = newest_block = number;
            open_left = (open_left == 0 ? lines : open_left) - 1;
        }
        at = (const char *)memchr(at, '\n', (size_t)(seen->text + seen->length - at)) + 1;
    }
    ck_assert_uint_eq(next_promise, promises);
    ck_assert_uint_eq(open_left, 0);
    ck_assert_uint_eq(newest_block, last_block);
}

START_TEST(random_conversations_keep_the_rules)
{
    static struct seen seen;
    uint64_t random = 5;
    for (int round = 0; round < ROUNDS; round++) {
        struct output output;
        unsigned promises = 0;
        unsigned blocks = 0;
        char line[600];
        seen.length = 0;
        output_init(&output, buffer);
        for (int step = 0; step < 150; step++) {
            const unsigned lines = 1 + (unsigned)random_below(&random, 6);
            blocks++;
            for (unsigned i = 0; i < lines; i++) {
                (void)snprintf(line, sizeof(line), "b %u %u/%u %0*u\n", blocks, i, lines,
                               (int)random_below(&random, 500), 0);
                ck_assert(push(&output, line, i + 1 == lines ? RK_PROGRESS_END : RK_PROGRESS));
            }
            if (random_below(&random, 2) == 0) {
                (void)snprintf(line, sizeof(line), "p %u 0/1\n", promises++);
                ck_assert(push(&output, line, RK_PROMISE));
            }
            const uint64_t what = random_below(&random, 8);
            if (output.sending > 0 && what < 2) {
                take(&seen, &output, output.sending);
                output_end(&output);
            } else if (output_sendable(&output) > 0 && what == 2) {
                (void)output_begin(&output);
            } else if (output_sendable(&output) > 0 && what == 3) {
                const size_t count = (size_t)random_below(&random, output_sendable(&output) + 1);
                take(&seen, &output, count);
                output_consume(&output, count);
                if (output_sendable(&output) > 0)
                    (void)output_begin(&output);
            }
        }
        if (output.sending > 0) {
            take(&seen, &output, output.sending);
            output_end(&output);
        }
        take(&seen, &output, output_sendable(&output));
        check_seen(&seen, promises, blocks);
        ck_assert_uint_le(output.used_most, OUTPUT_BYTES_MAX);
    }
}
END_TEST

Suite *suite_output(void)
{
    Suite *suite = suite_create("output");
    TCase *tests = tcase_create("output");
    tcase_add_test(tests, whole_blocks_and_promises_may_be_sent);
    tcase_add_test(tests, a_part_with_the_kernel_stays_in_place);
    tcase_add_test(tests, a_burst_between_two_writes_is_kept);
    tcase_add_test(tests, a_slow_reader_gets_the_newest_blocks);
    tcase_add_test(tests, an_answer_keeps_its_block);
    tcase_add_test(tests, a_block_that_cannot_fit_is_dropped_whole);
    tcase_add_test(tests, a_block_of_the_most_moves_fits);
    tcase_add_test(tests, a_promise_drops_progress_and_then_fails);
    tcase_add_test(tests, progress_takes_no_room_from_answers);
    tcase_add_test(tests, random_conversations_keep_the_rules);
    suite_add_tcase(suite, tests);
    return suite;
}
