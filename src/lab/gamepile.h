/* lab/gamepile.h: several files of games as one pile: checked, joined, mixed, divided.
 * A game is never opened on the way, so it comes out with the bytes that it went in with, exactly
 * once. Thread: one at a time for each pile. */
#ifndef LAB_GAMEPILE_H
#define LAB_GAMEPILE_H

#include "lab/gamefile.h"

enum { GAMEPILE_FILES_MAX = 1024 };

/* Where something is wrong. */
struct gamepile_place {
    unsigned file;   /* Which of the paths. */
    uint64_t block;  /* From 0. */
    uint64_t offset; /* Byte of the file. */
};

struct gamepile;

/* With a fault place->file tells whose. */
enum gamefile_fault gamepile_open(const char *const *paths, unsigned count,
                                  struct gamepile **out_pile, struct gamepile_place *out_place);
void gamepile_close(struct gamepile *pile); /* NULL is fine. */

unsigned gamepile_count(const struct gamepile *pile); /* Files. */
const struct gamefile *gamepile_file(const struct gamepile *pile, unsigned index);

/* What the games are, of whole blocks. */
struct gamepile_census {
    uint64_t games, positions, chess960;
    uint64_t white_points[3]; /* Games, by White's halves of points. */
    uint64_t ends[GAMEFILE_END_COUNT];
    uint64_t checks, mates; /* Positions in check; with a mate for a score. */
    uint64_t faults;
};

/* Reads every game to its end and tells each fault, gaps as GAMEFILE_HEADER; goes on after it.
 * SYSTEM, NO_MEMORY end it. */
enum gamefile_fault gamepile_verify(const struct gamepile *pile,
                                    void (*tell)(void *context, enum gamefile_fault fault,
                                                 const struct gamepile_place *place),
                                    void *context, struct gamepile_census *out_census);

/* Each writes all games of the pile. A pile with a gap or a fault is refused there: nothing is left
 * out silently. With a fault of the pile *out_place tells where, else its file is the pile's count:
 * a writer's. */

/* In their order. */
enum gamefile_fault gamepile_merge(const struct gamepile *pile, struct gamefile_writer *to,
                                   struct gamepile_place *out_place);
/* In an order drawn by `seed`; 16 bytes of memory a game. */
enum gamefile_fault gamepile_shuffle(const struct gamepile *pile, uint64_t seed,
                                     struct gamefile_writer *to, struct gamepile_place *out_place);
/* Which side a game is on in gamepile_split(), by the hash of its bytes. */
bool gamepile_is_first(uint64_t game_hash, unsigned permille, uint64_t seed);
/* About so many of a thousand to the first, the others to the second. It is the game's bytes and
 * the seed that decide: the same game, wherever it stands, is never on both sides. A fault of the
 * second writer is told as that of the file behind the pile's count. */
enum gamefile_fault gamepile_split(const struct gamepile *pile, unsigned permille, uint64_t seed,
                                   struct gamefile_writer *const to[2],
                                   struct gamepile_place *out_place);

#endif
