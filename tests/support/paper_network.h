/* support/paper_network.h: network files made up by a test, byte by byte as docs/network.md tells.
 * Nothing here knows the reader. Thread: any. */
#ifndef TESTS_SUPPORT_PAPER_NETWORK_H
#define TESTS_SUPPORT_PAPER_NETWORK_H

#include <stddef.h>
#include <stdint.h>

struct paper_shape {
    unsigned areas, units, buckets;
    unsigned scale;
    const char *description;
    int weight_max; /* Of an input weight, either way. */
};

/* 768→32×2→1, and one of everything: areas, buckets, a width that is no whole tile. */
#define PAPER_SMALL ((struct paper_shape){1, 32, 1, 400, "paper", 300})
#define PAPER_ODD   ((struct paper_shape){5, 48, 4, 400, "paper with areas", 500})

/* Numbers drawn from `seed`. The bytes are the caller's: memory_free. */
uint8_t *paper_network(const struct paper_shape *shape, uint64_t seed, size_t *out_length);

/* One that knows what men are worth and little else, so that a search with it is sane: a pawn is
 * about 85 units. `units` of them, the others drawn from `seed` and small. */
uint8_t *paper_network_material(unsigned units, uint64_t seed, size_t *out_length);

/* Writes the checksum anew, after bytes were changed. */
void paper_network_sign(uint8_t *bytes, size_t length);

/* Where the parts of a file stand. */
size_t paper_area_map(const struct paper_shape *shape);
size_t paper_payload(const struct paper_shape *shape);

#endif
