#include "app/config.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/file.h"
#include "base/text.h"

enum {
    CLIENTS_MAX_AUTO = 1024,
    FILES_RESERVED = 64, /* For listeners, the loop, the log, what libraries open. */
    SEARCHES_PER_THREAD_AUTO = 16,
    SEARCHES_MAX_AUTO_LEAST = 32,
    SEARCHES_MAX_AUTO_MOST = 256,
    IDLE_S_MAX = 7 * 24 * 3600,
    MOVETIME_MS_MAX = 24 * 3600 * 1000,
    INFINITE_S_MAX = 365 * 24 * 3600,
    TABLE_MIB_MAX = 33554432, /* As RK_TABLE_MIB_MAX. */
    QUOTED_BYTES_MAX = 64     /* Of what an error repeats. */
};

enum kind { KIND_ADDRESS, KIND_NUMBER, KIND_PATH, KIND_LEVEL };

struct row {
    const char *name;
    enum kind kind;
    size_t offset; /* Of a number or path, in struct config. */
    uint32_t min;
    uint32_t max;
    const char *value; /* The default; "auto" is only allowed where it stands here. */
    const char *help;
};

#define NUMBER(field) KIND_NUMBER, offsetof(struct config, field)
#define PATH(field)   KIND_PATH, offsetof(struct config, field), 0, 0, ""

static const struct row ROWS[] = {
    {"listen", KIND_ADDRESS, 0, 0, 0, "127.0.0.1:9824",
     "Where clients arrive: ADDR:PORT, [IPV6]:PORT or unix:/PATH; once for each address, up to 8. "
     "Of a unix socket the umask decides who may use it."},
    {"threads", NUMBER(threads), 1, THREADS_MAX, "auto",
     "Cores to search on. auto: every core that affinity and control group allow."},
    {"hash", NUMBER(hash_mib), 1, TABLE_MIB_MAX, "auto",
     "MiB of the table that all clients share. auto: a quarter of the memory, at most half of what "
     "is free and 512 a thread."},
    {"threads_per_search", NUMBER(threads_per_search), 1, THREADS_MAX, "auto",
     "The most cores that one search is given. auto: all."},
    {"searches_max", NUMBER(searches_max), 1, SEARCHES_MAX - 1, "auto",
     "Searches at once; more wait in line. auto: 16 a thread, at least 32, at most 256."},
    {"searches_per_client", NUMBER(searches_per_client), 1, 2, "2",
     "Searches of one client: one that runs or waits in line and, with 2, one that is kept behind "
     "it. The line of a further one waits unread."},
    {"searches_per_address", NUMBER(searches_per_address), 0, SEARCHES_MAX - 1, "0",
     "Searches that one address begins at once; more wait in line. 0: no limit: it can take them "
     "all, "
     "and without infinite_max keep them. Where strangers come: half of searches_max or less."},
    {"memories_max", NUMBER(memories_max), 1, SESSIONS_MAX, "auto",
     "Clients whose move histories are kept between searches. auto: as many as searches_max."},
    {"clients_max", NUMBER(clients_max), 1, SESSIONS_MAX, "auto",
     "Clients at once. auto: 1024, or as many as open files allow."},
    {"clients_per_address", NUMBER(clients_per_address), 0, SESSIONS_MAX, "0",
     "Clients of one address at once: an IPv4 number, an IPv6 /64, or all unix sockets. 0: no "
     "limit."},
    {"movetime_max", NUMBER(movetime_max_ms), 0, MOVETIME_MS_MAX, "0",
     "The most ms that one `go` with `movetime` or on a clock may take. 0: no limit."},
    {"depth_max", NUMBER(depth_max), 0, PLY_MAX - 1, "0",
     "The most plies that one `go depth` or `go perft` may ask for. 0: no limit."},
    {"nodes_max", NUMBER(nodes_max), 0, UINT32_MAX, "0",
     "The most nodes that one `go nodes` may ask for. 0: no limit."},
    {"infinite_max", NUMBER(infinite_max_s), 0, INFINITE_S_MAX, "0",
     "Seconds after which a search without a clock, or one that ponders, is ended with its "
     "bestmove. 0: never."},
    {"hello_seconds", NUMBER(hello_s), 0, IDLE_S_MAX, "300",
     "A client that has not said its first line for so long is sent away; 0: never."},
    {"idle_seconds", NUMBER(idle_s), 0, IDLE_S_MAX, "0",
     "A client that asks for nothing for so long is sent away; 0: never."},
    {"unread_seconds", NUMBER(unread_s), 0, IDLE_S_MAX, "60",
     "A client that takes nothing of what waits for it for so long is cut off; 0: never."},
    {"syzygy_path", PATH(syzygy_path),
     "Folders with Syzygy tablebases, parted by ':'. What is missing or broken is told and left "
     "out. Replace a table by renaming another over it, never in place."},
    {"drain_ms", NUMBER(drain_ms), 0, DRAIN_MS_MAX, "10000",
     "How long a shutdown may take while searches on a clock finish."},
    {"eval_file", PATH(eval_file),
     "A network that evaluates (docs/network.md). Without one, what is built in does."},
    {"log_level", KIND_LEVEL, 0, 0, 0, "warning",
     "What is written to stderr: silent, error, warning, info or debug. info tells who comes and "
     "leaves too, and how much waited for each."},
};
enum { ROW_COUNT = sizeof(ROWS) / sizeof(ROWS[0]) };

static const char *const LEVELS[] = {
    [LOG_SILENT] = "silent", [LOG_ERROR] = "error", [LOG_WARNING] = "warning",
    [LOG_INFO] = "info",     [LOG_DEBUG] = "debug",
};
enum { LEVEL_COUNT = sizeof(LEVELS) / sizeof(LEVELS[0]) };

/* -- One key ---------------------------------------------------------------------------------- */

static void set_error(char out_error[CONFIG_ERROR_BYTES_MAX], const char *before,
                      const char *quoted, const char *after)
{
    struct text text;
    text_init(&text, out_error, CONFIG_ERROR_BYTES_MAX);
    (void)text_add(&text, before);
    (void)text_add_quoted(&text, slice_of(quoted), QUOTED_BYTES_MAX);
    (void)text_add(&text, after);
}

static enum rk_status set_number(struct config *config, const struct row *row, const char *value,
                                 char out_error[CONFIG_ERROR_BYTES_MAX])
{
    uint32_t *field = (uint32_t *)(void *)((char *)config + row->offset);
    int64_t number = 0;
    const bool has_auto = strcmp(row->value, "auto") == 0;
    if (has_auto && strcmp(value, "auto") == 0) {
        *field = 0;
        return RK_OK;
    }
    if (number_parse(slice_of(value), row->min, row->max, &number) == NUMBER_OK) {
        *field = (uint32_t)number;
        return RK_OK;
    }
    char range[64];
    (void)snprintf(range, sizeof(range), "' is not a number from %u to %u%s", row->min, row->max,
                   has_auto ? " or auto" : "");
    char before[64];
    (void)snprintf(before, sizeof(before), "%s: '", row->name);
    set_error(out_error, before, value, range);
    return RK_BAD_ARGUMENT;
}

static enum rk_status set_listen(struct config *config, enum config_source source,
                                 const char *value, char out_error[CONFIG_ERROR_BYTES_MAX])
{
    struct address address;
    if (address_parse(value, &address) != RK_OK) {
        set_error(out_error, "listen: '", value,
                  "' is none of ADDR:PORT, [IPV6]:PORT and unix:/PATH");
        return RK_BAD_ARGUMENT;
    }
    if (config->listen_source != source) {
        config->listen_source = source;
        config->listen_count = 0;
    }
    if (config->listen_count == LISTENERS_MAX) {
        set_error(out_error, "listen: '", value, "' is one address too many (8 at most)");
        return RK_BAD_ARGUMENT;
    }
    config->listen[config->listen_count++] = address;
    return RK_OK;
}

static enum rk_status set_path(struct config *config, const struct row *row, const char *value,
                               char out_error[CONFIG_ERROR_BYTES_MAX])
{
    char *field = (char *)config + row->offset;
    const size_t length = strlen(value);
    if (length >= CONFIG_PATH_BYTES_MAX) {
        char before[64];
        (void)snprintf(before, sizeof(before), "%s: '", row->name);
        set_error(out_error, before, value, "' is too long");
        return RK_BAD_ARGUMENT;
    }
    memset(field, 0, CONFIG_PATH_BYTES_MAX);
    memcpy(field, value, length);
    return RK_OK;
}

static enum rk_status set_level(struct config *config, const char *value,
                                char out_error[CONFIG_ERROR_BYTES_MAX])
{
    for (int level = 0; level < LEVEL_COUNT; level++) {
        if (strcmp(LEVELS[level], value) == 0) {
            config->log_level = (enum log_level)level;
            return RK_OK;
        }
    }
    set_error(out_error, "log_level: '", value,
              "' is none of silent, error, warning, info and debug");
    return RK_BAD_ARGUMENT;
}

static const struct row *find_row(const char *name)
{
    for (int i = 0; i < ROW_COUNT; i++)
        if (strcmp(ROWS[i].name, name) == 0)
            return &ROWS[i];
    return NULL;
}

bool config_has(const char *name) { return find_row(name) != NULL; }

enum rk_status config_set(struct config *config, enum config_source source, const char *name,
                          const char *value, char out_error[CONFIG_ERROR_BYTES_MAX])
{
    const struct row *row = find_row(name);
    if (row == NULL) {
        set_error(out_error, "there is no key '", name, "'");
        return RK_BAD_ARGUMENT;
    }
    switch (row->kind) {
    case KIND_ADDRESS: return set_listen(config, source, value, out_error);
    case KIND_NUMBER: return set_number(config, row, value, out_error);
    case KIND_PATH: return set_path(config, row, value, out_error);
    case KIND_LEVEL: return set_level(config, value, out_error);
    }
    return RK_BAD_ARGUMENT;
}

void config_init(struct config *config)
{
    char error[CONFIG_ERROR_BYTES_MAX];
    *config = (struct config){.listen_source = CONFIG_DEFAULT};
    for (int i = 0; i < ROW_COUNT; i++)
        REQUIRE(config_set(config, CONFIG_DEFAULT, ROWS[i].name, ROWS[i].value, error) == RK_OK);
}

/* -- A file ----------------------------------------------------------------------------------- */

/* inih asks for one line at a time, as from fgets, so counting here tells where an error is. What
 * it would read into a line is not in this format: that one which begins with a blank continues the
 * one before, and sections, which may hold no key and then are never told of. */
struct reader {
    struct config *config;
    const char *rest;
    const char *end;
    unsigned line;
    unsigned error_line; /* 0: none. The first error is kept. */
    bool seen[ROW_COUNT];
    char error[CONFIG_ERROR_BYTES_MAX];
};

static void reader_fail(struct reader *reader, const char *what)
{
    if (reader->error_line > 0)
        return;
    reader->error_line = reader->line;
    set_error(reader->error, what, "", "");
}

/* A line's indentation means nothing; nor does the mark that some editors put before the first. */
static void drop_before_line(struct reader *reader)
{
    static const char MARK[] = "\xef\xbb\xbf";
    enum { MARK_BYTES = sizeof(MARK) - 1 };
    if (reader->line == 0 && reader->end - reader->rest >= MARK_BYTES &&
        memcmp(reader->rest, MARK, MARK_BYTES) == 0)
        reader->rest += MARK_BYTES;
    while (reader->rest < reader->end && strchr(" \t\v\f\r", *reader->rest) != NULL &&
           *reader->rest != '\0')
        reader->rest++;
}

static void refuse_section(struct reader *reader, size_t length)
{
    char line[QUOTED_BYTES_MAX];
    const size_t kept = length < sizeof(line) ? length : sizeof(line) - 1;
    memcpy(line, reader->rest, kept);
    line[kept] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    reader->error_line = reader->line;
    set_error(reader->error, "there are no sections, but here is '", line, "'");
}

static char *read_line(char *out_line, int bytes, void *stream)
{
    struct reader *reader = stream;
    if (reader->rest == reader->end || reader->error_line > 0)
        return NULL;
    drop_before_line(reader);
    reader->line++;
    const size_t left = (size_t)(reader->end - reader->rest);
    const char *line_end = memchr(reader->rest, '\n', left);
    const size_t length = line_end == NULL ? left : (size_t)(line_end + 1 - reader->rest);
    const bool is_note = length > 0 && (*reader->rest == '#' || *reader->rest == ';');
    const size_t kept = is_note && length >= (size_t)bytes ? (size_t)bytes - 1 : length;
    if (kept >= (size_t)bytes) {
        reader_fail(reader, "the line is longer than a file may have (198 bytes); the command line "
                            "takes longer values");
        return NULL;
    }
    if (memchr(reader->rest, '\0', length) != NULL) {
        reader_fail(reader, "a zero byte stands in the line");
        return NULL;
    }
    if (length > 0 && *reader->rest == '[') {
        refuse_section(reader, length);
        return NULL;
    }
    memcpy(out_line, reader->rest, kept);
    out_line[kept] = '\0';
    reader->rest += length;
    return out_line;
}

static int on_pair(void *user, const char *section, const char *name, const char *value)
{
    struct reader *reader = user;
    char error[CONFIG_ERROR_BYTES_MAX] = "";
    const struct row *row = find_row(name);
    (void)section; /* There are none. */
    if (row != NULL && row->kind != KIND_ADDRESS && reader->seen[row - ROWS]) {
        set_error(error, "", name, " is given twice");
    } else if (config_set(reader->config, CONFIG_FILE, name, value, error) == RK_OK) {
        reader->seen[row - ROWS] = true;
        return 1;
    }
    if (reader->error_line == 0)
        set_error(reader->error, error, "", "");
    reader->error_line = reader->error_line == 0 ? reader->line : reader->error_line;
    return 0;
}

enum rk_status config_read_text(struct config *config, const char *path, const char *text,
                                size_t length, char out_error[CONFIG_ERROR_BYTES_MAX])
{
    struct config changed = *config;
    struct reader reader = {.config = &changed, .rest = text, .end = text + length};
    const int answer = ini_parse_stream(read_line, &reader, on_pair, &reader);
    if (answer > 0 && (reader.error_line == 0 || (unsigned)answer < reader.error_line)) {
        reader.error_line = (unsigned)answer;
        set_error(reader.error, "this is not KEY = VALUE", "", "");
    }
    if (answer != 0 || reader.error_line > 0) {
        (void)snprintf(out_error, CONFIG_ERROR_BYTES_MAX, "%.200s:%u: %.256s", path,
                       reader.error_line, reader.error);
        return RK_BAD_ARGUMENT;
    }
    *config = changed;
    return RK_OK;
}

enum rk_status config_read(struct config *config, const char *path,
                           char out_error[CONFIG_ERROR_BYTES_MAX])
{
    char text[CONFIG_FILE_BYTES_MAX + 1];
    FILE *file = file_open_stream(path);
    const size_t length = file == NULL ? 0 : fread(text, 1, sizeof(text), file);
    const bool is_bad = file == NULL || ferror(file) != 0;
    if (is_bad)
        (void)snprintf(out_error, CONFIG_ERROR_BYTES_MAX, "%.200s: cannot be read: %s", path,
                       file_error_text(errno));
    if (file != NULL)
        (void)fclose(file);
    if (is_bad)
        return RK_SYSTEM;
    if (length > CONFIG_FILE_BYTES_MAX) {
        (void)snprintf(out_error, CONFIG_ERROR_BYTES_MAX, "%.200s:1: longer than %d bytes", path,
                       CONFIG_FILE_BYTES_MAX);
        return RK_BAD_ARGUMENT;
    }
    return config_read_text(config, path, text, length, out_error);
}

/* -- Sizes ------------------------------------------------------------------------------------ */

static uint32_t clamp(uint32_t number, uint32_t min, uint32_t max)
{
    if (number < min)
        return min;
    return number > max ? max : number;
}

static uint32_t number_or(uint32_t number, uint32_t instead)
{
    return number > 0 ? number : instead;
}

/* Each client is a file. */
static uint32_t resolve_clients(uint32_t wanted, uint64_t files_max)
{
    const uint64_t spare = files_max > FILES_RESERVED ? files_max - FILES_RESERVED : 1;
    const uint32_t count = number_or(wanted, CLIENTS_MAX_AUTO);
    return spare < count ? (uint32_t)spare : count;
}

void config_resolve(const struct config *config, const struct machine *machine,
                    struct server_options *out_options)
{
    struct server_options options = {.listen_count = config->listen_count};
    memcpy(options.listen, config->listen, sizeof(options.listen));
    options.threads = number_or(config->threads, machine_threads(machine));
    options.table_mib = number_or(config->hash_mib, machine_table_mib(machine, options.threads));
    options.threads_per_search = number_or(config->threads_per_search, options.threads);
    const uint32_t searches = clamp(options.threads * SEARCHES_PER_THREAD_AUTO,
                                    SEARCHES_MAX_AUTO_LEAST, SEARCHES_MAX_AUTO_MOST);
    options.searches_max = number_or(config->searches_max, searches);
    options.memories_max = number_or(config->memories_max, options.searches_max);
    options.searches_per_client = config->searches_per_client;
    options.searches_per_address = config->searches_per_address;
    options.clients_per_address = config->clients_per_address;
    options.caps = (struct caps){.movetime_max_ms = config->movetime_max_ms,
                                 .depth_max = config->depth_max,
                                 .nodes_max = config->nodes_max,
                                 .infinite_max_s = config->infinite_max_s};
    options.clients_max = resolve_clients(config->clients_max, machine->files_max);
    options.hello_s = config->hello_s;
    options.idle_s = config->idle_s;
    options.unread_s = config->unread_s;
    options.drain_ms = config->drain_ms;
    *out_options = options;
}

uint64_t config_files_wanted(const struct config *config)
{
    return (uint64_t)number_or(config->clients_max, CLIENTS_MAX_AUTO) + FILES_RESERVED;
}

/* -- What people read ------------------------------------------------------------------------- */

size_t config_document(char *out_text, size_t bytes)
{
    struct text text;
    text_init(&text, out_text, bytes);
    (void)text_add(&text,
                   "# rookeryd.conf: every key at its default, which is what an empty file means.\n"
                   "# A line is KEY = VALUE, a comment, or empty; there are no sections.\n"
                   "# The command line goes over this file (threads = 4 is --threads 4).\n"
                   "# rookeryd --check-config --config FILE tells the first thing that is wrong "
                   "with a file.\n");
    for (int i = 0; i < ROW_COUNT; i++) {
        const struct row *row = &ROWS[i];
        char range[64] = "";
        if (row->kind == KIND_NUMBER)
            (void)snprintf(range, sizeof(range), "\n# %u to %u.", row->min, row->max);
        (void)text_add(&text, "\n# ");
        (void)text_add(&text, row->help);
        (void)text_add(&text, range);
        (void)text_add(&text, "\n#");
        (void)text_add(&text, row->name);
        (void)text_add(&text, *row->value == '\0' ? " =" : " = ");
        (void)text_add(&text, row->value);
        (void)text_add(&text, "\n");
    }
    ASSERT(!text.is_cut);
    return text.length;
}

size_t config_help(char *out_text, size_t bytes)
{
    struct text text;
    text_init(&text, out_text, bytes);
    for (int i = 0; i < ROW_COUNT; i++) {
        char line[64];
        (void)snprintf(line, sizeof(line), "  --%s ", ROWS[i].name);
        for (char *at = line; *at != '\0'; at++)
            *at = *at == '_' ? '-' : *at;
        (void)text_add(&text, line);
        (void)text_add(&text, ROWS[i].kind == KIND_NUMBER    ? "N"
                              : ROWS[i].kind == KIND_ADDRESS ? "ADDR:PORT"
                              : ROWS[i].kind == KIND_PATH    ? "PATH"
                                                             : "LEVEL");
        (void)text_add(&text, "\n      ");
        (void)text_add(&text, ROWS[i].help);
        (void)text_add(&text, "\n");
    }
    ASSERT(!text.is_cut);
    return text.length;
}
