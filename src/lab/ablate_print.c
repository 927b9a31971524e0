#include <inttypes.h>
#include <math.h>

#include "lab/ablate_table.h"
#include "lab/svg.h"

enum {
    US_PER_MS = 1000,
    /* The picture, in pixels. */
    WIDTH = 900,
    ROW_HEIGHT = 22,
    HEAD_HEIGHT = 34,
    NAME_WIDTH = 260,
    BAR_WIDTH = 520
};

static const char *const MODES[] = {[ABLATE_OFF] = "off", [ABLATE_ONLY] = "only"};

void ablate_print_text_head(FILE *file)
{
    (void)fprintf(file, "%-30s %-4s %12s %9s %10s %9s %8s\n", "technique", "mode", "nodes",
                  "change", "time_ms", "change", "first");
}

void ablate_print_text_row(FILE *file, const struct ablate_row *row)
{
    (void)fprintf(file, "%-30s %-4s %12" PRIu64 " %+8.1f%% %10.1f %+8.1f%% %7.1f%%\n", row->name,
                  MODES[row->mode], row->result.nodes, row->nodes_change_pct,
                  (double)row->result.time_us / US_PER_MS, row->time_change_pct,
                  row->first_move_cutoff_pct);
}

void ablate_print_markdown_head(FILE *file)
{
    (void)fputs("| technique | mode | nodes | change | time, ms | change | first-move cut-offs |\n"
                "|---|---|---|---|---|---|---|\n",
                file);
}

/* In groups of three digits. */
static void number_print(FILE *file, uint64_t number)
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, number);
    for (int i = 0; i < count; i++)
        (void)fprintf(file, "%s%c", i > 0 && (count - i) % 3 == 0 ? "," : "", digits[i]);
}

static void change_print(FILE *file, const struct ablate_row *row, double change_pct)
{
    if (row->techniques == 0)
        (void)fputs(" |  | ", file); /* Others are compared with it. */
    else
        (void)fprintf(file, " | %+.1f %% | ", change_pct);
}

void ablate_print_markdown_row(FILE *file, const struct ablate_row *row)
{
    (void)fprintf(file, "| %s | %s | ", row->name, MODES[row->mode]);
    number_print(file, row->result.nodes);
    change_print(file, row, row->nodes_change_pct);
    number_print(file, (uint64_t)(row->result.time_us + US_PER_MS / 2) / US_PER_MS);
    change_print(file, row, row->time_change_pct);
    (void)fprintf(file, "%.1f %% |\n", row->first_move_cutoff_pct);
}

void ablate_print_csv_head(FILE *file)
{
    (void)fputs("technique,mode,nodes,nodes_change_pct,time_ms,time_change_pct,"
                "first_move_cutoff_pct\n",
                file);
}

void ablate_print_csv_row(FILE *file, const struct ablate_row *row)
{
    (void)fprintf(file, "%s,%s,%" PRIu64 ",%.2f,%.1f,%.2f,%.2f\n", row->name, MODES[row->mode],
                  row->result.nodes, row->nodes_change_pct, (double)row->result.time_us / US_PER_MS,
                  row->time_change_pct, row->first_move_cutoff_pct);
}

/* The bars of one mode share a scale: the longest fills the width. */
static double scale_of(const struct ablate_table *table, enum ablate_mode mode)
{
    double greatest = 1.0;
    for (unsigned i = 0; i < table->count; i++)
        if (table->rows[i].mode == mode)
            greatest = fmax(greatest, fabs(table->rows[i].nodes_change_pct));
    return BAR_WIDTH / greatest;
}

static void bar_print(FILE *file, const struct ablate_row *row, double scale, int top)
{
    const double width = fabs(row->nodes_change_pct) * scale;
    (void)fprintf(file,
                  "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                  "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                  "<text x=\"%.1f\" y=\"%d\">%+.1f %%</text>\n",
                  NAME_WIDTH - 8, top + 15, row->name, NAME_WIDTH, top + 3, width, ROW_HEIGHT - 6,
                  row->nodes_change_pct < 0.0 ? "#2a7f62" : "#b5533c", NAME_WIDTH + width + 6.0,
                  top + 15, row->nodes_change_pct);
}

void ablate_print_svg(FILE *file, const struct ablate_table *table, const char *title)
{
    static const char *const HEADS[] = {
        [ABLATE_OFF] = "nodes with it switched off, against all on",
        [ABLATE_ONLY] = "nodes with it alone above captures by MVV-LVA, against those alone"};
    const int height = HEAD_HEIGHT * (1 + ABLATE_MODE_COUNT) + ROW_HEIGHT * (int)table->count;
    svg_begin(file, WIDTH, height, title);
    int top = HEAD_HEIGHT;
    for (unsigned mode = 0; mode < ABLATE_MODE_COUNT; mode++) {
        const double scale = scale_of(table, (enum ablate_mode)mode);
        (void)fprintf(file, "<text x=\"8\" y=\"%d\" font-weight=\"bold\">%s</text>\n", top + 22,
                      HEADS[mode]);
        top += HEAD_HEIGHT;
        for (unsigned i = 0; i < table->count; i++)
            if (table->rows[i].mode == (enum ablate_mode)mode) {
                bar_print(file, &table->rows[i], scale, top);
                top += ROW_HEIGHT;
            }
    }
    svg_end(file);
}
