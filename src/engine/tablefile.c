/* A file is: four bytes that name its kind; a byte of flags; for each of its tables (one, or one a
 * file of the leading pawn) the order of men; for each table and side how its values are packed; of
 * distances, what the values stand for; an index; the sizes of blocks; the blocks; a checksum of 16
 * bytes. A table of one value alone has neither index nor blocks.
 * Source: Ronald de Man, "Syzygy endgame tablebases", and his probing code, for the format. */
#include "engine/tablefile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/tablepack.h"

enum {
    TABLES_MAX = 4,
    SIDES_MAX = 2,
    HEAD_BYTES = 5,
    ALIGNMENT = 64, /* Of a table's blocks. */
    CHECKSUM_BYTES = 16,
    BLOCK_BITS_MAX = 31,
    RESULT_MAX = 4,      /* A win; 0 is a loss. */
    VALUE_MAX = 0xfff,   /* Of distances. */
    KINGS_APART = 462,   /* Placements of two kings, and of three different men, as they lead a */
    THREE_APART = 31332, /* table without pawns, but for symmetry. */
    CODE_KING = 6,       /* Men are 1 to 6, black ones 8 more. */
    CODE_BLACK = 8
};
enum { FLAG_BOTH_SIDES = 1 };                                       /* Of a file of results. */
enum { TABLE_MAPPED = 2, TABLE_WIDE = 16, TABLE_ONE_VALUE = 0x80 }; /* Of a table. */

static const char CUT_OFF[] = "is cut off";
static const char ODD[] = "is not what its name says";

/* A table with one side to move. */
struct part {
    bool is_packed; /* Not of one value alone. */
    struct tablepack pack;
    uint64_t block_bytes;
};

/* What has been read of the head, and what must follow. */
struct reading {
    const uint8_t *bytes;
    size_t size;
    size_t at;
    bool is_cut; /* It went beyond the end. */
    bool is_odd;
    bool is_wide;
    const struct tablefile_men *men;
    enum tablefile_kind kind;
    unsigned sides;
    struct part parts[TABLES_MAX * SIDES_MAX];
    unsigned part_count;
};

static uint32_t take(struct reading *reading, unsigned bytes)
{
    uint32_t value = 0;
    if (reading->is_cut || reading->size - reading->at < bytes) {
        reading->is_cut = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)reading->bytes[reading->at++] << (8 * i);
    return value;
}

static void skip(struct reading *reading, uint64_t bytes)
{
    if (reading->is_cut || reading->size - reading->at < bytes)
        reading->is_cut = true;
    else
        reading->at += (size_t)bytes;
}

unsigned tablefile_men_total(const struct tablefile_men *men)
{
    unsigned total = 2;
    for (unsigned kind = PAWN; kind < KING; kind++)
        total += men->count[WHITE][kind] + men->count[BLACK][kind];
    return total;
}

bool tablefile_parse(const char *name, struct tablefile_men *out_men, enum tablefile_kind *out_kind)
{
    static const char LETTERS[] = "PNBRQ";
    struct tablefile_men men = {0};
    for (unsigned color = WHITE; color <= BLACK; color++) {
        if (*name++ != 'K')
            return false;
        for (const char *letter; *name != '\0' && (letter = strchr(LETTERS, *name)) != NULL; name++)
            if (++men.count[color][letter - LETTERS] > TABLEFILE_MEN_MAX)
                return false;
        if (color == WHITE && *name++ != 'v')
            return false;
    }
    const bool is_wdl = strcmp(name, ".rtbw") == 0;
    const unsigned total = tablefile_men_total(&men);
    if ((!is_wdl && strcmp(name, ".rtbz") != 0) || total < 3 || total > TABLEFILE_MEN_MAX)
        return false;
    *out_men = men;
    *out_kind = is_wdl ? TABLEFILE_WDL : TABLEFILE_DTZ;
    return true;
}

/* Ways to take k of n. */
static uint64_t choose(unsigned n, unsigned k)
{
    uint64_t ways = 1;
    for (unsigned i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

static bool has_pawns(const struct tablefile_men *men)
{
    return men->count[WHITE][PAWN] + men->count[BLACK][PAWN] > 0;
}

static bool is_same_a_side(const struct tablefile_men *men)
{
    return memcmp(men->count[WHITE], men->count[BLACK], sizeof men->count[WHITE]) == 0;
}

/* The pawns that a table begins with, and those of the other side. */
static void split_pawns(const struct tablefile_men *men, unsigned *out_leading, unsigned *out_rest)
{
    const unsigned white = men->count[WHITE][PAWN], black = men->count[BLACK][PAWN];
    const bool is_black = black > 0 && (white == 0 || white > black);
    *out_leading = is_black ? black : white;
    *out_rest = is_black ? white : black;
}

/* The leading pawn stands on this file, the others of its side beyond it. */
static uint64_t place_pawns(unsigned leading, unsigned file)
{
    uint64_t ways = 0;
    for (unsigned rank = 0; rank < 6; rank++)
        ways += choose(47 - 12 * file - 2 * rank, leading - 1);
    return ways;
}

/* Whether just two kinds of men, the kings, stand there once. */
static bool is_led_by_kings(const struct tablefile_men *men)
{
    for (unsigned kind = PAWN; kind < KING; kind++)
        if (men->count[WHITE][kind] == 1 || men->count[BLACK][kind] == 1)
            return false;
    return true;
}

/* Positions in a table whose men stand in this order; the sets of men that are placed one after
 * the other. */
static uint64_t count_positions(const struct tablefile_men *men, const uint8_t *order,
                                unsigned file, unsigned *out_sets)
{
    const unsigned total = tablefile_men_total(men);
    *out_sets = 1;
    unsigned placed = is_led_by_kings(men) ? 2 : 3;
    uint64_t positions = placed == 2 ? KINGS_APART : THREE_APART;
    if (has_pawns(men)) {
        unsigned leading, rest;
        split_pawns(men, &leading, &rest);
        positions = place_pawns(leading, file) * choose(48 - leading, rest);
        placed = leading + rest;
        *out_sets = rest > 0 ? 2 : 1;
    }
    while (placed < total) {
        unsigned alike = 1;
        while (placed + alike < total && order[placed + alike] == order[placed])
            alike++;
        positions *= choose(64 - placed, alike);
        placed += alike;
        ++*out_sets;
    }
    return positions;
}

/* Whether these are the men of the name, those alike in a row. */
static bool is_order_of(const struct tablefile_men *men, const uint8_t *order)
{
    unsigned seen[2 * CODE_BLACK] = {0};
    const unsigned total = tablefile_men_total(men);
    for (unsigned i = 0; i < total; i++) {
        if (seen[order[i]]++ > 0 && order[i - 1] != order[i])
            return false;
    }
    for (unsigned color = WHITE; color <= BLACK; color++) {
        if (seen[color * CODE_BLACK + CODE_KING] != 1)
            return false;
        for (unsigned kind = PAWN; kind < KING; kind++)
            if (seen[color * CODE_BLACK + 1 + kind] != men->count[color][kind])
                return false;
    }
    return true;
}

/* The orders of a table's men, a half byte each side, behind the turns at which those that lead,
 * and the other side's pawns, are counted; how many positions that makes. */
static void take_order(struct reading *reading, unsigned file, uint64_t out_positions[SIDES_MAX])
{
    const struct tablefile_men *men = reading->men;
    const unsigned total = tablefile_men_total(men);
    const bool is_long = men->count[WHITE][PAWN] > 0 && men->count[BLACK][PAWN] > 0;
    const uint32_t lead = take(reading, 1), rest = is_long ? take(reading, 1) : 0;
    uint8_t orders[SIDES_MAX][TABLEFILE_MEN_MAX];
    for (unsigned i = 0; i < total; i++) {
        const uint32_t both = take(reading, 1);
        orders[0][i] = both & 0xf;
        orders[1][i] = (uint8_t)(both >> 4);
    }
    for (unsigned side = 0; side < reading->sides; side++) {
        unsigned sets;
        out_positions[side] = count_positions(men, orders[side], file, &sets);
        const uint32_t lead_turn = lead >> (4 * side) & 0xf, rest_turn = rest >> (4 * side) & 0xf;
        reading->is_odd |= !is_order_of(men, orders[side]) || lead_turn >= sets ||
                           (is_long && (rest_turn >= sets || rest_turn == lead_turn));
    }
}

/* How the values of one part are packed. */
static void take_packing(struct reading *reading, uint64_t positions, uint8_t *out_flags)
{
    const bool is_wdl = reading->kind == TABLEFILE_WDL;
    const uint32_t flags = take(reading, 1);
    *out_flags = (uint8_t)flags;
    struct part *part = &reading->parts[reading->part_count++];
    *part = (struct part){.is_packed = false};
    if ((flags & TABLE_ONE_VALUE) != 0) {
        reading->is_odd |= take(reading, 1) > RESULT_MAX && is_wdl;
        return;
    }
    struct tablepack *pack = &part->pack;
    const uint32_t block_bits = take(reading, 1);
    pack->value_max = is_wdl ? RESULT_MAX : VALUE_MAX;
    pack->positions = positions;
    pack->index_bits = take(reading, 1);
    pack->spare_blocks = take(reading, 1);
    pack->blocks = take(reading, 4);
    pack->longest = take(reading, 1);
    pack->shortest = take(reading, 1);
    if (block_bits > BLOCK_BITS_MAX || pack->index_bits < 1 ||
        pack->index_bits > TABLEPACK_INDEX_BITS_MAX || pack->shortest < 1 ||
        pack->longest < pack->shortest || pack->longest > TABLEPACK_CODE_BITS_MAX) {
        reading->is_odd = true;
        return;
    }
    part->is_packed = true;
    part->block_bytes = pack->blocks << block_bits;
    pack->codes = reading->bytes + reading->at;
    skip(reading, 2ull * (pack->longest - pack->shortest + 1));
    pack->symbol_count = take(reading, 2);
    reading->is_odd |= pack->symbol_count > TABLEPACK_SYMBOLS_MAX;
    pack->symbols = reading->bytes + reading->at;
    skip(reading, (uint64_t)TABLEPACK_SYMBOL_BYTES * pack->symbol_count);
    skip(reading, pack->symbol_count & 1);
}

/* What the values of distances stand for, where they are mapped. */
static void take_maps(struct reading *reading, const uint8_t *flags, unsigned tables)
{
    enum { MAPS = 4 };
    for (unsigned table = 0; table < tables; table++) {
        if ((flags[table] & TABLE_MAPPED) == 0)
            continue;
        const bool is_wide = (flags[table] & TABLE_WIDE) != 0;
        reading->is_wide |= is_wide;
        if (is_wide)
            skip(reading, reading->at & 1);
        for (unsigned map = 0; map < MAPS; map++) {
            if (is_wide) {
                skip(reading, 2ull * take(reading, 2));
                continue;
            }
            const uint32_t length = take(reading, 1);
            /* Nothing stops who looks up a value beyond its map but the end of the file. */
            const size_t room = reading->size - reading->at;
            struct tablepack *pack = &reading->parts[table].pack;
            pack->value_max = room <= pack->value_max ? (uint32_t)room - 1 : pack->value_max;
            skip(reading, length);
        }
    }
    skip(reading, reading->at & 1);
}

/* All that follows the maps. */
static void take_blocks(struct reading *reading)
{
    struct part *end = reading->parts + reading->part_count;
    for (struct part *part = reading->parts; part < end; part++) {
        struct tablepack *pack = &part->pack;
        pack->index = reading->bytes + reading->at;
        if (!part->is_packed)
            continue;
        const uint64_t stretch = (uint64_t)1 << pack->index_bits;
        skip(reading, TABLEPACK_INDEX_BYTES * ((pack->positions + stretch - 1) / stretch));
    }
    for (struct part *part = reading->parts; part < end; part++) {
        part->pack.sizes = reading->bytes + reading->at;
        skip(reading, 2 * (part->pack.blocks + part->pack.spare_blocks));
    }
    for (struct part *part = reading->parts; part < end; part++) {
        skip(reading, -reading->at & (ALIGNMENT - 1));
        skip(reading, part->block_bytes);
    }
    skip(reading, -reading->at & (ALIGNMENT - 1));
    skip(reading, CHECKSUM_BYTES);
}

static bool are_parts_sound(const struct reading *reading)
{
    for (const struct part *part = reading->parts; part < reading->parts + reading->part_count;
         part++)
        if (part->is_packed && !tablepack_is_sound(&part->pack))
            return false;
    return true;
}

const char *tablefile_fault(const uint8_t *bytes, size_t size, const struct tablefile_men *men,
                            enum tablefile_kind kind, bool *out_is_wide)
{
    static const uint32_t MAGIC[] = {[TABLEFILE_WDL] = 0x5d23e871, [TABLEFILE_DTZ] = 0xa50c66d7};
    struct reading reading = {.bytes = bytes, .size = size, .men = men, .kind = kind};
    if (size < ALIGNMENT + CHECKSUM_BYTES)
        return CUT_OFF;
    if (take(&reading, 4) != MAGIC[kind])
        return ODD;
    const uint32_t flags = take(&reading, HEAD_BYTES - 4);
    const unsigned tables = has_pawns(men) ? TABLES_MAX : 1;
    reading.sides = kind == TABLEFILE_WDL && (flags & FLAG_BOTH_SIDES) != 0 ? SIDES_MAX : 1;
    /* Only with the same men a side is the other side's result known, too. */
    reading.is_odd = kind == TABLEFILE_WDL && reading.sides == 1 && !is_same_a_side(men);
    uint64_t positions[TABLES_MAX][SIDES_MAX];
    uint8_t table_flags[TABLES_MAX] = {0};
    for (unsigned table = 0; table < tables; table++)
        take_order(&reading, table, positions[table]);
    skip(&reading, reading.at & 1);
    for (unsigned table = 0; table < tables; table++)
        for (unsigned side = 0; side < reading.sides; side++)
            take_packing(&reading, positions[table][side], &table_flags[table]);
    if (kind == TABLEFILE_DTZ)
        take_maps(&reading, table_flags, tables);
    take_blocks(&reading);
    if (reading.is_cut)
        return CUT_OFF;
    if (reading.is_odd)
        return ODD;
    if (reading.at != size)
        return "is longer than its head says";
    if (!are_parts_sound(&reading))
        return ODD;
    *out_is_wide = reading.is_wide;
    return NULL;
}

const char *tablefile_check(const char *path, const struct tablefile_men *men,
                            enum tablefile_kind kind, bool *out_is_wide)
{
    struct stat facts;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool has_facts = file >= 0 && fstat(file, &facts) == 0;
    const char *fault = has_facts ? NULL : strerror(errno);
    if (has_facts && !S_ISREG(facts.st_mode)) {
        fault = "is no file";
    } else if (has_facts && facts.st_size <= 0) {
        fault = "is empty";
    } else if (has_facts) {
        const size_t size = (size_t)facts.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes == MAP_FAILED) {
            fault = strerror(errno);
        } else {
            fault = tablefile_fault(bytes, size, men, kind, out_is_wide);
            (void)munmap(bytes, size);
        }
    }
    if (file >= 0)
        (void)close(file);
    return fault;
}
