/* Words are read from left to right, once: the cost is linear in the line. As UCI asks, unknown
 * words before a command are skipped. The first fault is kept; later ones say nothing new. */
#include "uci/parse.h"

#include "base/limits.h"

static const char BYTE_ORDER_MARK[] = "\xef\xbb\xbf";

/* A thousand million seconds: no client means more, and microseconds of it fit 64 bits. */
#define TIME_MS_MAX INT64_C(1000000000000)

enum { MOVES_TO_GO_MAX = 10000, PERFT_DEPTH_MAX = 100 };

static void fault_note(struct command *command, enum command_fault fault, struct slice after,
                       struct slice word)
{
    if (command->fault != FAULT_NONE)
        return;
    command->fault = fault;
    command->fault_after = after;
    command->fault_word = word;
}

static enum command_kind kind_of(struct slice word)
{
    static const struct {
        const char *word;
        enum command_kind kind;
    } ROWS[] = {{"go", COMMAND_GO},
                {"position", COMMAND_POSITION},
                {"isready", COMMAND_ISREADY},
                {"stop", COMMAND_STOP},
                {"setoption", COMMAND_SETOPTION},
                {"ponderhit", COMMAND_PONDERHIT},
                {"uci", COMMAND_UCI},
                {"ucinewgame", COMMAND_UCINEWGAME},
                {"debug", COMMAND_DEBUG},
                {"register", COMMAND_REGISTER},
                {"quit", COMMAND_QUIT}};
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++)
        if (slice_equal(word, ROWS[i].word))
            return ROWS[i].kind;
    return COMMAND_NONE;
}

static void parse_debug(struct slice word, struct slice rest, struct command *command)
{
    const struct slice argument = slice_next_word(&rest);
    if (argument.length == 0)
        fault_note(command, FAULT_NOTHING_FOLLOWS, word, argument);
    else if (slice_equal(argument, "on") || slice_equal(argument, "off"))
        command->debug = slice_equal(argument, "on");
    else
        fault_note(command, FAULT_WORD, word, argument);
}

/* Everything of `rest` before the word `end`; *out_after is what follows that word. */
static struct slice take_until(struct slice rest, const char *end, struct slice *out_after)
{
    const char *start = rest.bytes;
    for (;;) {
        const struct slice word = slice_next_word(&rest);
        if (word.length == 0) {
            *out_after = word;
            return slice_trim((struct slice){start, (size_t)(word.bytes - start)});
        }
        if (slice_equal(word, end)) {
            *out_after = rest;
            return slice_trim((struct slice){start, (size_t)(word.bytes - start)});
        }
    }
}

static void parse_setoption(struct slice word, struct slice rest, struct command *command)
{
    const struct slice keyword = slice_next_word(&rest);
    if (keyword.length == 0) {
        fault_note(command, FAULT_NOTHING_FOLLOWS, word, keyword);
        return;
    }
    if (!slice_equal(keyword, "name")) {
        fault_note(command, FAULT_WORD, word, keyword);
        return;
    }
    struct slice value;
    command->setoption.name = take_until(rest, "value", &value);
    command->setoption.value = slice_trim(value);
    if (command->setoption.name.length == 0)
        fault_note(command, FAULT_NOTHING_FOLLOWS, keyword, command->setoption.name);
}

static void parse_position(struct slice word, struct slice rest, struct command *command)
{
    struct command_position *position = &command->position;
    const struct slice kind = slice_next_word(&rest);
    if (slice_equal(kind, "startpos")) {
        position->is_start = true;
        const struct slice between = take_until(rest, "moves", &position->moves);
        if (between.length > 0) {
            struct slice words = between;
            fault_note(command, FAULT_WORD, kind, slice_next_word(&words));
        }
    } else if (slice_equal(kind, "fen")) {
        position->fen = take_until(rest, "moves", &position->moves);
        if (position->fen.length == 0)
            fault_note(command, FAULT_NOTHING_FOLLOWS, kind, position->fen);
    } else {
        fault_note(command, kind.length == 0 ? FAULT_NOTHING_FOLLOWS : FAULT_WORD, word, kind);
    }
}

enum go_word {
    GO_SEARCHMOVES,
    GO_PONDER,
    GO_INFINITE,
    GO_WTIME,
    GO_BTIME,
    GO_WINC,
    GO_BINC,
    GO_MOVESTOGO,
    GO_MOVETIME,
    GO_DEPTH,
    GO_NODES,
    GO_MATE,
    GO_PERFT,
    GO_WORD_COUNT
};

/* Zero and less is a void limit where min is 1: it says nothing about when to stop. */
static const struct go_row {
    const char *word;
    int64_t min, max;
} GO_ROWS[GO_WORD_COUNT] = {[GO_SEARCHMOVES] = {"searchmoves", 0, 0},
                            [GO_PONDER] = {"ponder", 0, 0},
                            [GO_INFINITE] = {"infinite", 0, 0},
                            [GO_WTIME] = {"wtime", -TIME_MS_MAX, TIME_MS_MAX},
                            [GO_BTIME] = {"btime", -TIME_MS_MAX, TIME_MS_MAX},
                            [GO_WINC] = {"winc", 0, TIME_MS_MAX},
                            [GO_BINC] = {"binc", 0, TIME_MS_MAX},
                            [GO_MOVESTOGO] = {"movestogo", 0, MOVES_TO_GO_MAX},
                            [GO_MOVETIME] = {"movetime", -TIME_MS_MAX, TIME_MS_MAX},
                            [GO_DEPTH] = {"depth", 1, PLY_MAX},
                            [GO_NODES] = {"nodes", 1, INT64_MAX},
                            [GO_MATE] = {"mate", 1, PLY_MAX},
                            [GO_PERFT] = {"perft", 1, PERFT_DEPTH_MAX}};

static enum go_word go_word_of(struct slice word)
{
    unsigned i = 0;
    while (i < GO_WORD_COUNT && !slice_equal(word, GO_ROWS[i].word))
        i++;
    return (enum go_word)i;
}

static void go_store(struct command_go *go, enum go_word word, int64_t number)
{
    struct rk_limits *limits = &go->limits;
    switch (word) {
    case GO_WTIME:
    case GO_BTIME:
        limits->has_clock[word - GO_WTIME] = true;
        limits->time_ms[word - GO_WTIME] = number;
        break;
    case GO_WINC:
    case GO_BINC: limits->inc_ms[word - GO_WINC] = number; break;
    case GO_MOVESTOGO: limits->moves_to_go = (uint32_t)number; break;
    case GO_MOVETIME:
        limits->has_movetime = true;
        limits->movetime_ms = number;
        break;
    case GO_DEPTH: limits->depth = (uint32_t)number; break;
    case GO_NODES: limits->nodes = (uint64_t)number; break;
    case GO_MATE: limits->mate = (uint32_t)number; break;
    case GO_PERFT: go->perft_depth = (uint32_t)number; break;
    case GO_SEARCHMOVES:
    case GO_PONDER:
    case GO_INFINITE:
    case GO_WORD_COUNT: break;
    }
}

/* The number after `keyword`. A keyword in its place is left to be read as one. */
static void go_number(struct slice keyword, enum go_word word, struct slice *rest,
                      struct command *command)
{
    const struct go_row *row = &GO_ROWS[word];
    struct slice after = *rest;
    const struct slice argument = slice_next_word(&after);
    const bool is_limit = word != GO_WINC && word != GO_BINC && word != GO_MOVESTOGO;
    if (argument.length == 0 || go_word_of(argument) != GO_WORD_COUNT) {
        fault_note(command, FAULT_NOTHING_FOLLOWS, keyword, (struct slice){NULL, 0});
        command->go.has_void_limit |= is_limit;
        return;
    }
    *rest = after;
    int64_t number = 0;
    const enum number result = number_parse(argument, row->min, row->max, &number);
    const bool is_void = result == NUMBER_NONE || (result == NUMBER_LOW && row->min == 1);
    if (result == NUMBER_NONE)
        fault_note(command, FAULT_NUMBER, keyword, argument);
    else if (is_void)
        fault_note(command, FAULT_RANGE, keyword, argument);
    if (is_void && word == GO_PERFT)
        command->go.perft_depth = 1; /* It was no search that was asked for. */
    else if (is_void)
        command->go.has_void_limit |= is_limit;
    else
        go_store(&command->go, word, number);
}

/* The moves after `searchmoves`: up to the next keyword. */
static struct slice go_searchmoves(struct slice *rest)
{
    const char *start = rest->bytes;
    for (;;) {
        struct slice after = *rest;
        const struct slice word = slice_next_word(&after);
        if (word.length == 0 || go_word_of(word) != GO_WORD_COUNT)
            return slice_trim((struct slice){start, (size_t)(rest->bytes - start)});
        *rest = after;
    }
}

static void parse_go(struct slice name, struct slice rest, struct command *command)
{
    struct command_go *go = &command->go;
    for (;;) {
        const struct slice word = slice_next_word(&rest);
        if (word.length == 0)
            return;
        const enum go_word keyword = go_word_of(word);
        switch (keyword) {
        case GO_SEARCHMOVES:
            go->searchmoves = go_searchmoves(&rest);
            go->has_searchmoves = go->searchmoves.length > 0;
            if (!go->has_searchmoves)
                fault_note(command, FAULT_NOTHING_FOLLOWS, word, go->searchmoves);
            break;
        case GO_PONDER: go->limits.ponder = true; break;
        case GO_INFINITE: go->limits.infinite = true; break;
        case GO_WORD_COUNT: fault_note(command, FAULT_WORD, name, word); break;
        default: go_number(word, keyword, &rest, command); break;
        }
    }
}

void parse_command(struct slice line, struct command *out_command)
{
    struct command command = {.kind = COMMAND_NONE};
    struct slice rest = line;
    const struct slice start = {line.bytes, sizeof BYTE_ORDER_MARK - 1};
    if (line.length >= start.length && slice_equal(start, BYTE_ORDER_MARK)) {
        rest.bytes += start.length;
        rest.length -= start.length;
    }
    struct slice word;
    do {
        word = slice_next_word(&rest);
        command.kind = kind_of(word);
    } while (command.kind == COMMAND_NONE && word.length > 0);
    switch (command.kind) {
    case COMMAND_DEBUG: parse_debug(word, rest, &command); break;
    case COMMAND_SETOPTION: parse_setoption(word, rest, &command); break;
    case COMMAND_POSITION: parse_position(word, rest, &command); break;
    case COMMAND_GO: parse_go(word, rest, &command); break;
    default: break;
    }
    *out_command = command;
}
