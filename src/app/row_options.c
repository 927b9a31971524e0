#include "app/row_options.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"

bool row_options_line(const struct rk_engine *engine, uint32_t index,
                      char out_line[ROW_OPTION_BYTES])
{
    struct rk_row row;
    if (!rk_engine_row(engine, index, &row))
        return false;
    (void)snprintf(out_line, ROW_OPTION_BYTES,
                   "option name %s type spin default %" PRId32 " min %" PRId32 " max %" PRId32 "\n",
                   row.name, row.value, row.low, row.high);
    return true;
}

static bool row_named(const struct rk_engine *engine, struct slice name, uint32_t *out_index)
{
    struct rk_row row;
    for (uint32_t i = 0; rk_engine_row(engine, i, &row); i++)
        if (slice_equal_fold(name, row.name)) {
            *out_index = i;
            return true;
        }
    return false;
}

bool row_options_take(struct rk_engine *engine, struct rk_session *session, const char *line,
                      size_t length)
{
    struct slice rest = {line, length};
    uint32_t index;
    int64_t value = 0;
    struct rk_row row;
    if (!slice_equal(slice_next_word(&rest), "setoption") ||
        !slice_equal(slice_next_word(&rest), "name") ||
        !row_named(engine, slice_next_word(&rest), &index))
        return false;
    const bool is_number =
        slice_equal(slice_next_word(&rest), "value") &&
        number_parse(slice_trim(rest), INT32_MIN, INT32_MAX, &value) == NUMBER_OK;
    if (is_number && rk_engine_set_row(engine, index, (int32_t)value) == RK_OK)
        return true;
    char words[ROW_OPTION_BYTES];
    (void)rk_engine_row(engine, index, &row);
    (void)snprintf(words, sizeof words,
                   "%s wants a number from %" PRId32 " to %" PRId32 "; in force: %" PRId32,
                   row.name, row.low, row.high, row.value);
    rk_session_say(session, words);
    return true;
}
