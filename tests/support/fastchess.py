"""Games refereed by fastchess, which has no part in either engine. It is not in Debian: ROOKERY_FASTCHESS
names it, or it is on the PATH."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

NAMES = "AB"
WHITE_POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
FINISHED = re.compile(r"Finished game (\d+) \((\w) vs \w\): (\S+) \{(.*)\}")
FAULTS = {"loses on time": "time", "illegal move": "illegal move", "disconnect": "crash", "stalls": "crash"}
GRACE_MS = 500  # Past a fixed time a move, which is no clock that could fall.


class Failed(Exception):
    """Why it has not refereed."""


def program():
    """Its path, or None."""
    found = shutil.which(os.environ.get("ROOKERY_FASTCHESS", "fastchess"))
    return found and os.path.abspath(found)


def engine_words(name, command, options):
    path = os.path.abspath(command[0]) if "/" in command[0] else command[0]
    arguments = [f"args={' '.join(command[1:])}"] if len(command) > 1 else []
    return ["-engine", f"name={name}", f"cmd={path}", *arguments,
            *(f"option.{option}={value}" for option, value in options)]


def limit_words(words):
    if words.nodes:
        return ["tc=inf", f"nodes={words.nodes}"]
    if words.movetime:
        return [f"st={words.movetime:g}", f"timemargin={GRACE_MS}"]
    return [f"tc={words.time:g}+{words.increment:g}"]


def game_of(line):
    """(number from 0, (score of A, reason, who is at fault)) of a line that tells a game's end; None for others. The score
    is None when the game was broken off."""
    found = FINISHED.match(line)
    if found is None:
        return None
    number, white, result, reason = found.groups()
    if result not in WHITE_POINTS:  # "*".
        return int(number) - 1, (None, reason, None)
    white_points = WHITE_POINTS[result]
    score = white_points if white == "A" else 1 - white_points
    kind = next((kind for text, kind in FAULTS.items() if text in reason), None)
    if kind is None or score == 0.5:
        return int(number) - 1, (score, reason, None)
    return int(number) - 1, (score, kind, "B" if score else "A")


def pairs_of(lines):
    """Yields (number of the opening, its two games) as they end. A pair with a game that was broken off is told and left
    out, as it says nothing of who is better."""
    pairs = {}
    for number, game in filter(None, map(game_of, lines)):
        games = pairs.setdefault(number // 2, [])
        games.append(game)
        if game[0] is None:
            print(f"fastchess: game {number + 1} was broken off: {game[1]}; its pair is not counted", file=sys.stderr)
        elif len(games) == 2 and None not in (score for score, *_ in games):
            yield number // 2, games


def play(words, engines, starts):
    """As pairs_of()."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "openings.epd"), "w", encoding="utf-8") as file:
            file.writelines(fen + "\n" for fen in starts)
        command = [program(), *(word for name, engine in zip(NAMES, engines) for word in engine_words(name, *engine)),
                   "-each", "proto=uci", *limit_words(words),
                   "-openings", "file=openings.epd", "format=epd", "order=sequential",
                   "-rounds", str(len(starts)), "-games", "2", "-repeat", "-concurrency", str(words.jobs), "-recover"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as child:
            yield from pairs_of(child.stdout)
        if child.returncode != 0:
            raise Failed(f"fastchess ended with status {child.returncode}")
