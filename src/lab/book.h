/* lab/book.h: positions from a file: one FEN or EPD a line, or games in PGN.
 * The file is kept as it is; an opening is read off it when it is asked for.
 * Thread: any for reading; creating, shuffling and destroying its owner's. */
#ifndef LAB_BOOK_H
#define LAB_BOOK_H

#include <stddef.h>

#include "base/text.h"
#include "chess/game.h"

enum { OPENING_PLIES_MAX = 128, CHESS960_ARRAYS = 960 };

/* Where a game begins: a position, and the moves that lead from it to where players take over. */
struct opening {
    struct rk_game start;
    unsigned count;
    move_t moves[OPENING_PLIES_MAX];
};

struct book;

/* What was left out, since it is no position or no game, or over before anybody could play. */
struct book_faults {
    unsigned count;
    unsigned first_line; /* Of the first, from 1. */
    const char *first_why;
};

/* What the texts are for: to be played from, or to be looked at, decided or not. */
enum book_use { BOOK_OPENINGS, BOOK_POSITIONS };

/* A line: "FEN", "FEN moves e2e4 …", or EPD, whose operations are passed over; blank ones and those
 * that begin with '#' count as nothing. PGN is known by its first byte, '['; of each game the main
 * line is taken, up to plies_max (at most OPENING_PLIES_MAX). A byte order mark in front is passed
 * over. RK_SYSTEM with errno set;
 * RK_NO_MEMORY; RK_BAD_ARGUMENT: nothing in it can be used. */
enum rk_status book_read(const char *path, enum book_use use, unsigned plies_max,
                         struct book **out_book, struct book_faults *out_faults);
/* The same from a text, which is copied. */
enum rk_status book_parse(struct slice text, enum book_use use, unsigned plies_max,
                          struct book **out_book, struct book_faults *out_faults);
void book_destroy(struct book *book); /* NULL is fine. */

size_t book_count(const struct book *book);
/* Of the file as it was read, by which it is known again. */
uint32_t book_checksum(const struct book *book);
/* Another order, the same for the same seed. */
void book_shuffle(struct book *book, uint64_t seed);
/* index below book_count(). */
void book_opening(const struct book *book, size_t index, struct opening *out_opening);

/* The position after the opening's moves. */
void opening_end(const struct opening *opening, struct rk_game *out_game);

/* So many random moves from the opening's start, drawn by *seed, which goes on. False: the game was
 * over before, or is with them. */
bool opening_draw(struct opening *opening, unsigned plies, uint64_t *seed, struct rk_game *out_end);
/* One of the 960 arrays of Chess960, by its usual number (518 is chess), below CHESS960_ARRAYS. */
void opening_array(unsigned number, struct rk_game *out_start);

/* One line of a file, as book_read() takes it. */
enum rk_status opening_parse_line(struct slice line, struct opening *out_opening);
/* One game: tags, then moves, as far as plies_max. RK_BAD_MOVE, or what is wrong with its FEN tag.
 */
enum rk_status opening_parse_pgn(struct slice game, unsigned plies_max,
                                 struct opening *out_opening);

#endif
