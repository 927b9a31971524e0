/* tests/lab/crop.h: games for files: legal, random, each by its number, with all that is special in
 * chess among them. Thread: any. */
#ifndef TESTS_LAB_CROP_H
#define TESTS_LAB_CROP_H

#include "lab/gamefile.h"

struct crop_game {
    struct gamefile_game game;
    struct gamefile_ply plies[GAMEFILE_PLIES_MAX];
};

/* From chess, every third from a Chess960 array; at most so many plies. The result is any. */
void crop_make(uint64_t number, unsigned plies_max, struct crop_game *out_game);

enum { CROP_PATH_BYTES = 64 };
/* A name that no file has. */
void crop_path(char out_path[CROP_PATH_BYTES]);

/* Games first to end - 1, added to what is there; the file is opened and closed. */
void crop_write(const char *path, uint64_t first, uint64_t end, unsigned plies_max,
                uint32_t block_bytes);
/* Adds one. */
void crop_add(struct gamefile_writer *writer, uint64_t number, unsigned plies_max);

/* Whether the game at hand, read to its end by this, is that one. */
bool crop_is(struct gamefile_cursor *cursor, uint64_t number, unsigned plies_max);

/* The whole file as bytes; and back. */
uint8_t *crop_bytes(const char *path, size_t *out_length); /* For memory_free(). */
void crop_put_bytes(const char *path, const uint8_t *bytes, size_t length);

#endif
