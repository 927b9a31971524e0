#include "lab/player_options.h"

#include <stddef.h>
#include <string.h>

#include "engine/network.h"

enum { NAME_BYTES_MAX = 32 };

enum field { FIELD_HASH, FIELD_NODES, FIELD_DEPTH, FIELD_MOVETIME, FIELD_TIME, FIELD_INCREMENT };

struct option_row {
    const char *name;
    enum field field;
    int64_t min, max;
    bool is_limit;
};

static const struct option_row ROWS[] = {
    {"Hash", FIELD_HASH, 1, PLAYER_HASH_MIB_MAX, false},
    {"Nodes", FIELD_NODES, 1, INT64_C(1) << 31, true},
    {"Depth", FIELD_DEPTH, 1, PLY_MAX - 1, true},
    {"MoveTime", FIELD_MOVETIME, 1, 3600000, true},
    {"Time", FIELD_TIME, 1, 86400000, true},
    {"Increment", FIELD_INCREMENT, 0, 3600000, false},
};

/* Takes text up to `mark` off the front of `rest`. */
static struct slice take_until(struct slice *rest, const char *marks)
{
    size_t length = 0;
    while (length < rest->length && strchr(marks, rest->bytes[length]) == NULL)
        length++;
    const struct slice taken = {rest->bytes, length};
    const size_t skipped = length < rest->length ? length + 1 : length;
    *rest = (struct slice){rest->bytes + skipped, rest->length - skipped};
    return slice_trim(taken);
}

bool switches_parse(struct slice names, uint32_t *out_bits)
{
    uint32_t bits = 0;
    while (names.length > 0) {
        const struct slice word = take_until(&names, "+");
        char name[NAME_BYTES_MAX];
        struct text text;
        enum ordering_switch technique;
        text_init(&text, name, sizeof name);
        if (!text_add_slice(&text, word) || !switch_parse(name, &technique))
            return false;
        bits |= (uint32_t)1 << technique;
    }
    *out_bits = bits;
    return true;
}

static void number_set(struct player_settings *settings, enum field field, int64_t number)
{
    struct player_limits *limits = &settings->limits;
    switch (field) {
    case FIELD_HASH: settings->hash_mib = (uint32_t)number; break;
    case FIELD_NODES: limits->nodes = (uint64_t)number; break;
    case FIELD_DEPTH: limits->depth = (uint32_t)number; break;
    case FIELD_MOVETIME: limits->movetime_ms = number; break;
    case FIELD_TIME: limits->time_ms = number; break;
    case FIELD_INCREMENT: limits->increment_ms = number; break;
    }
}

bool player_settings_load(struct player_settings *settings, struct rk_network **out_network,
                          char out_error[RK_NETWORK_ERROR_BYTES_MAX])
{
    struct rk_network *network = NULL;
    if (*settings->eval_file != '\0' &&
        network_read(settings->eval_file, &network, out_error) != RK_OK)
        return false;
    settings->network = network;
    *out_network = network;
    return true;
}

void player_network_destroy(struct rk_network *network) { network_destroy(network); }

bool player_increment_is_of_use(const struct player_settings *settings)
{
    return settings->limits.increment_ms == 0 || settings->limits.time_ms > 0;
}

/* What a text has named. */
struct naming {
    bool has_eval_file, has_elo, has_switches, has_limit;
    bool has_option[sizeof ROWS / sizeof *ROWS];
    bool has_row[ROW_COUNT];
};

static const char TWICE[] = "a player's option is given twice";
static const char SWITCHES_TWICE[] = "Off and Only are given once, with techniques joined by '+'";
static const char BAD_VALUE[] = "a player's option does not take this value";
static const char UNKNOWN[] = "a player has no such option";

static const char *eval_file_set(struct player_settings *settings, struct slice value)
{
    struct text path;
    text_init(&path, settings->eval_file, sizeof settings->eval_file);
    return value.length > 0 && text_add_slice(&path, value) ? NULL : BAD_VALUE;
}

static const char *elo_set(struct player_settings *settings, struct slice value)
{
    int64_t number;
    if (number_parse(value, RK_ELO_MIN, RK_ELO_MAX, &number) != NUMBER_OK)
        return BAD_VALUE;
    settings->elo = (uint32_t)number;
    return NULL;
}

static const char *switches_set(struct player_settings *settings, struct slice value, bool is_only)
{
    uint32_t bits;
    if (!switches_parse(value, &bits))
        return BAD_VALUE;
    settings->switches_off = is_only ? bits ^ (((uint32_t)1 << SWITCH_COUNT) - 1) : bits;
    return NULL;
}

static const char *number_option_set(struct player_settings *settings, const struct option_row *row,
                                     struct slice value, struct naming *naming)
{
    int64_t number;
    if (number_parse(value, row->min, row->max, &number) != NUMBER_OK)
        return BAD_VALUE;
    if (row->is_limit && !naming->has_limit) {
        settings->limits = (struct player_limits){.increment_ms = settings->limits.increment_ms};
        naming->has_limit = true;
    }
    number_set(settings, row->field, number);
    return NULL;
}

static const char *row_set(struct player_settings *settings, unsigned row, struct slice value)
{
    int64_t number;
    return number_parse(value, INT32_MIN, INT32_MAX, &number) == NUMBER_OK &&
                   rows_set(&settings->rows, row, number)
               ? NULL
               : BAD_VALUE;
}

/* Whether something is named a second time; from now on it has been named. */
static bool is_again(bool *has_name)
{
    const bool had_name = *has_name;
    *has_name = true;
    return had_name;
}

/* One "Name=value"; NULL, or why not. */
static const char *option_set(struct player_settings *settings, struct slice name,
                              struct slice value, struct naming *naming)
{
    unsigned row;
    const bool is_only = slice_equal_fold(name, "Only");
    if (slice_equal_fold(name, "EvalFile"))
        return is_again(&naming->has_eval_file) ? TWICE : eval_file_set(settings, value);
    if (slice_equal_fold(name, "UCI_Elo"))
        return is_again(&naming->has_elo) ? TWICE : elo_set(settings, value);
    if (is_only || slice_equal_fold(name, "Off"))
        return is_again(&naming->has_switches) ? SWITCHES_TWICE
                                               : switches_set(settings, value, is_only);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (slice_equal_fold(name, ROWS[i].name))
            return is_again(&naming->has_option[i])
                       ? TWICE
                       : number_option_set(settings, &ROWS[i], value, naming);
    if (!ROWS_ARE_FREE || !row_find(name, &row))
        return UNKNOWN;
    return is_again(&naming->has_row[row]) ? TWICE : row_set(settings, row, value);
}

bool player_settings_parse(struct player_settings *settings, struct slice words,
                           struct player_options_fault *out_fault)
{
    struct player_settings changed = *settings;
    struct naming naming = {.has_limit = false};
    while (words.length > 0) {
        words = slice_trim(words);
        const bool is_comment = words.length > 0 && words.bytes[0] == '#';
        const struct slice word = take_until(&words, is_comment ? "\n" : ",\n");
        if (is_comment || word.length == 0)
            continue;
        struct slice value = word;
        const struct slice name = take_until(&value, "=");
        const char *why = option_set(&changed, name, slice_trim(value), &naming);
        if (why != NULL) {
            *out_fault = (struct player_options_fault){word, why};
            return false;
        }
    }
    *settings = changed;
    return true;
}
