#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

FILE *file_open_stream(const char *path)
{
    const int descriptor = file_open(path);
    FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (stream == NULL && descriptor >= 0)
        (void)close_with(descriptor, errno);
    return stream;
}
