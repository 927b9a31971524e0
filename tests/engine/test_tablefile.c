#include "engine/tablefile.h"

#include <stdio.h>
#include <string.h>

#include "engine/suites.h"
#include "engine/tables.h"

START_TEST(names_of_tables_are_known)
{
    struct tablefile_men men;
    enum tablefile_kind kind;
    static const char *const BAD[] = {
        "",         "K",         "KvK.rtbw",  "KQvKR",          "KQvKR.rtbm",  "KQKR.rtbw",
        "QvK.rtbw", "KQvR.rtbw", "kQvK.rtbw", "KQQQQQQvK.rtbw", "KQvKR.rtbwx", "KXvK.rtbw"};
    for (unsigned i = 0; i < sizeof BAD / sizeof *BAD; i++)
        ck_assert_msg(!tablefile_parse(BAD[i], &men, &kind), "%s", BAD[i]);
    ck_assert(tablefile_parse("KQPPvKRN.rtbz", &men, &kind));
    ck_assert(kind == TABLEFILE_DTZ);
    ck_assert_uint_eq(tablefile_men_total(&men), 7);
    ck_assert_uint_eq(men.count[WHITE][PAWN], 2);
    ck_assert_uint_eq(men.count[WHITE][QUEEN], 1);
    ck_assert_uint_eq(men.count[BLACK][ROOK], 1);
    ck_assert_uint_eq(men.count[BLACK][KNIGHT], 1);
}
END_TEST

/* Bytes that leave all sizes as they were, but would send a reader round and round or astray. */
START_TEST(what_would_lead_a_reader_astray_is_told)
{
    static const struct {
        const char *name;
        size_t at;
        uint8_t byte;
    } cases[] = {
        {"KPvK.rtbw", 875, 0x0d}, /* A symbol made of itself, */
        {"KQvK.rtbw", 38, 0},     /* the same, of the first one, */
        {"KQvK.rtbw", 38, 0x11},  /* and of one too many. */
        {"KQvK.rtbw", 77, 5},     /* Better than a win, packed, */
        {"KQvK.rtbw", 11, 5},     /* and as the only value. */
        {"KQvK.rtbw", 4, 0x30},   /* One side, of two that differ. */
        {"KQvK.rtbw", 5, 0x01},   /* The leading men's turn never comes; */
        {"KQvK.rtbw", 5, 0x10},   /* the same with the other side to move. */
        {"KQvK.rtbw", 7, 0x66},   /* Another order for the other side: no queen. */
        {"KQvK.rtbw", 22, 0x7f},  /* Codes beyond the symbols, */
        {"KQvK.rtbw", 34, 0x10},  /* and fewer than none of the longest. */
        {"KQvK.rtbw", 90, 1},     /* The index: another block, */
        {"KQvK.rtbw", 93, 0x80},  /* one that is not there, */
        {"KQvK.rtbw", 95, 0x41},  /* another place in it. */
        {"KQvK.rtbw", 96, 0x2a},  /* A block of one position more; */
        {"KQvK.rtbw", 98, 0},     /* one of fewer. */
    };
    static uint8_t bytes[TABLE_BYTES_MAX];
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tablefile_men men;
        enum tablefile_kind kind;
        bool is_wide;
        const size_t length = table_read(cases[i].name, bytes);
        ck_assert(tablefile_parse(cases[i].name, &men, &kind));
        bytes[cases[i].at] = cases[i].byte;
        const char *fault = tablefile_fault(bytes, length, &men, kind, &is_wide);
        ck_assert_msg(fault != NULL && strcmp(fault, "is not what its name says") == 0,
                      "%s, byte %zu: %s", cases[i].name, cases[i].at, fault);
    }
}
END_TEST

Suite *suite_tablefile(void)
{
    Suite *suite = suite_create("tablefile");
    TCase *heads = tcase_create("heads");
    tcase_add_test(heads, names_of_tables_are_known);
    tcase_add_test(heads, what_would_lead_a_reader_astray_is_told);
    suite_add_tcase(suite, heads);
    return suite;
}
