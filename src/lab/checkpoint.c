/* A line a field, always in this order; a row is its name, start, low, high, step and value:
 *
 *     rookery tune checkpoint 2
 *     iterations 1000
 *     …
 *     row RAZOR_BASE 180 50 600 27.5 183.20000000000002
 *     end
 */
#include "lab/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "lab/wholefile.h"

enum { FILE_BYTES_MAX = 128 * 1024, WORD_BYTES_MAX = 64 };

#define HEAD_WORDS "rookery tune checkpoint "
#define HEAD       HEAD_WORDS "2"

static void rows_print(FILE *file, const struct tune *tune)
{
    const struct spsa *spsa = &tune->spsa;
    for (unsigned i = 0; i < spsa->count; i++) {
        const struct spsa_row *row = &spsa->rows[i];
        (void)fprintf(file, "row %s %.17g %.17g %.17g %.17g %.17g\n", row_at(tune->rows[i])->name,
                      row->start, row->low, row->high, row->step, spsa->values[i]);
    }
}

static void tune_print(FILE *file, const struct tune *tune)
{
    const struct spsa *spsa = &tune->spsa;
    (void)fprintf(file,
                  HEAD "\niterations %" PRIu64 "\ndone %" PRIu64 "\nseed %" PRIu64
                       "\nrate %.17g\npairs %" PRIu64 "\nnodes %" PRIu64 "\nopening_plies %" PRIu64
                       "\nopenings_count %" PRIu64 "\nopenings_checksum %" PRIu64
                       "\nopenings %s\noptions %s\n",
                  spsa->iterations, spsa->done, spsa->seed, spsa->rate, tune->pairs, tune->nodes,
                  tune->opening_plies, tune->openings_count, tune->openings_checksum,
                  tune->openings, tune->options);
    rows_print(file, tune);
    (void)fputs("end\n", file);
}

enum rk_status checkpoint_write(const char *path, const struct tune *tune)
{
    FILE *file = wholefile_begin(path);
    if (file == NULL)
        return RK_SYSTEM;
    tune_print(file, tune);
    return wholefile_end(file, path) ? RK_OK : RK_SYSTEM;
}

/* Lines are taken one by one; after a fault nothing more is taken. */
struct reader {
    struct slice rest;
    struct checkpoint_fault fault; /* line: of the line taken last. */
};

static bool has_failed(const struct reader *reader) { return reader->fault.what != NULL; }

static void fail(struct reader *reader, const char *what)
{
    if (!has_failed(reader))
        reader->fault.what = what;
}

static struct slice take_line(struct reader *reader)
{
    struct slice *rest = &reader->rest;
    reader->fault.line++;
    const char *end = rest->length == 0 ? NULL : memchr(rest->bytes, '\n', rest->length);
    if (end == NULL) {
        fail(reader, "the file ends here, without its last line 'end'");
        return (struct slice){rest->bytes, 0};
    }
    const struct slice line = {rest->bytes, (size_t)(end - rest->bytes)};
    *rest = (struct slice){end + 1, rest->length - line.length - 1};
    return line;
}

/* The next line's words after `key`, which it must begin with. */
static struct slice take(struct reader *reader, const char *key, const char *missing)
{
    if (has_failed(reader))
        return slice_of("");
    struct slice line = take_line(reader);
    if (!slice_equal(slice_next_word(&line), key))
        fail(reader, missing);
    return slice_trim(line);
}
#define TAKE(reader, key) take(reader, key, "this line should begin with '" key "'")

static uint64_t number_take(struct reader *reader, struct slice text, int64_t min, int64_t max)
{
    int64_t number = min;
    if (!has_failed(reader) && number_parse(text, min, max, &number) != NUMBER_OK)
        fail(reader, "no whole number in its range");
    return (uint64_t)number;
}

static double real_take(struct reader *reader, struct slice text)
{
    char word[WORD_BYTES_MAX];
    char *end = word;
    struct text copy;
    text_init(&copy, word, sizeof word);
    const bool fits = text_add_slice(&copy, text);
    const double number = strtod(word, &end);
    if (!fits || end == word || *end != '\0')
        fail(reader, "not a number");
    return number;
}

static void text_take(struct reader *reader, struct slice text, char out_text[TUNE_TEXT_BYTES])
{
    struct text copy;
    text_init(&copy, out_text, TUNE_TEXT_BYTES);
    if (!text_add_slice(&copy, text))
        fail(reader, "too long");
}

/* What follows the word "row". */
static void row_take(struct reader *reader, struct slice words, struct tune *tune)
{
    unsigned row;
    double numbers[5] = {0};
    if (!row_find(slice_next_word(&words), &row)) {
        fail(reader, "the engine has no such row");
        return;
    }
    for (unsigned i = 0; i < 5; i++)
        numbers[i] = real_take(reader, slice_next_word(&words));
    const struct spsa_row wanted = {numbers[0], numbers[1], numbers[2], numbers[3]};
    if (slice_trim(words).length > 0)
        fail(reader, "more than a row's five numbers");
    if (!(numbers[4] >= wanted.low && numbers[4] <= wanted.high))
        fail(reader, "the value is out of its range");
    if (has_failed(reader))
        return;
    if (tune_add_row(tune, row, &wanted) == RK_OK)
        tune->spsa.values[tune->spsa.count - 1] = numbers[4];
    else
        fail(reader, "a row twice, or not low <= start <= high with a step, within its range");
}

static void fields_take(struct reader *reader, struct tune *tune)
{
    struct spsa *spsa = &tune->spsa;
    spsa->iterations = number_take(reader, TAKE(reader, "iterations"), 1, TUNE_ITERATIONS_MAX);
    spsa->done = number_take(reader, TAKE(reader, "done"), 0, (int64_t)spsa->iterations);
    spsa->seed = number_take(reader, TAKE(reader, "seed"), 0, INT64_MAX);
    spsa->rate = real_take(reader, TAKE(reader, "rate"));
    if (!(spsa->rate > 0.0 && spsa->rate <= TUNE_RATE_MAX))
        fail(reader, "the rate is out of its range");
    tune->pairs = number_take(reader, TAKE(reader, "pairs"), 1, TUNE_PAIRS_MAX);
    tune->nodes = number_take(reader, TAKE(reader, "nodes"), 1, INT32_MAX);
    tune->opening_plies = number_take(reader, TAKE(reader, "opening_plies"), 0, OPENING_PLIES_MAX);
    tune->openings_count = number_take(reader, TAKE(reader, "openings_count"), 0, INT64_MAX);
    tune->openings_checksum = number_take(reader, TAKE(reader, "openings_checksum"), 0, UINT32_MAX);
    text_take(reader, TAKE(reader, "openings"), tune->openings);
    text_take(reader, TAKE(reader, "options"), tune->options);
}

static void head_take(struct reader *reader)
{
    const struct slice line = take_line(reader);
    const size_t length = sizeof HEAD_WORDS - 1;
    if (line.length > length && memcmp(line.bytes, HEAD_WORDS, length) == 0 &&
        !slice_equal(line, HEAD))
        fail(reader, "this run was begun by another version of rookery; this one goes on with "
                     "'" HEAD "' alone");
    else if (!slice_equal(line, HEAD))
        fail(reader, "this is not '" HEAD "'");
}

bool checkpoint_parse(struct slice text, struct tune *out_tune, struct checkpoint_fault *out_fault)
{
    struct reader reader = {.rest = text};
    struct tune tune = {.pairs = 0};
    head_take(&reader);
    fields_take(&reader, &tune);
    bool is_whole = false;
    while (!is_whole && !has_failed(&reader)) {
        struct slice line = take_line(&reader);
        const struct slice word = slice_next_word(&line);
        is_whole = slice_equal(word, "end") && slice_trim(line).length == 0;
        if (!is_whole && slice_equal(word, "row"))
            row_take(&reader, line, &tune);
        else if (!is_whole)
            fail(&reader, "neither a row nor the end");
    }
    if (tune.spsa.count == 0)
        fail(&reader, "there is no row");
    if (!has_failed(&reader) && slice_trim(reader.rest).length > 0) {
        reader.fault.line++;
        fail(&reader, "something follows the end");
    }
    if (has_failed(&reader)) {
        *out_fault = reader.fault;
        return false;
    }
    *out_tune = tune;
    return true;
}

enum rk_status checkpoint_read(const char *path, struct tune *out_tune,
                               struct checkpoint_fault *out_fault)
{
    FILE *file = file_open_stream(path);
    if (file == NULL)
        return RK_SYSTEM;
    char *bytes = memory_allocate(FILE_BYTES_MAX);
    enum rk_status status = bytes == NULL ? RK_NO_MEMORY : RK_SYSTEM;
    if (bytes != NULL) {
        const size_t length = fread(bytes, 1, FILE_BYTES_MAX, file);
        const bool is_read = ferror(file) == 0;
        if (is_read)
            status = checkpoint_parse((struct slice){bytes, length}, out_tune, out_fault)
                         ? RK_OK
                         : RK_BAD_ARGUMENT;
    }
    (void)fclose(file);
    memory_free(bytes);
    return status;
}
