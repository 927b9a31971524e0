/* base/bytes.h: numbers as bytes of a file: the lowest byte first, wherever they stand.
 * Thread: any. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stdint.h>

static inline uint16_t bytes_get16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}
static inline uint32_t bytes_get32(const uint8_t *bytes)
{
    return bytes_get16(bytes) | (uint32_t)bytes_get16(bytes + 2) << 16;
}
static inline uint64_t bytes_get64(const uint8_t *bytes)
{
    return bytes_get32(bytes) | (uint64_t)bytes_get32(bytes + 4) << 32;
}
static inline void bytes_put16(uint8_t *bytes, uint16_t number)
{
    bytes[0] = (uint8_t)number;
    bytes[1] = (uint8_t)(number >> 8);
}
static inline void bytes_put32(uint8_t *bytes, uint32_t number)
{
    bytes_put16(bytes, (uint16_t)number);
    bytes_put16(bytes + 2, (uint16_t)(number >> 16));
}
static inline void bytes_put64(uint8_t *bytes, uint64_t number)
{
    bytes_put32(bytes, (uint32_t)number);
    bytes_put32(bytes + 4, (uint32_t)(number >> 32));
}

#endif
