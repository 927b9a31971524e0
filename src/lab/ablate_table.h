/* lab/ablate_table.h: rows of techniques switched off and on, and what came of each.
 * `off`: all on but these. `only`: these alone above the base, which orders captures by MVV-LVA and
 * no more. The first row of each mode is what the others are compared with.
 * Thread: one at a time for each table. */
#ifndef LAB_ABLATE_TABLE_H
#define LAB_ABLATE_TABLE_H

#include <stdio.h>

#include "lab/ablate.h"

enum ablate_mode { ABLATE_OFF, ABLATE_ONLY, ABLATE_MODE_COUNT };

enum { ABLATE_NAME_BYTES = 160, ABLATE_ROWS_MAX = 64 };

struct ablate_row {
    char name[ABLATE_NAME_BYTES]; /* "killers+history"; "nothing" and "base" come first. */
    enum ablate_mode mode;
    uint32_t techniques;
    unsigned first;              /* The row of its mode that it is compared with. */
    struct ablate_result result; /* Of one run; its time is the median of its turns. */
    double nodes_change_pct, time_change_pct, first_move_cutoff_pct;
};

struct ablate_table {
    unsigned count;
    struct ablate_row rows[ABLATE_ROWS_MAX];
};

/* A row for each technique, and some of several that work together. */
void ablate_table_init(struct ablate_table *out_table);
/* A row for each name alone; more than fit, or a name that is none: RK_BAD_ARGUMENT. */
enum rk_status ablate_table_init_rows(struct ablate_table *out_table, const char *const *names,
                                      unsigned count);

struct ablate_plan {
    const struct book *book;
    uint32_t depth;
    uint32_t table_mib;
    bool is_plain;
    int64_t least_us; /* A row is run again until its searches have taken so long. */
    /* Before each position of each row, and after the row: false is enough. May be NULL. */
    void (*position)(void *context, const struct ablate_table *table, unsigned row, size_t index,
                     double share); /* Of the time that all will take, as far as is known. */
    bool (*row)(void *context, const struct ablate_row *row);
    void *context;
};

/* The six positions that are searched when there is no file. */
const char *ablate_positions(void);

/* All rows in turns (lab/ablate_run.c); each is told when it and those before it are done. */
enum rk_status ablate_table_run(struct ablate_table *table, const struct ablate_plan *plan);

/* Of a row's turns, at most eleven; between two, their mean. 0: none. */
int64_t ablate_median(const int64_t *times_us, unsigned count);

/* Text, a table as Markdown writes them, CSV, and a picture of bars. */
void ablate_print_text_head(FILE *file);
void ablate_print_text_row(FILE *file, const struct ablate_row *row);
void ablate_print_markdown_head(FILE *file);
void ablate_print_markdown_row(FILE *file, const struct ablate_row *row);
void ablate_print_csv_head(FILE *file);
void ablate_print_csv_row(FILE *file, const struct ablate_row *row);
void ablate_print_svg(FILE *file, const struct ablate_table *table, const char *title);

#endif
