/* app/progress.h: how far a long command is and how long it will take, on stderr.
 * On a terminal one line that is written over; elsewhere a line now and then.
 * Thread: the main thread. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool is_terminal;
    int64_t start_us;
    int64_t shown_us;
    double shown_share;
};

void progress_begin(struct progress *out_progress);

/* `share` of the work is done, 0 to 1, or less than 0 when there is no end; `text` tells what is
 * being done. Shown as often as is of use. */
void progress_show(struct progress *progress, double share, const char *text);

/* Takes the line off the terminal, so that others can be written. */
void progress_hide(const struct progress *progress);

#endif
