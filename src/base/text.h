/* base/text.h: text without allocation: borrowed slices in, bounded builders out, numbers both
 * ways. Input bytes may be any bytes; nothing here needs a final zero to read.
 * Thread: any. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that belong to somebody else. */
struct slice {
    const char *bytes; /* May be NULL when length is 0. */
    size_t length;
};

struct slice slice_of(const char *literal);
bool slice_equal(struct slice slice, const char *literal);
/* Without regard to the case of ASCII letters. */
bool slice_equal_fold(struct slice slice, const char *literal);
bool slice_same_fold(struct slice a, struct slice b);
/* Blank are all bytes up to and including ' ': tab, CR, and the zero byte, too. */
struct slice slice_trim(struct slice slice);
/* Takes the next run of bytes that are not blank off the front of `rest`; length 0 at its end. */
struct slice slice_next_word(struct slice *rest);

enum number {
    NUMBER_OK,
    NUMBER_LOW,  /* Below min. */
    NUMBER_HIGH, /* Above max. */
    NUMBER_NONE  /* Not a decimal number. */
};

/* Reads a whole slice of decimal digits with an optional sign. However many digits there are, LOW
 * and HIGH are told rightly and *out_number is the nearest bound; on NONE it is untouched. */
enum number number_parse(struct slice slice, int64_t min, int64_t max, int64_t *out_number);

/* Builds text in a buffer that belongs to somebody else. Always ends in a zero byte; what does not
 * fit is left out, from the first piece that does not fit on. */
struct text {
    char *bytes;
    size_t length;   /* Without the final zero. */
    size_t capacity; /* With the final zero. */
    bool is_cut;     /* Something did not fit. */
};

void text_init(struct text *text, char *buffer, size_t capacity); /* capacity at least 1. */
/* Each piece is added whole or not at all; false when not. */
bool text_add(struct text *text, const char *literal);
bool text_add_slice(struct text *text, struct slice slice);
bool text_add_char(struct text *text, char character);
bool text_add_int(struct text *text, int64_t number);
bool text_add_uint(struct text *text, uint64_t number);
/* For showing what a stranger sent: bytes that are not printable ASCII become '?', and after
 * `bytes_max` bytes comes "...". */
bool text_add_quoted(struct text *text, struct slice slice, size_t bytes_max);

#endif
