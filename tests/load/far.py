#!/usr/bin/env python3
"""The load program and `rookeryd`, a long way from each other: what each says reaches the other late, and what is lost
on the way later still.
far.py [--delay-ms N] [--jitter-ms N] [--loss PERCENT] [--seed N] LOAD ROOKERYD [OPTION of LOAD]..."""

import argparse
import asyncio
import random
import re
import signal
import sys

RESEND_MS = 200  # How long TCP waits at least before it sends again what was lost.
PIECE_BYTES = 1400  # About what one packet holds: each may be lost.


class Road:
    """Between two ends, one way: in order, as TCP has it, so one late piece holds up those behind it."""

    def __init__(self, words, draw):
        self.words, self.draw, self.due = words, draw, 0.0
        self.pieces = asyncio.Queue()

    async def take(self, reader):
        try:
            while piece := await reader.read(PIECE_BYTES):
                late_ms = self.words.delay_ms + self.draw.uniform(0, self.words.jitter_ms)
                while self.draw.uniform(0, 100) < self.words.loss:
                    late_ms += RESEND_MS + 2 * self.words.delay_ms
                self.due = max(self.due, asyncio.get_running_loop().time() + late_ms / 1000)
                self.pieces.put_nowait((self.due, piece))
        except ConnectionError:
            pass
        self.pieces.put_nowait((self.due, b""))

    async def give(self, writer):
        try:
            while True:
                due, piece = await self.pieces.get()
                await asyncio.sleep(due - asyncio.get_running_loop().time())
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
            writer.write_eof()
        except (ConnectionError, OSError):
            pass


async def carry(words, draw, port, near_reader, near_writer):
    far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
    up, down = Road(words, draw), Road(words, draw)
    await asyncio.gather(up.take(near_reader), up.give(far_writer), down.take(far_reader), down.give(near_writer))
    for writer in (near_writer, far_writer):
        writer.close()


async def run(words):
    draw = random.Random(words.seed)
    server = await asyncio.create_subprocess_exec(words.rookeryd, "--listen", "127.0.0.1:0", "--hash", "64",
                                                  "--searches-max", "64", stdout=asyncio.subprocess.PIPE)
    port = int(re.search(rb"127\.0\.0\.1:(\d+)", await server.stdout.readline()).group(1))
    relay = await asyncio.start_server(lambda *ends: carry(words, draw, port, *ends), "127.0.0.1", 0)
    address = "127.0.0.1:%d" % relay.sockets[0].getsockname()[1]
    load = await asyncio.create_subprocess_exec(words.load, *words.options, "--connect", address)
    status = await load.wait()
    relay.close()
    server.send_signal(signal.SIGTERM)
    return status or await server.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay-ms", type=float, default=20)
    parser.add_argument("--jitter-ms", type=float, default=0)
    parser.add_argument("--loss", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("load")
    parser.add_argument("rookeryd")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
