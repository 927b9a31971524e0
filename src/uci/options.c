#include "uci/options.h"

#include "base/check.h"
#include "rookery/engine.h"

static const struct option_row ROWS[OPTION_COUNT] = {
    [OPTION_HASH] = {"Hash", OPTION_SPIN, OPTION_TO_HOUSE, 1, 1, (int32_t)RK_TABLE_MIB_MAX},
    [OPTION_CLEAR_HASH] = {"Clear Hash", OPTION_BUTTON, OPTION_TO_HOUSE, 0, 0, 0},
    [OPTION_THREADS] = {"Threads", OPTION_SPIN, OPTION_TO_HOUSE, 1, 1, RK_THREADS_MAX},
    [OPTION_PONDER] = {"Ponder", OPTION_CHECK, OPTION_TO_NOBODY, 0, 0, 1},
    [OPTION_MULTIPV] = {"MultiPV", OPTION_SPIN, OPTION_TO_REQUEST, 1, 1, RK_MOVES_MAX},
    [OPTION_MOVE_OVERHEAD] = {"Move Overhead", OPTION_SPIN, OPTION_TO_REQUEST, 30, 0, 5000},
    [OPTION_CHESS960] = {"UCI_Chess960", OPTION_CHECK, OPTION_TO_OUTPUT, 0, 0, 1},
    [OPTION_ANALYSE_MODE] = {"UCI_AnalyseMode", OPTION_CHECK, OPTION_TO_NOBODY, 0, 0, 1},
    [OPTION_LIMIT_STRENGTH] = {"UCI_LimitStrength", OPTION_CHECK, OPTION_TO_REQUEST, 0, 0, 1},
    [OPTION_ELO] = {"UCI_Elo", OPTION_SPIN, OPTION_TO_REQUEST, 1600, RK_ELO_MIN, RK_ELO_MAX},
    [OPTION_SHOW_WDL] = {"UCI_ShowWDL", OPTION_CHECK, OPTION_TO_OUTPUT, 0, 0, 1},
    [OPTION_OPPONENT] = {"UCI_Opponent", OPTION_STRING, OPTION_TO_NOBODY, 0, 0, 0},
    [OPTION_SYZYGY_PATH] = {"SyzygyPath", OPTION_STRING, OPTION_TO_HOUSE, 0, 0, 0},
    [OPTION_SYZYGY_DEPTH] = {"SyzygyProbeDepth", OPTION_SPIN, OPTION_TO_REQUEST, 1, 1, 100},
    [OPTION_SYZYGY_LIMIT] = {"SyzygyProbeLimit", OPTION_SPIN, OPTION_TO_REQUEST, 7, 0, 7},
    [OPTION_SYZYGY_FIFTY] = {"Syzygy50MoveRule", OPTION_CHECK, OPTION_TO_REQUEST, 1, 0, 1},
};

static_assert(RK_TABLE_MIB_MAX <= INT32_MAX, "a spin stays inside 32 bits");

const struct option_row *option_row(enum option_id id)
{
    ASSERT(id < OPTION_COUNT);
    return &ROWS[id];
}

static int32_t initial_of(const struct options *options, enum option_id id)
{
    switch (id) {
    case OPTION_HASH: return options->house_hash_mib;
    case OPTION_THREADS: return options->house_threads;
    default: return ROWS[id].initial;
    }
}

static int32_t clamp_to_row(uint32_t value, enum option_id id)
{
    const uint32_t max = (uint32_t)ROWS[id].max;
    return value < 1 ? 1 : (int32_t)(value < max ? value : max);
}

void options_init(struct options *options, uint32_t hash_mib, uint32_t threads)
{
    options->house_hash_mib = clamp_to_row(hash_mib, OPTION_HASH);
    options->house_threads = clamp_to_row(threads, OPTION_THREADS);
    for (unsigned id = 0; id < OPTION_COUNT; id++)
        options->values[id] = initial_of(options, (enum option_id)id);
}

static bool name_equal(struct slice given, const char *name)
{
    struct slice wanted = slice_of(name);
    for (;;) {
        const struct slice a = slice_next_word(&given);
        const struct slice b = slice_next_word(&wanted);
        if (!slice_same_fold(a, b))
            return false;
        if (a.length == 0)
            return true;
    }
}

static enum option_answer set_check(int32_t *value, struct slice given)
{
    if (slice_equal_fold(given, "true"))
        *value = 1;
    else if (slice_equal_fold(given, "false"))
        *value = 0;
    else
        return OPTION_REFUSED;
    return OPTION_ACCEPTED;
}

static enum option_answer set_spin(const struct option_row *row, int32_t *value, struct slice given)
{
    int64_t number;
    const enum number result = number_parse(given, row->min, row->max, &number);
    if (result == NUMBER_NONE)
        return OPTION_REFUSED;
    *value = (int32_t)number;
    return result == NUMBER_OK ? OPTION_ACCEPTED : OPTION_CLAMPED;
}

enum option_answer options_set(struct options *options, struct slice name, struct slice value,
                               enum option_id *out_id)
{
    unsigned i = 0;
    while (i < OPTION_COUNT && !name_equal(name, ROWS[i].name))
        i++;
    if (i == OPTION_COUNT)
        return OPTION_UNKNOWN;
    *out_id = (enum option_id)i;
    switch (ROWS[i].type) {
    case OPTION_CHECK: return set_check(&options->values[i], value);
    case OPTION_SPIN: return set_spin(&ROWS[i], &options->values[i], value);
    case OPTION_BUTTON:
    case OPTION_STRING: break;
    }
    return OPTION_ACCEPTED;
}

void options_print(const struct options *options, enum option_id id, struct text *text)
{
    const struct option_row *row = option_row(id);
    const int32_t initial = initial_of(options, id);
    (void)text_add(text, "option name ");
    (void)text_add(text, row->name);
    switch (row->type) {
    case OPTION_CHECK:
        (void)text_add(text, " type check default ");
        (void)text_add(text, initial != 0 ? "true" : "false");
        break;
    case OPTION_SPIN:
        (void)text_add(text, " type spin default ");
        (void)text_add_int(text, initial);
        (void)text_add(text, " min ");
        (void)text_add_int(text, row->min);
        (void)text_add(text, " max ");
        (void)text_add_int(text, row->max);
        break;
    case OPTION_BUTTON: (void)text_add(text, " type button"); break;
    case OPTION_STRING: (void)text_add(text, " type string default <empty>"); break;
    }
    (void)text_add_char(text, '\n');
}
