/* Looking after files of games: `rookery data VERB`. What is asked for goes to stdout; what is
 * wrong with a file to stderr, with its place. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/arguments.h"
#include "app/command.h"
#include "app/outputs.h"
#include "lab/gamepile.h"

static const char HELP[] =
    "rookery data: files of games for training (docs/network.md).\n"
    "\n"
    "  count FILE…                    games and positions, from the blocks' headers\n"
    "  verify FILE…                   reads everything; tells each fault with its place, and what\n"
    "                                 the games are like\n"
    "  show FILE [--game N] [--games K]\n"
    "                                 K games (1) from number N on (0), with moves and scores\n"
    "  merge --to OUT FILE…           all games in one file, in their order\n"
    "  shuffle --to OUT [--seed N] FILE…\n"
    "                                 the same in a random order\n"
    "  split --to A --rest B [--permille P] [--seed N] FILE…\n"
    "                                 P of a thousand games (50) to A, the others to B; the same\n"
    "                                 game is never in both\n"
    "\n"
    "Files that are made must not be there yet. Files may grow meanwhile: what was whole at the\n"
    "start is taken.\n";

enum { SPLIT_PERMILLE = 50, PERMILLE = 1000, PLIES_PER_LINE = 8 };

struct words {
    const char *to, *rest;
    uint64_t seed, permille, game, games;
    bool wants_help;
    unsigned count; /* Files. */
    char **files;
};

static int complain(const char *path, enum gamefile_fault fault)
{
    fprintf(stderr, "rookery data: %s: %s\n", path,
            fault == GAMEFILE_SYSTEM ? strerror(errno) : gamefile_fault_text(fault));
    return EXIT_FAILED;
}

static int done(void) { return fflush(stdout) == 0 ? 0 : EXIT_FAILED; }

/* NULL after saying why. */
static struct gamepile *pile_open(const struct words *words)
{
    struct gamepile *pile;
    struct gamepile_place place = {.file = 0};
    const enum gamefile_fault fault =
        gamepile_open((const char *const *)words->files, words->count, &pile, &place);
    if (fault == GAMEFILE_FINE)
        return pile;
    complain(words->files[place.file], fault);
    return NULL;
}

static int data_count(const struct words *words)
{
    struct gamepile *pile = pile_open(words);
    if (pile == NULL)
        return EXIT_FAILED;
    uint64_t games = 0, positions = 0;
    for (unsigned i = 0; i < words->count; i++) {
        const struct gamefile_summary *summary = gamefile_summary(gamepile_file(pile, i));
        printf("%s: games %" PRIu64 ", positions %" PRIu64 ", blocks %" PRIu64 ", bytes %" PRIu64,
               words->files[i], summary->games, summary->positions, summary->blocks,
               summary->bytes);
        if (summary->tail_bytes > 0)
            printf(", unfinished %" PRIu64, summary->tail_bytes);
        if (summary->gaps > 0)
            printf(", broken places %" PRIu64, summary->gaps);
        putchar('\n');
        games += summary->games;
        positions += summary->positions;
    }
    printf("games %" PRIu64 "\npositions %" PRIu64 "\n", games, positions);
    gamepile_close(pile);
    return done();
}

static void verify_tell(void *context, enum gamefile_fault fault,
                        const struct gamepile_place *place)
{
    const struct words *words = context;
    fprintf(stderr, "rookery data: %s: block %" PRIu64 " at byte %" PRIu64 ": %s\n",
            words->files[place->file], place->block, place->offset, gamefile_fault_text(fault));
}

static const char *const END_TEXTS[GAMEFILE_END_COUNT] = {
    [GAMEFILE_CHECKMATE] = "checkmate",    [GAMEFILE_STALEMATE] = "stalemate",
    [GAMEFILE_REPETITION] = "repetition",  [GAMEFILE_FIFTY] = "fifty moves",
    [GAMEFILE_MATERIAL] = "bare material", [GAMEFILE_RESIGNED] = "called won",
    [GAMEFILE_AGREED] = "called drawn",    [GAMEFILE_TOO_LONG] = "too long",
};

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

static void census_print(const struct gamepile_census *census)
{
    printf("games %" PRIu64 "\npositions %" PRIu64 "\n", census->games, census->positions);
    printf("white won %.2f %%, drawn %.2f %%, black won %.2f %%\n",
           percent(census->white_points[2], census->games),
           percent(census->white_points[1], census->games),
           percent(census->white_points[0], census->games));
    for (unsigned end = 0; end < GAMEFILE_END_COUNT; end++)
        printf("%s %.2f %%\n", END_TEXTS[end], percent(census->ends[end], census->games));
    printf("chess960 games %.2f %%\n", percent(census->chess960, census->games));
    printf("positions in check %.2f %%, with a mate for a score %.2f %%\n",
           percent(census->checks, census->positions), percent(census->mates, census->positions));
    printf("faults %" PRIu64 "\n", census->faults);
}

static int data_verify(const struct words *words)
{
    struct gamepile *pile = pile_open(words);
    if (pile == NULL)
        return EXIT_FAILED;
    struct gamepile_census census;
    struct words told = *words;
    const enum gamefile_fault fault = gamepile_verify(pile, verify_tell, &told, &census);
    gamepile_close(pile);
    if (fault != GAMEFILE_FINE)
        return complain("reading", fault);
    census_print(&census);
    return census.faults == 0 ? done() : EXIT_FAILED;
}

static void game_print(struct gamefile_cursor *cursor, uint64_t number)
{
    static const char *const RESULTS[] = {"0-1", "1/2-1/2", "1-0"};
    const struct gamefile_game *game = &cursor->game;
    char fen[RK_FEN_BYTES_MAX], text[RK_MOVE_BYTES_MAX];
    gamefile_fen(game, fen);
    printf("game %" PRIu64 ": %s\n%s, %s; %u plies, %" PRIu32 " nodes a move, a pawn is %u%s",
           number, fen, RESULTS[game->white_points], END_TEXTS[game->end], game->plies, game->nodes,
           game->pawn, game->is_chess960 ? ", chess960" : "");
    for (unsigned i = 0; gamefile_next_ply(cursor); i++) {
        (void)rk_move_text(cursor->move, game->is_chess960, text);
        printf("%s%s %+d", i % PLIES_PER_LINE == 0 ? "\n  " : ", ", text, cursor->score);
    }
    putchar('\n');
}

/* Passes over whole blocks, then over games. */
static enum gamefile_fault games_show(const struct gamefile *file, struct gamefile_cursor *cursor,
                                      uint64_t first, uint64_t count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < gamefile_summary(file)->blocks && number < first + count; i++) {
        const uint32_t games = gamefile_block(file, i)->games;
        if (number + games <= first) {
            number += games;
            continue;
        }
        const enum gamefile_fault fault = gamefile_load(file, i, cursor);
        if (fault != GAMEFILE_FINE)
            return fault;
        for (; number < first + count && gamefile_next_game(cursor); number++)
            if (number >= first)
                game_print(cursor, number);
        if (gamefile_cursor_fault(cursor) != GAMEFILE_FINE)
            return gamefile_cursor_fault(cursor);
    }
    return GAMEFILE_FINE;
}

static int data_show(const struct words *words)
{
    struct gamepile *pile = pile_open(words);
    if (pile == NULL)
        return EXIT_FAILED;
    struct gamefile_cursor *cursor;
    enum gamefile_fault fault = gamefile_cursor_create(&cursor);
    if (fault == GAMEFILE_FINE) {
        fault = games_show(gamepile_file(pile, 0), cursor, words->game, words->games);
        gamefile_cursor_destroy(cursor);
    }
    gamepile_close(pile);
    return fault == GAMEFILE_FINE ? done() : complain(words->files[0], fault);
}

/* A fault of one of the files, or of what is made of them. */
static int complain_at(const struct words *words, enum gamefile_fault fault,
                       const struct gamepile_place *place)
{
    if (place->file >= words->count)
        return complain(place->file == words->count ? words->to : words->rest, fault);
    if (fault == GAMEFILE_SYSTEM)
        return complain(words->files[place->file], fault);
    struct words told = *words;
    verify_tell(&told, fault, place);
    return EXIT_FAILED;
}

static int finish_print(struct gamefile_writer *writer, const char *path)
{
    const struct gamefile_summary written = *gamefile_written(writer);
    const enum gamefile_fault fault = gamefile_finish(writer);
    if (fault != GAMEFILE_FINE)
        return complain(path, fault);
    printf("%s: games %" PRIu64 ", positions %" PRIu64 "\n", path, written.games,
           written.positions);
    return 0;
}

static int data_join(const struct words *words, bool shuffles)
{
    struct gamefile_writer *writer;
    struct gamepile_place place;
    struct gamepile *pile = pile_open(words);
    if (pile == NULL)
        return EXIT_FAILED;
    int exit_status;
    enum gamefile_fault fault = gamefile_create(words->to, &writer);
    if (fault != GAMEFILE_FINE) {
        exit_status = complain(words->to, fault);
    } else {
        fault = shuffles ? gamepile_shuffle(pile, words->seed, writer, &place)
                         : gamepile_merge(pile, writer, &place);
        if (fault == GAMEFILE_FINE) {
            exit_status = finish_print(writer, words->to);
        } else {
            exit_status = complain_at(words, fault, &place);
            gamefile_abandon(writer);
        }
    }
    gamepile_close(pile);
    return exit_status == 0 ? done() : exit_status;
}

static int data_merge(const struct words *words) { return data_join(words, false); }

static int data_shuffle(const struct words *words) { return data_join(words, true); }

/* With both writers open; they are gone afterwards. */
static int split_to(const struct words *words, const struct gamepile *pile,
                    struct gamefile_writer *const writers[2])
{
    struct gamepile_place place;
    const enum gamefile_fault fault =
        gamepile_split(pile, (unsigned)words->permille, words->seed, writers, &place);
    if (fault != GAMEFILE_FINE) {
        gamefile_abandon(writers[0]);
        gamefile_abandon(writers[1]);
        return complain_at(words, fault, &place);
    }
    const int first = finish_print(writers[0], words->to);
    const int second = finish_print(writers[1], words->rest);
    return first != 0 ? first : second;
}

static int data_split(const struct words *words)
{
    struct gamefile_writer *writers[2];
    struct gamepile *pile = pile_open(words);
    if (pile == NULL)
        return EXIT_FAILED;
    int exit_status = EXIT_FAILED;
    enum gamefile_fault fault = gamefile_create(words->to, &writers[0]);
    if (fault != GAMEFILE_FINE) {
        complain(words->to, fault);
    } else {
        fault = gamefile_create(words->rest, &writers[1]);
        if (fault == GAMEFILE_FINE) {
            exit_status = split_to(words, pile, writers);
        } else {
            complain(words->rest, fault);
            gamefile_abandon(writers[0]);
        }
    }
    gamepile_close(pile);
    return exit_status == 0 ? done() : exit_status;
}

/* No file that is read is replaced by one that is made. */
static bool files_are_apart(const struct words *words)
{
    struct outputs outputs = {.count = 0};
    outputs_add(&outputs, words->to);
    outputs_add(&outputs, words->rest);
    return outputs_are_apart(&outputs, "data", (const char *const *)words->files, words->count);
}

struct verb {
    const char *name;
    int (*run)(const struct words *words);
    bool needs_to, needs_rest, takes_one;
};

static const struct verb VERBS[] = {
    {.name = "count", .run = data_count},
    {.name = "verify", .run = data_verify},
    {.name = "show", .run = data_show, .takes_one = true},
    {.name = "merge", .run = data_merge, .needs_to = true},
    {.name = "shuffle", .run = data_shuffle, .needs_to = true},
    {.name = "split", .run = data_split, .needs_to = true, .needs_rest = true},
};

static int usage(const char *what)
{
    fprintf(stderr, "rookery data: %s; `rookery data --help` tells more\n", what);
    return EXIT_USAGE;
}

int command_data(int count, char **words)
{
    struct words given = {.seed = 1, .permille = SPLIT_PERMILLE, .games = 1};
    const struct argument arguments[] = {
        {.name = "--to", .text = &given.to},
        {.name = "--rest", .text = &given.rest},
        {.name = "--seed", .max = UINT64_MAX, .value = &given.seed},
        {.name = "--permille", .max = PERMILLE, .value = &given.permille},
        {.name = "--game", .max = UINT32_MAX, .value = &given.game},
        {.name = "--games", .min = 1, .max = UINT32_MAX, .value = &given.games},
        {.name = "--help", .flag = &given.wants_help},
    };
    const int rest =
        arguments_parse("data", arguments, sizeof arguments / sizeof *arguments, count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (given.wants_help)
        return fputs(HELP, stdout) < 0 ? EXIT_FAILED : 0;
    if (rest == 0)
        return usage("a verb is needed: count, verify, show, merge, shuffle, split");
    given.files = words + 1;
    given.count = (unsigned)rest - 1;
    for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++) {
        const struct verb *verb = &VERBS[i];
        if (strcmp(verb->name, words[0]) != 0)
            continue;
        if (given.count == 0 || given.count > GAMEPILE_FILES_MAX ||
            (verb->takes_one && given.count > 1))
            return usage(verb->takes_one ? "one file is needed" : "1 to 1024 files are needed");
        if (verb->needs_to != (given.to != NULL) || verb->needs_rest != (given.rest != NULL))
            return usage(
                "--to is for merge, shuffle and split, --rest for split, and needed there");
        return files_are_apart(&given) ? verb->run(&given) : EXIT_USAGE;
    }
    fprintf(stderr, "rookery data: no verb '%s'; count, verify, show, merge, shuffle, split are\n",
            words[0]);
    return EXIT_USAGE;
}
