/* What a client may still say while it reads nothing, in a house without a thread. */
#include <string.h>

#include "base/clock.h"
#include "server/host.h"
#include "server/stub_engine.h"
#include "server/suites.h"
#include "support/hall.h"

enum { LINE_BYTES = 1000 };

static struct hall hall;

static void setup(void) { hall_open(&hall); }
static void teardown(void) { hall_close(&hall); }

static void send_line(enum rk_weight weight)
{
    char line[LINE_BYTES];
    memset(line, 'i', sizeof(line));
    line[LINE_BYTES - 1] = '\n';
    const struct rk_host host = host_of(hall.connection);
    host.send(host.context, line, sizeof(line), weight);
}

/* Until the kernel takes no more. */
static void fill_kernel(void)
{
    while (hall.connection->output.sending == 0) {
        send_line(RK_PROMISE);
        hall_turn(&hall);
    }
}

/* Reads until a line starts so. */
static void read_to(const char *start)
{
    for (;;) {
        const char *line = client_line(&hall.client, 0);
        if (line == NULL)
            hall_turn(&hall);
        else if (strncmp(line, start, strlen(start)) == 0)
            return;
    }
}

/* A block of many MultiPV lines waits, which would be dropped for an answer. */
START_TEST(progress_holds_up_no_word)
{
    enum { LINES = 50 };
    ck_assert(client_send(&hall.client, "go infinite\n"));
    hall_turn(&hall);
    const struct search *search = searches_of(&hall.scheduler.searches, 0);
    ck_assert(search != NULL && !search->is_stopping);
    fill_kernel();
    for (unsigned i = 0; i < LINES; i++)
        send_line(i + 1 == LINES ? RK_PROGRESS_END : RK_PROGRESS);
    ck_assert_uint_eq(hall.connection->output.block_count, 1);
    ck_assert_uint_gt(hall.connection->output.used, OUTPUT_BYTES_MAX / 2);
    ck_assert(client_send(&hall.client, "stop\nisready\n"));
    hall_turn(&hall);
    ck_assert(search->is_stopping);
    ck_assert(client_send(&hall.client, "quit\n"));
    hall_turn(&hall);
    ck_assert_int_eq(hall.connection->phase, CONNECTION_FLUSHING);
    read_to("readyok");
}
END_TEST

/* What is said while older words wait for room is not as old as they are. */
START_TEST(words_that_come_during_a_wait_are_younger)
{
    do {
        send_line(RK_PROMISE);
        hall_turn(&hall);
    } while (output_has_room(&hall.connection->output));
    ck_assert(client_send(&hall.client, "length 1\n"));
    hall_turn(&hall);
    const int64_t before_us = clock_now_us();
    ck_assert(client_send(&hall.client, "go movetime 5\n"));
    hall_turn(&hall);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 0);
    read_to("info string length");
    hall_turn(&hall);
    ck_assert_uint_eq(stub_engine_counts(hall.engine).started, 1);
    ck_assert_int_ge(stub_engine_counts(hall.engine).last_arrived_us, before_us);
}
END_TEST

Suite *suite_reader(void)
{
    Suite *suite = suite_create("reader");
    TCase *tests = tcase_create("reader");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, progress_holds_up_no_word);
    tcase_add_test(tests, words_that_come_during_a_wait_are_younger);
    suite_add_tcase(suite, tests);
    return suite;
}
