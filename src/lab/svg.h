/* lab/svg.h: pictures: what all of them begin and end with, and lines over an axis.
 * Thread: one at a time for each file. */
#ifndef LAB_SVG_H
#define LAB_SVG_H

#include <stdio.h>

/* White, so many pixels, with a title. */
void svg_begin(FILE *file, int width, int height, const char *title);
void svg_end(FILE *file);

struct svg_line {
    const char *name, *colour;
    const double *values; /* One for each point of the axis. */
};

/* Lines over points 1 to `count`, with a scale from the least to the greatest value. */
void svg_lines(FILE *file, const char *title, const char *axis, unsigned count,
               const struct svg_line *lines, unsigned line_count);

#endif
