/* chess/chess.h: what the room needs before its first use: attack tables and hash numbers.
 * Both are filled once a process and constant from then on. Thread: any. */
#ifndef CHESS_CHESS_H
#define CHESS_CHESS_H

/* Returns when the tables stand; every creator of the room and of those above calls it. Cheap from
 * the second call on, yet not for a hot path. */
void chess_init(void);

#endif
