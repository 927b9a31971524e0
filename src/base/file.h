/* base/file.h: files that must be ordinary ones.
 * To open a pipe waits for whoever writes into it, for ever if nobody does; and a file whose length
 * is asked for, or which is read at places, must be on a disk.
 * Thread: any. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* For reading; never waits. -1, NULL: errno tells why not; EISDIR, ESPIPE: it is no
 * ordinary file. */
int file_open(const char *path);
FILE *file_open_stream(const char *path);
/* Words for that errno. */
const char *file_error_text(int error);

/* Whether the name is still that of the open file: between opening a file and locking it, whoever
 * had the lock may have renamed or removed it. */
bool file_has_name(int descriptor, const char *path);
/* Of a stream that was written: whether all of it has arrived; errno tells why not. That a flush
 * failed before is remembered, as EIO: the C library throws away what it could not write. */
bool file_flush(FILE *stream);
bool file_close(FILE *stream); /* Closes it either way. */
/* Forces the file's name to the disk, behind its making or a rename; the file itself is the
 * caller's to force. Best effort: there are file systems whose directories cannot be. */
void file_force_name(const char *path);
#endif
