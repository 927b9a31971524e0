/* A network's file: read whole, or refused with what is wrong. */
#include "engine/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/crc.h"
#include "base/memory.h"
#include "base/random.h"
#include "engine/suites.h"
#include "support/paper_network.h"

static uint8_t *bytes;
static size_t length;
static char error[RK_NETWORK_ERROR_BYTES_MAX];

static void setup(void) { bytes = paper_network(&PAPER_ODD, 1, &length); }
static void teardown(void) { memory_free(bytes); }

static enum rk_status parse(struct rk_network **out_network)
{
    *error = '\0';
    return network_parse(bytes, length, out_network, error);
}

static void expect_refused(const char *reason)
{
    struct rk_network *network = NULL;
    ck_assert_int_eq(parse(&network), RK_BAD_ARGUMENT);
    ck_assert_ptr_null(network);
    ck_assert_msg(strstr(error, reason) != NULL, "'%s' does not tell '%s'", error, reason);
}

START_TEST(crc_is_the_usual_one)
{
    /* The check value that catalogues of such sums give. */
    ck_assert_uint_eq(crc_add(0, (const uint8_t *)"123456789", 9), 0xcbf43926u);
    ck_assert_uint_eq(crc_add(crc_add(0, (const uint8_t *)"1234", 4), (const uint8_t *)"56789", 5),
                      0xcbf43926u);
    ck_assert_uint_eq(crc_add(0, NULL, 0), 0);
}
END_TEST

START_TEST(numbers_are_where_the_file_has_them)
{
    struct rk_network *network = NULL;
    ck_assert_msg(parse(&network) == RK_OK, "%s", error);
    ck_assert_uint_eq(network->areas, 5);
    ck_assert_uint_eq(network->units, 48);
    ck_assert_uint_eq(network->width, 64);
    ck_assert_uint_eq(network->buckets, 4);
    ck_assert_int_eq(network->scale, 400);
    ck_assert_str_eq(network->description, "paper with areas");
    const uint8_t *payload = bytes + paper_payload(&PAPER_ODD);
    const uint8_t *biases = payload + 5 * 768 * 48 * 2, *weights = biases + 48 * 2;
    for (unsigned unit = 0; unit < 64; unit++) {
        const size_t row = 4 * 768 + 700;
        const uint8_t *at = payload + (row * 48 + unit) * 2;
        ck_assert_int_eq(network->rows[row * 64 + unit], unit < 48 ? (int16_t)bytes_get16(at) : 0);
        ck_assert_int_eq(network->biases[unit],
                         unit < 48 ? (int16_t)bytes_get16(biases + unit * 2) : 0);
        ck_assert_int_eq(network->output_weights[7 * 64 + unit],
                         unit < 48 ? (int8_t)weights[7 * 48 + unit] : 0);
    }
    ck_assert_int_eq(network->output_biases[3], (int32_t)bytes_get32(bytes + length - 4));
    ck_assert_uint_eq(network->area_of[63], bytes[paper_area_map(&PAPER_ODD) + 63]);
    ck_assert_uint_eq((uintptr_t)network->rows % NETWORK_ALIGNMENT, 0);
    network_destroy(network);
}
END_TEST

START_TEST(buckets_go_by_men)
{
    struct rk_network network = {.buckets = 1};
    for (unsigned men = 2; men <= 32; men++)
        ck_assert_uint_eq(network_bucket(&network, men), 0);
    network.buckets = 8;
    ck_assert_uint_eq(network_bucket(&network, 2), 0);
    ck_assert_uint_eq(network_bucket(&network, 5), 0);
    ck_assert_uint_eq(network_bucket(&network, 6), 1);
    ck_assert_uint_eq(network_bucket(&network, 32), 7);
}
END_TEST

/* Each field of the header, to a value that it cannot have. */
START_TEST(a_wrong_header_is_named)
{
    static const struct {
        unsigned at;
        uint32_t value;
        const char *reason;
    } wrong[] = {
        {0, 0x4b4f4f52, "does not begin with"},
        {4, 0, "does not begin with"},
        {8, 0, "version is 0, not 1"},
        {8, 2, "version is 2, not 1"},
        {12, 4096, "length of the description is 4096, not from 0 to 4095"},
        {16, 0, "number of king areas is 0, not from 1 to 32"},
        {16, 33, "number of king areas is 33"},
        {20, 0, "size of an accumulator is 0, not from 16 to 1024 in steps of 16"},
        {20, 47, "size of an accumulator is 47"},
        {20, 1040, "size of an accumulator is 1040"},
        {24, 0, "number of output buckets is 0, not from 1 to 8"},
        {24, 9, "number of output buckets is 9"},
        {28, 0, "activation is 0, not 1"},
        {32, 254, "unit of accumulators is 254, not 255"},
        {36, 65, "unit of output weights is 65, not 64"},
        {40, 0, "scale is 0"},
        {40, 10001, "scale is 10001"},
        {44, 1, "damaged"},
        {48, 1, "its header tells of 1 bytes of numbers, its shape needs"},
        {52, 1, "its header tells of"},
        {56, 1, "last eight bytes"},
        {63, 0x80, "last eight bytes"},
        {16, 4, "its shape needs"},
        {20, 64, "its shape needs"},
        {24, 3, "its shape needs"},
        {12, 100, "cut short"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t kept[NETWORK_HEADER_BYTES];
        memcpy(kept, bytes, sizeof kept);
        if (wrong[i].at + 4 > sizeof kept)
            bytes[wrong[i].at] = (uint8_t)wrong[i].value;
        else
            bytes_put32(bytes + wrong[i].at, wrong[i].value);
        expect_refused(wrong[i].reason);
        memcpy(bytes, kept, sizeof kept);
    }
}
END_TEST

START_TEST(any_other_length_is_refused)
{
    const size_t whole = length;
    for (length = 0; length < whole; length += length < 200 ? 1 : 999)
        expect_refused(length < NETWORK_HEADER_BYTES ? "a header alone has 64" : "cut short");
    length = whole - 1;
    expect_refused("cut short");
    uint8_t *longer = memory_allocate(whole + 1);
    memcpy(longer, bytes, whole);
    memory_free(bytes);
    bytes = longer;
    length = whole + 1;
    expect_refused("too long");
}
END_TEST

START_TEST(any_changed_byte_is_noticed)
{
    uint64_t seed = 1;
    for (unsigned i = 0; i < 40; i++) {
        const size_t at = 64 + random_below(&seed, length - 64);
        bytes[at] ^= (uint8_t)(1u << random_below(&seed, 8));
        expect_refused("damaged");
        bytes[at] ^= 0xffu;
        paper_network_sign(bytes, length); /* Whatever stands there now. */
    }
}
END_TEST

/* What is signed but cannot be. */
START_TEST(a_writers_mistakes_are_named)
{
    static const struct {
        size_t from_map; /* Bytes behind the start of the area map, or before it. */
        uint8_t value;
        const char *reason;
    } wrong[] = {
        {(size_t)-64, 7, "byte 0 of its description is no text"},
        {(size_t)-1, 1, "what pads its description"},
        {0, 5, "names area 5 of 5"},
        {7, 1, "not the same on both halves"},
    };
    const size_t map = paper_area_map(&PAPER_ODD);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const uint8_t kept = bytes[map + wrong[i].from_map];
        bytes[map + wrong[i].from_map] = wrong[i].value;
        paper_network_sign(bytes, length);
        expect_refused(wrong[i].reason);
        bytes[map + wrong[i].from_map] = kept;
    }
    /* 32 men of weight 1000 and a bias of 767 fill 16 bits, one more does not fit. */
    const size_t rows = paper_payload(&PAPER_ODD);
    uint8_t *weight = bytes + rows + 2 * 10, *bias = bytes + rows + (5 * 768 * 48 + 10) * 2;
    bytes_put16(weight, (uint16_t)-1000);
    bytes_put16(bias, 767);
    paper_network_sign(bytes, length);
    struct rk_network *network = NULL;
    ck_assert_msg(parse(&network) == RK_OK, "%s", error);
    network_destroy(network);
    bytes_put16(bias, 768);
    paper_network_sign(bytes, length);
    expect_refused("unit 10 of its accumulator could overflow: bias 768, weights up to 1000");
}
END_TEST

START_TEST(files_are_read)
{
    char path[] = "/tmp/rookery_network_XXXXXX";
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    struct rk_network *network = NULL;
    ck_assert_int_eq(rk_network_load(path, &network, error), RK_BAD_ARGUMENT);
    ck_assert_msg(strstr(error, "it has 0 bytes") != NULL, "%s", error);
    ck_assert_int_eq(write(file, bytes, length), (ssize_t)length);
    ck_assert_int_eq(rk_network_load(path, &network, error), RK_OK);
    ck_assert_str_eq(rk_network_description(network), "paper with areas");
    rk_network_unload(network);
    network = NULL;
    ck_assert_int_eq(ftruncate(file, (off_t)1 << 28), 0);
    ck_assert_int_eq(rk_network_load(path, &network, error), RK_BAD_ARGUMENT);
    ck_assert_msg(strstr(error, "no network has more than") != NULL, "%s", error);
    close(file);
    unlink(path);
    ck_assert_int_eq(rk_network_load(path, &network, error), RK_SYSTEM);
    ck_assert_msg(strstr(error, "cannot be opened: No such file") != NULL, "%s", error);
    ck_assert_int_eq(rk_network_load("/tmp", &network, error), RK_SYSTEM);
    ck_assert_msg(strstr(error, "cannot be opened: Is a directory") != NULL, "%s", error);
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* Nobody will ever write into it. */
    ck_assert_int_eq(rk_network_load(path, &network, error), RK_SYSTEM);
    ck_assert_msg(strstr(error, "no ordinary file") != NULL, "%s", error);
    unlink(path);
    ck_assert_ptr_null(network);
    rk_network_unload(NULL);
}
END_TEST

/* The largest shape there is. */
START_TEST(the_widest_is_read)
{
    const struct paper_shape widest = {2, 1024, 8, 1, "", 400};
    memory_free(bytes);
    bytes = paper_network(&widest, 2, &length);
    struct rk_network *network = NULL;
    ck_assert_msg(parse(&network) == RK_OK, "%s", error);
    ck_assert_uint_eq(network->width, 1024);
    network_destroy(network);
}
END_TEST

Suite *suite_network(void)
{
    Suite *suite = suite_create("network");
    TCase *tests = tcase_create("network");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, crc_is_the_usual_one);
    tcase_add_test(tests, numbers_are_where_the_file_has_them);
    tcase_add_test(tests, buckets_go_by_men);
    tcase_add_test(tests, a_wrong_header_is_named);
    tcase_add_test(tests, any_other_length_is_refused);
    tcase_add_test(tests, any_changed_byte_is_noticed);
    tcase_add_test(tests, a_writers_mistakes_are_named);
    tcase_add_test(tests, files_are_read);
    tcase_add_test(tests, the_widest_is_read);
    suite_add_tcase(suite, tests);
    return suite;
}
