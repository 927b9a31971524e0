/* chess/cycle.h: is the way from here to an older position one move?
 * The keys of two positions an odd number of plies apart differ by one man's step and the turn when
 * a single move of the side to move leads back. All such differences stand in a table, so a search
 * knows of a repetition a ply before it happens.
 * Source: Marcel van Kervinck, "The design and implementation of the Rookie 2.0 chess playing
 * program", 2002; Chess Programming Wiki, "Repetitions". Thread: any. */
#ifndef CHESS_CYCLE_H
#define CHESS_CYCLE_H

#include "chess/position.h"

/* Fills the table from the zobrist numbers; chess_init() sees to it that it happens once. */
void cycle_fill(void);

/* Whether the side to move can undo `difference`, the keys of position and an older one XORed. */
bool cycle_closes(const struct position *position, zkey_t difference);

#endif
