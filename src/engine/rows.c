#include "engine/rows.h"

#include "base/check.h"

#define ROW_DATA(name, value, low, high) {#name, value, low, high},
static const struct row ROWS[ROW_COUNT] = {TUNE_ROWS(ROW_DATA)};
#undef ROW_DATA

const struct row *row_at(unsigned index)
{
    ASSERT(index < ROW_COUNT);
    return &ROWS[index];
}

bool row_find(struct slice name, unsigned *out_index)
{
    for (unsigned i = 0; i < ROW_COUNT; i++)
        if (slice_equal_fold(name, ROWS[i].name)) {
            *out_index = i;
            return true;
        }
    return false;
}

int rows_value(const struct rows *rows, unsigned index)
{
    return row_at(index)->value + rows->added[index];
}

bool rows_set(struct rows *rows, unsigned index, int64_t value)
{
    const struct row *row = row_at(index);
    if (value < row->low || value > row->high)
        return false;
    rows->added[index] = (int)value - row->value;
    return true;
}

#ifdef ROOKERY_TUNE
#define ROW_VARIABLE(name, value, low, high) _Thread_local int TUNE_##name = (value);
TUNE_ROWS(ROW_VARIABLE)
#undef ROW_VARIABLE

void rows_use(const struct rows *rows)
{
#define ROW_USE(name, value, low, high) TUNE_##name = (value) + rows->added[ROW_##name];
    TUNE_ROWS(ROW_USE)
#undef ROW_USE
}
#endif
