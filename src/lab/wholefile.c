/* Written beside under another name, forced to the disk, then renamed, which the kernel does whole.
 * The directory is forced to the disk too: the name is in it. */
#include "lab/wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char UNFINISHED[] = ".part";

static bool unfinished_path(const char *path, char out_path[WHOLEFILE_PATH_BYTES])
{
    const int length = snprintf(out_path, WHOLEFILE_PATH_BYTES, "%s%s", path, UNFINISHED);
    if (length > 0 && length < WHOLEFILE_PATH_BYTES)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

/* Best effort: there are file systems whose directories cannot be forced. */
static void directory_force(const char *path)
{
    char directory[WHOLEFILE_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    const int length = slash == NULL ? 1 : (int)(slash - path) + 1;
    (void)snprintf(directory, sizeof directory, "%.*s", length, slash == NULL ? "." : path);
    const int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    (void)close(descriptor);
}

FILE *wholefile_begin(const char *path)
{
    char unfinished[WHOLEFILE_PATH_BYTES];
    return unfinished_path(path, unfinished) ? fopen(unfinished, "wbe") : NULL;
}

bool wholefile_end(FILE *file, const char *path)
{
    char unfinished[WHOLEFILE_PATH_BYTES];
    bool is_good = ferror(file) == 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    const int fault = errno;
    is_good = fclose(file) == 0 && is_good;
    if (!unfinished_path(path, unfinished))
        return false;
    if (is_good && rename(unfinished, path) == 0) {
        directory_force(path);
        return true;
    }
    if (!is_good)
        errno = fault;
    return false;
}

bool wholefile_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = wholefile_begin(path);
    if (file == NULL)
        return false;
    (void)fwrite(bytes, 1, length, file);
    return wholefile_end(file, path);
}
