/* lab/snapshot.h: memory that outlives its process: a few pieces in one checksummed file that is
 * replaced whole. It is read by the program that wrote it, on the same kind of machine.
 * Thread: any; one at a time for a path. */
#ifndef LAB_SNAPSHOT_H
#define LAB_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

struct snapshot_part {
    void *bytes;
    size_t size;
};

enum snapshot_fault {
    SNAPSHOT_FINE = 0,
    SNAPSHOT_NONE,   /* There is no such file. */
    SNAPSHOT_SYSTEM, /* errno tells. */
    SNAPSHOT_NO_MEMORY,
    SNAPSHOT_BROKEN, /* Not a snapshot, or not the one that was written. */
    SNAPSHOT_OTHER   /* One of parts of other sizes. */
};

enum snapshot_fault snapshot_write(const char *path, const struct snapshot_part *parts,
                                   size_t count);
/* Into the parts, which are untouched unless all is well. */
enum snapshot_fault snapshot_read(const char *path, const struct snapshot_part *parts,
                                  size_t count);

#endif
