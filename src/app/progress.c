#include "app/progress.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "rookery/engine.h"

enum { SHOW_US = 200000, LINE_US = 5000000, ENDLESS_LINE_US = 60000000, ESTIMATE_US = 1000000 };

enum { LINE_BYTES = 512, PIECE_BYTES = 64, COLUMNS = 80 };

static const double LINE_SHARE = 0.05; /* Without a terminal: a line for so much work. */

void progress_begin(struct progress *out_progress)
{
    *out_progress =
        (struct progress){.is_terminal = isatty(STDERR_FILENO), .start_us = rk_now_us()};
    if (!out_progress->is_terminal)
        out_progress->shown_us = out_progress->start_us;
}

/* "3 min 20 s left". */
static void estimate_add(struct text *line, int64_t elapsed_us, double share)
{
    char piece[PIECE_BYTES];
    if (share <= 0.0 || elapsed_us < ESTIMATE_US)
        return;
    const double left_s = (double)elapsed_us / 1e6 * (1.0 - share) / share;
    if (left_s >= 5940.0)
        snprintf(piece, sizeof piece, ", %.1f h left", left_s / 3600.0);
    else if (left_s >= 99.0)
        snprintf(piece, sizeof piece, ", %.0f min left", left_s / 60.0);
    else
        snprintf(piece, sizeof piece, ", %.0f s left", left_s);
    (void)text_add(line, piece);
}

/* A line that is as wide as the terminal goes on in the next one, and is not written over there. */
static void line_cut(char *line)
{
    struct winsize size;
    unsigned room =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
    for (; *line != '\0'; line++) {
        const bool is_begun = ((unsigned char)*line & 0xc0) == 0x80; /* A character, in UTF-8. */
        if (!is_begun && --room == 0)
            *line = '\0';
        if (*line == '\0')
            return;
    }
}

/* Whether a line is due where there is no terminal. */
static bool is_line_due(const struct progress *progress, double share, int64_t since_us)
{
    if (share < 0.0)
        return since_us >= ENDLESS_LINE_US;
    return since_us >= LINE_US && share - progress->shown_share >= LINE_SHARE;
}

void progress_show(struct progress *progress, double share, const char *text)
{
    const int64_t now_us = rk_now_us();
    const int64_t since_us = now_us - progress->shown_us;
    if (progress->is_terminal ? since_us < SHOW_US : !is_line_due(progress, share, since_us))
        return;
    progress->shown_us = now_us;
    progress->shown_share = share;
    char bytes[LINE_BYTES], piece[PIECE_BYTES];
    struct text line;
    text_init(&line, bytes, sizeof bytes);
    (void)text_add(&line, text);
    if (share >= 0.0) {
        snprintf(piece, sizeof piece, ", %.0f %%", 100.0 * share);
        (void)text_add(&line, piece);
    }
    estimate_add(&line, now_us - progress->start_us, share);
    if (progress->is_terminal)
        line_cut(bytes);
    fprintf(stderr, progress->is_terminal ? "\r%s\033[K" : "%s\n", bytes);
    fflush(stderr);
}

void progress_hide(const struct progress *progress)
{
    if (progress->is_terminal && progress->shown_us != 0)
        fputs("\r\033[K", stderr);
}
