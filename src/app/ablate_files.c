#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/ablate.h"
#include "base/file.h"

static bool complain(const char *name)
{
    fprintf(stderr, "rookery ablate: %s: %s\n", name, strerror(errno));
    return false;
}

static bool file_make(const char *path, FILE **out_file)
{
    if (path == NULL)
        return true;
    *out_file = fopen(path, "w");
    return *out_file != NULL || complain(path);
}

bool ablate_files_open(const struct ablate_words *words, struct ablate_files *out_files)
{
    struct ablate_files *files = out_files;
    *files = (struct ablate_files){.text = stdout};
    if (words->csv != NULL && strcmp(words->csv, "-") == 0) {
        files->csv = stdout;
        files->text = NULL;
    } else if (!file_make(words->csv, &files->csv)) {
        return false;
    }
    if (file_make(words->svg, &files->svg))
        return true;
    files->has_failed = true;
    return ablate_files_close(words, files);
}

static void check(struct ablate_files *files, bool is_whole, const char *name)
{
    if (!is_whole && !files->has_failed)
        files->has_failed = !complain(name);
}

bool ablate_files_flush(const struct ablate_words *words, struct ablate_files *files)
{
    check(files, file_flush(stdout), "stdout");
    if (files->csv != NULL && files->csv != stdout)
        check(files, file_flush(files->csv), words->csv);
    return !files->has_failed;
}

bool ablate_files_close(const struct ablate_words *words, struct ablate_files *files)
{
    check(files, file_flush(stdout), "stdout");
    if (files->csv != NULL && files->csv != stdout)
        check(files, file_close(files->csv), words->csv);
    if (files->svg != NULL)
        check(files, file_close(files->svg), words->svg);
    return !files->has_failed;
}
