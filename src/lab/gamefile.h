/* lab/gamefile.h: games to learn from, in a file that grows: the one door for who writes it and who
 * reads it. A file is blocks one after the other and nothing else; each says what it is, how much
 * it holds, and carries checksums of itself. So files are joined by joining their bytes, counted by
 * reading block headers, and a writer that is killed loses at most the block it had not written.
 * The bytes are told in docs/network.md; they may not change within a version.
 *
 * A trainer:
 *
 *     gamefile_open(path, &file)
 *     on each thread: gamefile_cursor_create(&cursor), then for each of its blocks
 *         gamefile_load(file, block, cursor)
 *         while (gamefile_next_game(cursor))
 *             while (gamefile_next_ply(cursor))
 *                 cursor->position, cursor->move, cursor->score, cursor->game.white_points, …
 *         gamefile_cursor_fault(cursor) tells whether it ended well
 *
 * Thread: a gamefile is read by any number of threads at once, each with a cursor of its own; open,
 * refresh and close are its owner's, while no other is inside. A writer and a cursor: one thread.
 */
#ifndef LAB_GAMEFILE_H
#define LAB_GAMEFILE_H

#include <stddef.h>

#include "chess/position.h"

enum {
    GAMEFILE_VERSION = 1,
    GAMEFILE_PLIES_MAX = 1024,             /* Of one game. */
    GAMEFILE_BLOCK_BYTES = 64 * 1024,      /* A block that holds as much is written. */
    GAMEFILE_BLOCK_BYTES_MAX = 1024 * 1024 /* Of payload; no block is larger. */
};

/* Scores are the mover's, before its move, in the units of the evaluation that made them; how many
 * of these are a pawn (+1.00, which wins every second game) stands with each game. */
enum {
    GAMEFILE_SCORE_MATE = 32000, /* Any forced mate; that of the side to move when positive. */
    GAMEFILE_SCORE_MAX = 31000   /* No other score is further from 0. */
};

/* How a game ended. The numbers stand in files: none is ever given another meaning. */
enum gamefile_end {
    GAMEFILE_CHECKMATE = 0,
    GAMEFILE_STALEMATE = 1,
    GAMEFILE_REPETITION = 2,
    GAMEFILE_FIFTY = 3,
    GAMEFILE_MATERIAL = 4, /* Neither side could mate. */
    GAMEFILE_RESIGNED = 5, /* Called won: both sides saw it so for a while. */
    GAMEFILE_AGREED = 6,   /* The same for a draw. */
    GAMEFILE_TOO_LONG = 7, /* Called a draw. */
    GAMEFILE_END_COUNT
};

/* What is known of a game as a whole. */
struct gamefile_game {
    struct position start; /* Before the first of its plies. */
    enum gamefile_end end;
    unsigned white_points; /* In halves: 0, 1, 2. */
    unsigned plies;
    unsigned pawn;    /* Units of the scores that are one pawn; 1 to UINT16_MAX. */
    uint32_t nodes;   /* A move cost about so many; 0: not known. */
    bool is_chess960; /* It began from one of the 960 arrays. */
};

/* Where it began, as text. */
void gamefile_fen(const struct gamefile_game *game, char out_fen[RK_FEN_BYTES_MAX]);

struct gamefile_ply {
    move_t move;   /* In the form of chess/move.h, which is part of the format. */
    int16_t score; /* See above. */
};

/* What a file or a call can suffer. */
enum gamefile_fault {
    GAMEFILE_FINE = 0,
    GAMEFILE_SYSTEM, /* errno tells. */
    GAMEFILE_NO_MEMORY,
    GAMEFILE_BUSY,       /* Another process writes it. */
    GAMEFILE_EXISTS,     /* What would be made is there already. */
    GAMEFILE_ALIEN,      /* No ordinary file, or it does not begin as a file of games does. */
    GAMEFILE_BYTE_ORDER, /* Numbers have their highest byte first. */
    GAMEFILE_OTHER_VERSION,
    GAMEFILE_HEADER,   /* Bytes where a block should begin that are no block's. */
    GAMEFILE_CHECKSUM, /* A block's games are not those that were written. */
    GAMEFILE_CONTENT,  /* They are, and make no sense: a game or move that cannot be. */
    GAMEFILE_PART,     /* Something else has the name that a file has while it is made. */
    GAMEFILE_STOPPED,  /* Not read to the end, as it was told not to be. */
    GAMEFILE_FAULT_COUNT
};
const char *gamefile_fault_text(enum gamefile_fault fault);

/* Reading. */

struct gamefile_block {
    uint64_t offset; /* Of its header in the file. */
    uint32_t bytes;  /* Of its payload. */
    uint32_t games;
    uint32_t positions; /* Plies of all its games. */
};

struct gamefile_summary {
    uint64_t blocks, games, positions; /* Of whole blocks. */
    uint64_t bytes;                    /* Up to the end of the last whole block. */
    uint64_t tail_bytes;               /* After it: a block being written, or a torn one, */
    bool is_tail_broken;               /* or something that neither can be. */
    uint64_t gaps;                     /* Places before it where something else stood. */
    uint64_t first_gap;                /* Where the first one begins, if there are any. */
};

struct gamefile;
struct gamefile_cursor_state;

/* Reads the headers of all blocks. SYSTEM, NO_MEMORY, ALIEN, BYTE_ORDER, OTHER_VERSION: not opened.
 * Gaps are passed over, and told in the summary. */
enum gamefile_fault gamefile_open(const char *path, struct gamefile **out_file);
void gamefile_close(struct gamefile *file); /* NULL is fine. */

/* Finds the blocks that have been written since. Those known keep their numbers. */
enum gamefile_fault gamefile_refresh(struct gamefile *file);

const struct gamefile_summary *gamefile_summary(const struct gamefile *file);
/* index below summary.blocks. */
const struct gamefile_block *gamefile_block(const struct gamefile *file, size_t index);

/* One thread's place in a block. The fields are for reading. */
struct gamefile_cursor {
    struct gamefile_game game;
    const struct position *position; /* Before `move`. */
    move_t move;                     /* Legal there. */
    int16_t score;
    /* The cursor's own. */
    struct gamefile_cursor_state *state;
};

/* NO_MEMORY. */
enum gamefile_fault gamefile_cursor_create(struct gamefile_cursor **out_cursor);
void gamefile_cursor_destroy(struct gamefile_cursor *cursor); /* NULL is fine. */

/* Reads a block and checks it; the cursor stands before its first game. SYSTEM, CHECKSUM,
 * NO_MEMORY. */
enum gamefile_fault gamefile_load(const struct gamefile *file, size_t index,
                                  struct gamefile_cursor *cursor);
/* False: there is no further one, or a fault. */
bool gamefile_next_game(struct gamefile_cursor *cursor);
/* Of the bytes of the game at hand: the same game has the same wherever it stands. Before its
 * plies are read. */
uint64_t gamefile_game_hash(const struct gamefile_cursor *cursor);
/* False: there is no further one in this game, or a fault. */
bool gamefile_next_ply(struct gamefile_cursor *cursor);
/* The position after the game's last ply; all of them must have been read. */
const struct position *gamefile_last(const struct gamefile_cursor *cursor);
/* FINE, or CONTENT, after which the cursor gives no more of this block. */
enum gamefile_fault gamefile_cursor_fault(const struct gamefile_cursor *cursor);

/* The game at hand as the file has it, for who only moves games about. */
struct gamefile_bytes {
    const uint8_t *bytes; /* Until the cursor goes on. */
    uint32_t length;
    uint64_t offset; /* In the file. */
    unsigned plies;
};
/* Passes to the next game without reading more than its length. False as above. */
bool gamefile_next_bytes(struct gamefile_cursor *cursor, struct gamefile_bytes *out_game);
/* Reads a game that was seen there before. SYSTEM. */
enum gamefile_fault gamefile_bytes_at(const struct gamefile *file, uint64_t offset, uint32_t length,
                                      uint8_t *out_bytes);
enum { GAMEFILE_GAME_BYTES_MAX = 40 + 4 * GAMEFILE_PLIES_MAX };

/* Writing. */

struct gamefile_writer;

/* Opens a file to add to it, or makes it. Nobody else may write it meanwhile. A torn block at its
 * end is cut off, and its bytes told in *out_cut_bytes; what else is broken is refused (HEADER,
 * ALIEN, BYTE_ORDER, OTHER_VERSION), as is BUSY. A block is written once it has block_bytes, at
 * most GAMEFILE_BLOCK_BYTES_MAX less one game, and is on the disk when that call returns. */
enum gamefile_fault gamefile_append(const char *path, uint32_t block_bytes,
                                    struct gamefile_writer **out_writer, uint64_t *out_cut_bytes);
/* Makes a file, as PATH.part until gamefile_finish(). EXISTS: it is there; BUSY. What was left at
 * PATH.part by one that was killed is replaced, and nothing else: PART. */
enum gamefile_fault gamefile_create(const char *path, struct gamefile_writer **out_writer);

/* Written so far and before, what waits for its block too. */
const struct gamefile_summary *gamefile_written(const struct gamefile_writer *writer);

/* SYSTEM: the disk is full, or worse: the file holds what it did before this block. */
enum gamefile_fault gamefile_add(struct gamefile_writer *writer, const struct gamefile_game *game,
                                 const struct gamefile_ply *plies);
enum gamefile_fault gamefile_add_bytes(struct gamefile_writer *writer, const uint8_t *bytes,
                                       uint32_t length, unsigned plies);
/* Writes what waits, as a block of its own. */
enum gamefile_fault gamefile_flush(struct gamefile_writer *writer);
/* The same, and gives a created file its name; EXISTS: something else has got it. Whatever it says,
 * the writer is gone. */
enum gamefile_fault gamefile_finish(struct gamefile_writer *writer);
/* Drops what waits; a created file is removed. NULL is fine. */
void gamefile_abandon(struct gamefile_writer *writer);

#endif
