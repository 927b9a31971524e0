#!/usr/bin/env python3
"""Games between two UCI engines, each opening twice with colours changed. Referee is `rookery` itself, or fastchess.
match.py [--games N] [--time S --increment S | --movetime S | --nodes N] [--openings FILE] [--jobs N] [--seed N]
         [--referee rookery|fastchess] A B
A and B are command lines in one word each; `rookery` is this tree's. `A:Option=value,…` sets options."""

import argparse
import collections
import concurrent.futures
import contextlib
import math
import pathlib
import random
import shlex
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from support import fastchess  # noqa: E402
from support.uci_child import Child, EngineGone, Referee  # noqa: E402

TOOL = str(pathlib.Path(__file__).resolve().parent.parent.parent / "build/release/bin/rookery")
OPENING_PLIES = 8
OPENING_DEPTH = 8
OPENING_CENTIPAWNS = 70  # An opening worse than this for either side is thrown away.
PLIES_MAX = 600
HALF_PAIR, Z_95 = 0.5, 1.959964
MOVETIME_GRACE_S = 0.5  # Past a fixed time a move, which is no clock that could fall.

Game = collections.namedtuple("Game", "score reason fault")  # White's score; fault: None, 0 White, 1 Black


class Unplayed(Exception):
    """Why there is no match."""


def drawn_openings(count, seed):
    """FENs after random moves from the start, kept when a short search finds them about even."""
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
            referee.set("startpos moves " + " ".join(moves))
            kept.append(referee.fen())
    referee.close()
    judge.close()
    return kept


def read_openings(path, count, seed):
    """So many lines of a file of FENs or EPDs, drawn at random."""
    fens = []
    for line in pathlib.Path(path).read_text(encoding="utf-8-sig").splitlines():
        fields = line.split()
        if len(fields) >= 4 and not line.startswith("#"):
            counters = fields[4:6] if all(field.isdigit() for field in fields[4:6]) else []
            fens.append(" ".join(fields[:4] + (counters if len(counters) == 2 else ["0", "1"])))
    if len(fens) < count:
        raise Unplayed(f"{path}: {len(fens)} openings, {count} are needed")
    return random.Random(seed).sample(fens, count)


def engine_of(word):
    command, _, options = word.partition(":")
    command = [TOOL] if command == "rookery" else shlex.split(command)
    return command, [tuple(option.split("=", 1)) for option in options.split(",") if option]


class Clock:
    def __init__(self, words):
        self.left = [words.time, words.time]
        self.increment, self.nodes, self.movetime = words.increment, words.nodes, words.movetime

    def go(self):
        if self.nodes:
            return f"go nodes {self.nodes}"
        if self.movetime:
            return f"go movetime {self.movetime * 1000:.0f}"
        ms = [max(1, int(left * 1000)) for left in self.left]
        step = int(self.increment * 1000)
        return f"go wtime {ms[0]} btime {ms[1]} winc {step} binc {step}"

    def patience_s(self, side):
        return 60 if self.nodes else max(self.left[side], self.movetime) + 10

    def spend(self, side, seconds):
        """False: the flag fell."""
        if self.nodes:
            return True
        if self.movetime:
            return seconds <= self.movetime + MOVETIME_GRACE_S
        self.left[side] -= seconds
        fell = self.left[side] < 0
        self.left[side] += self.increment
        return not fell


def play(players, referee, fen, clock):
    """players: White and Black. Who loses is `side`, so that is also the score of White. A player that is gone loses; a
    referee that is gone ends the match: EngineGone."""
    for side, player in enumerate(players):
        try:
            player.send("ucinewgame")
            player.ask("isready", "readyok")
        except EngineGone:
            return Game(side, "crash", side)
    moves = []
    side = 0 if fen.split()[1] == "w" else 1
    while len(moves) < PLIES_MAX:
        position = f"fen {fen}" + (" moves " + " ".join(moves) if moves else "")
        referee.set(position)
        outcome = referee.outcome()
        if outcome == "checkmate":
            return Game(side, outcome, None)
        if outcome != "open":
            return Game(0.5, outcome, None)
        try:
            players[side].send("position " + position)
            start = time.monotonic()
            answer = players[side].ask(clock.go(), "bestmove", clock.patience_s(side))[-1]
        except EngineGone:
            return Game(side, "crash", side)
        if not clock.spend(side, time.monotonic() - start):
            return Game(side, "time", side)
        move = (answer.split() + ["(none)"])[1]  # Who names none makes no legal one.
        if move not in referee.moves():
            return Game(side, f"illegal move {move}", side)
        moves.append(move)
        side = 1 - side
    return Game(0.5, "length", None)


def pair(words, number, opening):
    """Both games of one opening: [(score of A, reason, who is at fault: None, 'A' or 'B')]. EngineGone: one cannot be
    started, which is no game lost."""
    results = []
    for a_side in (0, 1):
        with contextlib.ExitStack() as stack:
            players = [stack.enter_context(contextlib.closing(Child(*engine_of(word)))) for word in (words.a, words.b)]
            referee = stack.enter_context(contextlib.closing(Referee(TOOL)))
            game = play(players if a_side == 0 else players[::-1], referee, opening, Clock(words))
        a_score = game.score if a_side == 0 else 1 - game.score
        fault = None if game.fault is None else "AB"[game.fault != a_side]
        results.append((a_score, game.reason, fault))
    return number, results


def elo(score):
    """Infinite where all was won, or all was lost."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def mean(pairs):
    """Score of A, 0 to 1."""
    return sum(result[0] for results in pairs for result in results) / (2 * len(pairs))


def interval(counts):
    """The 95 % interval of the score of pairs in which A made 0, 1/2, 1, 1 1/2, 2 points, as src/lab/elo.c has it: with
    half a pair more of each, so that few pairs, or pairs that all end alike, do not look certain. Jeffreys' prior; and
    Agresti and Min, "Simple improved confidence intervals for comparing matched proportions", Statistics in Medicine
    24, 2005."""
    counts, points = [count + HALF_PAIR for count in counts], [number / 4 for number in range(5)]
    centre = sum(count * point for count, point in zip(counts, points)) / sum(counts)
    squares = sum(count * (point - centre) ** 2 for count, point in zip(counts, points))
    margin = Z_95 * math.sqrt(squares) / sum(counts)
    return max(0.0, centre - margin), min(1.0, centre + margin)


def summary(pairs):
    """Score of A with the 95 % interval of pairs, as text."""
    if not pairs:
        return "0 games"
    centre, counts = mean(pairs), [0] * 5
    for results in pairs:
        counts[round(2 * sum(result[0] for result in results))] += 1
    low, high = interval(counts)
    games = [result for results in pairs for result in results]
    wins, losses = (sum(result[0] == value for result in games) for value in (1.0, 0.0))
    return (f"{len(games)} games: +{wins} -{losses} ={len(games) - wins - losses}, "
            f"{100 * centre:.1f} % [{100 * low:.1f}, {100 * high:.1f}], "
            f"Elo {elo(centre):+.0f} [{elo(low):+.0f}, {elo(high):+.0f}]")


def faults(pairs, player):
    return [result[1] for results in pairs for result in results if result[2] == player]


def faults_text(pairs):
    """How often each player crashed, overstepped its time or made an illegal move."""
    def counts(player):
        kinds = collections.Counter(fault.split()[0] for fault in faults(pairs, player))
        return f"{player} crash {kinds['crash']}, time {kinds['time']}, illegal {kinds['illegal']}"
    return "; ".join(counts(player) for player in "AB")


def play_all(words, starts):
    """Yields (number of the opening, its two games) as they end."""
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        jobs = [pool.submit(pair, words, number, fen) for number, fen in enumerate(starts)]
        try:
            for job in concurrent.futures.as_completed(jobs):
                yield job.result()
        finally:  # What has not begun when one fails would fail too.
            pool.shutdown(wait=False, cancel_futures=True)


def run(words, shows=True):
    pairs, count = [], max(1, words.games // 2)
    starts = read_openings(words.openings, count, words.seed) if words.openings else drawn_openings(count, words.seed)
    if words.referee == "fastchess":
        played = fastchess.play(words, [engine_of(words.a), engine_of(words.b)], starts)
    else:
        played = play_all(words, starts)
    for number, results in played:
        pairs.append(results)
        if shows:
            told = ", ".join(f"{score:g} by {reason}" + (f" ({fault} at fault)" if fault else "")
                             for score, reason, fault in results)
            print(f"opening {number}: {told}; {summary(pairs)}", flush=True)
    if not pairs:
        raise Unplayed("no pair of games came to its end")
    return pairs


def unended_text(pairs, games):
    """What is not among the games that are counted, as text; "" when all are."""
    missing = max(1, games // 2) - len(pairs)
    return f"; {missing} pairs NOT COUNTED, with a game that did not end" if missing else ""


def arguments(argv=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=2.0)
    parser.add_argument("--increment", type=float, default=0.02)
    parser.add_argument("--movetime", type=float, default=0.0, help="seconds for each move instead of a clock")
    parser.add_argument("--nodes", type=int, default=0, help="a fixed number a move instead of a clock")
    parser.add_argument("--openings", help="a file of FENs or EPDs; random moves that a search finds even without one")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--referee", choices=("rookery", "fastchess"), default="rookery")
    parser.add_argument("a")
    parser.add_argument("b")
    words = parser.parse_args(argv)
    if words.referee == "fastchess" and fastchess.program() is None:
        parser.error("fastchess is not on the PATH; ROOKERY_FASTCHESS may name it")
    return words


def main():
    words = arguments()
    try:
        pairs = run(words)
    except (EngineGone, Unplayed, fastchess.Failed, OSError, ValueError) as error:
        print(f"match: {error}", file=sys.stderr)
        return 2
    unended = unended_text(pairs, words.games)
    print(summary(pairs))
    print(f"A = {words.a}, B = {words.b}, referee {words.referee}: {faults_text(pairs)}{unended}")
    return 1 if faults(pairs, "A") or unended else 0


if __name__ == "__main__":
    sys.exit(main())
