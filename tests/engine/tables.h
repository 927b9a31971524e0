/* tests/engine/tables.h: the tablebases of tests/data, as bytes to change.
 * Thread: any. */
#ifndef ENGINE_TABLES_H
#define ENGINE_TABLES_H

#include <stddef.h>
#include <stdint.h>

#define TABLES TESTS_DATA "/syzygy"

enum { TABLE_BYTES_MAX = 1 << 20 };

/* Fails the test where there is no such table. How many bytes it has. */
size_t table_read(const char *name, uint8_t out_bytes[TABLE_BYTES_MAX]);

#endif
