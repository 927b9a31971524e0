/* A line is built on the stack and written by one write(2), so lines of several threads do not mix.
 * The only file-scope state of the house is this sink: atomics that log_open sets. A second begins
 * with whoever first writes in it; threads that write at its very edge may be counted in either. */
#include "base/log.h"

#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"

enum { SORTS_MAX = 32 /* Formats told apart in one second; more share what their level has. */ };

static struct {
    atomic_int level;
    atomic_int descriptor;
    atomic_bool has_priority;
    atomic_int_fast64_t second; /* The second that all counts but `left_out` are of. */
    atomic_uint line_counts[LOG_DEBUG + 1];
    atomic_uint left_out[LOG_DEBUG + 1]; /* Not yet told. */
    struct {
        const char *_Atomic format;
        atomic_uint count;
    } sorts[LOG_DEBUG + 1][SORTS_MAX];
} sink;

/* What journald reads in front of a line, and what a person does. */
static const struct {
    const char *priority;
    const char *word;
} LEVELS[] = {
    [LOG_SILENT] = {"", ""},
    [LOG_ERROR] = {"<3>", "error: "},
    [LOG_WARNING] = {"<4>", "warning: "},
    [LOG_INFO] = {"<6>", ""},
    [LOG_DEBUG] = {"<7>", "debug: "},
};

bool log_is_journal(int descriptor)
{
    const char *stream = getenv("JOURNAL_STREAM");
    unsigned long long device = 0;
    unsigned long long inode = 0;
    struct stat facts;
    if (stream == NULL || sscanf(stream, "%llu:%llu", &device, &inode) != 2)
        return false;
    return fstat(descriptor, &facts) == 0 && facts.st_dev == device && facts.st_ino == inode;
}

static void clear_counts(void)
{
    for (int level = 0; level <= LOG_DEBUG; level++) {
        atomic_store(&sink.line_counts[level], 0);
        for (int i = 0; i < SORTS_MAX; i++) {
            atomic_store(&sink.sorts[level][i].format, NULL);
            atomic_store(&sink.sorts[level][i].count, 0);
        }
    }
}

void log_open(int descriptor, enum log_level level)
{
    atomic_store(&sink.descriptor, descriptor);
    atomic_store(&sink.has_priority, log_is_journal(descriptor));
    atomic_store(&sink.second, 0);
    clear_counts();
    for (int i = 0; i <= LOG_DEBUG; i++)
        atomic_store(&sink.left_out[i], 0);
    atomic_store(&sink.level, (int)level);
}

bool log_is_open(enum log_level level)
{
    return level != LOG_SILENT &&
           (int)level <= atomic_load_explicit(&sink.level, memory_order_relaxed);
}

/* Nobody waits for a reader of the log. */
static bool has_room(int descriptor)
{
    struct pollfd question = {.fd = descriptor, .events = POLLOUT};
    return poll(&question, 1, 0) > 0 && (question.revents & POLLOUT) != 0;
}

/* False: there was no room. */
static bool write_line(enum log_level level, const char *text)
{
    const int descriptor = atomic_load(&sink.descriptor);
    char line[LOG_LINE_BYTES_MAX];
    const char *prefix =
        atomic_load(&sink.has_priority) ? LEVELS[level].priority : LEVELS[level].word;
    int length = snprintf(line, sizeof(line) - 1, "%s%s", prefix, text);
    if (length < 0 || !has_room(descriptor))
        return false;
    if (length > (int)sizeof(line) - 2)
        length = (int)sizeof(line) - 2;
    line[length++] = '\n';
    /* A log that cannot be written has nowhere to say so. */
    const ssize_t written = write(descriptor, line, (size_t)length);
    (void)written;
    return true;
}

static void tell_left_out(void)
{
    for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
        const unsigned count = atomic_exchange(&sink.left_out[level], 0);
        if (count == 0)
            continue;
        char text[64];
        (void)snprintf(text, sizeof(text), "%u more lines of this level were not written", count);
        if (!write_line((enum log_level)level, text))
            atomic_fetch_add(&sink.left_out[level], count);
    }
}

/* One format can tell of what is usual and of what is not, so levels are counted apart. */
static bool is_within_sort(enum log_level level, const char *format)
{
    for (int i = 0; i < SORTS_MAX; i++) {
        const char *found = NULL;
        if (atomic_compare_exchange_strong(&sink.sorts[level][i].format, &found, format) ||
            found == format)
            return atomic_fetch_add(&sink.sorts[level][i].count, 1) < LOG_SORT_PER_S_MAX;
    }
    return true;
}

/* Counts one line of this second; false when there have been enough. */
static bool is_within_rate(enum log_level level, const char *format)
{
    const int_fast64_t now = clock_now_us() / 1000000 + 1;
    if (atomic_exchange(&sink.second, now) != now) {
        clear_counts();
        tell_left_out();
    }
    if (is_within_sort(level, format) &&
        atomic_fetch_add(&sink.line_counts[level], 1) < LOG_LINES_PER_S_MAX)
        return true;
    atomic_fetch_add(&sink.left_out[level], 1);
    return false;
}

bool log_write(enum log_level level, const char *format, ...)
{
    ASSERT(level > LOG_SILENT && level <= LOG_DEBUG);
    if (!log_is_open(level) || !is_within_rate(level, format))
        return false;
    char text[LOG_LINE_BYTES_MAX];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const bool is_written = write_line(level, text);
    if (!is_written)
        atomic_fetch_add(&sink.left_out[level], 1);
    return is_written;
}
