/* A session on stdin and stdout.
 *
 * One thread waits for a line or for the engine's wake, feeds the session, and writes what it says.
 * A line that must wait for a verdict (RK_LATER) stays at the front of the buffer, and stdin is not
 * read until then: so whatever follows keeps its order. At the end of input the session is told,
 * and its last search may end. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "app/arguments.h"
#include "app/board.h"
#include "app/command.h"
#include "app/owner.h"
#include "app/row_options.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/thread.h"
#include "rookery/session.h"

enum { SESSION_NUMBER = 1 };

struct talk {
    struct owner owner;
    const char *eval_file; /* NULL: what is built in evaluates. */
    struct rk_session *session;
    rk_ticket_t ticket;
    int64_t arrived_us; /* When what is in `input` was read. */
    bool is_waiting;    /* The first line of `input` waits for a verdict. */
    bool is_skipping;   /* The rest of a line too long is still coming. */
    bool has_ended;     /* stdin is at its end. */
    bool is_over;       /* `quit`, or nobody reads stdout. */
    int lost;           /* errno then, else 0. */
    size_t length;
    char input[LINE_BYTES_MAX];
};

static void talk_write(struct talk *talk, const char *text, size_t length)
{
    while (length > 0 && !talk->is_over) {
        const ssize_t written = write(STDOUT_FILENO, text, length);
        if (written >= 0) {
            text += written;
            length -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
            poll(&out, 1, -1);
        } else if (errno != EINTR) {
            talk->is_over = true;
            talk->lost = errno;
        }
    }
}

static enum rk_status host_go(void *context, const struct rk_request *request)
{
    struct talk *talk = context;
    return rk_engine_start(talk->owner.engine, request, &talk->ticket);
}

static void host_stop(void *context)
{
    struct talk *talk = context;
    rk_engine_stop(talk->owner.engine, talk->ticket);
}

static void host_ponderhit(void *context, int64_t arrived_us)
{
    struct talk *talk = context;
    rk_engine_ponderhit(talk->owner.engine, talk->ticket, arrived_us);
}

/* Alone on its table, so a new game really starts from nothing. A search that runs keeps its table.
 */
static void host_new_game(void *context, uint64_t session, bool clear)
{
    struct talk *talk = context;
    (void)clear;
    rk_engine_forget(talk->owner.engine, session);
    rk_engine_clear(talk->owner.engine);
}

static enum rk_status host_resize(void *context, uint32_t table_mib, uint32_t threads)
{
    struct talk *talk = context;
    return rk_engine_resize(talk->owner.engine, table_mib, threads);
}

static enum rk_status host_open_tablebases(void *context, const char *path,
                                           struct rk_tablebases *out_tablebases)
{
    struct talk *talk = context;
    return rk_tablebases_open(talk->owner.engine, path, out_tablebases);
}

static bool is_word(const char *line, size_t length, const char *word)
{
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r' ||
                          line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    return length == strlen(word) && memcmp(line, word, length) == 0;
}

static void talk_tell_rows(struct talk *talk)
{
    char line[ROW_OPTION_BYTES];
    for (uint32_t i = 0; row_options_line(talk->owner.engine, i, line); i++)
        talk_write(talk, line, strlen(line));
}

static void host_send(void *context, const char *line, size_t length, enum rk_weight weight)
{
    struct talk *talk = context;
    (void)weight;
    if (is_word(line, length, "uciok"))
        talk_tell_rows(talk); /* After the session's own options. */
    talk_write(talk, line, length);
}

static bool talk_create_session(struct talk *talk)
{
    const struct rk_host host = {
        .context = talk,
        .go = host_go,
        .stop = host_stop,
        .ponderhit = host_ponderhit,
        .new_game = host_new_game,
        .resize = host_resize,
        .open_tablebases = host_open_tablebases,
        .send = host_send,
    };
    if (rk_session_create(&host, &talk->session) != RK_OK)
        return false;
    const struct rk_session_options options = {
        .size = sizeof options,
        .session = SESSION_NUMBER,
        .owns_engine = true,
        .table_mib = OWNER_HASH_MIB,
        .threads = OWNER_THREADS,
    };
    rk_session_reset(talk->session, &options);
    return true;
}

static const char *const OUTCOMES[] = {
    [RK_GAME_OPEN] = "open",           [RK_GAME_CHECKMATE] = "checkmate",
    [RK_GAME_STALEMATE] = "stalemate", [RK_GAME_REPETITION] = "repetition",
    [RK_GAME_FIFTY] = "fifty",         [RK_GAME_MATERIAL] = "material",
};

static void talk_show_game(struct talk *talk)
{
    const struct rk_game *game = rk_session_game(talk->session);
    char fen[RK_FEN_BYTES_MAX];
    rk_game_fen(game, false, fen);
    board_print(game, stdout);
    printf("fen %s\nkey %016" PRIx64 "\noutcome %s\n", fen, rk_game_key(game),
           OUTCOMES[rk_game_outcome(game)]);
    fflush(stdout);
}

/* The words that only a terminal has. */
static bool talk_take_own_word(struct talk *talk, const char *line, size_t length)
{
    if (is_word(line, length, "d")) {
        talk_show_game(talk);
    } else if (is_word(line, length, "eval")) {
        printf("evaluation %" PRId32 " centipawns for the side to move\n",
               rk_evaluate(rk_session_game(talk->session), talk->owner.network));
        fflush(stdout);
    } else if (is_word(line, length, "bench")) {
        if (rk_session_is_searching(talk->session))
            rk_session_say(talk->session,
                           "bench waits until the search has ended: send stop, then bench");
        else
            bench_run(&(struct bench_settings){.eval_file = talk->eval_file}, stdout);
    } else {
        return row_options_take(talk->owner.engine, talk->session, line, length);
    }
    return true;
}

/* False: the line waits. */
static bool talk_take_line(struct talk *talk, const char *line, size_t length)
{
    if (talk_take_own_word(talk, line, length))
        return true;
    switch (rk_session_line(talk->session, line, length, talk->arrived_us)) {
    case RK_TAKEN: break;
    case RK_LATER: talk->is_waiting = true; return false;
    case RK_QUIT: talk->is_over = true; break;
    }
    return true;
}

static void talk_take_lines(struct talk *talk)
{
    size_t start = 0;
    while (!talk->is_waiting && !talk->is_over && start < talk->length) {
        const char *line = talk->input + start;
        const char *end = memchr(line, '\n', talk->length - start);
        if (end == NULL && !talk->has_ended)
            break;
        const size_t length = end == NULL ? talk->length - start : (size_t)(end - line);
        if (talk->is_skipping)
            talk->is_skipping = false;
        else if (!talk_take_line(talk, line, length))
            break;
        start += end == NULL ? length : length + 1;
    }
    talk->length -= start;
    memmove(talk->input, talk->input + start, talk->length);
    if (talk->length == sizeof talk->input && !talk->is_waiting) {
        if (!talk->is_skipping)
            rk_session_say(talk->session, "a line of more than 65535 bytes was dropped");
        talk->is_skipping = true;
        talk->length = 0;
    }
}

static void talk_read(struct talk *talk)
{
    const ssize_t count =
        read(STDIN_FILENO, talk->input + talk->length, sizeof talk->input - talk->length);
    talk->arrived_us = rk_now_us();
    if (count > 0)
        talk->length += (size_t)count;
    else if (count == 0 || (errno != EINTR && errno != EAGAIN))
        talk->has_ended = true;
}

static void talk_take_reports(struct talk *talk)
{
    struct rk_report report;
    owner_drain(&talk->owner);
    while (rk_engine_poll(talk->owner.engine, &report)) {
        if (report.ticket == talk->ticket)
            rk_session_report(talk->session, &report);
        if (report.kind == RK_REPORT_VERDICT || report.kind == RK_REPORT_PERFT_TOTAL)
            talk->is_waiting = false;
    }
}

static void talk_run(struct talk *talk)
{
    bool was_told_of_end = false;
    while (!talk->is_over) {
        talk_take_lines(talk);
        if (talk->has_ended && talk->length == 0 && !was_told_of_end) {
            rk_session_end_of_input(talk->session);
            was_told_of_end = true;
        }
        if (talk->is_over || (was_told_of_end && !rk_session_is_searching(talk->session)))
            break;
        struct pollfd sources[] = {
            {.fd = talk->owner.wake_fd, .events = POLLIN},
            {.fd = talk->has_ended || talk->is_waiting ? -1 : STDIN_FILENO, .events = POLLIN},
        };
        if (poll(sources, 2, -1) < 0)
            continue;
        if (sources[1].revents != 0)
            talk_read(talk);
        if (sources[0].revents != 0)
            talk_take_reports(talk);
    }
}

int command_uci(int count, char **words)
{
    const char *eval_file = NULL, *syzygy = NULL;
    const struct argument arguments[] = {{.name = "--eval-file", .text = &eval_file},
                                         {.name = "--syzygy", .text = &syzygy}};
    const int rest =
        arguments_parse("uci", arguments, sizeof arguments / sizeof arguments[0], count, words);
    if (rest < 0)
        return EXIT_USAGE;
    if (rest > 0) {
        fprintf(stderr,
                "rookery uci: '%s' is no option; all but --eval-file and --syzygy is set by UCI\n",
                words[0]);
        return EXIT_USAGE;
    }
    int exit_status = EXIT_FAILED;
    struct talk *talk = memory_allocate(sizeof *talk);
    if (talk != NULL && owner_open(&talk->owner, OWNER_THREADS, OWNER_HASH_MIB, eval_file)) {
        talk->eval_file = eval_file;
        owner_open_tablebases(&talk->owner, syzygy);
        (void)thread_hurry(); /* After the workers are there: this thread alone. */
        if (talk_create_session(talk)) {
            talk_run(talk);
            exit_status = talk->lost == 0 ? 0 : words_lost("uci", talk->lost);
        }
        owner_close(&talk->owner);
        rk_session_destroy(talk->session);
    }
    memory_free(talk);
    return exit_status;
}
