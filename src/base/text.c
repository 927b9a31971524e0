#include "base/text.h"

#include <string.h>

#include "base/check.h"

enum { DECIMAL = 10, UINT64_DIGITS_MAX = 20 };

static bool is_blank(char byte) { return (unsigned char)byte <= ' '; }
static char lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte - 'A' + 'a') : byte;
}

struct slice slice_of(const char *literal) { return (struct slice){literal, strlen(literal)}; }

bool slice_equal(struct slice slice, const char *literal)
{
    const size_t length = strlen(literal);
    return slice.length == length && (length == 0 || memcmp(slice.bytes, literal, length) == 0);
}

bool slice_same_fold(struct slice a, struct slice b)
{
    if (a.length != b.length)
        return false;
    for (size_t i = 0; i < a.length; i++)
        if (lower(a.bytes[i]) != lower(b.bytes[i]))
            return false;
    return true;
}

bool slice_equal_fold(struct slice slice, const char *literal)
{
    return slice_same_fold(slice, slice_of(literal));
}

struct slice slice_trim(struct slice slice)
{
    while (slice.length > 0 && is_blank(slice.bytes[slice.length - 1]))
        slice.length--;
    while (slice.length > 0 && is_blank(slice.bytes[0])) {
        slice.bytes++;
        slice.length--;
    }
    return slice;
}

struct slice slice_next_word(struct slice *rest)
{
    size_t start = 0;
    while (start < rest->length && is_blank(rest->bytes[start]))
        start++;
    size_t end = start;
    while (end < rest->length && !is_blank(rest->bytes[end]))
        end++;
    if (end == 0)
        return (struct slice){rest->bytes, 0};
    const struct slice word = {rest->bytes + start, end - start};
    rest->bytes += end;
    rest->length -= end;
    return word;
}

/* Counts downwards, where int64_t has one more number than upwards. */
enum number number_parse(struct slice slice, int64_t min, int64_t max, int64_t *out_number)
{
    ASSERT(min <= max);
    size_t i = 0;
    const bool is_negative = slice.length > 0 && slice.bytes[0] == '-';
    if (is_negative || (slice.length > 0 && slice.bytes[0] == '+'))
        i = 1;
    if (i == slice.length)
        return NUMBER_NONE;
    int64_t negated = 0;
    bool is_saturated = false;
    for (; i < slice.length; i++) {
        const char byte = slice.bytes[i];
        if (byte < '0' || byte > '9')
            return NUMBER_NONE;
        const int64_t digit = byte - '0';
        if (is_saturated || negated < (INT64_MIN + digit) / DECIMAL)
            is_saturated = true;
        else
            negated = negated * DECIMAL - digit;
    }
    if (!is_negative && negated == INT64_MIN)
        is_saturated = true;
    if (is_saturated) {
        *out_number = is_negative ? min : max;
        return is_negative ? NUMBER_LOW : NUMBER_HIGH;
    }
    const int64_t number = is_negative ? negated : -negated;
    *out_number = number < min ? min : number > max ? max : number;
    return number < min ? NUMBER_LOW : number > max ? NUMBER_HIGH : NUMBER_OK;
}

void text_init(struct text *text, char *buffer, size_t capacity)
{
    ASSERT(capacity >= 1);
    *text = (struct text){.bytes = buffer, .capacity = capacity};
    buffer[0] = '\0';
}

bool text_add_slice(struct text *text, struct slice slice)
{
    ASSERT(text->length < text->capacity);
    if (text->is_cut || slice.length >= text->capacity - text->length) {
        text->is_cut = true;
        return false;
    }
    if (slice.length > 0)
        memcpy(text->bytes + text->length, slice.bytes, slice.length);
    text->length += slice.length;
    text->bytes[text->length] = '\0';
    return true;
}

bool text_add(struct text *text, const char *literal)
{
    return text_add_slice(text, slice_of(literal));
}

bool text_add_char(struct text *text, char character)
{
    return text_add_slice(text, (struct slice){&character, 1});
}

bool text_add_uint(struct text *text, uint64_t number)
{
    char digits[UINT64_DIGITS_MAX];
    size_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + number % DECIMAL);
        number /= DECIMAL;
    } while (number > 0);
    return text_add_slice(text, (struct slice){digits + first, sizeof digits - first});
}

bool text_add_int(struct text *text, int64_t number)
{
    if (number >= 0)
        return text_add_uint(text, (uint64_t)number);
    char buffer[UINT64_DIGITS_MAX + 2];
    struct text piece;
    text_init(&piece, buffer, sizeof buffer);
    (void)text_add_char(&piece, '-');
    (void)text_add_uint(&piece, UINT64_C(0) - (uint64_t)number);
    return text_add_slice(text, (struct slice){piece.bytes, piece.length});
}

bool text_add_quoted(struct text *text, struct slice slice, size_t bytes_max)
{
    const size_t shown = slice.length < bytes_max ? slice.length : bytes_max;
    for (size_t i = 0; i < shown; i++) {
        const char byte = slice.bytes[i];
        (void)text_add_char(text, byte >= ' ' && byte <= '~' ? byte : '?');
    }
    return shown == slice.length ? !text->is_cut : text_add(text, "...");
}
