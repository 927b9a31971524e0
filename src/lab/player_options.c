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

/* One "Name=value". */
static bool option_set(struct player_settings *settings, struct slice name, struct slice value,
                       bool *has_limit)
{
    int64_t number;
    uint32_t bits;
    unsigned index;
    if (slice_equal_fold(name, "EvalFile")) {
        struct text path;
        text_init(&path, settings->eval_file, sizeof settings->eval_file);
        return value.length > 0 && text_add_slice(&path, value);
    }
    if (slice_equal_fold(name, "UCI_Elo")) {
        if (number_parse(value, RK_ELO_MIN, RK_ELO_MAX, &number) != NUMBER_OK)
            return false;
        settings->elo = (uint32_t)number;
        return true;
    }
    const bool is_only = slice_equal_fold(name, "Only");
    if (is_only || slice_equal_fold(name, "Off")) {
        if (!switches_parse(value, &bits))
            return false;
        settings->switches_off = is_only ? bits ^ (((uint32_t)1 << SWITCH_COUNT) - 1) : bits;
        return true;
    }
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct option_row *row = &ROWS[i];
        if (!slice_equal_fold(name, row->name))
            continue;
        if (number_parse(value, row->min, row->max, &number) != NUMBER_OK)
            return false;
        if (row->is_limit && !*has_limit) {
            settings->limits =
                (struct player_limits){.increment_ms = settings->limits.increment_ms};
            *has_limit = true;
        }
        number_set(settings, row->field, number);
        return true;
    }
    return ROWS_ARE_FREE && row_find(name, &index) &&
           number_parse(value, INT32_MIN, INT32_MAX, &number) == NUMBER_OK &&
           rows_set(&settings->rows, index, number);
}

bool player_settings_parse(struct player_settings *settings, struct slice words,
                           struct slice *out_bad)
{
    struct player_settings changed = *settings;
    bool has_limit = false;
    while (words.length > 0) {
        words = slice_trim(words);
        const bool is_comment = words.length > 0 && words.bytes[0] == '#';
        const struct slice word = take_until(&words, is_comment ? "\n" : ",\n");
        if (is_comment || word.length == 0)
            continue;
        struct slice value = word;
        const struct slice name = take_until(&value, "=");
        if (!option_set(&changed, name, slice_trim(value), &has_limit)) {
            *out_bad = word;
            return false;
        }
    }
    *settings = changed;
    return true;
}
