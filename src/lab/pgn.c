#include "lab/pgn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/san.h"

enum { COLUMNS = 80, WORD_BYTES_MAX = 48, STRING_BYTES_MAX = 255 };

static const char *const ENDINGS[] = {[GAME_CHECKMATE] = "checkmate",
                                      [GAME_STALEMATE] = "stalemate",
                                      [GAME_REPETITION] = "threefold repetition",
                                      [GAME_FIFTY] = "fifty-move rule",
                                      [GAME_MATERIAL] = "neither side can mate",
                                      [GAME_RESIGNED] = "adjudication: won by score",
                                      [GAME_AGREED] = "adjudication: drawn by score",
                                      [GAME_TOO_LONG] = "adjudication: length",
                                      [GAME_TIME] = "time forfeit",
                                      [GAME_STOPPED] = "unterminated"};

static const char *result_of(const struct game_record *record)
{
    static const char *const RESULTS[] = {"0-1", "1/2-1/2", "1-0"};
    return record->end == GAME_STOPPED ? "*" : RESULTS[record->white_points];
}

/* Text in lines of at most COLUMNS. */
struct wrapped {
    FILE *file;
    int column;
};

static void word_write(struct wrapped *out, const char *word, int length)
{
    if (out->column > 0)
        (void)fputc(out->column + 1 + length > COLUMNS ? '\n' : ' ', out->file);
    out->column =
        out->column > 0 && out->column + 1 + length <= COLUMNS ? out->column + 1 + length : length;
    (void)fputs(word, out->file);
}

/* A string as the standard has it: quotes and backslashes escaped, printable, and not too long. */
static void name_write(FILE *file, const char *tag, const char *name)
{
    struct text text;
    char bytes[STRING_BYTES_MAX + 1];
    text_init(&text, bytes, sizeof bytes);
    for (const char *c = name; *c != '\0' && !text.is_cut; c++) {
        const char escaped[] = {'\\', *c};
        if (*c == '"' || *c == '\\')
            (void)text_add_slice(&text, (struct slice){escaped, sizeof escaped});
        else
            (void)text_add_char(&text, (unsigned char)*c < ' ' || *c == '\177' ? '?' : *c);
    }
    (void)fprintf(file, "[%s \"%s\"]\n", tag, bytes);
}

static void tags_write(FILE *file, const struct game_record *record, const char *const names[2],
                       uint64_t round)
{
    char date[16] = "????.??.??";
    char fen[RK_FEN_BYTES_MAX];
    struct tm day;
    const time_t now = time(NULL);
    if (gmtime_r(&now, &day) != NULL)
        (void)strftime(date, sizeof date, "%Y.%m.%d", &day);
    (void)fprintf(file,
                  "[Event \"rookery selfplay\"]\n[Site \"?\"]\n[Date \"%s\"]\n[Round \"%" PRIu64
                  "\"]\n",
                  date, round);
    name_write(file, "White", names[record->is_first_white ? 0 : 1]);
    name_write(file, "Black", names[record->is_first_white ? 1 : 0]);
    (void)fprintf(file, "[Result \"%s\"]\n", result_of(record));
    struct rk_game start;
    rk_game_set_start(&start);
    if (!rk_game_equal(&start, &record->opening.start)) {
        const bool is_chess960 = record->opening.start.is_castling_chess960;
        (void)rk_game_fen(&record->opening.start, is_chess960, fen);
        (void)fprintf(file, "%s[SetUp \"1\"]\n[FEN \"%s\"]\n",
                      is_chess960 ? "[Variant \"Chess960\"]\n" : "", fen);
    }
    (void)fprintf(file, "[PlyCount \"%u\"]\n[Termination \"%s\"]\n\n", record->count,
                  ENDINGS[record->end]);
}

static void comment_write(struct wrapped *out, const struct game_move *move)
{
    char word[WORD_BYTES_MAX];
    int length;
    if (abs(move->score) > GAME_SCORE_MAX)
        length = snprintf(word, sizeof word, "{%cM%d/%u}", move->score > 0 ? '+' : '-',
                          GAME_SCORE_MATE - abs(move->score), move->depth);
    else
        length = snprintf(word, sizeof word, "{%+.2f/%u}", move->score / 100.0, move->depth);
    word_write(out, word, length);
}

static void moves_write(FILE *file, const struct game_record *record)
{
    struct wrapped out = {.file = file};
    struct rk_game game = record->opening.start;
    for (unsigned i = 0; i < record->count; i++) {
        const struct position *position = &game.position;
        const struct game_move *move = &record->moves[i];
        char word[WORD_BYTES_MAX];
        if (position->side == WHITE || i == 0) {
            const int length = snprintf(word, sizeof word, "%u%s", position->move_number,
                                        position->side == WHITE ? "." : "...");
            word_write(&out, word, length);
        }
        word_write(&out, word, (int)san_print(position, move->move, word));
        if (move->depth > 0)
            comment_write(&out, move);
        game_play(&game, move->move);
    }
    word_write(&out, result_of(record), (int)strlen(result_of(record)));
    (void)fputs("\n\n", file);
}

bool pgn_write(FILE *file, const struct game_record *record, const char *const names[2],
               uint64_t round)
{
    REQUIRE(round > 0);
    tags_write(file, record, names, round);
    moves_write(file, record);
    return fflush(file) == 0 && ferror(file) == 0;
}
