#include "lab/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "lab/gameblock.h"
#include "lab/wholefile.h"

/* In the order of the machine: another one does not recognise it. */
static const uint64_t MAGIC = 0x31746e696f70526bu;

struct head {
    uint64_t magic;
    uint64_t length;   /* Of what follows. */
    uint64_t checksum; /* Of it. */
};

static size_t parts_size(const struct snapshot_part *parts, size_t count)
{
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    return size;
}

enum snapshot_fault snapshot_write(const char *path, const struct snapshot_part *parts,
                                   size_t count)
{
    struct head head = {.magic = MAGIC, .length = parts_size(parts, count)};
    uint8_t *bytes = memory_allocate(sizeof head + head.length);
    if (bytes == NULL)
        return SNAPSHOT_NO_MEMORY;
    uint8_t *next = bytes + sizeof head;
    for (size_t i = 0; i < count; next += parts[i++].size)
        memcpy(next, parts[i].bytes, parts[i].size);
    head.checksum = block_checksum(bytes + sizeof head, head.length);
    memcpy(bytes, &head, sizeof head);
    const bool is_good = wholefile_write(path, bytes, sizeof head + head.length);
    memory_free(bytes);
    return is_good ? SNAPSHOT_FINE : SNAPSHOT_SYSTEM;
}

/* The file's bytes, for memory_free(). */
static enum snapshot_fault file_read(const char *path, uint8_t **out_bytes, size_t *out_length)
{
    struct stat state;
    FILE *file = file_open_stream(path);
    if (file == NULL && errno == ESPIPE)
        return SNAPSHOT_BROKEN;
    if (file == NULL)
        return errno == ENOENT ? SNAPSHOT_NONE : SNAPSHOT_SYSTEM;
    enum snapshot_fault fault = SNAPSHOT_SYSTEM;
    uint8_t *bytes = NULL;
    if (fstat(fileno(file), &state) == 0) {
        const size_t length = (size_t)state.st_size;
        bytes = memory_allocate(length + 1);
        fault = bytes == NULL ? SNAPSHOT_NO_MEMORY : SNAPSHOT_FINE;
        if (bytes != NULL && fread(bytes, 1, length, file) != length)
            fault = SNAPSHOT_BROKEN;
        *out_length = length;
    }
    (void)fclose(file);
    if (fault == SNAPSHOT_FINE)
        *out_bytes = bytes;
    else
        memory_free(bytes);
    return fault;
}

enum snapshot_fault snapshot_read(const char *path, const struct snapshot_part *parts, size_t count)
{
    uint8_t *bytes;
    size_t length;
    struct head head;
    enum snapshot_fault fault = file_read(path, &bytes, &length);
    if (fault != SNAPSHOT_FINE)
        return fault;
    const uint8_t *next = bytes + sizeof head;
    if (length < sizeof head)
        fault = SNAPSHOT_BROKEN;
    else
        memcpy(&head, bytes, sizeof head);
    if (fault == SNAPSHOT_FINE && (head.magic != MAGIC || head.length != length - sizeof head ||
                                   head.checksum != block_checksum(next, head.length)))
        fault = SNAPSHOT_BROKEN;
    if (fault == SNAPSHOT_FINE && head.length != parts_size(parts, count))
        fault = SNAPSHOT_OTHER;
    for (size_t i = 0; fault == SNAPSHOT_FINE && i < count; next += parts[i++].size)
        memcpy(parts[i].bytes, next, parts[i].size);
    memory_free(bytes);
    return fault;
}
