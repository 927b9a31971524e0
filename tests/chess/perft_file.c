#include "chess/perft_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { LINES_MAX = 1024 };

const char *perft_name(size_t index)
{
    static const char *const NAMES[PERFT_FILES] = {"standard", "tricky", "small", "enpassant",
                                                   "chess960"};
    return NAMES[index];
}

static struct perft_line parse_line(char *text)
{
    struct perft_line line = {0};
    char *semicolon = strchr(text, ';');
    ck_assert_ptr_nonnull(semicolon);
    line.length = (size_t)(semicolon - text);
    ck_assert_uint_lt(line.length, sizeof line.text);
    memcpy(line.text, text, line.length);
    for (; semicolon != NULL; semicolon = strchr(semicolon + 1, ';')) {
        char *end = NULL;
        ck_assert_int_eq(semicolon[1], 'D');
        const unsigned long depth = strtoul(semicolon + 2, &end, 10);
        ck_assert(depth >= 1 && depth <= PERFT_DEPTH_MAX && *end == ' ');
        line.nodes[depth] = strtoull(end, NULL, 10);
        ck_assert_uint_gt(line.nodes[depth], 0);
    }
    return line;
}

struct perft_file perft_file_read(const char *name)
{
    char path[512], text[512];
    snprintf(path, sizeof path, TESTS_DATA "/perft/%s.epd", name);
    FILE *stream = fopen(path, "r");
    ck_assert_msg(stream != NULL, "cannot read %s", path);
    struct perft_file file = {.name = name,
                              .lines = memory_allocate(LINES_MAX * sizeof(struct perft_line))};
    ck_assert_ptr_nonnull(file.lines);
    while (fgets(text, sizeof text, stream) != NULL) {
        ck_assert_uint_lt(file.count, LINES_MAX);
        file.lines[file.count++] = parse_line(text);
    }
    fclose(stream);
    ck_assert_uint_gt(file.count, 0);
    return file;
}

void perft_file_free(struct perft_file *file) { memory_free(file->lines); }

enum perft_effort perft_effort(void)
{
#ifdef ROOKERY_DEBUG
    const enum perft_effort usual = PERFT_FAST; /* A sanitizer makes the rest too slow. */
#else
    const enum perft_effort usual = PERFT_CI;
#endif
    const char *text = getenv("ROOKERY_PERFT");
    if (text == NULL)
        return usual;
    if (strcmp(text, "fast") == 0)
        return PERFT_FAST;
    if (strcmp(text, "ci") == 0)
        return PERFT_CI;
    ck_assert_msg(strcmp(text, "full") == 0, "ROOKERY_PERFT is fast, ci or full, not %s", text);
    return PERFT_FULL;
}
