#include "uci/settings.h"

#include <string.h>

#include "base/random.h"
#include "uci/say.h"

void settings_init(struct settings *settings, const struct rk_session_options *house)
{
    *settings = (struct settings){.house = *house};
    if (house->threads_per_search == 0 || house->threads_per_search > house->threads)
        settings->house.threads_per_search = house->threads;
    settings->chores.table_mib = house->table_mib;
    settings->chores.threads = house->threads;
    options_init(&settings->options, house->table_mib,
                 house->owns_engine ? house->threads : settings->house.threads_per_search);
}

/* The house's own client has sized the engine, and takes all of it: as many as there are when its
 * turn comes, since a size that waits for the end of a search is not in force when it is built. */
uint32_t settings_threads(const struct settings *settings)
{
    if (settings->house.owns_engine)
        return 0;
    const uint32_t wanted = (uint32_t)settings->options.values[OPTION_THREADS];
    const uint32_t most = settings->house.threads_per_search;
    return wanted < most ? wanted : most;
}

uint64_t settings_salt(const struct settings *settings)
{
    if (settings->house.owns_engine || settings->clear_count == 0)
        return 0;
    uint64_t state = settings->house.session;
    state = random_next(&state) + settings->clear_count;
    return random_next(&state) | 1;
}

static int64_t in_force(const struct settings *settings, enum option_id id)
{
    switch (id) {
    case OPTION_HASH: return settings->house.table_mib;
    case OPTION_THREADS:
        return settings->house.owns_engine ? settings->house.threads : settings_threads(settings);
    default: return settings->options.values[id];
    }
}

/* Ends what has been begun with what is in force. */
static void say_in_force(const struct settings *settings, enum option_id id, struct saying *saying,
                         const struct rk_host *host)
{
    const int64_t value = in_force(settings, id);
    (void)text_add(&saying->text, "; in force: ");
    if (option_row(id)->type == OPTION_CHECK)
        (void)text_add(&saying->text, value != 0 ? "true" : "false");
    else
        (void)text_add_int(&saying->text, value);
    say_end(saying, host);
}

static void say_refused(const struct settings *settings, enum option_id id, struct slice value,
                        const struct rk_host *host)
{
    const struct option_row *row = option_row(id);
    struct saying saying;
    say_begin(&saying, row->name);
    if (row->type == OPTION_CHECK) {
        (void)text_add(&saying.text, " wants true or false, not ");
    } else {
        (void)text_add(&saying.text, " wants a number from ");
        (void)text_add_int(&saying.text, row->min);
        (void)text_add(&saying.text, " to ");
        (void)text_add_int(&saying.text, row->max);
        (void)text_add(&saying.text, ", not ");
    }
    say_quoted(&saying, value);
    say_in_force(settings, id, &saying, host);
}

static void say_clamped(const struct settings *settings, enum option_id id,
                        const struct rk_host *host)
{
    struct saying saying;
    say_begin(&saying, option_row(id)->name);
    (void)text_add(&saying.text, " is out of range; taken as ");
    (void)text_add_int(&saying.text, settings->options.values[id]);
    say_end(&saying, host);
}

/* Hash and Threads of a client whose engine it is: the chores resize it. */
static void set_own_size(struct settings *settings, enum option_id id)
{
    const uint32_t value = (uint32_t)settings->options.values[id];
    if (id == OPTION_HASH)
        settings->chores.table_mib = value;
    else
        settings->chores.threads = value;
}

/* Hash and Threads of a client among many: the house's, as far as the wish goes beyond it. */
static void set_shared_size(const struct settings *settings, enum option_id id,
                            const struct rk_host *host)
{
    if (settings->options.values[id] == in_force(settings, id))
        return;
    struct saying saying;
    say_begin(&saying,
              id == OPTION_HASH ? "Hash is shared by all clients" : "Threads has a limit here");
    say_in_force(settings, id, &saying, host);
}

/* A line each. */
static void say_faults(const struct rk_tablebases *tablebases, const struct rk_host *host)
{
    struct saying saying;
    uint32_t said = 0;
    const char *rest = tablebases->faults;
    for (const char *end; (end = strchr(rest, '\n')) != NULL; rest = end + 1, said++) {
        say_begin(&saying, "SyzygyPath ");
        (void)text_add_slice(&saying.text, (struct slice){rest, (size_t)(end - rest)});
        say_end(&saying, host);
    }
    if (said == tablebases->fault_count)
        return;
    say_begin(&saying, "SyzygyPath ");
    (void)text_add_uint(&saying.text, tablebases->fault_count - said);
    (void)text_add(&saying.text, " files more are not used");
    say_end(&saying, host);
}

static void say_tablebases(const struct rk_tablebases *tablebases, const struct rk_host *host)
{
    struct saying saying;
    say_faults(tablebases, host);
    if (tablebases->men == 0)
        return;
    say_begin(&saying, "tablebases of up to ");
    (void)text_add_uint(&saying.text, tablebases->men);
    (void)text_add(&saying.text, " men: ");
    (void)text_add_uint(&saying.text, tablebases->results);
    (void)text_add(&saying.text, " with results, ");
    (void)text_add_uint(&saying.text, tablebases->distances);
    (void)text_add(&saying.text, " with distances");
    say_end(&saying, host);
}

static void set_tablebases(struct slice value, bool is_idle, const struct rk_host *host)
{
    char path[RK_TABLEBASE_PATH_BYTES_MAX];
    struct text text;
    struct rk_tablebases tablebases;
    if (slice_equal_fold(value, "<empty>"))
        value.length = 0;
    if (host->open_tablebases == NULL) {
        if (value.length > 0)
            say(host, "SyzygyPath is the operator's to choose; the value is not used");
        return;
    }
    text_init(&text, path, sizeof path);
    (void)text_add_slice(&text, value);
    enum rk_status status = RK_BUSY;
    if (text.is_cut || strlen(path) != value.length) /* A zero byte ends no path. */
        status = RK_BAD_ARGUMENT;
    else if (is_idle)
        status = host->open_tablebases(host->context, path, &tablebases);
    if (status == RK_OK) {
        say_tablebases(&tablebases, host);
        return;
    }
    struct saying saying;
    say_begin(&saying, "SyzygyPath stays as it is: ");
    (void)text_add(&saying.text,
                   status == RK_BUSY ? "a search runs; set it again" : rk_status_text(status));
    say_end(&saying, host);
}

static void set_house(struct settings *settings, enum option_id id, bool is_clamped,
                      const struct rk_host *host)
{
    if (id == OPTION_CLEAR_HASH) {
        settings->clear_count++;
        settings_forget(settings, true);
    } else if (settings->house.owns_engine) {
        if (is_clamped)
            say_clamped(settings, id, host);
        set_own_size(settings, id);
    } else {
        set_shared_size(settings, id, host);
    }
}

void settings_set(struct settings *settings, const struct command_setoption *given, bool is_idle,
                  const struct rk_host *host)
{
    enum option_id id = OPTION_COUNT;
    const enum option_answer answer =
        options_set(&settings->options, given->name, given->value, &id);
    if (answer == OPTION_UNKNOWN) {
        struct saying saying;
        say_begin(&saying, "no such option: ");
        say_quoted(&saying, given->name);
        say_end(&saying, host);
    } else if (answer == OPTION_REFUSED) {
        say_refused(settings, id, given->value, host);
    } else if (id == OPTION_SYZYGY_PATH) {
        set_tablebases(given->value, is_idle, host);
    } else if (option_row(id)->use == OPTION_TO_HOUSE) {
        set_house(settings, id, answer == OPTION_CLAMPED, host);
    } else if (answer == OPTION_CLAMPED) {
        say_clamped(settings, id, host);
    }
}

void settings_forget(struct settings *settings, bool clears)
{
    settings->chores.forgets = true;
    settings->chores.clears |= clears || settings->house.owns_engine;
}

struct chores settings_take_chores(struct settings *settings)
{
    const struct chores taken = settings->chores;
    settings->chores.forgets = false;
    settings->chores.clears = false;
    return taken;
}

static void resize(struct settings *settings, const struct chores *chores,
                   const struct rk_host *host)
{
    struct rk_session_options *house = &settings->house;
    if (!house->owns_engine || host->resize == NULL ||
        (chores->table_mib == house->table_mib && chores->threads == house->threads))
        return;
    const enum rk_status status = host->resize(host->context, chores->table_mib, chores->threads);
    if (status == RK_OK) {
        house->table_mib = chores->table_mib;
        house->threads = chores->threads;
        return;
    }
    /* Not tried again by the chores of the next `go`. */
    if (settings->chores.table_mib == chores->table_mib)
        settings->chores.table_mib = house->table_mib;
    if (settings->chores.threads == chores->threads)
        settings->chores.threads = house->threads;
    struct saying saying;
    say_begin(&saying, "Hash and Threads stay as they are: ");
    (void)text_add(&saying.text, rk_status_text(status));
    (void)text_add(&saying.text, "; in force: Hash ");
    (void)text_add_uint(&saying.text, house->table_mib);
    (void)text_add(&saying.text, ", Threads ");
    (void)text_add_uint(&saying.text, house->threads);
    say_end(&saying, host);
}

void settings_do(struct settings *settings, const struct chores *chores, const struct rk_host *host)
{
    const struct chores asked = *chores; /* It may be the settings' own. */
    resize(settings, &asked, host);
    if (asked.forgets)
        host->new_game(host->context, settings->house.session, asked.clears);
}
