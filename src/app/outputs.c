#include "app/outputs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/file.h"
#include "lab/network_file.h"

void outputs_add_beside(struct outputs *outputs, const char *path, const char *suffix)
{
    if (path == NULL)
        return;
    REQUIRE(outputs->count < OUTPUTS_MAX);
    (void)snprintf(outputs->paths[outputs->count++], WHOLEFILE_PATH_BYTES, "%s%s", path, suffix);
}

void outputs_add(struct outputs *outputs, const char *path)
{
    outputs_add_beside(outputs, path, "");
    outputs_add_beside(outputs, path, WHOLEFILE_UNFINISHED);
}

static bool is_one_place(const char *a, const char *b)
{
    struct stat here, there;
    return stat(a, &here) == 0 && stat(b, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* What is not there yet is known by its directory and its name in it. */
static bool is_one_file(const char *a, const char *b)
{
    char directories[2][WHOLEFILE_PATH_BYTES];
    const char *names[] = {name_of(a), name_of(b)};
    if (strcmp(a, b) == 0 || is_one_place(a, b))
        return true;
    (void)snprintf(directories[0], sizeof directories[0], "%.*s.", (int)(names[0] - a), a);
    (void)snprintf(directories[1], sizeof directories[1], "%.*s.", (int)(names[1] - b), b);
    return strcmp(names[0], names[1]) == 0 && is_one_place(directories[0], directories[1]);
}

static bool is_apart(const char *command, const char *output, const char *other, const char *what)
{
    if (!is_one_file(output, other))
        return true;
    fprintf(stderr, "rookery %s: %s would be written over %s, %s; give it another name\n", command,
            output, other, what);
    return false;
}

bool outputs_are_apart(const struct outputs *outputs, const char *command,
                       const char *const *inputs, unsigned input_count)
{
    for (unsigned i = 0; i < outputs->count; i++) {
        for (unsigned j = 0; j < input_count; j++)
            if (inputs[j] != NULL &&
                !is_apart(command, outputs->paths[i], inputs[j], "which is read"))
                return false;
        for (unsigned j = 0; j < i; j++)
            if (!is_apart(command, outputs->paths[i], outputs->paths[j], "which is written too"))
                return false;
    }
    return true;
}

bool outputs_may_be_network(const char *command, const char *path)
{
    char magic[sizeof NETWORK_FILE_MAGIC];
    FILE *file = file_open_stream(path);
    /* Who may not look cannot know. */
    bool is_fine = file == NULL && errno != EACCES && errno != EISDIR && errno != ESPIPE;
    if (file != NULL) {
        is_fine = fread(magic, sizeof magic, 1, file) == 1 &&
                  memcmp(magic, NETWORK_FILE_MAGIC, sizeof magic) == 0;
        (void)fclose(file);
    }
    if (!is_fine)
        fprintf(stderr,
                "rookery %s: %s is there and is no network, so it is not replaced; remove it, or "
                "give another name\n",
                command, path);
    return is_fine;
}
