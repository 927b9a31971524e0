/* lab/san.h: moves as games are written down: "Nf3", "exd5", "O-O", "e8=Q+".
 * Source: the Portable Game Notation standard, 1994. Thread: any. */
#ifndef LAB_SAN_H
#define LAB_SAN_H

#include "base/text.h"
#include "chess/position.h"

enum { SAN_BYTES_MAX = 12 }; /* "Qa1xb2=Q+" at most, and the final zero. */

/* A legal move's text, with its final zero; returns the length. */
size_t san_print(const struct position *position, move_t move, char out_text[SAN_BYTES_MAX]);

/* The legal move that a word names, or MOVE_NONE. More than is needed to tell it from others is
 * let pass, zeros for castling and missing check marks too, and coordinates ("e2e4"). */
move_t san_parse(const struct position *position, struct slice word);

#endif
