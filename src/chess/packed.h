/* chess/packed.h: a position in 28 bytes, as files keep it.
 * Bytes 0-7: the occupied squares, bit n is square n. 8-23: four bits for each man, by square from
 * a1 up, low half first: piece_t, or 12, 13 for a white, black rook that may still castle. 24: bits
 * 0-6 the en passant square (64: none), bit 7 set: Black moves. 25: fifty. 26-27: move number. All
 * numbers have the lowest byte first. Files in the world hold these bytes: they never change.
 * Thread: any. */
#ifndef CHESS_PACKED_H
#define CHESS_PACKED_H

#include "chess/position.h"
#include "rookery/status.h"

enum { PACKED_BYTES = 28 };

void packed_write(const struct position *position, uint8_t out_bytes[PACKED_BYTES]);

/* Any bytes may be passed: RK_OK or what is wrong, as fen_parse() says it. */
enum rk_status packed_read(const uint8_t bytes[PACKED_BYTES], struct position *out_position);

#endif
