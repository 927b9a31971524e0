#include "engine/tables.h"

#include <check.h>
#include <stdio.h>

enum { PATH_BYTES = 512 };

size_t table_read(const char *name, uint8_t out_bytes[TABLE_BYTES_MAX])
{
    char path[PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", TABLES, name);
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    const size_t length = fread(out_bytes, 1, TABLE_BYTES_MAX, file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert(length > 0 && length < TABLE_BYTES_MAX);
    return length;
}
