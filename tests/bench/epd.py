#!/usr/bin/env python3
"""Counts the positions of an EPD file whose best move (bm, am) is found in N ms each.
epd.py [--ms N] [--jobs N] [--hash MIB] FILE [ENGINE...]"""

import argparse
import concurrent.futures
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support.uci_child import Child, Referee  # noqa: E402

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
    """(name, FEN, the moves wanted, whether they are the ones to avoid) of each line."""
    tasks = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        fields = line.split(None, 4)
        if len(fields) < 5 or line.startswith("#"):
            continue
        fen = " ".join(fields[:4]) + " 0 1"
        wanted = re.search(r"\b(bm|am) ([^;]+);", fields[4])
        name = re.search(r'\bid "([^"]*)"', fields[4])
        if wanted is None:
            continue
        referee.set("fen " + fen)
        legal = referee.moves()
        moves = [move for san in wanted.group(2).split() for move in move_of(san, fen, legal)]
        if not moves:
            raise SystemExit(f"{path}: no legal move is meant by '{wanted.group(2)}' in {fen}")
        tasks.append((name.group(1) if name else fen, fen, moves, wanted.group(1) == "am"))
    return tasks


def solve(engine, hash_mib, ms, task):
    child = Child(engine, [("Hash", hash_mib), ("Threads", 1)])
    name, fen, moves, avoids = task
    child.send("position fen " + fen)
    answer = child.ask(f"go movetime {ms}", "bestmove", ms / 1000 + 30)[-1].split()[1]
    child.close()
    return (answer in moves) != avoids, name, answer


def run(path, engine, ms, jobs=1, hash_mib=64, shows=False):
    """How many are solved, and how many there are."""
    referee = Referee(TOOL)
    tasks = read(path, referee)
    referee.close()
    solved = done = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for is_solved, name, answer in pool.map(lambda task: solve(engine, hash_mib, ms, task), tasks):
            done += 1
            solved += is_solved
            if shows:
                print(f"{solved}/{done} {'' if is_solved else f'missed {name}: {answer}'}", flush=True)
    return solved, len(tasks)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ms", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--hash", type=int, default=64)
    parser.add_argument("file")
    parser.add_argument("engine", nargs="*", default=[TOOL])
    words = parser.parse_args()
    solved, count = run(words.file, words.engine, words.ms, words.jobs, words.hash, shows=True)
    print(f"solved {solved} of {count}")


if __name__ == "__main__":
    main()
