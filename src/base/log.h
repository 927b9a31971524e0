/* base/log.h: what an operator should know, one line each, on stderr.
 * Silent until an app opens it. Under journald each line starts with its priority; elsewhere with
 * its level. Clients cause most lines, so none may crowd out others: of each level no more than
 * LOG_LINES_PER_S_MAX lines are written in one second, of one format no more than
 * LOG_SORT_PER_S_MAX; and nobody waits for a pipe that is full. The rest is counted and told.
 * Thread: any for log_write, one before all others for log_open. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum { LOG_LINES_PER_S_MAX = 50, LOG_SORT_PER_S_MAX = 20, LOG_LINE_BYTES_MAX = 512 };

enum log_level {
    LOG_SILENT,
    LOG_ERROR,   /* Something the house promised cannot be kept. */
    LOG_WARNING, /* Something an operator may want to change. */
    LOG_INFO,    /* Clients come and go. */
    LOG_DEBUG
};

/* Lines up to `level` go to `descriptor` from now on. */
void log_open(int descriptor, enum log_level level);
bool log_is_open(enum log_level level);

/* One line, without its LF; cut at LOG_LINE_BYTES_MAX. The format must be a literal: what lines of
 * one sort have in common. False: it was not written. */
__attribute__((format(printf, 2, 3))) bool log_write(enum log_level level, const char *format, ...);

/* Whether journald reads this descriptor: JOURNAL_STREAM names its device and inode. */
bool log_is_journal(int descriptor);

#endif
