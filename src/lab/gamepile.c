#include "lab/gamepile.h"

#include "base/bits.h"
#include "base/check.h"
#include "base/memory.h"
#include "base/random.h"
#include "lab/gameblock.h"

enum { PERMILLE = 1000 };

struct gamepile {
    unsigned count;
    struct gamefile *files[GAMEPILE_FILES_MAX];
};

/* One game's place in the pile. */
struct card {
    uint64_t offset;
    uint32_t length;
    uint16_t file;
    uint16_t plies;
};
static_assert(GAMEPILE_FILES_MAX <= UINT16_MAX && GAMEFILE_PLIES_MAX <= UINT16_MAX,
              "a card holds them");

enum gamefile_fault gamepile_open(const char *const *paths, unsigned count,
                                  struct gamepile **out_pile, struct gamepile_place *out_place)
{
    REQUIRE(count <= GAMEPILE_FILES_MAX);
    struct gamepile *pile = memory_allocate(sizeof *pile);
    if (pile == NULL)
        return GAMEFILE_NO_MEMORY;
    enum gamefile_fault fault = GAMEFILE_FINE;
    for (pile->count = 0; pile->count < count && fault == GAMEFILE_FINE; pile->count++) {
        *out_place = (struct gamepile_place){.file = pile->count};
        fault = gamefile_open(paths[pile->count], &pile->files[pile->count]);
    }
    if (fault != GAMEFILE_FINE)
        gamepile_close(pile);
    else
        *out_pile = pile;
    return fault;
}

void gamepile_close(struct gamepile *pile)
{
    if (pile == NULL)
        return;
    for (unsigned i = 0; i < pile->count; i++)
        gamefile_close(pile->files[i]);
    memory_free(pile);
}

unsigned gamepile_count(const struct gamepile *pile) { return pile->count; }

const struct gamefile *gamepile_file(const struct gamepile *pile, unsigned index)
{
    REQUIRE(index < pile->count);
    return pile->files[index];
}

/* Where the block before ends. */
static uint64_t end_before(const struct gamefile *file, uint64_t block)
{
    if (block == 0)
        return 0;
    const struct gamefile_block *before = gamefile_block(file, block - 1);
    return before->offset + BLOCK_HEADER_BYTES + before->bytes;
}

static void census_game(struct gamefile_cursor *cursor, struct gamepile_census *census)
{
    const struct gamefile_game *game = &cursor->game;
    census->games++;
    census->chess960 += game->is_chess960;
    census->white_points[game->white_points]++;
    census->ends[game->end]++;
    while (gamefile_next_ply(cursor)) {
        census->positions++;
        census->checks += cursor->position->checkers != 0;
        census->mates +=
            cursor->score == GAMEFILE_SCORE_MATE || cursor->score == -GAMEFILE_SCORE_MATE;
    }
}

/* What verify() tells, and whom. */
struct inspection {
    void (*tell)(void *context, enum gamefile_fault fault, const struct gamepile_place *place);
    void *context;
    struct gamepile_census *census;
};

static void inspection_tell(const struct inspection *inspection, enum gamefile_fault fault,
                            const struct gamepile_place *place)
{
    inspection->census->faults++;
    inspection->tell(inspection->context, fault, place);
}

/* SYSTEM, or FINE: whatever else was found has been told. */
static enum gamefile_fault block_inspect(const struct gamepile *pile, struct gamepile_place place,
                                         struct gamefile_cursor *cursor,
                                         const struct inspection *inspection)
{
    const struct gamefile *file = pile->files[place.file];
    place.offset = end_before(file, place.block);
    if (place.offset != gamefile_block(file, place.block)->offset)
        inspection_tell(inspection, GAMEFILE_HEADER, &place);
    place.offset = gamefile_block(file, place.block)->offset;
    enum gamefile_fault fault = gamefile_load(file, place.block, cursor);
    if (fault == GAMEFILE_SYSTEM)
        return fault;
    while (gamefile_next_game(cursor))
        census_game(cursor, inspection->census);
    fault = gamefile_cursor_fault(cursor);
    if (fault != GAMEFILE_FINE)
        inspection_tell(inspection, fault, &place);
    return GAMEFILE_FINE;
}

enum gamefile_fault gamepile_verify(const struct gamepile *pile,
                                    void (*tell)(void *context, enum gamefile_fault fault,
                                                 const struct gamepile_place *place),
                                    void *context, struct gamepile_census *out_census)
{
    const struct inspection inspection = {.tell = tell, .context = context, .census = out_census};
    struct gamefile_cursor *cursor;
    *out_census = (struct gamepile_census){0};
    enum gamefile_fault fault = gamefile_cursor_create(&cursor);
    if (fault != GAMEFILE_FINE)
        return fault;
    for (unsigned i = 0; i < pile->count; i++) {
        const struct gamefile_summary *summary = gamefile_summary(pile->files[i]);
        struct gamepile_place place = {.file = i};
        for (; place.block < summary->blocks && fault == GAMEFILE_FINE; place.block++)
            fault = block_inspect(pile, place, cursor, &inspection);
        place.offset = summary->bytes;
        if (summary->is_tail_broken && fault == GAMEFILE_FINE)
            inspection_tell(&inspection, GAMEFILE_HEADER, &place);
    }
    gamefile_cursor_destroy(cursor);
    return fault;
}

/* What is done with each game of a pile. */
struct visitor {
    enum gamefile_fault (*visit)(void *context, unsigned file, const struct gamefile_bytes *game);
    void *context;
};

/* Every game of one block. */
static enum gamefile_fault block_visit(const struct gamepile *pile, struct gamefile_cursor *cursor,
                                       const struct visitor *visitor, struct gamepile_place *place)
{
    const struct gamefile *file = pile->files[place->file];
    if (gamefile_block(file, place->block)->offset != end_before(file, place->block)) {
        place->offset = end_before(file, place->block);
        return GAMEFILE_HEADER;
    }
    place->offset = gamefile_block(file, place->block)->offset;
    const enum gamefile_fault fault = gamefile_load(file, place->block, cursor);
    if (fault != GAMEFILE_FINE)
        return fault;
    struct gamefile_bytes game;
    while (gamefile_next_bytes(cursor, &game)) {
        const enum gamefile_fault visited = visitor->visit(visitor->context, place->file, &game);
        if (visited == GAMEFILE_FINE)
            continue;
        place->file = pile->count;
        return visited;
    }
    return gamefile_cursor_fault(cursor);
}

static enum gamefile_fault pile_visit(const struct gamepile *pile, const struct visitor *visitor,
                                      struct gamepile_place *out_place)
{
    struct gamefile_cursor *cursor;
    struct gamepile_place place = {.file = pile->count};
    enum gamefile_fault fault = gamefile_cursor_create(&cursor);
    if (fault != GAMEFILE_FINE) {
        *out_place = place;
        return fault;
    }
    for (unsigned i = 0; i < pile->count && fault == GAMEFILE_FINE; i++) {
        const struct gamefile_summary *summary = gamefile_summary(pile->files[i]);
        for (uint64_t k = 0; k < summary->blocks && fault == GAMEFILE_FINE; k++) {
            place = (struct gamepile_place){.file = i, .block = k};
            fault = block_visit(pile, cursor, visitor, &place);
        }
        if (summary->is_tail_broken && fault == GAMEFILE_FINE) {
            place = (struct gamepile_place){i, summary->blocks, summary->bytes};
            fault = GAMEFILE_HEADER;
        }
    }
    gamefile_cursor_destroy(cursor);
    *out_place = place;
    return fault;
}

static enum gamefile_fault merge_visit(void *context, unsigned file,
                                       const struct gamefile_bytes *game)
{
    (void)file;
    return gamefile_add_bytes(context, game->bytes, game->length, game->plies);
}

enum gamefile_fault gamepile_merge(const struct gamepile *pile, struct gamefile_writer *to,
                                   struct gamepile_place *out_place)
{
    const struct visitor visitor = {.visit = merge_visit, .context = to};
    return pile_visit(pile, &visitor, out_place);
}

struct division {
    struct gamefile_writer *const *to;
    uint64_t seed;
    unsigned permille;
    unsigned side; /* Of the last game. */
};

bool gamepile_is_first(uint64_t game_hash, unsigned permille, uint64_t seed)
{
    uint64_t state = seed;
    state = random_next(&state) ^ game_hash;
    return bits_multiply_high(random_next(&state), PERMILLE) < permille;
}

static enum gamefile_fault split_visit(void *context, unsigned file,
                                       const struct gamefile_bytes *game)
{
    struct division *division = context;
    const bool is_first = gamepile_is_first(block_checksum(game->bytes, game->length),
                                            division->permille, division->seed);
    (void)file;
    division->side = is_first ? 0 : 1;
    return gamefile_add_bytes(division->to[division->side], game->bytes, game->length, game->plies);
}

enum gamefile_fault gamepile_split(const struct gamepile *pile, unsigned permille, uint64_t seed,
                                   struct gamefile_writer *const to[2],
                                   struct gamepile_place *out_place)
{
    struct division division = {.to = to, .seed = seed, .permille = permille};
    const struct visitor visitor = {.visit = split_visit, .context = &division};
    const enum gamefile_fault fault = pile_visit(pile, &visitor, out_place);
    if (fault != GAMEFILE_FINE && out_place->file == pile->count)
        out_place->file += division.side;
    return fault;
}

struct deck {
    struct card *cards;
    uint64_t count;
};

static enum gamefile_fault deck_visit(void *context, unsigned file,
                                      const struct gamefile_bytes *game)
{
    struct deck *deck = context;
    deck->cards[deck->count++] = (struct card){.offset = game->offset,
                                               .length = game->length,
                                               .file = (uint16_t)file,
                                               .plies = (uint16_t)game->plies};
    return GAMEFILE_FINE;
}

static enum gamefile_fault deck_write(const struct gamepile *pile, const struct deck *deck,
                                      struct gamefile_writer *to, struct gamepile_place *out_place)
{
    uint8_t bytes[GAMEFILE_GAME_BYTES_MAX];
    for (uint64_t i = 0; i < deck->count; i++) {
        const struct card *card = &deck->cards[i];
        *out_place = (struct gamepile_place){.file = card->file, .offset = card->offset};
        enum gamefile_fault fault =
            gamefile_bytes_at(pile->files[card->file], card->offset, card->length, bytes);
        if (fault != GAMEFILE_FINE)
            return fault;
        out_place->file = pile->count;
        fault = gamefile_add_bytes(to, bytes, card->length, card->plies);
        if (fault != GAMEFILE_FINE)
            return fault;
    }
    return GAMEFILE_FINE;
}

enum gamefile_fault gamepile_shuffle(const struct gamepile *pile, uint64_t seed,
                                     struct gamefile_writer *to, struct gamepile_place *out_place)
{
    uint64_t games = 0;
    for (unsigned i = 0; i < pile->count; i++)
        games += gamefile_summary(pile->files[i])->games;
    *out_place = (struct gamepile_place){.file = pile->count};
    if (games == 0)
        return GAMEFILE_FINE;
    struct deck deck = {.cards = memory_allocate(games * sizeof *deck.cards)};
    if (deck.cards == NULL)
        return GAMEFILE_NO_MEMORY;
    const struct visitor visitor = {.visit = deck_visit, .context = &deck};
    enum gamefile_fault fault = pile_visit(pile, &visitor, out_place);
    for (uint64_t i = deck.count; i > 1 && fault == GAMEFILE_FINE; i--) {
        const uint64_t other = bits_multiply_high(random_next(&seed), i);
        const struct card card = deck.cards[i - 1];
        deck.cards[i - 1] = deck.cards[other];
        deck.cards[other] = card;
    }
    if (fault == GAMEFILE_FINE)
        fault = deck_write(pile, &deck, to, out_place);
    memory_free(deck.cards);
    return fault;
}
