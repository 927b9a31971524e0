#!/usr/bin/env python3
"""Counts the positions of an EPD file that are solved in N ms each: the best move (bm, am) is played at the end, or,
where there is `dm N`, a mate in N is told by then.
epd.py [--ms N] [--jobs N] [--hash MIB] FILE [ENGINE...]"""

import argparse
import collections
import concurrent.futures
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support.uci_child import Child, Referee  # noqa: E402

# moves: those wanted, or, if it `avoids`, those that are wrong; mate: in so many moves, None when moves count.
Task = collections.namedtuple("Task", "name fen moves avoids mate")
Result = collections.namedtuple("Result", "task solved has_mate answer")  # has_mate: some mate was told.
TOOL = str(pathlib.Path(__file__).resolve().parent.parent.parent / "build/release/bin/rookery")


def board_of(fen):
    squares = {}
    for rank, row in zip("87654321", fen.split()[0].split("/")):
        files = iter("abcdefgh")
        for letter in row:
            if letter.isdigit():
                for _ in range(int(letter)):
                    next(files)
            else:
                squares[next(files) + rank] = letter
    return squares


def move_of(san, fen, legal):
    """The legal coordinate moves that an algebraic move names: one, if the file is right."""
    san = san.rstrip("+#!?")
    squares = board_of(fen)
    if san.upper().replace("0", "O") in ("O-O", "O-O-O"):
        file = "g" if len(san) == 3 else "c"
        return [move for move in legal if squares[move[:2]] in "Kk" and move[0] == "e" and move[2] == file]
    match = re.fullmatch(r"([KQRBN]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])=?([QRBN]?)", san)
    if match is None:
        return []
    piece, file, rank, to, promotion = match.groups()
    return [move for move in legal
            if squares[move[:2]].upper() == (piece or "P") and move[2:4] == to and move[4:] == promotion.lower()
            and file in ("", move[0]) and rank in ("", move[1])]


def read(path, referee):
    """A Task for each line."""
    tasks = []
    for line in pathlib.Path(path).read_text(encoding="utf-8-sig").splitlines():
        fields = line.split(None, 4)
        if len(fields) < 5 or line.startswith("#"):
            continue
        fen = " ".join(fields[:4]) + " 0 1"
        wanted = re.search(r"\b(bm|am) ([^;]+);", fields[4])
        mate = re.search(r"\bdm (\d+);", fields[4])
        name = re.search(r'\bid "([^"]*)"', fields[4])
        if wanted is None:
            continue
        referee.set("fen " + fen)
        legal = referee.moves()
        moves = [move for san in wanted.group(2).split() for move in move_of(san, fen, legal)]
        if not moves:
            raise SystemExit(f"{path}: no legal move is meant by '{wanted.group(2)}' in {fen}")
        tasks.append(Task(name.group(1) if name else fen, fen, moves, wanted.group(1) == "am",
                          int(mate.group(1)) if mate else None))
    return tasks


def told_mate(line):
    """Moves to the mate that the side to move gives by this line; None when it tells of none."""
    found = re.search(r" score mate ([1-9]\d*) ", line)
    return int(found.group(1)) if found else None


def solve(engine, hash_mib, ms, task):
    child = Child(engine, [("Hash", hash_mib), ("Threads", 1)])
    child.send("position fen " + task.fen)
    child.send(f"go movetime {ms}")
    line = mate = None
    has_right_mate = False
    while line is None or not line.startswith("bestmove"):
        line = child.line(ms / 1000 + 30)
        if task.mate is not None and not has_right_mate and " score " in line and "bound" not in line:
            mate = told_mate(line)
            has_right_mate = mate is not None and mate <= task.mate
            if has_right_mate:  # Nothing better can come.
                child.send("stop")
    child.close()
    answer = line.split()[1]
    is_solved = (answer in task.moves) != task.avoids if task.mate is None else has_right_mate
    return Result(task, is_solved, mate is not None, answer)


def run(path, engine, ms, jobs=1, hash_mib=64, shows=False):
    """A Result for each position."""
    referee = Referee(TOOL)
    tasks = read(path, referee)
    referee.close()
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(lambda task: solve(engine, hash_mib, ms, task), tasks):
            results.append(result)
            if shows:
                print(f"{sum(done.solved for done in results)}/{len(results)}"
                      + ("" if result.solved else f" missed {result.task.name}: {result.answer}"), flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ms", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--hash", type=int, default=64)
    parser.add_argument("file")
    parser.add_argument("engine", nargs="*", default=[TOOL])
    words = parser.parse_args()
    results = run(words.file, words.engine, words.ms, words.jobs, words.hash, shows=True)
    print(f"solved {sum(result.solved for result in results)} of {len(results)}")


if __name__ == "__main__":
    main()
