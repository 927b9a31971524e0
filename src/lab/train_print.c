#include <inttypes.h>

#include "lab/svg.h"
#include "lab/train.h"

void train_print_csv(FILE *file, const struct train_row *rows, unsigned count)
{
    (void)fputs("epoch,steps,rate,learnt_loss,held_loss\n", file);
    for (unsigned i = 0; i < count; i++)
        (void)fprintf(file, "%" PRIu64 ",%" PRIu64 ",%.9g,%.9f,%.9f\n", rows[i].epoch,
                      rows[i].steps, rows[i].rate, rows[i].learnt_loss, rows[i].held_loss);
}

void train_print_svg(FILE *file, const struct train_row *rows, unsigned count, const char *title)
{
    double learnt[TRAIN_EPOCHS_MAX], held[TRAIN_EPOCHS_MAX];
    for (unsigned i = 0; i < count; i++) {
        learnt[i] = rows[i].learnt_loss;
        held[i] = rows[i].held_loss;
    }
    const struct svg_line lines[] = {
        {.name = "loss, learnt from", .colour = "#2a7f62", .values = learnt},
        {.name = "loss, held out", .colour = "#b5533c", .values = held}};
    svg_lines(file, title, "epoch", count, lines, sizeof lines / sizeof *lines);
}
