#include "lab/svg.h"

enum {
    WIDTH = 900,
    HEIGHT = 420,
    LEFT = 80,
    RIGHT = 20,
    TOP = 60,
    BOTTOM = 40,
    GRID = 5, /* Lines of the scale, one less than pieces. */
    LEGEND_WIDTH = 160
};

void svg_begin(FILE *file, int width, int height, const char *title)
{
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "font-family=\"sans-serif\" font-size=\"13\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                  "<text x=\"8\" y=\"22\" font-size=\"15\">%s</text>\n",
                  width, height, title);
}

void svg_end(FILE *file) { (void)fputs("</svg>\n", file); }

struct scale {
    double low, high;
    unsigned count;
};

static double x_of(const struct scale *scale, unsigned point)
{
    const double share = scale->count > 1 ? (double)point / (scale->count - 1) : 0.5;
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct scale *scale, double value)
{
    return HEIGHT - BOTTOM -
           (value - scale->low) / (scale->high - scale->low) * (HEIGHT - TOP - BOTTOM);
}

static struct scale scale_of(const struct svg_line *lines, unsigned line_count, unsigned count)
{
    struct scale scale = {.low = lines[0].values[0], .high = lines[0].values[0], .count = count};
    for (unsigned line = 0; line < line_count; line++)
        for (unsigned i = 0; i < count; i++) {
            const double value = lines[line].values[i];
            scale.low = value < scale.low ? value : scale.low;
            scale.high = value > scale.high ? value : scale.high;
        }
    if (!(scale.high > scale.low))
        scale.high = scale.low + 1.0;
    return scale;
}

static void grid_print(FILE *file, const struct scale *scale, const char *axis)
{
    for (unsigned i = 0; i <= GRID; i++) {
        const double value = scale->low + (scale->high - scale->low) * i / GRID;
        const double y = y_of(scale, value);
        (void)fprintf(file,
                      "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>"
                      "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.5f</text>\n",
                      LEFT, y, WIDTH - RIGHT, y, LEFT - 8, y + 4.0, value);
    }
    (void)fprintf(file,
                  "<text x=\"%d\" y=\"%d\">1</text>"
                  "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s %u</text>\n",
                  LEFT, HEIGHT - 14, WIDTH - RIGHT, HEIGHT - 14, axis, scale->count);
}

void svg_lines(FILE *file, const char *title, const char *axis, unsigned count,
               const struct svg_line *lines, unsigned line_count)
{
    svg_begin(file, WIDTH, HEIGHT, title);
    if (count > 0) {
        const struct scale scale = scale_of(lines, line_count, count);
        grid_print(file, &scale, axis);
        for (unsigned line = 0; line < line_count; line++) {
            (void)fprintf(file,
                          "<text x=\"%d\" y=\"44\" fill=\"%s\">%s</text>\n"
                          "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
                          LEFT + (int)line * LEGEND_WIDTH, lines[line].colour, lines[line].name,
                          lines[line].colour);
            for (unsigned i = 0; i < count; i++)
                (void)fprintf(file, "%s%.1f,%.1f", i == 0 ? "" : " ", x_of(&scale, i),
                              y_of(&scale, lines[line].values[i]));
            (void)fputs("\"/>\n", file);
        }
    }
    svg_end(file);
}
