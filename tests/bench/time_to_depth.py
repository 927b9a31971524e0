#!/usr/bin/env python3
"""What a second thread brings: the time to a depth on one thread over that on two, geometric mean of the positions of
tests/data/epd/bt2630.epd, for several engines in turn. Each position has for each engine the depth whose end is
nearest to 1.4 s on one thread; each search begins with an empty table. What an engine says nothing of for
long is left out, and told; it is started anew. Ethereal 12 was seen to need it.
time_to_depth.py [--runs N] [--positions N] [--hash MIB] [ENGINE]...   ENGINE is a command line in one word."""

import argparse
import contextlib
import math
import pathlib
import re
import shlex
import sys
import time
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support.uci_child import Child, EngineGone  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENGINES = [str(ROOT / "build/release/bin/rookery"), "/usr/games/stockfish", "/usr/games/ethereal-chess"]
POSITIONS = ROOT / "tests/data/epd/bt2630.epd"
AIM_MS = 1400
LOOK_MS = 3500  # Long enough to see the depths on both sides of the aim.
PATIENCE_S = 60
THREADS = (1, 2)


class Engine:
    """One process for each number of threads; whichever is not asked waits for its input."""

    def __init__(self, word, hash_mib):
        self.command = shlex.split(word)
        self.hash_mib = hash_mib
        self.name = pathlib.Path(self.command[0]).name
        self.children = [self.started(count) for count in THREADS]
        self.silences = 0

    def started(self, threads):
        return Child(self.command, [("Hash", self.hash_mib), ("Threads", threads)])

    def ask(self, index, fen, go):
        """(lines, seconds) of a search that begins with an empty table. EngineGone: there is another process now."""
        try:
            return self.ask_child(self.children[index], fen, go)
        except EngineGone:
            self.silences += 1
            self.children[index].close()
            self.children[index] = self.started(THREADS[index])
            raise

    @staticmethod
    def ask_child(child, fen, go):
        child.send("ucinewgame")
        child.ask("isready", "readyok", PATIENCE_S)
        child.send("position fen " + fen)
        start = time.monotonic()
        return child.ask(go, "bestmove", PATIENCE_S), time.monotonic() - start

    def depth(self, fen):
        """Found by a search on one thread."""
        lines, _ = self.ask(0, fen, f"go movetime {LOOK_MS}")
        ends = {}
        for line in lines:
            found = re.search(r"^info .*?\bdepth (\d+) .*?\btime (\d+)", line)
            if found and " pv " in line and "bound" not in line:
                ends[int(found.group(1))] = max(1, int(found.group(2)))
        return min(ends, key=lambda depth: abs(math.log(ends[depth] / AIM_MS)))

    def ratio(self, fen, depth):
        one, two = (self.ask(index, fen, f"go depth {depth}")[1] for index in range(len(THREADS)))
        return one, one / two

    def close(self):
        for child in self.children:
            child.close()


def mean(values):
    """Geometric; not a number: of nothing."""
    if not values:
        return math.nan
    return math.exp(sum(map(math.log, values)) / len(values))


class Told(typing.NamedTuple):
    name: str
    ratio: float  # Mean of all runs,
    of_runs: list  # and of each.
    seconds: float  # A search on one thread.
    silences: int  # Pairs that were left out.


def measure(words, runs=3, count=30, hash_mib=64, shows=True):
    """What each engine gains, in the order of the words."""
    fens = [" ".join(line.split()[:4]) + " 0 1" for line in POSITIONS.read_text(encoding="utf-8").splitlines()][:count]
    engines = [Engine(word, hash_mib) for word in words]
    depths = {(engine, fen): engine.depth(fen) for fen in fens for engine in engines}
    ratios = {engine: [[] for _ in range(runs)] for engine in engines}
    seconds = {engine: [] for engine in engines}
    for run in range(runs):
        for fen in fens:
            for engine in engines:
                with contextlib.suppress(EngineGone):
                    one, ratio = engine.ratio(fen, depths[engine, fen])
                    ratios[engine][run].append(ratio)
                    seconds[engine].append(one)
        if shows:
            of_run = ", ".join(f"{engine.name} {mean(ratios[engine][run]):.3f}" for engine in engines)
            print(f"run {run + 1}: {of_run}", flush=True)
    told = [Told(engine.name, mean(sum(ratios[engine], [])), [mean(of_run) for of_run in ratios[engine]],
                 mean(seconds[engine]), engine.silences) for engine in engines]
    for engine in engines:
        engine.close()
    return told


def text_of(told):
    return "; ".join(
        f"{of.name} {of.ratio:.3f} [{min(of.of_runs):.3f}, {max(of.of_runs):.3f}], {of.seconds:.1f} s a search"
        + (f", {of.silences} pairs of searches left out" if of.silences else "") for of in told)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--positions", type=int, default=30)
    parser.add_argument("--hash", type=int, default=64)
    parser.add_argument("engine", nargs="*", default=ENGINES)
    words = parser.parse_args()
    print(text_of(measure(words.engine, words.runs, words.positions, words.hash)))


if __name__ == "__main__":
    main()
