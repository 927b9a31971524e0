"""Network files made up by a test, as docs/network.md tells: `paper_network.py FILE [UNITS]` writes one that knows what
men are worth and little else."""

import random
import struct
import sys
import zlib

INPUTS, MIDDLE, COUNTERS, OUTPUT = 768, 128, 4, 107
WORTH = (4, 12, 13, 20, 38, 0)


def network(units=32, description=b"counts men", seed=1, **fields):
    """The bytes. `fields` overwrite those of the header: version, areas, payload, crc ..."""
    draw = random.Random(seed)
    rows = bytearray()
    for value in range(INPUTS):
        worth = WORTH[value // 64 % 6] * (1 if value < INPUTS // 2 else -1)
        row = [worth if unit < COUNTERS else draw.randint(-3, 3) for unit in range(units)]
        rows += struct.pack(f"<{units}h", *row)
    rows += struct.pack(f"<{units}h", *(MIDDLE if unit < COUNTERS else MIDDLE // 4 for unit in range(units)))
    for sign in (1, -1):
        rows += struct.pack(f"<{units}b", *(sign * OUTPUT if unit < COUNTERS else draw.randint(-3, 3)
                                            for unit in range(units)))
    rows += struct.pack("<i", 0)
    rest = description + bytes(-len(description) % 64) + bytes(64) + rows
    header = {"magic": b"RookNet\0", "version": 1, "description": len(description), "areas": 1, "units": units,
              "buckets": 1, "activation": 1, "qa": 255, "qb": 64, "scale": 400, "crc": zlib.crc32(rest),
              "payload": len(rows), "zero": 0} | fields
    return struct.pack("<8s10I2Q", *header.values()) + rest


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as file:
        file.write(network(int(sys.argv[2]) if len(sys.argv) > 2 else 128))
