#!/usr/bin/env python3
"""Games between two UCI engines, each opening twice with colours changed. Referee is `rookery` itself.
match.py [--games N] [--time S] [--increment S] [--nodes N] [--jobs N] [--seed N] A B
A and B are command lines in one word each; `rookery` is this tree's. `A:Option=value,…` sets options."""

import argparse
import collections
import concurrent.futures
import math
import pathlib
import random
import shlex
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support.uci_child import Child, EngineGone, Referee  # noqa: E402

TOOL = str(pathlib.Path(__file__).resolve().parent.parent.parent / "build/release/bin/rookery")
OPENING_PLIES = 8
OPENING_DEPTH = 8
OPENING_CENTIPAWNS = 70  # An opening worse than this for either side is thrown away.
PLIES_MAX = 600

Game = collections.namedtuple("Game", "score reason fault plies")  # White's score; fault: None, 0 White, 1 Black


def openings(count, seed):
    """Random moves from the start, kept when a short search finds them about even."""
    chance, referee, judge, kept = random.Random(seed), Referee(TOOL), Child([TOOL]), []
    while len(kept) < count:
        moves = []
        for _ in range(OPENING_PLIES):
            referee.set("startpos moves " + " ".join(moves) if moves else "startpos")
            legal = referee.moves()
            if not legal:
                break
            moves.append(chance.choice(legal))
        judge.send("position startpos moves " + " ".join(moves))
        lines = judge.ask(f"go depth {OPENING_DEPTH}", "bestmove")
        scores = [line.split(" score ")[1].split() for line in lines if " score " in line]
        if scores and scores[-1][0] == "cp" and abs(int(scores[-1][1])) <= OPENING_CENTIPAWNS:
            kept.append(moves)
    referee.close()
    judge.close()
    return kept


def engine_of(word):
    command, _, options = word.partition(":")
    command = [TOOL] if command == "rookery" else shlex.split(command)
    return command, [tuple(option.split("=", 1)) for option in options.split(",") if option]


class Clock:
    def __init__(self, seconds, increment, nodes):
        self.left = [seconds, seconds]
        self.increment, self.nodes = increment, nodes

    def go(self):
        if self.nodes:
            return f"go nodes {self.nodes}"
        ms = [max(1, int(left * 1000)) for left in self.left]
        step = int(self.increment * 1000)
        return f"go wtime {ms[0]} btime {ms[1]} winc {step} binc {step}"

    def spend(self, side, seconds):
        """False: the flag fell."""
        if self.nodes:
            return True
        self.left[side] -= seconds
        fell = self.left[side] < 0
        self.left[side] += self.increment
        return not fell


def play(players, referee, moves, clock):
    """players: White and Black. Who loses is `side`, so that is also the score of White."""
    for player in players:
        player.send("ucinewgame")
        player.ask("isready", "readyok")
    moves = list(moves)
    side = len(moves) % 2
    while len(moves) < PLIES_MAX:
        position = "startpos moves " + " ".join(moves)
        referee.set(position)
        outcome = referee.outcome()
        if outcome == "checkmate":
            return Game(side, outcome, None, len(moves))
        if outcome != "open":
            return Game(0.5, outcome, None, len(moves))
        players[side].send("position " + position)
        patience_s = 60 if clock.nodes else max(clock.left[side], 0) + 10
        start = time.monotonic()
        try:
            answer = players[side].ask(clock.go(), "bestmove", patience_s)[-1].split()[1]
        except EngineGone:
            return Game(side, "crash", side, len(moves))
        if not clock.spend(side, time.monotonic() - start):
            return Game(side, "time", side, len(moves))
        if answer not in referee.moves():
            return Game(side, f"illegal move {answer}", side, len(moves))
        moves.append(answer)
        side = 1 - side
    return Game(0.5, "length", None, len(moves))


def pair(words, number, opening):
    """Both games of one opening: [(score of A, reason, who is at fault: None, 'A' or 'B')]."""
    results = []
    for a_side in (0, 1):
        specs = [engine_of(words.a), engine_of(words.b)]
        players = [Child(command, options) for command, options in specs]
        referee = Referee(TOOL)
        ordered = players if a_side == 0 else players[::-1]
        game = play(ordered, referee, opening, Clock(words.time, words.increment, words.nodes))
        for child in players:
            child.close()
        referee.close()
        a_score = game.score if a_side == 0 else 1 - game.score
        fault = None if game.fault is None else "AB"[game.fault != a_side]
        results.append((a_score, game.reason, fault, game.plies))
    return number, results


def elo(score):
    score = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * math.log10(1 / score - 1)


def mean(pairs):
    """Score of A, 0 to 1."""
    return sum(result[0] for results in pairs for result in results) / (2 * len(pairs))


def summary(pairs):
    """Score of A with the 95 % interval of pairs, as text."""
    centre = mean(pairs)
    squares = [(sum(result[0] for result in results) / 2 - centre) ** 2 for results in pairs]
    margin = 1.96 * math.sqrt(sum(squares) / max(1, len(squares) - 1) / len(squares))
    games = [result for results in pairs for result in results]
    wins, losses = (sum(result[0] == value for result in games) for value in (1.0, 0.0))
    return (f"{len(games)} games: +{wins} -{losses} ={len(games) - wins - losses}, "
            f"{100 * centre:.1f} % \u00b1 {100 * margin:.1f}, "
            f"Elo {elo(centre):+.0f} [{elo(centre - margin):+.0f}, {elo(centre + margin):+.0f}]")


def faults(pairs, player):
    return [result[1] for results in pairs for result in results if result[2] == player]


def run(words, shows=True):
    pairs = []
    starts = openings(max(1, words.games // 2), words.seed)
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        jobs = [pool.submit(pair, words, number, opening) for number, opening in enumerate(starts)]
        for job in concurrent.futures.as_completed(jobs):
            number, results = job.result()
            pairs.append(results)
            if shows:
                told = ", ".join(f"{score:g} by {reason}" + (f" ({fault} at fault)" if fault else "")
                                 for score, reason, fault, _ in results)
                print(f"opening {number}: {told}; {summary(pairs)}", flush=True)
    return pairs


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=2.0)
    parser.add_argument("--increment", type=float, default=0.02)
    parser.add_argument("--nodes", type=int, default=0, help="a fixed number a move instead of a clock")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("a")
    parser.add_argument("b")
    return parser.parse_args(argv)


def main():
    words = arguments()
    pairs = run(words)
    print(summary(pairs))
    for player, word in (("A", words.a), ("B", words.b)):
        print(f"{player} = {word}: faults {faults(pairs, player) or 'none'}")
    return 1 if faults(pairs, "A") else 0


if __name__ == "__main__":
    sys.exit(main())
