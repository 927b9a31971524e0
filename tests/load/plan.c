#include "load/plan.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { CLIENTS_MAX = 4000, SECONDS_MAX = 86400, MS_MAX = 3600000, CLIENTS_AUTO = 64 };

static const char USAGE[] =
    "usage: load [OPTION]... (ROOKERYD | --connect IPV4:PORT)\n"
    "  --clients N        how many of a mix of all kinds (64)\n"
    "  --mix KIND=N,...   how many of each kind instead: bots, movers, analysts, watchers,\n"
    "                     pingers, pipeliners, tinkerers, slow, vanishers, strangers\n"
    "  --seconds N        how long (60)\n"
    "  --seed N           what is drawn (1)\n"
    "  --grace-ms N       by how much a clock may be overdrawn (200)\n"
    "  --clock MS+INC     of bots (10000+100)\n"
    "  --overhead-ms N    the Move Overhead that bots set (0: they set none)\n"
    "  --movetime MS      of movers, then on one thread (0: from 10 to 500, on all)\n"
    "  --think-ms N       the longest of an analyst's searches (1500)\n"
    "  --pause-ms N       the longest pause of a pinger (20)\n"
    "  --set KEY=VALUE    a key of the server's configuration; as often as wanted\n"
    "  --growth           fail if the server's memory grows after half time\n";

static const char *const NAMES[BEHAVIOUR_COUNT] = {
    [BOTS] = "bots",           [MOVERS] = "movers",   [ANALYSTS] = "analysts",
    [WATCHERS] = "watchers",   [PINGERS] = "pingers", [PIPELINERS] = "pipeliners",
    [TINKERERS] = "tinkerers", [SLOW] = "slow",       [VANISHERS] = "vanishers",
    [STRANGERS] = "strangers",
};

/* Of every sixteen clients; none has more than PARTS_MOST. */
static const uint32_t PARTS[BEHAVIOUR_COUNT] = {
    [BOTS] = 4,       [MOVERS] = 1,    [ANALYSTS] = 3, [WATCHERS] = 2,  [PINGERS] = 1,
    [PIPELINERS] = 1, [TINKERERS] = 1, [SLOW] = 1,     [VANISHERS] = 1, [STRANGERS] = 1,
};
enum { PARTS_MOST = 4 };

const char *plan_usage(void) { return USAGE; }

const char *behaviour_name(enum behaviour_id id) { return NAMES[id]; }

/* One of each kind, then a second of those that want more, and so on; sixteen are one round. */
static void share_out(struct plan *plan, uint32_t clients)
{
    uint32_t given = 0;
    for (uint32_t turn = 0; given < clients; turn = (turn + 1) % PARTS_MOST) {
        for (int id = 0; id < BEHAVIOUR_COUNT && given < clients; id++) {
            const uint32_t more = turn < PARTS[id] ? 1 : 0;
            plan->mix[id] += more;
            given += more;
        }
    }
}

static bool read_number(struct slice word, int64_t min, int64_t max, uint32_t *out_number)
{
    int64_t number = 0;
    if (number_parse(word, min, max, &number) != NUMBER_OK)
        return false;
    *out_number = (uint32_t)number;
    return true;
}

/* Takes what stands before `mark`, or all there is, off the front. */
static struct slice take_until(struct slice *rest, char mark)
{
    const char *found = rest->length == 0 ? NULL : memchr(rest->bytes, mark, rest->length);
    const size_t length = found == NULL ? rest->length : (size_t)(found - rest->bytes);
    const struct slice part = {rest->bytes, length};
    const size_t taken = found == NULL ? length : length + 1;
    rest->bytes += taken;
    rest->length -= taken;
    return part;
}

static bool read_mix(struct plan *plan, const char *word)
{
    struct slice rest = slice_of(word);
    while (rest.length > 0) {
        struct slice count = take_until(&rest, ',');
        const struct slice name = take_until(&count, '=');
        int id = 0;
        while (id < BEHAVIOUR_COUNT && !slice_equal(name, NAMES[id]))
            id++;
        if (id == BEHAVIOUR_COUNT || !read_number(count, 0, CLIENTS_MAX, &plan->mix[id]))
            return false;
    }
    return true;
}

static bool read_clock(struct plan *plan, const char *word)
{
    struct slice rest = slice_of(word);
    const struct slice clock = take_until(&rest, '+');
    return read_number(clock, 1, MS_MAX, &plan->clock_ms) &&
           read_number(rest, 0, MS_MAX, &plan->inc_ms);
}

static bool read_seed(struct plan *plan, const char *word)
{
    int64_t seed = 0;
    const bool is_good = number_parse(slice_of(word), 0, INT64_MAX, &seed) == NUMBER_OK;
    plan->seed = (uint64_t)seed;
    return is_good;
}

static bool read_option(struct plan *plan, int option, const char *word, uint32_t *clients)
{
    const struct slice slice = slice_of(word == NULL ? "" : word);
    switch (option) {
    case 'n': return read_number(slice, 1, CLIENTS_MAX, clients);
    case 'm': return read_mix(plan, word);
    case 's': return read_number(slice, 1, SECONDS_MAX, &plan->seconds);
    case 'r': return read_seed(plan, word);
    case 'g': return read_number(slice, 0, MS_MAX, &plan->grace_ms);
    case 'c': return read_clock(plan, word);
    case 'v': return read_number(slice, 0, MS_MAX, &plan->overhead_ms);
    case 't': return read_number(slice, 0, MS_MAX, &plan->move_ms);
    case 'k': return read_number(slice, 1, MS_MAX, &plan->think_ms);
    case 'p': return read_number(slice, 0, MS_MAX, &plan->pause_ms);
    case 'a': plan->address = word; return true;
    case 'w': plan->checks_growth = true; return true;
    case 'o':
        if (plan->key_count == PLAN_KEYS_MAX || strchr(word, '=') == NULL)
            return false;
        plan->keys[plan->key_count++] = word;
        return true;
    default: return false;
    }
}

bool plan_read(int count, char **words, struct plan *out_plan)
{
    static const struct option OPTIONS[] = {
        {"clients", required_argument, NULL, 'n'},
        {"mix", required_argument, NULL, 'm'},
        {"seconds", required_argument, NULL, 's'},
        {"seed", required_argument, NULL, 'r'},
        {"grace-ms", required_argument, NULL, 'g'},
        {"clock", required_argument, NULL, 'c'},
        {"overhead-ms", required_argument, NULL, 'v'},
        {"movetime", required_argument, NULL, 't'},
        {"think-ms", required_argument, NULL, 'k'},
        {"pause-ms", required_argument, NULL, 'p'},
        {"connect", required_argument, NULL, 'a'},
        {"set", required_argument, NULL, 'o'},
        {"growth", no_argument, NULL, 'w'},
        {0},
    };
    struct plan plan = {.seed = 1,
                        .seconds = 60,
                        .grace_ms = 200,
                        .clock_ms = 10000,
                        .inc_ms = 100,
                        .think_ms = 1500,
                        .pause_ms = 20};
    uint32_t clients = 0;
    bool is_good = true;
    opterr = 0;
    for (int option = 0; is_good;) {
        option = getopt_long(count, words, "", OPTIONS, NULL);
        if (option == -1)
            break;
        is_good = read_option(&plan, option, optarg, &clients);
    }
    if (optind < count)
        plan.program = words[optind++];
    if (!is_good || optind != count || (plan.program == NULL) == (plan.address == NULL)) {
        return false;
    }
    uint32_t sum = 0;
    for (int id = 0; id < BEHAVIOUR_COUNT; id++)
        sum += plan.mix[id];
    if (clients > 0 || sum == 0)
        share_out(&plan, clients > 0 ? clients : CLIENTS_AUTO);
    for (int id = 0; id < BEHAVIOUR_COUNT; id++)
        plan.clients += plan.mix[id];
    *out_plan = plan;
    return true;
}
