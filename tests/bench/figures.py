#!/usr/bin/env python3
"""Measures again what the project promises, and tells name, reach, measured, verdict.
figures.py [NAME]... measures those alone; `figures.py --list` names them. Ratios are the median of 11 interleaved
pairs, with the interval between the second and the tenth of them (99 % for the median)."""

import argparse
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from match import match  # noqa: E402
from support.uci_child import Child  # noqa: E402

import epd  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = ROOT / "build/release/bin"
TOOL = str(BIN / "rookery")
GAMES_DIR = "/usr/games/"  # Where Debian keeps stockfish, toga2 and glaurung.
STOCKFISH_NPS = ["bench", "16", "1", "13", "default", "depth", "classical"]
PAIRS = 11
FIGURES = []


def figure(name, what, reach):
    """Registers a measurement: a function that returns (text, whether the reach is met)."""
    def register(measure):
        FIGURES.append((name, what, reach, measure))
        return measure
    return register


def said(command, pattern):
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(re.search(pattern, result.stdout + result.stderr, re.M).group(1))


def ratio(first, second):
    """Median and interval of first()/second(), run in turn."""
    ratios = sorted(first() / second() for _ in range(PAIRS))
    return ratios[PAIRS // 2], f"{ratios[PAIRS // 2]:.3f} [{ratios[1]:.3f}, {ratios[-2]:.3f}]"


def bench_nps(*options):
    return said([TOOL, "bench", *options], r"^nps (\d+)$")


@figure("perft", "perft 6 from the start, one thread, time against Stockfish 15.1", "<= 0.6")
def measure_perft():
    children = [Child([TOOL]), Child([GAMES_DIR + "stockfish"])]

    def seconds(child):
        start = time.monotonic()
        child.ask("go perft 6", "Nodes searched: 119060324")
        return time.monotonic() - start

    median, text = ratio(lambda: seconds(children[0]), lambda: seconds(children[1]))
    for child in children:
        child.close()
    return text, median <= 0.6


@figure("repeat", "`rookery bench` on one thread counts the same, three times", "equal")
def measure_repeat():
    counts = {said([TOOL, "bench"], r"^nodes (\d+)$") for _ in range(3)}
    return f"{', '.join(f'{count:.0f}' for count in counts)}", len(counts) == 1


@figure("nps", "nodes a second of bench against Stockfish 15.1 without its network", ">= 1.2")
def measure_nps():
    median, text = ratio(bench_nps, lambda: said([GAMES_DIR + "stockfish", *STOCKFISH_NPS],
                                                 r"^Nodes/second\s*: (\d+)"))
    return text, median >= 1.2


@figure("threads", "nodes a second, two threads over one, a second a search", ">= 1.9")
def measure_threads():
    pairs = subprocess.run([str(BIN / "bench_nps"), str(PAIRS), "1000"], capture_output=True, text=True, check=True)
    told = re.search(r"^nodes a second, two threads over one: ([\d.]+) \((.+) to (.+)\)$", pairs.stdout, re.M)
    return "{} [{}, {}]".format(*told.groups()), float(told.group(1)) >= 1.9


@figure("tactics", "wacnew.epd, 1 s a position, one thread", ">= 285 of 300")
def measure_tactics():
    solved, count = epd.run(ROOT / "tests/data/epd/wacnew.epd", [TOOL], 1000)
    return f"{solved} of {count}", solved >= 285


def games_against(opponent):
    words = match.arguments(["--games", "100", "--jobs", "2", "rookery", GAMES_DIR + opponent])
    pairs = match.run(words, shows=False)
    faults = match.faults(pairs, "A")
    return match.summary(pairs) + (f"; faults: {', '.join(faults)}" if faults else ""), not faults


ELO_MIN, ELO_MAX, ELO_STEP = 1000, 2800, 200


@figure("elo", "UCI_Elo: what each step of +200 scores against the one below, 100 games each", "65 to 85 %")
def measure_elo():
    scores = []
    for elo in range(ELO_MIN, ELO_MAX, ELO_STEP):
        above, below = (f"rookery:UCI_LimitStrength=true,UCI_Elo={rating}" for rating in (elo + ELO_STEP, elo))
        words = match.arguments(["--games", "100", "--jobs", "2", "--time", "60", "--increment", "1", above, below])
        scores.append(100 * match.mean(match.run(words, shows=False)))
    return ", ".join(f"{score:.1f}" for score in scores), all(65 <= score <= 85 for score in scores)


@figure("toga2", "100 games against toga2, 2 s + 0.02 s, one thread each", "no fault")
def measure_toga2():
    return games_against("toga2")


@figure("glaurung", "100 games against glaurung, 2 s + 0.02 s, one thread each", "no fault")
def measure_glaurung():
    return games_against("glaurung:Threads=1")  # It would take two.


WIRE = [str(BIN / "bench_wire"), str(BIN / "rookeryd"), TOOL]
# What bench_wire measures: name, what, the lines it prints and within which bounds each must lie.
WIRE_FIGURES = [
    ("connect", "connect to uciok, 200 times, median, two searches run", {"connect": (0, 2)}),
    ("ready", "isready to readyok, 99th percentile of 10,000, every core searches", {"ready": (0, 5)}),
    ("stop", "stop to bestmove, 99th percentile of 500, two other searches run", {"stop": (0, 10)}),
    ("crowd", "32 clients go movetime 1000 at once", {"crowd_legal": (32, 32), "crowd_first": (0.95, 1.1),
                                                      "crowd_last": (0.95, 1.1)}),
    ("idle", "memory of an idle connection, from 1,000", {"idle": (0, 64)}),
    ("session", "nodes a second over TCP against bench, one thread", {"session": (0.98, 9)}),
    ("newgame", "ucinewgame and Clear Hash to readyok on tables of 16 and 1024 MiB, 99th percentile of 1,000",
     {"newgame_small": (0, 1), "newgame_large": (0, 1)}),
    ("reopen", "a 30 s analysis opened again by another client, time to its depth - 2", {"reopen": (0, 5)}),
]


EIGHT = [str(BIN / "bench_eight"), str(BIN / "rookeryd")]
EIGHT_FIGURES = [
    ("eight_watchers", "CPU time of 8 clients on one position to depth 18, equal requests, over one's",
     {"eight_watchers": (0, 1.2)}),
    ("eight_one", "the same with requests that share nothing but the table", {"eight_one": (0, 2.5)}),
    ("eight_game", "CPU time of 8 clients on the same 8 positions of a game to depth 16, over one's",
     {"eight_game": (0, 2)}),
]


BOUNDS = [str(BIN / "bench_bounds"), str(BIN / "rookeryd")]
BOUNDS_FIGURES = [
    ("slow", "a reader of 1 KB/s, buffer 4 KiB, MultiPV 5: KiB from stop to bestmove; KiB that the kernel held",
     {"slow": (0, 16), "slow_worst": (0, 16), "slow_kernel": (0, 16)}),
    ("idle10k", "10,000 idle connections: KiB of each, CPU of all",
     {"idle10k_now": (0, 16), "idle10k": (0, 16), "idle10k_cpu": (0, 2)}),
    ("leak", "10,000 clients begin an endless search and vanish: what stays",
     {"leak_files": (0, 0), "leak_threads": (0, 0), "leak": (-1e9, 512), "leak_cpu": (0, 2)}),
]


def register_lines(command, name, what, bounds):
    def measure():
        said_lines = subprocess.run([*command, name], capture_output=True, text=True, check=True).stdout
        values = {line.split()[0]: float(line.split()[1]) for line in said_lines.splitlines()}
        is_met = all(low <= values[key] <= high for key, (low, high) in bounds.items())
        return ", ".join(line.split(" (")[0] for line in said_lines.splitlines()), is_met
    reach = ", ".join(f"{key} {low:g} to {high:g}" for key, (low, high) in bounds.items())
    figure(name, what, reach)(measure)


for wire_figure in WIRE_FIGURES:
    register_lines(WIRE, *wire_figure)
for eight_figure in EIGHT_FIGURES:
    register_lines(EIGHT, *eight_figure)
for bounds_figure in BOUNDS_FIGURES:
    register_lines(BOUNDS, *bounds_figure)


def load(*options):
    """What the load program prints, by the first word of its lines: the words after it."""
    result = subprocess.run([str(BIN / "load"), *options, str(BIN / "rookeryd")], capture_output=True, text=True)
    return {line.split()[0]: line.split()[1:] for line in result.stdout.splitlines() if line}


def percentile_99(said_lines, name):
    """In ms, from the row of a latency: count, 50 %, 90 %, 99 %, most."""
    return float(said_lines[name][3])


def is_faultless(said_lines):
    return said_lines.get("faults") == ["0"]


@figure("bots", "64 bots, games of 10 s + 0.1 s at once for 5 minutes", "no time loss, no fault")
def measure_bots():
    lines = load("--mix", "bots=64", "--seconds", "300", "--clock", "10000+100", "--grace-ms", "0",
                 "--set", "searches-max=64")
    text = f"{lines['time_losses'][0]} time losses, {lines['faults'][0]} faults in {lines['bots'][2]} moves"
    return text, is_faultless(lines) and lines["time_losses"] == ["0"]


@figure("ready256", "isready to readyok, 256 clients, every core searches, 99th percentile", "<= 10 ms")
def measure_ready256():
    lines = load("--mix", "analysts=2,pingers=256", "--seconds", "30", "--think-ms", "10000")
    ms = percentile_99(lines, "isready_readyok")
    return f"{ms:.2f} ms of {lines['isready_readyok'][0]}", is_faultless(lines) and ms <= 10


@figure("stop64", "stop to bestmove, 64 searches run, 99th percentile", "<= 20 ms")
def measure_stop64():
    lines = load("--mix", "analysts=64", "--seconds", "60", "--set", "searches-max=64")
    ms = percentile_99(lines, "stop_bestmove")
    return f"{ms:.2f} ms of {lines['stop_bestmove'][0]}", is_faultless(lines) and ms <= 20


@figure("fair", "32 analysts and a bot of movetime 1000 over TCP: Jain of the analysts; the bot over itself alone",
        ">= 0.99, >= 0.85")
def measure_fair():
    common = ["--movetime", "1000", "--think-ms", "4000", "--set", "searches-max=64"]
    alone = load("--mix", "movers=1", "--seconds", "30", *common)
    beside = load("--mix", "analysts=32,movers=1", "--seconds", "60", *common)
    jain = float(beside["analysts_fairness"][0])
    part = float(beside["movers_rate"][0]) / float(alone["movers_rate"][0])
    is_good = is_faultless(alone) and is_faultless(beside)
    return f"{jain:.4f}, {part:.3f}", is_good and jain >= 0.99 and part >= 0.85


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("name", nargs="*")
    words = parser.parse_args()
    unknown = set(words.name) - {name for name, *_ in FIGURES}
    if unknown:
        parser.error(f"no figure {', '.join(sorted(unknown))}; --list names them")
    is_good = True
    for name, what, reach, measure in FIGURES:
        if words.list:
            print(f"{name:<12} {what}")
        elif not words.name or name in words.name:
            print(f"{name:<12} {what}", flush=True)
            text, is_met = measure()
            is_good &= is_met
            print(f"{'':<12} reach {reach}; measured {text}; {'met' if is_met else 'NOT MET'}", flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
