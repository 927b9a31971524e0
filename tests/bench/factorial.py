#!/usr/bin/env python3
"""What many changes of the search's numbers are worth, measured in the same games. In each draw a change goes by lot to
side A, to side B, or to neither, and the two play a few pairs of games at fixed nodes; how the score depends on who had
what is fitted at the end. With n changes in as many games each is told as surely as if the games were played for it
alone (less so, the more often neither has it), as long as their effects add up: none is measured on its own.

Model: the score of A is 1 / (1 + exp(-sum of x b)), x being 1 where A has a change, -1 where B has it, 0 else; b * 400 /
ln 10 is its Elo. The fit is that of a logistic regression with shares for outcomes (Papke and Wooldridge, 1996); the
errors are of whole draws, whatever their spread (White, 1982), widened for the changes that were fitted to n draws: by n /
(n - changes) (MacKinnon and White, 1985). Openings and lots are those of the draws' numbers: another run that shall not
see the same ones begins with --first.

factorial.py [OPTION]... CHANGE...   CHANGE is NAME:ROW=VALUE[,ROW=VALUE]..., rows of src/engine/tune.h
They are played by a build for tuning, which `./dev tune --help` makes."""

import argparse
import contextlib
import csv
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = str(ROOT / "build/tune/bin/rookery")
ELO = 400 / math.log(10)
STEPS_MAX = 50  # Of Newton's method, which needs about five.
FIELDS = ["draw", "games", "points"]  # Of a file of draws; columns for the conditions and for each change follow.


class Unplayed(Exception):
    """Says what is wrong, and what to do."""


class Draw(typing.NamedTuple):
    sides: list  # 1, -1 or 0 for each change.
    games: int
    points: float  # Of A.


def changes_of(words):
    """{name: rows as selfplay takes them}; no row may be in two, since both could go to one side."""
    changes, owners = {}, {}
    for word in words:
        name, colon, rows = word.partition(":")
        if not (name and colon and rows) or name in changes or name in FIELDS:
            raise Unplayed(f"'{word}' is no change: NAME:ROW=VALUE,..., each NAME once")
        for row in (part.partition("=")[0].upper() for part in rows.split(",")):
            if row in owners:
                raise Unplayed(f"{row} is changed by {owners[row]} and by {name}: one change may have it")
            owners[row] = name
        changes[name] = rows
    return changes


def lot(draw, count, share):
    """Who has which change in a draw; each is with one of the sides with a chance of `share`."""
    dice = random.Random(draw)
    return [dice.choice((1, -1)) if dice.random() < share else 0 for _ in range(count)]


def options(changes, sides, side):
    return ",".join(rows for rows, has in zip(changes.values(), sides) if has == side)


def limits(words):
    """Of a move: by nodes, or by the clock of a game."""
    if words.time:
        return ["--time", str(words.time), "--increment", str(words.increment)]
    return ["--nodes", str(words.nodes)]


def play(words, changes, draw):
    sides = lot(draw, len(changes), words.share)
    command = [words.tool, "selfplay", "--games", str(2 * words.pairs), *limits(words), "--seed", str(draw)]
    if words.openings:
        command += ["--openings", words.openings]
    for option, side in (("--a", 1), ("--b", -1)):
        if rows := options(changes, sides, side):
            command += [option, rows]
    result = subprocess.run(command, capture_output=True, text=True)
    told = re.search(r"2 points: (\d+) (\d+) (\d+) (\d+) (\d+)", result.stdout)
    if told is None or result.returncode != 0:
        raise Unplayed(f"{' '.join(command)}: status {result.returncode}: {result.stderr.strip()}")
    counts = [int(count) for count in told.groups()]
    if sum(counts) != words.pairs:  # It was interrupted, which it takes for an end.
        raise Unplayed(f"draw {draw} has {sum(counts)} of {words.pairs} pairs: it was interrupted, or openings are too few")
    return Draw(sides, 2 * sum(counts), sum(points * count / 2 for points, count in enumerate(counts)))


def solved(matrix, right):
    """The columns X of matrix X = right, by Gauss and Jordan; None: there is no single one."""
    size = len(matrix)
    rows = [list(left) + list(more) for left, more in zip(matrix, right)]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        if abs(rows[pivot][at]) < 1e-9:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for row in range(size):
            if row != at and rows[row][at] != 0:
                rows[row] = [value - rows[row][at] * taken for value, taken in zip(rows[row], rows[at])]
    return [row[size:] for row in rows]


def summed(vectors, weights, size):
    """The sum of weight * vector * vector transposed."""
    matrix = [[0.0] * size for _ in range(size)]
    for vector, weight in zip(vectors, weights):
        for i in range(size):
            if vector[i] != 0:
                for j in range(size):
                    matrix[i][j] += weight * vector[i] * vector[j]
    return matrix


def expected(sides, slopes):
    return 1 / (1 + math.exp(-sum(side * slope for side, slope in zip(sides, slopes))))


def effects(draws):
    """[(Elo, half of its 95 % interval)] of each change; None: these draws do not tell all of them apart."""
    size = len(draws[0].sides)
    count = sum(any(draw.sides) for draw in draws)
    if count <= size:
        return None
    slopes = [0.0] * size
    for _ in range(STEPS_MAX):
        scores = [expected(draw.sides, slopes) for draw in draws]
        missed = [draw.points - draw.games * score for draw, score in zip(draws, scores)]
        curvature = summed([draw.sides for draw in draws],
                           [draw.games * score * (1 - score) for draw, score in zip(draws, scores)], size)
        slope = [[sum(miss * draw.sides[i] for miss, draw in zip(missed, draws))] for i in range(size)]
        step = solved(curvature, slope)
        if step is None:
            return None
        slopes = [before + row[0] for before, row in zip(slopes, step)]
        if max(abs(row[0]) for row in step) < 1e-9:
            break
    spread = summed([draw.sides for draw in draws], [miss * miss for miss in missed], size)
    half = solved(curvature, spread)
    variance = solved(curvature, [list(column) for column in zip(*half)])
    widened = count / (count - size)
    return [(slope * ELO, 1.96 * math.sqrt(widened * variance[i][i]) * ELO) for i, slope in enumerate(slopes)]


def columns(words, changes):
    """What a file is of: the conditions of its games, then each change."""
    limit = "".join(limits(words)).replace("--", " ").strip()
    conditions = f"{limit} pairs{words.pairs} share{words.share} first{words.first} {words.openings or 'random'}"
    return FIELDS + [conditions] + [f"{name}:{rows}" for name, rows in changes.items()]


def read_draws(path, head):
    """What a file has of an earlier run of the same changes."""
    with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
        if rows and rows[0] != head:
            raise Unplayed(f"{path} is of other changes or conditions: name another file")
        return [Draw([int(side) for side in row[4:]], int(row[1]), float(row[2])) for row in rows[1:]]
    return []


def write_draw(path, head, number, draw):
    is_new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(head)
        writer.writerow([number, draw.games, draw.points, ""] + draw.sides)


def show(done, count, begun_at, before):
    if sys.stderr.isatty():
        left_s = (time.monotonic() - begun_at) / (done - before) * (count - done)
        print(f"\r{done} of {count} draws, {left_s / 60:.0f} min left ", end="", file=sys.stderr, flush=True)


def run(words, changes):
    head = columns(words, changes)
    draws = read_draws(words.csv, head) if words.csv else []
    count = math.ceil(words.games / (2 * words.pairs))
    before, begun_at = len(draws), time.monotonic()
    for number in range(before, count):
        draw = play(words, changes, words.first + number)
        draws.append(draw)
        if words.csv:
            write_draw(words.csv, head, words.first + number, draw)
        show(number + 1, count, begun_at, before)
    return draws


def text_of(changes, draws):
    found = effects(draws)
    if found is None:
        raise Unplayed("too few draws to tell all changes apart: ask for more --games")
    games = sum(draw.games for draw in draws)
    lines = [f"{games:,} games", "", "| change | rows | Elo |", "|---|---|---|"]
    for (name, rows), (elo, error) in zip(changes.items(), found):
        told = f"{elo:+.1f} ± {error:.1f}".replace("-", "−")
        lines.append(f"| {name} | {rows.replace(',', ', ')} | {told} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="in all (2000)")
    parser.add_argument("--nodes", type=int, default=8000, help="a move (8000)")
    parser.add_argument("--time", type=int, help="ms a game instead, for what changes time: on an idle machine alone")
    parser.add_argument("--increment", type=int, default=0, help="ms a move, with --time (0)")
    parser.add_argument("--pairs", type=int, default=8, help="of games in a draw (8)")
    parser.add_argument("--share", type=float, default=0.5, help="of the draws in which a side has a change (0.5)")
    parser.add_argument("--first", type=int, default=1, help="number of the first draw (1)")
    parser.add_argument("--openings", help="EPD or PGN, as `rookery selfplay` takes it")
    parser.add_argument("--csv", help="each draw as it ends; a run with the same file goes on where it was")
    parser.add_argument("--tool", default=TOOL, help="a build for tuning (%(default)s)")
    parser.add_argument("change", nargs="+")
    words = parser.parse_args()
    try:
        changes = changes_of(words.change)
        print(text_of(changes, run(words, changes)))
    except (Unplayed, OSError) as error:
        print(f"factorial: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
