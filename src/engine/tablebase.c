/* All of Fathom is behind this file. Debian's version of it wants care:
 *
 *   It is built without locks, and it maps a table when it is first asked for. So every table of
 *   results is asked once while nobody searches (warm); after that the tree's probes only read. The
 *   tables of distances are mapped late, but asked at the root alone, one root at a time.
 *
 *   It trusts files. Those that are not whole and sound (tablefile.h) are never asked: a position
 *   whose men could come down to such a table is not probed. There is no other way to keep Fathom
 *   from a file that lies beside good ones.
 *
 *   It misreads distances that are stored in two bytes each; such tables count as having none.
 *
 *   It prints on stdout, where UCI is spoken, and reads past the end of a path that ends in a
 *   separator. So it is opened with stdout and stderr turned away, and with a path made here. */
#include "engine/tablebase.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <tbprobe.h>
#include <unistd.h>

#include "base/gate.h"
#include "base/random.h"
#include "base/text.h"
#include "chess/attacks.h"
#include "chess/chess.h"
#include "engine/tablefile.h"

enum {
    FOLDERS_MAX = 64,
    SHUNNED_MAX = 64, /* More broken files than that, and none is used. */
    FILE_PATH_BYTES_MAX = RK_TABLEBASE_PATH_BYTES_MAX + 32,
    QUOTED_BYTES_MAX = 160, /* Of a path, in what is told. */
    PLACE_TRIES_MAX = 100000
};

/* Materials to keep away from. */
struct shunned {
    unsigned count;
    struct tablefile_men men[SHUNNED_MAX];
};

/* Written under the gate while nobody is inside; read by who is. */
static struct {
    struct gate gate;
    unsigned users;
    unsigned men;
    struct shunned results;    /* And all that could come down to them. */
    struct shunned distances;  /* Just these. */
    struct TbRootMoves ranked; /* Under the gate. */
} set = {.gate = GATE_OPEN};

void tablebase_enter(void)
{
    gate_lock(&set.gate);
    set.users++;
    gate_unlock(&set.gate);
}

void tablebase_leave(void)
{
    gate_lock(&set.gate);
    set.users--;
    gate_unlock(&set.gate);
}

unsigned tablebase_men(void) { return set.men; }

/* ---- what is kept away from ---- */

static struct tablefile_men men_of(const struct position *position)
{
    struct tablefile_men men;
    for (color_t color = WHITE; color <= BLACK; color++)
        for (kind_t kind = PAWN; kind < KING; kind++)
            men.count[color][kind] = (uint8_t)bits_count(position_men(position, color, kind));
    return men;
}

static bool is_same(const struct tablefile_men *a, const struct tablefile_men *b, bool flips)
{
    for (unsigned color = WHITE; color <= BLACK; color++)
        if (memcmp(a->count[color], b->count[flips ? color ^ 1u : color], sizeof a->count[color]) !=
            0)
            return false;
    return true;
}

/* Whether captures and promotions could turn `from` into `to`. */
static bool can_become(const struct tablefile_men *from, const struct tablefile_men *to, bool flips)
{
    for (unsigned color = WHITE; color <= BLACK; color++) {
        const uint8_t *have = from->count[color];
        const uint8_t *want = to->count[flips ? color ^ 1u : color];
        unsigned pawns = want[PAWN];
        for (unsigned kind = KNIGHT; kind < KING; kind++)
            pawns += want[kind] > have[kind] ? (unsigned)(want[kind] - have[kind]) : 0;
        if (pawns > have[PAWN])
            return false;
    }
    return true;
}

static bool leads_to_shunned(const struct tablefile_men *men)
{
    for (unsigned i = 0; i < set.results.count; i++)
        if (can_become(men, &set.results.men[i], false) ||
            can_become(men, &set.results.men[i], true))
            return true;
    return false;
}

static bool is_without_distances(const struct tablefile_men *men)
{
    for (unsigned i = 0; i < set.distances.count; i++)
        if (is_same(men, &set.distances.men[i], false) || is_same(men, &set.distances.men[i], true))
            return true;
    return false;
}

/* ---- asking ---- */

static unsigned en_passant_of(const struct position *position)
{
    return position->en_passant == SQUARE_NONE ? 0 : position->en_passant;
}

bool tablebase_probe(const struct position *position, int *out_result)
{
    if (set.results.count > 0) {
        const struct tablefile_men men = men_of(position);
        if (leads_to_shunned(&men))
            return false;
    }
    const bitboard_t *kinds = position->kinds;
    const unsigned result =
        tb_probe_wdl(position->colors[WHITE], position->colors[BLACK], kinds[KING], kinds[QUEEN],
                     kinds[ROOK], kinds[BISHOP], kinds[KNIGHT], kinds[PAWN], 0, 0,
                     en_passant_of(position), position->side == WHITE);
    if (result == TB_RESULT_FAILED)
        return false;
    *out_result = (int)result - TB_DRAW;
    return true;
}

static bool is_move(const struct TbRootMove *ranked, move_t move)
{
    static const unsigned PROMOTES[KIND_COUNT] = {[KNIGHT] = TB_PROMOTES_KNIGHT,
                                                  [BISHOP] = TB_PROMOTES_BISHOP,
                                                  [ROOK] = TB_PROMOTES_ROOK,
                                                  [QUEEN] = TB_PROMOTES_QUEEN};
    const unsigned promotes =
        move_is_promotion(move) ? PROMOTES[move_promoted(move)] : TB_PROMOTES_NONE;
    return TB_MOVE_FROM(ranked->move) == move_from(move) &&
           TB_MOVE_TO(ranked->move) == move_to(move) && TB_MOVE_PROMOTES(ranked->move) == promotes;
}

/* False: a move is not among those that Fathom ranked. */
static bool take_ranks(struct tablebase_move *moves, int count)
{
    for (int i = 0; i < count; i++) {
        unsigned at = 0;
        while (at < set.ranked.size && !is_move(&set.ranked.moves[at], moves[i].move))
            at++;
        if (at == set.ranked.size)
            return false;
        moves[i].rank = set.ranked.moves[at].tbRank;
    }
    return true;
}

enum tablebase_answer tablebase_rank(const struct position *root, bool has_repeated,
                                     bool uses_fifty, struct tablebase_move *moves, int count)
{
    const struct tablefile_men men = men_of(root);
    if (leads_to_shunned(&men))
        return TABLEBASE_UNKNOWN;
    const bitboard_t white = root->colors[WHITE], black = root->colors[BLACK];
    const bitboard_t *kinds = root->kinds;
    enum tablebase_answer answer = TABLEBASE_UNKNOWN;
    gate_lock(&set.gate);
    if (!is_without_distances(&men) &&
        tb_probe_root_dtz(white, black, kinds[KING], kinds[QUEEN], kinds[ROOK], kinds[BISHOP],
                          kinds[KNIGHT], kinds[PAWN], root->fifty, 0, en_passant_of(root),
                          root->side == WHITE, has_repeated, uses_fifty, &set.ranked) != 0)
        answer = TABLEBASE_DISTANCES;
    else if (tb_probe_root_wdl(white, black, kinds[KING], kinds[QUEEN], kinds[ROOK], kinds[BISHOP],
                               kinds[KNIGHT], kinds[PAWN], root->fifty, 0, en_passant_of(root),
                               root->side == WHITE, uses_fifty, &set.ranked) != 0)
        answer = TABLEBASE_RESULTS;
    if (answer != TABLEBASE_UNKNOWN && !take_ranks(moves, count))
        answer = TABLEBASE_UNKNOWN;
    gate_unlock(&set.gate);
    return answer;
}

/* ---- opening ---- */

struct opening {
    char words[RK_TABLEBASE_PATH_BYTES_MAX]; /* The path, cut at its separators. */
    const char *folders[FOLDERS_MAX];
    unsigned folder_count;
    unsigned files_seen; /* In the folder at hand. */
    bool is_hopeless;    /* Too much is broken. */
    uint64_t random;
    struct rk_tablebases *told;
    struct text faults;
};

/* One line, or a count alone when there is no room for it. */
static void tell(struct opening *opening, const char *folder, const char *name, const char *fault)
{
    char line[2 * QUOTED_BYTES_MAX];
    struct text text;
    text_init(&text, line, sizeof line);
    (void)text_add_quoted(&text, slice_of(folder), QUOTED_BYTES_MAX);
    if (*name != '\0')
        (void)text_add_char(&text, '/');
    (void)text_add(&text, name);
    (void)text_add(&text, *folder == '\0' ? "" : " ");
    (void)text_add(&text, fault);
    (void)text_add_char(&text, '\n');
    opening->told->fault_count++;
    if (!opening->faults.is_cut)
        (void)text_add(&opening->faults, line);
}

static void tell_unopened(struct opening *opening, const char *folder, int error)
{
    char fault[QUOTED_BYTES_MAX];
    const bool is_parted_otherwise = strchr(folder, ';') != NULL;
    (void)snprintf(fault, sizeof fault, "cannot be opened: %s%s", strerror(error),
                   is_parted_otherwise ? "; folders are parted by ':'" : "");
    tell(opening, folder, "", fault);
}

static void shun(struct opening *opening, struct shunned *shunned, const struct tablefile_men *men)
{
    if (shunned->count == SHUNNED_MAX)
        opening->is_hopeless = true;
    else
        shunned->men[shunned->count++] = *men;
}

struct found {
    const char *folder;
    const char *name;
    struct tablefile_men men;
    enum tablefile_kind kind;
};

static void path_of(const char *folder, const char *name, char out_path[FILE_PATH_BYTES_MAX])
{
    (void)snprintf(out_path, FILE_PATH_BYTES_MAX, "%s/%s", folder, name);
}

static void check_file(struct opening *opening, const struct found *found)
{
    char path[FILE_PATH_BYTES_MAX];
    bool is_wide = false;
    path_of(found->folder, found->name, path);
    const char *fault = tablefile_check(path, &found->men, found->kind, &is_wide);
    if (fault != NULL)
        tell(opening, found->folder, found->name, fault);
    if (fault != NULL && found->kind == TABLEFILE_WDL)
        shun(opening, &set.results, &found->men);
    else if (fault != NULL || is_wide)
        shun(opening, &set.distances, &found->men);
    else if (found->kind == TABLEFILE_WDL)
        opening->told->results++;
    else
        opening->told->distances++;
}

static bitboard_t attacks_by(const struct position *position, color_t color)
{
    bitboard_t attacked = attacks_pawns(color, position_men(position, color, PAWN));
    for (kind_t kind = KNIGHT; kind <= KING; kind++)
        for (bitboard_t men = position_men(position, color, kind); men != 0;)
            attacked |= attacks_of(kind, bits_pop(&men), position_all(position));
    return attacked;
}

static void place(struct position *position, color_t color, kind_t kind, uint64_t *random)
{
    bitboard_t bit;
    do {
        bit = square_bit((square_t)random_below(random, SQUARE_COUNT));
    } while ((position_all(position) & bit) != 0 ||
             (kind == PAWN && (bit & (RANK_1 | RANK_8)) != 0));
    position->kinds[kind] |= bit;
    position->colors[color] |= bit;
}

/* A position of these men in which the side to move can take nothing: then Fathom looks into the
 * table of these very men. */
static bool compose(const struct tablefile_men *men, uint64_t *random,
                    struct position *out_position)
{
    unsigned total[COLOR_COUNT] = {0};
    for (unsigned kind = PAWN; kind < KING; kind++)
        for (unsigned color = WHITE; color <= BLACK; color++)
            total[color] += men->count[color][kind];
    const color_t side = total[BLACK] < total[WHITE] ? BLACK : WHITE;
    for (int tries = 0; tries < PLACE_TRIES_MAX; tries++) {
        struct position position = {.side = side, .en_passant = SQUARE_NONE};
        for (color_t color = WHITE; color <= BLACK; color++) {
            place(&position, color, KING, random);
            for (kind_t kind = PAWN; kind < KING; kind++)
                for (unsigned i = 0; i < men->count[color][kind]; i++)
                    place(&position, color, kind, random);
        }
        if ((attacks_by(&position, side) & position.colors[side ^ 1u]) == 0) {
            *out_position = position;
            return true;
        }
    }
    return false;
}

/* Has Fathom map a table of results, while nobody else asks it anything. */
static void warm_file(struct opening *opening, const struct found *found)
{
    struct position position;
    int result;
    if (found->kind != TABLEFILE_WDL || leads_to_shunned(&found->men))
        return;
    if (!compose(&found->men, &opening->random, &position) ||
        !tablebase_probe(&position, &result)) {
        tell(opening, found->folder, found->name, "cannot be read");
        shun(opening, &set.results, &found->men);
        opening->told->results--;
        return;
    }
    const unsigned men = tablefile_men_total(&found->men);
    if (men > set.men)
        set.men = men;
}

/* Fathom takes the first file of a name that it can open. */
static bool is_in_earlier(const struct opening *opening, unsigned folder, const char *name)
{
    char path[FILE_PATH_BYTES_MAX];
    for (unsigned i = 0; i < folder; i++) {
        path_of(opening->folders[i], name, path);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static void visit_folder(struct opening *opening, unsigned folder,
                         void (*visit)(struct opening *opening, const struct found *found))
{
    DIR *stream = opendir(opening->folders[folder]);
    if (stream == NULL)
        return;
    struct found found = {.folder = opening->folders[folder]};
    for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        found.name = entry->d_name;
        if (!tablefile_parse(found.name, &found.men, &found.kind))
            continue;
        opening->files_seen++;
        if (!is_in_earlier(opening, folder, found.name))
            visit(opening, &found);
    }
    (void)closedir(stream);
}

/* Cuts the path at its separators; keeps the folders that can be opened. */
static void split(struct opening *opening, const char *path)
{
    (void)snprintf(opening->words, sizeof opening->words, "%s", path);
    char *rest = opening->words;
    while (rest != NULL) {
        const char *folder = rest;
        rest = strchr(rest, ':');
        if (rest != NULL)
            *rest++ = '\0';
        if (*folder == '\0')
            continue;
        DIR *stream = opendir(folder);
        if (stream == NULL)
            tell_unopened(opening, folder, errno);
        else if (opening->folder_count == FOLDERS_MAX)
            tell(opening, folder, "", "is one folder too many");
        else
            opening->folders[opening->folder_count++] = folder;
        if (stream != NULL)
            (void)closedir(stream);
    }
}

/* What it prints meanwhile goes nowhere. */
static bool start_fathom(const char *path)
{
    int kept[2];
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return false;
    (void)fflush(stdout);
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        kept[stream - 1] = fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        if (kept[stream - 1] >= 0)
            (void)dup2(nowhere, stream);
    }
    const bool is_good = tb_init(path);
    (void)fflush(stdout);
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
        if (kept[stream - 1] >= 0) {
            (void)dup2(kept[stream - 1], stream);
            (void)close(kept[stream - 1]);
        }
    (void)close(nowhere);
    return is_good;
}

static bool start_in_folders(const struct opening *opening)
{
    char buffer[RK_TABLEBASE_PATH_BYTES_MAX];
    struct text text;
    text_init(&text, buffer, sizeof buffer);
    for (unsigned i = 0; i < opening->folder_count; i++) {
        (void)text_add(&text, i == 0 ? "" : ":");
        (void)text_add(&text, opening->folders[i]);
    }
    return start_fathom(buffer);
}

static void open_folders(struct opening *opening)
{
    for (unsigned i = 0; i < opening->folder_count; i++) {
        opening->files_seen = 0;
        visit_folder(opening, i, check_file);
        if (opening->files_seen == 0)
            tell(opening, opening->folders[i], "", "holds no tablebases");
    }
    if (opening->told->results == 0 || opening->is_hopeless)
        return;
    if (!start_in_folders(opening)) {
        opening->is_hopeless = true;
        return;
    }
    for (unsigned i = 0; i < opening->folder_count; i++)
        visit_folder(opening, i, warm_file);
}

static void close_set(void)
{
    if (set.men > 0)
        (void)start_fathom("");
    set.men = 0;
    set.results.count = 0;
    set.distances.count = 0;
}

enum rk_status tablebase_open(const char *path, struct rk_tablebases *out_tablebases)
{
    if (strlen(path) >= RK_TABLEBASE_PATH_BYTES_MAX)
        return RK_BAD_ARGUMENT;
    chess_init();
    gate_lock(&set.gate);
    if (set.users > 0) {
        gate_unlock(&set.gate);
        return RK_BUSY;
    }
    struct rk_tablebases told = {0};
    struct opening opening = {.told = &told, .random = 1};
    text_init(&opening.faults, told.faults, sizeof told.faults);
    close_set();
    split(&opening, path);
    open_folders(&opening);
    if (opening.is_hopeless) {
        tell(&opening, "", "", "too much is broken: none is used");
        close_set();
    }
    if (set.men == 0)
        told.results = told.distances = 0;
    told.men = set.men;
    gate_unlock(&set.gate);
    *out_tablebases = told;
    return RK_OK;
}
