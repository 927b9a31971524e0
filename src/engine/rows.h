/* engine/rows.h: the rows of tune.h as data, and what a player has set them to.
 * In a build for tuning (ROOKERY_TUNE) a search reads its thread's own values, so that two players
 * in one process can differ; rows_use() sets them. In every other build the rows are constants, and
 * rows_use() does nothing. Thread: any. */
#ifndef ENGINE_ROWS_H
#define ENGINE_ROWS_H

#include <stdbool.h>

#include "base/text.h"
#include "engine/tune.h"

struct row {
    const char *name;
    int value; /* As built. */
    int low, high;
};

#define ROW_INDEX(name, value, low, high) ROW_##name,
enum row_index { TUNE_ROWS(ROW_INDEX) ROW_COUNT };
#undef ROW_INDEX

/* What is added to each row: all zero is as built. */
struct rows {
    int added[ROW_COUNT];
};

/* index below ROW_COUNT. */
const struct row *row_at(unsigned index);
/* Without regard to case. False, and nothing written, for a name that is none. */
bool row_find(struct slice name, unsigned *out_index);

int rows_value(const struct rows *rows, unsigned index);
/* False, and nothing changed, when `value` is outside the row's range. */
bool rows_set(struct rows *rows, unsigned index, int64_t value);

#ifdef ROOKERY_TUNE
enum { ROWS_ARE_FREE = 1 };
/* From here on the calling thread searches by these. */
void rows_use(const struct rows *rows);
#else
enum { ROWS_ARE_FREE = 0 };
static inline void rows_use(const struct rows *rows) { (void)rows; }
#endif

#endif
