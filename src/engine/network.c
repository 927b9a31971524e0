/* A file is checked from the front: the header's fields one by one, then the length they ask for,
 * then the checksum, then what a checksum cannot know. Only then is memory asked for. */
#include "engine/network.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/check.h"
#include "base/crc.h"
#include "base/file.h"
#include "base/memory.h"

enum {
    AREA_MAP_BYTES = SQUARE_COUNT,
    PAYLOAD_STEP = 4, /* Output biases stand on such an offset. */
    INT16_BYTES = 2,
    INT32_BYTES = 4,
    FIRST_PRINTABLE = 0x20
};

/* No shape asks for more. */
static const size_t FILE_BYTES_MAX =
    NETWORK_HEADER_BYTES + NETWORK_DESCRIPTION_BYTES_MAX + NETWORK_DESCRIPTION_STEP +
    AREA_MAP_BYTES + (size_t)NETWORK_AREAS_MAX * NETWORK_INPUTS * NETWORK_UNITS_MAX * INT16_BYTES +
    (size_t)NETWORK_UNITS_MAX * INT16_BYTES + (size_t)NETWORK_BUCKETS_MAX * NETWORK_UNITS_MAX * 2 +
    (size_t)NETWORK_BUCKETS_MAX * INT32_BYTES;

/* The parts of a file whose header is good. */
struct parts {
    size_t description_bytes;
    const uint8_t *description, *area_map, *rows, *biases, *output_weights, *output_biases;
};

__attribute__((format(printf, 2, 3))) static enum rk_status
refuse(char out_error[RK_NETWORK_ERROR_BYTES_MAX], const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)vsnprintf(out_error, RK_NETWORK_ERROR_BYTES_MAX, format, values);
    va_end(values);
    return RK_BAD_ARGUMENT;
}

static size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

/* One field of the header: the values it may have. */
struct field {
    const char *name;
    unsigned at;
    uint32_t min, max, step;
};

static const struct field FIELDS[] = {
    {"version", NETWORK_AT_VERSION, NETWORK_VERSION, NETWORK_VERSION, 1},
    {"length of the description", NETWORK_AT_DESCRIPTION_BYTES, 0, NETWORK_DESCRIPTION_BYTES_MAX,
     1},
    {"number of king areas", NETWORK_AT_AREAS, 1, NETWORK_AREAS_MAX, 1},
    {"size of an accumulator", NETWORK_AT_UNITS, NETWORK_UNITS_STEP, NETWORK_UNITS_MAX,
     NETWORK_UNITS_STEP},
    {"number of output buckets", NETWORK_AT_BUCKETS, 1, NETWORK_BUCKETS_MAX, 1},
    {"activation", NETWORK_AT_ACTIVATION, NETWORK_ACTIVATION_SQUARED, NETWORK_ACTIVATION_SQUARED,
     1},
    {"unit of accumulators", NETWORK_AT_QA, NETWORK_QA, NETWORK_QA, 1},
    {"unit of output weights", NETWORK_AT_QB, NETWORK_QB, NETWORK_QB, 1},
    {"scale", NETWORK_AT_SCALE, 1, NETWORK_SCALE_MAX, 1},
};

static enum rk_status check_header(const uint8_t *bytes, size_t length,
                                   char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    if (length < NETWORK_HEADER_BYTES)
        return refuse(out_error, "it has %zu bytes, a header alone has %d", length,
                      NETWORK_HEADER_BYTES);
    if (memcmp(bytes + NETWORK_AT_MAGIC, NETWORK_MAGIC, sizeof NETWORK_MAGIC) != 0)
        return refuse(out_error, "it is no network: it does not begin with \"" NETWORK_MAGIC "\"");
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        const struct field *field = &FIELDS[i];
        const uint32_t value = bytes_get32(bytes + field->at);
        if (value >= field->min && value <= field->max && value % field->step == 0)
            continue;
        if (field->min == field->max)
            return refuse(out_error, "its %s is %u, not %u", field->name, value, field->min);
        return refuse(out_error, "its %s is %u, not from %u to %u%s", field->name, value,
                      field->min, field->max, field->step > 1 ? " in steps of 16" : "");
    }
    if (bytes_get64(bytes + NETWORK_AT_ZERO) != 0)
        return refuse(out_error, "the last eight bytes of its header are not zero");
    return RK_OK;
}

static enum rk_status check_length(const uint8_t *bytes, size_t length, struct parts *out_parts,
                                   char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    const size_t description_bytes = bytes_get32(bytes + NETWORK_AT_DESCRIPTION_BYTES);
    const size_t areas = bytes_get32(bytes + NETWORK_AT_AREAS);
    const size_t units = bytes_get32(bytes + NETWORK_AT_UNITS);
    const size_t buckets = bytes_get32(bytes + NETWORK_AT_BUCKETS);
    const size_t row_bytes = areas * NETWORK_INPUTS * units * INT16_BYTES;
    const size_t bias_bytes = units * INT16_BYTES;
    const size_t weight_bytes = round_up(buckets * 2 * units, PAYLOAD_STEP);
    const size_t payload_bytes = row_bytes + bias_bytes + weight_bytes + buckets * INT32_BYTES;
    const uint64_t told_bytes = bytes_get64(bytes + NETWORK_AT_PAYLOAD_BYTES);
    if (told_bytes != payload_bytes)
        return refuse(out_error, "its header tells of %ju bytes of numbers, its shape needs %zu",
                      (uintmax_t)told_bytes, payload_bytes);
    const size_t before = NETWORK_HEADER_BYTES +
                          round_up(description_bytes, NETWORK_DESCRIPTION_STEP) + AREA_MAP_BYTES;
    if (length != before + payload_bytes)
        return refuse(out_error, "it has %zu bytes, its header asks for %zu: it is %s", length,
                      before + payload_bytes,
                      length < before + payload_bytes ? "cut short" : "too long");
    out_parts->description_bytes = description_bytes;
    out_parts->description = bytes + NETWORK_HEADER_BYTES;
    out_parts->area_map = bytes + before - AREA_MAP_BYTES;
    out_parts->rows = bytes + before;
    out_parts->biases = out_parts->rows + row_bytes;
    out_parts->output_weights = out_parts->biases + bias_bytes;
    out_parts->output_biases = out_parts->output_weights + weight_bytes;
    return RK_OK;
}

static enum rk_status check_sum(const uint8_t *bytes, size_t length,
                                char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    const uint32_t told = bytes_get32(bytes + NETWORK_AT_CRC);
    const uint32_t counted =
        crc_add(0, bytes + NETWORK_HEADER_BYTES, length - NETWORK_HEADER_BYTES);
    return told == counted
               ? RK_OK
               : refuse(out_error, "it is damaged: its checksum is %08x, not %08x", counted, told);
}

/* What a checksum cannot know: a writer's mistakes. */
static enum rk_status check_words(const struct parts *parts, size_t areas,
                                  char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    for (size_t i = 0; i < parts->description_bytes; i++)
        if (parts->description[i] < FIRST_PRINTABLE && parts->description[i] != '\n')
            return refuse(out_error, "byte %zu of its description is no text", i);
    for (const uint8_t *rest = parts->description + parts->description_bytes;
         rest < parts->area_map; rest++)
        if (*rest != 0)
            return refuse(out_error, "what pads its description is not zero");
    for (unsigned square = 0; square < SQUARE_COUNT; square++) {
        const unsigned area = parts->area_map[square];
        if (area >= areas)
            return refuse(out_error, "its map of king areas names area %u of %zu", area, areas);
        if (area != parts->area_map[square ^ 7u])
            return refuse(out_error, "its map of king areas is not the same on both halves");
    }
    return RK_OK;
}

static int magnitude(int value) { return value < 0 ? -value : value; }

/* With all the men there can be, each of the greatest weight, no accumulator may overflow. */
static enum rk_status check_reach(const struct parts *parts, size_t rows, size_t units,
                                  char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    int greatest[NETWORK_UNITS_MAX] = {0};
    for (size_t i = 0; i < rows; i++)
        for (size_t unit = 0; unit < units; unit++) {
            const uint8_t *at = parts->rows + (i * units + unit) * INT16_BYTES;
            const int weight = magnitude((int16_t)bytes_get16(at));
            greatest[unit] = weight > greatest[unit] ? weight : greatest[unit];
        }
    for (size_t unit = 0; unit < units; unit++) {
        const int bias = magnitude((int16_t)bytes_get16(parts->biases + unit * INT16_BYTES));
        if (bias + NETWORK_MEN_MAX * greatest[unit] > INT16_MAX)
            return refuse(out_error,
                          "unit %zu of its accumulator could overflow: bias %d, weights up to %d",
                          unit, bias, greatest[unit]);
    }
    return RK_OK;
}

/* `count` numbers, and zeros up to `width`. */
static void take_row(int16_t *out_row, const uint8_t *from, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out_row[i] = (int16_t)bytes_get16(from + (size_t)i * INT16_BYTES);
}

/* The block: the struct, then rows, biases, output weights, each row padded to `width`. */
static struct rk_network *furnish(const uint8_t *bytes, const struct parts *parts)
{
    const unsigned areas = bytes_get32(bytes + NETWORK_AT_AREAS);
    const unsigned units = bytes_get32(bytes + NETWORK_AT_UNITS);
    const unsigned buckets = bytes_get32(bytes + NETWORK_AT_BUCKETS);
    const unsigned width = (unsigned)round_up(units, NETWORK_TILE);
    const size_t row_count = (size_t)areas * NETWORK_INPUTS;
    const size_t head_bytes = round_up(sizeof(struct rk_network), NETWORK_ALIGNMENT);
    const size_t size =
        head_bytes + (row_count + 1 + (size_t)buckets * 2) * width * sizeof(int16_t);
    struct rk_network *network = memory_allocate_large(size);
    if (network == NULL)
        return NULL;
    int16_t *rows = (void *)((char *)network + head_bytes);
    int16_t *biases = rows + row_count * width;
    int16_t *output_weights = biases + width;
    for (size_t i = 0; i < row_count; i++)
        take_row(rows + i * width, parts->rows + i * units * INT16_BYTES, units);
    take_row(biases, parts->biases, units);
    for (size_t row = 0; row < (size_t)buckets * 2; row++)
        for (unsigned i = 0; i < units; i++)
            output_weights[row * width + i] = (int8_t)parts->output_weights[row * units + i];
    for (unsigned i = 0; i < buckets; i++)
        network->output_biases[i] =
            (int32_t)bytes_get32(parts->output_biases + (size_t)i * INT32_BYTES);
    network->areas = areas;
    network->units = units;
    network->width = width;
    network->buckets = buckets;
    network->scale = (int)bytes_get32(bytes + NETWORK_AT_SCALE);
    memcpy(network->area_of, parts->area_map, sizeof network->area_of);
    memcpy(network->description, parts->description, parts->description_bytes);
    network->rows = rows;
    network->biases = biases;
    network->output_weights = output_weights;
    network->bytes = size;
    return network;
}

enum rk_status network_parse(const uint8_t *bytes, size_t length, struct rk_network **out_network,
                             char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    struct parts parts = {.description_bytes = 0};
    enum rk_status status = check_header(bytes, length, out_error);
    if (status == RK_OK)
        status = check_length(bytes, length, &parts, out_error);
    if (status == RK_OK)
        status = check_sum(bytes, length, out_error);
    if (status != RK_OK)
        return status;
    const size_t areas = bytes_get32(bytes + NETWORK_AT_AREAS);
    const size_t units = bytes_get32(bytes + NETWORK_AT_UNITS);
    status = check_words(&parts, areas, out_error);
    if (status == RK_OK)
        status = check_reach(&parts, areas * NETWORK_INPUTS, units, out_error);
    if (status != RK_OK)
        return status;
    struct rk_network *network = furnish(bytes, &parts);
    if (network == NULL) {
        (void)refuse(out_error, "there is no memory for it");
        return RK_NO_MEMORY;
    }
    *out_network = network;
    return RK_OK;
}

static enum rk_status read_file(FILE *file, struct rk_network **out_network,
                                char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    struct stat facts;
    if (fstat(fileno(file), &facts) != 0) {
        (void)refuse(out_error, "it cannot be read: %s", strerror(errno));
        return RK_SYSTEM;
    }
    const size_t length = (size_t)facts.st_size;
    if (length > FILE_BYTES_MAX)
        return refuse(out_error, "it has %zu bytes, no network has more than %zu", length,
                      FILE_BYTES_MAX);
    uint8_t *bytes = memory_allocate(length + 1);
    if (bytes == NULL) {
        (void)refuse(out_error, "there is no memory for it");
        return RK_NO_MEMORY;
    }
    const size_t count = fread(bytes, 1, length, file);
    enum rk_status status = RK_SYSTEM;
    if (ferror(file) != 0)
        (void)refuse(out_error, "it cannot be read: %s", strerror(errno));
    else
        status = network_parse(bytes, count, out_network, out_error);
    memory_free(bytes);
    return status;
}

enum rk_status network_read(const char *path, struct rk_network **out_network,
                            char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    FILE *file = file_open_stream(path);
    if (file == NULL) {
        (void)refuse(out_error, "it cannot be opened: %s", file_error_text(errno));
        return RK_SYSTEM;
    }
    const enum rk_status status = read_file(file, out_network, out_error);
    (void)fclose(file);
    return status;
}

void network_destroy(struct rk_network *network)
{
    if (network != NULL)
        memory_free_large(network, network->bytes);
}
