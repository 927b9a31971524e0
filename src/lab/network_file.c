#include "lab/network_file.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/crc.h"

enum {
    PAD_BYTES = 64, /* The description is padded to a multiple of it. */
    MAP_BYTES = NETWORK_KINGS
};

static const char MAGIC[8] = NETWORK_FILE_MAGIC;

static size_t description_length(const struct network_file *file)
{
    return strnlen(file->description, NETWORK_DESCRIPTION_BYTES_MAX);
}
/* With its padding. */
static size_t description_size(const struct network_file *file)
{
    return (description_length(file) + PAD_BYTES - 1) / PAD_BYTES * PAD_BYTES;
}

static size_t payload_size(const struct network_layout *layout)
{
    const size_t features = layout->output_weights * sizeof(int16_t);
    const size_t outputs = layout->output_biases - layout->output_weights;
    return features + (outputs + 3) / 4 * 4 + layout->shape.buckets * sizeof(int32_t);
}

size_t network_file_size(const struct network_file *file)
{
    return NETWORK_HEADER_BYTES + description_size(file) + MAP_BYTES + payload_size(file->layout);
}

/* The nearest whole number of units, held within -max … max. */
static int32_t units_of(float value, int32_t units, int32_t max)
{
    const long whole = lrint((double)value * units);
    return whole > max ? max : whole < -max ? -max : (int32_t)whole;
}

static void payload_fill(const struct network_file *file, uint8_t *out_bytes)
{
    const struct network_layout *layout = file->layout;
    const float *values = file->values;
    uint8_t *next = out_bytes;
    for (size_t i = 0; i < layout->output_weights; i++, next += sizeof(int16_t))
        bytes_put16(next, (uint16_t)units_of(values[i], NETWORK_QA, INT16_MAX));
    for (size_t i = layout->output_weights; i < layout->output_biases; i++)
        *next++ = (uint8_t)units_of(values[i], NETWORK_QB, NETWORK_OUTPUT_WEIGHT_MAX);
    next = out_bytes + payload_size(layout) - layout->shape.buckets * sizeof(int32_t);
    for (unsigned i = 0; i < layout->shape.buckets; i++, next += sizeof(int32_t))
        bytes_put32(next, (uint32_t)units_of(values[layout->output_biases + i],
                                             NETWORK_QA * NETWORK_QB, INT32_MAX / 2));
}

void network_file_fill(const struct network_file *file, uint8_t *out_bytes)
{
    const struct network_layout *layout = file->layout;
    const size_t description = description_size(file), size = network_file_size(file);
    const uint32_t words[] = {NETWORK_FILE_VERSION,
                              (uint32_t)description_length(file),
                              layout->shape.areas,
                              layout->shape.hidden,
                              layout->shape.buckets,
                              NETWORK_ACTIVATION,
                              NETWORK_QA,
                              NETWORK_QB,
                              file->scale};
    uint8_t *next = out_bytes + sizeof MAGIC, *body = out_bytes + NETWORK_HEADER_BYTES;
    memcpy(out_bytes, MAGIC, sizeof MAGIC);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++, next += sizeof(uint32_t))
        bytes_put32(next, words[i]);
    memcpy(body, file->description, description_length(file));
    memcpy(body + description, layout->areas_by_king, MAP_BYTES);
    payload_fill(file, body + description + MAP_BYTES);
    bytes_put32(next, crc_add(0, body, size - NETWORK_HEADER_BYTES));
    bytes_put64(next + sizeof(uint32_t), payload_size(layout));
}
