#include "server/access.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/random.h"
#include "server/suites.h"

enum { CLIENTS = 32, STEPS = 20000 };

static struct origin of(const char *number)
{
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    if (inet_pton(AF_INET, number, &ipv4.sin_addr) == 1)
        return origin_of((const struct sockaddr *)&ipv4);
    ck_assert_int_eq(inet_pton(AF_INET6, number, &ipv6.sin6_addr), 1);
    return origin_of((const struct sockaddr *)&ipv6);
}

static bool is_same(const char *a, const char *b)
{
    struct access access;
    uint32_t first = 0;
    uint32_t second = 0;
    ck_assert(access_create(&access, CLIENTS, 0) == RK_OK);
    ck_assert(access_enter(&access, of(a), &first) == RK_OK);
    ck_assert(access_enter(&access, of(b), &second) == RK_OK);
    access_destroy(&access);
    return first == second;
}

START_TEST(an_address_is_what_one_customer_has)
{
    ck_assert(is_same("192.0.2.1", "192.0.2.1"));
    ck_assert(!is_same("192.0.2.1", "192.0.2.2"));
    ck_assert(is_same("192.0.2.1", "::ffff:192.0.2.1"));
    ck_assert(is_same("2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff"));
    ck_assert(!is_same("2001:db8:0:1::1", "2001:db8:0:2::1"));
    ck_assert(!is_same("::1", "0.0.0.0"));
    ck_assert(!is_same("c000:201::", "192.0.2.1"));
}
END_TEST

START_TEST(all_unix_sockets_are_one_address)
{
    struct access access;
    const struct sockaddr unnamed = {.sa_family = AF_UNIX};
    uint32_t first = 0;
    uint32_t second = 0;
    ck_assert(access_create(&access, CLIENTS, 1) == RK_OK);
    ck_assert(access_enter(&access, origin_of(NULL), &first) == RK_OK);
    ck_assert(access_enter(&access, origin_of(&unnamed), &second) == RK_BUSY);
    ck_assert(access_enter(&access, of("127.0.0.1"), &second) == RK_OK);
    ck_assert_uint_ne(first, second);
    access_leave(&access, first);
    ck_assert(access_enter(&access, origin_of(&unnamed), &first) == RK_OK);
    access_destroy(&access);
}
END_TEST

/* Against a count kept beside. */
START_TEST(counts_are_right_at_random)
{
    enum { NUMBERS = 12, MOST = 4 };
    struct access access;
    uint32_t address_of[CLIENTS]; /* The number its client came with; NUMBERS: it is not here. */
    uint32_t given[CLIENTS] = {0};
    uint32_t counts[NUMBERS] = {0};
    uint64_t random = 4;
    ck_assert(access_create(&access, CLIENTS, MOST) == RK_OK);
    for (int i = 0; i < CLIENTS; i++)
        address_of[i] = NUMBERS;
    for (int step = 0; step < STEPS; step++) {
        const uint32_t client = (uint32_t)random_below(&random, CLIENTS);
        const uint32_t number = (uint32_t)random_below(&random, NUMBERS);
        struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = number};
        if (address_of[client] < NUMBERS) {
            access_leave(&access, given[client]);
            counts[address_of[client]]--;
            address_of[client] = NUMBERS;
            continue;
        }
        const enum rk_status status =
            access_enter(&access, origin_of((const struct sockaddr *)&name), &given[client]);
        ck_assert_int_eq(status, counts[number] < MOST ? RK_OK : RK_BUSY);
        if (status != RK_OK)
            continue;
        address_of[client] = number;
        counts[number]++;
        ck_assert_uint_eq(access.visitors[given[client]].client_count, counts[number]);
    }
    access_destroy(&access);
}
END_TEST

Suite *suite_access(void)
{
    Suite *suite = suite_create("access");
    TCase *tests = tcase_create("access");
    tcase_add_test(tests, an_address_is_what_one_customer_has);
    tcase_add_test(tests, all_unix_sockets_are_one_address);
    tcase_add_test(tests, counts_are_right_at_random);
    suite_add_tcase(suite, tests);
    return suite;
}
