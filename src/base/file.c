#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES_MAX = 4096 };

static int close_with(int descriptor, int error)
{
    (void)close(descriptor);
    errno = error;
    return -1;
}

int file_open(const char *path)
{
    struct stat facts;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return -1;
    if (fstat(descriptor, &facts) != 0)
        return close_with(descriptor, errno);
    if (S_ISREG(facts.st_mode))
        return descriptor;
    return close_with(descriptor, S_ISDIR(facts.st_mode) ? EISDIR : ESPIPE);
}

bool file_has_name(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

const char *file_error_text(int error)
{
    return error == ESPIPE ? "it is no ordinary file" : strerror(error);
}

void file_force_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char directory[PATH_BYTES_MAX];
    const int length = slash == NULL ? 1 : (int)(slash - path) + 1;
    (void)snprintf(directory, sizeof directory, "%.*s", length, slash == NULL ? "." : path);
    const int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    (void)close(descriptor);
}

bool file_flush(FILE *stream)
{
    if (fflush(stream) != 0)
        return false;
    errno = ferror(stream) == 0 ? errno : EIO;
    return ferror(stream) == 0;
}

bool file_close(FILE *stream)
{
    const bool is_whole = file_flush(stream);
    const int error = errno;
    const bool is_closed = fclose(stream) == 0;
    errno = is_whole ? errno : error;
    return is_whole && is_closed;
}

FILE *file_open_stream(const char *path)
{
    const int descriptor = file_open(path);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (stream == NULL && descriptor >= 0)
        (void)close_with(descriptor, errno);
    return stream;
}
