/* Written beside under another name, forced to the disk, then renamed, which the kernel does whole.
 * The directory is forced to the disk too: the name is in it. */
#include "lab/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"

enum { LOCK_MODE = 0644 };

static bool path_beside(const char *path, const char *suffix, char out_path[WHOLEFILE_PATH_BYTES])
{
    const int length = snprintf(out_path, WHOLEFILE_PATH_BYTES, "%s%s", path, suffix);
    if (length > 0 && length < WHOLEFILE_PATH_BYTES)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

FILE *wholefile_begin(const char *path)
{
    char unfinished[WHOLEFILE_PATH_BYTES];
    return path_beside(path, WHOLEFILE_UNFINISHED, unfinished) ? fopen(unfinished, "wbe") : NULL;
}

bool wholefile_end(FILE *file, const char *path)
{
    char unfinished[WHOLEFILE_PATH_BYTES];
    bool is_good = ferror(file) == 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int fault = errno;
    is_good = fclose(file) == 0 && is_good;
    if (!path_beside(path, WHOLEFILE_UNFINISHED, unfinished))
        return false;
    if (is_good && rename(unfinished, path) == 0) {
        file_force_name(path);
        return true;
    }
    const int last = is_good ? errno : fault;
    (void)unlink(unfinished);
    errno = last;
    return false;
}

int wholefile_lock(const char *path)
{
    char name[WHOLEFILE_PATH_BYTES];
    if (!path_beside(path, WHOLEFILE_LOCK, name))
        return -1;
    const int descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, LOCK_MODE);
    if (descriptor < 0)
        return -1;
    int fault = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (fault == 0 && !file_has_name(descriptor, name))
        fault = EWOULDBLOCK; /* Another one writes, or has done so just now. */
    if (fault == 0)
        return descriptor;
    (void)close(descriptor);
    errno = fault;
    return -1;
}

void wholefile_unlock(int lock, const char *path)
{
    char name[WHOLEFILE_PATH_BYTES];
    const int fault = errno;
    if (path_beside(path, WHOLEFILE_LOCK, name))
        (void)unlink(name);
    (void)close(lock);
    errno = fault;
}

bool wholefile_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = wholefile_begin(path);
    if (file == NULL)
        return false;
    (void)fwrite(bytes, 1, length, file);
    return wholefile_end(file, path);
}
