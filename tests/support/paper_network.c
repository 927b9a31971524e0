#include "support/paper_network.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/random.h"

enum { HEADER = 64, AREA_MAP = 64, INPUTS = 768 };

static void put(uint8_t *at, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(number >> 8 * i);
}

/* Bit by bit: slow, and nothing to get wrong. */
static uint32_t crc(const uint8_t *bytes, size_t length)
{
    uint32_t rest = 0xffffffffu;
    for (size_t i = 0; i < length; i++) {
        rest ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (0xedb88320u & (0u - (rest & 1u)));
    }
    return ~rest;
}

void paper_network_sign(uint8_t *bytes, size_t length)
{
    put(bytes + 44, crc(bytes + HEADER, length - HEADER), 4);
}

size_t paper_area_map(const struct paper_shape *shape)
{
    return HEADER + (strlen(shape->description) + 63) / 64 * 64;
}

size_t paper_payload(const struct paper_shape *shape) { return paper_area_map(shape) + AREA_MAP; }

static size_t payload_bytes(const struct paper_shape *shape)
{
    return (size_t)shape->areas * INPUTS * shape->units * 2 + (size_t)shape->units * 2 +
           ((size_t)shape->buckets * 2 * shape->units + 3) / 4 * 4 + (size_t)shape->buckets * 4;
}

/* From -most to most. */
static int draw(uint64_t *seed, int most)
{
    return (int)random_below(seed, (uint64_t)(2 * most + 1)) - most;
}

/* All but the numbers: header, description, area map. */
static uint8_t *begin(const struct paper_shape *shape, size_t *out_length)
{
    const size_t length = paper_payload(shape) + payload_bytes(shape);
    uint8_t *bytes = memory_allocate(length);
    REQUIRE(bytes != NULL);
    memcpy(bytes, "RookNet", 8);
    const uint32_t fields[] = {1,
                               (uint32_t)strlen(shape->description),
                               shape->areas,
                               shape->units,
                               shape->buckets,
                               1,
                               255,
                               64,
                               shape->scale};
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
        put(bytes + 8 + 4 * (size_t)i, fields[i], 4);
    put(bytes + 48, payload_bytes(shape), 8);
    memcpy(bytes + HEADER, shape->description, strlen(shape->description));
    for (unsigned square = 0; square < 64; square++) {
        const unsigned file = square % 8 < 4 ? square % 8 : 7 - square % 8;
        bytes[paper_area_map(shape) + square] = (uint8_t)((square / 8 * 4 + file) % shape->areas);
    }
    *out_length = length;
    return bytes;
}

uint8_t *paper_network(const struct paper_shape *shape, uint64_t seed, size_t *out_length)
{
    uint8_t *bytes = begin(shape, out_length);
    uint8_t *at = bytes + paper_payload(shape);
    for (size_t i = 0; i < (size_t)shape->areas * INPUTS * shape->units; i++, at += 2)
        put(at, (uint64_t)draw(&seed, shape->weight_max), 2);
    for (size_t i = 0; i < shape->units; i++, at += 2)
        put(at, (uint64_t)draw(&seed, 200), 2);
    for (size_t i = 0; i < (size_t)shape->buckets * 2 * shape->units; i++, at++)
        *at = (uint8_t)draw(&seed, 127);
    for (size_t i = 0; i < shape->buckets; i++, at += 4)
        put(at, (uint64_t)draw(&seed, 5000), 4);
    paper_network_sign(bytes, *out_length);
    return bytes;
}

/* A few units count the balance of men round the middle of their range: own squared less the
 * other's squared is then in proportion to it. The others whisper. */
uint8_t *paper_network_material(unsigned units, uint64_t seed, size_t *out_length)
{
    enum { COUNTERS = 4, MIDDLE = 128, OUTPUT = 107, WHISPER = 3 };
    static const int WORTH[] = {4, 12, 13, 20, 38, 0};
    const struct paper_shape shape = {1, units, 1, 400, "counts men", 0};
    uint8_t *bytes = begin(&shape, out_length);
    uint8_t *at = bytes + paper_payload(&shape);
    for (unsigned input = 0; input < INPUTS; input++)
        for (unsigned unit = 0; unit < units; unit++, at += 2) {
            const int worth = input < INPUTS / 2 ? WORTH[input / 64] : -WORTH[input / 64 - 6];
            put(at, (uint64_t)(unit < COUNTERS ? worth : draw(&seed, WHISPER)), 2);
        }
    for (unsigned unit = 0; unit < units; unit++, at += 2)
        put(at, unit < COUNTERS ? MIDDLE : MIDDLE / 4, 2);
    for (unsigned unit = 0; unit < 2 * units; unit++, at++)
        *at = (uint8_t)(unit < COUNTERS                            ? OUTPUT
                        : unit >= units && unit - units < COUNTERS ? -OUTPUT
                                                                   : draw(&seed, WHISPER));
    paper_network_sign(bytes, *out_length);
    return bytes;
}
