#include "uci/parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/random.h"
#include "uci/suites.h"

enum { ROUNDS = 20000, GARBAGE_BYTES_MAX = 64 };

static struct command parse(const char *line)
{
    struct command command;
    parse_command(slice_of(line), &command);
    return command;
}

START_TEST(every_command_is_known)
{
    static const struct {
        const char *line;
        enum command_kind kind;
    } ROWS[] = {
        {"uci", COMMAND_UCI},
        {"debug on", COMMAND_DEBUG},
        {"isready", COMMAND_ISREADY},
        {"setoption name Hash value 1", COMMAND_SETOPTION},
        {"register later", COMMAND_REGISTER},
        {"ucinewgame", COMMAND_UCINEWGAME},
        {"position startpos", COMMAND_POSITION},
        {"go", COMMAND_GO},
        {"stop", COMMAND_STOP},
        {"ponderhit", COMMAND_PONDERHIT},
        {"quit", COMMAND_QUIT},
        {"", COMMAND_NONE},
        {" \t\r", COMMAND_NONE},
        {"UCI", COMMAND_NONE},
        {"ucix", COMMAND_NONE},
        {"goes stops", COMMAND_NONE},
        {"joho debug on", COMMAND_DEBUG},
        {"a b c d quit now", COMMAND_QUIT},
        {"\xef\xbb\xbfuci", COMMAND_UCI},
        {"\xef\xbb\xbf", COMMAND_NONE},
        {"\xef\xbb", COMMAND_NONE},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const struct command command = parse(ROWS[i].line);
        ck_assert_msg(command.kind == ROWS[i].kind, "%s", ROWS[i].line);
        ck_assert_msg(command.fault == FAULT_NONE, "%s", ROWS[i].line);
    }
}
END_TEST

START_TEST(zero_bytes_part_words)
{
    static const char line[] = "\0stop\0";
    struct command command;
    parse_command((struct slice){line, sizeof line - 1}, &command);
    ck_assert(command.kind == COMMAND_STOP);
    parse_command((struct slice){NULL, 0}, &command);
    ck_assert(command.kind == COMMAND_NONE);
}
END_TEST

START_TEST(options_have_names_and_values_of_several_words)
{
    struct command command = parse("setoption name  Move\t Overhead  value  1 0 ");
    ck_assert(slice_equal(command.setoption.name, "Move\t Overhead"));
    ck_assert(slice_equal(command.setoption.value, "1 0"));
    command = parse("setoption name Clear Hash");
    ck_assert(slice_equal(command.setoption.name, "Clear Hash"));
    ck_assert_uint_eq(command.setoption.value.length, 0);
    command = parse("setoption name A value value B");
    ck_assert(slice_equal(command.setoption.name, "A"));
    ck_assert(slice_equal(command.setoption.value, "value B"));
    command = parse("setoption name A values B");
    ck_assert(slice_equal(command.setoption.name, "A values B"));
}
END_TEST

START_TEST(positions_are_cut_at_moves)
{
    struct command command = parse("position startpos moves e2e4  e7e5");
    ck_assert(command.position.is_start);
    struct slice moves = command.position.moves;
    ck_assert(slice_equal(slice_next_word(&moves), "e2e4"));
    ck_assert(slice_equal(slice_next_word(&moves), "e7e5"));
    ck_assert_uint_eq(slice_next_word(&moves).length, 0);
    command = parse("position startpos");
    ck_assert_uint_eq(slice_trim(command.position.moves).length, 0);
    command = parse("position  fen  8/8 w - -  moves a1a2");
    ck_assert(!command.position.is_start);
    ck_assert(slice_equal(command.position.fen, "8/8 w - -"));
    ck_assert(slice_equal(slice_trim(command.position.moves), "a1a2"));
}
END_TEST

START_TEST(limits_are_read)
{
    const struct command command =
        parse("go ponder wtime 1 btime -2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 "
              "movetime 9 infinite");
    const struct rk_limits *limits = &command.go.limits;
    ck_assert(command.fault == FAULT_NONE);
    ck_assert(limits->ponder && limits->infinite && limits->has_movetime);
    ck_assert(limits->has_clock[0] && limits->has_clock[1]);
    ck_assert_int_eq(limits->time_ms[0], 1);
    ck_assert_int_eq(limits->time_ms[1], -2);
    ck_assert_int_eq(limits->inc_ms[0], 3);
    ck_assert_int_eq(limits->inc_ms[1], 4);
    ck_assert_uint_eq(limits->moves_to_go, 5);
    ck_assert_uint_eq(limits->depth, 6);
    ck_assert_uint_eq(limits->nodes, 7);
    ck_assert_uint_eq(limits->mate, 8);
    ck_assert_int_eq(limits->movetime_ms, 9);
    ck_assert(!command.go.has_searchmoves && !command.go.has_void_limit);
    ck_assert_uint_eq(parse("go perft 5").go.perft_depth, 5);
}
END_TEST

START_TEST(huge_numbers_are_clamped)
{
    const struct command command =
        parse("go wtime 99999999999999999999 btime -99999999999999999999 winc -1 depth 1000 nodes "
              "99999999999999999999 movestogo 99999999999 mate 99999999999 perft 4000000000");
    const struct rk_limits *limits = &command.go.limits;
    ck_assert(command.fault == FAULT_NONE);
    ck_assert_int_gt(limits->time_ms[0], INT64_C(1000000000));
    ck_assert_int_lt(limits->time_ms[0], INT64_MAX / 1000); /* Microseconds of it fit. */
    ck_assert_int_lt(limits->time_ms[1], 0);
    ck_assert_int_gt(limits->time_ms[1], INT64_MIN / 1000);
    ck_assert_int_eq(limits->inc_ms[0], 0);
    ck_assert_uint_eq(limits->depth, PLY_MAX);
    ck_assert_uint_eq(limits->nodes, INT64_MAX);
    ck_assert_uint_eq(limits->mate, PLY_MAX);
    ck_assert_uint_lt(command.go.perft_depth, 256);
}
END_TEST

START_TEST(limits_that_say_nothing_are_noted)
{
    static const char *const lines[] = {"go depth 0",  "go depth -1",      "go nodes 0",
                                        "go mate 0",   "go depth x",       "go wtime x",
                                        "go movetime", "go depth nodes 5", "go btime 1.5"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        const struct command command = parse(lines[i]);
        ck_assert_msg(command.go.has_void_limit, "%s", lines[i]);
        ck_assert_msg(command.fault != FAULT_NONE, "%s", lines[i]);
        ck_assert_uint_eq(command.go.limits.depth, 0);
    }
    ck_assert_uint_eq(parse("go depth nodes 5").go.limits.nodes, 5);
    /* These are no limits: they say how to use a clock. */
    ck_assert(!parse("go movestogo 0").go.has_void_limit);
    ck_assert(!parse("go winc x").go.has_void_limit);
    ck_assert(!parse("go movetime -5").go.has_void_limit);
    ck_assert_uint_eq(parse("go perft 0").go.perft_depth, 1);
}
END_TEST

START_TEST(searchmoves_end_at_the_next_keyword)
{
    struct command command = parse("go searchmoves e2e4  d2d4 depth 3");
    ck_assert(slice_equal(command.go.searchmoves, "e2e4  d2d4"));
    ck_assert_uint_eq(command.go.limits.depth, 3);
    command = parse("go depth 3 searchmoves e2e4 junk");
    ck_assert(slice_equal(command.go.searchmoves, "e2e4 junk"));
    command = parse("go searchmoves");
    ck_assert(!command.go.has_searchmoves);
    ck_assert(command.fault == FAULT_NOTHING_FOLLOWS);
    command = parse("go searchmoves infinite");
    ck_assert(!command.go.has_searchmoves && command.go.limits.infinite);
    /* Said twice: the later list counts. */
    command = parse("go searchmoves a2a3 infinite searchmoves b2b3");
    ck_assert(slice_equal(command.go.searchmoves, "b2b3"));
}
END_TEST

START_TEST(faults_name_the_word)
{
    static const struct {
        const char *line;
        enum command_fault fault;
        const char *word;
    } ROWS[] = {
        {"debug", FAULT_NOTHING_FOLLOWS, ""},
        {"debug maybe", FAULT_WORD, "maybe"},
        {"setoption", FAULT_NOTHING_FOLLOWS, ""},
        {"setoption Hash value 1", FAULT_WORD, "Hash"},
        {"setoption name value 1", FAULT_NOTHING_FOLLOWS, ""},
        {"position", FAULT_NOTHING_FOLLOWS, ""},
        {"position here", FAULT_WORD, "here"},
        {"position startpos e2e4", FAULT_WORD, "e2e4"},
        {"position fen moves e2e4", FAULT_NOTHING_FOLLOWS, ""},
        {"go away", FAULT_WORD, "away"},
        {"go depth three four", FAULT_NUMBER, "three"},
        {"go depth 0", FAULT_RANGE, "0"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        const struct command command = parse(ROWS[i].line);
        ck_assert_msg(command.fault == ROWS[i].fault, "%s", ROWS[i].line);
        ck_assert_msg(slice_equal(command.fault_word, ROWS[i].word), "%s", ROWS[i].line);
    }
}
END_TEST

static bool is_within(struct slice inner, struct slice outer)
{
    return inner.length == 0 ||
           (inner.bytes >= outer.bytes && inner.bytes + inner.length <= outer.bytes + outer.length);
}

/* Every slice points into the line, whatever words are strung together. */
START_TEST(garbage_stays_within_its_line)
{
    static const char *const words[] = {
        "go",          "position", "setoption", "name",
        "value",       "fen",      "moves",     "startpos",
        "depth",       "-1",       "e2e4",      "\xff",
        "searchmoves", "infinite", "",          "99999999999999999999"};
    uint64_t state = 3;
    for (int i = 0; i < ROUNDS; i++) {
        char *line = malloc(GARBAGE_BYTES_MAX * 24);
        size_t length = 0;
        const uint64_t count = random_below(&state, GARBAGE_BYTES_MAX / 4);
        for (uint64_t word = 0; word < count; word++) {
            const char *text = words[random_below(&state, sizeof words / sizeof words[0])];
            memcpy(line + length, text, strlen(text));
            length += strlen(text);
            line[length++] = (char)(random_below(&state, 4) == 0 ? 'a' : ' ');
        }
        char *exact = malloc(length + 1); /* The sanitizer watches its end. */
        memcpy(exact, line, length);
        const struct slice slice = {exact, length};
        struct command command;
        parse_command(slice, &command);
        ck_assert(is_within(command.fault_word, slice));
        ck_assert(is_within(command.fault_after, slice));
        if (command.kind == COMMAND_POSITION) {
            ck_assert(is_within(command.position.fen, slice));
            ck_assert(is_within(command.position.moves, slice));
        } else if (command.kind == COMMAND_SETOPTION) {
            ck_assert(is_within(command.setoption.name, slice));
            ck_assert(is_within(command.setoption.value, slice));
        } else if (command.kind == COMMAND_GO) {
            ck_assert(is_within(command.go.searchmoves, slice));
        }
        free(exact);
        free(line);
    }
}
END_TEST

Suite *suite_parse(void)
{
    Suite *suite = suite_create("parse");
    TCase *lines = tcase_create("lines");
    tcase_add_test(lines, every_command_is_known);
    tcase_add_test(lines, zero_bytes_part_words);
    tcase_add_test(lines, options_have_names_and_values_of_several_words);
    tcase_add_test(lines, positions_are_cut_at_moves);
    tcase_add_test(lines, faults_name_the_word);
    tcase_add_test(lines, garbage_stays_within_its_line);
    suite_add_tcase(suite, lines);
    TCase *go = tcase_create("go");
    tcase_add_test(go, limits_are_read);
    tcase_add_test(go, huge_numbers_are_clamped);
    tcase_add_test(go, limits_that_say_nothing_are_noted);
    tcase_add_test(go, searchmoves_end_at_the_next_keyword);
    suite_add_tcase(suite, go);
    return suite;
}
