/* lab/wholefile.h: files that are there whole or not at all, at any moment, whoever is killed.
 * Thread: any; one at a time for a path. */
#ifndef LAB_WHOLEFILE_H
#define LAB_WHOLEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { WHOLEFILE_PATH_BYTES = 4096 };

/* What stands beside a file while it is written, and while it is locked. */
#define WHOLEFILE_UNFINISHED ".part"
#define WHOLEFILE_LOCK       ".lock"

/* Takes the place of what was there. False: errno tells, and what was there still is. */
bool wholefile_write(const char *path, const void *bytes, size_t length);

/* The same for who prints: begin, print, end. NULL and false: errno tells. */
FILE *wholefile_begin(const char *path);
bool wholefile_end(FILE *file, const char *path);

/* Keeps other processes off, by a lock on PATH.lock, until unlocked or dead. Less than 0: errno
 * tells, EWOULDBLOCK that another one has it. Else what to unlock. */
int wholefile_lock(const char *path);
void wholefile_unlock(int lock, const char *path);

#endif
