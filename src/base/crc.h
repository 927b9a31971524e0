/* base/crc.h: CRC-32 as zlib counts it (polynomial 0x04c11db7, reflected), against damage of files;
 * it hinders nobody who means harm. Thread: any. */
#ifndef BASE_CRC_H
#define BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* `crc` is 0 for the first bytes, then what the bytes before gave. */
uint32_t crc_add(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
